"""A mapped netlist as Yosys writes it: one pin a line, scalar nets.

  NAND2X1 _123_ (
    .A(\\unit.head[3] ),
    .Y(_045_)
  );
"""

import re

INSTANCE = re.compile(r"^  (\w+) (\\\S+ |\w+) \($")
PIN = re.compile(r"^    \.(\w+)\((.*)\),?$")
FANOUT = 8  # sinks of a net


class Cells:
    """What is needed of a Liberty file: areas, pins, buffers and flip-flops."""

    def __init__(self, path):
        self.area, self.outputs, self.inputs, self.functions = {}, {}, {}, {}
        self.flops = set()
        cell = pin = None
        with open(path, encoding="utf-8", errors="replace") as f:
            for line in f:
                word = re.match(r'\s*(\w+)\s*(?:\(\s*"?([^")]*?)"?\s*\)\s*\{|:\s*"?([^";]*)"?)', line)
                if not word:
                    continue
                kind, name, value = word.groups()
                if kind == "cell":
                    cell, pin = name, None
                    self.inputs[cell], self.outputs[cell] = [], []
                elif cell is None:
                    continue
                elif kind == "ff":
                    self.flops.add(cell)
                elif kind == "pin":
                    pin = name
                elif kind == "area" and pin is None:
                    self.area[cell] = float(value)
                elif kind == "direction" and pin:
                    (self.outputs if value.strip() == "output" else self.inputs)[cell].append(pin)
                elif kind == "function" and pin:
                    self.functions[cell, pin] = value

    def buffer(self):
        """The smallest cell whose output is its only input."""
        found = [(self.area.get(c, 0), c) for c in self.area
                 if len(self.inputs[c]) == len(self.outputs[c]) == 1 and c not in self.flops
                 and self.functions.get((c, self.outputs[c][0]), "").strip(" ()") ==
                 self.inputs[c][0]]
        return min(found)[1] if found else None


def instances(lines):
    """(cell, name, pin, net, line number) of each pin."""
    cell = name = None
    for number, line in enumerate(lines):
        found = INSTANCE.match(line)
        if found:
            cell, name = found[1], found[2].strip()
            continue
        found = PIN.match(line)
        if found and cell:
            yield cell, name, found[1], found[2], number


def buffered(lines, cells, clock):
    """The netlist with a tree of buffers behind every net of many sinks, and how
    many buffers that took: ABC leaves the outputs of flip-flops and inputs as they are."""
    sinks = {}
    for cell, _, pin, net, number in instances(lines):
        if pin not in cells.outputs[cell] and net.strip() != clock and "'" not in net:
            sinks.setdefault(net, []).append(number)
    cell = cells.buffer()
    pin, out = cells.inputs[cell][0], cells.outputs[cell][0]
    lines, made, wires = list(lines), [], []
    for net, places in sinks.items():
        if len(places) <= FANOUT:
            continue
        # sinks of a level share buffers, which are the sinks of the level before
        ends = [("line", p) for p in places]
        while len(ends) > FANOUT:
            level = []
            for first in range(0, len(ends), FANOUT):
                wire = f"buffer_{len(wires)}_"
                wires.append(wire)
                for kind, at in ends[first:first + FANOUT]:
                    if kind == "line":
                        lines[at] = lines[at].replace(f"({net})", f"({wire})")
                    else:
                        made[at] = (wire, made[at][1])
                made.append((net, wire))
                level.append(("buffer", len(made) - 1))
            ends = level
    body = [f"  wire {w};" for w in wires]
    for n, (source, wire) in enumerate(made):
        body += [f"  {cell} buffer_{n} (", f"    .{pin}({source}),", f"    .{out}({wire})", "  );"]
    last = max(n for n, line in enumerate(lines) if line == "endmodule")
    return lines[:last] + body + lines[last:], len(made), cell


def register_names(lines, cells):
    """{instance: net at its output} of the flip-flops."""
    return {name: net.strip().lstrip("\\") for cell, name, pin, net, _ in instances(lines)
            if cell in cells.flops and pin in cells.outputs[cell]}
