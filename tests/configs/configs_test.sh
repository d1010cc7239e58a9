#!/bin/sh
# configs_test.sh - the draw of random configurations, from outside.
#
# usage: configs_test.sh   ($BUILD holds ndpgen, default: build)
#
# Mostly lists: `make check` has a step of its own that checks what they name.  Prints a
# line a check that failed, and a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=configs

draw() { BUILD=$build NDPGEN=$path sh "$top/scripts/configs.sh" --list "$@"; }
case $build in /*) ;; *) build=$top/$build ;; esac

targets=$("$path" --list-targets | grep -c '^[a-z]')
two=$((2 * targets))
draw --number $two --seed 4294967295 >all
holds "as many as asked for are drawn" [ "$(wc -l <all)" = $two ]
holds "of each target two" sh -c "
    \"$path\" --list-targets | awk '\$1 ~ /^[a-z]/ { print \$1 }' |
        while read -r t; do
            [ \"\$(grep -c \"^[0-9]* \$t \" all)\" = 2 ] || exit 1
        done"
holds "half of them small" [ "$(grep -c ' small ' all)" = "$targets" ]
holds "each changes a parameter" [ "$(grep -c '=' all)" = $two ]
draw --number $two --seed 4294967295 >again
holds "the same seed draws the same" cmp -s all again
draw --number $two --seed 7 >other
holds "another seed does not" sh -c '! cmp -s all other'
for awk in mawk gawk 'busybox awk'; do
    command -v "${awk%% *}" >/dev/null 2>&1 || continue
    "$path" --json --list-params --target nbu |
        $awk -v seed=3000000000 -v number=40 -f "$top/tests/configs/draw.awk"
done >words
holds "each awk draws the same" [ "$(sort -u words | wc -l)" = 1 ]
draw --light --number 30 --seed 1 >light
holds "--light leaves large ones out" sh -c \
    "! grep -qE ' (mesh|simt|system) | (tom|mpu|image) ' light"
draw --target prefetch --number 60 --seed 1 >one
holds "--target draws of one target" [ "$(grep -c '^[0-9]* prefetch ' one)" = 60 ]
for divider in reciprocal iterative pow2; do
    holds "$divider is drawn" grep -q "divider=$divider" one
done
holds "the least is drawn" grep -qE 'size_bits=8( |$)' one
holds "and the largest" grep -qE 'size_bits=32( |$)' one
holds "and what is beyond" grep -qE \
    'size_bits=(7|33)|pitch_bits=(3|17)|row_bits=(3|17)|images=[09]|queue=(0|65)|in_flight=(0|65)|id_bits=(0|17)|address_bits=(15|49)|counter_bits=(7|33)' one

# what a draw found: the size of a mesh
"$path" --target mesh --set mesh.width=32 --set mesh.height=8 -o wide >out 2>err
holds "a mesh of 256 nodes is emitted" [ $? = 0 ]
"$path" --target mesh --set mesh.width=32 --set mesh.height=17 -o wider >out 2>err
holds "one of 544 is refused" [ $? = 2 ]
holds "by the size of the mesh" grep -q "reduce 'mesh.width'" err

# and arithmetic that holds its pipe, where nothing else can
"$path" --target squeue --set simt.form=iterative --set fma.form=iterative -o held >out 2>err
holds "arithmetic that holds its pipe is refused in a service queue" [ $? = 2 ]
holds "by the form" grep -q "'simt.form' must be pipelined" err

draw --number 0 >out 2>err
holds "none at all is bad use" [ $? = 2 ]
draw --seed 1x >out 2>err
holds "a seed that is no number is refused" [ $? = 2 ]
holds "and named" grep -q '1x' err
draw --target nbus >out 2>err
holds "an unknown target is refused" [ $? = 2 ]

done_testing
