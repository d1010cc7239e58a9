"""Tests of scripts/silicon: Liberty files, netlists, figures, and a whole run."""

import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
HERE = TOP / "tests/silicon"
sys.path.insert(0, str(TOP / "scripts/silicon"))
os.chdir(TOP)

import flow  # noqa: E402
import netlist  # noqa: E402
import power  # noqa: E402

spec = importlib.util.spec_from_file_location("silicon", TOP / "scripts/silicon/__main__.py")
silicon = importlib.util.module_from_spec(spec)
spec.loader.exec_module(silicon)


def fan(sinks):
    """A flip-flop that drives so many inverters."""
    lines = ["module top(clk);", "  input clk;", "  wire clk;"]
    lines += ["  DFF _0_ (", "    .CK(clk),", "    .D(_d_),", "    .Q(\\state.head[3] )", "  );"]
    for n in range(sinks):
        lines += [f"  INV _{n + 1}_ (", "    .A(\\state.head[3] ),", f"    .Y(y{n})", "  );"]
    return lines + ["endmodule", ""]


class Netlists(unittest.TestCase):
    def setUp(self):
        self.cells = netlist.Cells(HERE / "few.lib")

    def test_a_library_names_its_cells(self):
        self.assertEqual(self.cells.area, {"INV": 16, "BUFX2": 24, "BUFX4": 32, "DFF": 96})
        self.assertEqual(self.cells.flops, {"DFF"})
        self.assertEqual(self.cells.buffer(), "BUFX2")

    def drivers(self, lines):
        """{net: sinks} and {net: what drives it}."""
        sinks, source = {}, {}
        for cell, name, pin, net, _ in netlist.instances(lines):
            net = net.strip()
            if pin in self.cells.outputs[cell]:
                source[net] = (cell, name)
            else:
                sinks.setdefault(net, []).append((cell, name))
        return sinks, source

    def test_no_net_has_many_sinks_and_each_is_still_driven(self):
        for n in (1, 8, 9, 64, 65, 200, 1000):
            lines, made, cell = netlist.buffered(fan(n), self.cells, "clk")
            sinks, source = self.drivers(lines)
            self.assertEqual(cell, "BUFX2")
            self.assertEqual(made, sum(c == "BUFX2" for c, _ in source.values()))
            self.assertTrue(all(len(s) <= 8 for net, s in sinks.items() if net != "clk"), n)
            inputs = {name: net for net, s in sinks.items() for _, name in s}
            for sink in range(1, n + 1):
                at = f"_{sink}_"
                while at != "_0_":
                    at = source[inputs[at]][1]
            self.assertEqual(made == 0, n <= 8)
            self.assertEqual(lines[-2:], ["endmodule", ""])

    def test_the_clock_has_no_tree(self):
        lines = ["module top(clk);"]
        for n in range(20):
            lines += [f"  DFF _{n}_ (", "    .CK(clk),", f"    .Q(q{n})", "  );"]
        self.assertEqual(netlist.buffered(lines + ["endmodule"], self.cells, "clk")[1], 0)

    def test_a_path_is_named_by_registers(self):
        names = netlist.register_names(fan(2), self.cells)
        self.assertEqual(names, {"_0_": "state.head[3]"})
        self.assertEqual(flow.plain(names["_0_"]), "state.head")

    def test_memories_are_counted_in_bits(self):
        text = "".join(f"    parameter \\SIZE {s}\n    parameter \\SRST 0\n    parameter \\WIDTH {w}\n"
                       for s, w in ((16, 8), (256, 32)))
        self.assertEqual(flow.memory_bits(text), 16 * 8 + 256 * 32)


# A register of two bits that counts, as a netlist and as Verilator traces it.
COUNT = """\
module ndp_count(clk, en);
  input clk;
  input en;
  wire clk;
  DFF _0_ (
    .CK(clk),
    .D(_d_),
    .Q(\\state.n[0] )
  );
  INV _1_ (
    .A(\\state.n[0] ),
    .Y(_d_)
  );
  assign out = \\state.n[0] ;
endmodule
"""
TRACE = """\
$scope module TOP $end
 $var wire 1 c clk $end
 $scope module ndp_count $end
  $var wire 1 e en $end
  $scope module state $end
   $var wire 2 n n [1:0] $end
  $upscope $end
 $upscope $end
$upscope $end
$enddefinitions $end
#0
0c
0e
b00 n
"""


class Energy(unittest.TestCase):
    def trace(self, values, first=0, last=6):
        """The register over cycles: what it has before each rise."""
        with tempfile.NamedTemporaryFile("w", suffix=".vcd") as vcd:
            vcd.write(TRACE + "".join(f"#{10 * cycle + 5}\nb{value:02b} n\n"
                                      for cycle, value in enumerate(values)))
            vcd.flush()
            trace = power.Trace(vcd.name, first, last)
            return trace, trace.values({"state.n[0]", "en"})

    def count(self):
        return power.Netlist(COUNT.split("\n"), netlist.Cells(HERE / "few.lib"), {})

    def test_functions_of_liberty(self):
        v = {"A": 0b1100, "B": 0b1010, "C": 0b0110, "S": 0b1001}
        for text, value in (("(!(A B))", ~0b1000), ("((A^B)^C)", 0), ("(!((A+B) C))", ~0b0110),
                            ("A*B", 0b1000), ("(!((S A) + (!S B)))", ~0b1010), ("A", 0b1100)):
            self.assertEqual(eval(power.compiled(text), {"v": v}), value, text)

    def test_a_trace_is_a_bit_a_cycle(self):
        trace, values = self.trace([1, 0, 1, 0, 1])
        self.assertEqual(values, {"state.n[0]": 0b101010, "en": 0})
        self.assertEqual(trace.widths["state.n"], 2)
        self.assertEqual(self.trace([1, 0, 1, 0, 1], 1, 4)[1]["state.n[0]"], 0b101)

    def test_a_netlist_must_do_what_the_trace_says(self):
        count = self.count()
        self.assertEqual(count.sources(), {"en": "en", "state.n[0]": "state.n[0]"})
        for values, wrong in (([1, 0, 1, 0, 1], False), ([1, 0, 1, 1, 0], True)):
            trace, held = self.trace(values)
            nets = count.evaluate(held, trace.mask)
            self.assertEqual(nets["_d_"], held["state.n[0]"] ^ trace.mask)
            self.assertEqual(nets["out"], held["state.n[0]"])
            if wrong:
                with self.assertRaisesRegex(flow.BadUse, "1 of 1 flip-flops.*'state.n"):
                    count.check(nets, trace.mask)
            else:
                count.check(nets, trace.mask)

    def test_states_as_yosys_numbers_them(self):
        states = power.recoded(".fsm ndp_x unit.state\n.map 00 --1\n.map 10 -1-\n.map 01 1--\n")
        held = {"unit.state[1]": 0b0110, "unit.state[0]": 0b1000}
        self.assertEqual(power.translated(held, states, 0b1111),
                         {"unit.state[0]": 0b0001, "unit.state[1]": 0b0110,
                          "unit.state[2]": 0b1000})

    def test_ports_of_memories_by_their_nets(self):
        text = ("  cell $mem_v2 \\memory0\n    connect \\RD_ADDR { \\u.warp \\u.code [5:4] }\n"
                "    connect \\RD_DATA \\u.data\n  end\n")
        self.assertEqual(power.memory_ports(text, {"u.warp": 2, "u.code": 8, "u.data": 1}),
                         {"memory0_RD_ADDR[0]": "u.code[4]", "memory0_RD_ADDR[1]": "u.code[5]",
                          "memory0_RD_ADDR[2]": "u.warp[0]", "memory0_RD_ADDR[3]": "u.warp[1]",
                          "memory0_RD_DATA": "u.data"})

    def test_toggles_and_ones(self):
        self.assertEqual(power.share(0b010101, 6), "1 0.5")
        self.assertEqual(power.share(0, 6), "0 0")


class Program(unittest.TestCase):
    def program(self, *words):
        out, err = io.StringIO(), ""
        with contextlib.redirect_stdout(out):
            try:
                silicon.main(list(words))
            except silicon.BadUse as wrong:
                err = str(wrong)
        return out.getvalue(), err

    def test_bad_use(self):
        for words, reason in (((), "no target"), (("--target", "emn", "--lib", "none.lib"),
                                                  "cannot read 'none.lib', expected a Liberty"),
                              (("--target", "enm", "--lib", str(HERE / "few.lib")), "enm"),
                              (("--fast",), "--fast")):
            self.assertIn(reason, self.program(*words)[1])

    @unittest.skipUnless(shutil.which("sta") and os.path.isfile(silicon.OSU018),
                         "no OpenSTA or no cells here")
    def test_a_block(self):
        words = ("--target", "credit", "--preset", "small", "--json")
        with tempfile.TemporaryDirectory() as room:
            small = json.loads(self.program(*words, "--out", room)[0])
            self.assertIn("slack", Path(room, "sta.log").read_text())
            # names with the room's path in them would change the figures
            self.assertNotIn(room, Path(room, "synth.ys").read_text())
        self.assertGreater(small["mhz"], 100)
        self.assertNotIn("_", small["from"][:1])
        wide = json.loads(self.program(*words, "--set", "credit.depth=12")[0])
        self.assertGreater(wide["area"], small["area"])
        self.assertEqual(json.loads(self.program(*words)[0]), small)

    @unittest.skipUnless(shutil.which("sta") and os.path.isfile(silicon.OSU018),
                         "no OpenSTA or no cells here")
    def test_memories_stand_outside_whole(self):
        """Every bit of a memory is a port, so that what drives it stays and is timed."""
        with tempfile.TemporaryDirectory() as room:
            figures = json.loads(self.program("--target", "emn", "--json", "--out", room)[0])
            lines = Path(room, "netlist.v").read_text().split("\n")
            cells = netlist.Cells(Path(room, "cells.lib"))
            ports = {line.split()[1].rstrip(";") for line in lines
                     if re.match("  (in|out)put ", line)}
        self.assertEqual(figures["memory_bits"], 256 * 5)
        self.assertEqual(sum(p.startswith("\\memory0_RD_DATA[") for p in ports), 5)
        driven = {net.strip() for cell, _, pin, net, _ in netlist.instances(lines)
                  if pin in cells.outputs[cell]}
        used = {net.strip() for cell, _, pin, net, _ in netlist.instances(lines)
                if pin not in cells.outputs[cell]}
        self.assertEqual(used - driven - ports, set())
        self.assertTrue(figures["mhz"] > 100, "the clock of a memory is no path")

    @unittest.skipUnless(shutil.which("sta") and os.path.isfile(silicon.OSU018),
                         "no OpenSTA or no cells here")
    def test_the_record_is_what_is_printed(self):
        with open("tests/area/silicon.tsv", encoding="ascii") as record:
            rows = dict(line.split("\t")[0:3:2] for line in record if line.startswith("emn-"))
        figures = json.loads(self.program("--target", "emn", "--json")[0])
        for word in rows["emn-small"].split():
            key, value = word.split("=")
            self.assertEqual(str(figures[key]), value, key)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"silicon: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
