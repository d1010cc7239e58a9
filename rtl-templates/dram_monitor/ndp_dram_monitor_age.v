${header{title = "edges since something happened", text = [[
Counts the edges since the last one with `happens`, up to MOST, where it stays; it
begins there.

Parameters:
    MOST   edges up to which it counts, 1 or more
    WIDTH  bits of MOST

Latency: after an edge with `happens` it is 1.]]}}
`default_nettype none

module ${prefix}ndp_dram_monitor_age #(
    parameter MOST  = 2,
    parameter WIDTH = 2
) (
    input  wire             clk,     // clock
    input  wire             rst,     // synchronous reset, active high
    input  wire             happens, // on this edge
    output reg  [WIDTH-1:0] age      // edges since it did
);
    localparam [WIDTH-1:0] LAST = MOST[WIDTH-1:0];

    always @(posedge clk) begin
        if (rst)
            age <= LAST;
        else if (happens)
            age <= {{(WIDTH-1){1'b0}}, 1'b1};
        else if (age != LAST)
            age <= age + 1'b1;
    end
endmodule

`default_nettype wire
