#!/bin/sh
# seeds.sh - the golden models alone, over fresh seeds: no RTL, no simulator.
#
# usage: seeds.sh [--number N] [--seed S] [--target T] [--list]
#
# Lock-step says that a model and its RTL agree.  What both have wrong alike, for
# a note that both were written from has it wrong, shows only in what the
# environments ask of either: the promises of channels, answers that have to come,
# results that a reference computes, DRAM commands that a checker of their own
# allows.  So the random runs of `make check` (scripts/jobs/cosim.py: every
# target, size and form) are made again here with other seeds, on the models
# alone, which are so fast that a seed takes a minute or two.
#
#   --number N  seeds (5)
#   --seed S    the first one, the others follow it; without it a fresh one
#   --target T  of this target only
#   --list      print the runs of the first seed, and run nothing
#
# Prints a line a seed, and of a run that failed what it said and its command.
# Environment: BUILD, JOBS (2).
# Exit status: 0 none failed, 1 some did, 2 bad use.
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
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
export BUILD

die() {
    echo "seeds.sh: error: $1" >&2
    exit 2
}

number=5 seed='' only='' list=''
while [ $# -gt 0 ]; do
    case $1 in
    --number | --seed | --target)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --target) only=$2 ;;
        *)
            case $2 in
            '' | *[!0-9]* | ??????????*)
                die "$1 '$2', expected a whole number of up to nine digits" ;;
            esac
            [ "$1" = --seed ] && seed=$2 || number=$2
            ;;
        esac
        shift
        ;;
    --list) list=1 ;;
    *) die "unknown option '$1', expected --number, --seed, --target or --list" ;;
    esac
    shift
done
[ "$number" -gt 0 ] || die "--number 0, expected at least one seed"
seed=${seed:-$(($(od -An -N4 -tu4 /dev/urandom) % 900000000))}

# A run that cosim_golden can make, for each random one of the matrix: its options
# but for the seed, once.
the_runs() {
    FRESH=0 python3 scripts/jobs cosim --runs ${only:+--target "$only"} |
        while read -r row; do
            eval "set -- $row" # words as of `make`: SET="a=1 b=2"
            words=''
            for word in "$@"; do
                case $word in
                RUN=* | KERNEL=* | SIM=icarus | STIM=directed | STIM=replay) continue 2 ;;
                TARGET=* | PRESET=* | CONFIG=* | STIM=* | CYCLES=*)
                    name=$(echo "${word%%=*}" | tr '[:upper:]' '[:lower:]')
                    words="$words --$name ${word#*=}"
                    ;;
                SET=*)
                    for pair in ${word#SET=}; do
                        words="$words --set $pair"
                    done
                    ;;
                esac
            done
            echo "${words# }"
        done | awk '!seen[$0]++'
}

results=$BUILD/seeds
rm -rf "$results"
mkdir -p "$results"
the_runs >"$results/rows" || exit 2
[ -s "$results/rows" ] || die "no run of target '$only'"
if [ -n "$list" ]; then
    sed "s/\$/ --seed $seed/" "$results/rows"
    exit 0
fi

# shellcheck disable=SC2016
one='log=$RESULTS/$$
"$BUILD/cosim_golden" "$@" >"$log" 2>&1 ||
    { sed "s/^/    /" "$log"; echo "    again: $BUILD/cosim_golden $*"; } >"$log.failed"'

bad=0 last=$((seed + number - 1))
while [ "$seed" -le "$last" ]; do
    RESULTS=$results/$seed
    export RESULTS
    mkdir -p "$RESULTS"
    began=$(date +%s)
    sed "s/\$/ --seed $seed/" "$results/rows" |
        xargs -P "$JOBS" -L 1 sh -c "$one" seeds
    failed=$(find "$RESULTS" -name '*.failed' | wc -l)
    echo "seed $seed: $(wc -l <"$results/rows") runs," \
        "$failed failed, $(($(date +%s) - began)) s"
    [ "$failed" = 0 ] || cat "$RESULTS"/*.failed
    bad=$((bad + failed))
    seed=$((seed + 1))
done
[ "$bad" = 0 ]
