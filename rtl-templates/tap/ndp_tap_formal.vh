//% output("formal/ndp_tap_formal.vh")
//% local OFFLOAD = record.answer.offload.lsb
${header{title = "what is proved of ndp_tap", text = [[
From end to end: any answer comes out unaltered and in its turn among the answers;
any event of the core among those of the core; any begin among the begins.  The
core's events are told from begins by their op (q_op).

Between the queues (F_BETWEEN), whatever they hold: a word leaves one only for a
place in the next, a begin enters together with its answer, and neither source
goes twice while the other waits.]]}}
`ifdef FORMAL_NDP_TAP

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_op: assume (!core_valid || core_op != BEGINS);
    end

`ifndef F_BETWEEN
    wire f_ans   = ans_valid && ans_ready;
    wire f_begin = f_ans && !ans_offload;
    wire f_core  = core_valid && core_ready;
    wire f_go    = go_valid && go_ready;
    wire f_ev    = ev_valid && ev_ready;
    wire f_ev_b  = f_ev && ev_op == BEGINS;
    wire f_ev_c  = f_ev && ev_op != BEGINS;
//% for _, t in ipairs {
//%     { "a", "answers", "f_ans", "f_go", "{ans_stack, ans_reason, ans_offload, ans_warp}",
//%       "go_valid", "{go_stack, go_reason, go_offload, go_warp}", "ANS_W" },
//%     { "c", "events of the core", "f_core", "f_ev_c", "{core_address, core_warp, core_op}",
//%       "ev_valid && ev_op != BEGINS", "{ev_address, ev_warp, ev_op}", "EVENT_W" },
//%     { "b", "begins", "f_begin", "f_ev_b", "{{ADDR_W{1'b0}}, ans_warp, BEGINS}",
//%       "ev_valid && ev_op == BEGINS", "{ev_address, ev_warp, ev_op}", "EVENT_W" } } do
//%     local k, what, come, gone, word, shown, out, w = table.unpack(t)

    // ------------------------------------------------------------------
    // A token among the ${what}; of them there are f_${k}_words.

    (* anyseq *) reg f_${k}_pick;

    reg              f_${k}_have;
    reg [${w}-1:0]   f_${k}_token;
    reg [3:0]        f_${k}_ahead;
    reg [3:0]        f_${k}_words;

    always @(posedge clk) begin
        if (rst) begin
            f_${k}_have  <= 1'b0;
            f_${k}_words <= 4'd0;
        end else begin
            f_${k}_words <= f_${k}_words + ${come} - ${gone};
            if (f_${k}_have) begin
                f_${k}_ahead <= f_${k}_ahead - ${gone};
                f_${k}_have  <= !(${gone} && f_${k}_ahead == 0);
            end else if (${come} && f_${k}_pick) begin
                f_${k}_have  <= 1'b1;
                f_${k}_token <= ${word};
                f_${k}_ahead <= f_${k}_words - ${gone};
            end
        end
    end

    always @* if (f_past) begin
        p_${k}_room: assert (f_${k}_words <= 6);
        if (f_${k}_have) begin
            p_${k}_same: assert (!(f_${k}_ahead == 0 && ${shown}) ||
                           ${out} == f_${k}_token);
        end
    end
//% end

    always @* if (f_past && !rst) begin
        p_zero: assert ((go_valid || {go_warp, go_offload, go_reason, go_stack} == 0) &&
                        (ev_valid || {ev_op, ev_warp, ev_address} == 0));
        c_begin: cover (f_b_have && f_ev_b && f_b_ahead == 0);
        c_core: cover (f_c_have && f_ev_c && f_c_ahead == 0);
        c_answer: cover (f_a_have && f_go && f_a_ahead == 0 && go_offload);
    end
`else

    // ------------------------------------------------------------------
    // Between the queues

    wire f_begin_waits = a_valid && !a_word[${OFFLOAD}];

    always @* if (f_past && !rst) begin
        p_room_go: assert (!take_a || (a_valid && go_room));
        p_room_ev: assert (!(begins || take_c) || ev_room);
        p_valid: assert (!take_c || c_valid);
        p_begin: assert (begins == (take_a && f_begin_waits));
        p_one: assert (!(begins && take_c));
        p_turn_c: assert (!(begins && c_valid && last_a));
        p_turn_a: assert (!(take_c && f_begin_waits && go_room && !last_a));
        p_goes: assert (take_a || !(a_valid && go_room) || take_c || !ev_room);
        c_turn_c: cover (take_c && f_begin_waits && go_room && last_a);
        c_turn_a: cover (begins && c_valid);
        c_pass: cover (take_a && !begins && take_c);
    end
`endif
`endif
