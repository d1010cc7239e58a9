#!/bin/sh
# image_mesh_test.sh - kernels on golden SMs with pattern-aware prefetchers on a mesh, from
# outside: the bytes of the plain machine with each prefetcher, on any number of SMs, what
# is prefetched, and what is refused.
#
# usage: image_mesh_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=image_mesh_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for kernel in conv2d convsep denoise jacobi2d downsample concat dct8x8 matmul; do
    for form in :none _pattern:printed _pattern_sync:stride; do
        file=kernels/$kernel/$kernel${form%:*}.yml
        status 0 "$ndprun" "$file" --device golden:plain
        buffers plain
        for prefetch in pattern ${form#*:}; do
            status 0 "$ndprun" "$file" --device golden:image_mesh --prefetch $prefetch
            says out " on golden:image_mesh: right, "
            buffers mesh
            status 0 cmp "$room/buffers-plain" "$room/buffers-mesh"
        done
    done
done

# other kernels: atomics, local memory, launches that read what the one before has left
for file in kernels/hist/hist.yml kernels/bfs/bfs.yml kernels/nw/nw.yml kernels/reduce/reduce.yml; do
    status 0 "$ndprun" "$file" --device golden:plain
    buffers plain
    status 0 "$ndprun" "$file" --device golden:image_mesh --prefetch stride
    says out " on golden:image_mesh: right, "
    buffers mesh
    status 0 cmp "$room/buffers-plain" "$room/buffers-mesh"
done

# --- what is prefetched: all of each SM's band but its first block ----------------

bands=tests/image_mesh/bands.yml
status 0 "$ndprun" $bands --device golden:image_mesh_tiny --prefetch none
says out "  cache.misses            96"
says out "  splice.loaded           0"
status 0 "$ndprun" $bands --device golden:image_mesh_tiny
says out "  cache.misses            5"
says out "  cache.issued            91"
says out "  cache.used              91"
says out "  prefetch.ended          4"
says out "  splice.loaded           2"

# more parts than SMs: what ends is the walk over the whole image
status 0 "$ndprun" $bands --size three --device golden:image_mesh_tiny
says out "  prefetch.ended          2"
status 0 "$ndprun" $bands --device golden:image_mesh_tiny --cores 1
says out ": right, "
says out "  prefetch.ended          2"

# two SMs are sooner done than one
cycles() { sed -n 's/^  cycles  *//p' "$room/out"; }
one=$(cycles)
status 0 "$ndprun" $bands --device golden:image_mesh_tiny
status 0 [ "$((4 * $(cycles)))" -lt "$((3 * one))" ]

# --- what is refused ----------------------------------------------------------

status 2 "$ndprun" kernels/concat/concat_pattern.yml \
    --device golden:image_mesh_small,prefetch.images=1
says err "2 images, the prefetcher's table holds 1"
status 2 "$ndprun" $bands --device golden:image_mesh_tiny --cores 3
says err "3 cores, expected 1 to 2 of the device"
status 2 "$build/ndpgen" --target image_mesh --set share.id_bits=6 -o "$room/none"
says err "'share.id_bits' is computed from 'simt.requests' and 'cache.mshrs'"
status 2 "$build/ndpgen" --target image_mesh --set prefetch.line=64 -o "$room/none"
says err "'prefetch.line' is computed from 'simt.sector'"
status 0 "$build/ndpgen" --target system --preset image_mesh_tiny -o "$room/mesh"
says err "target 'image_mesh'"

done_testing
