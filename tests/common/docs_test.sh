#!/bin/sh
# docs_test.sh - documents name what there is: words of `make cosim`, options of
# programs, files, and links between pages.
#
# usage: docs_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0

check() { # what command...
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs_test.sh: $what" >&2
    fi
}

# each word that cosim.mk hands on, in the script's help and on its page
words=$(sed -n '/^cosim_words/,/[^\\]$/p' verilator-tb/cosim.mk |
    sed 's/^cosim_words := //; s/\\//')
check "cosim.mk has words" [ -n "$words" ]
for w in $words; do
    check "docs/cosim.md does not have $w=" \
        grep -q "^| \`$w=" docs/cosim.md
    check "scripts/cosim.sh --help does not have $w=" \
        sh -c "sh scripts/cosim.sh --help | grep -q '$w='"
done

# links between pages lead to files
linked() { # page
    sed 's/`[^`]*`//g' "$1" | grep -o '](\([^)#: ]*\)[)#]' | sed 's/^](//; s/[)#]$//' |
        while read -r to; do
            [ -z "$to" ] || [ -e "$(dirname "$1")/$to" ] ||
                echo "docs_test.sh: $1 links to $to" >&2
        done
}
for page in *.md docs/*.md docs/blocks/*.md; do
    check "$page has a link to nothing" [ -z "$(linked "$page" 2>&1)" ]
done
echo "docs: $passed passed, $failed failed"
[ $failed = 0 ]
