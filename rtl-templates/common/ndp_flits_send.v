//% use "ndp_flits_send_formal.vh"
${header{title = "a word as flits", text = [[
Shows a word that stands still flit by flit, the lowest first.

    word -> flit number at -> data

Parameters:
    FLIT_W  bits of a flit, 1 or more
    FLITS   flits of the longest word, 1 or more

Handshake: the word and the number of its flits, 1 to FLITS, stand while valid is
high, until done says that the last flit has been taken on this edge.  A flit is
taken on an edge with valid and ready both high.  last and data are zero while
valid is low.

Latency: none; the next flit is there after the edge on which one was taken.]]}}
`default_nettype none

module ${prefix}ndp_flits_send #(
    parameter FLIT_W = 32,
    parameter FLITS  = 2
) (
    input  wire                       clk,   // clock
    input  wire                       rst,   // synchronous reset, active high
    input  wire                       valid, // there is a word
    input  wire [FLITS*FLIT_W-1:0]    word,  // which it is
    input  wire [$clog2(FLITS+1)-1:0] count, // its flits
    input  wire                       ready, // the flit is taken
    output wire                       done,  // and is the last one
    output wire                       last,  // the flit is the last one
    output reg  [FLIT_W-1:0]          data   // the flit
);
    localparam COUNT_W = $clog2(FLITS + 1);

    reg [COUNT_W-1:0] at; // flits that are gone

    wire [COUNT_W-1:0] next = at + 1'b1;

    assign last = valid && next == count;
    assign done = last && ready;

    always @(posedge clk) begin
        if (rst || done)
            at <= {COUNT_W{1'b0}};
        else if (valid && ready)
            at <= next;
    end

    integer i;

    always @* begin
        data = {FLIT_W{1'b0}};
        for (i = 0; i < FLITS; i = i + 1)
            if (valid && at == i[COUNT_W-1:0])
                data = word[i*FLIT_W +: FLIT_W];
    end

`ifdef FORMAL
`include "${prefix}ndp_flits_send_formal.vh"
`endif
endmodule

`default_nettype wire
