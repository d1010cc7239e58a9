//% use "ndp_lsu_link_receive_formal.vh"
${header{title = "receiver of packets, beat by beat", text = [[
Collects the header of a packet and says which beats of its data come; who keeps them
depends on the header.

Parameters:
    TSV_W  bits of a beat
    HEADS  beats of a header
    AT_W   bits of the number of a beat of data

Handshake: beats cannot be refused.

Latency: come is up for the cycle after the edge of the last beat.

See docs/blocks/lsu_link.md, Receiver.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link_receive #(
    parameter TSV_W = 64,
    parameter HEADS = 1,
    parameter AT_W  = 4
) (
    input  wire                   clk,    // clock
    input  wire                   rst,    // synchronous reset, active high
    input  wire                   beat,   // a beat
    input  wire                   last,   // it is the packet's last
    input  wire [TSV_W-1:0]       data,   // beat
    output reg  [HEADS*TSV_W-1:0] header, // of the packet that comes, or has come
    output wire                   put,    // the beat is data
    output reg  [AT_W-1:0]        put_at, // which, from 0 on
    output reg                    come    // a packet has come
);
    localparam COUNT_W = $clog2(HEADS + 1);

    localparam [COUNT_W-1:0] ALL = HEADS[COUNT_W-1:0];

    reg [COUNT_W-1:0] heads; // beats of the header that have come

    assign put = beat && heads == ALL;

    always @(posedge clk) begin
        if (rst || (beat && last)) begin
            heads  <= {COUNT_W{1'b0}};
            put_at <= {AT_W{1'b0}};
        end else if (put) begin
            put_at <= put_at + 1'b1;
        end else if (beat) begin
            heads <= heads + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst)
            come <= 1'b0;
        else
            come <= beat && last;
    end

    always @(posedge clk) begin
        if (beat && !put)
            header[heads*TSV_W +: TSV_W] <= data;
    end

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_receive_formal.vh"
`endif
endmodule

`default_nettype wire
