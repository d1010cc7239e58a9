#!/bin/sh
# full_test.sh - each program says when its output cannot be written.
#
# usage: full_test.sh
#
# Runs each with standard output on /dev/full, which has no room for a byte, and
# closed; tests of one program look at its files.  Prints a line a check that
# failed, and a count.
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

# unwritable REASON LINE - the program has exited with $got and said $room/err
unwritable() {
    if [ $got = 2 ] && grep -q "$1" "$room/err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "full_test.sh: '$2' exits with $got, expected 2, and says:" >&2
        sed 's/^/    /' "$room/err" >&2
    fi
}

while read -r line; do
    # the words have no blanks inside
    # shellcheck disable=SC2086
    "$build"/$line >/dev/full 2>"$room/err"
    got=$?
    unwritable 'No space left' "$line"
    # shellcheck disable=SC2086
    "$build"/$line >&- 2>"$room/err"
    got=$?
    unwritable 'Bad file descriptor' "$line, closed"
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
ndprun $axpy.yml --trace $room/trace
ndprun $axpy.yml --trace - --json
END

# the report has not found its way into the trace
if "$build/ndptrace" "$room/trace" >/dev/null 2>"$room/err" &&
    ! grep -aq 'on golden:plain' "$room/trace"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "full_test.sh: the trace is none" >&2
fi
echo "full: $passed passed, $failed failed"
[ $failed = 0 ]
