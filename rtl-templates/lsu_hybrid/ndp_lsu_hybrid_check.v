${header{title = "hybrid load-store unit: the decision", text = [[
Whether an access can cross as one message: every lane active and in the own core's
memory, words in a row, all of them in the unit that holds the register.

    mask, addresses, warp -> local lanes, near

Latency: none.

See docs/blocks/lsu_hybrid.md, The decision.]]}}
`default_nettype none

module ${prefix}ndp_lsu_hybrid_check #(
    parameter LANES   = ${L.LANES},
    parameter UNIT_AT = ${L.UNIT_AT},
    parameter UNIT_W  = ${L.UNIT_W},
    parameter CORE_AT = ${L.CORE_AT},
    parameter CORE_W  = ${L.CORE_W}
) (
    input  wire [CORE_W-1:0]   core,    // the own one
    input  wire [UNIT_W-1:0]   unit,    // that holds the register
    input  wire [LANES-1:0]    mask,    // active lanes
    input  wire [30*LANES-1:0] address, // words, a lane in 30 bits
    output wire [LANES-1:0]    here,    // lanes whose word is the own core's
    output wire                near     // it goes as a message
);
    wire [29:0]      lead = address[29:0];
    wire [LANES-1:0] next;  // it is the lead plus the lane's number
    wire [LANES-1:0] beside; // it is in the register's unit

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            localparam [29:0] PLACE = i;

            wire [29:0] word = address[30*i +: 30];

            assign here[i]   = word[CORE_AT +: CORE_W] == core;
            assign next[i]   = word == lead + PLACE;
            assign beside[i] = word[UNIT_AT +: UNIT_W] == unit;
        end
    endgenerate

    assign near = (&mask) && (&here) && (&next) && (&beside);
endmodule

`default_nettype wire
