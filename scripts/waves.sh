#!/bin/sh
# waves.sh - timing diagrams of the notes, out of runs of the golden models.
#
# usage: waves.sh [--update] [NAME ...]      (default: all of docs/waves)
#
# docs/waves/NAME.wave says which run of target NAME, which cycles and which
# ports (the words are in docs/waves/draw.awk; of a second one for a target,
# NAME_more.wave, the target is what stands before the last '_', unless a target
# has the whole name).  The lock-step shows that the RTL does the same.  With
# "make FOLDER" for "run" the VCD is what the Makefile there draws (`make wave`),
# with Icarus, and left as it is where that is missing.
#
# Says which pictures docs/img/wave-NAME.svg are stale; --update writes them.
# Environment: BUILD.
#
# Exit status: 0 all as they are, or written; 1 some are stale, 2 bad use.
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
work=$BUILD/waves

update=
if [ "${1:-}" = --update ]; then
    update=1
    shift
fi
if [ $# = 0 ]; then
    for file in docs/waves/*.wave; do
        name=${file##*/}
        set -- "$@" "${name%.wave}"
    done
fi
mkdir -p "$work"

word() { sed -n "s/^$2 //p" "docs/waves/$1.wave"; }

run_model() { # NAME
    [ -f "lib/blocks/$target.def" ] || target=${target%_*}
    from=$(word "$1" from) cycles=$(word "$1" cycles)
    # the words of the run have no blanks in them
    # shellcheck disable=SC2046
    sh scripts/cosim.sh "TARGET=$target" SIM=golden $(word "$1" run) \
        "CYCLES=$((from + cycles))" "FROM=$from" "VALUES=$work/$1.vcd"
}

run_example() { # NAME FOLDER
    make -s -C "$2" wave "NDPGEN=$(cd "$BUILD" && pwd)/ndpgen" \
        "OUT=$(cd "$work" && pwd)/$1" &&
        cp "$work/$1/$1.vcd" "$work/$1.vcd"
}

status=0
for name; do
    file=docs/waves/$name.wave picture=docs/img/wave-$name.svg
    [ -f "$file" ] || {
        echo "waves.sh: error: no description $file" >&2
        exit 2
    }
    target=$name
    folder=$(word "$name" make)
    if [ -z "$folder" ]; then
        run_model "$name"
    elif command -v iverilog >/dev/null 2>&1; then
        run_example "$name" "$folder"
    else
        echo "waves.sh: no Icarus here, $picture is left" >&2
        continue
    fi >"$work/$name.log" || {
        cat "$work/$name.log" >&2
        exit 2
    }
    awk -f docs/waves/draw.awk -v target="$target" "$file" \
        "$work/$name.vcd" >"$work/$name.svg"
    if cmp -s "$work/$name.svg" "$picture"; then
        continue
    elif [ -n "$update" ]; then
        cp "$work/$name.svg" "$picture"
        echo "wrote $picture"
    else
        echo "$picture is stale: sh scripts/waves.sh --update $name"
        status=1
    fi
done
exit $status
