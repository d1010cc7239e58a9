//% use "ndp_timer_formal.vh"
${header{title = "edges until a command is legal", text = [[
Counts down to zero, where it is ready.  A load takes the larger of what is left and
what is loaded.

Parameters:
    WIDTH  bits of a number of edges

Latency: a load of n on edge t lets ready be high from edge t+n+1 on.]]}}
`default_nettype none

module ${prefix}ndp_timer #(
    parameter WIDTH = 4
) (
    input  wire             clk,   // clock
    input  wire             rst,   // synchronous reset, active high
    input  wire             load,  // a command that it counts from
    input  wire [WIDTH-1:0] edges, // edges to wait after the next one
    output wire             ready  // nothing is left to wait for
);
    reg  [WIDTH-1:0] count;
    wire [WIDTH-1:0] left = count - {{(WIDTH-1){1'b0}}, !ready};

    assign ready = count == {WIDTH{1'b0}};

    always @(posedge clk) begin
        if (rst)
            count <= {WIDTH{1'b0}};
        else if (load && edges > left)
            count <= edges;
        else
            count <= left;
    end

`ifdef FORMAL
`include "${prefix}ndp_timer_formal.vh"
`endif
endmodule

`default_nettype wire
