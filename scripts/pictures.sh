#!/bin/sh
# pictures.sh - the pictures of docs/img that need no measurement.
#
# usage: pictures.sh [NAME ...]      (default: all; --list names them)
#        pictures.sh --stale         names of those that are not what they show
#
# emn: where two loads meet, by ndpmesh.  warps: what the warps of the example
# machine did, by ndprun and ndptrace.  flow: the README's picture, from
# docs/img/flow.dot by Graphviz, whose versions draw different bytes; so it holds a
# digest of its source.  Of the others figures.sh draws those of the pages, waves.sh
# the runs of blocks, area.sh and timing.sh the sizes.
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
pictures='emn flow warps'
room=$BUILD/pictures

flow_digest() { sha256sum docs/img/flow.dot | cut -c 1-16; }

# draw NAME: into $room/NAME.svg
draw() {
    case $1 in
    emn) "$BUILD/ndpmesh" --picture 17,46,48 -o "$room/emn.svg" ;;
    flow)
        dot -Tsvg docs/img/flow.dot -o "$room/flow.dot.svg"
        awk -v title="$(sed -n 's,^// title: ,,p' docs/img/flow.dot)" \
            -v digest="$(flow_digest)" -f scripts/picture.awk \
            "$room/flow.dot.svg" >"$room/flow.svg"
        ;;
    warps)
        "$BUILD/ndprun" docs/examples/reduce.yml \
            --device golden:docs/examples/machine.yml \
            --trace "$room/sum.ret" >"$room/log"
        "$BUILD/ndptrace" "$room/sum.ret" --svg "$room/warps.svg"
        ;;
    esac
}

is_stale() {
    if [ "$1" = flow ]; then
        ! grep -qs "<!-- figures $(flow_digest) -->" docs/img/flow.svg
    else
        draw "$1"
        ! cmp -s "$room/$1.svg" "docs/img/$1.svg"
    fi
}

stale=
case ${1:-} in
--list) echo "$pictures"; exit 0 ;;
--stale) stale=1; shift ;;
esac
for p; do
    case " $pictures " in
    *" $p "*) ;;
    *) echo "error: unknown picture '$p', expected one of: $pictures" >&2; exit 2 ;;
    esac
done
mkdir -p "$room"
for p in ${*:-$pictures}; do
    if [ -n "$stale" ]; then
        is_stale "$p" && echo "docs/img/$p.svg" || :
    else
        draw "$p"
        cp "$room/$p.svg" "docs/img/$p.svg"
        echo "wrote docs/img/$p.svg"
    fi
done
