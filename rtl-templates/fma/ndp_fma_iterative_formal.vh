//% output("formal/ndp_fma_iterative_formal.vh")
//% local LAST = L.LATENCY - 1
//% local FACTOR = 24 // L.STEP_W
${header{title = "what is proved of ndp_fma_iterative", text = [[
It takes an operation, ends after as many edges as it says, is ready then, and not
before; what needs no product, as for the pipelined form; the addend is in its
place when it is added.]]}}
`ifdef FORMAL_NDP_FMA_ITERATIVE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);
    always @* assume (distance <= 7'd80); // p_range of ndp_fma_operands

    // ------------------------------------------------------------------
    // When

    reg [7:0] f_wait; // edges to go, 0: none

    always @(posedge clk) begin
        if (rst)
            f_wait <= 8'd0;
        else if (f_wait == 0)
            f_wait <= start ? 8'd${LAST} : 8'd0;
        else
            f_wait <= f_wait - 1'b1;
    end

    reg f_due; // a result comes after this edge

    always @(posedge clk) f_due <= !rst && f_wait == 1;

    always @* if (f_past && !rst) begin
        p_ready: assert (ready == (f_wait == 0));
        p_done: assert (done == f_due);
        p_zero: assert (done || result == 0);
        p_step: assert (step == 0 ? f_wait == 0 : f_wait + step == ${LAST + 1});
        p_multiply: assert (multiply == (step >= 1 && step <= ${FACTOR}));
        p_left: assert (left == (step >= ${L.ALIGN + 3} && step <= ${L.ALIGN + 12}));
        p_right: assert (right == (step >= ${L.ALIGN + 13} && step <= ${L.ALIGN + 20}));
    end

    // ------------------------------------------------------------------
    // What

    reg f_nan, f_inf, f_ftz, f_sat, f_neg;

    always @(posedge clk) begin
        if (start && ready)
            {f_nan, f_inf, f_ftz, f_sat, f_neg} <= {nan, inf, ftz, sat, neg};
    end

    always @* assume (!inf || nan || !sub); // p_inf_plain of ndp_fma_operands

    always @* if (f_past && !rst && f_wait != 0) begin
        p_how: assert (how[5:4] == {f_nan, f_inf} && how[1:0] == {f_ftz, f_sat});
        p_neg: assert (is_neg == f_neg);
        p_inf_plain: assert (!f_inf || f_nan || !is_sub);
        p_not_greater: assert (step <= ${L.ALIGN + 1} || is_sub || !greater);
    end

    always @* if (f_past && !rst && done) begin
        p_nan: assert (!f_nan || result == (f_sat ? 32'd0 : 32'h7fffffff));
        p_inf: assert (f_nan || !f_inf || f_sat ||
                       result == {f_neg, 31'h7f800000});
        p_clamped: assert (!f_sat || result <= 32'h3f800000);
        p_no_subnormal: assert (!f_ftz || result[30:0] == 0 ||
                                result[30:0] >= 31'h00800000);
    end

    // An edge for each 8 and each 1 that it still goes
    always @* if (f_past && !rst && step >= 1 && step <= ${L.ALIGN + 2}) begin
        p_on_time: assert (to_go[6:3] + to_go[2:0] + step <= ${L.ALIGN + 1} ||
                           to_go == 0);
    end

    always @* if (f_past && !rst) begin
        c_done: cover (done);
        c_nan: cover (done && f_nan);
    end
`endif
