//% use "ndp_simt_offer_formal.vh"
//% local N, A, P = L.LANES, L.ALUS, L.PASSES
//% local AW, AP = pad(range(L.WARP_W), 6), pad(range(L.PC_W), 6)
//% local PASS_RANGE = pad(range(L.PASS_W), 6)
${header{title = "SIMT core: offers of chains' words", text = [[
Looks at the operands of a word pass by pass: are they the same in all active lanes,
are they addresses one behind the other?  Then offers the word, once no request of its
warp is under way, and the last one of a chain once it was released.

    begins -> pass 0, 1, ... -> settled, port free -> offer

A lane's address less four times its number is the same in all lanes of a row.

Latency: an edge a pass; the offer stands after the edge that ends the access.

See docs/blocks/simt.md, Chains.]]}}
`default_nettype none

module ${prefix}ndp_simt_offer (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // engine
    input  wire        begins,     // the word's check is on this edge
    input  wire        works,      // the engine is at the word
    input  wire        settled,    // it may be shown
    output wire        look,       // the next pass is looked at on this edge
    output wire        ends,       // the word is at its end on it
    input  wire ${AW} warp,       // its warp
    input  wire ${AP} pc,         // where it stands
    input  wire [63:0] code,       // it
    input  wire ${pad(range(N), 6)} active,     // active lanes
    input  wire        some,       // there are such
    input  wire        wrong,      // an address is misaligned or unmapped
    input  wire ${pad(range(LANE_W), 6)} lead,       // the lowest active lane
    input  wire ${PASS_RANGE} pass,       // the pass that is looked at
    input  wire ${range(32 * A)} a,          // its first operands, a lane in 32 bits
    input  wire ${range(32 * A)} b,          // its second ones
    input  wire ${pad(vec(A), 6)} lanes,      // its active lanes

    // the offer
    output reg         offer_valid, // there is one
    input  wire        offer_ready, // it is taken
    output reg  ${AW} offer_warp, // warp
    output reg  ${AP} offer_pc,   // instruction
    output reg  [63:0] offer_code, // it
    output reg  ${pad(range(N), 6)} offer_mask, // active lanes
    output reg  [31:0] offer_a,    // of the lowest: first operand
    output reg  [31:0] offer_b,    // and second
    output reg         offer_in_row, // addresses one behind the other
    output reg         offer_same_a, // the first operand is the same in all
    output reg         offer_same_b // the second is
);
${localparams("LANES", "ALUS", "WARP_W", "PC_W")}

    localparam LANE_W = ${LANE_W};
${P > 1 and localparams("PASS_W") or ""}

    // ------------------------------------------------------------------
    // A pass

    reg        looked; // at all passes
    reg        row;    // of those that were looked at: one behind the other
    reg        same_a;
    reg        same_b;
    reg [31:0] lead_a; // of the lowest active lane, once its pass was looked at
    reg [31:0] lead_b;
    reg [31:0] lead_0; // its address, less four times its number

    wire [32*ALUS-1:0] origins; // addresses, less four times the lane's number

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
//% if P > 1 then
            wire [LANE_W-1:0] me = ${ALU_W > 0 and "{pass, i[" .. ALU_W - 1 .. ":0]}" or "pass"};
//% else
            wire [LANE_W-1:0] me = i[LANE_W-1:0];
//% end

            assign origins[i*32 +: 32] = a[i*32 +: 32] -
                                         {${30 - LANE_W}'d0, me, 2'b00};
        end
    endgenerate

//% if P > 1 then
    wire        here  = lead[LANE_W-1:${ALU_W}] == pass; // the lowest lane is
//% else
    wire        here  = 1'b1; // the lowest lane is
//% end
//% if ALU_W > 0 then
    wire [${ALU_W - 1}:0] at = lead[${ALU_W - 1}:0];
    wire [31:0] of_a  = here ? a[at*32 +: 32] : lead_a;
    wire [31:0] of_b  = here ? b[at*32 +: 32] : lead_b;
    wire [31:0] of_0  = here ? origins[at*32 +: 32] : lead_0;
//% else
    wire [31:0] of_a  = here ? a : lead_a;
    wire [31:0] of_b  = here ? b : lead_b;
    wire [31:0] of_0  = here ? origins : lead_0;
//% end

    reg [ALUS-1:0] other_a; // lanes in which it is another
    reg [ALUS-1:0] other_b;
    reg [ALUS-1:0] apart;   // that are not in the row

    integer k;

    always @* begin
        for (k = 0; k < ALUS; k = k + 1) begin
            other_a[k] = lanes[k] && a[k*32 +: 32] != of_a;
            other_b[k] = lanes[k] && b[k*32 +: 32] != of_b;
            apart[k]   = lanes[k] && origins[k*32 +: 32] != of_0;
        end
    end

    assign look = works && !looked;

//% if P > 1 then
    wire last = pass == {PASS_W{1'b1}};
//% else
    wire last = 1'b1;
//% end

    always @(posedge clk) begin
        if (rst || begins)
            looked <= 1'b0;
        else if (look && last)
            looked <= 1'b1;
    end

    always @(posedge clk) begin
        if (begins) begin
            row    <= !wrong;
            same_a <= 1'b1;
            same_b <= 1'b1;
        end else if (look) begin
            row    <= row && apart == {ALUS{1'b0}};
            same_a <= same_a && other_a == {ALUS{1'b0}};
            same_b <= same_b && other_b == {ALUS{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (look) begin
            lead_a <= of_a;
            lead_b <= of_b;
            lead_0 <= of_0;
        end
    end

    // ------------------------------------------------------------------
    // The offer

    wire free = !offer_valid || offer_ready;

    assign ends = works && looked && settled && free;

    always @(posedge clk) begin
        if (rst) begin
            offer_valid  <= 1'b0;
            offer_warp   <= {WARP_W{1'b0}};
            offer_pc     <= {PC_W{1'b0}};
            offer_code   <= 64'd0;
            offer_mask   <= {LANES{1'b0}};
            offer_a      <= 32'd0;
            offer_b      <= 32'd0;
            offer_in_row <= 1'b0;
            offer_same_a <= 1'b0;
            offer_same_b <= 1'b0;
        end else if (free) begin
            offer_valid  <= ends;
            offer_warp   <= warp & {WARP_W{ends}};
            offer_pc     <= pc & {PC_W{ends}};
            offer_code   <= code & {64{ends}};
            offer_mask   <= active & {LANES{ends}};
            offer_a      <= lead_a & {32{ends && some}};
            offer_b      <= lead_b & {32{ends && some}};
            offer_in_row <= ends && row;
            offer_same_a <= ends && same_a;
            offer_same_b <= ends && same_b;
        end
    end

//% if P == 1 then
    wire unused = &{1'b0, pass};

//% end
`ifdef FORMAL
`include "${prefix}ndp_simt_offer_formal.vh"
`endif
endmodule

`default_nettype wire
