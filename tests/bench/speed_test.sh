#!/bin/sh
# speed_test.sh - instruction counts: the same on every run, held against the
# record within its limits, recorded only on purpose.
#
# usage: speed_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

# status STATUS WORDS COMMAND... - its exit status, and what it says
status() {
    want=$1 says=$2
    shift 2
    "$@" >"$room/out" 2>&1
    got=$?
    if [ $got = "$want" ] && grep -q -e "$says" "$room/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "speed_test.sh: '$*' exits with $got, expected $want and '$says':" >&2
        sed 's/^/    /' "$room/out" >&2
    fi
}

# --- the rules, without a program ----------------------------------------------

row() { printf '%s\t%s\t%s\t%s\n' "$@"; }
{
    row tools item work instructions
    row v1 'model a' 'a 100' 1000
    row v1 'model b' 'b 100' 2000
} >"$room/record"
# held VALUE-OF-A [LINE]: new counts, with a line in the place of b's
held() {
    {
        row v1 'model a' 'a 100' "$1"
        [ -n "${2-}" ] || row v1 'model b' 'b 100' 2000
        [ -z "${2-}" ] || echo "$2"
    } >"$room/new"
    awk -v command='make it' -v whole="${whole-1}" -v missing="${missing-}" \
        -v record=record -f tests/bench/speed.awk "$room/record" "$room/new"
}
status 0 '^2 passed, 0 failed$' held 1000
status 0 'moved, by up to -0.2 %' held 998
status 0 '^2 passed, 0 failed$' held 1050
for moved in 940 1100 1200; do
    status 0 'model a: .* was 1000, is .*: within 20 %' held $moved
done
for moved in 790 1201 10000; do
    status 1 'model a: .* was 1000, is .*: more than 20 %' held $moved
    grep -q '^to record these counts on purpose: make it$' "$room/out" ||
        status 0 'how to record it' held $moved
done
status 1 'model c: not recorded yet' held 1000 "$(row v1 'model c' 'c 1' 5)"
status 1 'model b: recorded, but no longer counted' \
    held 1000 "$(row v1 'model c' 'c 1' 5)"
# other work is no count of this one
status 1 'model b: not recorded yet, b 50' \
    held 1000 "$(row v1 'model b' 'b 50' 1000)"
whole='' status 1 '1 passed, 1 failed' \
    held 1000 "$(row v1 'model c' 'c 1' 5)"
status 0 'NOT CHECKED: 1 of 2 counts' \
    held 1000 "$(row v2 'model b' 'b 100' 9000)"
status 0 '1 passed, 0 failed, 1 skipped' \
    held 1000 "$(row v2 'model b' 'b 100' 9000)"
missing=d status 1 'model d: has a bench_d.c and no item' held 1000
row v1 'model a' 'a 100' 1000 >>"$room/record"
status 1 "record:4: a second count of 'model a'" held 1000
sed '4d; s/2000/lots/' "$room/record" >"$room/r" && mv "$room/r" "$room/record"
status 1 'record:3: expected tools, item, work and a count' held 1000

# --- and with one --------------------------------------------------------------

if command -v valgrind >/dev/null 2>&1 && command -v verilator >/dev/null 2>&1
then
    export SPEED_WORK="$room/work" SPEED_RECORD="$room/baseline.tsv"
    cat >"$room/work" <<'END'
# two items
model emn: tests/emn/bench_emn 500
reader one: ndpcc --json kernels/axpy/axpy.ptx
END
    speed() { sh scripts/speed.sh "$@"; }
    status 1 'model emn: not recorded yet' speed --only emn
    status 0 'recorded 2 rows' speed --update
    # to the digit, by the clock's time and with jansson's hashes
    status 0 '^2 passed, 0 failed$' speed --only 'emn|one'
    ! grep -q 'have moved' "$room/out" || status 0 'the same count' false
    status 1 'model nbu: has a bench_nbu.c and no item' speed
    # another work of a known item takes its place, the other row stays
    sed -i 's/_emn 500/_emn 600/' "$room/work"
    status 1 'model emn: not recorded yet, .* 600' speed --only emn
    status 0 'recorded 1 rows' speed --only emn --update
    status 0 "^reader one" awk -F '\t' '
        /^[^#]/ && $1 != "tools" { print $2, $3; n++ } END { exit n != 2 }' \
        "$room/baseline.tsv"
    CFLAGS=-O0 status 0 'NOT CHECKED' speed --only emn
    status 0 '"item": "model emn"' speed --only emn --json
    echo 'model emn: tests/emn/bench_none 5' >"$room/work"
    status 2 "no '.*/tests/emn/bench_none', run make first" speed
    status 2 "no item matches 'none'" speed --only none
    status 2 "unknown argument '--onyl'" speed --onyl emn
fi
echo "speed: $passed passed, $failed failed"
[ $failed = 0 ]
