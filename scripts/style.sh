#!/bin/sh
# style.sh - clang-format over the project's own C, lines of documents that are
# too long, and on request clang-tidy.
#
# usage: style.sh [--fix | --tidy | --prose PAGE...]
#
# --fix formats in place; --tidy runs clang-tidy as well (minutes); --prose looks
# at the pages named and at nothing else.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
format=clang-format-14 tidy=clang-tidy-14
# Lines of prose over 160 characters, bytes of UTF-8 that continue one not counted.
# Tables, code and what has no blank to break at (a link) may be longer.
long_prose() { # page...
    LC_ALL=C awk '
    FNR == 1 { fence = code = 0; blank = 1 }
    /^ *```/ { fence = !fence; next }
    fence { next }
    { code = /^    / && (blank || code); blank = /^ *$/ }
    code || /^ *\|/ { next }
    {
        line = $0
        gsub(/[\200-\277]/, "", line)
        rest = line
        gsub(/\[[^]]*\]\([^)]*\)/, "link", rest)
        if (length(line) > 160 && rest ~ /[^ ] +[^ ]/)
            print FILENAME ":" FNR ": " length(line) " characters, expected at most 160"
    }' "$@"
}
if [ "${1:-}" = --prose ]; then
    shift
    [ $# -gt 0 ] || { echo "error: --prose wants a page" >&2; exit 2; }
    long=$(long_prose "$@")
    [ -z "$long" ] || { echo "$long"; exit 1; }
    echo "$# passed, 0 failed"
    exit 0
fi

files=$(git ls-files '*.c' '*.h' '*.cpp' | grep -v '^rtl-templates/') # templates are none
# nor here: what they become is
pages=$(git ls-files '*.md' | grep -v -e '^rtl-templates/' -e '^docs/pages/')
long=$(long_prose $pages)
failed=0
if [ -n "$long" ]; then
    echo "$long"
    failed=$(echo "$long" | wc -l)
fi

if ! command -v $format >/dev/null || ! command -v $tidy >/dev/null; then
    echo "style: C skipped, $format and $tidy are not here"
    [ $failed = 0 ]
    exit
fi
if [ "${1:-}" = --fix ]; then
    echo "$files" | xargs $format -i
    exit 0
fi

for f in $(echo "$files" | xargs -n 200 $format --dry-run -Werror 2>&1 |
    sed -n 's/^\([^:]*\):[0-9:]* error: .*/\1/p' | sort -u); do
    echo "$f: not formatted, run: sh scripts/style.sh --fix"
    failed=$((failed + 1))
done
if [ "${1:-}" = --tidy ]; then
    flags="-std=c11 -D_POSIX_C_SOURCE=200809L -Ilib -I$BUILD/lib -Igolden -Igen
    -Iverilator-tb -Ikernels $(pkg-config --cflags lua5.4)"
    sources=$(echo "$files" | grep -E '^(lib|gen|golden|verilator-tb)/.*\.c$' |
        grep -v dut_icarus)
    if ! echo "$sources" | xargs -P 2 -n 6 sh -c '
        tidy=$0; flags=$1; shift
        $tidy --quiet "$@" -- $flags 2>/dev/null' $tidy "$flags"; then
        failed=$((failed + 1))
    fi
fi
n=$(echo $files $pages | wc -w)
echo "$((n - failed)) passed, $failed failed"
[ $failed = 0 ]
