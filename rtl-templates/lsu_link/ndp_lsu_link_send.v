//% use "ndp_lsu_link_send_formal.vh"
${header{title = "sender of packets, beat by beat", text = [[
Holds the beats that are left of a packet, the next one lowest, and the packet that
follows it, so that its first beat is there when the last one of the other was taken.

Parameters:
    TSV_W   bits of a beat
    BEATS   beats of the longest packet, 2 or more
    LEFT_W  bits of a number of beats, clog2(BEATS + 1)

Handshake: load only while free.  Zeros have to follow the packet's beats in packet.

Latency: the first beat is there after the edge with load, or after the one that takes
the last beat of the packet before it.

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
    input  wire                   mark,   // ... of a kind that the user knows
    input  wire [LEFT_W-1:0]      beats,  // its beats, 1 or more
    input  wire [BEATS*TSV_W-1:0] packet, // ... themselves
    output wire                   free,   // no packet follows
    output reg  [LEFT_W-1:0]      left,   // beats that have not been taken
    output reg                    marked, // of a packet with mark
    output wire                   valid,  // a beat
    input  wire                   ready,  // it is taken
    output wire                   last,   // it is the packet's last
    output wire [TSV_W-1:0]       data    // beat
);
    localparam [LEFT_W-1:0] NONE = 0;
    localparam [LEFT_W-1:0] ONE  = 1;

    reg [BEATS*TSV_W-1:0] rest;
    reg [LEFT_W-1:0]      next_left; // of the packet that follows
    reg                   next_marked;
    reg [BEATS*TSV_W-1:0] next_rest;

    assign valid = left != NONE;
    assign last  = left == ONE;
    assign data  = rest[TSV_W-1:0];
    assign free  = next_left == NONE;

    wire over = !valid || (ready && last); // no beat is left after this edge

    always @(posedge clk) begin
        if (rst) begin
            left   <= NONE;
            marked <= 1'b0;
            rest   <= {BEATS*TSV_W{1'b0}};
        end else if (over) begin
            left   <= !free ? next_left : load ? beats : NONE;
            marked <= !free ? next_marked : load && mark;
            rest   <= !free ? next_rest : load ? packet : {BEATS*TSV_W{1'b0}};
        end else if (ready) begin
            left <= left - 1'b1;
            rest <= rest >> TSV_W;
        end
    end

    always @(posedge clk) begin
        if (rst || over)
            next_left <= NONE;
        else if (load)
            next_left <= beats;
    end

    always @(posedge clk) begin
        if (load) begin
            next_marked <= mark;
            next_rest   <= packet;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_send_formal.vh"
`endif
endmodule

`default_nettype wire
