# harness.awk - a Verilog wrapper that gives a wide block four pins.
#
#   yosys ... portlist TOP | awk -v top=TOP [-v open=PREFIX] -f harness.awk
#
# All inputs but clk come from one shift register.  Each output goes through an
# XOR into a register of a chain that ends at one pin: the XOR costs nothing, as
# an iCE40 flip-flop has a table in front of it anyway.  So every path into,
# through and out of the block runs between two flip-flops, none of it can be
# optimised away, and the harness itself never holds the longest path.  Outputs whose
# names begin with PREFIX stay open, and what only they need is optimised away.

$1 == "input" || $1 == "output" {
    split($2, range, "[^0-9]+")
    width = range[2] - range[3] + 1
    if ($3 == "clk")
        next
    if ($1 == "input") {
        pins = pins sprintf(",\n        .%s(in[%d:%d])", $3, \
            ins + width - 1, ins)
        ins += width
    } else if (open != "" && index($3, open) == 1) {
        pins = pins sprintf(",\n        .%s()", $3)
    } else {
        pins = pins sprintf(",\n        .%s(out[%d:%d])", $3, \
            outs + width - 1, outs)
        outs += width
    }
}

END {
    if (!ins || !outs) {
        print "harness.awk: error: no ports of '" top "' to wrap" \
            > "/dev/stderr"
        exit 2
    }
    printf "module harness (\n    input  wire clk,\n    input  wire si,\n"
    printf "    output wire so\n);\n"
    printf "    reg  [%d:0] in;\n    wire [%d:0] out;\n", ins - 1, outs - 1
    printf "    reg  [%d:0] chain;\n", outs - 1
    printf "    always @(posedge clk) in <= {in[%d:0], si};\n", ins - 2
    printf "    always @(posedge clk) chain <= out ^ {chain[%d:0], 1'b0};\n", \
        outs - 2
    printf "    assign so = chain[%d];\n", outs - 1
    printf "    %s block (\n        .clk(clk)%s\n    );\nendmodule\n", top, pins
}
