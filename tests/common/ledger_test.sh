#!/bin/sh
# ledger_test.sh - what scripts/ledger.sh vouches for, redoes and writes.
#
# Prints one line a check that failed; closes with a count.
set -u
cd "$(dirname "$0")/../.." || exit 2
. scripts/ledger.sh
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
cd "$room" || exit 2
passed=0 failed=0
unset ALL UPDATE

holds() { # what, command...
    what=$1
    shift
    if "$@" >out 2>&1; then
        passed=$((passed + 1))
    else
        echo "ledger_test.sh: $what" >&2
        sed 's/^/    /' out >&2
        failed=$((failed + 1))
    fi
}
# says WHAT STATUS PATTERN COMMAND... - run here, so that it may set variables
says() {
    what=$1 want=$2 pattern=$3
    shift 3
    got=0
    "$@" >out 2>&1 || got=$?
    if [ $got = "$want" ] && grep -q -e "$pattern" out; then
        passed=$((passed + 1))
    else
        echo "ledger_test.sh: $what: status $got" >&2
        sed 's/^/    /' out >&2
        failed=$((failed + 1))
    fi
}
is() { # what to do, jobs...: the plan has these and no others
    [ "$(ledger_jobs plan "$1" | tr '\n' ' ')" = "$2" ] || {
        cat plan
        return 1
    }
}
line() { # job digest result seconds...: lines of four words
    printf '%s\t%s\t%s\t%s\n' "$@"
}
result_of() { # JOB; in the plan
    awk -F '\t' -v job="$1" '$1 == job { print $4 }' plan
}
lines_of() { # FILE; without comments
    sed '/^#/d' "$1"
}
settle() { # WHOLE
    ledger_settle book 'Tool 1' plan ran "$1"
}

# an empty ledger: everything runs, what ended well is written, sorted
printf 'two b\t2b\none\t1a\nthree\t3c\nbad\t4d\n' >jobs
SAMPLE=1
holds "a plan without a ledger" ledger_plan book jobs plan
holds "without a ledger everything runs" is run 'two b one three bad '
printf 'one\tok 1\t5\ntwo b\tok;2\t0\nthree\tyes\t9\nbad\t-\t1\n' >ran
says "what is new is told" 0 '3 new lines in book' settle 1
{
    line one 1a 'ok 1' 5
    line three 3c yes 9
    line 'two b' 2b 'ok;2' 0
} >want
lines_of book >got
holds "what ended well is written, sorted" cmp want got
holds "tools are named" grep -qx '# tools: Tool 1' book

# vouched for, redone, run
holds "a plan" ledger_plan book jobs plan
holds "what failed runs again" is run 'bad '
holds "two are redone" [ "$(ledger_jobs plan redo | wc -l)" = 2 ]
holds "one is vouched for" [ "$(ledger_jobs plan vouched | wc -l)" = 1 ]
holds "the plan has the results" [ "$(result_of one)" = 'ok 1' ]
cp plan first
holds "the same seed" ledger_plan book jobs plan
holds "the same seed gives the same plan" cmp first plan
ALL=1
holds "ALL" ledger_plan book jobs plan
holds "ALL redoes everything" is redo 'two b one three '
cp book before
says "equal results are fine" 0 ' 3 redone' settle 1
holds "and write nothing" cmp before book

# a lie, by result and by digest
line one 1a lie 5 >book
line three 3c yes 9 >>book
line 'two b' 2b 'ok;2' 0 >>book
cp book before
ledger_plan book jobs plan
says "a lie is named with its line" 1 "book:1: 'one' is recorded with" settle 1
holds "a lie is counted" [ "$ledger_wrong" = 1 ]
holds "a lie stays for its reader" cmp before book
printf 'one\t-\t5\ntwo b\tok;2\t0\nthree\tyes\t9\n' >ran
says "so is what ends badly" 1 "no such result" settle 1
printf 'two b\tok;2\t0\nthree\tyes\t9\n' >ran
says "so is what did not run" 1 "no such result" settle 1
printf 'one\tok 1\t5\ntwo b\tok;2\t0\nthree\tyes\t9\n' >ran
UPDATE=1
says "UPDATE replaces it" 0 'lines in book' settle 1
lines_of book >got
holds "by what is true" cmp want got
unset UPDATE ALL

# stale lines
printf 'one\t1b\nthree\t3c\ntwo b\t2b\n' >jobs
ledger_plan book jobs plan
holds "another digest runs" is run 'one '
printf 'one\t-\t5\ntwo b\tok;2\t0\nthree\tyes\t9\n' >ran
says "one that fails writes nothing" 0 ' 1 new; again' settle 1
lines_of book >got
holds "and its old line stays" cmp want got
printf 'one\tok 2\t6\ntwo b\tok;2\t0\nthree\tyes\t9\n' >ran
says "one that does not replaces it" 0 '1 new lines' settle 1
holds "with the new digest" grep -q '^one	1b	ok 2	6$' book
holds "and no other" [ "$(grep -c '^one' book)" = 1 ]

# narrow runs keep the lines of others, whole ones drop them
printf 'one\t1b\n' >jobs
ledger_plan book jobs plan
cp book before
printf 'one\tok 2\t6\n' >ran
says "a narrow run" 0 '1 redone' settle ''
holds "keeps the lines of others" cmp before book
says "a whole run tells what it drops" 0 '2 dropped' settle 1
holds "drops them" [ "$(lines_of book | wc -l)" = 1 ]

# other tools
printf 'one\t1c\n' >jobs
ledger_plan book jobs plan
printf 'one\tok 3\t6\n' >ran
cp book before
says "a ledger of other tools is told of" 0 'is of Tool 1, these are Tool 2' \
    ledger_settle book 'Tool 2' plan ran 1
holds "and left as it is" cmp before book

# merges: a line of each side, one of them stale; a contradiction; a torn file
line one 1b 'ok 2' 6 >book
line one 1c 'ok 3' 6 >>book
ledger_plan book jobs plan
printf 'one\tok 3\t6\n' >ran
says "of two lines the one of this text counts" 0 '1 redone' settle 1
i=0
while [ $i -lt 40 ]; do
    line "job $i" aa ok 9
    i=$((i + 1))
done >book
lines_of book | cut -f 1,2 >jobs
line 'job 7' aa other 9 >>book
for SAMPLE in 1 2 3 4 5; do
    ledger_plan book jobs plan
    holds "two lines that contradict are redone" \
        grep -q '^job 7	aa	redo' plan
done
awk -F '\t' -v OFS='\t' '$3 == "redo" { print $1, "ok", 9 }' plan >ran
says "and one of them named" 1 "book:41: 'job 7' is recorded" settle 1
sed -i '/other/d; 3s/^/<<<<<<< HEAD\n/' book
cp book before
ledger_plan book jobs plan
says "a torn ledger is a failure" 1 'book:3: expected job, digest' settle 1
holds "and left as it is" cmp before book

# the sample: a twelfth of the seconds, every job by some seed
sed -i '/<<</d' book
SAMPLE=1
while [ $SAMPLE -le 150 ]; do
    ledger_plan book jobs plan
    ledger_jobs plan redo | tee many | wc -l >>counts
    cat many >>hit
    SAMPLE=$((SAMPLE + 1))
done
holds "a twelfth of forty equal jobs is three" [ "$(sort -u counts)" = 3 ]
holds "every job is redone by some seed" [ "$(sort -u hit | wc -l)" = 40 ]
holds "none much more often than others" \
    [ "$(sort hit | uniq -c | sort -n | awk 'END { print $1 }')" -lt 30 ]
i=0
while [ $i -lt 80 ]; do
    line "job $i" aa ok 99
    i=$((i + 1))
done >long
lines_of long | cut -f 1,2 >jobs
SAMPLE=1
ledger_plan long jobs plan
holds "and five minutes of many long ones" \
    [ "$(ledger_jobs plan redo | wc -l)" = 3 ]
SAMPLE=x
says "a seed is a number" 2 "SAMPLE is 'x'" ledger_plan book jobs plan

# what a digest sees
printf '// a\n// ndpgen 1.0, configuration 12\n// ndpgen --set x=1\nwire a;\n' >a.v
sed 's/1.0/1.1/; s/x=1/x=2/' a.v >b.v
ledger_sources a.v | sed 1d >one
ledger_sources b.v | sed 1d >two
holds "version and command do not count" cmp one two
sed 's/wire a/wire b/' a.v >c.v
ledger_sources c.v | sed 1d >two
holds "the text does" test "$(ledger_digest <one)" != "$(ledger_digest <two)"
sed 's/^.. a/\/\/ synopsys translate_off/' a.v >c.v
ledger_sources c.v | sed 1d >two
holds "so do comments, which a tool may read" \
    test "$(ledger_digest <one)" != "$(ledger_digest <two)"
cp a.v d.v
holds "so do the names" test "$(ledger_sources a.v | ledger_digest)" != \
    "$(ledger_sources d.v | ledger_digest)"
mkdir bin
printf '#!/bin/sh\necho 1\n' >bin/tool
chmod +x bin/tool
PATH=$room/bin:$PATH
ledger_tools tool nowhere >one
echo 'echo 2' >>bin/tool
ledger_tools tool nowhere >two
holds "a tool counts by its bytes" test "$(cat one)" != "$(cat two)"
holds "a missing tool is named" grep -qx 'no nowhere' one

echo "$passed passed, $failed failed"
[ $failed = 0 ]
