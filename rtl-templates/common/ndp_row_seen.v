//% use "ndp_row_seen_formal.vh"
${header{title = "a row that is read, pass by pass", text = [[
Collects the passes of a register of all lanes, the lowest lanes first; of a predicate
the lowest bit of each lane, which becomes bit i of the row for lane i.

    seen -> shifted into the row at its upper end, LANES / ALUS times

Parameters:
    LANES  lanes of a row
    ALUS   lanes of a pass, a divisor of LANES

Latency: the row is whole after the edge of its last pass.  Bits above those of a
predicate are zero.]]}}
`default_nettype none

module ${prefix}ndp_row_seen #(
    parameter LANES = 8,
    parameter ALUS  = 2
) (
    input  wire                clk,   // clock
    input  wire                take,  // a pass
    input  wire                pred,  // of a predicate
    input  wire [32*ALUS-1:0]  data,  // its values
    input  wire                shift, // the row becomes
    input  wire [32*LANES-1:0] after, // this; not with take
    output reg  [32*LANES-1:0] row    // what has come
);
    localparam LANES_W = 32 * LANES;
    localparam PASS_W  = 32 * ALUS;

    wire [ALUS-1:0]           bits; // of the pass, if it is of a predicate
    wire [LANES_W+PASS_W-1:0] words_in = {data, row};
    wire [LANES+ALUS-1:0]     bits_in  = {bits, row[LANES-1:0]};

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            assign bits[i] = data[32*i];
        end
    endgenerate

    always @(posedge clk) begin
        if (take)
            row <= pred ? {{31*LANES{1'b0}}, bits_in[LANES+ALUS-1:ALUS]}
                        : words_in[LANES_W+PASS_W-1:PASS_W];
        else if (shift)
            row <= after;
    end

    wire unused = &{1'b0, bits_in[ALUS-1:0], words_in[PASS_W-1:0]};

`ifdef FORMAL
`include "${prefix}ndp_row_seen_formal.vh"
`endif
endmodule

`default_nettype wire
