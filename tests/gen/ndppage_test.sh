#!/bin/sh
# ndppage_test.sh - pages of figures from outside: the command line of ndppage,
# nothing half written, figures rounded as awk rounds them.
#
# usage: ndppage_test.sh [PATH-OF-NDPPAGE]   (default: $BUILD/ndppage, build/ndppage)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
here=$PWD
ndppage=${1:-${BUILD:-build}/ndppage}
case $ndppage in
/*) ;;
*) ndppage=$PWD/$ndppage ;;
esac
[ -x "$ndppage" ] || { echo "ndppage_test.sh: no program '$ndppage'" >&2; exit 2; }
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
cd "$room" || exit 2
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "ndppage_test.sh: $1" >&2
    failed=$((failed + 1))
}

# status STATUS COMMAND... - run; leaves out and err
status() {
    want=$1
    shift
    "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] && ok || fail "'$*' exits with $got, expected $want: $(cat err)"
}

# says FILE PATTERN - out or err has a line that matches
says() {
    grep -q -- "$2" "$1" && ok || fail "no '$2' in $1: $(cat "$1")"
}

# holds FILE TEXT - exactly
holds() {
    [ "$(cat "$1")" = "$2" ] && ok || fail "$1 is '$(cat "$1")', expected '$2'"
}

# alone FILE... - there is nothing else in the folder `made`
alone() {
    [ "$(cd made && echo *)" = "$*" ] && ok || fail "made/ has $(cd made && echo *)"
}

# --- command line --------------------------------------------------------------

# shellcheck disable=SC2016
echo '${data.run.cycles} cycles' >page.md
echo '{"cycles": 42}' >run.json
status 0 "$ndppage" --help
says out '^usage: ndppage TEMPLATE'
status 0 "$ndppage" --version
status 0 "$ndppage" page.md run=run.json
holds out '42 cycles'
status 2 "$ndppage"
says err "no template, expected one such as"
status 2 "$ndppage" none.md run=run.json
says err '^none.md: error: cannot read: No such file'
status 2 "$ndppage" page.md run=none.json
says err '^none.json: error: cannot read: No such file'
status 2 "$ndppage" page.md run.json
says err "'run.json' is no data, expected NAME=FILE"
status 2 "$ndppage" page.md --outptu=x
says err "did you mean '--output'"

mkdir part
echo 'word = "cycles"' >part/word.lua
# shellcheck disable=SC2016
printf '//%% include "word.lua"\n${data.run[word]}\n' >part/page.md
status 0 "$ndppage" part/page.md run=run.json
holds out 42

# --- whole or not at all -------------------------------------------------------

mkdir made
status 0 "$ndppage" page.md run=run.json -o made/page.md
holds made/page.md '42 cycles'
echo 'as before' >made/page.md
# shellcheck disable=SC2016
{ cat page.md && echo '${data.run.cylces}'; } >slip.md
status 2 "$ndppage" slip.md run=run.json -o made/page.md
says err "^slip.md:2:12: error: unknown key 'cylces', did you mean 'cycles'$"
holds made/page.md 'as before'
echo '{"cycles": 42' >broken.json
status 2 "$ndppage" page.md run=broken.json -o made/page.md
says err "^broken.json:2:1: error: broken JSON: '}' expected near end of file$"
holds made/page.md 'as before'
alone page.md
status 2 "$ndppage" page.md run=run.json -o none/page.md
says err "none/page.md"
if [ -c /dev/full ]; then
    status 2 "$ndppage" page.md run=run.json -o /dev/full
    says err "/dev/full"
fi

# --- figures as awk prints them ------------------------------------------------

# halves and their neighbours, of all sizes
awk 'BEGIN {
    for (e = -4; e <= 6; e++)
        for (i = -41; i <= 41; i += 2)
            printf "%.17g\n", i * 10 ^ e / 8
    for (i = 1; i < 400; i += 2)
        printf "%.17g\n%.17g\n%.17g\n", i / 20, i / 200, i / 7
}' >values
{
    echo "//% include \"$here/docs/pages/page.lua\""
    echo '//% for _, v in ipairs(data.values) do'
    # shellcheck disable=SC2016
    echo '${f0(v)} ${f1(v)} ${f2(v)} ${f3(v)} ${line(v)}'
    echo '//% end'
} >values.md
awk '{ print $1 + 0 }' OFMT=%.17g values | paste -sd , | sed 's/.*/[&]/' >values.json
awk '{ printf "%.0f %.1f %.2f %.3f ", $1, $1, $1, $1; print $1 + 0 }' values >expected
status 0 "$ndppage" values.md values=values.json
cmp -s out expected && ok || fail "not as awk prints: $(diff out expected | head -n 4)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
