#!/bin/sh
# waves_test.sh - the timing diagrams of the notes are what the models do, and
# draw what they say.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
BUILD=${BUILD:-build}
case $BUILD in
/*) ;;
*) BUILD=$top/$BUILD ;;
esac
export BUILD
program=cosim_golden
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=waves

holds "every picture is as its run is" sh "$top/scripts/waves.sh"

draw() { awk -f "$top/docs/waves/draw.awk" -v target=toy "$@"; }
cat >toy.vcd <<'VCD'
$timescale 1ns $end
$scope module toy $end
$var wire 1 ! clk $end
$var wire 1 " rst $end
$var wire 1 # valid $end
$var wire 12 $ data $end
$upscope $end
$enddefinitions $end
#20
1!
0"
0#
b000000000000 $
#25
0!
#30
1!
1#
b101000001111 $
#35
0!
#40
1!
#45
0!
#50
1!
0#
#55
0!
VCD
printf '%s\n' 'title a < b' 'from 2' 'cycles 4' 'mark valid' valid \
    'data when valid as the word' >toy.wave
holds "a description is drawn" sh -c "awk -f '$top/docs/waves/draw.awk' \
    -v target=toy toy.wave toy.vcd >toy.svg"
holds "the title is escaped" grep -q '>a &lt; b</text>' toy.svg
holds "a value is in hexadecimal" grep -q '>a0f</text>' toy.svg
holds "one that is not valid is left out" [ "$(grep -c '"v"' toy.svg)" = 1 ]
holds "a row has its name" grep -q '>the word</text>' toy.svg
holds "marked columns are tinted" [ "$(grep -c '"m"' toy.svg)" = 2 ]

refuses() { # WHAT PATTERN, of toy.wave
    checks=$((checks + 1))
    draw toy.wave toy.vcd >out 2>err && fail "$1 is drawn"
    grep -q -e "$2" err || fail "$1 is not told of"
}
printf '%s\n' 'from 2' 'cycles 4' vaild >toy.wave
refuses "a port that is none" "no signal 'vaild' in the ports of toy"
printf '%s\n' 'from 2' 'cycles 5' valid >toy.wave
refuses "a run that is too short" 'ends before cycle 7'

for note in "$top"/docs/blocks/*.md; do
    name=${note##*/}
    name=${name%.md}
    [ -f "$top/docs/waves/$name.wave" ] || continue
    holds "$name's note shows its diagram" grep -q "(../img/wave-$name.svg)" "$note"
done
done_testing
