#!/bin/sh
# probes_test.sh - the runner of probes, on a tree of its own: what it calls caught,
# what it must not pass over, and what a sample leaves out.
#
# usage: probes_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=probes_test.sh
. tests/common/room.sh
unset ALL SAMPLE PART JOBS

tree=$room/tree
mkdir -p "$tree/scripts" "$tree/tests/a"
cp scripts/probes.sh scripts/ledger.sh "$tree/scripts"
echo right >"$tree/word"
probes() { BUILD=build sh "$tree/scripts/probes.sh" "$@" </dev/null; }

# probe NAME EDIT CHECK EXPECT [slow] - one more
probe() {
    printf 'probe %s\nsource word\nedit %s\ncheck %s\nexpect %s\n' \
        "$1" "$2" "$3" "$4"
    [ -z "${5:-}" ] || echo "$5"
    echo
}
only_right='grep -q right word || { echo it is wrong; exit 1; }'

# a check that reads its input leaves those behind it alone
{
    probe first s/right/wrong/ "cat; $only_right" 'it is wrong'
    probe second s/right/wrong/ "$only_right" 'is wrong'
    probe third s/right/wrong/ "$only_right" 'it is' slow
} >"$tree/tests/a/probes.txt"
for jobs in 1 2; do
    export JOBS=$jobs
    status 0 probes
    says out "caught  first"
    says out "caught  second"
    says out "3 passed, 0 failed"
    status 0 probes --quick
    holds_back out third
    says out "2 passed, 0 failed"
done
export JOBS=1
status 0 probes second
says out "1 passed, 0 failed"

# what is not caught
{
    probe unseen s/right/right,/ "$only_right" 'it is wrong'
    probe other s/right/wrong/ "$only_right" 'it is late'
    probe nothing s/left/wrong/ "$only_right" 'it is wrong'
    probe never s/left/wrong/ "$only_right" 'it is wrong' slow
} >"$tree/tests/a/probes.txt"
status 1 probes --quick
says out "FAILED  unseen                       nobody noticed"
says out "FAILED  other                        red for another reason"
says out "FAILED  nothing                      the edit changes nothing in word"
says out "FAILED  never                        the edit changes nothing in word"
says out "0 passed, 4 failed"
probe red s/right/wrong/ false 'x' >"$tree/tests/a/probes.txt"
status 1 probes
says out "FAILED  unbroken                     false"

# one in three, by the seed; of the others the edit is looked at
i=0
while [ $i -lt 30 ]; do
    probe "number-$i" s/right/wrong/ "$only_right" 'it is wrong'
    i=$((i + 1))
done >"$tree/tests/a/probes.txt"
export SAMPLE=1
status 0 probes --sample
says out "sample 1"
grep '^caught' "$room/out" >"$room/one"
status 0 [ "$(wc -l <"$room/one")" -ge 3 ]
status 0 [ "$(wc -l <"$room/one")" -le 17 ]
status 0 probes --sample
grep '^caught' "$room/out" >"$room/again"
status 0 cmp "$room/one" "$room/again"
export SAMPLE=2
status 0 probes --sample
grep '^caught' "$room/out" >"$room/other"
status 1 cmp -s "$room/one" "$room/other"
sed -i 's,^edit .*,edit s/left/wrong/,' "$tree/tests/a/probes.txt"
status 1 probes --sample
says out "0 passed, 30 failed"
export SAMPLE=x
status 2 probes --sample
says err "SAMPLE is 'x'"
unset SAMPLE
status 2 probes --fast
says err "unknown option '--fast'"

done_testing
