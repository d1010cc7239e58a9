#!/bin/sh
# mpu_mesh_test.sh - kernels on golden cores of MPU on a mesh, from outside: the bytes of
# one core under each policy, on any number of cores, and what is refused.
#
# usage: mpu_mesh_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=mpu_mesh_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }

# nine of MPU's kernels, as they are for the smallest core
for k in axpy knn kmeans maxp nw upsamp blur conv hist; do
    file=tests/mpu_core/$k.yml
    status 0 "$ndprun" "$file" --device golden:mpu_core_tiny
    buffers none
    status 0 "$ndprun" "$file" --device golden:mpu_mesh_tiny --policy near
    says out " on golden:mpu_mesh_tiny: right, "
    buffers all
    status 0 cmp "$room/buffers-none" "$room/buffers-all"
done

# bytes and atomics of the other core's memory, under the other policies and alone
for policy in annotated default far; do
    for k in hist upsamp; do
        status 0 "$ndprun" tests/mpu_core/$k.yml --device golden:mpu_mesh_tiny \
            --policy $policy
        says out " on golden:mpu_mesh_tiny: right, "
    done
done
status 0 "$ndprun" tests/mpu_core/hist.yml --device golden:mpu_mesh_tiny --cores 1
says out ": right, "

# two cores are sooner done than one, and take as many CTAs
cycles() { sed -n 's/^  cycles  *//p' "$room/out"; }
status 0 "$ndprun" tests/mpu_core/axpy.yml --device golden:mpu_mesh_tiny --cores 1
one=$(cycles)
says out "cta                     5"
status 0 "$ndprun" tests/mpu_core/axpy.yml --device golden:mpu_mesh_tiny --cores 2
says out "cta                     5"
status 0 [ "$((4 * $(cycles)))" -lt "$((3 * one))" ]

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun" tests/mpu_core/hist.yml --device golden:mpu_mesh_tiny --cores 3
says err "3 cores, expected 1 to 2 of the device"
status 2 "$ndprun" tests/mpu_core/hist.yml --device untimed:mpu_mesh_tiny
says err "one of 'simt' cores"
status 2 "$build/ndpgen" --target mpu_mesh --preset mpu_mesh_tiny --set lsu_rmw.chunk=128 \
    -o "$room/none"
says err "set 'share.chunk' instead"
status 2 "$build/ndpgen" --target mpu_mesh --preset mpu_mesh_tiny \
    --set lsu_remote.id_bits=8 -o "$room/none"
says err "'lsu_remote.id_bits' is computed from 'nbu.lanes', 'mesh.width' and 'mesh.height'"

done_testing
