#!/bin/sh
# cta_test.sh - which CTAs each of several SMs executes: the bytes of the plain machine
# with each allocation and each prefetcher, what the prefetcher then knows of plain
# kernels, and what is refused.
#
# usage: cta_test.sh [PART...]
# parts: step row column tile counts
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=cta_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun
[ $# -gt 0 ] || set -- $(sed -n 's/^# parts: //p' "$0")

# --- the same bytes ---------------------------------------------------------------

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }

# with an allocation, every form and prefetcher
allocation() {
    for form in '' _pattern; do
        files=
        for kernel in conv2d convsep denoise jacobi2d downsample concat dct8x8 matmul; do
            files="$files kernels/$kernel/$kernel$form.yml"
        done
        status 0 "$ndprun" $files --device golden:plain
        buffers plain
        for prefetch in none stride pattern; do
            status 0 "$ndprun" $files --device golden:image_mesh --cta $1 --prefetch $prefetch
            buffers mesh
            right=$(grep -c ' on golden:image_mesh: right, ' "$room/out")
            status 0 [ "$right" -eq 8 ]
            status 0 cmp "$room/buffers-plain" "$room/buffers-mesh"
        done
    done
}

# --- plain kernels whose next block is known --------------------------------------

counts() {
    blocks=tests/image_mesh/blocks.yml
    # by step the next block of a row is another SM's
    status 0 "$ndprun" $blocks --device golden:image_mesh_tiny
    says out "  cache.misses            96"
    says out "  cache.issued            94"
    says out "  cache.used              0"
    # an area is walked over like a band of a pattern-aware kernel: all but its first block
    for cta in row column tile; do
        status 0 "$ndprun" $blocks --device golden:image_mesh_tiny --cta $cta
        says out ": right, "
        says out "  cache.misses            5"
        says out "  cache.issued            91"
        says out "  cache.used              91"
        says out "  prefetch.outside        0"
        says out "  prefetch.ended          4"
        says out "  splice.loaded           2"
    done
    # SMs that share no launch know nothing
    status 0 "$ndprun" $blocks --device golden:image_mesh_tiny --cta row --cores 1
    says out ": right, "
    says out "  prefetch.ended          2"
    # of two images beside each other a band of columns lies in one: each at its origin
    status 0 "$ndprun" kernels/concat/concat.yml --size one --device golden:image_mesh --cta column
    says out ": right, "
    says out "  prefetch.known          6144"
    says out "  prefetch.outside        0"
    # a kernel that divides the image itself has the same CTAs and walks on each SM
    bands=tests/image_mesh/bands.yml
    for cta in row column tile; do
        status 0 "$ndprun" $bands --device golden:image_mesh_tiny --cta $cta
        says out ": right, "
        says out "  cache.misses            5"
        says out "  cache.used              91"
    done

    # what is refused
    status 2 "$ndprun" $blocks --device golden:image --cta row
    says err "the device has no cores that take areas of CTAs, as 'golden:image_mesh' has"
    status 2 "$ndprun" $blocks --device golden:cluster --cta tile
    says err "the device has no cores that take areas of CTAs, as 'golden:image_mesh' has"
    status 2 "$ndprun" $blocks --device golden:image_mesh_tiny --cta rows
    says err "got 'rows', did you mean 'row'"
    status 2 "$ndprun" $blocks --device golden:image_mesh_tiny --cta row --trace "$room/trace"
    says err "a trace needs CTAs by step, not areas of them"
}

for part; do
    case $part in
    step | row | column | tile) allocation $part ;;
    counts) counts ;;
    *) echo "$test_name: no part '$part'" >&2; exit 2 ;;
    esac
done
done_testing
