#!/bin/sh
# synth.sh - synthesise one generated block for one flow.
#
# usage: [lib=FILE.lib] synth.sh DIR FLOW
#        synth.sh --key DIR FLOW     only prints what the result depends on
#        synth.sh --tools            prints the tools' part of that, for AREA_TOOLS in
#                                    the environment of many calls
#
# DIR is laid out by cost.sh: DIR/src/*.v, DIR/top (module name), DIR/key (hash
# of the sources).  FLOW names FLOW.ys beside this script.  Writes DIR/FLOW.row,
# one line a table row:
#     flow logic ffs memory lutram depth        ('-' where it means nothing)
# and, for reading, DIR/FLOW.stat, DIR/FLOW.path (longest path), DIR/FLOW.mem.
# A row that was made of the same sources, scripts and tools is kept.  For
# iCE40 a second row, 'hx8k', has what nextpnr packs: LUT, carry and flip-flop
# of one logic cell count once, as on the chip.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
# Bytes of programs; one that is missing is known by that.
tools() {
    for tool; do
        at=$(command -v "$tool") && echo "$tool $(sha256sum <"$at")" || echo "no $tool"
    done
}
if [ "$1" = --tools ]; then
    tools yosys yosys-abc nextpnr-ice40 | sha256sum | cut -c 1-32
    exit 0
fi
key_only=
if [ "$1" = --key ]; then
    key_only=1
    shift
fi
dir=$1
flow=$2
lib=${lib:-}
[ "$flow" = lib ] || lib=

fail() {
    echo "synth.sh: error: $1" >&2
    exit 2
}

# Everything the result depends on, as one hash.
job_key() {
    {
        cat "$dir/key" "$here/$flow.ys" "$here/cells.tsv" "$0"
        yosys -V
        echo "${AREA_TOOLS:-$(sh "$0" --tools)}"
        if [ "$flow" = ice40 ] && command -v nextpnr-ice40 >/dev/null; then
            nextpnr-ice40 --version 2>&1
        fi
        [ -z "$lib" ] || cat "$lib"
    } | sha256sum | cut -c 1-32
}

key=$(job_key)
if [ -n "$key_only" ]; then
    echo "$key"
    exit 0
fi
row=$dir/$flow.row
if [ -f "$row" ] && [ "$(cat "$dir/$flow.key" 2>/dev/null)" = "$key" ]; then
    exit 0
fi
rm -f "$row" "$dir/$flow.key" "$dir/$flow.seconds"

top=$(cat "$dir/top")
at=$dir/$flow
after="tee -q -o $at.stat stat -tech cmos; tee -q -o $at.path ltp @path"
case $flow in
ice40) after="$after; write_json $at.json" ;;
gates) after="$after; tee -q -o $at.mem dump t:\$mem_v2" ;;
lib)
    # the user's path may have blanks, which Yosys hands on to ABC unquoted
    cp "$lib" "$at.cells"
    after="dfflibmap -liberty $at.cells; abc -liberty $at.cells; opt_clean
           tee -q -o $at.stat stat -liberty $at.cells"
    ;;
esac
start=$(date +%s)
if ! yosys -q -l "$at.log" -p "
    read_verilog $(echo "$dir"/src/*.v)
    hierarchy -check -top $top
    script $here/$flow.ys
    $after" >"$at.out" 2>&1; then
    cat "$at.out" >&2
    fail "yosys failed on '$top', flow '$flow'; log in $at.log"
fi

# cells -> columns
count() {
    awk -F '\t' -v flow="$flow" '
    FNR == NR {
        if ($1 == flow) {
            cell[++n] = "^" $2 "$"
            column[n] = $3
            each[n] = $4
        }
        next
    }
    /Number of cells:/ { cells = 1; next }
    /transistors:/ { sub(/.*: */, ""); transistors = $0 + 0 }
    cells && NF && split($0, f, " ") == 2 && f[2] ~ /^[0-9]+$/ {
        for (i = 1; i <= n && f[1] !~ cell[i]; i++)
            ;
        if (i > n) {
            print "cells.tsv does not list " f[1] > "/dev/stderr"
            bad = 1
        }
        sum[column[i]] += each[i] * f[2]
    }
    END {
        logic = sum["logic"] + 0
        if (flow == "gates") # four transistors make one two-input NAND
            logic = int(transistors / 4 + 0.5)
        printf "%d\t%d\t%d\t%d", logic, sum["ffs"], sum["memory"], sum["lutram"]
        exit bad
    }' "$here/cells.tsv" "$at.stat"
}

depth() {
    sed -n 's/^Longest topological path in .*(length=\(-*[0-9]*\))/\1/p' \
        "$at.path" | awk '{ n = $1 > 0 ? $1 : 0 } END { print n + 0 }'
}

memory_bits() {
    awk '$1 == "parameter" && $2 == "\\SIZE" { size = $3 }
         $1 == "parameter" && $2 == "\\WIDTH" { bits += size * $3 }
         END { print bits + 0 }' "$at.mem"
}

# Cells to which the library gives no area, memories apart: they would be left
# out of the sum.  "NAME (N times), ...".
unknown_cells() {
    awk '
    /Area for cell type .* is unknown/ {
        name = $0
        sub(/.*Area for cell type /, "", name)
        sub(/ is unknown.*/, "", name)
        sub(/^\\/, "", name)
        if (name !~ /^[$]mem/)
            unknown[name]
    }
    NF == 2 && $2 ~ /^[0-9]+$/ { times[$1] = $2 }
    END {
        for (name in unknown)
            printf "%s%s (%d times)", (n++ ? ", " : ""), name, times[name]
    }' "$at.stat" "$at.log"
}

if [ "$flow" = lib ]; then
    unknown=$(unknown_cells)
    [ -z "$unknown" ] ||
        fail "the library gives no area for $unknown of '$top', expected an \
area for every cell"
    area=$(sed -n 's/.*Chip area for .*: *//p' "$at.stat" | tail -n 1)
    [ -n "$area" ] || fail "no area for '$top' in $at.stat"
    printf 'lib\t%s\t-\t-\t-\t-\n' "$area" >"$row.new"
else
    columns=$(count) || fail "unlisted cells in $at.stat"
    set -- $columns
    if [ "$flow" = gates ]; then
        set -- "$1" "$2" "$(memory_bits)" -
    fi
    case $flow in ice40) set -- "$1" "$2" "$3" - ;; esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$flow" "$@" "$(depth)" >"$row.new"
fi

if [ "$flow" = ice40 ] && command -v nextpnr-ice40 >/dev/null; then
    # a block that is larger than the part still packs; only placing would fail
    nextpnr-ice40 --hx8k --package ct256 --pack-only --json "$at.json" \
        >"$dir/hx8k.out" 2>&1 || :
    awk '/ICESTORM_LC:/ { sub(/\/.*/, ""); lc = $NF }
         /ICESTORM_RAM:/ { sub(/\/.*/, ""); ram = $NF }
         END {
             if (lc == "")
                 exit 1
             printf "hx8k\t%d\t-\t%d\t-\t-\n", lc, ram
         }' "$dir/hx8k.out" >>"$row.new" ||
        fail "nextpnr did not pack '$top'; log in $dir/hx8k.out"
fi
rm -f "$at.json.old"
mv "$row.new" "$row"
echo "$key" >"$dir/$flow.key"
echo "$(($(date +%s) - start))" >"$dir/$flow.seconds"
