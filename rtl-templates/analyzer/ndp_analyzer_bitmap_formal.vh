//% output("formal/ndp_analyzer_bitmap_formal.vh")
${header{title = "what is proved of ndp_analyzer_bitmap", text = [[
For any warp and any stack under any mapping: an ended instance's bit is set
exactly when an access to the stack came since the last begin, counting only
events that were not dropped.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_ANALYZER_BITMAP
    (* anyconst *) reg [WARP_W-1:0] f_warp;
    (* anyconst *) reg [7:0]        f_map;
    (* anyconst *) reg [STACK_W-1:0] f_stack;

    always @* assume (f_warp < WARPS && f_map < MAPS);

    // ------------------------------------------------------------------
    // Contract: each bitmap is initialised once, before any event.

    reg f_ready; // of this warp
    reg f_seen;  // an event has come

    always @(posedge clk) begin
        f_ready <= !rst && (f_ready || (init && init_warp == f_warp));
        f_seen  <= !rst && (f_seen || event_valid);
    end

    always @* if (f_past) begin
        assume (!event_valid || (f_ready && event_warp < WARPS && !init));
        assume (!(init && f_seen));
    end

    // ------------------------------------------------------------------
    // Twin: the bit, changed two edges after the event

    wire [STACK_W-1:0] f_hit = event_address >> (FIRST_BIT + f_map);

    reg       f_e;
    reg [1:0] f_e_op;
    reg       f_e_warp;
    reg       f_e_hit;
    reg       f_b;
    reg [1:0] f_b_op;
    reg       f_b_warp;
    reg       f_b_hit;
    reg       f_bit;
    reg       f_end; // the warp's instance has ended
    reg       f_value;
    reg       f_met;

    always @(posedge clk) begin
        f_e      <= !rst && !clear && event_valid;
        f_e_op   <= event_op;
        f_e_warp <= event_warp == f_warp;
        f_e_hit  <= f_hit == f_stack;
        f_b      <= !rst && !clear && f_e;
        f_b_op   <= f_e_op;
        f_b_warp <= f_e_warp;
        f_b_hit  <= f_e_hit;
        f_end    <= !rst && !clear && f_b && f_b_warp && f_b_op == END;
        f_value  <= f_bit;
        f_met    <= met;
        if (rst)
            f_bit <= 1'b0;
        else if (f_b && !clear && f_b_warp && f_b_op == BEGIN)
            f_bit <= 1'b0;
        else if (f_b && !clear && f_b_warp && f_b_op == ACCESS && f_b_hit)
            f_bit <= 1'b1;
    end

    wire [BITMAP_W-1:0] f_word = word >> (f_map * STACKS + f_stack);
    wire [BITMAP_W-1:0] f_last = end_word >> (f_map * STACKS + f_stack);

    always @* if (f_past) begin
        p_end: assert (!f_end || (end_valid && f_last[0] == f_value));
        p_word: assert (!(f_b && f_b_warp) || f_word[0] == f_bit);
        p_events: assert (e_valid == f_e && b_valid == f_b);
    end

    always @* if (f_past && !rst) begin
        c_forward: cover (f_end && f_value && f_met);
        c_begun: cover (f_end && !f_value);
    end
`endif
