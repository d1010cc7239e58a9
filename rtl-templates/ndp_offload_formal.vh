//% output("formal/ndp_offload_formal.vh")
//% local by_pc = L.BY_PC == 1
${header{title = "what is proved of ndp_offload", text = [[
Every request that is accepted is in exactly one place until its answer is
taken, so it gets exactly one answer, and no queue on its way overflows.  The
settings that are followed in another form are what the registers hold.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Places of a request.  The probe engine has one from SAVE to BACK.

    wire       f_probed = !probe.idle && probe.state <= probe.BACK;
    wire [7:0] f_places = lookup.a_valid + ${by_pc and "lookup.c_valid + " or ""}m_valid +
                          weigh.waiting.count + weigh.waiting.out_valid +
                          d_valid + f_probed + decide.answers.count + ans_valid;

    always @* if (f_past && !rst) begin
        p_places: assert (in_flight == f_places);
        p_flight: assert (in_flight <= DEPTH);
        p_decide: assert ((probe.state == probe.DECIDE) == (d_valid && d_back));
        p_back: assert (!(d_valid && d_back) || !d_probe);
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
        c_probe: cover (f_probed && d_valid && in_flight > 2);
    end
