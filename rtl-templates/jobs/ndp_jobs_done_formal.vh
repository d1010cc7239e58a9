//% output("formal/ndp_jobs_done_formal.vh")
${header{title = "what is proved of ndp_jobs_done", text = [[
The core shows what it is asked for, all passes of it (q_seen, q_last), and what is
read stands (q_set).  An acknowledgement has a header, all results, each once and in
whole rows, and a line if the block stores; its last flit alone is marked, and the slot
is free when that has left.]]}}
`ifdef FORMAL_NDP_JOBS_DONE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam PASSES = ${L.PASSES};

    reg              f_over;   // a warp was taken, and its slot is not free
    reg              f_inside; // its packet has begun, and not ended
    reg              f_ended;  // it has
    reg [5:0]        f_seen;
    reg [5:0]        f_pieces;
    reg [2*REGS:0]   f_set;    // registers and a line that must go
    reg [2*REGS:0]   f_sent;   // that have gone
    reg              f_header; // what is read has been shown

    always @(posedge clk) begin
        if (rst) begin
            f_over   <= 1'b0;
            f_inside <= 1'b0;
            f_ended  <= 1'b0;
        end else begin
            f_over <= kept_read || (f_over && !ends);
            if (send)
                f_inside <= !send_ans_last;
            f_ended <= !kept_read && ((send && send_ans_last) || f_ended);
        end
        f_header <= phase == HEAD;
        if (phase == HEAD) begin
            f_set  <= set;
            f_sent <= 0;
        end else if (phase == LINE && send) begin
            f_sent[0] <= 1'b1;
        end else if (phase == ROW && send && f_pieces == ROW_PIECES - 1) begin
            f_sent[number + 1] <= 1'b1;
        end
        if (phase == ASK)
            f_seen <= 0;
        else if (seen_valid)
            f_seen <= f_seen + 1'b1;
        if (phase == WAIT)
            f_pieces <= 0;
        else if (phase == ROW && send)
            f_pieces <= f_pieces + 1'b1;
    end

    wire [2*REGS:0] f_left = {later, stores};

    always @* if (f_past && !rst) begin
        q_seen: assume (!seen_valid || phase == WAIT);
        q_last: assume (!seen_valid || seen_last == (f_seen == PASSES - 1));
        q_set: assume (!(f_header && phase == HEAD) || set == f_set);
    end

    always @* if (f_past && !rst) begin
        p_over: assert (f_over == (phase != IDLE));
        p_inside: assert (f_inside == ((phase == NEXT && f_left != 0) || phase == ASK || phase == WAIT || phase == ROW || phase == LINE));
        p_ended: assert (phase != NEXT || f_ended == (f_left == 0));
        p_free: assert (!ends || (f_ended && f_sent == f_set));
        p_left: assert (phase != NEXT || ((f_left | f_sent) == f_set && (f_left & f_sent) == 0));
        p_one: assert (!(phase == ASK || phase == WAIT || phase == ROW) || ((f_left | f_sent) == (f_set & ~(2 << number)) && (f_left & f_sent) == 0 && f_set[number + 1]));
        p_line: assert (phase != LINE || (f_left == 1 && f_set[0] && f_sent == (f_set & ~1)));
        p_pieces: assert (phase != ROW || (piece == FIRST << f_pieces && f_pieces < ROW_PIECES));
        p_piece: assert (!(phase == ASK || phase == WAIT) || piece == FIRST);
        p_passes: assert (phase != ROW || f_seen == PASSES);
        p_last: assert (!(send && send_ans_last) || (f_left & ~(phase == LINE)) == 0 || phase == HEAD);
        c_none: cover (ends && f_set == 0);
        c_line: cover (ends && f_set == 1);
        c_one: cover (ends && f_set == 2);
    end
`endif
