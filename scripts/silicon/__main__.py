"""Area and clock frequency in standard cells: Yosys maps, OpenSTA times.

usage: python3 scripts/silicon --target T [OPTION...]

  --target T     a block, unit or machine of ndpgen
  --preset P     its sizes (default small)
  --config FILE  or a configuration of yours
  --set K=V      over either; repeatable
  --lib FILE     a Liberty file (default: OSU's 0.18 um cells of Debian's package
                 qflow-tech-osu018)
  --out DIR      keep netlist, timing report and logs there
  --rtl DIR      of the Verilog in this folder, instead of making it
  --kernel FILE  also the energy of this kernel, a run description, by the toggles of a
                 lock-step run (power.py); repeatable
  --json         print the figures as JSON

Area is that of logic and flip-flops.  Memories of 16 words and more are given in bits
beside it.  The clock is the longest path between registers, from memories and to them,
typical corner, ideal wires and clock, a buffer for each eight sinks; no layout.
Exit status: 0 done, 2 bad use or a tool failed.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from flow import BadUse, measure  # noqa: E402
from power import energy  # noqa: E402

OSU018 = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"


def emit(options, room):
    """The Verilog as the record has it: scripts/cost.sh makes names and constants those
    of any configuration."""
    words = [("--set", value) for value in options.set]
    words += [("--config", options.config)] if options.config else []
    script = "".join(f"take_own {option} {shlex.quote(value)}\n" for option, value in words)
    base = "" if options.config else options.preset
    preset = "own" if words else base
    ndpgen = os.environ.get("NDPGEN") or f"{os.environ.get('BUILD', 'build')}/ndpgen"
    done = subprocess.run(
        ["sh", "-c", f". scripts/cost.sh\nown_base={shlex.quote(base)}\n{script}"
         'prepare "$1" "$2"', "silicon", options.target, preset],
        env={**os.environ, "BUILD": str(room), "NDPGEN": ndpgen}, capture_output=True, text=True)
    if done.returncode:
        raise BadUse(done.stderr.strip().split("\n")[0].removeprefix("error: ")
                     or "ndpgen failed")
    return room / f"area/{options.target}-{preset}"


def options_of(words):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            raise BadUse(f"{message}; try --help")

        def print_help(self, file=None):
            print(__doc__.strip())
    parser = Parser(prog="silicon")
    for name, default in (("target", ""), ("preset", "small"), ("config", ""), ("lib", OSU018),
                          ("out", ""), ("rtl", "")):
        parser.add_argument(f"--{name}", default=default)
    for name in ("--set", "--kernel"):
        parser.add_argument(name, action="append", default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    if options.rtl and options.kernel:
        raise BadUse("--kernel needs the RTL of ndpgen, expected no --rtl")
    if not options.target:
        raise BadUse("no target, expected --target (make: TARGET=)")
    if not os.path.isfile(options.lib):
        raise BadUse(f"cannot read '{options.lib}', expected a Liberty file"
                     + (", run scripts/setup.sh --silicon" if options.lib == OSU018 else ""))
    return options


def main(words):
    options = options_of(words)
    with tempfile.TemporaryDirectory() as temporary:
        room = Path(options.out or temporary).resolve()
        room.mkdir(parents=True, exist_ok=True)
        made = None if options.rtl else emit(options, room)
        rtl = Path(options.rtl).resolve() if options.rtl else made / "src"
        figures = measure(rtl, f"ndp_{options.target}", options.lib, room)
        for kernel in options.kernel:
            figures |= {f"{Path(kernel).stem}_{key}": value for key, value in
                        energy(options.target, made / "out", kernel, room).items()}
    if options.json:
        print(json.dumps({"target": options.target, **figures}))
        return 0
    unit = f"{figures['area'] / 1e6:.3f} mm2" if options.lib == OSU018 \
        else f"area {figures['area']} in the library's unit"
    print(f"{options.target} at {options.config or options.preset}: {unit}, "
          f"{figures['cells']} cells of which {figures['flip_flops']} flip-flops, "
          f"{figures['memory_bits']} memory bits beside")
    if figures["ns"]:
        print(f"  {figures['mhz']} MHz: {figures['ns']} ns from {figures['from']} "
              f"to {figures['to']}")
    for name in (Path(kernel).stem for kernel in options.kernel):
        print(f"  {name}: {figures[name + '_cycles']} cycles, "
              f"{figures[name + '_gates_nj']} nJ in gates, {figures[name + '_flops_nj']} nJ in "
              f"flip-flops, {figures[name + '_clock_nj']} nJ in their clock")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BadUse as wrong:
        print(f"silicon: error: {wrong}", file=sys.stderr)
        sys.exit(2)
