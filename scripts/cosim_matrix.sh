#!/bin/sh
# cosim_matrix.sh - the lock-step runs that `make check` makes.
#
# Every target of ndpgen, in both simulators, at preset 'small' and at the sizes
# of its paper: random stimulus with seed 1 and with one fresh seed (FRESH,
# printed), directed stimulus, and the runs of tests/<target>/cosim.txt: other
# forms, and what the kernels of its paper execute, whole or its first cycles,
# with the same digest of all inputs and outputs in Verilator and Icarus.  Prints
# the summary line of each run, and what a failing one said; a replay in which
# an offload controller sends nothing away has failed too, also one that is cut
# off: those of a system that learns first have to go on until it offloads.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
FRESH=${FRESH:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
list=$BUILD/check/cosim.list
results=$BUILD/check/cosim
rm -rf "$results"
mkdir -p "$results"

echo "fresh seed $FRESH"
"$BUILD/ndpgen" --list-targets | while read -r t own _; do
    for preset in small "$own"; do
        base="TARGET=$t PRESET=$preset"
        v="$base SIM=verilator" i="$base SIM=icarus"
        echo "$v STIM=random SEED=1 CYCLES=400000 REQUIRE_COVER=1"
        echo "$v STIM=random SEED=$FRESH CYCLES=400000"
        echo "$v STIM=directed CYCLES=20000 REQUIRE_COVER=1"
        echo "$i STIM=random SEED=1 CYCLES=20000"
        echo "$i STIM=random SEED=$FRESH CYCLES=20000"
        echo "$i STIM=directed CYCLES=20000 REQUIRE_COVER=1"
    done
    # narrow counters, so that they reach their maximum; a unit has none
    ! "$BUILD/ndpgen" --list-params --target "$t" |
        grep -q '^regs\.counter_bits ' ||
        echo "TARGET=$t PRESET=small SET=regs.counter_bits=8 CYCLES=400000"
    [ ! -f "tests/$t/cosim.txt" ] ||
        sed "/^#/d; /^ *\$/d; s/^/TARGET=$t /" "tests/$t/cosim.txt"
done >"$list"

# builds are shared, so the first run of each pair makes them alone
# shellcheck disable=SC2016
awk '{print NR, $0}' "$list" | xargs -P 2 -L 1 sh -c '
    n=$1; shift
    if sh scripts/cosim.sh "$@" >"$0/$n.log" 2>&1 &&
        ! grep -q "^offloaded[[:space:]]0$" "$0/$n.log"; then
        tail -n 1 "$0/$n.log"
    else
        echo "FAILED: make cosim $*"
        cat "$0/$n.log"
        ! grep -q "^offloaded[[:space:]]0$" "$0/$n.log" ||
            echo "error: the replay offloads nothing, expected some blocks"
        touch "$0/$n.failed"
    fi' "$results"
total=$(wc -l <"$list")
failed=$(find "$results" -name '*.failed' | wc -l)
echo "$((total - failed)) passed, $failed failed"
[ "$failed" = 0 ]
