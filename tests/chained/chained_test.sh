#!/bin/sh
# chained_test.sh - kernels on golden machines whose network computes chains: the
# same bytes whoever computes them, which chains leave, and what is refused.
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

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
counted() { sed -n "s/^  chains: $1 *//p" "$room/out"; }
for run in tests/chained/patterns.yml; do
    device=golden:chained_small
    ptx=tests/omni/kernels/patterns.ptx
    status 0 "$build/ndpcc" "$ptx" --rewrite -o "$room/chains.ptx"
    for mode in off llc omni; do
        status 0 "$ndprun" "$run" --ptx "$room/chains.ptx" \
            --device "$device" --chains $mode
        says out " on $device: right, "
        buffers $mode
        eval "left_$mode=$(counted packets) hops_$mode=$(counted hops)"
    done
    status 0 cmp "$room/buffers-off" "$room/buffers-llc"
    status 0 cmp "$room/buffers-off" "$room/buffers-omni"
    # with the mode off nothing leaves; who computes at any node sends no fewer
    status 0 [ "$left_off" -eq 0 ]
    status 0 [ "$hops_off" -eq 0 ]
    status 0 [ "$left_omni" -ge "$left_llc" ]
    status 0 [ "$left_omni" -gt 0 ]
done

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:plain --chains llc
says err "the device computes no chains in a network"
status 2 "$ndprun" tests/runtime/add.yml --device golden:chained_small --chains lcc
says err "llc"
gen() { "$build/ndpgen" --target chained --preset small -o "$room/refused" "$@"; }
status 2 gen --set memory.id_bits=4
says err "'memory.id_bits' must be those of a tag"
status 2 gen --set 'mesh.memory_nodes=[0,5]'
says err "the last node of the mesh, where the host stands"
status 2 gen --set simt.chains=passed
says err "'simt.chains' must be offered"
status 2 gen --set gate.line=64
says err "'gate.line' and 'share.chunk' must be equal"
status 1 [ -e "$room/refused" ]

done_testing
