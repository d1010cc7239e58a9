//% output("formal/ndp_prefetch_flight_formal.vh")
${header{title = "what is proved of ndp_prefetch_flight", text = [[
No line is in flight twice.  Every address that is looked for has exactly one of
four fates, and is issued only into a free place and only with room in the
queue.  A line that is over is in flight no more.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_FLIGHT
    // ------------------------------------------------------------------
    // Any line: how many places hold it

    (* anyconst *) reg [LINE_W-1:0] f_line;

    reg [FLIGHT-1:0] f_holds;
    integer          f_i;

    always @* begin
        for (f_i = 0; f_i < FLIGHT; f_i = f_i + 1)
            f_holds[f_i] = taken[f_i] &&
                           lines[f_i*LINE_W +: LINE_W] == f_line;
    end

    wire f_judged = judge && line == f_line;

    always @* if (f_past) begin
        p_once: assert ((f_holds & (f_holds - 1'b1)) == 0);
        p_seen: assert (!(f_judged && !met && f_holds != 0));
    end

    // ------------------------------------------------------------------
    // Fates

    reg [ADDR_W-1:0] f_target;
    reg              f_looked;
    reg              f_own; // the target was of the demand's own line

    always @(posedge clk) begin
        f_looked <= !rst && target_valid;
        f_target <= target;
        f_own    <= target[ADDR_W-1:${L.BYTE_W}] == own_line;
    end

    always @* if (f_past && !rst) begin
        p_fate: assert (duplicate + full + no_room + issued == f_looked);
        p_address: assert (!issued || address == f_target);
        p_own: assert (!(issued && f_own));
        p_push: assert (!issued || can_push);
        p_place: assert (!issued || (place != 0 && (place & taken) == 0 &&
                                     (place & (place - 1'b1)) == 0));
        p_duplicate: assert (!(f_looked && f_holds != 0 && line == f_line) ||
                             duplicate);
    end

    reg f_over;
    reg f_new;

    always @(posedge clk) begin
        f_over <= !rst && fill_valid && fill_line == f_line;
        f_new  <= !rst && issued && line == f_line;
    end

    always @* if (f_past) begin
        p_over: assert (!f_over || f_new || f_holds == 0);
        p_new: assert (!f_new || f_holds != 0);
    end

    always @* if (f_past && !rst) begin
        c_full: cover (full);
        c_next: cover (duplicate && f_new && f_judged && !f_own);
        c_over: cover (f_over && f_new);
    end
`endif
