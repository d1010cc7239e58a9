//% output("formal/ndp_broker_formal.vh")
${header{title = "what is proved of ndp_broker", text = [[
A core offers warps that are not away (q_offer), a controller decides about warps that
ask (q_ans) and releases those whose block went (q_release), and the map stands while
one asks (q_map).  Each offer has one go: what is away is in one of five places.]]}}
`ifdef FORMAL_NDP_BROKER
    reg f_past = 1'b0; // a clock edge has passed
    reg f_runs = 1'b0; // and that before it, without reset

    always @(posedge clk) begin
        f_past <= 1'b1;
        f_runs <= f_past && !rst;
    end

    always @* assume (rst == !f_past);

    localparam F_W = AWAY_W + 2;

    reg [F_W-1:0] f_offered; // on their way to the controller
    reg [F_W-1:0] f_asking;  // it has to decide
    reg [F_W-1:0] f_gone;    // their block is away
    reg [F_W-1:0] f_landing; // it is done, and the core does not know
    reg           f_learned;
    reg           f_asked;   // a warp was not taken
    reg [ASK_W:0] f_ask;

    wire f_decides = ans_valid && ans_ready;
    wire f_release = release_valid && release_ready;

    always @(posedge clk) begin
        f_learned <= map_learned;
        f_asked   <= !rst && ask_valid && !ask_ready;
        f_ask     <= {ask_learned, ask_address, ask_mask, ask_key, ask_warp};
        if (rst) begin
            f_offered <= 0;
            f_asking  <= 0;
            f_gone    <= 0;
            f_landing <= 0;
        end else begin
            f_offered <= f_offered + leaves - (ask_valid && ask_ready);
            f_asking  <= f_asking + (ask_valid && ask_ready) - f_decides;
            f_gone    <= f_gone + (f_decides && ans_offload) - f_release;
            f_landing <= f_landing + f_release - lands;
        end
    end

    always @* if (f_past && !rst) begin
        q_offer: assume (!leaves || away - go_valid < ${L.WARPS});
        q_ans: assume (!ans_valid || f_asking != 0);
        q_release: assume (!release_valid || f_gone != 0);
        q_map: assume (f_offered == 0 || map_learned == f_learned);
    end

    always @* if (f_past && !rst) begin
        p_away: assert (away == f_offered + f_asking + f_gone + f_landing + go_valid);
        p_go: assert (!go_valid || (away != 0 && go_moves && !go_frees));
        p_busy: assert (chain_busy == (f_offered != 0 || f_asking != 0 || f_gone != 0 || f_landing != 0 || go_valid));
        p_asks: assert (!ask_valid || f_offered != 0);
        p_lands: assert (!lands || f_landing != 0);
        p_written: assert (!lands || !writing);
        p_kept: assert (!f_asked || (ask_valid && f_ask == {ask_learned, ask_address, ask_mask, ask_key, ask_warp}));
        c_stays: cover (go_valid && go_alone);
        c_lands: cover (go_valid && !go_alone && go_pc == 5);
    end
`endif
