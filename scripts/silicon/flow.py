"""From Verilog to figures: Yosys maps to cells, OpenSTA times the netlist.

What decides the figures on record is here, in netlist.py and in synth.ys.
"""

import re
import shutil
import subprocess
from pathlib import Path

from netlist import Cells, buffered, register_names

HERE = Path(__file__).resolve().parent
PERIOD = 100.0  # ns, more than any path


class BadUse(Exception):
    pass


def tool(command, room, log, what):
    """Run it in the room, its files named from there: names that Yosys makes up have
    the paths of the sources in them, and the result depends on names."""
    with open(room / log, "wb") as out:
        try:
            done = subprocess.run(command, cwd=room, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT)
        except OSError as wrong:
            raise BadUse(f"'{command[0]}' not found, needed {what}") from wrong
    if done.returncode:
        text = (room / log).read_text(encoding="utf-8", errors="replace")
        why = [line for line in text.split("\n") if re.search("error", line, re.I)]
        raise BadUse(f"{command[0]} failed: {(why or [text[-300:]])[0].strip()}")


def memory_bits(text):
    sizes = re.findall(r"parameter \\SIZE (\d+)\n|parameter \\WIDTH (\d+)\n", text)
    bits, size = 0, 0
    for words, width in sizes:  # sorted by name: SIZE stands before WIDTH
        size = int(words) if words else size
        bits += size * int(width) if width else 0
    return bits


def synthesise(rtl, top, lib, room):
    """Mapped netlist in room/netlist.v: the figures of its area."""
    shutil.copy(lib, room / "cells.lib")
    shutil.rmtree(room / "sources", ignore_errors=True)
    shutil.copytree(rtl, room / "sources")
    sources = sorted(str(f.relative_to(room)) for f in (room / "sources").glob("**/*.v"))
    script = (HERE / "synth.ys").read_text()
    script = "\n".join(line for line in script.split("\n") if not line.startswith("#"))
    (room / "synth.ys").write_text(script.replace("SOURCES", " ".join(sources))
                                   .replace("TOP", top))
    tool(["yosys", "-q", "synth.ys"], room, "yosys.log", "to map to cells")
    stat = (room / "stat").read_text()
    unknown = re.findall(r"Area for cell type (\S+) is unknown", stat)
    if unknown:
        raise BadUse(f"{lib}: no area for {', '.join(sorted(set(unknown)))}, "
                     "expected one for every cell")
    cells = Cells(lib)
    if not cells.buffer():
        raise BadUse(f"{lib}: no buffer, expected a cell whose output is its input")
    lines = (room / "mapped.v").read_text().split("\n")
    lines, buffers, cell = buffered(lines, cells, "clk")
    (room / "netlist.v").write_text("\n".join(lines))
    area = float(re.findall(r"Chip area for .*: *([\d.]+)", stat)[-1])
    used = dict((c, int(n)) for c, n in re.findall(r"^ +(\w+) +(\d+)$", stat, re.M))
    return lines, cells, {
        "cells": int(re.findall(r"Number of cells: +(\d+)", stat)[-1]) + buffers,
        "flip_flops": sum(n for c, n in used.items() if c in cells.flops),
        "area": round(area + buffers * cells.area[cell]),
        "memory_bits": memory_bits((room / "memories").read_text())}


def plain(name):
    """A register without its bit, as the RTL names it."""
    return re.sub(r"\[\d+\]$", "", name.lstrip("\\"))


def time(lines, cells, top, room):
    """Longest path of room/netlist.v: ns and its two ends."""
    (room / "sta.tcl").write_text(f"""\
read_liberty cells.lib
read_verilog netlist.v
link_design {top}
create_clock -name clk -period {PERIOD} clk
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
foreach port [get_ports -quiet memory*_CLK] {{ set_false_path -to $port }}
report_checks -digits 3
exit
""")
    tool(["sta", "-no_splash", "-exit", "sta.tcl"], room, "sta.log", "for timing")
    said = (room / "sta.log").read_text()
    slack = re.findall(r"^ +(-?[\d.]+) +slack", said, re.M)
    ends = [re.search(rf"^{word}: (\S+)", said, re.M) for word in ("Startpoint", "Endpoint")]
    if not slack or "Error" in said or not all(ends):
        if "No paths found" in said:
            return {"ns": None, "from": "-", "to": "-"}
        raise BadUse("sta: " + (re.findall("^Error.*", said, re.M) or ["no path reported"])[0])
    registers = register_names(lines, cells)
    start, end = (plain(registers.get(m[1], m[1])) for m in ends)
    return {"ns": round(PERIOD - float(slack[0]), 3), "from": start, "to": end}


def measure(rtl, top, lib, room):
    lines, cells, figures = synthesise(rtl, top, lib, room)
    figures |= time(lines, cells, top, room)
    figures["mhz"] = round(1000 / figures["ns"], 1) if figures["ns"] else None
    return figures
