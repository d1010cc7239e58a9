#!/bin/sh
# beside_test.sh - the emitted monitor beside the emitted controller, both as RTL: it
# tells nothing of it; a monitor of a part whose times are a cycle longer, for which
# each command is a cycle early, tells every rule that this controller can come near.
#
# usage: beside_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# The testbench is beside.v, the one of the note.  Without Icarus nothing is looked at.
set -u

cd "$(dirname "$0")/../.." || exit 2
command -v iverilog >/dev/null 2>&1 || { echo "beside_test.sh: no Icarus"; exit 0; }
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=beside

# emits TARGET FOLDER SET...: for the banks of beside.v
emits() {
    target=$1 folder=$2
    shift 2
    # shellcheck disable=SC2046
    status 0 '' --target "$target" --preset small $(printf ' --set %s' dram.groups=4 \
        dram.banks=4 timing.refi=1200 "$@") -o "$folder"
}

# runs MONITOR: with the contract's checks
runs() {
    iverilog -g2005 -DNDP_CHECKS -s beside -o "$1.vvp" "$top/tests/dram_monitor/beside.v" \
        channel/rtl/*.v "$1"/rtl/*.v && vvp -n "$1.vvp" +edges=25000 >"$1.log" && cat "$1.log"
}

emits dram_channel channel
emits dram_monitor right
emits dram_monitor slower timing.rcd=17 timing.ras=40 timing.rc=56 timing.rp=17 \
    timing.rtp=10 timing.wr=19 timing.ccds=5 timing.ccdl=7 timing.wtrs=4 timing.wtrl=10 \
    timing.rrds=5 timing.rrdl=7 timing.faw=27 timing.rtrs=3 timing.turn=3 timing.rfc=421
# the rules, by number, of the commands that dram_channel sends
told='0 1 2 3 4 5 9 10 11 12 13 14 15 16 17 18 20 21 22 23 24 27 29 30 31 32 34'
holds "both run" runs right
holds "nothing is told of thousands of commands" \
    grep -qx 'commands [1-9][0-9]\{3\} broken 0 late 00' right.log
holds "and nothing else" [ "$(wc -l <right.log)" = 1 ]
holds "a slower part's monitor runs" runs slower
holds "it names the first" grep -q '^rule 0: accelerator kind 3 rank 1 ' slower.log
broke() { [ "$(echo $(sed -n 's/^broke //p' slower.log))" = "$told" ] || { cat slower.log; false; }; }
holds "each rule is told" broke
done_testing
