#!/bin/sh
# ndpnet_test.sh - the command line of ndpnet, from outside: curves, exit statuses,
# messages, nothing half written.
#
# usage: ndpnet_test.sh [PATH-OF-NDPNET]   (default: $BUILD/ndpnet, build/ndpnet)
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
program=ndpnet
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

quick="--cycles 500 --warm 100"
status 0 '' --help
status 0 '' --version
status 2 "unknown option '--laod', did you mean '--load'" --laod 0.1
status 2 "'--load' is '0.1,x', expected at most 64 numbers from 0.001 to 1" --load 0.1,x
status 2 "'--load' is '2', expected" --load 2
status 2 "uniform|transpose|complement|neighbour|memory" --pattern ring
status 2 "did you mean 'uniform'" --pattern unifrom
status 2 "pattern 'transpose' wants a mesh with as many columns as rows" \
    --pattern transpose --set mesh.width=4 --set 'mesh.memory_nodes=[2]'
status 2 "mesh.memory_nodes" --set mesh.width=2
status 2 "/missing/x" --out /missing/x $quick

# shellcheck disable=SC2086 # the options are words without blanks inside
status 0 '' --load 0.1,0.2 $quick
holds "a row each load" sh -c 'test "$(grep -c "^ *0\.[12]00 " out)" = 2'
# shellcheck disable=SC2086
status 0 '' --load 0.9 --pattern memory $quick
holds "saturation is told" grep -q 'saturated$' out
# shellcheck disable=SC2086
status 0 '' --load 0.1 --json --flits 1 $quick
holds "JSON" grep -q '"saturated": false' out
full_disk --load 0.1 --cycles 500

done_testing
