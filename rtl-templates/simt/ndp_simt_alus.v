//% use "ndp_simt_alu.v"
//% local A, Q, IT = L.ALUS, LAST, L.ITERATIVE == 1
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "x_op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                     ")
//% end
${header{title = "SIMT core: arithmetic of all lanes", text = [[
A lane's arithmetic for each lane of a pass, and what their stages have to know of
the operation, which is the same for all.

]] .. (IT and [[
The f32 units and those for what goes bit by bit take their operands from X1 and
hold the pipe until they are done, all lanes together.

Latency: an edge, from X1 to X2, after those on which the pipe holds.]] or [[
Latency: ]] .. L.FMA_L .. [[ edges, from X1 to X]] .. Q .. [[.  A pass each edge.]])}}
`default_nettype none

module ${prefix}ndp_simt_alus (
    input  wire        clk,   // clock
//% if IT then
    input  wire        rst,   // synchronous reset, active high
    output wire        hold,  // the pipe stands still
//% else
    input  wire        hold,  // the pipe stands still
//% end

    // stage X1
//% if IT then
    input  wire        x_valid,  // it holds a pass
    input  wire ${pad(vec(A), 6)} x_active, // active lanes
//% end
    input  wire [63:0] x_code, // word
    input  wire ${range(32 * A)} x_a,   // operands, a lane in 32 bits
    input  wire ${range(32 * A)} x_b,   //
    input  wire ${range(32 * A)} x_c,   //
    input  wire ${pad(vec(A), 6)} x_p,   // predicate c

    // stage X${Q}
    output wire ${pad(range(32 * A), 6)} value  // results
);
${localparams("ALUS")}

    wire [7:0] x_op = x_code[7:0];
    wire       ftz  = x_code[46] && !x_code[24]; // else they are of a number
    wire       sat  = x_code[47] && !x_code[24];

    wire is_add3    = ${any(function(o) return o.name == "add3" end)};
    wire is_convert = ${any(function(o) return o.timing == "convert" end)};
    wire is_mul     = ${any(function(o) return o.timing == "mul" end)};
    wire is_fma     = ${any(function(o) return o.timing == "fma" end)};

//% if IT then
    wire is_shift   = ${any(function(o) return o.name == "shl" or o.name == "shr" or o.name == "sar" end)};
    wire is_tally   = ${any(function(o) return o.name == "popc" or o.name == "clz" end)};
    wire is_serial  = is_mul || is_convert || is_shift || is_tally;

    // ------------------------------------------------------------------
    // Steps of a pass that holds the pipe

    reg  [6:0]      step;
    wire [ALUS-1:0] going; // a lane's shift is not at its end
    wire [ALUS-1:0] ended; // a lane's multiply-add is; they end together
    wire            done = ended == {ALUS{1'b1}};

    wire first = step == 7'd0;
    wire ready = is_fma                ? done :
                 is_mul || is_tally    ? step == 7'd${L.HOLD_MUL} :
                 is_convert            ? step == 7'd${L.HOLD_CONVERT}
                                       : !first && going == {ALUS{1'b0}};

    assign hold = x_valid && (is_fma || is_serial) && !ready;

    always @(posedge clk) begin
        if (rst || !hold)
            step <= 7'd0;
        else
            step <= step + 7'd1;
    end

    wire start = x_valid && is_fma && !done;
    wire load  = first;
    wire last  = step == 7'd${L.HOLD_MUL - 1};

    // What the step after the edge is: of products and of bits counted 1 to ${L.HOLD_MUL - 1};
    // of conversions 1, 1 to 34, 35, 36 to 66, 67.  Registers, as the serial unit
    // has no time left to find it out.
    reg multiply;
    reg shift;
    reg tally;
    reg whole;
    reg right;
    reg round;
    reg left;
    reg finish;

    wire begins = first && x_valid;

    always @(posedge clk) begin
        multiply <= !rst && is_mul && (begins || (multiply && !last));
        shift    <= !rst && is_shift && hold;
        tally    <= !rst && is_tally && (begins || (tally && !last));
        whole    <= !rst && begins && (x_op == ${op "cvtfs"} || x_op == ${op "cvtfu"});
        right    <= !rst && is_convert && (begins || (right && step != 7'd34));
        round    <= !rst && is_convert && step == 7'd34;
        left     <= !rst && is_convert && (step == 7'd35 || (left && step != 7'd66));
        finish   <= !rst && is_convert && step == 7'd66;
    end

    wire [9:0] steps = {load, multiply, last, shift, tally, whole, right, round,
                        left, finish};

//% else
    reg       add3_2;
    reg [2:0] convert; // in X4 to X2
    reg [3:0] mul;     // in X5 to X2
    reg [${Q - 2}:0] fma;     // in X${Q} to X2

    always @(posedge clk) begin
        if (!hold) begin
            add3_2  <= is_add3;
            convert <= {convert[1:0], is_convert};
            mul     <= {mul[2:0], is_mul};
            fma     <= {fma[${Q - 3}:0], is_fma};
        end
    end

//% end
    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            ${prefix}ndp_simt_alu alu (
                .clk       (clk),
//% if IT then
                .rst       (rst),
                .hold      (hold),
                .is_add3   (is_add3),
                .is_fma    (is_fma),
                .start     (start),
                .is_serial (is_serial),
                .active    (x_active[i]),
                .steps     (steps),
                .going     (going[i]),
                .done      (ended[i]),
//% end
                .op        (x_op),
                .rounding  (x_code[39:38]),
                .ftz       (ftz),
                .sat       (sat),
                .a         (x_a[i*32 +: 32]),
                .b         (x_b[i*32 +: 32]),
                .c         (x_c[i*32 +: 32]),
                .p         (x_p[i]),
//% if not IT then
                .add3_2    (add3_2),
                .convert_4 (convert[2]),
                .mul_5     (mul[3]),
                .fma_${Q}     (fma[${Q - 2}]),
//% end
                .value     (value[i*32 +: 32])
            );
        end
    endgenerate

    wire unused = &{1'b0, x_code[63:48], x_code[45:40], x_code[37:25],
                    x_code[23:8]};
endmodule

`default_nettype wire
