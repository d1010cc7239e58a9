#!/bin/sh
# mutants_test.sh - a dozen mutants of one block, each of them seen by lock-step
# or proved equal, the same list for the same seed, and a record that knows whether
# it is of what stands here.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
# beside a user's own run, and kept: Verilator's run-time part is slow to build
BUILD=$build/mutants_test
NDPGEN=${NDPGEN:-$build/ndpgen}
COSIM_LIB=${COSIM_LIB:-$build/libbench.a}
COSIM_MODEL=${COSIM_MODEL:-$build/cosim_golden}
export BUILD NDPGEN COSIM_LIB COSIM_MODEL
list=$BUILD/mutants/credit-1
passed=0
failed=0

holds() { # WHAT STATUS
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        echo "mutants_test.sh: $1" >&2
        failed=$((failed + 1))
    fi
}
mutants() { # OPTIONS...
    sh scripts/mutants.sh --target credit --preset small "$@"
}
for tool in yosys yosys-abc verilator; do
    command -v $tool >/dev/null 2>&1 || {
        echo "mutants_test.sh: skipped, no $tool on this machine" >&2
        echo "0 passed, 0 failed"
        exit 0
    }
done
mkdir -p "$BUILD"

mutants --number 12 --doubt 2 >"$BUILD/said" 2>&1
status=$?
[ $status = 0 ] || cat "$BUILD/said" >&2
cp "$BUILD/mutants/credit.tsv" "$BUILD/record"
holds "a mutant is left, or the run is void" $status
grep -q ': 12 mutants, ' "$BUILD/said"
holds "not twelve mutants" $?
awk -F '\t' '$2 == "COVERED" { n++ } END { exit n < 6 }' "$list/result.tsv"
holds "lock-step sees less than half of them" $?

cut -f 1,4-6 "$list/result.tsv" >"$BUILD/drawn"
mutants --number 12 --list | sed 's/^[^:]*: //' | cmp -s - "$BUILD/drawn"
holds "the same seed draws another list" $?

records=$BUILD/records
rm -rf "$records"
mkdir -p "$records/credit"
sums() { # EDIT SAID
    sed "$1" "$BUILD/record" >"$records/credit/mutants.tsv"
    MUTANTS_RECORDS=$records mutants --sums >"$BUILD/said" 2>&1
    grep -q "^credit	[a-z]*	12	$2\$" "$BUILD/said"
    holds "a record edited by '$1' is not '$2', but: $(cat "$BUILD/said")" $?
}
sums '' holds
sums '/^config/s/[0-9a-f]*$/00000000/' "other model or stimulus"
sums '/^config/s/small	[0-9a-f]*/small	0000/' "other RTL"
sums '/^config/s/small/tiny/' "not in the matrix"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
