//% output("formal/ndp_prefetch_port_formal.vh")
${header{title = "what is proved of ndp_prefetch_port", text = [[
Demands come out unaltered, each once and in order: a token, any demand that is
ever accepted, comes out after those that were there before it.  One bit of the
id and one of the address are followed; all bits are treated alike.  Prefetches
come out in order likewise.  A prefetch goes to the cache only when no demand
waits for it.]]}}
`ifdef FORMAL_NDP_PREFETCH_PORT
`define NDP_PREFETCH_PORT_CONTRACT assume
`else
`define NDP_PREFETCH_PORT_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_push: `NDP_PREFETCH_PORT_CONTRACT (!push || can_push);

`ifdef FORMAL_NDP_PREFETCH_PORT
    // ------------------------------------------------------------------
    // Tokens: a demand and a prefetch, and how many of their kind are ahead

    (* anyseq *) reg f_pick;
    (* anyseq *) reg f_pick_p;

    wire f_in    = demand_valid && demand_ready;
    wire f_out   = mem_valid && mem_ready && !mem_prefetch;
    wire f_out_p = mem_valid && mem_ready && mem_prefetch;

    reg [3:0] f_demands; // in the block, the cache's register included
    reg [3:0] f_prefetches;
    reg       f_have;
    reg [3:0] f_ahead;
    reg [1:0] f_token;
    reg       f_have_p;
    reg [3:0] f_ahead_p;
    reg       f_token_p;

    always @(posedge clk) begin
        if (rst) begin
            f_demands    <= 0;
            f_prefetches <= 0;
            f_have       <= 1'b0;
            f_have_p     <= 1'b0;
        end else begin
            f_demands    <= f_demands + f_in - f_out;
            f_prefetches <= f_prefetches + push - f_out_p;
            if (f_have) begin
                f_have  <= !(f_out && f_ahead == 0);
                f_ahead <= f_ahead - f_out;
            end else if (f_in && f_pick) begin
                f_have  <= 1'b1;
                f_ahead <= f_demands - f_out;
                f_token <= {demand_id[0], demand_address[0]};
            end
            if (f_have_p) begin
                f_have_p  <= !(f_out_p && f_ahead_p == 0);
                f_ahead_p <= f_ahead_p - f_out_p;
            end else if (push && f_pick_p) begin
                f_have_p  <= 1'b1;
                f_ahead_p <= f_prefetches - f_out_p;
                f_token_p <= address[0];
            end
        end
    end

    wire f_at   = mem_valid && !mem_prefetch; // a demand is at the cache
    wire f_at_p = mem_valid && mem_prefetch;

    // Words in the memories of the queues
    wire [3:0] f_queued   = f_demands - demand_waits - f_at;
    wire [3:0] f_queued_p = f_prefetches - prefetch_waits - f_at_p;

    always @* if (f_past) begin
        p_ready: assert (demand_ready == (f_queued < DEMANDS));
        p_room: assert (can_push == (f_queued_p < QUEUE));
        p_not_lost: assert (!f_have || f_ahead < f_demands);
        p_unaltered: assert (!(f_have && f_ahead == 0 && f_at) ||
                             {mem_id[0], mem_address[0]} == f_token);
        p_prefetch: assert (!(f_have_p && f_ahead_p == 0 && f_at_p) ||
                            mem_address[0] == f_token_p);
    end

    // ------------------------------------------------------------------
    // Demands first

    reg f_waited; // a demand waited for the free register

    always @(posedge clk) begin
        f_waited <= !rst && free && demand_waits;
    end

    always @* if (f_past && !rst) begin
        p_first: assert (!f_waited || f_at);
        p_zero: assert (mem_valid ||
                        !(mem_prefetch || mem_id != 0 || mem_address != 0));
    end

    always @* if (f_past && !rst) begin
        c_passes: cover (f_waited && prefetch_waits);
        c_token: cover (f_have && f_ahead == 4 && f_out);
        c_prefetch: cover (f_have_p && f_ahead_p == 0 && f_out_p);
    end
`endif
