//% use "ndp_lsu_link_send_formal.vh"
${header{title = "sender of packets, beat by beat", text = [[
Holds the beats that are left of a packet, the next one lowest.

Parameters:
    TSV_W   bits of a beat
    BEATS   beats of the longest packet, 2 or more
    LEFT_W  bits of a number of beats, clog2(BEATS + 1)

Handshake: load only while idle.  Zeros have to follow the packet's beats in packet.

Latency: the first beat is there after the edge with load.

See docs/blocks/lsu_link.md, Sender.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link_send #(
    parameter TSV_W  = 64,
    parameter BEATS  = 17,
    parameter LEFT_W = 5
) (
    input  wire                   clk,    // clock
    input  wire                   rst,    // synchronous reset, active high
    input  wire                   load,   // take a packet
    input  wire [LEFT_W-1:0]      beats,  // its beats, 1 or more
    input  wire [BEATS*TSV_W-1:0] packet, // ... themselves
    output reg  [LEFT_W-1:0]      left,   // beats that have not been taken
    output wire                   idle,   // there are none
    output wire                   valid,  // a beat
    input  wire                   ready,  // it is taken
    output wire                   last,   // it is the packet's last
    output wire [TSV_W-1:0]       data    // beat
);
    localparam [LEFT_W-1:0] ONE = 1;

    reg [BEATS*TSV_W-1:0] rest;

    assign idle  = left == {LEFT_W{1'b0}};
    assign valid = !idle;
    assign last  = left == ONE;
    assign data  = rest[TSV_W-1:0];

    always @(posedge clk) begin
        if (rst) begin
            left <= {LEFT_W{1'b0}};
            rest <= {BEATS*TSV_W{1'b0}};
        end else if (load) begin
            left <= beats;
            rest <= packet;
        end else if (valid && ready) begin
            left <= left - 1'b1;
            rest <= rest >> TSV_W;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_send_formal.vh"
`endif
endmodule

`default_nettype wire
