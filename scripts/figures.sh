#!/bin/sh
# figures.sh - the papers' figures, measured here, one page each.
#
# usage: figures.sh [PAGE ...]       (default: all; --list names them)
#
# nbu          docs/figures-nbu.md      register locations, traffic by policy
# candidates   docs/candidates.md       its tables: what could be offloaded
# tom          docs/figures-tom.md      traffic by mode, mappings
# chains       docs/figures-chains.md   instructions and requests in chains
# image        docs/figures-image.md    misses and accuracy of prefetchers
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
export BUILD
pages="nbu candidates tom chains image"

[ "${1:-}" != --list ] || { echo "$pages"; exit 0; }
for p; do
    case " $pages " in
    *" $p "*) ;;
    *) echo "error: unknown page '$p', expected one of: $pages" >&2; exit 2 ;;
    esac
done

# A page appears whole or stays as it was.
page() { # file, command...
    file=$1
    shift
    "$@" >"$BUILD/page.md" && cp "$BUILD/page.md" "$file"
    echo "wrote $file"
}

# The text stands above the line that says how the tables were made.
candidates() {
    sed '/^Made by `sh scripts\/figures_candidates.sh`/q' docs/candidates.md
    echo
    sh scripts/figures_candidates.sh
}

for p in ${*:-$pages}; do
    case $p in
    candidates) page docs/candidates.md candidates ;;
    chains) page docs/figures-chains.md sh scripts/figures_chains.sh ;;
    *) sh "scripts/figures_$p.sh" ;;
    esac
done
