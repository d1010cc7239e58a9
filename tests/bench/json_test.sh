#!/bin/sh
# json_test.sh - `make cosim JSON=1` as a program reads it: one object on
# standard output and nothing else, whatever happened; and its exit statuses.
#
# usage: json_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

fail() {
    echo "json_test.sh: $1" >&2
    failed=$((failed + 1))
}

# says STATUS RESULT COMMAND... - standard output is one object with "result"
says() {
    want=$1 result=$2
    shift 2
    "$@" >"$room/out" 2>"$room/err"
    got=$?
    if [ $got != "$want" ]; then
        fail "'$*' exits with $got, expected $want"
    elif [ "$(sed -n 1p "$room/out")" != '{' ] ||
        [ "$(grep -c '^[{}]' "$room/out")" != 2 ] ||
        [ "$(sed -n '$p' "$room/out")" != '}' ]; then
        fail "'$*' prints something else than one object"
    elif ! grep -q "\"result\": \"$result\"" "$room/out"; then
        fail "'$*' does not say '$result'"
    else
        passed=$((passed + 1))
    fi
}

few="TARGET=credit SIM=golden CYCLES=1000 JSON=1"
# the words have no blanks inside
# shellcheck disable=SC2086
{
    says 0 equal sh scripts/cosim.sh $few
    says 0 equal make -s cosim $few
    says 1 uncovered sh scripts/cosim.sh $few CYCLES=8 REQUIRE_COVER=1
    says 2 'bad input' sh scripts/cosim.sh $few PRESET=none
    says 2 'bad input' make -s cosim $few PRESET=none
    says 2 'bad input' sh scripts/cosim.sh COLOUR=red $few
    says 2 'bad input' sh scripts/cosim.sh $few EVENTS=/dev/full TARGET=nbu
}
sh scripts/cosim.sh TARGET=credit SIM=golden CYCLES=9 JSON=1 >/dev/full 2>&1
[ $? = 2 ] || fail "a full disk does not exit with 2"

# nothing was compared before id and hash are known
sh scripts/cosim.sh TARGET=emn SIM=golden CYCLES=6 >/dev/null 2>"$room/err"
if [ $? = 2 ] && grep -q 'before id and hash are read' "$room/err"; then
    passed=$((passed + 1))
else
    fail "a run that ends before the identity is read passes"
fi

# one that was stopped is not a whole one
for signal in INT TERM; do
    "${BUILD:-build}/cosim_golden" --target credit --cycles 1000000000000 --json \
        >"$room/out" 2>&1 &
    model=$!
    sleep 1
    kill -$signal $model
    wait $model
    got=$?
    if [ $got = 130 ] && grep -q '"result": "interrupted"' "$room/out"; then
        passed=$((passed + 1))
    else
        fail "SIG$signal exits with $got, expected 130"
    fi
done

# so does the script, whatever it waits for, and leaves nothing running
sh scripts/cosim.sh TARGET=credit SIM=golden CYCLES=1000000000000 JSON=1 >"$room/out" 2>&1 &
script=$!
sleep 2
below=$(ps -A -o pid= -o ppid= | awk -v s=$script '$2 == s || $2 in ours { ours[$1]; print $1 }')
kill -TERM $script
wait $script
got=$?
alive=
for p in $below; do
    ! kill -0 "$p" 2>/dev/null || alive="$alive $p"
done
if [ $got = 130 ] && grep -q '"result": "interrupted"' "$room/out" && [ -n "$below" ] && [ -z "$alive" ]; then
    passed=$((passed + 1))
else
    fail "cosim.sh exits with $got after SIGTERM, expected 130, and leaves '$alive' of '$below'"
fi

# what is compiled on the way is told elsewhere
for json in '' 1; do
    make -n -W verilator-tb/bench/json.c -W lib/base/text.c cosim JSON=$json \
        TARGET=credit 2>&1 | grep 'echo "  cc' >"$room/cc$json"
done
grep -q . "$room/cc" || fail "nothing would be compiled"
if grep -q '>&2' "$room/cc" || grep -v '>&2' "$room/cc1"; then
    fail "lines of the compiler get into the object"
else
    passed=$((passed + 1))
fi
if command -v iverilog >/dev/null 2>&1; then
    says 0 equal sh scripts/cosim.sh TARGET=credit SIM=icarus CYCLES=500 JSON=1
fi
# messages name the words that were written
if sh scripts/cosim.sh TARGET=emn SET=emn.corr=3 2>&1 | grep -q '^SET=emn.corr=3: error'
then passed=$((passed + 1)); else fail "a message names an option of ndpgen"; fi

# a simulator that lacks the bench, and one that is given no Verilog
if command -v iverilog >/dev/null 2>&1; then
    says 2 'bad input' env COSIM_VPI="$room/ndp_bench.vpi" sh scripts/cosim.sh \
        TARGET=credit SIM=icarus CYCLES=500 JSON=1
    "${BUILD:-build}/ndpgen" --target credit -o "$room/rtl" >/dev/null
    echo "no Verilog" >>"$room/rtl/rtl/ndp_credit.v"
    sh scripts/cosim.sh TARGET=credit SIM=icarus CYCLES=500 RTL="$room/rtl" \
        >"$room/out" 2>"$room/err"
    if [ $? = 2 ] && grep -q "'iverilog' does not accept the RTL" "$room/err"
    then passed=$((passed + 1)); else fail "who refuses the RTL is not said"; fi
    # without JSON it is the result that is missing, not the object
    COSIM_VPI="$room/ndp_bench.vpi" sh scripts/cosim.sh TARGET=credit \
        SIM=icarus CYCLES=500 >"$room/out" 2>"$room/err"
    if [ $? = 2 ] && grep -q "the bench says nothing of it" "$room/err"
    then passed=$((passed + 1)); else fail "a run without the bench passes"; fi
fi

# a folder with a blank in its name: make, below Verilator, cannot work there
if command -v verilator >/dev/null 2>&1; then
    build=${BUILD:-build}
    case $build in /*) ;; *) build=$PWD/$build ;; esac
    mkdir -p "$room/with blank"
    for f in ndpgen cosim_golden libbench.a ndp_bench.vpi; do
        ln -s "$build/$f" "$room/with blank/$f"
    done
    says 0 equal env BUILD="$room/with blank" sh scripts/cosim.sh \
        TARGET=credit CYCLES=500 JSON=1
fi
echo "json: $passed passed, $failed failed"
[ $failed = 0 ]
