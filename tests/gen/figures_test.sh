#!/bin/sh
# figures_test.sh - scripts/figures.sh on a page of its own: a program runs again
# only after a change of what its result depends on, and a run that fails leaves
# the page as it was.
#
# usage: figures_test.sh [PATH-OF-NDPPAGE]   (default: $BUILD/ndppage, build/ndppage)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
here=$PWD
ndppage=${1:-${BUILD:-build}/ndppage}
unset BUILD
case $ndppage in
/*) ;;
*) ndppage=$PWD/$ndppage ;;
esac
[ -x "$ndppage" ] || { echo "figures_test.sh: no program '$ndppage'" >&2; exit 2; }
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "figures_test.sh: $1" >&2
    failed=$((failed + 1))
}

# figures STATUS ARGUMENT... - run the script; leaves $room/out and $room/err
figures() {
    want=$1
    shift
    sh scripts/figures.sh "$@" >"$room/out" 2>"$room/err"
    got=$?
    [ $got -eq "$want" ] && ok || fail "'$*' exits with $got, expected $want: $(cat "$room/err")"
}

# says FILE PATTERN - a line matches
says() {
    grep -q -- "$2" "$1" && ok || fail "no '$2' in $1: $(cat "$1")"
}

# ran N - so many programs ran since the last time
ran() {
    touch ran
    n=$(wc -l <ran)
    [ "$n" -eq "$1" ] && ok || fail "$n programs ran, expected $1: $(cat ran)"
    rm ran
}

# same - the page is as it was when it was copied
same() {
    cmp -s docs/page.md "$room/before.md" && ok || fail "the page is '$(cat docs/page.md)'"
}

# --- a project with one page ---------------------------------------------------

cd "$room" || exit 2
mkdir -p scripts docs/pages/toy build bin kernels/k
cp "$here/scripts/figures.sh" scripts
cp "$ndppage" build
cat >build/toy <<'END'
#!/bin/sh
echo "$*" >>ran
case $1 in bad) exit 1 ;; esac
echo "{\"words\": \"$*\"}"
END
printf '#!/bin/sh\necho "drawn: $(cat "$1")"\n' >bin/gnuplot
chmod +x build/toy bin/gnuplot
PATH=$room/bin:$PATH
cat >docs/pages/toy/runs <<'END'
for k in a b; do
    run $k toy $k $(each kernels/%/%.yml k)
done
run none toy
END
# shellcheck disable=SC2016
echo '${data.a.words}; ${data.b.words}; ${data.none.words}' >docs/pages/toy/page.md
# shellcheck disable=SC2016
echo 'plot ${#data.a.words}' >docs/pages/toy/dot.gp
echo one >kernels/k/k.yml

# --- what runs, and when --------------------------------------------------------

figures 0 --list
says "$room/out" '^toy$'
figures 2 tyo
says "$room/err" "unknown page 'tyo', expected one of: toy"
figures 0
says docs/page.md '^a kernels/k/k.yml --json; b kernels/k/k.yml --json; --json$'
says docs/img/dot.svg '^drawn: plot 24$'
ran 3
figures 0 toy
ran 0
echo two >kernels/k/k.yml
figures 0 toy
ran 2
sed -i 's/toy \$k/toy new-$k/' docs/pages/toy/runs
figures 0 toy
ran 2
says docs/page.md 'new-a.*new-b'
echo '# another' >>build/toy
figures 0 toy
ran 3
rm build/figures/toy/b.json
figures 0 toy
ran 1

# a run that fails leaves the page and is not taken for done
cp docs/page.md "$room/before.md"
sed -i 's/toy new-/toy bad new-/' docs/pages/toy/runs
figures 1 toy
says "$room/err" 'figures: failed: build/toy bad new-a'
ran 2
figures 1 toy
ran 2
same
sed -i 's/toy bad new-/toy new-/' docs/pages/toy/runs
figures 0 toy
same

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
