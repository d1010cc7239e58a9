#!/bin/sh
# soc_test.sh - the example of docs/soc.md: three blocks on one bus, as its
# commands build and run them.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=soc
unset MAKEFLAGS MAKELEVEL MFLAGS

# in a copy: nothing is left beside the example
cp -R "$top/docs/examples/soc" soc
example() { make -s -C soc "$@" "NDPGEN=$path" OUT=out; }

if command -v iverilog >/dev/null 2>&1; then
    holds "the example runs" example run
    holds "it says what it did" grep -q '^answer: offload to 3: c0000003$' \
        soc/out/said
    # a header of another configuration than the RTL
    sed -i -e '/_HASH /!b' -e 's/0$/1/;t' -e 's/.$/0/' \
        soc/out/offload/include/ndp_offload.vh
    rm soc/out/soc.vvp
    checks=$((checks + 1))
    example run >said 2>&1 && fail "a header of something else passes"
    grep -q 'error: hash, low word' said || fail "the hash is not compared"
    rm -rf soc/out
fi
if command -v verilator >/dev/null 2>&1 && command -v yosys >/dev/null 2>&1; then
    quiet() { said=$(example lint 2>&1) && [ -z "$said" ] || { echo "$said"; false; }; }
    holds "Verilator and Yosys have nothing to say" quiet
fi
done_testing
