${header{title = "subtraction of a number that is held inverted", text = [[
difference = value - number, and whether value is at least number.

Parameters:
    WIDTH  bits of both, 1 or more

A carry chain adds; to subtract it needs one operand inverted, which costs a
LUT before the chain unless a register already holds it that way.  The chain
begins with a bit that makes a carry, for the one that is missing.

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_subtract #(
    parameter WIDTH = 8
) (
    input  wire [WIDTH-1:0] value,      // value
    input  wire [WIDTH-1:0] not_number, // number, inverted
    output wire [WIDTH-1:0] difference, // value - number
    output wire             at_least    // value >= number
);
    wire unused;

    assign {at_least, difference, unused} =
        {1'b0, value, 1'b1} + {1'b0, not_number, 1'b1};
endmodule

`default_nettype wire
