#!/bin/sh
# schema_test.sh - what programs print as JSON says which kind of JSON it is.
#
# usage: schema_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=schema_test.sh
. tests/common/room.sh
for p in ndpgen ndpcc ndpcheck ndpmesh ndpchannel ndpsim ndprun ndptrace ndpfuzz ndpnet; do
    needs "$build/$p"
done

# schema NAME PROGRAM WORD... - the first key of what it prints
schema() {
    name=$1 p=$2
    shift 2
    status 0 "$build/$p" "$@"
    python3 -c '
import json, sys
first = next(iter(json.load(open(sys.argv[1])).items()))
sys.exit(first != ("schema", sys.argv[2]) and f"{sys.argv[2]}: begins with {first}")
' "$room/out" "$name" 2>"$room/err" || fail "$(cat "$room/err")"
}
add=tests/runtime/add.yml
schema ndpgen-targets-1 ndpgen --list-targets --json
schema ndpcc-1 ndpcc kernels/axpy/axpy.ptx --json
schema ndpsim-1 ndpsim $add --json
schema ndprun-1 ndprun $add --device golden:tiny --json
status 0 "$build/ndprun" $add --device golden:tiny --trace "$room/add.ret"
schema ndptrace-1 ndptrace "$room/add.ret" --json
schema ndptrace-1 ndptrace "$room/add.ret" --compare "$room/add.ret" --json
schema ndpfuzz-1 ndpfuzz --count 1 --json
schema ndpnet-1 ndpnet --load 0.1 --cycles 100 --json
schema ndpmesh-1 ndpmesh --hops 17,46,48 --json
schema ndpchannel-1 ndpchannel --op copy --cycles 1000 --json
printf 'cycle,command,rank,group,bank\n1,ACT,0,0,0\n' >"$room/one.csv"
schema ndpcheck-1 ndpcheck "$room/one.csv" --json
if [ -x "$build/cosim_golden" ]; then
    schema cosim-1 cosim_golden --target credit --cycles 2000 --json
fi
done_testing
