//% local form = Pname["fma.form"]
//% use("ndp_fma_" .. form .. ".v")
//% use "ndp_fma_formal.vh"
${header{title = "fused multiply-add of 32-bit floats", text = [[
a * b + c, a * b or a + c, rounded once, with PTX's rounding modes and modifiers.
The arithmetic stands in ndp_fma_]] .. form .. [[, for whoever has its own way of knowing
what is valid; this unit carries along an id.

Parameters: all sizes are generated.  The arithmetic is of the form ']] .. form .. [['.

Handshake: an operation is taken on an edge with op_valid and op_ready; a result
cannot be refused, and its fields are zero while res_valid is low.

Latency: the result of an operation that is taken on edge t stands after edge
t + ]] .. L.LATENCY - 1 .. (L.ITERATIVE == 1 and [[, whatever it is, and op_ready with it.]] or [[, whatever it is.  One operation each cycle.]]) .. [[


See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma (
${ports()}
);
${localparams("ID_W")}

    wire        valid;
    wire [31:0] value;

//% if L.ITERATIVE == 1 then
    reg [ID_W-1:0] id;

    ${prefix}ndp_fma_iterative unit (
        .clk      (clk),
        .rst      (rst),
        .start    (op_valid),
        .ready    (op_ready),
        .kind     (op_kind),
        .rounding (op_rounding),
        .ftz      (op_ftz),
        .sat      (op_sat),
        .a        (op_a),
        .b        (op_b),
        .c        (op_c),
        .done     (valid),
        .result   (value)
    );

    always @(posedge clk) begin
        if (op_valid && op_ready)
            id <= op_id;
    end

    assign res_id = valid ? id : {ID_W{1'b0}};
//% else
    localparam LATENCY = ${L.LATENCY}; // edges

    reg [LATENCY-1:0]      there; // an operation in each stage
    reg [LATENCY*ID_W-1:0] ids;   // and its id, the youngest lowest

    ${prefix}ndp_fma_pipelined unit (
        .clk      (clk),
        .kind     (op_kind),
        .rounding (op_rounding),
        .ftz      (op_ftz),
        .sat      (op_sat),
        .a        (op_a),
        .b        (op_b),
        .c        (op_c),
        .result   (value)
    );

    always @(posedge clk) begin
        if (rst)
            there <= {LATENCY{1'b0}};
        else
            there <= {there[LATENCY-2:0], op_valid};
    end

    always @(posedge clk) ids <= {ids[(LATENCY-1)*ID_W-1:0], op_id};

    assign op_ready = 1'b1;
    assign valid    = there[LATENCY-1];
    assign res_id   = valid ? ids[LATENCY*ID_W-1:(LATENCY-1)*ID_W]
                            : {ID_W{1'b0}};
//% end

    assign res_valid = valid;
//% if L.ITERATIVE == 1 then
    assign res_value = value;
//% else
    assign res_value = valid ? value : 32'd0;
//% end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_fma_formal.vh"
`endif
endmodule

`default_nettype wire
