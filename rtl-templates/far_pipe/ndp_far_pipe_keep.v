//% use "ndp_far_pipe_keep_formal.vh"
${header{title = "pipeline of the base die: what a subcore shows for one cycle", text = [[
Keeps it until it goes to the port, in its order.

Parameters:
    WIDTH  bits of a word, 1 or more
    DEPTH  words that are kept at most, 1 or more

Latency: none; a word that comes can go on the same edge if none is kept.  Who gives more
than there is room for loses them.

first means nothing while valid is low.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_keep #(
    parameter WIDTH = 8,
    parameter DEPTH = 4
) (
    input  wire             clk,   // clock
    input  wire             rst,   // synchronous reset, active high
    input  wire             comes, // a word is shown
    input  wire [WIDTH-1:0] come,  // it
    output wire             valid, // some are kept, or one comes
    output wire [WIDTH-1:0] first, // the oldest of them
    input  wire             goes   // it goes; needs valid
);
    reg [DEPTH-1:0]       there; // from the lowest bit on, the oldest first
    reg [DEPTH*WIDTH-1:0] words;

    wire                   shifts = goes && there[0];
    wire                   puts   = comes && (there[0] || !goes);
    wire [DEPTH-1:0]       left   = shifts ? there >> 1 : there;
    wire [DEPTH*WIDTH-1:0] stay   = shifts ? words >> WIDTH : words;

    assign valid = comes || there[0];
    assign first = there[0] ? words[0 +: WIDTH] : come;

    always @(posedge clk) begin
        if (rst)
            there <= {DEPTH{1'b0}};
        else
            there <= puts ? ~(~left << 1) : left;
    end

    integer i;

    // what comes goes to all places that are free, and is there in the first one
    always @(posedge clk) begin
        if (puts || shifts)
            for (i = 0; i < DEPTH; i = i + 1)
                words[i*WIDTH +: WIDTH] <= left[i] ? stay[i*WIDTH +: WIDTH] : come;
    end

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_keep_formal.vh"
`endif
endmodule

`default_nettype wire
