//% use "ndp_simt_alu.v"
${header{title = "lane of a service queue", text = [[
Chooses and widens the operands of one lane, and computes.

    a, b, r, imm -> x, y -> arithmetic -> value, truth

Latency: value and truth stand six edges after a, b, r and what says which operation
it is; is_mul comes four edges behind these, is_fma, invert and never six.]]}}
`default_nettype none

module ${prefix}ndp_squeue_lane (
    input  wire        clk,      // clock
    input  wire [2:0]  kind,     // type of the data
    input  wire [31:0] a,        // of the first load
    input  wire [31:0] b,        // of the second load
    input  wire [31:0] r,        // g's result
    input  wire [31:0] imm,      // immediate
    input  wire        x_other,  // x is b, else a
    input  wire        y_imm,    // y is the immediate,
    input  wire        y_result, // or r, else b
    input  wire        turned,   // exchange them
    input  wire [7:0]  op,       // operation, and what else ndp_squeue_code says
    input  wire [2:0]  how,      //
    input  wire        is_mul,   // four edges behind a, b and r
    input  wire        is_fma,   // six edges behind them
    input  wire        invert,   //
    input  wire        never,    //
    output wire [31:0] value,    // result
    output wire        truth     // of a comparison
);
    // ------------------------------------------------------------------
    // Elements of 8 and 16 bits are widened

    wire half  = kind == 3'd3 || kind == 3'd4;
    wire octet = kind == 3'd5 || kind == 3'd6;
    wire signs = kind == 3'd3 || kind == 3'd5;

//% for _, w in ipairs{"a", "b"} do
    wire        top_${w}  = signs && (half ? ${w}[15] : ${w}[7]);
    wire [31:0] wide_${w} = half  ? {{16{top_${w}}}, ${w}[15:0]} :
                         octet ? {{24{top_${w}}}, ${w}[7:0]} : ${w};
//% end

    // ------------------------------------------------------------------
    // x and y

    wire [31:0] p = x_other ? wide_b : wide_a;
    wire [31:0] q = y_imm ? imm : y_result ? r : wide_b;
    wire [31:0] x = turned ? q : p;
    wire [31:0] y = turned ? p : q;

    reg [31:0] second;

    always @* begin
        case (how)
        3'd1:    second = {!y[31], y[30:0]};
        3'd2:    second = 32'h80000000;
        3'd3:    second = 32'h7fffffff;
        3'd4:    second = 32'hffffffff;
        3'd5:    second = 32'd0;
        3'd6:    second = {32{x[31]}};
        default: second = y;
        endcase
    end

    wire [31:0] first = x ^ {32{how == 3'd6 && x[31]}};

    // ------------------------------------------------------------------
    // The SIMT core's arithmetic; b as its third operand counts in a multiply-add

    ${prefix}ndp_simt_alu alu (
        .clk       (clk),
        .op        (op),
        .rounding  (2'd0),
        .ftz       (1'b0),
        .sat       (1'b0),
        .a         (first),
        .b         (second),
        .c         (wide_b),
        .p         (1'b0),
        .add3_2    (1'b0),
        .convert_4 (1'b0),
        .mul_5     (is_mul),
        .fma_${LAST}     (is_fma),
        .value     (value)
    );

    assign truth = (value[0] && !never) != invert;
endmodule

`default_nettype wire
