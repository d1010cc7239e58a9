# cli.sh - a program's command line from outside; read by the tests of one.
#
#     program=ndpgen
#     . tests/common/cli.sh           from the top folder, with set -u
#     status 0 '' --help              runs it
#     holds "usage is shown" grep -q usage out
#     done_testing
#
# The program is $BUILD/<program>, or the test's first argument.  Checks run in a
# fresh folder that is removed at the end; each that fails prints a line.

build=${BUILD:-build}
path=${1:-$build/$program}
case $path in
/*) ;;
*) path=$PWD/$path ;;
esac
[ -x "$path" ] || { echo "no program '$path'" >&2; exit 2; }
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
cd "$room" || exit 2
checks=0
failed=0

fail() {
    echo "${program}_test.sh: $1" >&2
    [ ! -s err ] || sed 's/^/    /' err >&2
    failed=$((failed + 1))
}

# status STATUS PATTERN ARGUMENT... - run; standard error has to match PATTERN
# (a grep expression, '' for no output at all).
status() {
    want=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$path" "$@" >out 2>err </dev/null
    got=$?
    [ $got = "$want" ] || fail "'$*' exits $got, expected $want"
    if [ -z "$pattern" ]; then
        [ ! -s err ] || fail "'$*' complains"
    else
        grep -q -e "$pattern" err || fail "'$*' does not say '$pattern'"
    fi
}

# holds WHAT COMMAND... - COMMAND has to succeed
holds() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" >why 2>&1 || { fail "$what"; sed "s/^/    /" why >&2; }
}

# Standard output that takes nothing is told of: a full disk, or none at all.
full_disk() {
    checks=$((checks + 2))
    "$path" "$@" >/dev/full 2>err && fail "'$*' misses a full disk"
    grep -q 'standard output' err || fail "'$*' does not tell of a full disk"
    "$path" "$@" >&- 2>err && fail "'$*' misses that standard output is closed"
    grep -q 'standard output' err || fail "'$*' does not tell of a closed output"
}

absent() { [ ! -e "$1" ]; }

done_testing() {
    echo "$((checks - failed)) passed, $failed failed"
    [ $failed = 0 ]
}
