//% output("formal/ndp_offload_decide_formal.vh")
${header{title = "what is proved of ndp_offload_decide", text = [[
The first rule that applies answers, written once more as the note has it; a
request is taken, or gets exactly one answer, which says where the block goes or
why it does not.]]}}
`ifdef FORMAL_NDP_OFFLOAD_DECIDE
`define NDP_OFFLOAD_DECIDE_CONTRACT assume
`else
`define NDP_OFFLOAD_DECIDE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // Requests that have been decided and whose answers have not been taken.
    reg [5:0] f_answers;

    always @(posedge clk)
        f_answers <= rst ? 0 : f_answers + (d_valid && !take) -
                               (ans_valid && ans_ready);

    // Twin of the queue
    reg [5:0] f_queue; // words in the memory of queue
    reg       f_queue_out;

    wire f_queue_load = f_queue != 0 && (!f_queue_out || ans_ready);

    always @(posedge clk) begin
        f_queue     <= rst ? 0 : f_queue + (d_valid && !take) - f_queue_load;
        f_queue_out <= !rst && (f_queue_load || (f_queue_out && !(ans_ready)));
    end

    always @* if (f_past && !rst) begin
        q_room: `NDP_OFFLOAD_DECIDE_CONTRACT (!d_valid || f_answers < DEPTH);
        q_kind: `NDP_OFFLOAD_DECIDE_CONTRACT (!d_valid ||
                    d_off + d_unknown + d_subject + d_none + (d_goes &&
                    !d_subject) == 1);
        q_held: `NDP_OFFLOAD_DECIDE_CONTRACT (!d_valid || !(d_goes && d_probe));
        q_off: `NDP_OFFLOAD_DECIDE_CONTRACT (!(d_valid && (d_off || d_unknown ||
                    d_none)) || !(d_goes || d_probe));
        q_rules: `NDP_OFFLOAD_DECIDE_CONTRACT (!d_valid ||
                    ((d_tx_at | d_rx_at | d_limit_at) & ~(1 << d_stack)) == 0);
    end

`ifdef FORMAL_NDP_OFFLOAD_DECIDE
    // ------------------------------------------------------------------
    // The rules

    reg [3:0] f_reason;

    always @* begin
        f_reason = 0;
        if (d_limit_at[d_stack] && stack_full[d_stack])
            f_reason = 6;
        if (d_rx_at[d_stack] && rx_busy[d_stack])
            f_reason = 5;
        if (d_tx_at[d_stack] && tx_busy[d_stack])
            f_reason = 4;
        if (d_none)
            f_reason = 8;
        if (d_probe)
            f_reason = 7;
        if (d_subject && !d_goes && !d_probe)
            f_reason = 3;
        if (d_unknown)
            f_reason = 2;
        if (d_off)
            f_reason = 1;
    end

    wire f_take = d_valid && f_reason == 7 && probe_idle && d_fits;
    wire f_push = d_valid && !f_take;

    always @* if (f_past && !rst) begin
        p_take: assert (take == f_take);
        p_offload: assert (offload == (d_valid && f_reason == 0));
        p_refuse: assert ({refuse, 1'b0} == (f_push && f_reason != 0
                                             ? 1 << f_reason : 0));
        p_zero: assert (ans_valid || {ans_warp, ans_offload, ans_reason,
                                      ans_stack} == 0);
    end

    // The queue carries what is pushed unaltered and in order: its own proof.
    always @* if (f_past && !rst) begin
        p_word: assert (!f_push || decided == {d_stack, f_reason, f_reason == 0,
                                               d_warp});
        p_stack: assert (ans_stack == (ans_offload ? to_stack : 0));
        p_one_each: assert (f_answers == f_queue + f_queue_out &&
                            ans_valid == f_queue_out);
        p_room: assert (f_answers <= DEPTH);
    end

    always @* if (f_past && !rst) begin
        c_take: cover (take);
        c_full: cover (refuse[6]);
        c_answer: cover (ans_valid && ans_ready && ans_reason == 5);
        c_queued: cover (f_answers == 4);
    end
`endif
