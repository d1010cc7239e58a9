//% use "ndp_lsu_link_turn_formal.vh"
${header{title = "turn of a sender's sources", text = [[
Whose packet a sender takes next.  The turn is a register, so that the ready of a source
is one: the sender is free, and it is the source's turn.  It moves on when its source's
packet was taken, or does not offer any, to the first after it that does.

Parameters:
    N  sources, 2 or more; after reset it is the turn of source 0

Latency: ready is a function of free and of a register.

See docs/blocks/lsu_link.md, In turn.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link_turn #(
    parameter N = 3
) (
    input  wire         clk,    // clock
    input  wire         rst,    // synchronous reset, active high
    input  wire         free,   // the sender can take a packet
    input  wire [N-1:0] offers, // by source: it has one
    output wire [N-1:0] ready,  // ... it would be taken
    output wire [N-1:0] taken   // ... it is taken on this edge
);
    localparam [N-1:0] FIRST = 1;

    reg [N-1:0] whose; // a source

    wire [N-1:0] later = offers & ~(whose | (whose - 1'b1)); // of those behind it
    wire [N-1:0] from  = later != {N{1'b0}} ? later : offers;
    wire         stays = (whose & offers) != {N{1'b0}} && !free;

    assign ready = free ? whose : {N{1'b0}};
    assign taken = ready & offers;

    always @(posedge clk) begin
        if (rst)
            whose <= FIRST;
        else if (offers != {N{1'b0}} && !stays)
            whose <= from & (~from + 1'b1); // the lowest
    end

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_turn_formal.vh"
`endif
endmodule

`default_nettype wire
