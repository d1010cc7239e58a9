//% use "ndp_simt_alu.v"
//% local Q = LAST
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                     ")
//% end
${header{title = "near-bank pipelines: vector ALU of a unit", text = [[
The SIMT core's arithmetic for each lane of a pass, and what its stages have to know
of the operation, which is the same for all.

    X1: word, a, b, c, p -> X2 ... X]] .. Q .. [[: value

Latency: ]] .. L.FMA_L .. [[ edges, from X1 to X]] .. Q .. [[.  A pass each edge.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_lanes (
    input  wire        clk,  // clock

    // stage X1
    input  wire [63:0] word, // word
    input  wire ${pad(range(L.DATA_W), 6)} a,    // operands, a lane in 32 bits
    input  wire ${pad(range(L.DATA_W), 6)} b,    //
    input  wire ${pad(range(L.DATA_W), 6)} c,    //
    input  wire ${pad(vec(L.ALUS), 6)} p,    // predicate c

    // stage X${Q}
    output wire ${pad(range(L.DATA_W), 6)} value // results
);
${localparams("ALUS")}

    wire [7:0] op  = word[7:0];
    wire       ftz = word[46] && !word[24]; // else they are of a number
    wire       sat = word[47] && !word[24];

    wire is_add3    = ${any(function(o) return o.name == "add3" end)};
    wire is_convert = ${any(function(o) return o.timing == "convert" end)};
    wire is_mul     = ${any(function(o) return o.timing == "mul" end)};
    wire is_fma     = ${any(function(o) return o.timing == "fma" end)};

    reg       add3_2;
    reg [2:0] convert; // in X4 to X2
    reg [3:0] mul;     // in X5 to X2
    reg [${Q - 2}:0] fma;     // in X${Q} to X2

    always @(posedge clk) begin
        add3_2  <= is_add3;
        convert <= {convert[1:0], is_convert};
        mul     <= {mul[2:0], is_mul};
        fma     <= {fma[${Q - 3}:0], is_fma};
    end

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            ${prefix}ndp_simt_alu alu (
                .clk       (clk),
                .op        (op),
                .rounding  (word[39:38]),
                .ftz       (ftz),
                .sat       (sat),
                .a         (a[i*32 +: 32]),
                .b         (b[i*32 +: 32]),
                .c         (c[i*32 +: 32]),
                .p         (p[i]),
                .add3_2    (add3_2),
                .convert_4 (convert[2]),
                .mul_5     (mul[3]),
                .fma_${Q}     (fma[${Q - 2}]),
                .value     (value[i*32 +: 32])
            );
        end
    endgenerate

    wire unused = &{1'b0, word[63:48], word[45:40], word[37:25], word[23:8]};
endmodule

`default_nettype wire
