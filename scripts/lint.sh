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
  --list       print the configurations and check nothing
  --help       this text

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2).
Output: BUILD/lint/TARGET-NAME/.  Exit status: 0 clean, 1 not, 2 bad use.
END
}

die() {
    echo "lint.sh: error: $1" >&2
    exit 2
}

target=
only=
list=
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
    --list) list=1 ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done

cd "$(dirname "$0")/.."
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
jobs=${JOBS:-2}
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
mkdir -p "$build/lint"

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

failed=0
passed=0
: >"$build/lint/jobs"
while read -r t name options; do
    dir=$build/lint/$t-$name
    rm -rf "$dir" "$dir.result"
    # the options are words without blanks inside
    if "$ndpgen" --target "$t" $options -o "$dir" >"$dir.said" 2>&1; then
        echo "$dir ndp_$t" >>"$build/lint/jobs"
    else
        echo "$t $name: ndpgen refused the configuration:"
        sed 's/^/    /' "$dir.said"
        failed=$((failed + 1))
    fi
    rm -f "$dir.said"
done <"$build/lint/todo"
xargs -L 1 -P "$jobs" sh tests/lint/check.sh <"$build/lint/jobs" ||
    die "a check could not run"

# Two configurations of each target in one design: prefixes keep them apart.
together() { # target
    dir=$build/lint/$1-prefixes
    paper=$("$ndpgen" --list-targets | awk -v t="$1" '$1 == t { print $2 }')
    rm -rf "$dir"
    mkdir -p "$dir"
    "$ndpgen" --target "$1" --preset small --prefix one_ -o "$dir/one" \
        >"$dir/said" 2>&1 &&
        "$ndpgen" --target "$1" --preset "$paper" --prefix two_ -o "$dir/two" \
            >>"$dir/said" 2>&1 || {
        echo "fail ndpgen" >"$dir.result"
        cat "$dir/said"
        return
    }
    : >"$dir.result"
    one=one_ndp_$1
    two=two_ndp_$1
    # two designs side by side have two tops, on purpose
    both iverilog -g2005 -Wall -s "$one" -s "$two" -t null
    both verilator --lint-only -Wall -Wno-MULTITOP
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
        together "$t"
        echo "$build/lint/$t-prefixes ndp_$t" >>"$build/lint/jobs"
    done
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
