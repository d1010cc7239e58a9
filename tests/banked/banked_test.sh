#!/bin/sh
# banked_test.sh - MPU's kernels on the golden machine of a plain core before the
# banks, from outside: verdicts, bytes, and what is refused.
#
# usage: banked_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=banked_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

# the bytes of the machine without banks, at both sizes
buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for kernel in axpy gemv knn kmeans ttrans maxp nw upsamp reduce blur conv hist; do
    file=kernels/$kernel/$kernel.yml
    status 0 "$ndprun" "$file" --device untimed:banked
    says out ": right, "
    buffers untimed
    for preset in banked banked_small; do
        status 0 "$ndprun" "$file" --device "golden:$preset"
        says out " on golden:$preset: right, "
        buffers "$preset"
        status 0 cmp "$room/buffers-untimed" "$room/buffers-$preset"
    done
done

# inputs that the memory of the plain machine has no room for
for device in untimed:banked golden:banked; do
    status 0 "$ndprun" docs/pages/mpu_core/axpy.yml --device "$device"
    says out ": right, "
done

# bytes and half words, which the port changes in a sector that it reads
status 0 "$ndprun" kernels/downsample/downsample.yml --device golden:banked_small
says out ": right, "

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:banked --policy near
says err "the device has no near-bank unit"
printf 'preset: banked_small\nbank_port: {line: 64}\n' >"$room/line.yml"
status 2 "$build/ndpgen" --target banked --config "$room/line.yml" -o "$room/refused"
says err "line.yml:2:13: error: 'bank_port.line' is computed from 'vault.line'"
status 1 [ -e "$room/refused" ]
status 2 "$build/ndpgen" --target banked --preset small --set vault.address_bits=25 \
    -o "$room/refused"
says err "'vault.address_bits' is computed from 'vault.units' and 'simt.sector'"

done_testing
