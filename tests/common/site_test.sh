#!/bin/sh
# site_test.sh - make site: every page, no link that leads nowhere, nothing from another
# host; and the checker of links on a small site with each kind of wrong link.
#
# usage: site_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=site_test.sh
. tests/common/room.sh

mkdir "$room/site"
cat >"$room/site/index.html" <<'END'
<h1 id="top">A</h1><a href="b.html#there">right</a><a href="#top">right</a>
<a href="https://example.org/">right</a><a href="none.html">wrong</a>
<a href="b.html#away">wrong</a><script src="https://example.org/x.js"></script>
END
echo '<h1 id="there">B</h1>' >"$room/site/b.html"
status 1 python3 scripts/site/links.py "$room/site"
says out "index.html: link 'none.html' leads to no file"
says out "index.html: link 'b.html#away' leads to no heading"
says out "index.html: link 'https://example.org/x.js' is loaded from another host"
says out '2 pages, 6 links, 3 bad'
status 1 python3 scripts/site/links.py "$room/none"

if command -v mkdocs >/dev/null && [ -d /usr/share/mkdocs/themes/material ]; then
    status 0 env BUILD="$room/build" OUT="$room/www" sh scripts/site.sh
    says out ' 0 bad'
    for f in README.md docs/*.md docs/blocks/*.md; do
        page=$room/www/site/${f%.md}.html
        [ "${f##*/}" != README.md ] || page=$room/www/site/$(dirname "$f")/index.html
        [ -s "$page" ] || fail "no page of $f"
    done
    status 0 grep -q ui.perfetto.dev "$room/www/site/search/search_index.json"
else
    echo "site_test.sh: no mkdocs-material, the site is not built"
fi
done_testing
