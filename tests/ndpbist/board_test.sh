#!/bin/sh
# board_test.sh - windows on the RTL of a board, with a serial line in front, and
# with a fault in it.
#
# usage: board_test.sh
#
# A few edges are enough to see that all is joined: the line, the bridge, the
# player and the block.  Without Icarus there is nothing to do.
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
bus=wb_cyc,wb_stb,wb_we,wb_adr,wb_dat_w,wb_sel
says() { grep -q -e "$1" out; }

if ! command -v iverilog >/dev/null 2>&1; then
    echo "board_test.sh: skipped, no iverilog on this machine" >&2
    done_testing
    exit
fi
(cd "$here" && BUILD=$build sh scripts/board.sh hx8k --block emn --rtl \
    -o "$room/board" --set bist.window=32) >log 2>&1 || fail "board.sh makes no RTL"
cp -r board broken
edit='s/assign ans_valid = .*;/assign ans_valid = valids[STAGES-1] \&\& ans_id != 4'\''d0;/'
sed "$edit" board/rtl/emn/rtl/ndp_emn.v >broken/rtl/emn/rtl/ndp_emn.v
holds "the fault is planted" sh -c '! cmp -s "$@"' - \
    board/rtl/emn/rtl/ndp_emn.v broken/rtl/emn/rtl/ndp_emn.v
for b in board broken; do
    (cd "$here" && sh scripts/board_sim.sh icarus "$room/$b") >log 2>&1 ||
        fail "board_sim.sh refuses $b"
done
status 0 '' $small --free $asks,$bus --edges 24 --passes 20 --device icarus:board
holds "the RTL is right" says '^emn: 1 windows, 480 edges, every'
status 1 '' $small --free $asks --edges 10 --device icarus:broken
holds "a fault in the RTL is streamed back" says '10 streamed back'
holds "at its output" says '^  *[0-9]*  ans_valid  *1  *0$'

done_testing
