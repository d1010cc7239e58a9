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

netlist() { # folder
    yosys -q -p "read_verilog $1/rtl/*.v; hierarchy -top ndp_nbu; proc
        opt_clean -purge ndp_nbu; write_json $1/cut.json" &&
        python3 cut.py "$1/cut.json" >"$1/cut"
}
told() { # folder
    grep -qx "| all | | $(cat "$1/cut") |" "$1/ndp_nbu.md" &&
        grep -q "wires between the dies.* | $(cat "$1/cut") | 64 |" "$1/ndp_nbu.md"
}

for form in 'paper --preset mpu' 'small --preset small' \
    'odd --set nbu.warps=5 --set nbu.tsv_width=32 --set nbu.registers=8 --set nbu.tag_bits=3'; do
    # shellcheck disable=SC2086 # words
    set -- $form
    name=$1
    shift
    status 0 '' --target nbu "$@" -o "$name"
    holds "netlist of '$name'" netlist "$name"
    holds "the data sheet of '$name' counts its wires" told "$name"
done
holds "at the paper's sizes" test "$(cat paper/cut)" = 255
done_testing
