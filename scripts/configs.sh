#!/bin/sh
# configs.sh - random configurations: refused with a reason, or right.
#
# usage: configs.sh [--number N] [--seed S] [--target T] [--light] [--only I]
#                   [--list]
#
# Draws parameters out of what `ndpgen --list-params` says of each target in
# turn, over preset small or the sizes of its paper (tests/configs/draw.awk says
# how).  ndpgen has to refuse each of them with status 2 in words that name a
# parameter and the rule, or to emit it; then the RTL goes through all checks of
# scripts/jobs/lint.py and through lock-step, random and directed.  Prints a line a
# configuration, what a failing one said and how it is repeated, and a sum.
#
#   --number N  how many (20)
#   --seed S    of the draw and the stimulus; without it a fresh one, printed
#   --target T  of this target only
#   --light     blocks and units at preset small only: no system, none whose
#               simulation is long (those with tests/TARGET/matrix.txt)
#   --only I    the Ith of them only
#   --list      print them and check nothing
#
# Environment: BUILD, JOBS (1); SIM (icarus), or verilator; CYCLES (4000) of each
# of the two lock-step runs; LIMIT (240), seconds that each step may take: one
# that takes longer is counted apart, as too large for this draw.
#
# Exit status: 0 each was refused, right or too large, and one at least right;
# 1 not; 2 bad use; 130 stopped by Ctrl-C or SIGTERM, with all that it has started.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 2
. scripts/plain_path.sh
again=$PWD/scripts/configs.sh
. scripts/stoppable.sh
BUILD=${BUILD:-build}
ndpgen=${NDPGEN:-$BUILD/ndpgen}
SIM=${SIM:-icarus}
CYCLES=${CYCLES:-4000}
LIMIT=${LIMIT:-240}

die() {
    echo "configs.sh: error: $1" >&2
    exit 2
}

number=20 seed= only= light= list= target=
while [ $# -gt 0 ]; do
    case $1 in
    --number | --seed | --only | --target)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1$2 in
        --target*) ;;
        *[!0-9]*[!0-9] | *[!0-9]) die "$1 $2, expected a whole number" ;;
        esac
        case $1 in
        --number) number=$2 ;;
        --seed) seed=$2 ;;
        --only) only=$2 ;;
        --target) target=$2 ;;
        esac
        shift
        ;;
    --light) light=1 ;;
    --list) list=1 ;;
    *) die "unknown argument '$1', expected --number N, --seed S, --target T, \
--light, --only I or --list" ;;
    esac
    shift
done
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
[ "$number" -gt 0 ] || die "--number $number, expected one at least"
seed=${seed:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
# a folder of its own, so that two draws may run side by side
work=$BUILD/configs/$seed

targets=
papers=
for t in $("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 "/" $2 }'); do
    [ -z "$target" ] || [ "$target" = "${t%/*}" ] || continue
    [ -z "$light" ] || [ ! -f "tests/${t%/*}/matrix.txt" ] || continue
    targets="$targets ${t%/*}"
    papers="$papers ${t#*/}"
done
[ -n "$targets" ] || die "no target '$target' to draw of"
of=$(echo $targets | wc -w)

# the_draw I: sets $t, $preset, $beyond and $sets; not a line more
the_draw() {
    place=$(((seed + $1) % of + 1))
    t=$(echo $targets | cut -d ' ' -f $place)
    preset=small
    [ -n "$light" ] || [ $((($1 + of - 1) / of % 2)) = 1 ] ||
        preset=$(echo $papers | cut -d ' ' -f $place)
    beyond=$("$ndpgen" --json --list-params --target "$t" --preset "$preset" |
        awk -v seed="$seed" -v number="$1" -f tests/configs/draw.awk)
    case $beyond in
    *=*) ;;
    *) die "the parameters of '$t' cannot be listed" ;;
    esac
    sets=${beyond#"${beyond%% *}"}
    sets=${sets# }
    beyond=${beyond%% *}
}

# within COMMAND...: 124 when it takes longer than $LIMIT
within() {
    timeout "$LIMIT" "$@" >"$dir.log" 2>&1
}

say() { # what came of it, what more
    printf '%-8s %3d %s %s %s%s\n' "$1" "$i" "$t" "$preset" "$sets" "${2:+: $2}"
    echo "$1" >"$dir.verdict"
}
wrong() { # what is wrong
    say FAILED "$1"
    sed 's/^/    /' "$dir.log" | tail -n 25
    echo "    again: sh scripts/configs.sh --number $number --seed $seed" \
        "${light:+--light }${target:+--target $target }--only $i"
}

# lockstep STIM: status of the run.  What was compiled goes again.
lockstep() {
    mkdir -p "$dir.build"
    within env BUILD="$dir.build" OUT="$dir.build" \
        COSIM_LIB="${COSIM_LIB:-$BUILD/libbench.a}" \
        COSIM_VPI="${COSIM_VPI:-$BUILD/ndp_bench.vpi}" \
        COSIM_MODEL="${COSIM_MODEL:-$BUILD/cosim_golden}" \
        sh scripts/cosim.sh TARGET="$t" RTL="$dir" SIM="$SIM" STIM="$1" \
        SEED="$seed" CYCLES="$CYCLES" WAVE=0
}

check_one() { # I
    i=$1 dir=$work/$1
    the_draw "$i"
    set -- --target "$t" --preset "$preset"
    for word in $sets; do
        set -- "$@" --set "$word"
    done
    within "$ndpgen" "$@" -o "$dir"
    status=$?
    case $status in
    0)
        [ "$beyond" = within ] ||
            { wrong "'$beyond' is out of its range and was taken"; return; }
        ;;
    2)
        # the reason is an error's, of a parameter, and says what is allowed
        if grep -q "error: .*'[a-z_]*\.[a-z_]*'" "$dir.log" &&
            grep -qE -f tests/configs/allowed.txt "$dir.log"; then
            say refused "$(sed -n 's/.*error: //p;q' "$dir.log")"
        else
            wrong "refused without a parameter or a rule"
        fi
        return
        ;;
    124) say large "ndpgen"; return ;;
    *) wrong "ndpgen ended with status $status"; return ;;
    esac
    within sh tests/lint/check.sh "$dir" "ndp_$t"
    status=$?
    [ $status != 124 ] || { say large lint; return; }
    [ $status = 0 ] && ! grep -q '^fail' "$dir.result" ||
        { wrong "lint"; return; }
    for stim in random directed; do
        lockstep $stim
        status=$?
        [ $status != 124 ] || { say large "lock-step, $stim"; return; }
        [ $status = 0 ] || { wrong "lock-step, $stim, status $status"; return; }
    done
    say right
}

if [ -n "$list" ]; then
    i=0
    while [ $((i += 1)) -le "$number" ]; do
        the_draw $i
        echo "$i $t $preset $sets"
    done
    exit 0
fi
if [ -n "${CONFIGS_ONE:-}" ]; then # a part of the run below
    check_one "$only"
    rm -rf "$work/$only" "$work/$only.build" "$work/$only.result" \
        "$work/$only.said" "$work/$only.seconds"
    exit 0
fi

rm -rf "$work"
mkdir -p "$work"
echo "seed $seed, $number configurations of$targets; $SIM, $CYCLES cycles"
start=$(date +%s)
CONFIGS_ONE=1
export BUILD SIM CYCLES LIMIT CONFIGS_ONE
{ [ -z "$only" ] && seq "$number" || echo "$only"; } |
    xargs -P "${JOBS:-1}" -I I sh scripts/configs.sh --number "$number" \
        --seed "$seed" ${light:+--light} ${target:+--target "$target"} --only I
of_verdict() {
    find "$work" -name '*.verdict' -exec grep -lx "$1" {} + | wc -l
}
refused=$(of_verdict refused) right=$(of_verdict right)
large=$(of_verdict large) drawn=$number
[ -z "$only" ] || drawn=1
failed=$((drawn - refused - right - large))
echo "configs: seed $seed: $drawn drawn, $refused refused with a reason," \
    "$right right, $large too large here, $failed wrong;" \
    "$(($(date +%s) - start)) s"
[ "$failed" != 0 ] || [ -n "$only" ] || [ "$right" -gt 0 ] || {
    echo "configs.sh: nothing was checked" >&2
    failed=1
}
echo "$((refused + right)) passed, $failed failed"
[ "$failed" = 0 ]
