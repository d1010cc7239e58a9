#!/bin/sh
# memory_test.sh - a program that gets no memory says so and exits with status 2.
#
# usage: memory_test.sh
#
# Runs each under limits of its address space, from one that is too small to load
# it up to one that is enough.  What the loader itself says of a limit does not
# count.  Prints a line a check that failed, and a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0
starved=0

# limited KILOBYTES WORD... - run it; its status
limited() {
    kilobytes=$1
    shift
    # dash, too, has this limit
    # shellcheck disable=SC3045
    (ulimit -v "$kilobytes" && exec "$@") >/dev/null 2>"$room/err"
}

# A program without work loads in so many kilobytes.
loads_in() {
    n=3000
    while ! { limited $n "$1" --version; } 2>/dev/null; do
        n=$((n + 256))
        [ $n -lt 100000 ] || break
    done
    echo $n
}

axpy=kernels/axpy/axpy
while read -r name rest; do
    [ -x "$build/$name" ] || continue
    n=$(loads_in "$build/$name")
    got=2
    while [ $got -gt 1 ] && [ "$n" -lt 200000 ]; do
        # the words have no blanks inside
        # shellcheck disable=SC2086
        limited "$n" "$build/$name" $rest
        got=$?
        if [ $got -gt 2 ] || { [ $got = 2 ] && ! grep -qi 'memory' "$room/err"; }; then
            failed=$((failed + 1))
            echo "memory_test.sh: '$name $rest' with $n kilobytes exits with $got, expected 2, and says:" >&2
            sed 's/^/    /' "$room/err" >&2
        else
            passed=$((passed + 1))
            starved=$((starved + (got == 2)))
        fi
        n=$((n + 192))
    done
done <<END
ndpgen --target emn --preset small -o $room/emn
ndpgen --list-params --json
ndpcc $axpy.ptx --json
ndpcc --assemble $axpy.ptx -o $room/axpy.ndpx
ndpsim $axpy.yml --json
ndpsim $axpy.yml --preset image
ndprun $axpy.yml --json
ndpcheck --rules --json
ndpfuzz --count 1 --size 8 --device golden:tiny
END
[ $starved -ge 10 ] || { echo "memory_test.sh: $starved runs were short of memory" >&2; failed=$((failed + 1)); }
echo "memory: $passed passed, $failed failed, $starved short of memory"
[ $failed = 0 ]
