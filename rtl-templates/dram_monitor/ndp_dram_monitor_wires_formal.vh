//% output("formal/ndp_dram_monitor_wires_formal.vh")
//% local cl, cwl, bl = P["timing.cl"], P["timing.cwl"], P["timing.bl"]
//% local rtrs, turn = P["timing.rtrs"], P["timing.turn"]
//% local first = math.min(cl, cwl) - (bl + math.max(rtrs, turn)) + 1
//% local n = math.max(cl, cwl) - first
//% local longest = n + math.abs(cl - cwl) + 1
//% for _, r in ipairs(rules) do
//%     if r.scope == "other rank" then longest = math.max(longest, r.cycles) end
//% end
//% local QW = clog2(longest + 1)
${header{title = "what is proved of ndp_dram_monitor_wires", text = [[
Of any rank: each rule between ranks is told of a command to another one exactly if it
comes sooner after the last one in that rank than the rule says (with two ranks; with
more of them, at least then).  Of any burst: one that meets it on the data bus, or comes
nearer than it may, is told.  After a rest nothing is.]]}}
`ifdef FORMAL_NDP_DRAM_MONITOR_WIRES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

//% if L.RANKS > 1 then
    // ------------------------------------------------------------------
    // A rank, and edges since its last command of each rule

    (* anyconst *) wire [${L.RA_W - 1}:0] f_other;

//%     for _, r in ipairs(rules) do
//%         if r.age and r.scope == "other rank" then
//%             local W = clog2(r.cycles + 1)
    reg [${W - 1}:0] f_${r.name};

    always @(posedge clk) begin
        if (rst)
            f_${r.name} <= ${r.cycles};
        else if (${any("h", r.from)} && h_rank == f_other)
            f_${r.name} <= 1;
        else
            f_${r.name} <= f_${r.name} + (f_${r.name} != ${r.cycles});
    end

    always @* if (f_past && !rst) begin
        p_${r.name}: assert (!(${any("h", r.to)}) || h_rank == f_other ||
                             ${L.RANKS > 2 and "f_" .. r.name .. " == " .. r.cycles .. " || h_broken[" .. r.number .. "]" or
                             "h_broken[" .. r.number .. "] == (f_" .. r.name .. " != " .. r.cycles .. ")"});
        p_${r.name}_age: assert (f_${r.name} == ((${field(r.age.name, r.age.width, L.RANKS, "f_other")} > ${r.cycles}) ? ${r.cycles} :
                                 ${field(r.age.name, r.age.width, L.RANKS, "f_other")}));
    end

//%         end
//%     end
//% end
    // ------------------------------------------------------------------
    // A burst, and edges until it begins; both can be below zero

    (* anyseq *) reg f_pick; // the one of this edge

    reg               f_have, f_write;
    reg [${L.RANK_W - 1}:0] f_rank;
    integer           f_begin;

    wire    f_burst = h_reads || h_writes;
    integer f_new, f_apart, f_gap;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_burst && f_pick && !f_have) begin
            f_have  <= 1'b1;
            f_write <= h_writes;
            f_rank  <= h_rank;
            f_begin <= (h_writes ? ${cwl} : ${cl}) - 1;
        end else if (f_have) begin
            f_have  <= f_begin > ${first};
            f_begin <= f_begin - 1;
        end
    end

    always @* begin
        f_new   = h_writes ? ${cwl} : ${cl};
        f_apart = f_new >= f_begin ? f_new - f_begin : f_begin - f_new;
        f_gap   = ${bl};
        if (${L.RANKS > 1 and "f_rank != h_rank" or "1'b0"})
            f_gap = ${bl + rtrs};
        else if (f_new >= f_begin ? !f_write && h_writes : f_write && h_reads)
            f_gap = ${bl + turn};
    end

    always @* if (f_past && !rst) begin
        p_data: assert (!f_have || !f_burst || f_apart >= f_gap || h_broken[${check_no.data}]);
//% if n > 0 then
        p_calendar: assert (!f_have || (f_begin >= ${first} && f_begin < ${first + n} &&
                            (f_write ? writes[f_rank * ${n} + f_begin - ${first}] :
                                       reads[f_rank * ${n} + f_begin - ${first}])));
//% end
    end

    // ------------------------------------------------------------------
    // Rests

    reg [${QW - 1}:0] f_rest; // edges since the last column command

    always @(posedge clk) begin
        if (rst)
            f_rest <= ${longest};
        else if (f_burst)
            f_rest <= 1;
        else
            f_rest <= f_rest + (f_rest != ${longest});
    end

    always @* if (f_past && !rst) begin
        p_rest: assert (f_rest != ${longest} || h_broken == 0);
        p_none: assert (h_valid || h_broken == 0);
    end

    always @* if (f_past && !rst) begin
        c_data: cover (h_broken[${check_no.data}]);
        c_burst: cover (f_burst && f_have && !f_write && h_writes && f_apart == f_gap && h_broken == 0);
    end
`endif
