#!/bin/sh
# ndpbist_test.sh - windows on a block under test from outside: the command line,
# recordings of the lock-step bench, planted faults, and the RTL of a board with
# a serial line in front.
#
# usage: ndpbist_test.sh
cd "$(dirname "$0")/../.." || exit 2
set -u
LC_ALL=C
export LC_ALL
here=$PWD
program=ndpbist
. tests/common/cli.sh
case $build in
/*) ;;
*) build=$here/$build ;;
esac
small="--target emn --preset small"
asks=req_valid,req_id,req_core,req_mem0,req_mem1
says() { grep -q -e "$1" out; }

# --- command line -------------------------------------------------------------

status 0 '' --help
holds "usage is shown" says '^usage: ndpbist --target BLOCK'
status 0 '' --version
status 2 "no target" --sizes
status 2 "did you mean 'emn'" --target enm --sizes
status 0 '' $small --sizes
holds "sizes are what ndpgen takes" says \
    '^--set bist.in_bits=55 --set bist.out_bits=43$'
status 2 "nothing to play" $small
status 2 "found both" $small --free req_id some.vcd
status 2 "go with '--free PORTS'" $small --seed 3 some.vcd
status 2 "cannot read 'nowhere.vcd'" $small nowhere.vcd
status 2 "has no input 'ans_id'" $small --free ans_id
status 2 "unknown device 'usb:3'" $small --free req_id --device usb:3
status 2 "board_sim.sh icarus" $small --free req_id --device icarus:nowhere
status 2 "has no output 'ans_id\[9\]'" $small --free req_id \
    --device 'golden:ans_id[9]@1'
status 2 "holds at most 928" --target nbu --preset mpu --free rst
printf '$var wire 1 ! clk $end $enddefinitions $end #0\n' >empty.vcd
status 2 "no signal 'rst'" $small empty.vcd
full_disk $small --free req_id --edges 10

# --- golden boards ------------------------------------------------------------

"$build/cosim_golden" $small --quiet --cycles 5000 --values emn.vcd >log 2>&1 ||
    fail "the bench does not record"
status 0 '' $small emn.vcd --passes 20 --set bist.window=64
holds "all windows are right" says \
    '^emn: [0-9]* windows, [0-9]* edges, every signature as expected$'
status 1 '' $small emn.vcd --device 'golden:ans_id[2]@30' --stream wrong.tsv
holds "the edge is found" says '^the first wrong edge is 34 of 256; 256 streamed back, 1 wrong$'
holds "the port is named" says '^  *34  ans_id '
holds "the window is written, a line an edge" test "$(wc -l <wrong.tsv)" = 257
holds "with what differs" awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["ans_id"] != $at["device:ans_id"] { n++; edge = $1 }
    END { exit n != 1 || edge != 34 }' wrong.tsv
status 1 '' $small emn.vcd --device 'golden:ans_id[2]#300' --passes 5
holds "what does not come again is said" says 'does not come again'
status 0 '' $small --free $asks --edges 3000 --runs 3
holds "three runs" says '^emn: 3 windows, 9000 edges'
status 1 '' $small --free $asks --edges 3000 --runs 3 \
    --device 'golden:ans_node[0]@2500'
holds "the seed is named" says '^free inputs from seed 1: pass 1 of 1'

# --- a board ------------------------------------------------------------------

# A few edges are enough to see that all of it is joined: the line, the bridge,
# the player and the block.
if command -v iverilog >/dev/null 2>&1; then
    (cd "$here" && sh scripts/board.sh hx8k --block emn --rtl -o "$room/board" \
        --set bist.window=32) >log 2>&1 || fail "board.sh makes no RTL"
    cp -r board broken
    sed -i 's/assign ans_valid = .*;/assign ans_valid = valids[STAGES-1] \&\& ans_id != 4'\''d0;/' \
        broken/rtl/emn/rtl/ndp_emn.v
    for b in board broken; do
        (cd "$here" && sh scripts/board_sim.sh icarus "$room/$b") >log 2>&1 ||
            fail "board_sim.sh refuses $b"
    done
    # edges of lookups, behind those on which the bench reads the hash
    status 0 '' $small --free $asks --edges 500 --device icarus:board
    holds "the RTL is right" says '^emn: 1 windows, 500 edges, every'
    "$build/cosim_golden" $small --quiet --cycles 21 --values few.vcd >log 2>&1
    status 0 '' $small few.vcd --device icarus:board
    status 1 '' $small --free $asks --edges 12 --device icarus:broken
    holds "a fault in the RTL is streamed back" says '12 streamed back'
    holds "at its output" says '^  *[0-9]*  ans_valid  *1  *0$'
fi

done_testing
