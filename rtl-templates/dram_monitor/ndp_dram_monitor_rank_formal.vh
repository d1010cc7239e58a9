//% output("formal/ndp_dram_monitor_rank_formal.vh")
//% local places = {bank = L.SLOTS, group = L.GROUPS, rank = 1}
//% local late = 9 * P["timing.refi"]
//% local FW = clog2(late + 2)
//% -- whether a command is at the followed place
//% local function here(who, scope)
//%     if places[scope] == 1 then return "" end
//%     return " && " .. who .. (scope == "bank" and "_at[f_bank]" or "_at_group[f_group]")
//% end
//% local function at(scope) return scope == "bank" and "f_bank" or "f_group" end
//% local of_table, longest = {}, 1
//% for _, r in ipairs(rules) do
//%     if places[r.scope] and r.cycles >= 1 then
//%         of_table[#of_table + 1] = r
//%         longest = math.max(longest, r.cycles)
//%     end
//% end
//% local QW = clog2(longest + 1)
${header{title = "what is proved of ndp_dram_monitor_rank", text = [[
Of any bank, with its group: each rule is told of a command exactly if it comes sooner
after the last one that the rule names than the rule says, edges being counted up from
that command, for the host's command and for the accelerator's behind it; the rules of
open rows exactly if the bank's row is not as they want it; after a rest as long as the
longest rule no rule of the table.]]}}
`ifdef FORMAL_NDP_DRAM_MONITOR_RANK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

//% if L.SLOT_W > 0 then
    (* anyconst *) wire [${L.SLOT_W - 1}:0] f_bank; // a bank
//% end
//% if L.BG_W > 0 then
    wire [${L.BG_W - 1}:0] f_group = f_bank[${L.SLOT_W - 1}:${L.BA_W}];
//% end

    // ------------------------------------------------------------------
    // Edges since the last command that each rule counts from

//% for _, r in ipairs(of_table) do
//%     if r.count == 1 then
//%         local W = clog2(r.cycles + 1)
//%         local hf, nf = any("h", r.from) .. here("h", r.scope), any("n", r.from) .. here("n", r.scope)
    reg [${W - 1}:0] f_${r.name};

    always @(posedge clk) begin
        if (rst)
            f_${r.name} <= ${r.cycles};
        else if ((${hf}) || (${nf}))
            f_${r.name} <= 1;
        else
            f_${r.name} <= f_${r.name} + (f_${r.name} != ${r.cycles});
    end

    always @* if (f_past && !rst) begin
        p_${r.name}_host: assert (!(${any("h", r.to)}${here("h", r.scope)}) ||
                                  h_broken[${r.number}] == (f_${r.name} != ${r.cycles}));
        p_${r.name}_near: assert (!(${any("n", r.to)}${here("n", r.scope)}) ||
                                  n_broken[${r.number}] == (f_${r.name} != ${r.cycles} || (${hf})));
        p_${r.name}_none: assert ((${any("h", r.to)} || !h_broken[${r.number}]) &&
                                  (${any("n", r.to)} || !n_broken[${r.number}]));
//%         if r.age then
//%             local A = r.age.width
        p_${r.name}_age: assert (f_${r.name} == ((${field(r.age.name, A, places[r.scope], at(r.scope))} > ${r.cycles}) ? ${r.cycles} :
                                 ${field(r.age.name, A, places[r.scope], at(r.scope))}));
//%         end
    end

//%     end
//% end
    // ------------------------------------------------------------------
    // Windows: what happened on the edges before

//% for _, r in ipairs(of_table) do
//%     if r.count > 1 then
    reg [${2 * (r.cycles - 1) - 1}:0] f_${r.name}; // two bits an edge, the latest lowest
    reg [${clog2(2 * r.cycles)}:0] f_${r.name}_n;

    always @(posedge clk) begin
        if (rst)
            f_${r.name} <= 0;
        else
            f_${r.name} <= {f_${r.name}, ${any("h", r.from)}, ${any("n", r.from)}};
    end

    integer f_i_${r.name};

    always @* begin
        f_${r.name}_n = 0;
        for (f_i_${r.name} = 0; f_i_${r.name} < ${2 * (r.cycles - 1)}; f_i_${r.name} = f_i_${r.name} + 1)
            f_${r.name}_n = f_${r.name}_n + f_${r.name}[f_i_${r.name}];
    end

    always @* if (f_past && !rst) begin
        p_${r.name}_host: assert (h_broken[${r.number}] == (${any("h", r.to)} && f_${r.name}_n >= ${r.count}));
        p_${r.name}_near: assert (n_broken[${r.number}] == (${any("n", r.to)} && f_${r.name}_n + ${any("h", r.from)} >= ${r.count}));
    end

//%     end
//% end
    // ------------------------------------------------------------------
    // Rests

    reg [${QW - 1}:0] f_rest; // edges since the last command

    always @(posedge clk) begin
        if (rst)
            f_rest <= ${longest};
        else if (h_valid || n_valid)
            f_rest <= 1;
        else
            f_rest <= f_rest + (f_rest != ${longest});
    end

    always @* if (f_past && !rst) begin
//% for _, age in ipairs(rank_ages) do
//%     for s = 0, places[age.scope] - 1 do
//%         local a = field(age.name, age.width, places[age.scope], s)
        p_rest_${age.name}_${s}: assert (${a} >= f_rest || ${a} == ${age.most});
//%     end
//% end
        p_none: assert ((h_valid || h_broken == 0) && (n_valid || n_broken == 0));
        p_rest_host: assert (f_rest != ${longest} || h_broken[${#rules - 1}:0] == 0);
        p_rest_near: assert (f_rest != ${longest} || h_valid || n_broken[${#rules - 1}:0] == 0);
    end

    // ------------------------------------------------------------------
    // The row of the bank

    reg                  f_open, f_open_host;
    reg [${L.ROW_W - 1}:0] f_row, f_row_host;

//% local h, n = here("h", "bank"), here("n", "bank")
    always @* begin
        f_open_host = f_open;
        f_row_host  = f_row;
        if (h_act${h}) begin
            f_open_host = 1'b1;
            f_row_host  = h_row;
        end
        if (((h_pre || h_rda || h_wra)${h}) || h_prea)
            f_open_host = 1'b0;
    end

    always @(posedge clk) begin
        f_open <= f_open_host;
        f_row  <= f_row_host;
        if (n_act${n}) begin
            f_open <= 1'b1;
            f_row  <= n_row;
        end
        if (((n_pre || n_rda || n_wra)${n}) || n_prea)
            f_open <= 1'b0;
        if (rst)
            f_open <= 1'b0;
    end

    always @* if (f_past && !rst) begin
        p_rows: assert (open${L.SLOT_W > 0 and "[f_bank]" or ""} == f_open && (!f_open || ${field("rows", L.ROW_W, L.SLOTS, "f_bank")} == f_row));
        p_closed_host: assert (!(h_column${h}) || h_broken[${check_no.closed}] == !f_open);
        p_closed_near: assert (!(n_column${n}) || n_broken[${check_no.closed}] == !f_open_host);
        p_row_host: assert (!(h_column${h}) || h_broken[${check_no.row}] == (f_open && f_row != h_row));
        p_row_near: assert (!(n_column${n}) || n_broken[${check_no.row}] == (f_open_host && f_row_host != n_row));
        p_open_host: assert (!(h_act${h}) || h_broken[${check_no.open}] == f_open);
        p_open_near: assert (!(n_act${n}) || n_broken[${check_no.open}] == f_open_host);
        p_open_refresh: assert ((!h_ref || !f_open || h_broken[${check_no.open}]) && (!n_ref || !f_open_host || n_broken[${check_no.open}]));
    end

//% if late > 0 then
    // ------------------------------------------------------------------
    // Refreshes

    reg [${FW - 1}:0] f_since; // edges since the last one, or since the first command

    always @(posedge clk) begin
        if (rst)
            f_since <= 0;
        else if (h_ref || n_ref)
            f_since <= 1;
        else
            f_since <= f_since + (begun && f_since <= ${late});
    end

    always @* if (f_past && !rst) begin
        p_since: assert (f_since == unrefreshed);
        p_refresh_host: assert (h_broken[${check_no.refresh}] == (h_ref && f_since > ${late}));
        p_refresh_near: assert (n_broken[${check_no.refresh}] == (n_ref && !h_ref && f_since > ${late}));
        p_late: assert (late == (f_since > ${late}));
    end

//% end
    // ------------------------------------------------------------------
    // What can happen

    always @* if (f_past && !rst) begin
        c_right: cover (h_wr && h_broken == 0);
        c_kept: cover (h_rda && f_rcd == ${P["timing.rcd"]} && h_broken == 0);
        c_early: cover (h_broken == 1);
        c_behind: cover (n_broken == ${L.CHECKS}'d1 << ${#rules - 6});
        c_refresh: cover (h_ref && h_broken == 0);
    end
`endif
