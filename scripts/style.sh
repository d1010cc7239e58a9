#!/bin/sh
# style.sh - clang-format over the project's own C, and on request clang-tidy.
#
# usage: style.sh [--fix | --tidy]
#
# --fix formats in place; --tidy runs clang-tidy as well (minutes).
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
files=$(git ls-files '*.c' '*.h' '*.cpp' | grep -v '^rtl-templates/') # templates are none

if ! command -v $format >/dev/null || ! command -v $tidy >/dev/null; then
    echo "style: skipped, $format and $tidy are not here"
    exit 0
fi
if [ "${1:-}" = --fix ]; then
    echo "$files" | xargs $format -i
    exit 0
fi

failed=0
for f in $files; do
    if ! $format --dry-run -Werror "$f" >/dev/null 2>&1; then
        echo "$f: not formatted, run: sh scripts/style.sh --fix"
        failed=$((failed + 1))
    fi
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
n=$(echo "$files" | wc -l)
echo "$((n - failed)) passed, $failed failed"
[ $failed = 0 ]
