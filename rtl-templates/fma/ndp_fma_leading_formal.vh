//% output("formal/ndp_fma_leading_formal.vh")
${header{title = "what is proved of ndp_fma_leading", text = [[
No one is shifted out, the leftmost one arrives unless the exponent ends at 1, and
it never ends below.]]}}
`ifdef FORMAL_NDP_FMA_LEADING
    wire [75:0] f_left = sum << shift;

    always @* if (top >= 1) begin
        p_none: assert (none == (sum == 0));
        p_kept: assert (none || (f_left >> shift) == sum);
        p_least: assert (shift < top);
        p_first: assert (none || f_left[75] || shift + 1 == top);
        c_far: cover (shift == 75 && !none);
        c_subnormal: cover (!none && !f_left[75]);
    end
`endif
