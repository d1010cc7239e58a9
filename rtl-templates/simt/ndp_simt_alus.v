//% use "ndp_simt_alu.v"
//% local A, Q = L.ALUS, LAST
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "x_op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                     ")
//% end
${header{title = "SIMT core: arithmetic of all lanes", text = [[
A lane's arithmetic for each lane of a pass, and what their stages have to know of
the operation, which is the same for all.

Latency: ]] .. L.FMA_L .. [[ edges, from X1 to X]] .. Q .. [[.  A pass each edge.]]}}
`default_nettype none

module ${prefix}ndp_simt_alus (
    input  wire        clk,   // clock
    input  wire        hold,  // the pipe stands still

    // stage X1
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

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            ${prefix}ndp_simt_alu alu (
                .clk       (clk),
                .op        (x_op),
                .rounding  (x_code[39:38]),
                .ftz       (ftz),
                .sat       (sat),
                .a         (x_a[i*32 +: 32]),
                .b         (x_b[i*32 +: 32]),
                .c         (x_c[i*32 +: 32]),
                .p         (x_p[i]),
                .add3_2    (add3_2),
                .convert_4 (convert[2]),
                .mul_5     (mul[3]),
                .fma_${Q}     (fma[${Q - 2}]),
                .value     (value[i*32 +: 32])
            );
        end
    endgenerate

    wire unused = &{1'b0, x_code[63:48], x_code[45:40], x_code[37:25],
                    x_code[23:8]};
endmodule

`default_nettype wire
