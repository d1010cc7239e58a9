#!/bin/sh
# cached_mesh_test.sh - kernels on golden cores with caches on a mesh, from outside: the
# bytes of the plain machine on any number of cores, data that pass from core to core,
# and what is refused.
#
# usage: cached_mesh_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=cached_mesh_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

# reuse, atomics, local memory, launches that read what the one before has left
buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for kernel in gemv hist reduce bfs nw conv2d srad matmul; do
    file=kernels/$kernel/$kernel.yml
    status 0 "$ndprun" "$file" --device golden:plain
    buffers plain
    status 0 "$ndprun" "$file" --device golden:cached_mesh
    says out " on golden:cached_mesh: right, "
    buffers all
    status 0 cmp "$room/buffers-plain" "$room/buffers-all"
done
status 0 "$ndprun" kernels/gemv/gemv.yml --device golden:cached_mesh --cores 1
says out ": right, "

# hits are sooner than the way over the mesh
cycles() { sed -n 's/^  cycles  *//p' "$room/out"; }
status 0 "$ndprun" kernels/conv2d/conv2d.yml --device golden:cluster
without=$(cycles)
status 0 "$ndprun" kernels/conv2d/conv2d.yml --device golden:cached_mesh
status 0 [ "$((2 * $(cycles)))" -lt "$without" ]

# --- from core to core -----------------------------------------------------------

for machine in cached_mesh_tiny image_mesh_tiny cluster_tiny; do
    status 0 "$ndprun" tests/cached_mesh/flag.yml --device golden:$machine
    says out ": right, "
done
status 0 "$ndprun" tests/cached_mesh/flag.yml --size four --device golden:cached_mesh_small
says out ": right, "

# --- counters ------------------------------------------------------------------

status 0 "$ndprun" tests/runtime/add.yml --device golden:cached_mesh_tiny
says out "  cache.invalidated       2"
holds_back out "  prefetch."
status 0 "$ndprun" tests/runtime/add.yml --device golden:cached_small
says out "  cache.invalidated       1"

# --- what is refused ----------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:cached_mesh_tiny --cores 3
says err "3 cores, expected 1 to 2 of the device"
status 2 "$ndprun" tests/runtime/add.yml --device golden:cached_mesh_tiny --prefetch stride
says err "the device has no pattern-aware prefetcher"
status 2 "$build/ndpgen" --target cached_mesh --set simt.chains=passed -o "$room/none"
says err "'simt.chains' must be shown"
status 2 "$build/ndpgen" --target cached_mesh --set share.id_bits=5 -o "$room/none"
says err "'share.id_bits' is computed from 'simt.requests' and 'cache.mshrs'"
status 0 "$build/ndpgen" --target system --preset cached_mesh_tiny -o "$room/mesh"
says err "target 'cached_mesh'"

# an echoed configuration is the same machine
status 0 "$ndprun" tests/runtime/add.yml --device "golden:$room/mesh/config.yml"
says out "cache.invalidated"

done_testing
