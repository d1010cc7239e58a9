//% output("formal/ndp_offload_formal.vh")
//% local by_pc = L.BY_PC == 1
//% local extra = by_pc and 1 or 0 -- stages of the lookup
${header{title = "what is proved of ndp_offload", text = [[
Every request that is accepted is in exactly one place until its answer is
taken, so it gets exactly one answer, and no queue on its way overflows: what
ndp_offload_weigh and ndp_offload_decide demand.  The
settings that are followed in another form are what the registers hold.

With FORMAL_LATENCY, the whole unit: how long an answer takes when nothing holds
it up, and that they come one an edge.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Places of a request: A, C, M, waiting or in D for the first time, with the
    // probe engine or in D after it, answered.

    reg       f_a;
//% if by_pc then
    reg       f_c;
//% end
    reg [7:0] f_waiting;
    reg       f_probed;
    reg [7:0] f_answers;

    always @(posedge clk) begin
        if (rst) begin
            f_a       <= 1'b0;
//% if by_pc then
            f_c       <= 1'b0;
//% end
            f_waiting <= 0;
            f_probed  <= 1'b0;
            f_answers <= 0;
        end else begin
            f_a       <= accept;
//% if by_pc then
            f_c       <= f_a;
//% end
            f_waiting <= f_waiting + m_valid - (d_valid && !d_back);
            f_probed  <= take || (f_probed && !(d_valid && d_back));
            f_answers <= f_answers + (d_valid && !take) - answered;
        end
    end

    wire [7:0] f_places = f_a + ${by_pc and "f_c + " or ""}m_valid + f_waiting + f_probed +
                          f_answers;

`ifdef FORMAL_LATENCY
    // ------------------------------------------------------------------
    // Nothing holds a request up: answers and operands are taken at once, a
    // value comes on the edge after, no block has to be probed.

    reg f_value;

    always @(posedge clk) f_value <= !rst && oper_valid && oper_ready;

    always @* begin
        assume (ans_ready && oper_ready);
        assume (value_valid == f_value);
        assume (!take);
    end

    // One request, any: its age in edges, and the answers before its own.
    (* anyseq *) wire f_pick;
    reg               f_picked;
    reg [7:0]         f_age;
    reg [7:0]         f_ahead;
    reg [7:0]         f_streak; // edges in a row with an answer

    always @(posedge clk) begin
        f_age    <= f_picked ? f_age + 1 : 0;
        f_ahead  <= f_picked ? f_ahead - answered : in_flight - answered;
        f_streak <= rst || !answered ? 0 : f_streak + 1;
        if (rst)
            f_picked <= 1'b0;
        else if (f_picked)
            f_picked <= !answered || f_ahead != 0;
        else
            f_picked <= accept && f_pick;
    end

    wire f_now = f_picked && ans_valid && f_ahead == 0;

    always @* if (f_past && !rst) begin
        p_latency: assert (!f_picked || f_age < ${9 + extra} || (f_age == ${9 + extra} && f_now));
        c_soon: cover (f_now && f_age == ${6 + extra} && !ans_offload);
        c_condition: cover (f_now && f_age == ${9 + extra} && ans_offload);
        c_streak: cover (f_streak == 8);
    end
`elsif FORMAL_NDP_OFFLOAD
    // What the proofs of the modules say that are left out here: stage D and
    // the answers hold what they were given, a request that comes back is in D
    // on the next edge, and one that has come back is not probed again.
    reg f_back;

    always @(posedge clk) f_back <= !rst && back;

    always @* if (f_past && !rst) begin
        assume ((d_valid && d_back) == f_back);
        assume (!(d_valid && !d_back) || f_waiting != 0);
        assume (!ans_valid || f_answers != 0);
        assume (!take || (d_valid && !d_back && probe_idle));
    end
`endif

    always @* if (f_past && !rst) begin
        p_places: assert (in_flight == f_places);
        p_flight: assert (in_flight <= DEPTH);
        p_waiting: assert (!m_valid || f_waiting < DEPTH);
        p_answers: assert (!(d_valid && !take) || f_answers < DEPTH);
        p_once: assert (!take || !f_probed);
        p_back: assert (!(d_valid && d_back) || f_probed);
        p_limit: assert (!f_second || limit == f_limit);
        p_map: assert (map_at == 32'd1 << map_bit);
    end

    reg [PEND_W-1:0] f_limit; // what limit_next promised
    reg              f_second = 1'b0; // an edge without reset has passed

    always @(posedge clk) f_second <= f_past;

    always @(posedge clk)
        f_limit <= rst ? limit : limit_next;

    always @* if (f_past && !rst) begin
        c_accept: cover (accept && answered && in_flight == 2);
`ifndef FORMAL_LATENCY
        c_probe: cover (f_probed && d_valid && in_flight > 2);
`endif
    end
