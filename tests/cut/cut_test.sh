#!/bin/sh
# cut_test.sh - the wires between the dies that the data sheet counts are those of the
# emitted netlist: every net with an end on either die, and what both drive in turn.
#
# usage: cut_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# Nothing but the two sides and the shared wires may stand in the top module, and what
# a side sends must come out of flip-flops.  Without Yosys nothing is looked at.
set -u

cd "$(dirname "$0")/../.." || exit 2
command -v yosys >/dev/null 2>&1 || { echo "cut_test.sh: no Yosys"; exit 0; }
# shellcheck source=tests/common/wires.sh
. tests/common/wires.sh
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=cut

cat >cut.py <<'EOF'
import json, sys

modules = json.load(open(sys.argv[1]))["modules"]
top = modules["ndp_cut"]
assert sorted(top["cells"]) == ["base", "dram", "wires"], sorted(top["cells"])
nets = {name: set() for name in top["cells"]}
for name, cell in top["cells"].items():
    for bits in cell["connections"].values():
        nets[name].update(bit for bit in bits if isinstance(bit, int))
across = nets["base"] & nets["dram"]
across -= set(top["ports"]["clk"]["bits"] + top["ports"]["rst"]["bits"])

sends = {"base": ("grant", "out", "drives"),
         "dram": ("request", "returns", "out", "drives")}
for side, ports in sends.items():
    module = modules["ndp_cut_" + side]
    flops = {bit for cell in module["cells"].values() if cell["type"] == "$dff"
             for bit in cell["connections"]["Q"]}
    for port in ports:
        assert set(module["ports"][port]["bits"]) <= flops, (side, port)
print(len(across))
EOF

joins cut 'paper --preset mpu' 'small --preset small' \
    'odd --set cut.warps=5 --set cut.tsv_width=32 --set cut.registers=8'
counts paper 77
done_testing
