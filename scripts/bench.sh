#!/bin/sh
# bench.sh - how fast models, lock-step, machine, reader and executor are, and how
# fast the offload controller decides.
#
# usage: bench.sh [RUNS]      (default 5 runs of each; the median is printed)
#
# Prints figures with their parameters, never a verdict: machines differ, and
# the ratio of model to lock-step says more than either.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
runs=${1:-5}
work=$BUILD/bench
mkdir -p "$work"

# median and range of the numbers on standard input
median() {
    sort -g | awk '{ v[NR] = $1 }
        END { printf "%.3g %.3g %.3g\n", v[int((NR + 1) / 2)], v[1], v[NR] }'
}
# row NAME PARAMETERS UNIT: reads the numbers
row() {
    median >"$work/m"
    read -r mid low high <"$work/m"
    printf '%-30s %-40s %9s  (%s to %s)  %s\n' "$1" "$2" "$mid" "$low" "$high" "$3"
    echo "$1|$mid" >>"$work/table"
}
repeat() { for _ in $(seq "$runs"); do "$@"; done; }
: >"$work/table"

uname -m
grep -m 1 'model name' /proc/cpuinfo || true
echo "$(gcc --version | head -n 1); $(verilator --version); $(iverilog -V 2>/dev/null | head -n 1)"
echo "$runs runs each: median (least to most)"
echo

# every block that has a speed program, at the sizes of its paper; a block whose
# stimulus is missing has no lock-step
model() {
    "$BUILD/tests/$1/bench_$1" 5000000 |
        sed -n 's/.*: \([0-9.]*\) million cycles.*/\1e6/p'
}
lockstep() {
    block=$1 preset=$2
    shift 2
    sh scripts/cosim.sh TARGET="$block" PRESET="$preset" "$@" 2>&1 |
        sed -n 's|.*, \([0-9.e+]*\) cycles/s.*|\1|p'
}
"$BUILD/ndpgen" --list-targets | awk '{ print $1, $2 }' >"$work/blocks"
while read -r b p; do
    [ -x "$BUILD/tests/$b/bench_$b" ] || continue
    repeat model "$b" |
        row "model $b" "$p, busy stimulus, 5e6 cycles" "cycles/s"
    # of the block, not of the machine: one run says all
    [ "$b" != offload ] || "$BUILD/tests/offload/bench_offload" decisions 1000000
    # compile outside the measurement
    [ -n "$(lockstep "$b" "$p" CYCLES=100000)" ] || continue
    lockstep "$b" "$p" SIM=icarus CYCLES=1000 >/dev/null
    repeat lockstep "$b" "$p" CYCLES=1000000 |
        row "lock-step $b, Verilator" "$p, random, seed 1, 1e6 cycles" \
            "cycles/s"
    repeat lockstep "$b" "$p" SIM=icarus CYCLES=20000 |
        row "lock-step $b, Icarus" "$p, random, seed 1, 2e4 cycles" "cycles/s"
done <"$work/blocks"

# the machine, on kernels; Verilator takes some minutes to build that of plain
machine() {
    "$BUILD/tests/system/bench_machine" "$@" |
        sed -n 's/.*: \([0-9.]*\) million cycles.*/\1e6/p'
}
replay() {
    sh scripts/cosim.sh TARGET=system WAVE=0 "$@" 2>&1 |
        sed -n 's|.*, \([0-9.e+]*\) cycles/s.*|\1|p'
}
repeat machine 2000000 plain tests/system/busy.yml |
    row "golden machine" "plain, cfd of 6000 cells, 2e6 cycles" "cycles/s"
repeat machine 100000 small tests/runtime/add.yml |
    row "golden machine, small" "small, vecadd of 100, 1e5 cycles" "cycles/s"

# the other machines; what the host does apart: code, buffers, commands
host() {
    "$BUILD/tests/system/bench_machine" "$@" | sed -n 's/.*host: \([0-9.]*\) s.*/\1/p'
}
while read -r preset kernel; do
    path=kernels/$kernel/$kernel.yml
    repeat machine 20000 "$preset" "$path" |
        row "golden machine, $preset" "$kernel" "cycles/s"
    repeat host 1 "$preset" "$path" |
        row "  its host" "$kernel: code, buffers, commands" "s"
done <<'END'
banked gemv
cluster gemv
chained triad
mpu_core gemv
mpu_mesh gemv
END
few="CONFIG=tests/system/few.yml RUN=kernels/matmul/matmul.yml"
if [ -n "$(replay PRESET=tiny RUN=tests/runtime/add.yml)" ]; then
    # shellcheck disable=SC2086
    replay PRESET=plain $few >/dev/null
    # shellcheck disable=SC2086
    repeat replay PRESET=plain $few |
        row "machine lock-step, Verilator" "tests/system/few.yml, matmul" "cycles/s"
    replay PRESET=plain RUN=kernels/matmul/matmul.yml >/dev/null
    repeat replay PRESET=plain RUN=kernels/matmul/matmul.yml |
        row "machine lock-step, plain" "plain, Verilator, matmul" "cycles/s"
    replay PRESET=tiny RUN=tests/runtime/add.yml >/dev/null
    repeat replay PRESET=tiny RUN=tests/runtime/add.yml |
        row "machine lock-step, tiny" "tiny, Verilator, vecadd of 100" "cycles/s"
    repeat replay PRESET=tiny SIM=icarus RUN=tests/runtime/add.yml |
        row "machine lock-step, Icarus" "tiny, vecadd of 100" "cycles/s"
fi
# of the machine, not of the computer: one run says all
"$BUILD/ndprun" tests/system/busy.yml --device golden:plain | awk '
    $1 ~ /^[a-z]+$/ && NF == 2 { v[$1] = $2 }
    END {
        c = v["cycles"]
        printf "%-30s %-40s %9.3f  (%.1f %% of the cycles went to a warp that had to wait, " \
            "%.1f %% to results of memory, %.1f %% to nobody)\n",
            "instructions a cycle", "plain, cfd of 6000 cells", v["issued"] / c,
            100 * v["blocked"] / c, 100 * v["returned"] / c, 100 * v["idle"] / c
    }'

# one kernel with 100,000 instructions: straight-line blocks and loops
awk -v n=10000 -f tests/bench/kernel.awk >"$work/big.ptx"
reader() {
    start=$(date +%s%N)
    "$BUILD/ndpcc" --json "$work/big.ptx" >/dev/null
    end=$(date +%s%N)
    awk -v t=$((end - start)) 'BEGIN { printf "%.0f\n", 100003 / (t / 1e9) }'
}
repeat reader | row "ndpcc --json" "one kernel of 100,003 instructions" "instructions/s"
if [ -x "$BUILD/tests/sim/bench_exec" ]; then
    "$BUILD/tests/sim/bench_exec" "$runs"
fi
echo
awk -F '|' '
    { v[$1] = $2 }
    $1 ~ /^model / { name[++n] = substr($1, 7) }
    END {
        for (i = 1; i <= n; i++) {
            fast = v["lock-step " name[i] ", Verilator"]
            slow = v["lock-step " name[i] ", Icarus"]
            if (fast && slow)
                printf "%s: model / Verilator lock-step %.1f, Verilator / Icarus %.0f\n",
                    name[i], v["model " name[i]] / fast, fast / slow
        }
    }' "$work/table"
