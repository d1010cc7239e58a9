# wires.sh - the wires between two dies, counted in the netlist; read with '.' before
# cli.sh, whose words it uses; the block's own count is cut.py.
#
#     joins BLOCK FORM...    FORM: a name and words of ndpgen
#     counts NAME WIRES
#
# cut.py gets Yosys' JSON of the top module and prints how many wires join the dies;
# the data sheet has to say the same, beside the paper's 64.

wires_netlist() { # block, folder
    yosys -q -p "read_verilog $2/rtl/*.v; hierarchy -top ndp_$1; proc
        opt_clean -purge ${wires_kept:-}; write_json $2/cut.json" &&
        python3 cut.py "$2/cut.json" >"$2/cut"
}
wires_told() { # block, folder
    grep -qx "| all | | $(cat "$2/cut") |" "$2/ndp_$1.md" &&
        grep -q "wires between the dies.* | $(cat "$2/cut") | 64 |" "$2/ndp_$1.md"
}

joins() { # block, forms...
    wires_block=$1
    shift
    for form; do
        # shellcheck disable=SC2086 # words
        set -- $form
        name=$1
        shift
        status 0 '' --target "$wires_block" "$@" -o "$name"
        holds "netlist of '$name'" wires_netlist "$wires_block" "$name"
        holds "the data sheet of '$name' counts its wires" \
            wires_told "$wires_block" "$name"
    done
}
counts() { # name, wires
    holds "'$1' has $2 wires" test "$(cat "$1/cut")" = "$2"
}
