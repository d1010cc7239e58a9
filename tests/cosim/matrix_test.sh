#!/bin/sh
# matrix_test.sh - the list of lock-step runs, from outside.
#
# usage: matrix_test.sh   ($BUILD holds ndpgen, default: build)
#
# Listing may happen while a `make check` is under way in the same folder, so it
# leaves that folder as it is.  Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=matrix

mkdir -p made/check/cosim
ln -s "$path" made/ndpgen
echo "TARGET=credit" >made/check/cosim/list
echo "as it was" >made/check/cosim/1.result
cp -R made/check before

list() { BUILD=$room/made FRESH=7 sh "$top/scripts/cosim_matrix.sh" --list "$@"; }

list --target credit >credit
holds "the runs of a unit are listed" [ "$(grep -c '^TARGET=credit ' credit)" -ge 12 ]
holds "and no other's" [ "$(grep -vc '^TARGET=credit ' credit)" = 0 ]
holds "the fresh seed is among them" grep -q ' SEED=7 ' credit
holds "a run under way is not touched" diff -r before made/check
list >all
holds "without --target it is every block" sh -c "
    made/ndpgen --list-targets | awk '\$1 ~ /^[a-z]/ { print \$1 }' |
        while read -r t; do grep -q \"^TARGET=\$t \" all || exit 1; done"
list --target credits >out 2>err
holds "an unknown target is refused" [ $? = 2 ]
holds "and named" grep -q "unknown target 'credits'" err

done_testing
