#!/bin/sh
# site.sh - the documents as a website, by MkDocs and its theme Material.
#
# usage: site.sh
#
# Writes $OUT/site (OUT: out), which any web server serves:
#   python3 -m http.server -d out/site
# Needs the Debian packages mkdocs and mkdocs-material (scripts/setup.sh --site
# installs them) and no network.  Fails on a link that leads nowhere.
# Exit status: 0 done, 1 a link or a page is wrong, 2 a tool is missing.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${OUT:-out}
if ! command -v mkdocs >/dev/null || ! [ -d /usr/share/mkdocs/themes/material ]; then
    sh scripts/setup.sh --site
fi
command -v mkdocs >/dev/null || {
    echo "site.sh: error: no 'mkdocs', install mkdocs and mkdocs-material" >&2
    exit 2
}

# the pages where they lie here, and whatever file they link to
room=$build/site
rm -rf "$room"
mkdir -p "$room/pages"
pages="README.md CHANGELOG.md CONTRIBUTING.md kernels/README.md $(echo docs/*.md docs/blocks/*.md)"
{
    printf '%s\n' $pages docs/img/*.svg docs/img/*.png
    # shellcheck disable=SC2086 # names without blanks
    awk -f tests/common/docs.awk $pages | awk '
        $1 == "link" {
            to = $4
            sub(/#.*/, "", to)
            from = $2
            if (!sub(/[^\/]*$/, "", from))
                from = ""
            if (to != "" && to !~ /\.md$/)
                print from to
        }'
} | while read -r f; do
    [ -f "$f" ] || continue
    realpath --relative-to=. "$f"
done | sort -u | while read -r f; do
    mkdir -p "$room/pages/$(dirname "$f")"
    cp "$f" "$room/pages/$f"
done
{
    cat scripts/site/mkdocs.yml
    echo "  - Notes of blocks:"
    for f in docs/blocks/*.md; do
        b=${f##*/}
        echo "      - ${b%.md}: $f"
    done
} >"$room/mkdocs.yml"
NO_COLOR=1 mkdocs build -q -f "$room/mkdocs.yml" >"$room/log" 2>&1 || {
    cat "$room/log"
    exit 1
}
python3 scripts/site/links.py "$room/made"
rm -rf "$out/site"
mkdir -p "$out"
mv "$room/made" "$out/site"
echo "wrote $out/site; to look at it: python3 -m http.server -d $out/site"
