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
# commands of the README name programs, make targets and files that are there, or
# that an earlier one makes; a user's cell library is his own
unknown() {
    made=' my.lib '
    sed -n 's/^    //p' README.md | sed 's/  *#.*//' | while read -r line; do
        case $line in
        *'>'*) made="$made ${line##*>} " ;;
        esac
        set -f
        for word in $(echo "$line" | sed 's/golden:/ /g' | tr "='" '  '); do
            set +f
            case $word in
            -*) ;;
            *.yml | *.ptx | *.cu | *.md | *.lib | *.ndpt | kernels/*)
                case "$made $(echo "$line" | sed 's/.*\(-o\|--trace\|--metadata\) //')" in
                *" $word"*) ;;
                *) ls $word >/dev/null 2>&1 || echo "$word" ;;
                esac
                ;;
            esac
        done
        case $line in
        make\ *)
            t=$(echo "$line" | cut -d ' ' -f 2)
            grep -qE "^([a-z-]+ )*$t:" Makefile verilator-tb/cosim.mk || echo "make $t"
            ;;
        build/*)
            p=${line%% *} p=${p#build/}
            [ -d "gen/$p" ] || [ -d "golden/sim/$p" ] || echo "$p"
            ;;
        esac
    done
}
check "README.md names what there is not: $(unknown | tr '\n' ' ')" [ -z "$(unknown)" ]
echo "docs: $passed passed, $failed failed"
[ $failed = 0 ]
