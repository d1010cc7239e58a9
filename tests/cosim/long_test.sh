#!/bin/sh
# long_test.sh - the record of long runs, from outside, with short ones.
#
# usage: long_test.sh   ($BUILD holds ndpgen, default: build)
#
# Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=long
BUILD=$(dirname "$path")
export BUILD
LONG_LEDGER=$room/long.tsv LONG_PAGE=$room/long.md
export LONG_LEDGER LONG_PAGE
tab=$(printf '\t')

long() { sh "$top/scripts/long.sh" "$@" >out 2>err; }

long --cycles 5000 --seed 5 credit
holds "a run is equal" grep -q '^credit verilator random mesh .* cycles 5000, .* mismatches 0, .* seed 5' out
holds "and counted" grep -q '^1 passed, 0 failed$' out
holds "without --update nothing is recorded" [ ! -e long.tsv ]
long --cycles 5000 --seed 5 --update credit
long --cycles 7000 --seed 6 --update credit
long --cycles 5000 --seed 5 --update credit
holds "runs are recorded" [ "$(grep -c '^TARGET=credit PRESET=mesh ' long.tsv)" -ge 2 ]
holds "with what they ran" grep -q "^TARGET=credit PRESET=mesh SIM=verilator STIM=random SEED=6 CYCLES=7000$tab[0-9a-f]\{8\}$tab[0-9a-f]\{8\}${tab}credit .*digest [0-9a-f]*${tab}[0-9]*$" long.tsv
long --sums credit
holds "and summed up" grep -q "^credit${tab}mesh${tab}12000${tab}" out
holds "the page has them" grep -q '^| `credit` | mesh | .* | 1.2 · 10^4 | 2 | [0-9]* |$' long.md

# of another RTL, of another model
cp long.tsv kept.tsv
sed "s/$tab[0-9a-f]*$tab/${tab}00000000$tab/" kept.tsv >long.tsv
long --sums credit
holds "runs of another RTL count apart" grep -q "^credit${tab}mesh${tab}0${tab}0${tab}12000${tab}" out
sed "s/$tab[0-9a-f]*${tab}credit/${tab}00000000${tab}credit/" kept.tsv >long.tsv
long --sums credit
holds "and of another model" grep -q "^credit${tab}mesh${tab}0${tab}0${tab}12000${tab}" out
cat kept.tsv >>long.tsv
long --page
holds "the page tells them apart" [ "$(grep -c '^| `credit` | mesh ' long.md)" = 2 ]
holds "and sums up" grep -q '^| \*\*all\*\* .* \*\*2.4 · 10^4\*\* | \*\*4\*\* ' long.md

# one that differs
cp kept.tsv long.tsv
echo '#!/bin/sh
case "$*" in *SEED=8*) echo "mismatch at cycle 3"; exit 1 ;; esac
echo "credit verilator random mesh 0: cycles 1, mismatches 0, digest 0"' >cosim.sh
LONG_COSIM=$room/cosim.sh long --cycles 9 --seed 8 --update credit
holds "one that differs is failure" [ $? = 1 ]
holds "with its command" grep -q 'FAILED: make cosim TARGET=credit PRESET=mesh .*SEED=8 CYCLES=9' out
holds "and is not recorded" cmp -s long.tsv kept.tsv
LONG_COSIM=$room/cosim.sh long --cycles 9 --seed 7 --update credit
holds "one that ends before its cycles is failure" [ $? = 1 ]
holds "with what was expected" grep -q "^error: .* expected 'cycles 9, " out
holds "and stays out of the record" cmp -s long.tsv kept.tsv

for words in "--cycles 0" "--cycles x" "--minutes" "--nonsense" "credits"; do
    # shellcheck disable=SC2086
    long $words
    holds "'$words' is refused" [ $? = 2 ]
    holds "with a reason" grep -q '^error: ' err
done
LONG_LEDGER='' LONG_PAGE=$room/now.md long --page
holds "docs/long.md is of the record" cmp -s "$top/docs/long.md" now.md

done_testing
