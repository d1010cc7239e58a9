//% output("formal/ndp_simt_tickets_formal.vh")
${header{title = "what is proved of ndp_simt_tickets", text = [[
A ticket is used by one access at a time: it is taken only while free, counts exactly
the requests that are without a response, and returns once, when it is issued and none
is left.]] .. (L.OFFERS == 1 and [[  The last one is that of chains' results and never given to an access.]] or "") .. [[  Any ticket, followed through its life.  What engine, responses and release may
name is their contract (q_).]]}}
`ifdef FORMAL_NDP_SIMT_TICKETS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [TICKET_W-1:0] f_t;

//% if L.OFFERS == 1 then
    wire f_port   = f_t == {TICKET_W{1'b1}}; // it is that of chains' results
    wire f_taken  = f_port ? port_take : take && free == f_t && !used[f_t];
//% else
    wire f_taken  = take && free == f_t && !used[f_t];
//% end
    wire f_asked  = request && request_of == f_t;
    wire f_issued = ${L.OFFERS == 1 and "(port_issue && f_port) || (issue && issue_of == f_t)" or "issue && issue_of == f_t"};
    wire f_told   = answer && answer_of == f_t;
    wire f_sent   = ret_taken && ret_ticket == f_t;
    wire f_done   = done && done_of == f_t;

    // the twin: 0 free, 1 used, 2 issued, 3 on its way
    reg [1:0]     f_life;
    reg [OUT_W:0] f_left;
    reg [WARP_W-1:0] f_warp;
    reg [5:0]     f_d;

    always @(posedge clk) begin
        if (rst)
            f_life <= 2'd0;
        else if (f_taken)
            f_life <= 2'd1;
        else if (f_issued)
            f_life <= 2'd2;
        else if (f_sent)
            f_life <= 2'd3;
        else if (f_done)
            f_life <= 2'd0;
        if (f_taken)
            f_left <= 0;
        else
            f_left <= f_left + f_asked - f_told;
        if (f_taken) begin
//% if L.OFFERS == 1 then
            f_warp <= f_port ? port_warp : take_warp;
            f_d    <= f_port ? port_d : take_d;
//% else
            f_warp <= take_warp;
            f_d    <= take_d;
//% end
        end
    end

    always @* if (f_past && !rst) begin
//% if L.OFFERS == 1 then
        q_free: assume (!take || used[TICKETS-2:0] != {(TICKETS-1){1'b1}});
        q_port: assume (!port_take || !used[TICKETS-1]);
//% else
        q_free: assume (!take || used != {TICKETS{1'b1}});
//% end
        q_asked: assume (!f_asked || (f_life == 2'd1 && f_left < ${L.REQUESTS}));
        q_issue: assume (!f_issued || f_life == 2'd1);
        q_told: assume (!f_told || (f_life != 2'd0 && f_left != 0));
        q_taken: assume (!ret_taken || ret_wait);
        q_done: assume (!f_done || f_life == 2'd3);
    end

    always @* if (f_past && !rst) begin
        p_used: assert (used[f_t] == (f_life != 2'd0));
        p_count: assert (f_life == 2'd0 || counts[f_t*OUT_W +: OUT_W] == f_left);
        p_empty: assert (f_life == 2'd0 || empty[f_t] == (f_left == 0));
        p_issued: assert (f_life == 2'd0 || issued[f_t] == f_life[1]);
        p_sent: assert (f_life == 2'd0 || sent[f_t] == (f_life == 2'd3));
        p_most: assert (f_life == 2'd0 || f_left <= ${L.REQUESTS});
        p_return: assert (!(ret_wait && ret_ticket == f_t) ||
                          (f_life == 2'd2 && f_left == 0));
        p_whose: assert (!(ret_wait && ret_ticket == f_t) ||
                         (ret_warp == f_warp && ret_d == f_d));
//% if L.OFFERS == 1 then
        p_port: assert (!take || free != {TICKET_W{1'b1}});
        p_filled: assert (!(f_port && used[TICKETS-1]) || port_issued == f_life[1]);
        p_free: assert (!(used[TICKETS-2:0] != {(TICKETS-1){1'b1}} && free == f_t) || f_life == 2'd0);
        c_port: cover (f_port && f_done);
        c_both: cover (f_port && f_taken && take);
//% else
        p_free: assert (!(used != {TICKETS{1'b1}} && free == f_t) || f_life == 2'd0);
//% end
        p_note: assert (f_life == 2'd0 || (warps[f_t*WARP_W +: WARP_W] == f_warp &&
                                           registers[f_t*6 +: 6] == f_d));
        c_two: cover (f_life == 2'd1 && f_left == 2);
        c_late: cover (f_life == 2'd2 && f_left != 0);
        c_done: cover (f_done);
    end
`endif
