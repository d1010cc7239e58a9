//% use "ndp_lowest_formal.vh"
${header{title = "lowest member of a set", text = [[
Which bit of a vector is its lowest one.

Parameters:
    N        bits of the vector, 1 or more
    INDEX_W  bits of a position, clog2(N) or more, 1 or more

Latency: none.

How: a number and its negative have only the lowest one in common; the carry that
finds it is what adders are fast at.]]}}
`default_nettype none

module ${prefix}ndp_lowest #(
    parameter N       = 8,
    parameter INDEX_W = 3
) (
    input  wire [N-1:0]       set,   // bit i: i is a member
    output wire [N-1:0]       first, // the lowest alone; zero if there is none
    output reg  [INDEX_W-1:0] index  // its number; zero if there is none
);
    assign first = set & (~set + 1'b1);

    integer i;

    always @* begin
        index = {INDEX_W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (first[i])
                index = index | i[INDEX_W-1:0];
    end

`ifdef FORMAL
`include "${prefix}ndp_lowest_formal.vh"
`endif
endmodule

`default_nettype wire
