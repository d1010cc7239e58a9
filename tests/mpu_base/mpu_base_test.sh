#!/bin/sh
# mpu_base_test.sh - MPU's kernels on the golden machine of the core on the base die, from
# outside: verdicts, bytes, where instructions ran, and what is refused.
#
# usage: mpu_base_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=mpu_base_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

# the bytes of the machine with a near side
buffers() {
    cp "$room/out" "$room/run"
    grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"
}
for kernel in axpy gemv knn kmeans ttrans maxp nw upsamp reduce blur conv hist; do
    file=kernels/$kernel/$kernel.yml
    status 0 "$ndprun" "$file" --device golden:mpu_core
    buffers mpu_core
    for preset in mpu_base mpu_base_small; do
        status 0 "$ndprun" "$file" --device "golden:$preset"
        says out " on golden:$preset: right, "
        buffers "$preset"
        status 0 grep -q 'unit: went_near  *0$' "$room/run"
        status 0 cmp "$room/buffers-mpu_core" "$room/buffers-$preset"
    done
done

# no policy moves anything
for policy in default near annotated; do
    status 0 "$ndprun" kernels/nw/nw.yml --device golden:mpu_base_small --policy $policy
    cp "$room/out" "$room/run"
    status 0 grep -q 'unit: went_near  *0$' "$room/run"
    status 0 grep -q 'unit: moved_down  *0$' "$room/run"
done

# bytes and half words
status 0 "$ndprun" kernels/downsample/downsample.yml --device golden:mpu_base_small
says out ": right, "

# what retires
status 0 "$ndprun" tests/runtime/add.yml --device golden:mpu_base_small --trace "$room/trace"
status 0 test -s "$room/trace"

# --- bad input ----------------------------------------------------------------

gen() { "$build/ndpgen" --target mpu_base --preset small -o "$room/refused" "$@"; }
status 2 gen --set far_pipe.subcores=1
says err "'far_pipe.shared_words' must be 0 with one subcore"
status 2 gen --set lsu_hybrid.messages=whole
says err "'lsu_hybrid.messages' must be none in target 'mpu_base'"
status 2 gen --set nbu.far_set=[branch]
says err "'nbu.far_set' must be"
status 1 [ -e "$room/refused" ]

done_testing
