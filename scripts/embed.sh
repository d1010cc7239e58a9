#!/bin/sh
# embed.sh NAME FILE... - print a C source that holds the files' bytes.
#
# Defines  const struct embedded NAME[]  of lib/base/embed.h, one entry a file in the
# order given and an empty one last.  Byte arrays, because a C11 string literal
# need not hold more than 4095 bytes.  The output depends on the files' names,
# their folders' names and contents only.
set -eu
LC_ALL=C
export LC_ALL

fail() {
    echo "embed.sh: error: $1" >&2
    exit 2
}

[ $# -ge 2 ] || fail "expected a table name and at least one file"
table=$1
shift
case $table in
'' | [0-9]* | *[!A-Za-z0-9_]*) fail "'$table' is not a C identifier" ;;
esac
for file in "$@"; do
    [ -f "$file" ] && [ -r "$file" ] || fail "cannot read '$file'"
    case ${file##*/} in
    *[!A-Za-z0-9._-]*) fail "'$file' has a name that does not suit C" ;;
    esac
done

echo "/* Made by scripts/embed.sh out of the files named below. */"
echo '#include "base/embed.h"'
n=0
for file in "$@"; do
    echo
    echo "/* ${file##*/} */"
    echo "static const unsigned char file_$n[] = {"
    od -An -v -tu1 "$file" | sed 's/  *\([0-9][0-9]*\)/ \1,/g; s/^/   /'
    echo "    0};"
    n=$((n + 1))
done

echo
echo "const struct embedded ${table}[] = {"
n=0
for file in "$@"; do
    base=${file##*/} folder=${file%/*}
    echo "    {\"${folder##*/}\", \"$base\", \"${base%.*}\", (const char *)file_$n,"
    echo "     sizeof file_$n - 1},"
    n=$((n + 1))
done
echo "    {NULL, NULL, NULL, NULL, 0}};"
