#!/bin/sh
# cut_test.sh - the wires between the dies that the data sheet counts are those of the
# emitted netlist: every net with an end on either die.
#
# usage: cut_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# On the DRAM die are the part `near`, the ports of near pipeline, near register file
# and load-store extension, and the gates in front of those; all else is on the base die.
# Without Yosys nothing is looked at.
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
import json, re, sys

top = json.load(open(sys.argv[1]))["modules"]["ndp_nbu"]
gates = set()  # bits that gates of the DRAM die make
for name, net in top["netnames"].items():
    if re.match(r"lsu_near_|near_taken$", name):
        gates.update(net["bits"])
near, base = set(), set()
for name, port in top["ports"].items():
    die = near if re.match(r"near_|lsu_near_|lsu_up_", name) else base
    die.update(port["bits"])
for name, cell in top["cells"].items():
    ends = cell["connections"]
    die = near if name == "near" or gates & set(ends.get("Y", [])) else base
    for bits in ends.values():
        die.update(bits)
assert gates
everywhere = top["ports"]["clk"]["bits"] + top["ports"]["rst"]["bits"]
print(sum(isinstance(bit, int) for bit in (near & base) - set(everywhere)))
EOF

wires_kept=ndp_nbu # its part `near` stays a part
joins nbu 'paper --preset mpu' 'small --preset small' \
    'odd --set nbu.warps=5 --set nbu.tsv_width=32 --set nbu.registers=8 --set nbu.tag_bits=3'
counts paper 255
done_testing
