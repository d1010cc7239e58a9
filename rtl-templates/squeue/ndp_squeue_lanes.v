//% use "ndp_squeue_lane.v"
${header{title = "lanes of a service queue", text = [[
As many lanes as are computed at once, all of them with the same operation.

Latency: values and truths stand six edges after a, b, r and what says which operation
it is; is_mul comes four edges behind these, is_fma, invert and never six.]]}}
`default_nettype none

module ${prefix}ndp_squeue_lanes (
    input  wire         clk,      // clock
    input  wire [2:0]   kind,     // type of the data
    input  wire ${pad(range(L.DATA_W), 7)} a,        // of the first load, a lane in 32 bits
    input  wire ${pad(range(L.DATA_W), 7)} b,        // of the second load
    input  wire ${pad(range(L.DATA_W), 7)} r,        // g's result
    input  wire [31:0]  imm,      // immediate
    input  wire         x_other,  // x is b, else a
    input  wire         y_imm,    // y is the immediate,
    input  wire         y_result, // or r, else b
    input  wire         turned,   // exchange them
    input  wire [7:0]   op,       // operation, and what else ndp_squeue_code says
    input  wire [2:0]   how,      //
    input  wire         is_mul,   // four edges behind a, b and r
    input  wire         is_fma,   // six edges behind them
    input  wire         invert,   //
    input  wire         never,    //
    output wire ${pad(range(L.DATA_W), 7)} values,   // results
    output wire ${pad("[" .. L.ALUS - 1 .. ":0]", 7)} truths    // of a comparison
);
${localparams("ALUS")}

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            ${prefix}ndp_squeue_lane one (
                .clk      (clk),
                .kind     (kind),
                .a        (a[32*i +: 32]),
                .b        (b[32*i +: 32]),
                .r        (r[32*i +: 32]),
                .imm      (imm),
                .x_other  (x_other),
                .y_imm    (y_imm),
                .y_result (y_result),
                .turned   (turned),
                .op       (op),
                .how      (how),
                .is_mul   (is_mul),
                .is_fma   (is_fma),
                .invert   (invert),
                .never    (never),
                .value    (values[32*i +: 32]),
                .truth    (truths[i])
            );
        end
    endgenerate
endmodule

`default_nettype wire
