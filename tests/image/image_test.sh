#!/bin/sh
# image_test.sh - kernels on the golden machine with the pattern-aware prefetcher, from
# outside: verdicts, the bytes of the plain machine, what is prefetched, and what is
# refused.
#
# usage: image_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=image_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for kernel in conv2d convsep denoise jacobi2d downsample concat dct8x8 matmul; do
    for form in : _pattern:none _pattern_sync:printed; do
        file=kernels/$kernel/$kernel${form%:*}.yml
        status 0 "$ndprun" "$file" --device golden:plain
        buffers plain
        for prefetch in stride pattern ${form#*:}; do
            status 0 "$ndprun" "$file" --device golden:image --prefetch $prefetch
            says out " on golden:image: right, "
            buffers image
            status 0 cmp "$room/buffers-plain" "$room/buffers-image"
        done
    done
done

# --- what is prefetched: all of a walk but its first block -----------------------

walk=tests/image/walk.yml
status 0 "$ndprun" $walk --device golden:image_tiny --prefetch none
says out "  cache.misses            80"
says out "  cache.issued            0"
status 0 "$ndprun" $walk --device golden:image_tiny
says out "  cache.misses            2"
says out "  cache.issued            78"
says out "  cache.used              78"
status 0 "$ndprun" $walk --device golden:image_tiny --json
says out '"prefetch.issued": 78'
status 0 "$ndprun" $walk --device golden:image_tiny --prefetch printed
says out "  cache.misses            6"

status 0 "$ndprun" $walk --device golden:image_tiny --prefetch stride
says out "  cache.misses            26"
says out "  stride.predicted        60"

# --- what is refused ----------------------------------------------------------

status 2 "$ndprun" $walk --device golden:plain --prefetch pattern
says err "the device has no pattern-aware prefetcher, as 'golden:image' has"
status 2 "$ndprun" $walk --prefetch strides
says err "got 'strides', did you mean 'stride'"
status 2 "$ndprun" kernels/concat/concat_pattern.yml --device golden:image_small,prefetch.images=1
says err "2 images, the prefetcher's table holds 1"
status 0 "$ndprun" kernels/concat/concat_pattern.yml --prefetch none \
    --device golden:image_small,prefetch.images=1
status 2 "$ndprun" kernels/conv2d/conv2d.yml --device golden:image_small,splice.entry_bits=64
says err "'splice.entry_bits' is computed from 'prefetch."
status 2 "$build/ndpgen" --target image --set splice.lines=63 -o "$room/none"
says err "'splice.lines' must not be below 'prefetch.in_flight'"
status 2 "$ndprun" $walk --device golden:image,splice.lines=63
says err "'splice.lines' must not be below 'prefetch.in_flight'"
status 2 "$build/ndpgen" --target image --set prefetch.line=64 -o "$room/none"
says err "'prefetch.line' is computed from 'simt.sector'"

done_testing
