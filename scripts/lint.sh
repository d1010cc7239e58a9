#!/bin/sh
# lint.sh - the emitted RTL gives no warning in any tool, at any configuration.
#
# Generates every target at its presets and at the configurations of
# tests/<target>/lint.txt, and puts each through verilator -Wall, iverilog -g2005
# -Wall, Yosys (drivers, loops, latches, tri-states) and a search for words of
# later Verilog standards.  Any output is a failure.  Then two configurations
# with different prefixes are compiled together.
set -eu
LC_ALL=C
export LC_ALL

usage() {
    cat <<'END'
usage: sh scripts/lint.sh [OPTION...]

  --target T   only this target (default: all that ndpgen lists)
  --only NAME  only configurations whose name contains NAME
  --ledger     leave out what tests/lint/ledger.tsv vouches for, but for a
               sample; write what is new into it (docs/ledger.md)
  --list       print the configurations and check nothing
  --help       this text

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2); of the ledger
SAMPLE (a seed), ALL, UPDATE.
Output: BUILD/lint/TARGET-NAME/.  Exit status: 0 clean, 1 not, 2 bad use.
END
}

die() {
    echo "lint.sh: error: $1" >&2
    exit 2
}

cd "$(dirname "$0")/.."
. scripts/plain_path.sh

target=
only=
list=
vouching=
while [ $# -gt 0 ]; do
    case $1 in
    --target | --only)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --target) target=$2 ;;
        --only) only=$2 ;;
        esac
        shift
        ;;
    --ledger) vouching=1 ;;
    --list) list=1 ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done

build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
jobs=${JOBS:-2}
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
mkdir -p "$build/lint"
. scripts/ledger.sh

targets=$("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
if [ -n "$target" ]; then
    echo "$targets" | grep -qx "$target" ||
        die "unknown target '$target', expected one of: $(echo $targets)"
    targets=$target
fi

# "target name options" of everything that is asked for
for t in $targets; do
    paper=$("$ndpgen" --list-targets | awk -v t="$t" '$1 == t { print $2 }')
    echo "$t $paper --preset $paper"
    echo "$t small --preset small"
    [ ! -f "tests/$t/lint.txt" ] ||
        sed "/^#/d; /^ *\$/d; s/^/$t /" "tests/$t/lint.txt"
done | awk -v only="$only" 'only == "" || index($2, only)' >"$build/lint/todo"
if [ -n "$list" ]; then
    cat "$build/lint/todo"
    exit 0
fi
[ -s "$build/lint/todo" ] || die "no configuration has '$only' in its name"

# What a check reads and runs, as a digest, beside its name.
note_tools() {
    {
        verilator --version 2>&1 || :
        iverilog -V 2>&1 | sed -n 1p
        yosys -V 2>&1 || :
        ledger_tools verilator verilator_bin iverilog yosys
    } >"$build/lint/tools"
}
lint_versions() {
    echo "$(verilator --version 2>&1 | awk 'NR == 1 { print $1, $2 }')," \
        "$(iverilog -V 2>&1 | awk 'NR == 1 { print "Icarus", $4 }')," \
        "$(yosys -V 2>&1 | awk 'NR == 1 { print $1, $2 }')"
}
note_job() { # TARGET-NAME, script, emitted file...
    name=$1 script=$2
    shift 2
    printf '%s\t%s\n' "$name" "$({
        cat "$script" tests/lint/keywords.txt "$build/lint/tools"
        ledger_sources "$@"
    } | ledger_digest)" >>"$build/lint/names"
}

failed=0
passed=0
note_tools
: >"$build/lint/names"
: >"$build/lint/jobs"
while read -r t name options; do
    dir=$build/lint/$t-$name
    rm -rf "$dir" "$dir.result" "$dir.seconds"
    # the options are words without blanks inside
    if "$ndpgen" --target "$t" $options -o "$dir" >"$dir.said" 2>&1; then
        echo "$dir ndp_$t" >>"$build/lint/jobs"
        note_job "$t-$name" tests/lint/check.sh "$dir/ndp_$t.f" "$dir"/rtl/*
    else
        echo "$t $name: ndpgen refused the configuration:"
        sed 's/^/    /' "$dir.said"
        failed=$((failed + 1))
    fi
    rm -f "$dir.said"
done <"$build/lint/todo"

# Two configurations of each target in one design: prefixes keep them apart.
make_together() { # target
    dir=$build/lint/$1-prefixes
    paper=$("$ndpgen" --list-targets | awk -v t="$1" '$1 == t { print $2 }')
    rm -rf "$dir" "$dir.result" "$dir.seconds"
    mkdir -p "$dir"
    if "$ndpgen" --target "$1" --preset small --prefix one_ -o "$dir/one" \
        >"$dir/said" 2>&1 &&
        "$ndpgen" --target "$1" --preset "$paper" --prefix two_ -o "$dir/two" \
            >>"$dir/said" 2>&1; then
        echo "$dir ndp_$1" >>"$build/lint/jobs"
        note_job "$1-prefixes" scripts/lint.sh "$dir"/one/rtl/* "$dir"/two/rtl/*
    else
        echo "$1: ndpgen refused two prefixes:"
        sed 's/^/    /' "$dir/said"
        failed=$((failed + 1))
    fi
}

together() { # folder, top
    dir=$1
    start=$(date +%s)
    : >"$dir.result"
    # two designs side by side have two tops, on purpose
    both iverilog -g2005 -Wall -s "one_$2" -s "two_$2" -t null
    both verilator --lint-only -Wall -Wno-MULTITOP
    echo $(($(date +%s) - start)) >"$dir.seconds"
}

both() { # program, arguments...; the files of both folders follow
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "skip $1" >>"$dir.result"
        return
    fi
    status=0
    "$@" "$dir"/one/rtl/*.v "$dir"/two/rtl/*.v >"$dir/said" 2>&1 || status=$?
    if [ $status -eq 0 ] && [ ! -s "$dir/said" ]; then
        echo "pass two prefixes, $1" >>"$dir.result"
    else
        echo "fail two prefixes, $1" >>"$dir.result"
        echo "$dir: two prefixes, $1:"
        head -n 20 "$dir/said" | sed 's/^/    /'
    fi
}

if [ -z "$only" ]; then
    for t in $targets; do
        make_together "$t"
    done
fi

ledger=/dev/null plan=$build/lint/plan
[ -z "$vouching" ] || ledger=tests/lint/ledger.tsv
ledger_plan $ledger "$build/lint/names" "$plan"
paste -d ' ' "$build/lint/jobs" "$plan" | awk '$5 != "vouched"' |
    cut -d ' ' -f 1,2 >"$build/lint/run"
grep -v -e '-prefixes ' "$build/lint/run" |
    xargs -r -L 1 -P "$jobs" sh tests/lint/check.sh || die "a check could not run"
grep -e '-prefixes ' "$build/lint/run" >"$build/lint/run-together" || :
while read -r dir top; do
    together "$dir" "$top"
done <"$build/lint/run-together"

# The checks that passed, in one field, and back.
if [ -n "$vouching" ]; then
    awk -F '\t' -v lint="$build/lint" '$3 == "vouched" {
        out = lint "/" $1 ".result"
        n = split($4, name, ";")
        for (i = 1; i <= n; i++)
            print "pass " name[i] >out
        close(out)
    }' "$plan"
    for j in $(ledger_jobs "$plan" 'run|redo'); do
        awk -v OFS='\t' -v job="$j" -v took="$(cat "$build/lint/$j.seconds")" '
            !/^pass / { bad = 1 }
            { sub(/^pass /, ""); names = names (names == "" ? "" : ";") $0 }
            END { print job, bad || names == "" ? "-" : names, took }' \
            "$build/lint/$j.result"
    done >"$build/lint/done"
    whole=1
    [ -z "$only$target" ] || whole=
    ledger_settle $ledger "$(lint_versions)" "$plan" "$build/lint/done" \
        "$whole" || failed=$((failed + ledger_wrong))
fi

# counts out of the result files of this run
sed 's/ .*/.result/' "$build/lint/jobs" | xargs cat >"$build/lint/results"
passed=$(grep -c '^pass' "$build/lint/results" || :)
failed=$((failed + $(grep -c '^fail' "$build/lint/results" || :)))
skipped=$(sed -n 's/^skip //p' "$build/lint/results" | sort -u)
if [ -n "$skipped" ]; then
    echo "skipped, no such tool on this machine:"
    echo "$skipped" | sed 's/^/    /'
fi
echo "lint: $(grep -c . "$build/lint/todo") configurations of" $targets
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
