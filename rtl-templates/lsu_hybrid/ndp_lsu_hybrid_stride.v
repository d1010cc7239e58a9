//% use "ndp_lsu_hybrid_stride_formal.vh"
${header{title = "hybrid load-store unit: strided loads", text = [[
Whether a load can cross as a strided message: every active lane is in the own core's
memory, and all of them have one word, or they follow one another without a gap and
their words are a step apart.

    mask, local lanes, words, lead -> step, fits

Latency: none.

See docs/blocks/lsu_hybrid.md, The decision.]]}}
`default_nettype none

module ${prefix}ndp_lsu_hybrid_stride #(
    parameter LANES  = ${L.LANES},
    parameter AT_W   = ${L.AT_W},
    parameter STEP_W = ${L.STEP_W}
) (
    input  wire [LANES-1:0]      mask,  // active lanes
    input  wire [LANES-1:0]      here,  // lanes whose word is the own core's
    input  wire [AT_W*LANES-1:0] words, // at the core
    input  wire [LANES-1:0]      first, // the lead: the lowest active lane
    input  wire [AT_W-1:0]       lead,  // its word
    output wire [STEP_W-1:0]     step,  // from a lane's word to the next one's
    output wire                  fits   // it is a strided message
);
    wire [LANES-1:0] second = {first[LANES-2:0], 1'b0} & mask; // behind the lead
    wire [LANES-1:0] starts = mask & ~{mask[LANES-2:0], 1'b0}; // of runs of active lanes
    wire [LANES-1:0] same;  // off, or it has the lead's word
    wire [LANES-1:0] grows; // it or the lane before is off, or they are a step apart
    wire [AT_W-1:0]  apart;
    reg  [AT_W-1:0]  second_word;

    integer l;

    always @* begin
        second_word = {AT_W{1'b0}};
        for (l = 0; l < LANES; l = l + 1)
            second_word = second_word | (words[AT_W*l +: AT_W] & {AT_W{second[l]}});
    end

    assign apart = second == {LANES{1'b0}} ? {AT_W{1'b0}} : second_word - lead;

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            assign same[i] = !mask[i] || words[AT_W*i +: AT_W] == lead;
            if (i == 0) begin : lowest
                assign grows[i] = 1'b1;
            end else begin : others
                assign grows[i] = !mask[i] || !mask[i-1] ||
                                  words[AT_W*i +: AT_W] == words[AT_W*(i-1) +: AT_W] + apart;
            end
        end
    endgenerate

    // the bits above the step's are its sign
    wire short = apart[AT_W-1:STEP_W-1] == {AT_W-STEP_W+1{apart[AT_W-1]}};
    wire run   = starts == first;

    assign step = apart[STEP_W-1:0];
    assign fits = (&(~mask | here)) && ((&same) || (run && (&grows) && short));

`ifdef FORMAL
`include "${prefix}ndp_lsu_hybrid_stride_formal.vh"
`endif
endmodule

`default_nettype wire
