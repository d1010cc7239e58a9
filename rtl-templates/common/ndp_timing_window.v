//% use "ndp_timing_window_formal.vh"
${header{title = "a window with a few activations", text = [[
Lets COUNT activations happen in each EDGES edges: each starts a counter, and those of
the last COUNT are kept; the oldest must have ended.

Parameters:
    COUNT  activations of a window
    EDGES  edges of a window
    WIDTH  bits of a number of edges

Latency: with COUNT activations in a window the next is ready EDGES edges after the
first of them.]]}}
`default_nettype none

module ${prefix}ndp_timing_window #(
    parameter COUNT = 4,
    parameter EDGES = 26,
    parameter WIDTH = 5
) (
    input  wire clk,   // clock
    input  wire rst,   // synchronous reset, active high
    input  wire take,  // an activation
    output wire ready  // another one may come
);
    localparam [WIDTH-1:0] WHOLE = EDGES - 1;

    reg  [COUNT*WIDTH-1:0] counts; // the newest in the lowest bits
    wire [COUNT*WIDTH-1:0] left;

    genvar i;

    generate
        for (i = 0; i < COUNT; i = i + 1) begin : each
            wire [WIDTH-1:0] count = counts[i*WIDTH +: WIDTH];
            assign left[i*WIDTH +: WIDTH] = count - {{(WIDTH-1){1'b0}}, count != {WIDTH{1'b0}}};
        end
    endgenerate

    assign ready = counts[(COUNT-1)*WIDTH +: WIDTH] == {WIDTH{1'b0}};



    always @(posedge clk) begin
        if (rst)
            counts <= {COUNT*WIDTH{1'b0}};
        else if (take)
            counts <= {left[0 +: (COUNT-1)*WIDTH], WHOLE};
        else
            counts <= left;
    end

`ifdef FORMAL
`include "${prefix}ndp_timing_window_formal.vh"
`endif
endmodule

`default_nettype wire
