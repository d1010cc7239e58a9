#!/bin/sh
# cosim_matrix.sh - the lock-step runs that `make check` makes.
#
# Every target of ndpgen, in both simulators and at both presets: random
# stimulus with seed 1 and with one fresh seed (FRESH, printed), directed
# stimulus, and what the MPU kernels execute, each run whole: the same digest of
# all inputs and outputs in Verilator and, for one kernel, in Icarus.  Prints the
# summary line of each run, and what a failing one said.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
FRESH=${FRESH:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
mpu_kernels="blur conv gemv hist kmeans knn ttrans maxp nw upsamp axpy reduce"
list=$BUILD/check/cosim.list
results=$BUILD/check/cosim
rm -rf "$results"
mkdir -p "$results"

targets=$("$BUILD/ndpgen" --list-targets | awk '{print $1}')
echo "fresh seed $FRESH"
for t in $targets; do
    for preset in small mpu; do
        base="TARGET=$t PRESET=$preset"
        v="$base SIM=verilator" i="$base SIM=icarus"
        echo "$v STIM=random SEED=1 CYCLES=400000 REQUIRE_COVER=1"
        echo "$v STIM=random SEED=$FRESH CYCLES=400000"
        echo "$v STIM=directed CYCLES=20000 REQUIRE_COVER=1"
        echo "$i STIM=random SEED=1 CYCLES=20000"
        echo "$i STIM=random SEED=$FRESH CYCLES=20000"
        echo "$i STIM=directed CYCLES=20000 REQUIRE_COVER=1"
    done
    # narrow counters, so that they reach their maximum
    echo "TARGET=$t PRESET=small SET=regs.counter_bits=8 CYCLES=400000"
    if [ "$t" = nbu ]; then
        for k in $mpu_kernels; do
            echo "TARGET=$t PRESET=mpu RUN=kernels/$k/$k.yml"
        done
        echo "TARGET=$t PRESET=mpu SIM=icarus RUN=kernels/axpy/axpy.yml"
        # over and over, and the instructions straight through
        echo "TARGET=$t PRESET=mpu CYCLES=100000 RUN=kernels/kmeans/kmeans.yml"
        echo "TARGET=$t PRESET=mpu CYCLES=50000 KERNEL=kernels/conv/conv.ptx"
    fi
done >"$list"

# builds are shared, so the first run of each pair makes them alone
# shellcheck disable=SC2016
awk '{print NR, $0}' "$list" | xargs -P 2 -L 1 sh -c '
    n=$1; shift
    if sh scripts/cosim.sh "$@" >"$0/$n.log" 2>&1; then
        tail -n 1 "$0/$n.log"
    else
        echo "FAILED: make cosim $*"
        cat "$0/$n.log"
        touch "$0/$n.failed"
    fi' "$results"
total=$(wc -l <"$list")
failed=$(find "$results" -name '*.failed' | wc -l)
echo "$((total - failed)) passed, $failed failed"
[ "$failed" = 0 ]
