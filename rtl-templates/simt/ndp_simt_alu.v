//% local Q, IT = LAST, L.ITERATIVE == 1
//% local any_f = "(op == FMIN || op == FMAX"
//% for _, o in ipairs(ops(function(o) return o.name:find("^fset") end)) do any_f = any_f .. " ||\n                           op == " .. o.name:upper() end
//% any_f = any_f .. ")"
//% if IT then
//%     use "ndp_fma_iterative.v"
//%     use "ndp_simt_serial.v"
//% else
//%     use "ndp_fma_pipelined.v"
//%     use "ndp_simt_convert.v"
//%     use "ndp_simt_multiply.v"
//% end
${header{title = "SIMT core: arithmetic of one lane", text = (IT and [[
Integer, logic, comparison, select in one stage, with a second sum for add3; integer
multiplication, conversion and shift in one unit bit by bit, f32 in another, while
the pipe holds.

    X1: short, serial, fma -> X2: + c of add3

]] or [[
Integer, logic, shift, comparison, select in one stage; integer multiplication,
conversion and f32 in their own pipes.  All of them come out at the same stage.

    X1: short -> X2 -> X3: + c of add3 -> ... -> X]] .. Q .. [[

    X1: multiply -> X5, convert -> X4, fma -> X]] .. Q .. [[


]]) .. [[
Latency: ]] .. L.FMA_L .. (IT and " edge" or " edges") .. [[ from X1 to the result.  The stages' controls come from outside,
where they are there once for all lanes.]]}}
`default_nettype none

module ${prefix}ndp_simt_alu (
    input  wire        clk,      // clock
//% if IT then
    input  wire        rst,      // synchronous reset, active high
    input  wire        hold,     // the pipe stands still

    // which unit works, and where the serial one is
    input  wire        is_add3,  // X1 holds an add3
    input  wire        is_fma,   // X1 holds an operation of the f32 unit
    input  wire        start,    // and it may begin
    input  wire        is_serial, // X1 holds one of the serial unit
    input  wire        active,   // the lane is active
    input  wire [9:0]  steps,    // which step it is, see ndp_simt_serial
    output wire        going,    // a shift is not at its end
    output wire        done,     // the f32 unit has a result
//% end

    // stage X1
    input  wire [7:0]  op,       // operation
    input  wire [1:0]  rounding, // f32: 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // f32: subnormals are zero
    input  wire        sat,      // f32: clamped to 0 to 1
    input  wire [31:0] a,        // operands
    input  wire [31:0] b,        //
    input  wire [31:0] c,        //
    input  wire        p,        // predicate c

//% if not IT then
    // later stages
    input  wire        add3_2,   // X2 holds an add3
    input  wire        convert_4, // X4 a conversion
    input  wire        mul_5,    // X5 a multiplication
    input  wire        fma_${Q},    // X${Q} an operation of the f32 unit
//% end

    // stage X${Q}
    output wire [31:0] value     // result; of a comparison bit 0
);
//% local BITS = { shl = true, shr = true, sar = true, popc = true, clz = true }
//% for _, o in ipairs(ops(function(o) return o.timing == "short" and not (IT and BITS[o.name]) end)) do
    localparam [7:0] ${pad(o.name:upper(), 8)} = ${op(o.name)};
//% end
    localparam [7:0] FADD     = ${op "fadd"};
    localparam [7:0] FMUL     = ${op "fmul"};

    // ------------------------------------------------------------------
    // Operands of what compares f32: subnormals may count as zero

    wire flushes = ftz && ${any_f};
    wire [31:0] fa = {a[31], a[30:0] & {31{!(flushes && a[30:23] == 8'd0)}}};
    wire [31:0] fb = {b[31], b[30:0] & {31{!(flushes && b[30:23] == 8'd0)}}};

    // ------------------------------------------------------------------
    // Sum and difference: one adder.  rsub, b - a, is the inverse of one less than
    // a - b; what compares is a - b, of f32, too, as its numbers are in order like
    // their signs and magnitudes.

    wire         adds   = op == ADD || op == ADD3 || op == CARRY;
    wire         turned = op == RSUB;
    wire [31:0]  right  = fb ^ {32{!adds}};
    wire [32:0]  sum    = {1'b0, fa} + {1'b0, right} + {32'd0, !adds && !turned};
    wire         less_u = !sum[32]; // a < b, of a difference
    wire         less_s = a[31] != b[31] ? a[31] : less_u;
    wire         equal  = fa == fb;

//% if IT then
    wire [31:0] a_turned;

    genvar i;

    generate
        for (i = 0; i < 32; i = i + 1) begin : turn
            assign a_turned[i] = a[31-i];
        end
    endgenerate

//% else
    // ------------------------------------------------------------------
    // Shifts: one shifter, to the right; shl turns its word round twice

    wire [31:0] a_turned;
    wire [31:0] shl_out;
    wire [31:0] shr_out;
    wire        far  = b[31:5] != 27'd0; // by 32 or more
    wire        fill = op == SAR && a[31];

    genvar i;

    generate
        for (i = 0; i < 32; i = i + 1) begin : turn
            assign a_turned[i] = a[31-i];
            assign shl_out[i]  = shr_out[31-i];
        end
    endgenerate

    wire [62:0] wide    = {{31{fill}}, op == SHL ? a_turned : a};
    wire [62:0] shifted = wide >> b[4:0];

    assign shr_out = far ? {32{fill}} : shifted[31:0];

    // ------------------------------------------------------------------
    // Ones, and zeros above the top one

    reg [5:0] ones;
    reg [5:0] zeros;

    integer k;

    always @* begin
        ones  = 6'd0;
        zeros = 6'd32;
        for (k = 0; k < 32; k = k + 1) begin
            ones = ones + {5'd0, a[k]};
            if (a[k])
                zeros = 6'd31 - k[5:0];
        end
    end

//% end
    // ------------------------------------------------------------------
    // f32: order

    wire nan_a = fa[30:23] == 8'hff && fa[22:0] != 23'd0;
    wire nan_b = fb[30:23] == 8'hff && fb[22:0] != 23'd0;
    wire nan   = nan_a || nan_b;
    wire zeros_ab = fa[30:0] == 31'd0 && fb[30:0] == 31'd0;
    wire f_under = fa[31] != fb[31] ? fa[31] : // -0 is under +0
                                      !equal && (less_u != fa[31]);
    wire f_equal = equal || zeros_ab;
    wire f_less  = f_under && !zeros_ab;
    wire f_more  = !f_less && !f_equal;

    // One of both: b, if nothing speaks for a
    reg take_a;

    always @* begin
        case (op)
        SEL:        take_a = p;
        MINS:       take_a = less_s;
        MAXS:       take_a = !less_s;
        MINU:       take_a = less_u;
        MAXU:       take_a = !less_u;
        FMIN, FMAX: take_a = nan_b || (!nan_a && (f_under != (op == FMAX)));
        default:    take_a = 1'b0;
        endcase
    end

    wire        no_number = (op == FMIN || op == FMAX) && nan_a && nan_b;
    wire [31:0] either    = take_a ? fa : fb;
    wire [31:0] chosen    = {either[31] && !no_number,
                             either[30:0] | {31{no_number}}};

    // Bit by bit: a and b, or, xor, a and not b
    wire [1:0] how = op == OR || op == POR   ? 2'd1 :
                     op == XOR || op == PXOR ? 2'd2 :
                     op == ANDN              ? 2'd3 : 2'd0;

    wire [31:0] bits = how == 2'd1 ? a | b :
                       how == 2'd2 ? a ^ b : a & (b ^ {32{how == 2'd3}});

    // ------------------------------------------------------------------
    // X1: results of one stage

    reg [31:0] short;
    reg        truth; // of comparisons

    always @* begin
        case (op)
        SETEQ:            truth = equal;
        SETNE:            truth = !equal;
        SETLTS:           truth = less_s;
        SETLES:           truth = less_s || equal;
        SETGTS:           truth = !less_s && !equal;
        SETGES:           truth = !less_s;
        SETLTU:           truth = less_u;
        SETLEU:           truth = less_u || equal;
        SETGTU:           truth = !less_u && !equal;
        SETGEU:           truth = !less_u;
        FSETEQ:           truth = f_equal && !nan;
        FSETNE:           truth = !f_equal && !nan;
        FSETLT:           truth = f_less && !nan;
        FSETLE:           truth = !f_more && !nan;
        FSETGT:           truth = f_more && !nan;
        FSETGE:           truth = !f_less && !nan;
        FSETNAN:          truth = nan;
        FSETEQU:          truth = f_equal || nan;
        FSETNEU:          truth = !f_equal || nan;
        FSETLTU:          truth = f_less || nan;
        FSETLEU:          truth = !f_more || nan;
        FSETGTU:          truth = f_more || nan;
        FSETGEU:          truth = !f_less || nan;
        CARRY:            truth = sum[32];
        BORROW:           truth = less_u;
        default:          truth = 1'b0;
        endcase
    end

    always @* begin
        case (op)
        ADD, SUB, RSUB, ADD3:  short = sum[31:0] ^ {32{turned}};
        AND, PAND, OR, POR,
        XOR, PXOR, ANDN:       short = bits;
        SEL, MINS, MAXS, MINU,
        MAXU, FMIN, FMAX, MOV,
        MOVI, S2R, LDP:        short = chosen;
//% if not IT then
        SHL:                   short = shl_out;
        SHR, SAR:              short = shr_out;
        POPC:                  short = {26'd0, ones};
        CLZ:                   short = {26'd0, zeros};
//% end
        BREV:                  short = a_turned;
        default:               short = {31'd0, truth};
        endcase
    end

//% if IT then
    // ------------------------------------------------------------------
    // X2

    wire [31:0] fused;
    wire [31:0] serial;

    reg [31:0] r_2;
    reg [31:0] c_2;

    always @(posedge clk) begin
        if (!hold) begin
            r_2 <= is_fma ? fused : is_serial ? serial : short;
            c_2 <= c & {32{is_add3}};
        end
    end

    assign value = r_2 + c_2;

    ${prefix}ndp_simt_serial unit_serial (
        .clk      (clk),
        .active   (active),
        .steps    (steps),
        .op       (op),
        .rounding (rounding),
        .ftz      (ftz),
        .sat      (sat),
        .a        (a),
        .b        (b),
        .c        (c),
        .going    (going),
        .value    (serial)
    );

    wire ready; // as long as there is no operation

    ${prefix}ndp_fma_iterative unit (
        .clk      (clk),
        .rst      (rst),
        .start    (start),
        .ready    (ready),
        .kind     ({op == FADD, op == FMUL}),
        .rounding (rounding),
        .ftz      (ftz),
        .sat      (sat),
        .a        (a),
        .b        (b),
        .c        (op == FADD ? b : c),
        .done     (done),
        .result   (fused)
    );

    wire unused = &{1'b0, ready};
//% else
    // ------------------------------------------------------------------
    // X2 to X${Q}

    wire [31:0] product;   // X5
    wire [31:0] converted; // X4
    wire [31:0] fused;     // X${Q}

    reg [31:0] r_2;
    reg [31:0] c_2;
//% for s = 3, Q do
    reg [31:0] r_${s};
//% end

    always @(posedge clk) begin
        r_2 <= short;
        c_2 <= c;
        r_3 <= r_2 + (add3_2 ? c_2 : 32'd0);
        r_4 <= r_3;
        r_5 <= convert_4 ? converted : r_4;
        r_6 <= mul_5 ? product : r_5;
//% for s = 7, Q do
        r_${s} <= r_${s - 1};
//% end
    end

    assign value = fma_${Q} ? fused : r_${Q};

    wire unused = &{1'b0, shifted[62:32]};

    ${prefix}ndp_simt_multiply multiply (
        .clk     (clk),
        .op      (op),
        .a       (a),
        .b       (b),
        .c       (c),
        .product (product)
    );

    ${prefix}ndp_simt_convert convert (
        .clk      (clk),
        .op       (op),
        .rounding (rounding),
        .ftz      (ftz),
        .sat      (sat),
        .a        (a),
        .value    (converted)
    );

    ${prefix}ndp_fma_pipelined unit (
        .clk      (clk),
        .kind     ({op == FADD, op == FMUL}),
        .rounding (rounding),
        .ftz      (ftz),
        .sat      (sat),
        .a        (a),
        .b        (b),
        .c        (op == FADD ? b : c),
        .result   (fused)
    );
//% end
endmodule

`default_nettype wire
