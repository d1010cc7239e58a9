//% output("formal/ndp_emn_formal.vh")
//% local S, W = L.STAGES, P["mesh.width"]
//% local mems = P["mesh.memory_nodes"]
//% local XW, YW = clog2(W), clog2(P["mesh.height"])
//% local DW = math.max(XW, YW)
${header{title = "what is proved of ndp_emn", text = [[
Every answer belongs to the lookup STAGES edges before; fields are zero without
their valid; the meet node lies on the way to both memories, and is the asking
core only when both loads have that node's memory; each answer counts once.]]}}
`ifdef FORMAL_NDP_EMN

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The lookups of the last STAGES edges; the answered one is f_*${S}.
//% for s = 1, S do

    reg             f_valid${s};
    reg ${pad(range(L.ID_W), 11)} f_id${s};
    reg ${pad(range(L.NODE_W), 11)} f_core${s};
    reg ${pad(range(L.MEM_W), 11)} f_a${s};
    reg ${pad(range(L.MEM_W), 11)} f_b${s};

    always @(posedge clk) begin
        f_valid${s} <= ${s == 1 and "req_valid" or "f_valid" .. s - 1} && !rst;
        f_id${s}    <= ${s == 1 and "req_id" or "f_id" .. s - 1};
        f_core${s}  <= ${s == 1 and "req_core" or "f_core" .. s - 1};
        f_a${s}     <= ${s == 1 and "req_mem0" or "f_a" .. s - 1};
        f_b${s}     <= ${s == 1 and "req_mem1" or "f_b" .. s - 1};
    end
//% end

    // ------------------------------------------------------------------
    // Where things are

    function ${range(L.NODE_W)} f_mem(input ${range(L.MEM_W)} mem);
        case (mem)
//% for i, n in ipairs(mems) do
        ${L.MEM_W}'d${i - 1}: f_mem = ${L.NODE_W}'d${n};
//% end
        default: f_mem = 0;
        endcase
    endfunction
    function ${range(XW)} f_x(input ${range(L.NODE_W)} at);
        f_x = at % ${L.NODE_W}'d${W};
    endfunction
    function ${range(YW)} f_y(input ${range(L.NODE_W)} at);
        f_y = at / ${L.NODE_W}'d${W};
    endfunction
    // Whether at lies between, in one dimension
    function f_between(input ${range(DW)} from, input ${range(DW)} at, input ${range(DW)} to);
        f_between = (from <= at && at <= to) || (to <= at && at <= from);
    endfunction
    function f_on_way(input ${range(L.NODE_W)} from, input ${range(L.NODE_W)} at, input ${range(L.NODE_W)} to);
        f_on_way = f_between(f_x(from), f_x(at), f_x(to)) &&
                   f_between(f_y(from), f_y(at), f_y(to));
    endfunction

    wire f_same   = f_a${S} == f_b${S};
    wire f_inside = f_core${S} < ${L.NODES} && f_a${S} < ${L.MEMS} && f_b${S} < ${L.MEMS}${L.ONE_CORE == 1 and " &&\n                    f_core" .. S .. " == " .. L.CORE or ""};
    wire ${range(L.NODE_W)} f_a_at = f_mem(f_a${S});
    wire ${range(L.NODE_W)} f_b_at = f_mem(f_b${S});

    always @* if (f_past) begin
        p_valid: assert (ans_valid == f_valid${S});
        p_id: assert (ans_id == (f_valid${S} ? f_id${S} : 0));
        p_zero: assert (ans_found || ans_node == 0);
        p_silent: assert (ans_valid || !ans_found);
        p_inside: assert (!ans_found || f_inside);
        p_same: assert (!(f_valid${S} && f_inside && f_same) ||
                        (ans_found && ans_node == f_a_at));
        p_own_core: assert (!ans_found || f_same || ans_node != f_core${S});
        p_on_way: assert (!ans_found ||
                          (f_on_way(f_core${S}, ans_node, f_a_at) &&
                           f_on_way(f_core${S}, ans_node, f_b_at)));
        p_counts: assert (count_lookups == ans_valid &&
                          count_met + count_none == count_lookups &&
                          !(count_met && count_none));
        p_count_same: assert (count_same == (ans_found && f_same));
    end

    always @* if (f_past && !rst) begin
        c_met: cover (ans_found && !f_same);
        c_none: cover (ans_valid && !ans_found && f_inside);
        c_same: cover (ans_found && f_same);
        c_outside: cover (ans_valid && !f_inside);
        c_gap: cover (!ans_valid && f_past);
    end
`endif
