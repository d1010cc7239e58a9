//% output("formal/ndp_simt_issue_formal.vh")
${header{title = "what is proved of ndp_simt_issue", text = [[
An instruction stays in D for all its passes, in their order; what leaves F is accepted,
dropped or a fault, one of the three; a ticket or a buffer is taken only when there is
one.]] .. (L.OFFERS == 1 and [[  The last ticket is not for them, and a word that is offered needs none and is
only an access.]] or "")}}
`ifdef FORMAL_NDP_SIMT_ISSUE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire f_word = f_leaves && f_kind == INSTRUCTION;

    reg             f_more; // D held a pass that was not the last
    reg [PASS_WF-1:0] f_pass;
    reg [63:0]      f_code_d;

    localparam PASS_WF = ${L.PASS_W};

    always @(posedge clk) begin
        f_more   <= d_valid && !d_last && !rst && !hold;
        f_pass   <= d_pass;
        f_code_d <= d_code;
    end

//% if L.OFFERS == 1 then
    wire [TICKETS-1:0] f_last = {1'b1, {(TICKETS-1){1'b0}}}; // the last ticket alone

//% end
    always @* if (f_past && !rst) begin
        q_hold: assume (!hold);
//% if L.MOVES == 1 then
        q_offer: assume (!(unsettled || unready) || offer);
//% end
    end

    always @* if (f_past && !rst) begin
        p_one: assert (!f_word || {1'b0, accept} + {1'b0, drop} + {1'b0, fault}${L.MOVES == 1 and " + {1'b0, settle}" or ""} == 2'd1);
        p_others: assert (!(f_leaves && f_kind != INSTRUCTION) || accept);
        p_kept: assert (!f_more || (d_valid && d_pass == f_pass + 1'b1 && d_code == f_code_d));
//% if L.OFFERS == 1 then
        p_ticket: assert (!take_ticket || used[TICKETS-2:0] != {(TICKETS-1){1'b1}});
        p_word: assert (!(f_word && offer) || (!take_ticket && take_buffer == accept));
//% if L.BUILDS == 1 then
        p_shut: assert (!(f_word && offer && shut) || !accept);
//% else
        p_settle: assert (!(f_word && unsettled && !fault) || settle);
        p_unready: assert (!(f_word && unready) || !accept);
        c_settle: cover (settle);
//% end
        p_offer: assert (!(d_valid && d_offer) || (d_access && !d_control && d_result == 0 &&
                                                   d_kind == INSTRUCTION));
        p_pred: assert (!(port_pred && used == f_last) || !pending);
//% if L.BUILDS == 1 then
        c_shut: cover (drop && offer && shut && !pending);
//% end
        c_pred: cover (d_valid && d_kind == RETURN && d_result == 2'd2);
//% else
        p_ticket: assert (!take_ticket || used != {TICKETS{1'b1}});
//% end
        p_buffer: assert (!take_buffer || free_buffer);
        p_leaves: assert (!f_leaves || !d_valid || d_last);
        c_drop: cover (drop && !pending);
        c_pending: cover (drop && pending);
        c_fault: cover (fault);
        c_last: cover (d_valid && d_last && accept);
    end
`endif
