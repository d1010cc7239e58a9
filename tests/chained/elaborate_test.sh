#!/bin/sh
# elaborate_test.sh - the RTL of chained_paper, 64 nodes, elaborates as a whole: every instance
# has its module and every connection its port.  Lock-step runs smaller machines of the same
# modules, and lint takes verilator minutes here.
#
# usage: elaborate_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=elaborate_test.sh
. tests/common/room.sh
needs "$build/ndpgen"
if ! command -v yosys >/dev/null 2>&1; then
    echo "elaborate_test.sh: skipped, no yosys on this machine"
    exit 0
fi

status 0 "$build/ndpgen" --target chained --preset chained_paper -o "$room/paper"

# elaborate STATUS FILE... - what hierarchy -check says of these files of rtl/
elaborate() {
    want=$1
    shift
    status "$want" yosys -p "read_verilog $*; hierarchy -check -top ndp_chained"
}

files=$(sed 's,//.*,,' "$room/paper/ndp_chained.f" | sed -n "s,^rtl/,$room/paper/rtl/,p" | tr '\n' ' ')
# shellcheck disable=SC2086 # words
elaborate 0 $files
for part in simt:55 memory:8 router:64 oqueue:55 squeue:63; do
    module=${part%%:*} n=${part##*:}
    found=$(grep -c "^ *ndp_chained_$module " "$room/paper/rtl/ndp_chained.v")
    status 0 [ "$found" -eq "$n" ]
done

# a port that its module does not have is found
sed 's/\.at_node\b/.at_nodes/' "$room/paper/rtl/ndp_chained.v" >"$room/ndp_chained.v"
status 1 cmp -s "$room/ndp_chained.v" "$room/paper/rtl/ndp_chained.v"
# shellcheck disable=SC2046 # words
elaborate 1 $(echo "$files" | sed "s,[^ ]*/ndp_chained\.v,$room/ndp_chained.v,")
says err "does not have a port named 'at_nodes'"

done_testing
