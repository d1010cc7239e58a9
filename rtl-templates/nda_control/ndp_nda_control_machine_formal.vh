//% output("formal/ndp_nda_control_machine_formal.vh")
//% local two = L.OWN_BANKS == 2
//% local names = {"alone", "held", "row", "waits", "drains", "column", "rcd", "rp", "write", "read",
//%                "window", "pace", "result", "since", "fresh"}
//% if two then names[#names + 1] = "ahead" end
//% for b = 0, L.OWN_BANKS - 1 do names[#names + 1] = "shape_" .. b end
//% local function of(name, at) return two and "(" .. at .. " ? " .. name .. "_1 : " .. name .. "_0)" or name .. "_0" end
${header{title = "what is proved of ndp_nda_control_machine", text = [[
No command on an edge of the host's, and none that is held back; column commands go to
the open row; a row ahead never closes the one that a burst waits for; the write buffer
holds what it can and drains while there is something in it; own commands keep their
distance from those to their banks and rank, the host's included, as counters say that
only count up; own reads, and writes behind them, leave the processing element its time.]]}}
`ifdef FORMAL_NDP_NDA_CONTROL_MACHINE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The edge before, and edges since commands, this one not counted

    reg f_host, f_held, f_reads, f_writes;
    reg [1:0] f_rows_held;

    always @(posedge clk) begin
        f_host      <= cmd_valid;
        f_held      <= held_all;
        f_reads     <= held_reads;
        f_writes    <= held_writes;
        f_rows_held <= held_rows;
    end

//% for b = 0, L.OWN_BANKS - 1 do
    reg             f_open_${b};
    reg [ROW_W-1:0] f_row_${b};

    wire f_own_${b} = ${two and (b == 1 and "own_at" or "!own_at") or "1'b1"};
    wire f_act_${b} = (own_act && f_own_${b}) || (act && in_bank_${b});
    wire f_pre_${b} = (own_pre && f_own_${b}) || (pre && in_bank_${b}) || prea;

    always @(posedge clk) begin
        if (rst || f_pre_${b} || refs)
            f_open_${b} <= 1'b0;
        else if (f_act_${b})
            f_open_${b} <= 1'b1;
        if (f_act_${b})
            f_row_${b} <= own_act ? own_row_next : cmd_row;
    end

//% end
//% local counted, event = {"wr", "rd", "own"}, {wr = "own_wr || wr", rd = "own_rd || rd", own = "own_rd"}
//% for b = 0, L.OWN_BANKS - 1 do
//%     for _, k in ipairs{"act_" .. b, "pre_" .. b} do counted[#counted + 1] = k; event[k] = "f_" .. k end
//% end
//% for _, c in ipairs(counted) do
    reg [7:0] f_since_${c};
//% end

    always @(posedge clk) begin
//% for _, c in ipairs(counted) do
        if (rst)
            f_since_${c} <= 8'hff;
        else if (${event[c]})
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
    wire is_held   = !own_valid || (own_kind == WR ? !f_writes : own_kind == RD ? !f_reads :
                                    !f_rows_held[own_bank == LAST_BANK ? 0 : 1]);
    wire is_row    = ${(function() local t = {} for b = 0, L.OWN_BANKS - 1 do t[#t + 1] = "open_" .. b .. " == f_open_" .. b .. " && (!open_" .. b .. " || row_" .. b .. " == f_row_" .. b .. ")" end return joined(t, " &&", 21) end)()};
    wire is_waits  = waits <= FULL;
    wire is_drains = drains ? waits != {HELD_W{1'b0}} : waits != FULL;
    wire is_column = !(own_rd || own_wr) || (${of("f_open", "at")} && ${of("f_row", "at")} == row);
    wire is_rcd    = !(own_rd || own_wr) || ${of("f_since_act", "at")} >= 8'd${L.RCD};
    wire is_rp     = !own_act || (${of("f_since_pre", "own_at")} >= 8'd${L.RP} && ${of("f_since_act", "own_at")} >= 8'd${L.RC});
    wire is_write  = !own_wr || f_since_rd >= 8'd${L.CL + L.BL + L.TURN - L.CWL};
    wire is_read   = !own_rd || f_since_wr >= 8'd${L.CWL + L.BL + L.WTRS};
    wire is_window = !own_act || f_rows < 4'd4;
    wire is_pace   = !own_rd || f_since_own >= 8'd${L.PACE};
    wire is_result = !own_wr || f_since_own >= 8'd${L.RESULT};
    wire is_since  = f_since_own >= 8'd${SINCE} ? since == ENOUGH : {${8 - SINCE_W}'d0, since} == f_since_own;
    wire is_fresh  = !fresh || !(own_act || own_pre || own_rd || own_wr);
//% if two then
    wire is_ahead  = !own_pre || own_at != at || !hit;
//% end

    // what these need: each timer runs as long as its counter says
//% for b = 0, L.OWN_BANKS - 1 do
//%     local function covers(count, edges, timer)
//%         local w = timer_width(timers[timer])
//%         return "(f_since_" .. count .. " >= 8'd" .. edges .. " || 8'd" .. edges .. " - f_since_" .. count .. " <= {" .. 8 - w .. "'d0, to_" .. timer .. "_" .. b .. "})"
//%     end
    wire is_shape_${b} = ${covers("act_" .. b, L.RCD, "rd")} &&
                      ${covers("act_" .. b, L.RCD, "wr")} &&
                      ${covers("act_" .. b, L.RC, "act")} &&
                      ${covers("pre_" .. b, L.RP, "act")} &&
                      ${covers("rd", L.CL + L.BL + L.TURN - L.CWL, "wr")} &&
                      ${covers("wr", L.CWL + L.BL + L.WTRS, "rd")} &&
                      f_since_own != 8'd0 && f_since_act_${b} != 8'd0 && f_since_pre_${b} != 8'd0 &&
                      f_since_rd != 8'd0 && f_since_wr != 8'd0;
//% end

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
//% if two then
        c_ahead: cover (opens2 && column == 1'b0 && hit);
//% end
    end
`endif
