#!/bin/sh
# viewers_test.sh - what ndptrace writes for Perfetto and Konata, held against its own list.
#
# usage: viewers_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=viewers_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndptrace"
ndptrace=$build/ndptrace
leave() { rm -rf "$room"; }

# look NAME PTX - both formats of $room/NAME.ret against the list
look() {
    t=$room/$1.ret
    status 0 "$ndptrace" "$t" --json
    cp "$room/out" "$room/list.json"
    status 0 "$ndptrace" "$t" --perfetto "$room/$1.json" --ptx "$2"
    status 0 python3 tests/runtime/viewers.py perfetto "$room/$1.json" "$room/list.json"
    status 0 "$ndptrace" "$t" --konata "$room/$1.log" --ptx "$2"
    status 0 python3 tests/runtime/viewers.py konata "$room/$1.log" "$room/list.json"
}
# two launches, a barrier, shared memory, CTAs that take turns
status 0 "$build/ndprun" docs/examples/reduce.yml --device golden:docs/examples/machine.yml \
    --trace "$room/sum.ret"
look sum kernels/reduce/reduce.ptx
status 0 grep -q '"stall: barrier"' "$room/sum.json"
status 0 grep -q '"stall: load"' "$room/sum.json"
status 0 grep -q '"name":"CTA 5"' "$room/sum.json"
status 0 grep -q '"launch 2: reduce"' "$room/sum.json"
status 0 grep -q 'PTX line.*ld.global' "$room/sum.log"
# divergence, many launches
status 0 "$build/ndprun" kernels/bfs/bfs.yml --size tiny --trace "$room/bfs.ret"
look bfs kernels/bfs/bfs.ptx

# --- a part, standard output, and what does not go together ---------------------
t=$room/sum.ret
status 0 "$ndptrace" "$t" --perfetto - --launch 2
says out '"launch 2: reduce"'
status 1 grep -q '"launch 1: reduce"' "$room/out"
status 0 "$ndptrace" "$t" --konata - --warp 1 --launch 2
says out 'warp 1, CTA 0'
status 1 grep -q 'warp 0, CTA' "$room/out"
status 2 "$ndptrace" "$t" --perfetto "$room/x" --konata "$room/y"
says err "'--perfetto' and '--konata' do not go together"
status 2 "$ndptrace" "$t" --perfetto "$room/x" --json
status 2 "$ndptrace" "$t" --svg "$room/x" --konata "$room/y"
status 2 "$ndptrace" "$t" --perfetto "$room/no/x"
status 1 test -e "$room/x"
done_testing
