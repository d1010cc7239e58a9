#!/bin/sh
# chained_test.sh - kernels on golden machines whose network computes chains: the
# same bytes whoever computes them, which chains leave and why others stay, what
# crosses the mesh, and what is refused.
#
# usage: chained_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=chained_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndpcc"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

counted() { sed -n "s/^  chains: $1 *//p" "$room/report"; }
crossed() { sed -n "s/^  traffic: $1 *//p" "$room/report"; }

# in_mode DEVICE RUN PTX MODE [SIZE] - right, and the bytes of mode off, if that is another
in_mode() {
    status 0 "$ndprun" "$2" --ptx "$3" --device "$1" --chains "$4" --traffic --size "${5:-small}"
    says out " on $1: right, "
    cp "$room/out" "$room/report"
    grep ' elements, checksum ' "$room/report" >"$room/buffers-$4"
    [ "$4" = off ] || status 0 cmp "$room/buffers-off" "$room/buffers-$4"
    # each packet has its end, and no end is of another chain
    status 0 [ "$(counted ends)" -eq "$(counted packets)" ]
    status 0 [ "$(counted strays)" -eq 0 ]
}

# all modes; sets left_MODE, hops_MODE, all_MODE
modes() {
    for mode in off llc omni; do
        in_mode "$1" "$2" "$3" $mode
        eval "left_$mode=$(counted packets) hops_$mode=$(counted hops)" \
            "all_$mode=$(crossed hops)"
    done
    # with the mode off nothing leaves; who computes at any node sends no fewer
    status 0 [ "$left_off" -eq 0 ]
    status 0 [ "$hops_off" -eq 0 ]
    status 0 [ "$all_off" -gt 0 ]
    status 0 [ "$left_omni" -ge "$left_llc" ]
}

patterns=tests/chained/patterns.yml
chains=$room/chains.ptx
status 0 "$build/ndpcc" tests/omni/kernels/patterns.ptx --rewrite -o "$chains"
modes golden:chained_small $patterns "$chains"
status 0 [ "$left_omni" -gt "$left_llc" ]

# kernels of the paper's: operands of one memory, of two, in one launch and many
for kernel in triad vecadd_strided fdtd; do
    source=${kernel%_*}
    status 0 "$build/ndpcc" "kernels/$source/$source.ptx" --rewrite \
        -o "$room/$source.ptx"
    modes golden:chained_small "docs/pages/chained/$kernel.yml" "$room/$source.ptx"
    status 0 [ "$left_omni" -gt 0 ]
    case $kernel in
    triad)
        # all that it sends is of chains, so gates and routers count the same
        status 0 [ "$all_omni" -eq "$hops_omni" ]
        status 0 [ "$all_omni" -lt "$all_off" ]
        ;;
    vecadd_strided) status 0 [ "$left_omni" -gt "$left_llc" ] ;;
    esac
done

# --- why chains stay, or come back --------------------------------------------

# directed NAME COUNTER RUN PTX KEY=VALUE... - some do, and the bytes are right
directed() {
    name=$1 counter=$2 run=$3 ptx=$4
    shift 4
    printf 'preset: chained_small\n' >"$room/$name.yml"
    for pair; do
        printf '%s: %s\n' "${pair%%=*}" "${pair#*=}" >>"$room/$name.yml"
    done
    in_mode golden:chained_small "$run" "$ptx" off
    in_mode "golden:$room/$name.yml" "$run" "$ptx" omni
    status 0 [ "$(counted "$counter")" -gt 0 ]
}
triad=docs/pages/chained/triad.yml
directed full_far_queue locals $triad "$room/triad.ptx" squeue.places=2 gate.places=2
directed no_free_entry full $triad "$room/triad.ptx" omni.entries=2
directed diverged_lanes masked tests/chained/diverged.yml "$room/triad.ptx"

# --- chains pay where the network is the bound --------------------------------

cycles() { sed -n 's/^  cycles *//p' "$room/report"; }

# pays KERNEL SPEED - at least so many percent of the speed with chains off
pays() {
    source=${1%_*}
    status 0 "$build/ndpcc" "kernels/$source/$source.ptx" --rewrite --split-fma \
        -o "$room/$1.ptx"
    in_mode golden:chained_bound "docs/pages/chained/$1.yml" "$room/$1.ptx" off bound
    off=$(cycles)
    in_mode golden:chained_bound "docs/pages/chained/$1.yml" "$room/$1.ptx" omni bound
    status 0 [ $((off * 100)) -ge $(($(cycles) * $2)) ]
}
pays vecadd_aligned 140
pays triad 140
pays copy_aligned 120
pays vecadd_strided 95
pays copy_strided 95

# the paper's LLC-Compute takes no chain whose store has another memory
in_mode golden:chained_bound docs/pages/chained/copy_strided.yml "$room/copy_strided.ptx" llc bound
status 0 [ "$(counted packets)" -gt 0 ]
in_mode golden:chained_bound docs/pages/chained/copy_strided.yml "$room/copy_strided.ptx" llc-all bound
status 0 [ "$(counted packets)" -eq 0 ]
in_mode golden:chained_bound docs/pages/chained/copy_aligned.yml "$room/copy_aligned.ptx" off bound
in_mode golden:chained_bound docs/pages/chained/copy_aligned.yml "$room/copy_aligned.ptx" llc-all bound
status 0 [ "$(counted packets)" -gt 0 ]

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:plain --chains llc
says err "the device computes no chains in a network"
# the preset of the paper, in a form of the machine's, is that machine
status 0 "$ndprun" tests/runtime/add.yml --device golden:chained_small --json
sed '/"device"/d' "$room/out" >"$room/wanted"
status 0 "$ndprun" tests/runtime/add.yml --device golden:omni-small --json
sed '/"device"/d' "$room/out" | cmp -s - "$room/wanted" && passed=$((passed + 1)) ||
    fail "golden:omni-small is another machine than golden:chained_small"

status 2 "$ndprun" tests/runtime/add.yml --device golden:chained_small --chains lcc
says err "llc"
status 2 "$ndprun" tests/runtime/add.yml --device golden:plain --traffic
says err "'golden:plain' has no mesh whose traffic can be counted"
status 2 "$ndprun" tests/runtime/add.yml --device untimed:plain --traffic
says err "'--traffic' goes with golden:PRESET"
gen() { "$build/ndpgen" --target chained --preset small -o "$room/refused" "$@"; }
status 2 gen --set memory.id_bits=4
says err "'memory.id_bits' is computed from 'simt.requests', 'mesh.width' and 'mesh.height'"
status 2 gen --set 'mesh.memory_nodes=[0,5]'
says err "the last node of the mesh, where the host stands"
status 2 gen --set simt.chains=passed
says err "'simt.chains' must be offered"
status 2 gen --set share.chunk=64
says err "'share.chunk' is computed from 'gate.line' in target 'chained' and must be 32, got 64"
status 1 [ -e "$room/refused" ]

done_testing
