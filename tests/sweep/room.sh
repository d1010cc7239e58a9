# room.sh - what the tests of sweeps share; read with '.', from the top of the
# checkout, with $me set to the name of the test.
#
# Gives $room, a folder that goes at the end, $BUILD, and a sweep of six small
# configurations of which the golden model alone runs: $room/six.yml.
LC_ALL=C
export LC_ALL
unset MAKEFLAGS MAKELEVEL MFLAGS SWEEP_TOOLS OUT JOBS
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD
for program in ndpsweep ndpgen ndppage cosim_golden libbench.a; do
    [ -e "$BUILD/$program" ] || {
        echo "$me: no '$BUILD/$program', run make and make cosim-tools" >&2
        exit 2
    }
done
room=$(mktemp -d) || exit 2
room=$(cd "$room" && pwd -P)
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

ok() { passed=$((passed + 1)); }
fail() { # message
    echo "$me: $1" >&2
    [ ! -s "$room/out" ] || head -n 20 "$room/out" | sed 's/^/    /' >&2
    failed=$((failed + 1))
}
# expect WHAT COMMAND...: it must succeed
expect() {
    said=$1
    shift
    if "$@"; then ok; else fail "$said"; fi
}
# status STATUS COMMAND...: leaves what it prints in $room/out
status() {
    want=$1
    shift
    "$@" >"$room/out" 2>&1
    got=$?
    if [ $got -eq "$want" ]; then ok; else
        fail "'$*' exits with $got, expected $want"
    fi
}
says() { # WORDS
    grep -q -F -e "$1" "$room/out" && ok || fail "expected '$1' in:"
}
done_with() { # the count, and the end
    echo "$me: $passed passed, $failed failed"
    [ $failed = 0 ]
    exit
}

# a mesh of 2 x 2 and one of 3 x 2 have no node 6: refused, not failed
cat >"$room/six.yml" <<'END'
target: emn
preset: mesh
set: {mesh.memory_nodes: [1, 6]}
vary:
  mesh.width: {from: 2, to: 4}
  mesh.height: [2, 4]
measure:
  emitted:
  lockstep: {sim: golden, cycles: 300}
plots:
  - {x: mesh.width, y: rtl_lines, by: mesh.height}
  - {x: mesh.width, y: rtl_bytes, where: {mesh.height: 4}}
END
