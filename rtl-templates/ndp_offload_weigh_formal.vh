//% output("formal/ndp_offload_weigh_formal.vh")
${header{title = "what is proved of ndp_offload_weigh", text = [[
What stage D holds is what the note's words say of the request that was weighed:
its condition by a comparison of 32 bits at once, its stack by shifting.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_OFFLOAD_WEIGH
    // The one-hot form of some map_bit
    reg [31:0] f_map; // the number
    integer    f_b;

    always @* begin
        f_map = 0;
        for (f_b = 0; f_b < 32; f_b = f_b + 1)
            if (map_at[f_b])
                f_map = f_b;
        assume (map_at == 32'd1 << f_map);
    end

    // The request that was weighed on the last edge
    reg               f_back;
    reg               f_go;
    reg               f_held;
    reg               f_direct;
    reg               f_probe;
    reg               f_none;
    reg [STACK_W-1:0] f_stack;
    reg [2:0]         f_rules;

    wire f_below = w_signed ? $signed(x_value) < $signed(w_threshold)
                            : x_value < w_threshold;
    wire f_equal = x_value == w_threshold;

    always @(posedge clk) begin
        f_go     <= !rst && (back || go);
        f_back   <= back;
        f_held   <= f_below ? w_wanted[0] : f_equal ? w_wanted[1] : w_wanted[2];
        f_direct <= w_direct;
        f_probe  <= w_probe;
        f_none   <= back_none;
        f_rules  <= back ? back_rules : w_rules;
        if (back ? back_learned : w_learned)
            f_stack <= (back ? back_address : w_address) >> f_map;
        else
            f_stack <= back ? back_baseline : w_baseline;
    end

    always @* if (f_past && !rst) begin
        p_valid: assert (d_valid == f_go);
        p_stack: assert (!f_go || d_stack == f_stack);
        p_goes: assert (!f_go || d_goes == (f_back ? !f_none
                                                   : f_direct && f_held));
        p_probe: assert (!f_go || d_probe == (!f_back && f_probe && f_held));
        p_at: assert (!f_go || {d_limit_at, d_rx_at, d_tx_at} ==
                      {{STACKS{f_rules[2]}} & (1 << f_stack),
                       {STACKS{f_rules[1]}} & (1 << f_stack),
                       {STACKS{f_rules[0]}} & (1 << f_stack)});
        // A request waits for its value, and only then.
        p_value: assert (!go || !w_needs || x_valid);
        p_back_first: assert (!(go && back));
        p_zero: assert (oper_valid || {oper_warp, oper_reg, oper_lane} == 0);
    end

    always @* if (f_past && !rst) begin
        c_signed: cover (go && w_needs && w_signed && x_value[31] && f_below);
        c_back: cover (f_back && d_goes && w_valid);
        c_learned: cover (go && w_learned && f_map == 9);
    end
`endif
