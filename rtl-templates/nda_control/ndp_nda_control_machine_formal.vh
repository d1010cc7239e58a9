//% output("formal/ndp_nda_control_machine_formal.vh")
//% local names = {"alone", "held", "row", "waits", "drains", "column", "rcd", "rp", "write", "read",
//%                "window", "pace", "result", "shape"}
${header{title = "what is proved of ndp_nda_control_machine", text = [[
No command on an edge of the host's, and none that is held back; column commands go to
the open row; the write buffer holds what it can and drains while there is something in
it; own commands keep their distance from those to their bank and rank, the host's
included, as counters say that only count up; own reads, and writes behind them, leave
the processing element its time.]]}}
`ifdef FORMAL_NDP_NDA_CONTROL_MACHINE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The edge before, and edges since commands, this one not counted

    reg             f_host;
    reg             f_held;
    reg             f_writes;
    reg             f_open;
    reg [ROW_W-1:0] f_row;

    wire f_act = own_act || (act && in_bank);
    wire f_pre = own_pre || (pre && in_bank) || prea;

    always @(posedge clk) begin
        f_host   <= cmd_valid;
        f_held   <= held_all;
        f_writes <= held_writes;
        if (rst || f_pre || refs)
            f_open <= 1'b0;
        else if (f_act)
            f_open <= 1'b1;
        if (f_act)
            f_row <= own_act ? spot[SPOT_W-1:COL_W] : cmd_row;
    end

//% local counted = {"act", "pre", "wr", "rd", "own"}
//% local of = {act = "f_act", pre = "f_pre", wr = "own_wr || wr", rd = "own_rd || rd", own = "own_rd"}
//% for _, c in ipairs(counted) do
    reg [7:0] f_since_${c};
//% end

    always @(posedge clk) begin
//% for _, c in ipairs(counted) do
        if (rst)
            f_since_${c} <= 8'hff;
        else if (${of[c]})
            f_since_${c} <= 8'd1;
        else if (f_since_${c} != 8'hff)
            f_since_${c} <= f_since_${c} + 8'd1;
//% end
    end

    // rows of the rank that were opened on the ${window - 1} edges before
    reg [${window - 2}:0] f_opened;

    always @(posedge clk)
        f_opened <= rst ? ${window - 1}'d0 : {f_opened[${window - 3}:0], own_act || act};

    wire [3:0] f_rows = ${(function() local t = {} for i = 0, window - 2 do t[#t + 1] = "{3'd0, f_opened[" .. i .. "]}" end return joined(t, " +", 22) end)()};

    // ------------------------------------------------------------------
    // What holds on each edge.  The one is shown with the other: all of it may be
    // assumed of the edges before, since what fails first would fail then.

    wire is_alone  = !own_valid || (!f_host && !f_held);
    wire is_held   = !own_valid || own_kind != WR || !f_writes;
    wire is_row    = open == f_open && (!open || row == f_row);
    wire is_waits  = waits <= FULL;
    wire is_drains = drains ? waits != {HELD_W{1'b0}} : waits != FULL;
    wire is_column = !(own_rd || own_wr) || (f_open && f_row == spot[SPOT_W-1:COL_W]);
    wire is_rcd    = !(own_rd || own_wr) || f_since_act >= 8'd${L.RCD};
    wire is_rp     = !own_act || (f_since_pre >= 8'd${L.RP} && f_since_act >= 8'd${L.RC});
    wire is_write  = !own_wr || f_since_rd >= 8'd${L.CL + L.BL + L.TURN - L.CWL};
    wire is_read   = !own_rd || f_since_wr >= 8'd${L.CWL + L.BL + L.WTRS};
    wire is_window = !own_act || f_rows < 4'd4;
    wire is_pace   = !own_rd || f_since_own >= 8'd${L.PACE};
    wire is_result = !own_wr || f_since_own >= 8'd${L.RESULT};

    // what these need: each timer runs as long as its counter says
    wire is_shape  = (f_since_act >= 8'd${L.RCD} || (8'd${L.RCD} - f_since_act <= {${8 - timer_width(timers.rd)}'d0, to_rd} &&
                                           8'd${L.RCD} - f_since_act <= {${8 - timer_width(timers.wr)}'d0, to_wr})) &&
                     (f_since_act >= 8'd${L.RC} || 8'd${L.RC} - f_since_act <= {${8 - timer_width(timers.act)}'d0, to_act}) &&
                     (f_since_pre >= 8'd${L.RP} || 8'd${L.RP} - f_since_pre <= {${8 - timer_width(timers.act)}'d0, to_act}) &&
                     (f_since_rd >= 8'd${L.CL + L.BL + L.TURN - L.CWL} ||
                      8'd${L.CL + L.BL + L.TURN - L.CWL} - f_since_rd <= {${8 - timer_width(timers.wr)}'d0, to_wr}) &&
                     (f_since_wr >= 8'd${L.CWL + L.BL + L.WTRS} ||
                      8'd${L.CWL + L.BL + L.WTRS} - f_since_wr <= {${8 - timer_width(timers.rd)}'d0, to_rd}) &&
                     (f_since_own >= 8'd${L.PACE} || 8'd${L.PACE} - f_since_own <= {${8 - timer_width(timers.rd)}'d0, to_rd}) &&
                     (f_since_own >= 8'd${L.RESULT} ||
                      8'd${L.RESULT} - f_since_own <= {${8 - timer_width(timers.wr)}'d0, to_wr}) &&
                     f_since_own != 8'd0 && f_since_act != 8'd0 && f_since_pre != 8'd0 && f_since_rd != 8'd0 &&
                     f_since_wr != 8'd0;

    reg f_so_far = 1'b1; // all of it held on every edge before

    always @(posedge clk)
        f_so_far <= f_so_far && (!f_past || rst || (
//% for i, name in ipairs(names) do
            is_${name}${i < #names and " &&" or "));"}
//% end

    always @* if (f_past && !rst) begin
        q_so_far: assume (f_so_far);
//% for _, name in ipairs(names) do
        p_${name}: assert (is_${name});
//% end

        c_write: cover (own_wr && put != {SPOT_W{1'b0}});
        c_closes: cover (own_pre);
        c_done: cover (done && put != {SPOT_W{1'b0}});
    end
`endif
