#!/bin/sh
# together_test.sh - any set of targets stands in one design.
#
# usage: together_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# No module and no file of one target has the name of another's.  The blocks,
# as the commands of docs/generate.md emit them, go through Yosys, Verilator and Icarus in
# one design, and with FuseSoC, where it is installed, as two cores that a third
# depends on.  Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=together
ndpgen=$path

have() { command -v "$1" >/dev/null 2>&1; }
# what a tool says is a failure, too
silent() { said=$("$@" 2>&1) && [ -z "$said" ] || { echo "$said"; false; }; }

# --- names --------------------------------------------------------------------
targets=$("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
for t in $targets; do
    status 0 '' --target "$t" -o "all/$t" # warnings would show
    sed -n 's/^module \([^ ;(#]*\).*/\1/p' "all/$t"/rtl/*.v >"all/$t.modules"
    holds "modules of $t are named after it" sh -c \
        "! grep -vE '^ndp_$t(_|\$)' all/$t.modules"
done
no_twice() { [ -z "$(cat all/*.modules | sort | uniq -d)" ] ||
    { cat all/*.modules | sort | uniq -d; false; }; }
holds "no module has two definitions" no_twice
holds "there are modules" [ "$(cat all/*.modules | wc -l)" -gt 60 ]
rm -rf all

# --- the page's commands -------------------------------------------------------
# each that needs no file of the user's; the later of two for one target wins
sed -n 's|^ *build/ndpgen \(--target .* -o \)out/\([a-z0-9]*\).*|\1made/\2|p' \
    "$top/docs/generate.md" | grep -v -e --config -e mpu_core >commands
printf '%s\n' '--target analyzer --preset tom -o made/analyzer' \
    '--target emn --preset mesh -o made/emn' >>commands
while read -r line; do
    # the options are words without blanks inside
    # shellcheck disable=SC2086
    status 0 '' $line
done <commands
for t in nbu offload analyzer emn prefetch; do
    set -- made/$t*
    holds "docs/generate.md makes $t" [ -d "$1/rtl" ]
done
tops=$(sed -n 's/^name: ::\(.*\):0$/\1/p' made/*/*.core)
if have iverilog; then
    holds "Icarus takes them all" silent iverilog -g2005 -Wall -t null \
        $(printf ' -s %s' $tops) made/*/rtl/*.v
fi
if have verilator; then
    holds "Verilator takes them all" silent verilator --lint-only -Wall \
        -Wno-MULTITOP made/*/rtl/*.v
fi
if have yosys; then
    holds "Yosys takes them all" silent yosys -q -p \
        "read_verilog $(echo made/*/rtl/*.v); hierarchy -check"
fi

# --- FuseSoC ------------------------------------------------------------------
if have fusesoc && have verilator; then
    mkdir soc
    printf 'module soc (input wire clk, input wire rst, output wire [1:0] ack);\n' \
        >soc/soc.v
    n=0
    for t in $tops; do
        [ $n -lt 2 ] || break
        printf '    %s b%d (.clk(clk), .rst(rst), .wb_ack(ack[%d]));\n' "$t" $n $n
        n=$((n + 1))
    done >>soc/soc.v
    echo endmodule >>soc/soc.v
    cat >soc/soc.core <<END
CAPI=2:
name: ::soc:0
filesets:
  rtl:
    files: [soc.v]
    file_type: verilogSource-2005
    depend: [$(echo $tops | awk '{ print "\"" $1 "\", \"" $2 "\"" }')]
targets:
  default:
    filesets: [rtl]
    toplevel: soc
  lint:
    filesets: [rtl]
    toplevel: soc
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wno-PINMISSING]
END
    holds "FuseSoC takes two of them" fusesoc --cores-root . run \
        --target lint ::soc:0
else
    echo "together_test.sh: no FuseSoC, its cores are left out"
fi
done_testing
