#!/bin/sh
# cosim_matrix.sh - the lock-step runs that `make check` makes.
#
# Every target of ndpgen, in both simulators, at preset 'small' and at the sizes
# of its paper: random stimulus with seed 1 and with one fresh seed (FRESH,
# printed), directed stimulus, other forms of the block, and what the kernels of
# its paper execute, whole or its first cycles: the same digest of all inputs and
# outputs in Verilator and Icarus (where a block has many kernels, for one of
# them).  Prints the summary line of each run, and what a failing one said; a
# replay in which the offload controller sends nothing away has failed too.
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
mpu_kernels="blur conv gemv hist kmeans knn ttrans maxp nw upsamp reduce axpy"
image_kernels="conv2d convsep concat dct8x8 denoise downsample jacobi2d matmul"
chain_kernels="fdtd kmeans mvt srad scalarprod compare triad"
list=$BUILD/check/cosim.list
results=$BUILD/check/cosim
rm -rf "$results"
mkdir -p "$results"

# forms of a block that neither preset has
forms() {
    case $1 in
    emn) echo emn.form=logic emn.stages=2 emn.stages=3 ;;
    offload)
        echo offload.lookup=pc offload.monitor=tumbling offload.stacks=16 \
            offload.flit_bits=256
        ;;
    analyzer) echo analyzer.stacks=16 analyzer.ranges=20 analyzer.warps=13 ;;
    prefetch) echo prefetch.divider=iterative prefetch.divider=pow2 ;;
    esac
}

# runs NAME PRESET KERNEL...: whole, the last one in Icarus too
runs() {
    target=$1 preset=$2
    shift 2
    for k; do
        echo "TARGET=$target PRESET=$preset RUN=kernels/$k/$k.yml"
    done
    echo "TARGET=$target PRESET=$preset SIM=icarus RUN=kernels/$k/$k.yml"
}

# tom TARGET: the ten workloads of the paper, each so that blocks go to the
# stacks.  By words BP and SP have no candidates, and that of RD is the rest of an
# unrolled loop, too short to pay; SP's unrolled loop and the conditions of KM
# want long rows.
tom() {
    while read -r run words; do
        for sim in verilator icarus; do
            echo "TARGET=$1 PRESET=tom SIM=$sim" \
                "RUN=kernels/$run.yml${words:+ $words}"
        done
    done <<END
backprop/backprop COUNT=names
kmeans/kmeans SIZE=full CYCLES=20000
cfd/cfd
heartwall/heartwall
libor/libor
raytrace/raytrace
fwt/fwt
scalarprod/scalarprod SIZE=full COUNT=names CYCLES=10000
reduce/reduce_global COUNT=names
bfs/bfs
END
}

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
    # narrow counters, so that they reach their maximum
    echo "TARGET=$t PRESET=small SET=regs.counter_bits=8 CYCLES=400000"
    for f in $(forms "$t"); do
        echo "TARGET=$t PRESET=small SET=$f CYCLES=100000"
    done
    case $t in
    nbu)
        # shellcheck disable=SC2086
        runs nbu mpu $mpu_kernels
        # over and over, and the instructions straight through
        echo "TARGET=$t PRESET=mpu CYCLES=100000 RUN=kernels/kmeans/kmeans.yml"
        echo "TARGET=$t PRESET=mpu CYCLES=50000 KERNEL=kernels/conv/conv.ptx"
        ;;
    emn)
        # shellcheck disable=SC2086
        runs "$t" mesh $chain_kernels
        ;;
    prefetch)
        for k in $image_kernels; do
            echo "TARGET=$t PRESET=image RUN=kernels/$k/${k}_pattern.yml"
        done
        # shellcheck disable=SC2086
        runs "$t" image $image_kernels
        ;;
    offload | analyzer)
        tom "$t"
        echo "TARGET=$t PRESET=tom CYCLES=50000 RUN=kernels/bfs/bfs.yml"
        ;;
    esac
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
