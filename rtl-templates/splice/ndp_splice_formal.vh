//% output("formal/ndp_splice_formal.vh")
${header{title = "what is proved of ndp_splice", text = [[
A load that the cache takes while the prefetcher is free is shown to it, unaltered,
and nothing else is.  Each prefetch is given to the cache, unaltered and in its turn.
No entry is loaded while the core is running.]]}}
`ifdef FORMAL_NDP_SPLICE
    localparam F_W = $clog2(LINES + 2);

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the last edge was

    reg               f_rst;
    reg               f_load;
    reg               f_waits;
    reg               f_valid;
    reg [31:0]        f_address; // at demand
    reg [SADDR_W-1:0] f_seen;
    reg               f_running;
    reg               f_enters;

    always @(posedge clk) begin
        f_rst     <= rst;
        f_load    <= seen_valid && seen_taken && seen_op == 0;
        f_waits   <= demand_valid && !demand_ready;
        f_valid   <= demand_valid;
        f_address <= demand_address;
        f_seen    <= seen_address;
        f_running <= core_state == 1;
        f_enters  <= command_load;
    end

    always @* if (f_past && !f_rst) begin
        p_shown: assert (f_waits || (demand_valid == f_load &&
                         demand_address == (f_load ? {f_seen, {BYTE_W{1'b0}}} : 0)));
        p_kept: assert (!f_waits || (demand_valid && demand_address == f_address));
        p_loads: assert (load_valid == (f_enters && !f_running));
        c_shown: cover (demand_valid && f_valid && !f_waits);
        c_loads: cover (load_valid);
    end

    // ------------------------------------------------------------------
    // A token, any prefetch

    (* anyseq *) reg f_pick;

    wire f_in  = out_valid && out_ready && out_prefetch;
    wire f_out = pre_valid && pre_ready;

    reg               f_have;
    reg [SADDR_W-1:0] f_token;
    reg [F_W-1:0]     f_ahead;
    reg [F_W-1:0]     f_words;

    always @(posedge clk) begin
        if (rst) begin
            f_have  <= 1'b0;
            f_words <= 0;
        end else begin
            f_words <= f_words + f_in - f_out;
            if (f_have) begin
                f_ahead <= f_ahead - f_out;
                f_have  <= !(f_out && f_ahead == 0);
            end else if (f_in && f_pick) begin
                f_have  <= 1'b1;
                f_token <= out_address[31:BYTE_W];
                f_ahead <= f_words - f_out;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_room: assert (f_words <= LINES + 1);
        p_same: assert (!(f_have && f_ahead == 0 && pre_valid) || pre_line == f_token);
        p_there: assert (!pre_valid || f_words != 0);
        c_token: cover (f_have && f_out && f_ahead == 0);
        c_full: cover (!out_ready);
    end
`endif
