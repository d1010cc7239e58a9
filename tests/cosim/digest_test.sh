#!/bin/sh
# digest_test.sh - what a replay depends on: the folders of its run description,
# of what that is based on, and of the PTX.
#
# Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=digest

mkdir -p own/deep base ptx other
echo 'base: ../../base/b.yml # of another folder' >own/deep/a.yml
printf 'ptx: "../ptx/k.ptx"\nsizes: {}\n' >base/b.yml
: >ptx/k.ptx
: >other/file
replay() {
    BUILD=. results=. sh -c ". '$top/scripts/ledger.sh'
        . '$top/scripts/cosim_digest.sh'
        kernel_of TARGET=nbu RUN=own/deep/a.yml SEED=1" 2>err
}
replay >before
for folder in own/deep base ptx; do
    : >$folder/new
    replay >now
    holds "a file beside $folder counts" [ "$(cmp -s before now; echo $?)" = 1 ]
    rm $folder/new
    replay >now
    holds "and nothing else" cmp -s before now
done
: >other/new
replay >now
holds "another folder does not" cmp -s before now
echo 'base: b.yml' >base/b.yml
replay >now
holds "a description based on itself comes to an end" grep -q 'base/b.yml$' now
holds "and nothing is said" [ ! -s err ]

done_testing
