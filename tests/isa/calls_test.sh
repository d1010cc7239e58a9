#!/bin/sh
# calls_test.sh - a kernel with calls leaves the same on the machine, which has
# none, as on the executor, which has.
#
# usage: calls_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=calls_test.sh
. tests/common/room.sh
needs "$build/ndpsim" "$build/ndprun"

# sums COMMAND... - the checksums of the buffers
sums() { "$@" --json | sed -n 's/.*"checksum": "\(0x\)\{0,1\}\([0-9a-f]*\)".*/\2/p'; }

sums "$build/ndpsim" tests/isa/calls.yml >"$room/executor"
for registers in 16 64; do
    sums "$build/ndprun" tests/isa/calls.yml --device untimed:plain \
        --set simt.registers=$registers >"$room/machine"
    if [ "$(wc -l <"$room/machine")" = 2 ] &&
        cmp -s "$room/executor" "$room/machine"; then
        passed=$((passed + 1))
    else
        fail "the machine with $registers registers differs from the executor"
    fi
done
done_testing
