//% output("formal/ndp_fma_round_formal.vh")
${header{title = "what is proved of ndp_fma_round", text = [[
The result without modifiers is one of the two neighbours of the number, and which
one the rest decides: exact, less than half, half, more.  The exponent of a number
without its first place is 1.]]}}
`ifdef FORMAL_NDP_FMA_ROUND
    localparam [30:0] F_INF   = 31'h7f800000;
    localparam [30:0] F_ONE   = 31'h3f800000;
    localparam [30:0] F_LEAST = 31'h00800000; // normal

    always @* assume (exponent >= 1 && exponent < 9'd400);
    always @* assume (sig[23] || exponent == 1);

    // The neighbour towards zero; numbers order like their bits.
    wire [31:0] f_low  = {exponent, sig[22:0]} - (sig[23] ? 32'd0 : 32'h00800000);
    wire [31:0] f_size = {1'b0, value[30:0]};
    wire        f_fits = f_low < F_INF;
    wire [1:0]  f_rest = {guard, sticky};

    wire f_number = !nan && !inf;
    wire f_plain  = f_number && !sat && !(ftz && f_low < F_LEAST);
    wire f_up     = f_size != f_low;
    wire f_out    = neg ? rounding == 2'd2 : rounding == 2'd3; // from zero

    always @* begin
        p_nan: assert (!nan || value == (sat ? 32'd0 : 32'h7fffffff));
        p_inf: assert (nan || !inf || sat || value == {neg, F_INF});
        p_sign: assert (nan || sat || value[31] == neg);
        p_clamped: assert (!sat || value <= {1'b0, F_ONE});
        p_clamped_negative: assert (!sat || !neg || value == 0);
        p_clamped_inf: assert (!sat || nan || neg || !inf || value == F_ONE);
        p_no_subnormal: assert (!ftz || value[30:0] == 0 ||
                                value[30:0] >= F_LEAST);
        p_flushed: assert (!f_number || sat || !ftz || f_size == 0 ||
                           f_size == f_low || f_size == f_low + 1 || !f_fits);
    end

    always @* if (f_plain && f_fits) begin
        p_neighbour: assert (f_size == f_low || f_size == f_low + 1);
        p_exact: assert (f_rest != 0 || !f_up);
        p_below_half: assert (f_rest != 1 || f_up == f_out);
        p_half: assert (f_rest != 2 || f_up == (rounding == 0 ? sig[0] : f_out));
        p_above_half: assert (f_rest != 3 || f_up == (rounding == 0 || f_out));
    end

    always @* if (f_plain && !f_fits) begin
        p_over: assert (f_size == (rounding == 0 || f_out ? F_INF : F_INF - 1));
    end

    // clamping does nothing to what is between zero and one
    always @* if (f_number && sat && !neg && f_low < F_ONE &&
                  !(ftz && f_low < F_LEAST)) begin
        p_kept: assert (f_size == f_low || f_size == f_low + 1);
        p_kept_exact: assert (f_rest != 0 || f_size == f_low);
        p_kept_nearest: assert (rounding != 0 || f_rest == 2 ||
                                f_up == (f_rest == 3));
    end

    always @* begin
        c_carry: cover (f_plain && f_size == 32'h00800000 && f_up);
        c_over: cover (f_plain && f_fits && f_size == F_INF);
        c_tie: cover (f_plain && f_rest == 2 && rounding == 0 && f_up);
        c_flushed: cover (f_number && ftz && !sat && f_low != 0 && f_size == 0);
    end
`endif
