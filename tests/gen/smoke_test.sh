#!/bin/sh
# smoke_test.sh - the bench beside the RTL passes for every target and can fail;
# what emitted files name is there; FuseSoC's targets do what they are called.
#
# usage: smoke_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# Without Icarus or FuseSoC their part is left out.
set -u

cd "$(dirname "$0")/../.." || exit 2
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=smoke
ndpgen=$path

have() { command -v "$1" >/dev/null 2>&1; }

# simulate FOLDER TOP
simulate() {
    silent=$(cd "$1" && iverilog -g2005 -Wall -s "$2" -DNDP_CHECKS -o smoke rtl/*.v tb/*.v 2>&1)
    [ -z "$silent" ] || { echo "$silent"; return 1; }
    (cd "$1" && vvp -n smoke)
}
fails() { ! "$@"; }
# documents that RTL, benches and properties name lie where they say
named() { # folder
    for d in $(cd "$1" && grep -rhoE 'docs/[a-z_/-]+\.md' rtl tb formal | sort -u); do
        [ -f "$1/$d" ] || { echo "$1: no $d"; return 1; }
    done
}

# every macro of the Verilog header is a number, and the C header's number
values() { # a number a line, as decimal
    awk '{ n = tolower($2); sub(/.*\047d/, "", n)
        if (n ~ /^[0-9]+$/) print $1, n + 0 }' | sort
}
same_numbers() { # folder block
    vh=$1/include/a_ndp_$2.vh
    sed -n 's/^`define //p' "$vh" | values >vh.values
    sed -n 's/^#define //p' "$1/a_ndp_$2.h" | values >h.values
    # those that the C header has too, but for what only one of them knows
    join vh.values h.values | awk '$2 != $3 { print; bad = 1 } END { exit bad || NR < 3 }'
}
expands() { # folder block
    {
        echo "\`include \"a_ndp_$2.vh\""
        echo 'module all;'
        sed -n 's/^`define \([A-Z0-9_]*\) ..*/    wire [63:0] w_\1 = `\1;/p' \
            "$1/include/a_ndp_$2.vh"
        echo endmodule
    } >all.v
    [ "$(wc -l <all.v)" -gt 5 ] && iverilog -g2005 -t null -I "$1/include" all.v
}

targets=$("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
for t in $targets; do
    status 0 '' --target "$t" --preset small --prefix a_ -o "all/$t"
    holds "documents that $t names are there" named "all/$t"
    holds "headers of $t agree" same_numbers "all/$t" "$t"
    have iverilog || continue
    holds "macros of $t expand" expands "all/$t" "$t"
    holds "the bench of $t passes" simulate "all/$t" "a_ndp_${t}_smoke"
done
holds "some document is named" [ -f all/nbu/docs/blocks/nbu.md ]

if have iverilog; then
    # another hash, a setting with another reset value, an unknown output
    for break in "s/wb_dat_r <= 32'h[0-9a-f]*;/wb_dat_r <= 32'h1;/" \
        "s/wb_ack <= access;/wb_ack <= access ? 1'bx : 1'b0;/"; do
        cp -r all/emn broken
        sed -i "$break" broken/rtl/a_ndp_emn_regs.v
        holds "RTL with '$break' differs" fails cmp -s \
            all/emn/rtl/a_ndp_emn_regs.v broken/rtl/a_ndp_emn_regs.v
        holds "'$break' is caught" fails simulate broken a_ndp_emn_smoke
        rm -r broken
    done
fi

if have fusesoc && have iverilog && have verilator && have yosys; then
    soc() { # target of FuseSoC
        fusesoc --cores-root all run --target "$1" a_ndp_credit
    }
    targets="sim lint synth"
    # Yosys of the Python registry has no Tcl, in which FuseSoC gives its orders
    ! yosys -Q -p 'help tcl' 2>&1 | grep -q 'No such command' ||
        targets="sim lint"
    for t in $targets; do
        holds "FuseSoC's target '$t'" soc $t
    done
    holds "FuseSoC's target 'formal' can be set up" fusesoc --cores-root all \
        run --setup --target formal a_ndp_credit
    if have sby; then
        holds "FuseSoC's target 'formal'" soc formal
        # data that outlives its valid breaks a rule of the channel
        cp -r all/credit kept
        sed -i 's/assign pop_data = pop_valid ? .* : .*;/assign pop_data = oldest;/' \
            all/credit/rtl/a_ndp_credit.v
        holds "FuseSoC's target 'formal' can fail" fails soc formal
        holds 'and says so' sh -c 'fusesoc --cores-root all run --target formal \
            a_ndp_credit 2>&1 | grep -q "DONE (FAIL"'
        rm -r all/credit
        mv kept all/credit
    fi
    sed -i "s/wb_dat_r <= 32'h[0-9a-f]*;/wb_dat_r <= 32'h1;/" \
        all/emn/rtl/a_ndp_emn_regs.v
    holds "FuseSoC's target 'sim' can fail" fails fusesoc --cores-root all \
        run --target sim a_ndp_emn
else
    echo "smoke_test.sh: no FuseSoC, its targets are left out"
fi
done_testing
