//% use "ndp_flits_take_formal.vh"
${header{title = "flits as a word", text = [[
Collects the flits of a packet, the lowest first, until the last one; bits of flits
that did not come are zero.

    come -> flit number at of the word -> there

Parameters:
    FLIT_W  bits of a flit, 1 or more
    FLITS   flits of the longest word, 1 or more

Handshake: a flit is taken on an edge with come_valid and come_ready both high; the
word is there until an edge with drop, and nothing is taken meanwhile.

Latency: the word is there after the edge on which its last flit was taken.  word
means nothing while there is low.]]}}
`default_nettype none

module ${prefix}ndp_flits_take #(
    parameter FLIT_W = 32,
    parameter FLITS  = 2
) (
    input  wire                    clk,        // clock
    input  wire                    rst,        // synchronous reset, active high
    input  wire                    come_valid, // a flit
    output wire                    come_ready, // taken
    input  wire                    come_last,  // last of its packet
    input  wire [FLIT_W-1:0]       come_data,  // data
    output reg                     there,      // a word
    output reg  [FLITS*FLIT_W-1:0] word,       // which it is
    input  wire                    drop        // it has been used
);
    localparam COUNT_W = $clog2(FLITS + 1);

    reg [COUNT_W-1:0] at; // flits of the packet that have come

    wire take = come_valid && come_ready;

    assign come_ready = !there;

    always @(posedge clk) begin
        if (rst)
            at <= {COUNT_W{1'b0}};
        else if (take)
            at <= come_last ? {COUNT_W{1'b0}} : at + 1'b1;
    end

    always @(posedge clk) begin
        if (rst || drop)
            there <= 1'b0;
        else if (take)
            there <= come_last;
    end

    integer i;

    always @(posedge clk) begin
        for (i = 0; i < FLITS; i = i + 1)
            if (take && at == i[COUNT_W-1:0])
                word[i*FLIT_W +: FLIT_W] <= come_data;
            else if (take && at == {COUNT_W{1'b0}})
                word[i*FLIT_W +: FLIT_W] <= {FLIT_W{1'b0}};
    end

`ifdef FORMAL
`include "${prefix}ndp_flits_take_formal.vh"
`endif
endmodule

`default_nettype wire
