"""Tests of scripts/silicon: Liberty files, netlists, figures, and a whole run."""

import contextlib
import importlib.util
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
HERE = TOP / "tests/silicon"
sys.path.insert(0, str(TOP / "scripts/silicon"))
os.chdir(TOP)

import netlist  # noqa: E402

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
        self.assertEqual(silicon.plain(names["_0_"]), "state.head")

    def test_memories_are_counted_in_bits(self):
        text = "".join(f"    parameter \\SIZE {s}\n    parameter \\SRST 0\n    parameter \\WIDTH {w}\n"
                       for s, w in ((16, 8), (256, 32)))
        self.assertEqual(silicon.memory_bits(text), 16 * 8 + 256 * 32)


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


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"silicon: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
