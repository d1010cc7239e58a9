#!/bin/sh
# cosim_matrix.sh - the lock-step runs that `make check` makes.
#
# usage: cosim_matrix.sh [--target T] [--ledger | --list]
#
# Every target of ndpgen, in both simulators, at preset 'small' and at the sizes
# of its paper: random stimulus with seed 1 and with one fresh seed (FRESH,
# printed), directed stimulus, and the runs of tests/<target>/cosim.txt: other
# forms, and what the kernels of its paper execute, whole or its first cycles,
# with the same digest of all inputs and outputs in Verilator and Icarus; in
# Icarus at 'small' with the contract's checks (CHECKS=1).  Prints
# the summary line of each run, and what a failing one said; a replay in which
# an offload controller sends nothing away has failed too, also one that is cut
# off: those of a system that learns first have to go on until it offloads.
# A large system names its runs in tests/<target>/matrix.txt instead.
#
# With --ledger tests/cosim/ledger.tsv vouches for the runs whose seed is fixed,
# but for a sample (docs/ledger.md); those with the fresh seed always run.
# Environment: BUILD, JOBS (2), FRESH; of the ledger SAMPLE, ALL, UPDATE.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
cd "$(dirname "$0")/.." || exit 2
. scripts/ledger.sh
. scripts/cosim_digest.sh
BUILD=${BUILD:-build}
FRESH=${FRESH:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
results=$BUILD/check/cosim
list=$results/list

only= vouching= list_only=
while [ $# -gt 0 ]; do
    case $1 in
    --target) only=${2:?} && shift ;;
    --ledger) vouching=1 ;;
    --list) list_only=1 ;;
    *)
        echo "error: unknown argument '$1', expected --target T, --ledger" \
            "or --list" >&2
        exit 2
        ;;
    esac
    shift
done
all_targets=$("$BUILD/ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
targets=${only:-$all_targets}
for t in $targets; do
    echo "$all_targets" | grep -qx -e "$t" || {
        echo "error: unknown target '$t', expected one of:" $all_targets >&2
        exit 2
    }
done

# The runs, one a line, in the words of `make cosim`.
the_runs() {
    for t in $targets; do
        own=$("$BUILD/ndpgen" --list-targets | awk -v t="$t" '$1 == t { print $2 }')
        if [ -f "tests/$t/matrix.txt" ]; then
            sed "/^#/d; /^ *\$/d; s/FRESH/$FRESH/; s/^/TARGET=$t /" \
                "tests/$t/matrix.txt"
            continue
        fi
        for preset in small "$own"; do
            base="TARGET=$t PRESET=$preset"
            v="$base SIM=verilator" i="$base SIM=icarus"
            # with four values the contract's checks see unknowns, too
            [ $preset != small ] || i="$i CHECKS=1"
            # nothing vouches for a fresh seed, so it is a quarter of that at
            # the paper's sizes
            many=400000 few=20000
            [ $preset = small ] || many=100000 few=5000
            echo "$v STIM=random SEED=1 CYCLES=400000 REQUIRE_COVER=1"
            echo "$v STIM=random SEED=$FRESH CYCLES=$many"
            echo "$v STIM=directed CYCLES=20000 REQUIRE_COVER=1"
            echo "$i STIM=random SEED=1 CYCLES=20000"
            echo "$i STIM=random SEED=$FRESH CYCLES=$few"
            echo "$i STIM=directed CYCLES=20000 REQUIRE_COVER=1"
        done
        # narrow counters, so that they reach their maximum; a unit has none
        ! "$BUILD/ndpgen" --list-params --target "$t" |
            grep -q '^regs\.counter_bits ' ||
            echo "TARGET=$t PRESET=small SET=regs.counter_bits=8 CYCLES=400000"
        [ ! -f "tests/$t/cosim.txt" ] ||
            sed "/^#/d; /^ *\$/d; s/^/TARGET=$t /" "tests/$t/cosim.txt"
    done
}

if [ -n "$list_only" ]; then # nothing of a run that is under way is touched
    the_runs
    exit 0
fi
rm -rf "$results"
mkdir -p "$results"
the_runs >"$list"
echo "fresh seed $FRESH"

# --- what a run depends on -----------------------------------------------------

# one line a run: words, digest; without a digest those that nobody vouches for
digests() {
    note_common
    while read -r line; do
        case $line in
        *"SEED=$FRESH "*) continue ;;
        esac
        # a value of several words stands in quotes, which xargs takes away, too
        eval "set -- $line"
        t=${1#TARGET=}
        [ -f "$results/$t.bench" ] || {
            note_block "$t"
            note_bench "$t"
        }
        note_rtl "$@"
        [ ! -f "$rtl" ] || printf '%s\t%s\n' "$*" "$({
            echo "$*"
            cat "$results/common" "$results/$t.block" "$results/$t.bench" "$rtl"
            kernel_of "$@"
        } | ledger_digest)"
    done <"$list"
}

plan=$results/plan
ledger=tests/cosim/ledger.tsv
: >"$plan"
if [ -n "$vouching" ]; then
    # the digests are of the sources, the runs of what is built from them
    MAKEFLAGS='' make -s cosim-tools >"$results/made" 2>&1 || {
        cat "$results/made" >&2
        exit 2
    }
    mkdir -p "${ledger%/*}"
    digests >"$results/names"
    # a run that nobody can vouch for runs in every check, unseen
    unnamed=$(($(grep -vc "SEED=$FRESH " "$list") - $(wc -l <"$results/names")))
    ledger_plan $ledger "$results/names" "$plan" || exit 2
fi

# --- running -------------------------------------------------------------------

known=$ledger
[ -f "$known" ] || known=/dev/null

# Runs of one build follow one another, so that none is built twice at a time;
# the longest of these rows come first, by the seconds of the ledger.  It knows
# nothing of fresh seeds, so large systems, which are long to build, go before.
awk -F '\t' -v room="$results/row" \
    -v large="$(ls tests/*/matrix.txt | sed 's,tests/\(.*\)/.*,TARGET=\1 ,' | tr -d '\n')" '
    FILENAME == ARGV[1] { if ($3 == "vouched") skip[$1]; next }
    FILENAME == ARGV[2] { if (NF == 4) took[$1] = $4; next }
    {
        plain = $0
        gsub(/"/, "", plain)
    }
    plain in skip { next }
    {
        build = $0
        gsub(/ (STIM|SEED|CYCLES|EVENTS|REQUIRE_COVER|RUN|KERNEL|SIZE|COUNT|VALUES|FROM)=[^ ]*| SIM=verilator/,
            "", build)
        if (!(build in row)) {
            row[build] = ++rows
            seconds[rows] = 600 * (index(large, substr($0, 1, index($0, " "))) > 0)
        }
        seconds[row[build]] += 1 + (plain in took ? took[plain] : 0)
        print FNR, $0 >>(room row[build])
        close(room row[build])
    }
    END { for (i = 1; i <= rows; i++) print seconds[i], room i }' \
    "$plan" "$known" "$list" | sort -k 1,1rn -k 2 | cut -d ' ' -f 2 >"$results/rows"
# shellcheck disable=SC2016
xargs -r -P "${JOBS:-2}" -I{} sh -c '
    xargs -L 1 sh -c "$2" "$0" <"$1"' "$results" {} '
    n=$1; shift
    start=$(date +%s)
    if sh scripts/cosim.sh "$@" >"$0/$n.log" 2>&1 &&
        ! grep -q "^offloaded[[:space:]]0$" "$0/$n.log"; then
        tail -n 1 "$0/$n.log"
        said=$(tail -n 1 "$0/$n.log" | sed "s/, [0-9]* cycles.s$//")
    else
        echo "FAILED: make cosim $*"
        cat "$0/$n.log"
        ! grep -q "^offloaded[[:space:]]0$" "$0/$n.log" ||
            echo "error: the replay offloads nothing, expected some blocks"
        touch "$0/$n.failed"
        said=-
    fi
    printf "%s\t%s\t%s\n" "$*" "$said" $(($(date +%s) - start)) \
        >"$0/$n.done"' <"$results/rows"
total=$(wc -l <"$list")
failed=$(find "$results" -name '*.failed' | wc -l)
if [ -n "$vouching" ]; then
    awk -F '\t' '$3 == "vouched" { print $4 ", vouched for by the ledger" }' \
        "$plan"
    find "$results" -name '*.done' -exec cat {} + >"$results/done"
    whole=1
    [ -z "$only" ] || whole=
    ledger_settle $ledger "$(verilator --version | awk '{ print $1, $2 }'),\
 $(iverilog -V 2>&1 | awk 'NR == 1 { print "Icarus", $4 }')" \
        "$plan" "$results/done" "$whole" || failed=$((failed + ledger_wrong))
    [ "$unnamed" = 0 ] || {
        echo "error: $unnamed runs of fixed seeds have no digest, expected one of each"
        failed=$((failed + 1))
    }
fi
echo "$((total - failed)) passed, $failed failed"
[ "$failed" = 0 ]
