//% output("formal/ndp_oqueue_build_formal.vh")
${header{title = "what is proved of ndp_oqueue_build", text = [[
Each op gets exactly one answer; a chain that took an entry hands it back or lets it
wait, exactly one of them; the packet goes only to a node that was found and is able;
loads that go singly are the first recorded one and, if there are two, the second,
once each; phases are those of the note.]]}}
`ifdef FORMAL_NDP_OQUEUE_BUILD
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // an answer to each lookup, and to nothing else
    reg f_asked;

    always @(posedge clk) begin
        if (rst || met_valid)
            f_asked <= 1'b0;
        else if (meet_valid)
            f_asked <= 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_met: assume (!met_valid || f_asked || meet_valid);
    end

    reg f_op;    // an op was taken and is not answered
    reg f_has;   // an entry is taken
    reg f_able;  // the node was found and the mode allowed it
    reg f_first; // loads that have gone of this chain: the first,
    reg f_both;  // and the second
    reg f_leave; // the loads go
    reg f_away;  // its store is at another memory than its first load

    wire f_gone = load_valid && load_ready;

    always @(posedge clk) begin
        if (begun)
            f_away <= 1'b0;
        else if (add && is_store)
            f_away <= op_mem != meet_0;
    end

    always @(posedge clk) begin
        if (rst) begin
            f_op    <= 1'b0;
            f_has   <= 1'b0;
            f_leave <= 1'b0;
        end else begin
            f_op    <= op || (f_op && !said_valid);
            f_has   <= |free_take || (f_has && !(|free_back) && !waits);
            f_leave <= |free_back || (f_leave && phase == LOADS);
        end
        if (|free_take || rst) begin
            f_able  <= 1'b0;
            f_first <= 1'b0;
            f_both  <= 1'b0;
        end else begin
            if (met_valid && f_has)
                f_able <= met_found && (mode == 2 || (mode == 1 && meet_0 == meet_1) ||
                                        (mode == 3 && meet_0 == meet_1 && !f_away));
            if (f_gone) begin
                f_first <= 1'b1;
                f_both  <= f_first;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_phase: assert (phase <= LOADS);
        p_open: assert (f_op == (said_valid || phase == CHECK || phase == ASK || phase == PACK));
        p_once: assert (!(op && f_op && !said_valid));
        p_has: assert (f_has == (phase != IDLE && phase != LOADS));
        p_either: assert (!(|free_back && waits) && (f_has || (free_back == 0 && !waits)));
        p_able: assert (!(phase == PACK) || f_able);
        p_loads: assert (!load_valid || (phase == LOADS && load_second == f_first &&
                         (!load_second || two)));
        p_order: assert (phase != LOADS || goes_a == (!load_valid && !f_first));
        p_second: assert (phase != LOADS || goes_b == (two && !(load_valid && second) && !f_both));
        p_all: assert (!gone || (f_first && (f_both || !two)) ||
                       (load_valid && (second || !two)));
        p_asks: assert ((phase == ASK) == (meet_valid || f_asked));
        c_packet: cover (waits && two);
        c_singles: cover (gone && two);
        c_hit: cover (count_hits && phase == BUILDING);
    end
`endif
