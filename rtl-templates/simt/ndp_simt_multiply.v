${header{title = "SIMT core: integer multiplication of one lane", text = [[
Four products of halves, then sums: low word, low word + c, or the high word of
unsigned or signed factors.  A signed high word is the unsigned one less the other
factor for each that is negative.

    X1 -> X2 products of halves -> X3 middle -> X4 whole -> X5 choose

Latency: four edges.]]}}
`default_nettype none

module ${prefix}ndp_simt_multiply (
    input  wire        clk,    // clock
    input  wire [7:0]  op,     // stage X1: operation
    input  wire [31:0] a,      // factors
    input  wire [31:0] b,      //
    input  wire [31:0] c,      // addend of mad
    output reg  [31:0] product // stage X5
);
    localparam [7:0] MULHU = ${op "mulhu"};
    localparam [7:0] MULHS = ${op "mulhs"};
    localparam [7:0] MAD   = ${op "mad"};

    // X2
    reg [31:0] ll_2;
    reg [31:0] lh_2;
    reg [31:0] hl_2;
    reg [31:0] hh_2;
    reg [31:0] less_2; // what a signed high word is less, by the first factor
    reg [31:0] more_2; // and by the second; or c
    reg        high_2;

    wire signs = op == MULHS;

    always @(posedge clk) begin
        ll_2   <= {16'd0, a[15:0]} * {16'd0, b[15:0]};
        lh_2   <= {16'd0, a[15:0]} * {16'd0, b[31:16]};
        hl_2   <= {16'd0, a[31:16]} * {16'd0, b[15:0]};
        hh_2   <= {16'd0, a[31:16]} * {16'd0, b[31:16]};
        less_2 <= signs && a[31] ? b : 32'd0;
        more_2 <= signs && b[31] ? a : op == MAD ? c : 32'd0;
        high_2 <= op == MULHU || op == MULHS;
    end

    // X3
    reg [32:0] mid_3;
    reg [31:0] ll_3;
    reg [31:0] hh_3;
    reg [31:0] add_3; // to the word that is wanted
    reg        high_3;

    always @(posedge clk) begin
        mid_3  <= {1'b0, lh_2} + {1'b0, hl_2};
        ll_3   <= ll_2;
        hh_3   <= hh_2;
        add_3  <= high_2 ? 32'd0 - less_2 - more_2 : more_2;
        high_3 <= high_2;
    end

    // X4
    reg [63:0] whole_4;
    reg [31:0] add_4;
    reg        high_4;

    always @(posedge clk) begin
        whole_4 <= {hh_3, ll_3} + {15'd0, mid_3, 16'd0};
        add_4   <= add_3;
        high_4  <= high_3;
    end

    // X5
    always @(posedge clk)
        product <= (high_4 ? whole_4[63:32] : whole_4[31:0]) + add_4;
endmodule

`default_nettype wire
