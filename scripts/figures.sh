#!/bin/sh
# figures.sh - the pages of figures: what the papers print, measured here.
#
# usage: figures.sh [PAGE ...]       (default: all; --list names them)
#        figures.sh --stale          pictures of another template or page
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
    [ "$p" != --stale ] || continue
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
    case $only in '' | *" $1 "*) ;; *) return ;; esac
    out=$results/$1 program=$BUILD/$2
    echo "$prefix$1=$out.json" >>"$dir/data"
    shift 2
    key=$({ echo "$program $*"; sources "$program" "$@"; } | sha256sum | cut -c 1-64)
    [ -f "$out.json" ] && echo "$key" | cmp -s - "$out.key" ||
        echo "$out $key $program${*:+ $*}" >>"$dir/todo"
)

# of PAGE [NAME...]: the runs of another page, all or some of them, as
# data.PAGE_NAME; both pages share the results
of() (
    results=$BUILD/figures/$1 prefix=$1_ runs=docs/pages/$1/runs
    shift
    only=${*:+ $* }
    mkdir -p "$results"
    # shellcheck disable=SC1090
    . "./$runs"
)

# What a result depends on: the program, and the folders of the files that it is
# given, as a run description names others.
sources() {
    cat "$1"
    for word; do
        case $word in
        kernels/*/*) cat "${word%/*}"/*.yml "${word%/*}"/*.ptx 2>/dev/null || : ;;
        "$BUILD"/figures/*.ptx) cat "$word" ;; # made by a list of runs
        docs/pages/*.yml) cat "$word" ;;
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

# What a picture is drawn from, as far as the tree has it: its template and all
# tables of the page.  It stands in the picture, since gnuplots of different
# versions draw different bytes.
picture_digest() { # PAGE PICTURE
    {
        cat "docs/pages/$1/$2.gp"
        for page in "docs/pages/$1"/*.md; do
            grep '^|' "docs/${page##*/}" || :
        done
    } | sha256sum | cut -c 1-16
}

# pictures PAGE: names of those that it draws
pictures() (
    cd "docs/pages/$1"
    for picture in *.gp; do
        [ ! -f "$picture" ] || echo "${picture%.gp}"
    done
)

# draw PICTURE, of page $p
draw() {
    render "$from/$1.gp" "$dir/$1.gp"
    gnuplot "$dir/$1.gp" >"$dir/$1.svg"
    awk -v title="$(sed -n 's/^# title: //p' "$dir/$1.gp")" \
        -v digest="$(picture_digest "$p" "$1")" -f scripts/picture.awk \
        "$dir/$1.svg" >"docs/img/$1.svg"
    echo "wrote docs/img/$1.svg"
}

if [ "${1:-}" = --stale ]; then
    for p in $pages; do
        for picture in $(pictures "$p"); do
            grep -qs "<!-- figures $(picture_digest "$p" "$picture") -->" \
                "docs/img/$picture.svg" || echo "docs/img/$picture.svg"
        done
    done
    exit 0
fi

for p in ${*:-$pages}; do
    from=docs/pages/$p
    dir=$BUILD/figures/$p
    results=$dir prefix='' only=''
    mkdir -p "$dir" docs/img
    : >"$dir/todo"
    : >"$dir/data"
    # shellcheck disable=SC1090
    (. "./$from/runs")
    [ ! -s "$dir/todo" ] || execute
    for page in "$from"/*.md; do
        render "$page" "docs/${page##*/}"
        echo "wrote docs/${page##*/}"
    done
    for picture in $(pictures "$p"); do
        draw "$picture"
    done
done
