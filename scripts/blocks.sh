#!/bin/sh
# blocks.sh - the C that every declaration needs and nobody should write.
#
# usage: blocks.sh OUT FOLDER...
#
# FOLDER/<name>.def declare targets (iface/iface.h).  Writes into OUT/blocks/:
#   <name>.h, <name>.c   types and tables of each, by iface/types.h and table.h
#   all.h                NDP_ALL(X): X(name) for each; NDP_SYSTEMS(X) for each
#                        system, NDP_LEAVES(X) for the others
#   gather.def           all parameters, shared groups first, registers last
#   tables.def           NDP_TABLES(X): X(name) for each with gen/<name>/<name>.c
# A file that would not change is left as it is.
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

[ $# -ge 2 ] || { echo "blocks.sh: error: expected OUT FOLDER..." >&2; exit 2; }
out=$1/blocks
shift
mkdir -p "$out"
shared=$(dirname "$0")/../lib/shared

# settle FILE: standard input becomes FILE, unless that is what it holds
settle() {
    cat >"$1.new"
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# what is said of a declaration before its types and tables are made
arguments() { # name
    printf '#define DECL %s\n#define DECL_DEF "blocks/%s.def"\n' "$1" "$1"
    case $(sed -n 's/^\(UNIT\|SYSTEM\)(.*/\1/p' "$def" | head -n 1) in
    UNIT) echo '#define DECL_IS_UNIT' ;;
    SYSTEM) echo '#define DECL_IS_SYSTEM' ;;
    esac
}

names= leaves= systems=
for folder; do
    for def in "$folder"/*.def; do
        name=$(basename "$def" .def)
        names="$names $name"
        if grep -q '^SYSTEM(' "$def"; then
            systems="$systems $name"
        else
            leaves="$leaves $name"
        fi
        upper=$(echo "$name" | tr a-z A-Z)
        {
            echo "/* Made by scripts/blocks.sh out of $name.def. */"
            printf '#ifndef NDP_BLOCKS_%s_H\n#define NDP_BLOCKS_%s_H\n\n' \
                "$upper" "$upper"
            printf '#include "iface/iface.h"\n\n#define DECL_UPPER %s\n' "$upper"
            arguments "$name"
            printf '#include "iface/types.h"\n\n#endif\n'
        } | settle "$out/$name.h"
        {
            echo "/* Made by scripts/blocks.sh out of $name.def. */"
            echo "#include \"blocks/$name.h\""
            # checks of the groups that it uses, and sizes of what it is made of
            sed -n 's/^#define USES \([a-z0-9_]*\)$/\1/p' "$def" |
                while read -r group; do
                    [ ! -f "$shared/$group.h" ] ||
                        echo "#include \"shared/$group.h\""
                done
            sed -n 's/^\(CONTAINS\|INSTANCE\|INSTANCES\)(\([^,)]*, \)\{0,1\}\([a-z0-9_]*\)[,)].*/\3/p' \
                "$def" | sort -u | sed 's,.*,#include "blocks/&.h",'
            echo
            arguments "$name"
            echo '#include "iface/table.h"'
        } | settle "$out/$name.c"
    done
done

list() { # macro, names...
    echo "#define $1(X) \\"
    shift
    for name; do
        echo "    X($name) \\"
    done
    echo
}
# shellcheck disable=SC2086
{
    echo "/* Made by scripts/blocks.sh. */"
    list NDP_ALL $names
    list NDP_LEAVES $leaves
    list NDP_SYSTEMS $systems
} | settle "$out/all.h"

{
    echo "/* Made by scripts/blocks.sh. */"
    echo "#define NDP_TABLES(X) \\"
    for name in $names; do
        [ ! -f "$(dirname "$0")/../gen/$name/$name.c" ] || echo "    X($name) \\"
    done
    echo
} | settle "$out/tables.def"

gather() { # group, file
    printf '#define OWNER %s\n#include "%s"\n#undef OWNER\n' "$1" "$2"
}
{
    echo "/* Made by scripts/blocks.sh. */"
    for def in "$shared"/*.def; do
        group=$(basename "$def" .def)
        [ "$group" = regs ] || gather "$group" "shared/$group.def"
    done
    for name in $names; do
        gather "$name" "blocks/$name.def"
    done
    gather regs shared/regs.def
} | settle "$out/gather.def"
