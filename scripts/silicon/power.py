"""Energy of a kernel in standard cells, from the toggles of every net in a lock-step run.

The RTL runs the kernel beside its golden model, in Verilator, and is traced from the first
instruction to the last.  The trace has what inputs, flip-flops and read ports of memories
hold in each cycle.  The gates between them are evaluated here, all cycles at a time: a net
is one long integer, a bit a cycle.  What they give each flip-flop must be what the trace
has in it a cycle later, else there is no figure.  OpenSTA's report_power takes the toggles.
"""

import os
import re
import subprocess

from flow import BadUse, tool
from netlist import Cells, instances

PERIOD = 10.0  # ns; energy does not depend on it
FIRST = re.compile(r"\.(issue|retire|commit)$")  # events of instructions


def cosim(target, kernel, *words):
    done = subprocess.run(["sh", "scripts/cosim.sh", f"TARGET={target}", f"RUN={kernel}",
                           *words], capture_output=True, text=True)
    if done.returncode:
        raise BadUse(f"lock-step: {(done.stderr + done.stdout).strip()}")


def window(target, config, kernel, room):
    """First and last cycle with an instruction in it."""
    cosim(target, kernel, "SIM=golden", f"CONFIG={config}", f"EVENTS={room / 'events'}")
    cycles = [int(words[0]) for words in map(str.split, open(room / "events", encoding="ascii"))
              if FIRST.search(words[1])]
    if not cycles:
        raise BadUse(f"{kernel}: no instruction ran")
    return cycles[0], cycles[-1] + 1


class Trace:
    """A VCD of Verilator: what it declares, and values of wanted bits in each cycle, as
    integers."""

    def __init__(self, path, first, last):
        self.path, self.first, self.last, self.cycles = path, first, last, last - first
        self.mask = (1 << self.cycles) - 1
        self.codes, self.widths = {}, {}
        scope = []
        with open(path, encoding="ascii") as lines:
            for words in map(str.split, lines):
                if words[:1] == ["$scope"]:
                    scope.append(words[2])
                elif words[:1] == ["$upscope"]:
                    scope.pop()
                elif words[:1] == ["$var"]:
                    # TOP, and of a machine the probe and its instance, are not in the netlist
                    for skip in (1, 2, 3):
                        name = ".".join(scope[skip:] + [words[4]])
                        self.codes.setdefault(name, words[3])
                        self.widths.setdefault(name, int(words[2]))
                elif words[:1] == ["$enddefinitions"]:
                    break

    def values(self, nets):
        wanted, missing = {}, []
        for net in nets:
            name, at = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", net).groups()
            if net in self.codes:
                name, at = net, 0
            if name in self.codes:
                wanted.setdefault(self.codes[name], []).append((int(at or 0), net))
            else:
                missing.append(net)
        if missing:
            raise BadUse(f"not in the trace: {len(missing)} nets, '{missing[0]}' for one")
        with open(self.path, encoding="ascii") as lines:
            for line in lines:
                if line.startswith("$enddefinitions"):
                    break
            return self.read(lines, self.first, self.last, wanted)

    def read(self, lines, first, last, wanted):
        toggles = {code: {} for code in wanted}  # bit of the variable: cycles, as bytes
        value = dict.fromkeys(wanted, 0)
        size = self.cycles // 8 + 1
        at = 0
        for line in lines:
            start = line[0]
            if start == "#":
                time = int(line[1:])
                if time >= 10 * last:
                    break
                # after a rise: what the next cycle begins with
                at = max(0, (time + 5) // 10 - first)
                continue
            if start == "b":
                digits, _, code = line[1:].rstrip().partition(" ")
            else:
                digits, code = start, line[1:].rstrip()
            if code not in toggles:
                continue
            new = int(digits, 2)
            changed = new ^ value[code]
            value[code] = new
            if at >= self.cycles:
                continue
            of = toggles[code]
            while changed:
                low = changed & -changed
                bit = low.bit_length() - 1
                changed ^= low
                if bit not in of:
                    of[bit] = bytearray(size)
                of[bit][at >> 3] ^= 1 << (at & 7)
        values = {}
        for code, nets in wanted.items():
            held = {bit: self.since(int.from_bytes(line, "little"))
                    for bit, line in toggles[code].items()}
            for bit, net in nets:
                values[net] = held.get(bit, 0)
        return values

    def since(self, toggles):
        """Prefix sums modulo two."""
        step = 1
        while step < self.cycles:
            toggles ^= toggles << step
            step *= 2
        return toggles & self.mask


def compiled(expression):
    """A Liberty function of values by pin, as Python."""
    text = re.sub(r"(\w|\))\s+(?=[\w!(])", r"\1&", expression.strip())
    text = re.sub(r"([A-Za-z_]\w*)", r'v["\1"]', text)
    return compile(text.replace("!", "~").replace("*", "&").replace("+", "|"), "cell", "eval")


class Netlist:
    def __init__(self, lines, cells, macros):
        self.cells = cells
        self.pins, self.kind, self.alias = {}, {}, {}
        for cell, name, pin, net, _ in instances(lines):
            self.kind[name] = cell
            self.pins.setdefault(name, {})[pin] = net.strip().lstrip("\\")
        for line in lines:
            found = re.fullmatch(r"  assign (\S+) *= (\S+) *;", line)
            if found:
                self.alias[found[1].lstrip("\\")] = found[2].lstrip("\\")
        self.inputs = [m[1].lstrip("\\") for m in
                       (re.fullmatch(r"  input (\S+) *;", line) for line in lines) if m]
        self.of_memory = macros
        self.flops = [n for n, cell in self.kind.items() if cell in cells.flops]

    def sources(self):
        """{net: name in the RTL} of what the trace has to tell."""
        found = {net: self.of_memory.get(net, net) for net in self.inputs if net != "clk"}
        for flop in self.flops:
            for pin in self.cells.outputs[self.kind[flop]]:
                if pin in self.pins[flop]:
                    net = self.pins[flop][pin]
                    found[net] = self.of_memory.get(net, net)
        return found

    def evaluate(self, held, mask):
        """Values of all nets, from those of the sources."""
        values = dict(held)
        values["clk"], values["1'b0"], values["1'b1"] = 0, 0, mask
        driver, program = {}, {}
        for name, cell in self.kind.items():
            if cell not in self.cells.flops:
                for pin in self.cells.outputs[cell]:
                    if pin in self.pins[name]:
                        driver[self.pins[name][pin]] = (name, pin)
                    if (cell, pin) not in program:
                        program[cell, pin] = compiled(self.cells.functions[cell, pin])
        for root in list(driver) + list(self.alias):
            stack = [root]
            while stack:
                net = stack[-1]
                if net in values:
                    stack.pop()
                    continue
                if net in self.alias:
                    needs = [self.alias[net]]
                elif net in driver:
                    name, pin = driver[net]
                    pins, cell = self.pins[name], self.kind[name]
                    needs = [pins[p] for p in self.cells.inputs[cell]]
                else:
                    raise BadUse(f"nothing drives '{net}'")
                open_ = [n for n in needs if n not in values]
                if open_:
                    stack += open_
                    continue
                if net in self.alias:
                    values[net] = values[self.alias[net]]
                else:
                    v = {p: values[pins[p]] for p in self.cells.inputs[cell]}
                    values[net] = eval(program[cell, pin], {"v": v}) & mask
                stack.pop()
        return values

    def check(self, values, mask):
        """What each flip-flop is given must be what it holds a cycle later."""
        wrong = []
        for flop in self.flops:
            pins, cell = self.pins[flop], self.kind[flop]
            if "D" not in pins:
                raise BadUse(f"{cell} has no pin D, expected flip-flops with D and Q")
            for out in self.cells.outputs[cell]:
                if out in pins and (values[pins["D"]] ^ values[pins[out]] >> 1) & mask >> 1:
                    wrong.append(pins[out])
        if wrong:
            raise BadUse(f"{len(wrong)} of {len(self.flops)} flip-flops hold in the RTL what the "
                           f"netlist does not give them, '{wrong[0]}' for one")


def memory_ports(text, widths):
    """{port of the netlist: net of the RTL} of the memories outside."""
    names = {}
    for memory, body in re.findall(r"cell \$mem_v2 \\(\w+)\n(.*?)\n  end", text, re.S):
        for port, value in re.findall(r"connect \\(\w+) ([^\n]*)", body):
            nets = []
            for name, high, low in reversed(
                    re.findall(r"(\S+)(?: \[(\d+)(?::(\d+))?\])?", value.strip("{} "))):
                name = name.lstrip("\\")
                wide = widths.get(name, 1)
                span = (int(low or high), int(high) + 1) if high else (0, wide)
                nets += [f"{name}[{n}]" if wide > 1 else name for n in range(*span)]
            many = len(nets) > 1
            names.update((f"{memory}_{port}[{n}]" if many else f"{memory}_{port}", net)
                         for n, net in enumerate(nets))
    return names


def recoded(text):
    """{bit of a state as Yosys numbers it: [[(bit of the state in the RTL, its value)]]}, one
    list for each state that has the bit."""
    bits, name = {}, ""
    for words in map(str.split, text.splitlines()):
        if words[:1] == [".fsm"]:
            name = words[2]
        elif words[:1] == [".map"]:
            old, new = words[1][::-1], words[2][::-1]
            wide = len(old) > 1
            state = [(f"{name}[{n}]" if wide else name, bit == "1")
                     for n, bit in enumerate(old) if bit in "01"]
            for n, bit in enumerate(new):
                if bit == "1":
                    bits.setdefault(f"{name}[{n}]" if len(new) > 1 else name, []).append(state)
    return bits


def translated(held, states, mask):
    """Values of recoded bits, from those of the RTL's."""
    values = {}
    for bit, wanted in states.items():
        values[bit] = 0
        for state in wanted:
            here = mask
            for net, one in state:
                here &= held[net] if one else ~held[net]
            values[bit] |= here
    return values


def share(value, cycles):
    """Toggles a cycle, and the part of the time at one."""
    changes = (value ^ value >> 1) & ((1 << cycles - 1) - 1)
    return f"{changes.bit_count() / (cycles - 1):.6g} {value.bit_count() / cycles:.6g}"


def report(netlist, values, cycles, top, room):
    """Watts of clock, flip-flops and gates by report_power."""
    pins = [(f"{name}/{pin}", net) for name, pins in netlist.pins.items()
            for pin, net in pins.items() if net != "clk"]
    still = [f"act {name}/{pin} 0 0" for name in netlist.flops for pin in netlist.pins[name]
             if netlist.pins[name][pin] != "clk"]
    moves = [f"act {pin} {share(values[net], cycles)}" for pin, net in pins]
    (room / "power.tcl").write_text(f"""\
read_liberty cells.lib
read_verilog netlist.v
link_design {top}
create_clock -name clk -period {PERIOD} clk
# its own activities, which ours replace; in deep logic they are not finite
catch report_power
proc act {{pin toggles ones}} {{
    sta::set_power_pin_activity [get_pins $pin] $toggles $ones
}}
""" + "\n".join([*moves, "report_power -digits 6", *still, "report_power -digits 6", "exit", ""]))
    tool(["sta", "-no_splash", "-exit", "power.tcl"], room, "power.log", "for power")
    watts = [float(total) for total in
             re.findall(r"^(?:Sequential|Combinational)(?: +\S+){3} +(\S+)",
                        (room / "power.log").read_text(), re.M)]
    if len(watts) != 4:
        raise BadUse("sta: no power reported")
    return {"clock": watts[2], "flops": watts[0] - watts[2], "gates": watts[1]}


def energy(target, rtl, kernel, room):
    """Figures of one kernel on the netlist in the room, whose RTL ndpgen put into rtl."""
    first, last = window(target, rtl / "config.yml", kernel, room)
    cosim(target, kernel, f"RTL={rtl}", f"TRACE={room / 'trace.vcd'}", f"FROM={first}")
    trace = Trace(room / "trace.vcd", first, last)
    netlist = Netlist((room / "netlist.v").read_text().split("\n"), Cells(room / "cells.lib"),
                      memory_ports((room / "ports").read_text(), trace.widths))
    sources = netlist.sources()
    states = recoded((room / "states").read_text())
    wanted = {net for of in states.values() for state in of for net, _ in state}
    held = trace.values(wanted | set(sources.values()) - set(states))
    os.remove(room / "trace.vcd")
    held |= translated(held, states, trace.mask)
    values = netlist.evaluate({net: held[of] for net, of in sources.items()}, trace.mask)
    netlist.check(values, trace.mask)
    watts = report(netlist, values, trace.cycles, f"ndp_{target}", room)
    return {"cycles": trace.cycles} | {f"{part}_nj": round(watt * trace.cycles * PERIOD, 1)
                                       for part, watt in watts.items()}
