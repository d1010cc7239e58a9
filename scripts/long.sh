#!/bin/sh
# long.sh - long random lock-step runs, at the size of each paper, and a record of
# them: docs/long.md.
#
# usage: long.sh [--update] [--cycles N] [--minutes M] [--seed S] [TARGET ...]
#        long.sh --page       writes docs/long.md from the record, runs nothing
#        long.sh --sums       what the record has of the RTL as it is now
#
# Each target (default: all of ndpgen) at its own preset, RTL in Verilator beside
# its golden model, random stimulus, every output after every cycle: N cycles
# (10000000) a run, each with a seed of its own, drawn and printed, or S, S + 1,
# and so on.  One run a target; with --minutes M round after round, the target
# with the fewest recorded cycles first, until M minutes are over, the last run to
# its end.  A run that differs is failure, and leaves its log and what `make
# cosim` leaves.
#
# With --update a run that was equal is written into tests/cosim/long.tsv: words
# of `make cosim`, digest of the emitted RTL, digest of the block's model and
# stimulus, the line that the run ended with, seconds.  A run is evidence of the
# RTL and the model that it ran: runs of others stay and are counted apart.
#
# Environment: BUILD; for tests LONG_LEDGER, LONG_PAGE: other files, and
# LONG_COSIM: another cosim.sh.
# Exit status: 0 all equal, 1 not, 2 bad use.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
cd "$(dirname "$0")/.." || exit 2
. scripts/digests.sh
BUILD=${BUILD:-build}
record=${LONG_LEDGER:-tests/cosim/long.tsv}
page=${LONG_PAGE:-docs/long.md}
results=$BUILD/long/$$ # several may run at a time
tab=$(printf '\t')

bad() {
    echo "error: $1" >&2
    exit 2
}

number() { # option value
    case $2 in
    '' | *[!0-9]* | ??????????????*) bad "$1 is '$2', expected a number" ;;
    0*) bad "$1 is '$2', expected at least 1" ;;
    esac
}

mode=run update='' cycles=10000000 minutes='' seed='' names=''
while [ $# -gt 0 ]; do
    case $1 in
    --update) update=1 ;;
    --page) mode=page ;;
    --sums) mode=sums ;;
    --cycles | --minutes | --seed)
        [ $# -gt 1 ] || bad "'$1' wants a number"
        number "$1" "$2"
        case $1 in
        --cycles) cycles=$2 ;;
        --minutes) minutes=$2 ;;
        *) seed=$2 ;;
        esac
        shift
        ;;
    -*)
        bad "unknown option '$1', expected --update, --cycles, --minutes, --seed, --page or --sums"
        ;;
    *) names="$names $1" ;;
    esac
    shift
done
all_targets=$("$BUILD/ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
preset_of() { "$BUILD/ndpgen" --list-targets | awk -v t="$1" '$1 == t { print $2 }'; }
for t in $names; do
    echo "$all_targets" | grep -qx -e "$t" ||
        bad "unknown target '$t', expected one of: $(echo $all_targets)"
done
targets=${names:-$all_targets}
mkdir -p "$results"
trap 'rm -rf "$results"' EXIT
trap 'exit 2' INT TERM HUP

# --- digests -------------------------------------------------------------------

# RTL and model of a target as they are now: two words.
now_of() { # target
    [ -f "$results/$1.now" ] || {
        [ -f "$results/$1.block" ] || note_block "$1"
        note_rtl TARGET="$1" PRESET="$(preset_of "$1")"
        [ -f "$rtl" ] || bad "ndpgen fails on '$1': $(cat "$rtl.log")"
        echo "$(cut -c 1-8 "$rtl") $(cut -c 1-8 "$results/$1.block")" \
            >"$results/$1.now"
    }
    cat "$results/$1.now"
}

# --- the record ----------------------------------------------------------------

lines() { [ ! -f "$record" ] || grep -v '^#' "$record"; }

# A line a target of the record or asked for: target, preset, cycles and runs of
# RTL and model as they are, cycles of others, seconds of the first.
sums() {
    for t in $all_targets; do
        case " $targets " in
        *[[:space:]]"$t"[[:space:]]*) ;;
        *) continue ;;
        esac
        lines | awk -F '\t' -v t="$t" -v preset="$(preset_of "$t")" \
            -v now="$(now_of "$t")" '
            index($1, "TARGET=" t " ") != 1 { next }
            {
                match($1, /CYCLES=[0-9]+/)
                n = substr($1, RSTART + 7, RLENGTH - 7)
                if ($2 " " $3 == now) {
                    cycles += n; runs++; seconds += $5
                } else
                    others += n
            }
            END {
                printf "%s\t%s\t%.0f\t%d\t%.0f\t%d\n", t, preset, cycles, runs,
                    others, seconds
            }'
    done
}

# Of the record alone, so that it changes with nothing else.
write_page() {
    {
        cat tests/cosim/long.head
        lines | awk -F '\t' '
        # 12000000 as 1.2e7: the digits that count
        function short(n,    e) {
            for (e = 0; n >= 10; e++)
                n /= 10
            return sprintf("%.3g · 10^%d", n, e)
        }
        {
            split($1, word, /[ =]/)
            match($1, /CYCLES=[0-9]+/)
            n = substr($1, RSTART + 7, RLENGTH - 7)
            key = "| `" word[2] "` | " word[4] " | `" $2 "` | `" $3 "` |"
            if (!(key in cycles))
                order[++rows] = key
            cycles[key] += n; runs[key]++; seconds[key] += $5
            all += n; all_runs++; all_seconds += $5
        }
        END {
            for (i = 1; i <= rows; i++)
                printf "%s %s | %d | %d |\n", order[i], short(cycles[order[i]]),
                    runs[order[i]], seconds[order[i]]
            if (rows)
                printf "| **all** | | | | **%s** | **%d** | **%d** |\n",
                    short(all), all_runs, all_seconds
        }'
    } >"$results/page"
    cp "$results/page" "$page"
}

case $mode in
sums)
    sums
    exit
    ;;
page)
    write_page
    echo "wrote $page"
    exit
    ;;
esac

# --- running -------------------------------------------------------------------

MAKEFLAGS='' make -s "$BUILD/ndpgen" cosim-tools >"$results/made" 2>&1 || {
    cat "$results/made" >&2
    exit 2
}

# A run that is recorded already, of the same RTL and model, proves nothing more.
add_line() {
    (
        flock 9
        {
            echo "# Long random runs that really ran and were equal, see docs/long.md."
            {
                lines
                echo "$1"
            } | awk -F '\t' '!seen[$1, $2, $3]++' | sort
        } >"$results/record"
        cp "$results/record" "$record"
    ) 9>"$BUILD/long/lock"
}

passed=0 failed=0
one_run() { # target
    [ -n "$seed" ] && s=$seed ||
        s=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
    [ -z "$seed" ] || seed=$((seed + 1))
    words="TARGET=$1 PRESET=$(preset_of "$1") SIM=verilator STIM=random SEED=$s CYCLES=$cycles"
    was=$(now_of "$1") # before it runs, in case somebody edits meanwhile
    start=$(date +%s)
    # shellcheck disable=SC2086
    if sh "${LONG_COSIM:-scripts/cosim.sh}" $words >"$results/log" 2>&1; then
        said=$(tail -n 1 "$results/log" | sed 's/, [0-9]* cycles.s$//')
        case $said in
        *"cycles $cycles,"*"mismatches 0,"*) ;;
        *)
            echo "error: the run ended with '$said', expected 'cycles $cycles, ... mismatches 0'"
            failed=$((failed + 1))
            broken="$broken $1"
            return
            ;;
        esac
        echo "$said"
        passed=$((passed + 1))
        [ -z "$update" ] ||
            add_line "$words$tab${was% *}$tab${was#* }$tab$said$tab$(($(date +%s) - start))"
    else
        mv "$results/log" "$BUILD/long/$1-$s.log"
        echo "FAILED: make cosim $words"
        tail -n 20 "$BUILD/long/$1-$s.log"
        failed=$((failed + 1))
        broken="$broken $1"
    fi
}

# The target with the fewest cycles, those of this call among them.
next_target() {
    for t in $targets; do
        case " $broken " in *" $t "*) continue ;; esac
        echo "$t $(cat "$results/$t.done")"
    done | sort -k 2,2n -s | sed -n '1s/ .*//p'
}

broken=
if [ -z "$minutes" ]; then
    for t in $targets; do one_run "$t"; done
else
    end=$(($(date +%s) + 60 * minutes))
    sums | while IFS=$tab read -r t _ done _; do echo "$done" >"$results/$t.done"; done
    while [ "$(date +%s)" -lt $end ]; do
        t=$(next_target)
        [ -n "$t" ] || break
        one_run "$t"
        echo $(($(cat "$results/$t.done") + cycles)) >"$results/$t.done"
    done
fi
[ -z "$update" ] || write_page
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
