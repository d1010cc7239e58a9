# room.sh - several programs of a build from outside; read by the tests of those.
#
#     test_name=serial_test.sh
#     . tests/common/room.sh        from the top folder, with set -u
#     needs "$build/ndprun"
#     status 0 "$build/ndprun" kernels/axpy/axpy.yml
#     says out ": right, "
#     done_testing
#
# Commands run in the top folder and leave $room/out and $room/err, in a fresh
# folder that is removed at the end; each check that fails prints a line.

build=${BUILD:-build}
room=$(mktemp -d) || exit 2
leave() { rm -rf "$room"; } # a test may have more to do
trap leave EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# needs PROGRAM... - they have been built
needs() {
    for p; do
        [ -x "$p" ] || { echo "$test_name: no program '$p'" >&2; exit 2; }
    done
}

fail() {
    echo "$test_name: $1" >&2
    failed=$((failed + 1))
}

# status STATUS COMMAND... - run; leaves out and err in the room
status() {
    want=$1
    shift
    "$@" >"$room/out" 2>"$room/err"
    got=$?
    if [ $got -eq "$want" ]; then
        passed=$((passed + 1))
    else
        fail "'$*' exits with $got, expected $want: $(head -n 20 "$room/err")"
    fi
}

# says FILE TEXT - the output or the errors have it
says() {
    if grep -qF -- "$2" "$room/$1"; then
        passed=$((passed + 1))
    else
        fail "no '$2' in: $(head -n 20 "$room/$1")"
    fi
}

# holds_back FILE TEXT - they have it not
holds_back() {
    if grep -qF -- "$2" "$room/$1"; then
        fail "'$2' in: $(head -n 20 "$room/$1")"
    else
        passed=$((passed + 1))
    fi
}

done_testing() {
    echo "$test_name: $passed passed, $failed failed"
    [ $failed = 0 ]
}
