//% output("formal/ndp_offload_weigh_formal.vh")
${header{title = "what is proved of ndp_offload_weigh", text = [[
What stage D holds is what the note's words say of the request that was weighed:
its condition by a comparison of 32 bits at once, its stack by shifting.  A
condition register that was asked for is in exactly one place until its request
goes, and there are never more of them than places: no queue overflows.]]}}
`ifdef FORMAL_NDP_OFFLOAD_WEIGH
`define NDP_OFFLOAD_WEIGH_CONTRACT assume
`else
`define NDP_OFFLOAD_WEIGH_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // Requests that have come and not been decided, those of them that need a
    // value, and where their values are.
    reg [5:0] f_here;
    reg [5:0] f_needs;
    reg [5:0] f_asked; // not yet taken by the operand collector
    reg [5:0] f_open;  // being read
    reg [5:0] f_read;  // read and not used

    wire f_decided = d_valid && !d_back;

    always @(posedge clk) begin
        f_here  <= rst ? 0 : f_here + m_valid - f_decided;
        f_needs <= rst ? 0 : f_needs + (m_valid && needs) - (go && w_needs);
        f_asked <= rst ? 0 : f_asked + (m_valid && needs) -
                             (oper_valid && oper_ready);
        f_open  <= rst ? 0 : f_open + (oper_valid && oper_ready) - value_valid;
        f_read  <= rst ? 0 : f_read + value_valid - (go && w_needs);
    end

    always @* if (f_past && !rst) begin
        q_room: `NDP_OFFLOAD_WEIGH_CONTRACT (!m_valid || f_here < DEPTH);
        q_value: `NDP_OFFLOAD_WEIGH_CONTRACT (!value_valid || f_open != 0);
    end

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

    // A queue shows no word that it does not hold, and the needs of what it
    // shows are those of what was pushed: ndp_queue's own proof.
    wire [5:0] f_waiting = f_here - f_decided;

    always @* if (f_past && !rst) begin
        assume (!w_valid || f_waiting != 0);
        assume (!w_valid || !w_needs || f_needs != 0);
        assume (!w_valid || w_needs || f_waiting > f_needs);
        assume (!oper_valid || f_asked != 0);
        assume (!x_valid || f_read != 0);
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

    wire [STACKS-1:0] f_at = 1 << f_stack;

    wire f_below = w_signed ? $signed(x_value) < $signed(~w_inverted)
                            : x_value < ~w_inverted;
    wire f_equal = x_value == ~w_inverted;

    always @(posedge clk) begin
        f_go     <= !rst && (back || go);
        f_back   <= back;
        f_held   <= f_below ? w_wanted[0] : f_equal ? w_wanted[1] : w_wanted[2];
        f_direct <= w_direct;
        f_probe  <= w_probe;
        f_none   <= back_none;
        f_rules  <= back ? back_rules : w_rules;
        if (back)
            f_stack <= back_learned ? back_address >> f_map : back_baseline;
        else
            f_stack <= (w_address >> f_map) | w_baseline;
    end

    always @* if (f_past && !rst) begin
        p_valid: assert (d_valid == f_go);
        p_stack: assert (!f_go || d_stack == f_stack);
        p_goes: assert (!f_go || d_goes == (f_back ? !f_none
                                                   : f_direct && f_held));
        p_probe: assert (!f_go || d_probe == (!f_back && f_probe && f_held));
        p_at: assert (!f_go || {d_limit_at, d_rx_at, d_tx_at} ==
                      {f_at & {STACKS{f_rules[2]}}, f_at & {STACKS{f_rules[1]}},
                       f_at & {STACKS{f_rules[0]}}});
        // A request waits for its value, and only then.
        p_needs: assert (f_needs == f_asked + f_open + f_read);
        p_places: assert (f_needs <= DEPTH && f_here <= DEPTH);
        p_due: assert (!f_decided || f_here != 0);
        p_back: assert (!d_valid || d_back == f_back);
        p_value: assert (!go || !w_needs || x_valid);
        p_back_first: assert (!(go && back));
        p_zero: assert (oper_valid || {oper_warp, oper_reg, oper_lane} == 0);
    end

    always @* if (f_past && !rst) begin
        c_signed: cover (go && w_needs && w_signed && x_value[31] && f_below);
        c_back: cover (f_back && d_goes && w_valid);
        c_learned: cover (go && w_address != 0 && f_map == 9);
    end
`endif
