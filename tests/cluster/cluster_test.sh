#!/bin/sh
# cluster_test.sh - kernels on a golden machine of several cores, from outside:
# verdicts by the number of cores, and what is refused.
#
# usage: cluster_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=cluster_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

# the same bytes on any number of cores, from every size of machine
buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for run in tests/runtime/add.yml=cluster_tiny tests/cluster/maxp.yml=cluster_tiny \
    tests/cluster/bfs.yml=cluster_small kernels/axpy/axpy.yml=cluster; do
    file=${run%=*} device=golden:${run#*=}
    status 0 "$ndprun" "$file" --device "untimed:${run#*=}"
    says out ": right, "
    buffers none
    status 0 "$ndprun" "$file" --device "$device"
    says out " on $device: right, "
    buffers all
    status 0 cmp "$room/buffers-none" "$room/buffers-all"
    status 0 "$ndprun" "$file" --device "$device" --cores 1
    says out " on $device: right, "
    buffers one
    status 0 cmp "$room/buffers-none" "$room/buffers-one"
done

# four cores are sooner done than one, and take as many CTAs
cycles() { sed -n 's/^  cycles  *//p' "$room/out"; }
status 0 "$ndprun" kernels/axpy/axpy.yml --device golden:cluster --cores 1
one=$(cycles)
says out "cta                     4"
status 0 "$ndprun" kernels/axpy/axpy.yml --device golden:cluster --cores 4
says out "cta                     4"
status 0 [ "$((2 * $(cycles)))" -lt "$((one + one / 5))" ]

# --- traces -------------------------------------------------------------------

# each core, against the machine of one, in the same clock
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --trace "$room/one.ret"
for core in 0 1; do
    status 0 "$ndprun" tests/runtime/add.yml --device golden:cluster_tiny \
        --trace "$room/$core.ret" --trace-core $core
    status 0 "$build/ndptrace" "$room/$core.ret" --compare "$room/one.ret"
    says out "are equal: 1 launch"
done
status 0 "$build/ndptrace" "$room/1.ret" --cta 3
says out "(the warp starts)"
status 0 "$build/ndptrace" "$room/1.ret" --cta 2
holds_back out "(the warp starts)"

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:cluster_tiny --cores 3
says err "3 cores, expected 1 to 2 of the device"
status 2 "$ndprun" tests/runtime/add.yml --device golden:tiny --cores 2
says err "2 cores, expected 1 to 1 of the device"
status 2 "$ndprun" tests/runtime/add.yml --device golden:cluster_tiny --cores 0
says err "cores"
status 2 "$ndprun" tests/runtime/add.yml --device golden:cluster_tiny \
    --trace "$room/trace" --trace-core 2
says err "core 2, expected 0 to 1 of the device"
printf 'preset: cluster_tiny\nnoc: {lanes: 2}\n' >"$room/lanes.yml"
status 2 "$ndprun" tests/runtime/add.yml --device "golden:$room/lanes.yml"
says err "'noc.lanes' must be 1"
status 2 "$build/ndpgen" --target cluster --preset tiny --set memory.id_bits=4 \
    -o "$room/refused"
says err "'memory.id_bits' is computed from 'simt.requests', 'mesh.width' and 'mesh.height'"
status 1 [ -e "$room/refused" ]
status 2 "$build/ndpgen" --target cluster --set simt.dispatch=all -o "$room/refused"
says err "'simt.dispatch' must be step"

done_testing
