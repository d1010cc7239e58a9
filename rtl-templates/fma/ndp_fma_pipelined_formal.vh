//% output("formal/ndp_fma_pipelined_formal.vh")
${header{title = "what is proved of ndp_fma_pipelined", text = [[
What needs no product comes out with the operation that it belongs to, six edges
later: NaN, infinity, and what modifiers promise of any result.  What numbers
become is not proved: tests say it.]]}}
`ifdef FORMAL_NDP_FMA_PIPELINED
    // Edges so far, until what comes out is of an operation that came in after
    // the first edges: there is no reset, and the stages begin with anything.
    reg [3:0] f_age = 4'd0;

    // nan, inf, its sign, ftz, sat; the youngest lowest
    reg [29:0] f_was;

    always @(posedge clk) begin
        if (f_age != 4'd9)
            f_age <= f_age + 1'b1;
        f_was <= {f_was[24:0], nan, inf, neg, ftz, sat};
    end

    wire f_nan, f_inf, f_neg, f_ftz, f_sat;

    assign {f_nan, f_inf, f_neg, f_ftz, f_sat} = f_was[29:25];

    always @* if (f_age == 4'd9) begin
        p_nan: assert (!f_nan || result == (f_sat ? 32'd0 : 32'h7fffffff));
        p_inf: assert (f_nan || !f_inf || f_sat ||
                       result == {f_neg, 31'h7f800000});
        p_inf_clamped: assert (f_nan || !f_inf || !f_sat ||
                               result == (f_neg ? 32'd0 : 32'h3f800000));
        p_clamped: assert (!f_sat || result <= 32'h3f800000);
        p_no_subnormal: assert (!f_ftz || result[30:0] == 0 ||
                                result[30:0] >= 31'h00800000);
        c_nan: cover (f_nan && !f_sat);
        c_inf: cover (f_inf && !f_nan && f_neg);
    end
`endif
