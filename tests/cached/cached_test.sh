#!/bin/sh
# cached_test.sh - kernels on the golden machine of a plain core behind its cache, from
# outside: verdicts, the bytes of the machine without it, and what is refused.
#
# usage: cached_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=cached_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for kernel in axpy gemv hist reduce bfs conv2d srad downsample; do
    file=kernels/$kernel/$kernel.yml
    status 0 "$ndprun" "$file" --device golden:plain
    buffers plain
    status 0 "$ndprun" "$file" --device golden:cached
    says out " on golden:cached: right, "
    buffers cached
    status 0 cmp "$room/buffers-plain" "$room/buffers-cached"
done

# --- what is refused ----------------------------------------------------------

status 2 "$build/ndpgen" --target cached --set cache.line=16 -o "$room/none"
says err "set 'simt.sector' instead"
status 2 "$build/ndpgen" --target cached --set memory.id_bits=5 -o "$room/none"
says err "'memory.id_bits' is computed from 'simt.requests' and 'cache.mshrs'"
status 2 "$build/ndpgen" --target cache --set cache.mshrs=2 --set cache.reserve=2 -o "$room/none"
says err "'cache.reserve' must be below 'cache.mshrs'"

done_testing
