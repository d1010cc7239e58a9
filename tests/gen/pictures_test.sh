#!/bin/sh
# pictures_test.sh - the pictures of the documents: well formed, with a title, no
# text outside or over another (svg.awk), drawn from what the tree holds, and each
# that a page shows is there.
#
# usage: pictures_test.sh       (programs of $BUILD, build)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "pictures_test.sh: $1" >&2
    failed=$((failed + 1))
}

# --- what is in the tree -------------------------------------------------------

for picture in docs/img/*.svg; do
    said=$(awk -f tests/gen/svg.awk "$picture" 2>&1) && [ -z "$said" ] && ok ||
        fail "$said"
done

# pages with their pictures: "PAGE PICTURE" a line
for page in *.md docs/*.md docs/blocks/*.md docs/examples/*.md; do
    [ ! -f "$page" ] || sed -n 's/!\[[^]]*\](/\n&/gp' "$page" |
        sed -n "s,^!\\[[^]]*\\](\\([^)]*\\)).*,$page \\1,p"
done >"$room/shown"
while read -r page picture; do
    [ -f "$(dirname "$page")/$picture" ] && ok || fail "$page shows '$picture', which is not there"
    echo "${picture##*/}" >>"$room/names"
done <"$room/shown"
for picture in docs/img/*.svg; do
    grep -qx "${picture##*/}" "$room/names" && ok ||
        fail "no page shows $picture"
done

stale=$(sh scripts/figures.sh --stale 2>&1)
[ -z "$stale" ] && ok || fail "stale, for make figures: $stale"
stale=$(sh scripts/pictures.sh --stale 2>&1)
[ -z "$stale" ] && ok || fail "stale, for make pictures: $stale"

# --- what svg.awk sees ---------------------------------------------------------

# sees WHAT SVG - it says of the picture
sees() {
    printf '%s\n' "$2" >"$room/x.svg"
    if said=$(awk -f tests/gen/svg.awk "$room/x.svg" 2>&1); then
        said="nothing wrong${said:+, but says $said}"
    fi
    case $said in
    *"$1"*) ok ;;
    *) fail "of $2: '$said', expected '$1'" ;;
    esac
}
svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" font-size="10">'
named="$svg<title>t &amp; u</title>"
sees "nothing wrong" "<?xml version='1.0'?>
<!-- a > b -->
$named<g transform=\"translate(10,20) rotate(-90)\"><text x=\"1\" y=\"2\">up</text></g>
<text x='60' y='20'>a <tspan font-size='12'>b</tspan></text></svg>"
sees "no title" "$svg<text x=\"1\" y=\"20\">a</text></svg>"
sees "no title" "$svg<title>Gnuplot</title><text x=\"1\" y=\"20\">a</text></svg>"
sees "no title" "$svg<g><title>t</title><text x=\"1\" y=\"20\">a</text></g></svg>"
sees "no viewBox" '<svg><title>t</title><text y="9">a</text></svg>'
sees "no text" "$named</svg>"
sees "'long enough to leave' at 80" \
    "$named<text x=\"80\" y=\"20\">long enough to leave</text></svg>"
sees "leaves the picture" "$named<text x=\"1\" y=\"4\">cut above</text></svg>"
sees "leaves the picture" \
    "$named<g transform=\"translate(2,0)\"><text x=\"9\" y=\"20\" text-anchor=\"end\">cut at left</text></g></svg>"
sees "'one' and 'two' lie over" \
    "$named<text x=\"9\" y=\"20\">one</text><text x=\"12\" y=\"22\">two</text></svg>"
sees "</svg> closes <g>" "$named<g><text x=\"1\" y=\"20\">a</text></svg>"
sees "<svg> is not closed" "$named<text x=\"1\" y=\"20\">a</text>"
sees "not a tag" "$named<text x=1 y=\"20\">a</text></svg>"
sees "a bare &" "$named<text x=\"1\" y=\"20\">a & b</text></svg>"
sees "a tag that does not end" "$named<text x=\"1\" y=\"20\">a</text></svg"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
