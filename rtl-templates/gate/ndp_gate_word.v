//% use "ndp_gate_word_formal.vh"
//% local function r(w) return pad(range(w), 7) end
${header{title = "words of packets that come", text = [[
Collects the flits of a head or of a beat; of a ComputePacket, whose first bit is set,
each flit is a word.

Handshake: a transfer is an edge with valid and ready both high.  A word is there
until use.

Latency: a word is there after the edge on which its last flit is taken.

See docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate_word (
    input  wire         clk,      // clock
    input  wire         rst,      // synchronous reset, active high

    // flits
    input  wire         in_valid, // a flit
    output wire         in_ready, // taken
    input  wire         in_last,  // last of its packet
    input  wire ${r(L.FLIT_W)} in_data,  // data

    // the word
    output reg          there,    // there is one
    output reg          midway,   // it is not the first of its packet
    output reg          compute,  // it is one of a ComputePacket
    output reg          last,     // it is the last of its packet
    output reg  ${r(L.WORD_W)} word,     // its flits, the first one lowest
    input  wire         use_it    // it has been used
);
${localparams("FLIT_W", "FLITS_W", "WORD_FLITS", "FIRST_FLITS", "BEAT_FLITS")}

    localparam [FLITS_W-1:0] ONE   = ${L.FLITS_W}'d1;
    localparam [FLITS_W-1:0] FIRST = FIRST_FLITS[FLITS_W-1:0];
    localparam [FLITS_W-1:0] BEAT  = BEAT_FLITS[FLITS_W-1:0];

    reg [FLITS_W-1:0] count; // flits of a word that is not there yet

    wire taken  = in_valid && in_ready;
    wire begins = !midway && count == {FLITS_W{1'b0}};
    wire is_one = begins ? in_data[0] : compute; // of a ComputePacket

    wire [FLITS_W-1:0] need = is_one ? ONE : midway ? BEAT : FIRST;
    wire [FLITS_W-1:0] got  = count + ONE;

    assign in_ready = !there;

    always @(posedge clk) begin
        if (rst) begin
            there   <= 1'b0;
            midway  <= 1'b0;
            compute <= 1'b0;
            last    <= 1'b0;
            count   <= {FLITS_W{1'b0}};
        end else begin
            if (taken) begin
                compute <= is_one;
                there   <= got == need;
                last    <= in_last;
                count   <= got == need ? {FLITS_W{1'b0}} : got;
            end
            if (use_it) begin
                there  <= 1'b0;
                midway <= !last;
            end
        end
    end

    integer i;

    always @(posedge clk) begin
        for (i = 0; i < WORD_FLITS; i = i + 1)
            if (taken && count == i[FLITS_W-1:0])
                word[i*FLIT_W +: FLIT_W] <= in_data;
    end

`ifdef FORMAL
`include "${prefix}ndp_gate_word_formal.vh"
`endif
endmodule

`default_nettype wire
