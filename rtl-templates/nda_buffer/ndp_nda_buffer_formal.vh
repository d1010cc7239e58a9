//% output("formal/ndp_nda_buffer_formal.vh")
${header{title = "what is proved of ndp_nda_buffer", text = [[
When an end stands no word is under way or ahead, no write due, and machine and element
have got the packet.  Words go out only if they were asked for; a write without a result
is masked, no other.  What machine, memory and element keep is assumed (q_).]]}}
`ifdef FORMAL_NDP_NDA_BUFFER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What machine, memory and element keep

    always @* if (f_past && !rst) begin
        q_data: assume (!data_valid || under_way != 8'd0);
        q_reads: assume (under_way != 8'hff || !reads);
        q_asks: assume (asked != 7'h7f || !asks);
        q_machine: assume ((runs && !planned && !plan_valid) || !(reads || writes));
        q_shown: assume (!shown || words != 7'd0);
        q_place: assume (!place || words != 7'h7f);
    end

    reg f_asked; // a word was asked for before
    reg f_fires;
    reg f_some;

    always @(posedge clk) begin
        f_asked <= asked != 7'd0 && !through;
        f_fires <= fires && !rst;
        f_some  <= some;
    end

    always @* if (f_past && !rst) begin
        p_end: assert (!ended_valid || empty);
        p_asked: assert (!rsp_valid || f_asked);
        p_mask: assert (store_valid == f_fires && store_mask == (f_fires && !f_some));
        p_both: assert (!ended_valid || (!plan_valid && !work_valid));

        c_store: cover (store_valid && !store_mask);
        c_masked: cover (store_mask);
        c_end: cover (ended_valid && ended_cause == BOUND);
    end
`endif
