#!/bin/sh
# figures.sh - the pages of figures: what the papers print, measured here.
#
# usage: figures.sh [PAGE ...]       (default: all; --list names them)
#
# A page is a folder of docs/pages: `runs` lists the programs to run, *.md is the
# template of the page in docs/, *.gp that of a gnuplot picture in docs/img/, *.lua
# is what these share.  docs/templates.md explains them.
#
# Results stay in $BUILD/figures/PAGE, so that a program runs again only after
# a change of its command, of itself or of the kernels that it reads; JOBS (2)
# run at a time.
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
pages=$(cd docs/pages && echo */runs | sed 's,/runs,,g')

[ "${1:-}" != --list ] || { echo "$pages"; exit 0; }
for p; do
    case " $pages " in
    *" $p "*) ;;
    *) echo "error: unknown page '$p', expected one of: $pages" >&2; exit 2 ;;
    esac
done

# --- for lists of runs ---------------------------------------------------------

# each PATTERN WORD...: the pattern with each word in the place of its '%'
each() (
    pattern=$1
    shift
    for word; do echo "$pattern" | sed "s,%,$word,g"; done
)

# run NAME PROGRAM ARGUMENT...: a program of the build, whose JSON the templates
# see as data.NAME; no blanks or quotes in the arguments
run() (
    out=$dir/$1 program=$BUILD/$2
    echo "$1=$out.json" >>"$dir/data"
    shift 2
    key=$({ echo "$program $*"; sources "$program" "$@"; } | sha256sum | cut -c 1-64)
    [ -f "$out.json" ] && echo "$key" | cmp -s - "$out.key" ||
        echo "$out $key $program${*:+ $*}" >>"$dir/todo"
)

# What a result depends on: the program, and the folders of the files that it is
# given, as a run description names others.
sources() {
    cat "$1"
    for word; do
        case $word in
        kernels/*/*) cat "${word%/*}"/*.yml "${word%/*}"/*.ptx 2>/dev/null || : ;;
        esac
    done
}

# --- pages ---------------------------------------------------------------------

execute() {
    echo "figures: $p: $(wc -l <"$dir/todo") of $(wc -l <"$dir/data") runs to do"
    xargs -L 1 -P "${JOBS:-2}" sh -c '
        out=$1 key=$2
        shift 2
        "$@" --json >"$out.tmp" || { echo "figures: failed: $*" >&2; exit 1; }
        mv "$out.tmp" "$out.json"
        echo "$key" >"$out.key"' run <"$dir/todo" || exit 1
}

# render TEMPLATE FILE
render() {
    # shellcheck disable=SC2046
    "$BUILD/ndppage" "$1" -o "$2" $(cat "$dir/data")
}

# draw TEMPLATE NAME
draw() {
    render "$1" "$dir/$2.gp"
    gnuplot "$dir/$2.gp" >"$dir/$2.svg"
    cp "$dir/$2.svg" "docs/img/$2.svg"
    echo "wrote docs/img/$2.svg"
}

for p in ${*:-$pages}; do
    from=docs/pages/$p
    dir=$BUILD/figures/$p
    mkdir -p "$dir" docs/img
    : >"$dir/todo"
    : >"$dir/data"
    # shellcheck disable=SC1090
    (. "./$from/runs")
    [ ! -s "$dir/todo" ] || execute
    for picture in "$from"/*.gp; do
        [ -f "$picture" ] || continue
        draw "$picture" "$(basename "$picture" .gp)"
    done
    for page in "$from"/*.md; do
        render "$page" "docs/${page##*/}"
        echo "wrote docs/${page##*/}"
    done
done
