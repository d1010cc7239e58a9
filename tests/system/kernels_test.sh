#!/bin/sh
# kernels_test.sh - every kernel on the golden machine, and a handful on RTL.
#
# usage: kernels_test.sh
#
# Prints what scripts/kernels.sh says of one that is not right; closes with a
# count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# right NUMBER REFUSED ARGUMENT... - so many kernels are, and each that ran on RTL
# did the same there; so many of textures are refused
right() {
    number=$1 refused=$2
    shift 2
    says="$number of $number right"
    [ "$refused" = 0 ] || says="$says, $refused refused"
    if sh scripts/kernels.sh "$@" >"$room/out" 2>&1 &&
        grep -q "^$says$" "$room/out"; then
        passed=$((passed + 1))
    else
        cat "$room/out"
        echo "kernels_test.sh: no '$says': kernels.sh $*" >&2
        failed=$((failed + 1))
    fi
}

# refused STATUS TEXT ARGUMENT... - the script ends so and says that
refused() {
    want=$1 says=$2
    shift 2
    sh scripts/kernels.sh "$@" >"$room/out" 2>&1
    if [ $? = "$want" ] && grep -qF -- "$says" "$room/out"; then
        passed=$((passed + 1))
    else
        cat "$room/out"
        echo "kernels_test.sh: no '$says': kernels.sh $*" >&2
        failed=$((failed + 1))
    fi
}

textured=$(grep -l '^textures:' kernels/*/*.yml | wc -l)
right $(($(ls kernels/*/*.yml | grep -vc _tom.yml) - textured)) "$textured"
right 0 1 texconv
right 1 1 axpy texspmv
grep -q "^texspmv .*refused: tex.1d.v4.f32.s32, the machines have no texture unit" \
    "$room/out" || { echo "kernels_test.sh: no reason for texspmv" >&2; failed=1; }
refused 2 "there is no kernel 'axpi'" axpi
refused 2 "unknown option '--vcs'" --vcs
if command -v verilator >/dev/null; then
    FORM="--preset plain --config tests/system/few.yml"
    export FORM
    right 5 0 --verilator axpy hist matmul nw reduce
    # a simulation that dies is no kernel that is right
    machine=${BUILD:-build}/kernels/plain/verilator/machine
    printf '#!/bin/sh\nexit 3\n' >"$machine"
    refused 1 "the simulation has ended with status 3" --verilator axpy
    rm -f "$machine"
fi
echo "kernels_test.sh: $passed passed, $failed failed"
[ $failed = 0 ]
