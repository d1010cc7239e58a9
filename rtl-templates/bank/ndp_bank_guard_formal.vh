//% output("formal/ndp_bank_guard_formal.vh")
//% local scopes = {bank = "at[f_buffer]", group = "1'b1", rank = "1'b1"}
//% local whole = {prea = true, ref = true}
//% local function any(list, here)
//%     local terms = {}
//%     for i, k in ipairs(list) do
//%         terms[i] = "do_" .. k .. ((here and not whole[k]) and " && at[f_buffer]" or "")
//%     end
//%     return "(" .. table.concat(terms, ") || (") .. ")"
//% end
${header{title = "what is proved of ndp_bank_guard", text = [[
For each timing rule and any row buffer: a command that the rule names comes no sooner
after the last one that it counts from than the rule says.  Edges are counted up from
that command; the guard's timers are not asked.  The demands (q_*), that a command comes
only when the guard lets it and its row buffer's state fits, are assumed when the guard
is proved alone and asserted of the guard inside the bank.]]}}
`ifdef FORMAL_NDP_BANK_GUARD
`define NDP_BANK_GUARD_CONTRACT assume
`else
`define NDP_BANK_GUARD_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_one: `NDP_BANK_GUARD_CONTRACT (do_act + do_pre + do_prea + do_rd + do_wr + do_ref <= 1);
        q_act: `NDP_BANK_GUARD_CONTRACT (!do_act || (can_act[do_buffer] && !open[do_buffer]));
        q_pre: `NDP_BANK_GUARD_CONTRACT (!do_pre || (can_pre[do_buffer] && open[do_buffer]));
        q_rd: `NDP_BANK_GUARD_CONTRACT (!do_rd || (can_rd[do_buffer] && open[do_buffer]));
        q_wr: `NDP_BANK_GUARD_CONTRACT (!do_wr || (can_wr[do_buffer] && open[do_buffer]));
        q_prea: `NDP_BANK_GUARD_CONTRACT (!do_prea || (can_prea && open != 0));
        q_ref: `NDP_BANK_GUARD_CONTRACT (!do_ref || (can_ref && open == 0));
    end

`ifdef FORMAL_NDP_BANK_GUARD
    (* anyconst *) wire ${pad(range(L.BUFFER_W), 6)} f_buffer;

    // ------------------------------------------------------------------
    // Edges since the last command of each rule, at most what it asks for

//% for _, r in ipairs(every_rule) do
//%     if r.count == 1 and scopes[r.scope] then
//%         local W = clog2(r.cycles + 1)
//%         local here = r.scope == "bank"
    reg [${W - 1}:0] f_${r.name};

    always @(posedge clk) begin
        if (rst)
            f_${r.name} <= ${r.cycles};
        else if (${any(r.from, here)})
            f_${r.name} <= 1;
        else
            f_${r.name} <= f_${r.name} + (f_${r.name} != ${r.cycles});
    end

    always @* if (f_past && !rst) begin
        p_${r.name}: assert (!(${any(r.to, here)}) || f_${r.name} == ${r.cycles});
    end

//%     end
//% end
    // ------------------------------------------------------------------
    // Rows opened within the window

    reg [${window.cycles - 2}:0] f_acts;
    reg [${clog2(window.cycles) }:0] f_opened;

    always @(posedge clk) begin
        if (rst)
            f_acts <= 0;
        else
            f_acts <= {f_acts, do_act};
    end

    integer f_i;

    always @* begin
        f_opened = 0;
        for (f_i = 0; f_i < ${window.cycles - 1}; f_i = f_i + 1)
            f_opened = f_opened + f_acts[f_i];
    end

    always @* if (f_past && !rst) begin
        p_${window.name}: assert (!do_act || f_opened < ${window.count});
    end

    // ------------------------------------------------------------------
    // What can happen

    always @* if (f_past && !rst) begin
        c_all: cover (&open && do_rd);
        c_conflict: cover (do_pre);
        c_refresh: cover (do_ref);
//% if L.OPEN > 1 then
        c_two: cover (open[0] && open[1] && do_wr && do_buffer == 1);
//% end
    end
`endif
