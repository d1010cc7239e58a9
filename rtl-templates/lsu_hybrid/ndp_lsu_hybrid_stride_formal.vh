//% output("formal/ndp_lsu_hybrid_stride_formal.vh")
${header{title = "what is proved of ndp_lsu_hybrid_stride", text = [[
The decision is computed again, lane by lane from the lowest one, and compared; the step is
that from the lead to the next active lane.  That first and lead are those of the lowest
active lane is a demand (q_).]]}}
`ifdef FORMAL_NDP_LSU_HYBRID_STRIDE
    reg              f_same;  // all active lanes have the lead's word
    reg              f_apart; // they are a step apart, without a gap
    reg              f_here;  // they are the own core's
    reg [LANES-1:0]  f_first;
    reg [AT_W-1:0]   f_base;  // word of the lead
    reg [AT_W-1:0]   f_last;  // ... of the active lane before
    reg [AT_W-1:0]   f_step;
    reg [7:0]        f_count; // active lanes so far

    always @* begin
        f_same = 1'b1; f_apart = 1'b1; f_here = 1'b1;
        f_first = 0; f_base = 0; f_last = 0; f_step = 0; f_count = 0;
        for (l = 0; l < LANES; l = l + 1) begin
            if (mask[l]) begin
                if (f_count == 0) begin
                    f_first[l] = 1'b1;
                    f_base     = words[AT_W*l +: AT_W];
                end else begin
                    if (!mask[l-1]) f_apart = 1'b0;
                    if (f_count == 1) f_step = words[AT_W*l +: AT_W] - f_last;
                    if (words[AT_W*l +: AT_W] - f_last != f_step) f_apart = 1'b0;
                end
                if (words[AT_W*l +: AT_W] != f_base) f_same = 1'b0;
                if (!here[l]) f_here = 1'b0;
                f_last  = words[AT_W*l +: AT_W];
                f_count = f_count + 1'b1;
            end
        end
    end

    wire [AT_W:0] f_half  = {{AT_W{1'b0}}, 1'b1} << (STEP_W - 1);
    wire          f_short = f_step < f_half || f_step >= {1'b1, {AT_W{1'b0}}} - f_half;
    wire          f_fits  = f_here && (f_same || (f_apart && f_short));

    always @* begin
        q_lead: assume (mask != 0 && first == f_first && lead == f_base);
        p_fits: assert (fits == f_fits);
        p_step: assert (!fits || step == (f_same ? {STEP_W{1'b0}} : f_step[STEP_W-1:0]));
    end
`endif
