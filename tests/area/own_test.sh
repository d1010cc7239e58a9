#!/bin/sh
# own_test.sh - the area of a configuration of the user's: shown, never compared
# and never recorded.
#
# usage: own_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
if ! command -v yosys >/dev/null 2>&1; then
    echo "own_test.sh: skipped, no yosys on this machine"
    exit 0
fi
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
BUILD=${BUILD:-build}
NDPGEN=$PWD/$BUILD/ndpgen
case $BUILD in /*) NDPGEN=$BUILD/ndpgen ;; esac
passed=0
failed=0
sha256sum tests/area/*.tsv docs/cost.md >"$room/before"

# status STATUS WORDS ARGUMENT... - of area.sh, in a build folder of its own
status() {
    want=$1 says=$2
    shift 2
    BUILD=$room/build NDPGEN=$NDPGEN sh scripts/area.sh "$@" >"$room/out" 2>&1
    got=$?
    if [ $got = "$want" ] && grep -q -e "$says" "$room/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "own_test.sh: '$*' exits with $got, expected $want and '$says':" >&2
        sed 's/^/    /' "$room/out" >&2
    fi
}
gates() { sed -n 's/^  gates *\([0-9]*\) .*/\1/p' "$room/out"; }

one="--target credit --flow gates"
# the options are words without blanks inside
# shellcheck disable=SC2086
{
    status 0 '^credit at own' $one --set credit.width=8 --set credit.depth=3
    small=$(gates)
    printf 'credit: {width: 8, depth: 40}\n' >"$room/my own.yml"
    status 0 '^credit at own' $one --config "$room/my own.yml"
    [ -n "$small" ] && [ "$(gates)" -gt "$small" ] ||
        status 0 'a larger one is larger' $one --config "$room/my own.yml"
    status 0 '^credit at own' $one --config "$room/my own.yml" \
        --set credit.depth=3
    [ "$(gates)" = "$small" ] ||
        status 0 'a single parameter goes over the file' $one --json
    status 2 "unknown key 'credit.wdith'" $one --set credit.wdith=8
    status 2 'only presets are recorded' $one --set credit.width=8 --update
    status 2 'of one target' --flow gates --set credit.width=8
    status 2 "cannot read '$room/none'" $one --config "$room/none"
}
sha256sum tests/area/*.tsv docs/cost.md | cmp -s - "$room/before" ||
    status 0 'records are as they were' --help

# make hands it on, and no other target swallows it
if make -n area TARGET=credit SET='credit.width=8 credit.depth=3' CONFIG=c.yml |
    grep -q "scripts/area.sh --target 'credit'.* --set 'credit.width=8' \
--set 'credit.depth=3' --config 'c.yml'"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "own_test.sh: 'make area SET=' does not reach the script" >&2
fi
for t in lint formal determinism; do
    if make $t SET=a.b=1 2>&1 | grep -q "SET= has no meaning for 'make $t'"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "own_test.sh: 'make $t SET=' is passed over" >&2
    fi
done
echo "own: $passed passed, $failed failed"
[ $failed = 0 ]
