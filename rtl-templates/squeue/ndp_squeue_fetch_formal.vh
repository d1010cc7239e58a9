//% output("formal/ndp_squeue_fetch_formal.vh")
${header{title = "what is proved of ndp_squeue_fetch", text = [[
With operands that come after they were asked for (q_fill), a slot that is started
only when it is full (q_start) and becomes free only when it has been started (q_free),
and places that are not taken again while they are in use (q_keep): slots are taken,
filled, started and freed in turn, none before it may be; a
place that is shown is asked for once, first operand first, with the addresses that it
was taken with (of any place f_at).]]}}
`ifdef FORMAL_NDP_SQUEUE_FETCH
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [PLACE_W-1:0] f_at;

    reg [SOURCE_W-1:0] f_source; // where the operands of f_at are
    reg                f_known;

    always @(posedge clk) begin
        if (rst)
            f_known <= 1'b0;
        else if (keep && keep_place == f_at)
            f_known <= 1'b1;
        if (keep && keep_place == f_at)
            f_source <= keep_source;
    end

    // operands that were asked for, of the slot that was taken last
    reg f_asking;

    always @(posedge clk) begin
        if (rst)
            f_asking <= 1'b0;
        else
            f_asking <= begins || (f_asking && !(taken && (fetch_second || !two)));
    end

    always @* if (f_past && !rst) begin
        q_fill: assume (!fill_done || full < used - f_asking);
        q_start: assume (!start || slot_full);
        q_free: assume (!free || started != 0);
        q_ready: assume (!ready_valid || ready_place != f_at || f_known);
        q_keep: assume (!keep || (!(ready_valid && ready_place == keep_place) &&
                                  !(fetch_valid && place == keep_place)));
    end

    // slots between two, in the ring
    function [SLOTS_W:0] f_from;
        input [SLOT_W-1:0] a;
        input [SLOT_W-1:0] b;
        f_from = a >= b ? a - b : a + SLOTS - b;
    endfunction

    reg f_first; // the first operand was asked for on the last edge
    reg f_two;

    always @(posedge clk) begin
        f_first <= taken && !fetch_second && !rst;
        f_two   <= two;
    end

    always @* if (f_past && !rst) begin
        p_phase: assert (phase <= SECOND && (phase != NOTHING) == f_asking);
        p_used: assert (used <= SLOTS && full <= used && started <= full);
        p_ring: assert (next < SLOTS && slot < SLOTS && fill_slot < SLOTS && oldest < SLOTS);
        p_filled: assert (full == SLOTS ? fill_slot == oldest : f_from(fill_slot, oldest) == full);
        p_started: assert (started == SLOTS ? slot == oldest : f_from(slot, oldest) == started);
        p_taken: assert (used == SLOTS ? next == oldest : f_from(next, oldest) == used);
        p_asks: assert (!f_asking || used > full);
        p_newest: assert (!f_asking || (places[newest] == place && f_from(next, newest) == 1));
        p_address: assert (!(fetch_valid && fetch_place == f_at) ||
                           (fetch_address == (fetch_second ? f_source[${record.source.b.msb}:${record.source.b.lsb}] : f_source[${record.source.a.msb}:${record.source.a.lsb}]) &&
                            (!fetch_second || f_source[${record.source.two.lsb}])));
        p_both: assert (!f_first || (fetch_valid && fetch_second) == f_two);
        c_full: cover (used == SLOTS && full == SLOTS);
        c_second: cover (taken && fetch_second);
    end
`endif
