#!/bin/sh
# sleep_test.sh - models of systems do the same whether their parts sleep or not
# (golden/frame/composite.h), and a part that sleeps would have done nothing.
#
# usage: sleep_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=sleep_test.sh
. tests/common/room.sh
needs "$build/cosim_golden"

# one [WORD...] - digest of all inputs and outputs, and cover points
run() { # mode, words
    mode=$1
    shift
    status 0 env NDP_SLEEP="$mode" "$build/cosim_golden" --sim golden --seed 3 "$@"
    sed 's/, [^,]* cycles\/s.*//' "$room/out" >"$room/$mode"
}
same() { # words
    for mode in on off check; do run $mode "$@"; done
    says on "digest"
    status 0 cmp "$room/on" "$room/off"
    status 0 cmp "$room/on" "$room/check"
}
while read -r target preset cycles; do
    same --target "$target" --preset "$preset" --stim random --cycles "$cycles"
done <<'END'
system tiny 20000
banked banked_small 10000
cluster cluster_tiny 5000
chained chained_small 3000
cached_mesh cached_mesh_tiny 4000
image_mesh image_mesh_tiny 4000
mpu_base mpu_base_tiny 10000
mpu_core mpu_core_tiny 20000
mpu_mesh mpu_mesh_tiny 4000
near_bank small 10000
omni small 3000
nda_rank small 5000
END
same --target mpu_core --preset mpu_core_tiny --stim replay --run tests/mpu_core/axpy.yml --cycles 0
same --target cluster --preset cluster_tiny --stim replay --run tests/cluster/few.yml --cycles 0
same --target cached_mesh --preset cached_mesh_tiny --stim replay --run tests/cached_mesh/flag.yml --cycles 0

done_testing
