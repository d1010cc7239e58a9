//% local K = math.max(L.BEAT_W, 1) -- bits of a beat's number here
${header{title = "where a walk along an operand stands", text = [[
Beat by beat and sector by sector: which of them the next step ends.

Handshake: first and wide stand from one operand's first step to its last; step says
that one is made on this edge.

Latency: none; it stands elsewhere after the edge with step.]]}}
`default_nettype none

module ${prefix}ndp_lines_walk (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high
    input  wire         step,         // a step is made
    input  wire ${pad(range(L.BYTE_W), 7)} first,        // place of lane 0 in its sector
    input  wire [1:0]   wide,         // bytes of a lane: 1, 2 or 4, as its logarithm
    output reg          midst,        // a step of the operand has been made
    output wire ${pad(range(K), 7)} beat,         // number
    output wire ${pad(range(L.PLACE_W), 7)} place,        // of its first byte in the sector, with a sign
    output wire         beat_ends,    // with the step
    output wire         sector_ends,
    output wire         operand_ends
);
${localparams("ALUS", "SECTOR", "PLACE_W")}

    reg [${K - 1}:0]         at;
    reg [PLACE_W-1:0] stands;

    wire [PLACE_W-1:0] span = ALUS[PLACE_W-1:0] << wide; // bytes of a beat

    assign beat  = midst ? at : ${K}'d0;
    assign place = midst ? stands : {${L.PLACE_W - L.BYTE_W}'d0, first};

    // how far the beat's end is behind the sector's
    wire [PLACE_W-1:0] behind = place + span - SECTOR[PLACE_W-1:0];
    wire               is_at  = behind == {PLACE_W{1'b0}};

    assign beat_ends    = behind[PLACE_W-1] || is_at;
//% if L.BEATS > 1 then
    assign operand_ends = beat_ends && beat == ${K}'d${L.BEATS - 1};
//% else
    assign operand_ends = beat_ends;
//% end
    assign sector_ends  = !behind[PLACE_W-1] || operand_ends;

    always @(posedge clk) begin
        if (rst)
            midst <= 1'b0;
        else if (step)
            midst <= !operand_ends;
    end

    always @(posedge clk)
        if (step) begin
            at     <= beat_ends ? beat + 1'b1 : beat;
            stands <= (beat_ends ? place + span : place) - (sector_ends ? SECTOR[PLACE_W-1:0] : {PLACE_W{1'b0}});
        end
endmodule

`default_nettype wire
