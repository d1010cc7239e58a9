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
cp "$here/scripts/figures.sh" "$here/scripts/picture.awk" scripts
cp "$ndppage" build
cat >build/toy <<'END'
#!/bin/sh
echo "$*" >>ran
case $1 in bad) exit 1 ;; esac
echo "{\"words\": \"$*\"}"
END
cat >bin/gnuplot <<'END'
#!/bin/sh
echo '<svg font="x">'
echo '<title>Gnuplot</title>'
echo '<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>'
echo "drawn: $(grep '^plot' "$1")"
echo '<text font-family="Helvetica" x="1" >'
echo '</svg>'
END
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
printf '# title: One < dot\nplot ${#data.a.words}\n' >docs/pages/toy/dot.gp
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

# --- runs of another page ---------------------------------------------------------

mkdir docs/pages/late
printf 'of toy b none\nrun own toy o\n' >docs/pages/late/runs
# shellcheck disable=SC2016
echo '${data.toy_b.words}; ${data.toy_none.words}; ${data.own.words}' >docs/pages/late/late.md
figures 0 late
says docs/late.md '^new-b kernels/k/k.yml --json; --json; o --json$'
ran 1
rm build/figures/toy/b.json
figures 0 late
ran 1
figures 0 toy
ran 0
# shellcheck disable=SC2016
echo '${data.toy_a.words}' >docs/pages/late/late.md
figures 2 late
says "$room/err" "unknown data 'toy_a'"
rm -r docs/pages/late docs/late.md

# what the picture says of itself
says docs/img/dot.svg '^<title>One &lt; dot</title>$'
says docs/img/dot.svg '^<text font-family="Helvetica, Arial, sans-serif" x="1" >$'
says docs/img/dot.svg '^<!-- figures [0-9a-f]\{16\} -->$'
if grep -q GNUPLOT docs/img/dot.svg; then
    fail "the version of gnuplot stands in docs/img/dot.svg"
else
    ok
fi

# stale LINES - what --stale prints
stale() {
    figures 0 --stale
    [ "$(cat "$room/out")" = "$1" ] && ok ||
        fail "stale are '$(cat "$room/out")', expected '$1'"
}
stale ''
echo '# more' >>docs/pages/toy/dot.gp
stale docs/img/dot.svg
figures 0 toy
stale ''
echo '| a cell |' >>docs/page.md
stale docs/img/dot.svg
figures 0 toy
stale ''
echo 'prose' >>docs/page.md
stale ''
rm docs/img/dot.svg
stale docs/img/dot.svg
figures 0 toy
rm -f ran

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
