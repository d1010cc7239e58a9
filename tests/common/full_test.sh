#!/bin/sh
# full_test.sh - each program says when its output cannot be written.
#
# usage: full_test.sh
#
# Runs each with standard output on /dev/full, which has no room for a byte;
# tests of one program look at its files.  Prints a line a check that failed,
# and a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

axpy=kernels/axpy/axpy
echo 'nothing of ours' >"$room/page.md"
while read -r line; do
    # the words have no blanks inside
    # shellcheck disable=SC2086
    "$build"/$line >/dev/full 2>"$room/err"
    got=$?
    if [ $got = 2 ] && grep -q 'No space left' "$room/err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "full_test.sh: '$line' exits with $got, expected 2, and says:" >&2
        sed 's/^/    /' "$room/err" >&2
    fi
done <<END
ndpgen --help
ndpgen --version
ndpgen --list-params
ndpgen --list-targets --json
ndpgen --target emn -o $room/emn --json
ndpcc $axpy.ptx
ndpcc $axpy.ptx --json
ndpcc $axpy.ptx --rewrite
ndpcc $axpy.ptx --metadata -
ndpcc --assemble $axpy.ptx -o -
ndpmesh --table
ndpmesh --hops 17,46,48,60
ndpmesh --picture 17,46,48
ndppage $room/page.md
ndpsweep --list-measures
ndpsim $axpy.yml
ndpsim $axpy.yml --json
ndpsim $axpy.yml --dump -
ndpsim $axpy.yml $axpy.yml
ndpchannel --op dot --cycles 1000
ndprun $axpy.yml
ndprun $axpy.yml --json
END
echo "full: $passed passed, $failed failed"
[ $failed = 0 ]
