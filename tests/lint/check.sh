#!/bin/sh
# check.sh - every static check of one generated folder.
#
# usage: check.sh DIR TOP
#
# Any output of a tool counts as a failure: there are no waivers.  Prints what
# the failing tools said; DIR.result gets one line a check, "pass NAME" or
# "fail NAME".  A tool that is not installed is left out, "skip NAME".
# DIR.seconds gets what it took.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
dir=$1
top=$2
result=$PWD/$dir.result
said=$PWD/$dir.said
case $dir in /*) result=$dir.result said=$dir.said ;; esac
start=$(date +%s)
: >"$result"
cd "$dir"

# The files that the list names, one a line; the list is what users compile.
files=$(sed 's,//.*,,; /^[ \t]*[-+]/d' "$top.f")

quiet() { # name of the check, command...
    name=$1
    shift
    status=0
    "$@" >"$said" 2>&1 || status=$?
    if [ $status -eq 0 ] && [ ! -s "$said" ]; then
        echo "pass $name" >>"$result"
    else
        echo "fail $name" >>"$result"
        echo "$dir: $name:"
        head -n 20 "$said" | sed 's/^/    /'
    fi
}

tool() { # name of the check, program, arguments...
    if command -v "$2" >/dev/null 2>&1; then
        quiet "$@"
    else
        echo "skip $1" >>"$result"
    fi
}

# The list names each file of rtl/ once.
listed() {
    printf '%s\n' $files | sort >"$said.listed"
    find rtl -name '*.v' | sort | diff "$said.listed" -
}

# Verilog-2005 and nothing later; comments and strings may say what they like.
dialect() {
    for f in $files; do
        awk -v file="$f" '
        FNR == NR {
            if (!/^#/)
                for (i = 1; i <= NF; i++)
                    reserved[$i]
            next
        }
        {
            line = $0
            gsub(/"[^"]*"/, "\"\"", line)
            sub(/\/\/.*/, "", line)
            if (line ~ /\/\*/)
                print file ":" FNR ": block comment, expected //"
            if (line ~ /\+\+|\+=|-=|\|=|&=|\^=|\047\{|\.\*/)
                print file ":" FNR ": operator of a later standard: " line
            n = split(line, word, /[^A-Za-z0-9_$`]+/)
            for (i = 1; i <= n; i++)
                if (word[i] in reserved)
                    print file ":" FNR ": \047" word[i] \
                        "\047 is a keyword of a later standard"
        }' "$here/keywords.txt" "$f"
    done
}

# No file may leave its default_nettype to the next one.
nettype() {
    for f in $files; do
        awk -v file="$f" '
        /^`default_nettype/ { seen[++n] = $2 }
        /^(module|endmodule)/ && n != 1 {
            print file ": module outside of default_nettype none"
        }
        END {
            if (n != 2 || seen[1] != "none" || seen[2] != "wire")
                print file ": expected default_nettype none first, wire last"
        }' "$f"
    done
}

# Several drivers, combinational loops and undriven wires; latches; tri-states;
# memories that are read without a clock; inputs that an output follows without
# a register between, which the lock-step, looking once a cycle, cannot see.
# First module by module, then flat, as a loop or a path may go through several.
# A design above so many cells is not made flat, which would take gigabytes:
# loops through its modules are Verilator's to find.
flat_cells=40000

structure() {
    yosys -q -p "
        read_verilog $(echo $files)
        hierarchy -check -top $top
        proc
        select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$_DLATCH_*
        select -assert-none t:\$adff t:\$adffe t:\$aldff t:\$aldffe t:\$dffsr
        tribuf
        select -assert-none t:\$tribuf t:\$_TBUF_
        check -assert
        tee -q -o $said.stat stat -top $top
        write_ilang $said.il" || return 1
    flat=flatten
    [ "$(awk '/Number of cells:/ { n = $4 } END { print n + 0 }' \
        "$said.stat")" -le $flat_cells ] || flat=
    yosys -q -p "
        read_ilang $said.il
        $flat
        opt_clean
        check -assert
        opt -fast
        memory_dff
        memory_collect
        select -assert-none t:\$mem_v2 r:RD_CLK_ENABLE<1 %i
        select -set through $top/o:* %cie* $top/i:* %i
        select -write $said.through @through" || return 1
    sed 's,.*/\(.*\),an output follows input \1 without a register,' \
        "$said.through"
    rm -f "$said.stat" "$said.il" "$said.through"
}

quiet "file list" listed
quiet "Verilog-2005 words" dialect
quiet "default_nettype" nettype
tool "verilator -Wall" verilator --lint-only -Wall --top-module "$top" $files
tool "verilator -Wall, NDP_CHECKS" verilator --lint-only -Wall -DNDP_CHECKS \
    --top-module "$top" $files
tool "iverilog -Wall" iverilog -g2005 -Wall -s "$top" -t null $files
if command -v yosys >/dev/null 2>&1; then
    quiet "yosys check" structure
else
    echo "skip yosys check" >>"$result"
fi
rm -f "$said" "$said.listed"
echo $(($(date +%s) - start)) >"${result%.result}.seconds"
