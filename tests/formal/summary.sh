#!/bin/sh
# summary.sh WORK - what is proved and what not, block by block, in Markdown.
#
# Out of WORK/table.tsv (the results of all jobs), tests/*/proofs.txt and
# breaks.txt, and of what ndpgen emits: each block at its paper's sizes, and at
# the configurations of its jobs.  summary.awk says what it looks for.
#
# Environment: NDPGEN.
set -eu

here=$(dirname "$0")
work=$1
rm -rf "$work/whole" "$work"/rtl-*
mkdir -p "$work/whole"
generate() { # FOLDER OPTION...
    folder=$1
    shift
    "$NDPGEN" "$@" -o "$folder" >"$work/whole.log" 2>&1 </dev/null || {
        cat "$work/whole.log" >&2
        exit 1
    }
}
"$NDPGEN" --list-targets >"$work/targets"
while read -r target preset _; do
    generate "$work/whole/$target" --target "$target" --preset "$preset"
done <"$work/targets"
awk '!/^#/ && NF { split(FILENAME, path, "/"); print path[2], $6 }' \
    tests/*/proofs.txt | sort -u | while read -r target config; do
    generate "$work/rtl-$target-$config" --target "$target" \
        --config "tests/$target/formal/$config.yml"
done
# of the folders of jobs only: others may be left from an older tree
{
    cut -d ' ' -f 1 "$work/targets" | sed 's,^,whole/,'
    awk '!/^#/ && NF { split(FILENAME, path, "/"); print "rtl-" path[2] "-" $6 }' \
        tests/*/proofs.txt | sort -u
} | while read -r from; do
    find "$work/$from/rtl" "$work/$from/formal" -name '*.v*' | sort
done >"$work/verilog"
ls rtl-templates/*/*.v >"$work/templates"
# RTL twice: which modules there are, then who stands in whom
# shellcheck disable=SC2046
awk -f "$here/summary.awk" work="$work" "$work/targets" \
    "$work/templates" "$here/proofs.head" \
    tests/*/proofs.txt tests/*/breaks.txt "$work/table.tsv" \
    $(cat "$work/verilog") $(grep '/rtl/' "$work/verilog")
