#!/bin/sh
# cut_test.sh - nothing but the counted wires joins the two dies: the netlist has two
# modules whose common nets are those that the data sheet counts.
#
# usage: cut_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# In the top module stand the dies, the shared wires, and gates that make tsv_kind of
# these, for monitors.  Within a die the wires are the cut's alone, and what it sends
# comes out of flip-flops.  Without Yosys nothing is looked at.
set -u

cd "$(dirname "$0")/../.." || exit 2
command -v yosys >/dev/null 2>&1 || { echo "cut_test.sh: no Yosys"; exit 0; }
# shellcheck source=tests/common/wires.sh
. tests/common/wires.sh
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=dies

cat >cut.py <<'EOT'
import json, sys

modules = json.load(open(sys.argv[1]))["modules"]
top = modules["ndp_dies"]
parts = {name: cell for name, cell in top["cells"].items() if cell["type"] in modules}
assert sorted(parts) == ["base", "near", "wires"], sorted(parts)


def bits(connections):
    return {b for ends in connections.values() for b in ends if isinstance(b, int)}


# gates of the top module look at the wires for the monitors, and at nothing else
monitors = {b for name, port in top["ports"].items() if name.startswith("tsv_")
            for b in port["bits"]}
rest = [cell for name, cell in top["cells"].items() if name not in parts]
made = set().union(*[set(cell["connections"]["Y"]) for cell in rest])
ends = {name: bits(cell["connections"]) for name, cell in parts.items()}
assert not made & (ends["base"] | ends["near"] | ends["wires"])
assert monitors <= made | ends["wires"]

across = ends["base"] & ends["near"]
across -= set(top["ports"]["clk"]["bits"] + top["ports"]["rst"]["bits"])
of_wires = ("grant", "request", "returns", "shared")
assert across == {b for name in of_wires for b in parts["base"]["connections"][name]}

# what a die sends to the wires goes to nobody else, and the other way
sends = {"base": ("grant", "out", "drives"), "near": ("request", "returns", "out", "drives")}
side = {"base": "ndp_dies_cut_base", "near": "ndp_dies_cut_dram"}
for die, given in sends.items():
    module = modules["ndp_dies_" + die]
    cut = module["cells"]["cut"]
    assert cut["type"] == side[die], cut["type"]
    for name in ("grant", "request", "returns", "drives", "out", "shared"):
        assert module["ports"][name]["bits"] == cut["connections"][name], (die, name)
    for name, cell in module["cells"].items():
        if name != "cut":
            for wire in ("grant", "request", "returns", "shared"):
                assert not bits(cell["connections"]) & set(cut["connections"][wire]), (die, name)
    inner = modules[side[die]]
    flops = {b for cell in inner["cells"].values() if cell["type"] == "$dff"
             for b in cell["connections"]["Q"]}
    for name in given:
        assert set(inner["ports"][name]["bits"]) <= flops, (die, name)
print(len(across))
EOT

joins dies 'paper --preset mpu' 'small --preset small' \
    'odd --set nbu.warps=5 --set cut.warps=5 --set nbu.tag_bits=3'
counts paper 77
done_testing
