#!/bin/sh
# checks_test.sh - a block whose NDP_CHECKS is defined tells when its surroundings
# break the contract, each promise on its own, and is silent while they keep it;
# what its memories are made of is NDP_RAM_STYLE's to say.
#
# usage: checks_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# Without Icarus there is nothing to do.
set -u

cd "$(dirname "$0")/../.." || exit 2
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=checks
ndpgen=$path
if ! command -v iverilog >/dev/null 2>&1; then
    echo "checks_test.sh: no Icarus, left out"
    exit 0
fi

# says TARGET DEFINE LINES: what the block prints while a bench does LINES, after a
# reset unless they begin with "now"; each tick is an edge
says() {
    rtl=rtl-$1
    slow= # so that a request has to wait
    [ "$1" != memory ] || slow='--set memory.interval=8'
    # shellcheck disable=SC2086
    [ -d "$rtl" ] || "$ndpgen" --target "$1" --preset small $slow -o "$rtl" \
        >log 2>&1 || return 1
    lines=${3#now}
    reset='rst = 1; tick; tick; rst = 0; tick;'
    [ "$lines" = "$3" ] || reset='rst = 0;'
    {
        # the shell that a bench drives, with a driver in it
        sed '/^endmodule/,$d' "$rtl/tb/ndp_$1_tb.v"
        echo '    task tick; begin #1 clk = 1; #1 clk = 0; end endtask'
        echo '    initial begin'
        echo '        clk = 0;'
        sed -n 's/^    reg  *\(\[[^]]*\]\)* *\([a-z_0-9]*\);.*/        \2 = 0;/p' \
            "$rtl/tb/ndp_$1_tb.v"
        echo "        $reset $lines"
        echo '        $finish;'
        echo '    end'
        echo 'endmodule'
    } >bench.v
    iverilog -g2005 $2 -s "ndp_$1_tb" -o sim "$rtl"/rtl/*.v bench.v &&
        timeout 60 vvp -n sim 2>&1 | grep -v '\$finish called'
}
tells() { # TARGET MESSAGE LINES
    says "$1" -DNDP_CHECKS "$3" >said
    holds "$1 tells: $2" grep -q "ndp_$1_tb\.dut: $2, at [0-9]" said
    says "$1" '' "$3" >said
    holds "$1 without the define says nothing of it" [ ! -s said ]
}
silent() { # TARGET LINES
    says "$1" -DNDP_CHECKS "$2" >said
    holds "$1 has nothing to say" [ ! -s said ]
}

# a request, and another that waits since the first is under way
busy='req_valid = 1; req_id = 1; tick; req_id = 2; tick;'
silent memory "$busy repeat (40) tick;"
silent memory "$busy tick; rst = 1; req_valid = 0; tick; rst = 0; tick;"
tells memory 'req_valid falls before it is taken' \
    "$busy req_valid = 0; tick;"
tells memory 'what req says changes before it is taken' \
    "$busy req_id = 3; tick;"
tells memory 'req_valid is unknown' "req_valid = 1'bx; tick;"
tells memory 'it begins without a reset' "now req_valid = 1; tick;"
silent memory "now tick; rst = 1; tick; rst = 0; $busy repeat (9) tick;"

silent credit 'push_valid = 1; tick; tick;'
tells credit 'push comes without a credit' 'push_valid = 1; repeat (70) tick;'
tells credit 'pop_ready is unknown' "pop_ready = 1'bx; tick;"

silent emn 'wb_cyc = 1; wb_stb = 1; tick; wb_stb = 0; tick;'
tells emn 'wb_cyc and wb_stb are unknown' "wb_cyc = 1; wb_stb = 1'bx; tick;"
tells emn 'an access is unknown' "wb_cyc = 1; wb_stb = 1; wb_adr = 'bx; tick;"
silent gate 'at_node = 1; tick; load_valid = 1; tick;'
tells gate 'at_node changes' 'load_valid = 1; tick; tick; at_node = 1; tick;'
silent dram_monitor "cmd_valid = 1; tick; cmd_valid = 0; cmd_kind = 3'bx; tick;"
tells dram_monitor 'ndc_valid is unknown' "ndc_valid = 2'b0x; tick;"
tells dram_monitor 'a command is unknown' "cmd_valid = 1; cmd_rank = 1'bx; tick;"

# the other macro of emitted RTL: what a memory is made of
blocks() { # DEFINE: block RAMs of credit on an ECP5
    yosys -q -p "read_verilog $1 rtl-credit/rtl/*.v; synth_ecp5 -top ndp_credit
        tee -o stat stat" >/dev/null 2>&1 && grep -c DP16KD stat
}
if command -v yosys >/dev/null 2>&1; then
    holds 'a memory of few words is no block RAM' [ "$(blocks '')" = 0 ]
    holds 'but with NDP_RAM_STYLE' [ "$(blocks '-DNDP_RAM_STYLE="block"')" = 1 ]
fi
done_testing
