#!/bin/sh
# ndpmesh_test.sh - the command line of ndpmesh, from outside: exit statuses,
# messages, nothing half written.
#
# usage: ndpmesh_test.sh [PATH-OF-NDPMESH]   (default: $BUILD/ndpmesh, build/ndpmesh)
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
program=ndpmesh
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

status 0 '' --help
status 0 '' --version
status 2 "expected one of --table, --hops and --picture"
status 2 "expected one of --table, --hops and --picture" --hops 17,46,48 --table
status 2 "given twice" --hops 17,46,48 --hops 17,46,48
status 2 "unknown option '--tabel', did you mean '--table'" --tabel
status 2 "unknown preset 'meshh', did you mean" --preset meshh --table

# --- hops ---------------------------------------------------------------------
status 0 '' --hops 17,46,48,60
holds "the paper's hops" grep -q '^with offloading       30        78$' out
status 0 '' --hops 17,46,48,60 --json
holds "they are the same as JSON" sh -c '[ "$(tr -d " \n" <out |
    sed "s/.*\"core/\"core/")" = "\"core\":17,\"a\":46,\"b\":48,\"c\":60,\"meet\":41,\"to_meet\":3,\
\"without\":{\"hops\":42,\"weighted\":126},\"offloaded\":{\"hops\":30,\"weighted\":78},\
\"saved_percent\":{\"hops\":29,\"weighted\":38}}" ]'
status 0 '' --hops 17,46,48 --json
holds "no store is null" grep -qx '  "c": null,' out
status 2 "'--json' goes with '--hops'" --table --json
status 2 "'--hops' expects CORE,A,B or CORE,A,B,C" --hops 1,2
status 2 "node 2, of load a, has no memory" --hops 17,2,13
status 0 '' --set mesh.width=20 --set mesh.height=20 \
    --set mesh.memory_nodes="$(seq -s, 0 12)" --hops 100,0,5
holds "no table limits a question" grep -q '^meet node  node 0 at' out

# --- the table ----------------------------------------------------------------
status 0 '' --table
holds "56 cores by 64 pairs" sh -c '[ "$(wc -l <out)" = 3584 ]'
holds "the paper's meet node" grep -qx '17 46 48 41' out
status 0 '' --set mesh.width=3 --set mesh.height=2 \
    --set 'mesh.memory_nodes=[0, 5]' --table -o table.txt
holds "a table goes into a file" sh -c '[ "$(wc -l <table.txt)" = 16 ]'
status 0 '' --set mesh.width=32 --set mesh.height=32 \
    --set mesh.memory_nodes="$(seq -s, 0 8)" --table -o -
holds "all of a large mesh" sh -c '[ "$(wc -l <out)" = $((1015 * 81)) ]'
status 0 '' --set emn.core=3 --table
holds "one core's table" sh -c '[ "$(wc -l <out)" = 64 ]'
status 0 '' --preset small --table
holds "a preset's mesh" sh -c '[ "$(wc -l <out)" = $((12 * 16)) ]'
status 2 "^--set mesh.width=4: error: 'mesh.memory_nodes' lists 36, 46, 48 and \
60, expected nodes 0 to 31 .*; give a list" --table --set mesh.width=4
status 2 "lists 1 twice" --table --set mesh.memory_nodes=1,6,1
status 2 "'emn.core' is 64, expected a node 0 to 63" --table --set emn.core=64

# --- the picture --------------------------------------------------------------
status 0 '' --picture 17,46,48 -o emn.svg
holds "a drawing goes into a file" grep -q '^</svg>$' emn.svg
status 2 "node 64, the core, is outside" --picture 64,1,6
status 2 "^none/x.svg: error: cannot write: No such" --picture 17,46,48 \
    -o none/x.svg

mkdir kept && status 2 "^kept: error: cannot write: Is a directory" \
    --hops 17,46,48 -o kept
holds "a failed report leaves nothing" rmdir kept
full_disk --table

done_testing
