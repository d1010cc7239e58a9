//% output("formal/ndp_simt_lsu_formal.vh")
${header{title = "what is proved of ndp_simt_lsu", text = [[
Every active lane is done once: any lane is to do from the check until one request, one
word, one pass takes it, and never again.  The request port keeps its rules, a request
needs a free id, and no row is written while a response writes one.]] .. (L.OFFERS == 1 and [[  A word that is offered does nothing else.]] or "") .. [[  That an access
stands still until its end is the contract of its buffer (q_).]]}}
`ifdef FORMAL_NDP_SIMT_LSU
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [LANE_W-1:0] f_l;

    reg          f_was; // the access was there before
    reg [7:0]    f_op;
    reg [LANES-1:0] f_active;
    reg          f_kept;
    reg [ID_W+SADDR_W+SECTOR*9+36-1:0] f_fields;

    wire [ID_W+SADDR_W+SECTOR*9+36-1:0] f_now = {mem_op, mem_id, mem_address,
                                                 mem_strobe, mem_data, mem_compare};

    always @(posedge clk) begin
        f_was    <= full && !end_now && !rst;
        f_op     <= op;
        f_active <= active;
        f_kept   <= mem_valid && !mem_ready && !rst;
        f_fields <= f_now;
    end

//% if L.OFFERS == 1 then
    reg f_offer; // it was an offer

    always @(posedge clk) f_offer <= offer;

//% end
    reg f_fault; // it has happened

    always @(posedge clk) begin
        if (rst)
            f_fault <= 1'b0;
        else
            f_fault <= f_fault || fault;
    end

    wire f_kind = is_global || is_shared || is_cross;

    always @* if (f_past && !rst) begin
        q_kept: assume (!f_was || (full && op == f_op && active == f_active));
//% if L.OFFERS == 1 then
        q_offer: assume (!f_was || offer == f_offer);
//% end
        q_op: assume (!full || ${L.OFFERS == 1 and "offer || " or ""}(f_kind && (!is_atomic || op[3:0] <= 4'd9)));
        q_fault: assume (!f_fault || faulted);
    end

    wire f_does = done_now[f_l];

    always @* if (f_past && !rst) begin
        p_once: assert (!f_does || todo[f_l] || !busy);
        p_active: assert (!busy || !todo[f_l] || active[f_l]);
//% if L.OFFERS == 1 then
        p_all: assert (!(end_now && busy && !offer) || !left[f_l]);
        p_offer: assert (!(full && offer) || !(request || put || fault || note || pick || fetch));
        p_looks: assert (!(busy && offer) || left[f_l] == active[f_l]);
        p_shown: assert (!(end_now && offer) || (busy && settled));
        c_offer: cover (end_now && offer && active == {LANES{1'b1}});
//% else
        p_all: assert (!(end_now && busy) || !left[f_l]);
//% end
        p_busy: assert (!busy || full);
        p_leader: assert (!busy || leader == (todo & (~todo + 1'b1)));
        p_lead: assert (!busy || todo == 0 || leader[lead]);
        p_more: assert (!busy || todo != 0 || second${L.OFFERS == 1 and " || offer" or ""});
        p_second: assert (!second || (busy && is_shared && has_row));
        p_atomic: assert (!(second && is_atomic) || todo != 0);
        p_id: assert (!request || (id_free && busy));
        p_lanes: assert (!request || (request_lanes != 0 && (request_lanes & ~todo) == 0));
        p_alone: assert (!(request && is_atomic) || request_lanes == leader);
        p_row: assert (!(put && row_taken));
        p_kept: assert (!f_kept || (mem_valid && f_now == f_fields));
        p_zero: assert (mem_valid || f_now == 0);
        p_load: assert (!(mem_valid && mem_op == 0) || mem_strobe == 0);
        p_stop: assert (!faulted || !(request || put || end_now || fault));
        c_scattered: cover (request && end_now && mem_valid);
        c_conflict: cover (count_conflict);
        c_still: cover (still && busy);
        c_cross: cover (swap && end_now);
        c_atomic: cover (store && end_now);
        c_fault: cover (fault);
    end
`endif
