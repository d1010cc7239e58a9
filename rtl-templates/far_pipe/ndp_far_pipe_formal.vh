//% output("formal/ndp_far_pipe_formal.vh")
//% if not SPLIT then
${header{title = "what is proved of ndp_far_pipe", text = [[
With what the surroundings promise (q_*): rows and requests stand until they are
taken, no instruction names a register of which a row is at write or init, one
request at a time.  That the unit is given no row while its lanes write or while it is
left to read, that a warp has one access under way, and that ends are told when there are
some, are the demands of the parts.]]}}
${fragment("ndp_far_pipe_subcore_formal.inc", {macro = "NDP_FAR_PIPE"})}
//% else
//% local shows = { -- port, width of its words, these, its fields, bits of those behind the warp
//%     { "access", "ACCESS_W", "accesses", { "store", "warp", "reg", "mask", "address" }, "REG_W+31*LANES" },
//%     { "ask", "ASK_W", "asks", { "op", "size", "signed", "warp", "reg", "result", "mask", "address", "data", "compare" },
//%         "REG_W+1+LANES+3*ROW_W" },
//% }
//% local function at_port(c)
//%     local list = {}
//%     for i, f in ipairs(c[4]) do list[i] = c[1] .. "_" .. f end
//%     return "{" .. table.concat(list, ", ") .. "}"
//% end
${header{title = "what is proved of ndp_far_pipe", text = [[
With several subcores, which are open: they give anything that ndp_far_pipe_subcore is
proved to keep to (s_*).  Queues and what keeps resolves and faults have demands of
their own, asserted here; that no more faults come than there is room for is one.

Any subcore (f_s): what it gives is shown once, as it is, and nothing else as its own]] .. (HAS_SHARED and [[,
but what shared memory tells.]] or ".")}}
`ifdef FORMAL_NDP_FAR_PIPE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What a subcore keeps to

//% for g = 0, L.SUBCORES - 1 do
    reg                f${g}_held;   // a completion was not taken,
    reg [DONE_W-1:0]   f${g}_done;   // this one
    reg [2:0]          f${g}_faults; // that came since one was
    reg [3:0]          f${g}_since;  // edges since a resolve
    reg                f${g}_due;    // it was asked for a row
//%     if HAS_SHARED then
    reg                f${g}_wants;  // an access to shared memory was not taken
//%     end
//%     for _, c in ipairs(shows) do
    reg                ${pad("f" .. g .. "_" .. c[1] .. "_held;", 16)} // one was not taken,
    reg ${pad("[" .. c[2] .. "-1:0]", 14)} ${pad("f" .. g .. "_" .. c[1] .. ";", 16)} // this one
//%     end

    always @(posedge clk) begin
        f${g}_held <= !rst && dones_valid[${g}] && !dones_ready[${g}];
        f${g}_done <= dones[${g}*DONE_W +: DONE_W];
        if (rst || (dones_valid[${g}] && dones_ready[${g}]))
            f${g}_faults <= 3'd0;
        else
            f${g}_faults <= f${g}_faults + faults_come[${g}];
        if (rst)
            f${g}_since <= 4'd15;
        else
            f${g}_since <= resolves_come[${g}] ? 4'd1 : f${g}_since + (f${g}_since != 4'd15);
        f${g}_due <= !rst && ((read_valid && read_ready && read_warp[INDEX_W-1:0] == ${g}) ||
                          (f${g}_due && !datas_valid[${g}]));
//%     if HAS_SHARED then
        f${g}_wants <= !rst && wants[${g}] && !m_takes[${g}];
//%     end
//%     for _, c in ipairs(shows) do
        f${g}_${c[1]}_held <= !rst && ${c[3]}_valid[${g}] && !${c[3]}_ready[${g}];
        f${g}_${c[1]} <= ${c[3]}[${g}*${c[2]} +: ${c[2]}];
//%     end
    end

    always @* if (f_past && !rst) begin
        s_done_${g}: assume (!f${g}_held || (dones_valid[${g}] && dones[${g}*DONE_W +: DONE_W] == f${g}_done));
        s_faults_${g}: assume (f${g}_faults + faults_come[${g}] <= 3);
        s_resolve_${g}: assume (!resolves_come[${g}] || f${g}_since >= ${L.PASSES + 4});
        s_data_${g}: assume (datas_valid[${g}] ? f${g}_due : datas[${g}*ROW_W +: ROW_W] == 0);
//%     if HAS_SHARED then
        s_wants_${g}: assume (!f${g}_wants || wants[${g}]);
//%     end
//%     for _, c in ipairs(shows) do
        s_${c[1]}_${g}: assume (f${g}_${c[1]}_held ?
            ${c[3]}_valid[${g}] && ${c[3]}[${g}*${c[2]} +: ${c[2]}] == f${g}_${c[1]} :
            ${c[3]}_valid[${g}] || (${c[3]}[${g}*${c[2]} +: ${c[2]}] & ~({INDEX_W{1'b1}} << ${c[5]})) == 0);
//%     end
    end

//% end
    // requests for rows, as the user makes them
    reg f_asked; // for a row, which has not come

    always @(posedge clk)
        f_asked <= !rst && ((read_valid && read_ready) || (f_asked && !data_valid));

    always @* if (f_past && !rst)
        q_read: assume (!(read_valid && f_asked && !data_valid));

    // ------------------------------------------------------------------
    (* anyconst *) reg [INDEX_W-1:0] f_s;

    // completions
    wire [${HAS_SHARED and "TELLERS" or "SUBCORES"}-1:0] f_take = dones_valid & dones_ready;
    reg                 f_any;  // one was taken,
    reg                 f_took; // this subcore's,
    reg [DONE_W-1:0]    f_word; // this one
//% if HAS_SHARED then
    reg                 f_m_took; // that of shared memory,
    reg [DONE_W-1:0]    f_m_word; // this one
//% end
    reg                 f_held; // one was shown and not taken,
    reg [DONE_W-1:0]    f_was;  // this one

    always @(posedge clk) begin
        f_any  <= !rst && f_take != 0;
        f_took <= !rst && f_take[f_s];
        f_word <= dones[f_s*DONE_W +: DONE_W];
//% if HAS_SHARED then
        f_m_took <= !rst && f_take[SUBCORES];
        f_m_word <= dones[SUBCORES*DONE_W +: DONE_W];
//% end
        f_held <= !rst && done_valid && !done_ready;
        f_was  <= {done_warp, done_tag, done_ticket};
    end

    // resolves: what came last, and whether it is still to be shown
    wire                 f_r_shown = resolve_valid && resolve_warp[INDEX_W-1:0] == f_s;
    reg                  f_r_due;
    reg [RESOLVE_W-1:0]  f_r_word;
    reg [3:0]            f_r_waits; // edges that it was not

    always @(posedge clk) begin
        f_r_due   <= !rst && (resolves_come[f_s] || (f_r_due && !f_r_shown));
        f_r_waits <= resolves_come[f_s] ? 0 : f_r_waits + 1'b1;
        if (resolves_come[f_s])
            f_r_word <= resolves_first[f_s*RESOLVE_W +: RESOLVE_W];
    end

    // faults: how many are still to be shown; their order is proved of ndp_far_pipe_keep
    wire               f_f_shown = fault_valid && fault_warp[INDEX_W-1:0] == f_s;
    reg [2:0]          f_f_due;
    reg                f_f_went; // the first one was chosen,
    reg [FAULT_W-1:0]  f_f_word; // this one

    always @(posedge clk) begin
        f_f_due  <= rst ? 0 : f_f_due + faults_come[f_s] - f_f_shown;
        f_f_went <= !rst && faults_chosen[f_s];
        f_f_word <= faults_first[f_s*FAULT_W +: FAULT_W];
    end

    wire [2:0] f_kept = f_f_due - f_f_shown;

    // accesses
//% for _, c in ipairs(shows) do
    reg                f_${c[1]}_held; // one was shown and not taken,
    reg [${c[2]}-1:0] f_${c[1]}_was;  // this one
    wire               f_${c[1]}_own = ${c[1]}_valid && ${c[1]}_warp[INDEX_W-1:0] == f_s;
    wire               f_${c[1]}_take = ${c[3]}_valid[f_s] && ${c[3]}_ready[f_s];
//% end

    always @(posedge clk) begin
//% for _, c in ipairs(shows) do
        f_${c[1]}_held <= !rst && ${c[1]}_valid && !${c[1]}_ready;
        f_${c[1]}_was  <= ${at_port(c)};
//% end
    end

    always @* if (f_past && !rst) begin
        p_one: assert ((f_take & (f_take - 1'b1)) == 0 && (dones_ready & ~dones_valid) == 0);
        p_done: assert (!f_took || {done_valid, done_warp, done_tag, done_ticket} == {1'b1, f_word});
        p_whose: assert (!(f_any && done_warp[INDEX_W-1:0] == f_s) || f_took${HAS_SHARED and " || f_m_took" or ""});
//% if HAS_SHARED then
        p_m_done: assert (!f_m_took || {done_valid, done_warp, done_tag, done_ticket} == {1'b1, f_m_word});
        p_m_one: assert (!(f_m_took && f_took));
        p_m_takes: assert ((m_takes & ~wants) == 0 && (m_puts & busy) == 0);
//% end
        p_shown: assert (done_valid == (f_any || f_held));
        p_held: assert (!f_held || {done_valid, done_warp, done_tag, done_ticket} == {1'b1, f_was});
        p_done_zero: assert (done_valid || {done_warp, done_tag, done_ticket} == 0);
        p_after_fault: assert (!f_take[f_s] || (!faults_come[f_s] && f_kept == 0));

        p_resolve: assert (!f_r_shown || (f_r_due && {resolve_warp, resolve_tag, resolve_lanes} == f_r_word));
        p_resolve_one: assert (!(resolves_come[f_s] && f_r_due && !f_r_shown));
        p_resolve_soon: assert (!f_r_due || f_r_waits < ${L.SUBCORES});
        p_resolve_first: assert (!f_take[f_s] || (!resolves_come[f_s] && (!f_r_due || f_r_shown)));
        p_resolve_zero: assert (resolve_valid || {resolve_warp, resolve_tag, resolve_lanes} == 0);

        p_fault: assert (f_f_shown == f_f_went &&
                         (!f_f_went || {fault_cause, fault_warp, fault_tag, fault_address} == f_f_word));
        p_fault_due: assert (!f_f_shown || f_f_due != 0);
        p_fault_room: assert (f_kept < SUBCORE_FAULTS);
        p_fault_left: assert (f_kept == 0 || faults[f_s]);
        p_fault_zero: assert (fault_valid || {fault_cause, fault_warp, fault_tag, fault_address} == 0);

//% for _, c in ipairs(shows) do
        p_${c[1]}: assert (!f_${c[1]}_own || (${c[3]}_valid[f_s] && ${at_port(c)} == ${c[3]}[f_s*${c[2]} +: ${c[2]}]));
        p_${c[1]}_take: assert (f_${c[1]}_take == (f_${c[1]}_own && ${c[1]}_ready));
        p_${c[1]}_held: assert (!f_${c[1]}_held || (${c[1]}_valid && ${at_port(c)} == f_${c[1]}_was));
        p_${c[1]}_zero: assert (${c[1]}_valid || ${at_port(c)} == 0);
//% end

        p_data: assert (!datas_valid[f_s] || (data_valid && data_row == datas[f_s*ROW_W +: ROW_W]));
        p_data_zero: assert (data_valid || data_row == 0);
        p_room: assert (!exec_ready || !full[f_s]);

        c_done: cover (f_take[f_s] && done_valid && f_s == 1);
        c_faults: cover (f_kept == ${L.SUBCORES > 2 and 3 or 2} && faults_come == 0);
        c_resolves: cover (f_r_due && f_r_waits == ${L.SUBCORES - 1});
        c_access: cover (f_access_held && accesses_valid[f_s] && !f_access_own);
        c_ask: cover (f_ask_own && ask_ready && f_s == 1);
        c_data: cover (datas_valid[f_s] && f_s == 1);
        c_full: cover (full[f_s]);
//% if HAS_SHARED then
        c_m_done: cover (f_m_took && f_take[f_s]);
//% end
    end
`endif
//% end
