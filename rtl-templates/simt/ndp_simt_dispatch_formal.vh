//% output("formal/ndp_simt_dispatch_formal.vh")
${header{title = "what is proved of ndp_simt_dispatch", text = [[
A slot's live warps are never more than a CTA has, a barrier is passed only while all of
them stand at it, and no CTA is taken into a slot that is live or owes.  That a warp
ends or stops only while it is live is the contract of the warps (q_).]] .. (L.AREAS == 1 and [[

With an area its first CTA comes first, and each step is one to the right or down, or
back to where the area begins.]] or "")}}
`ifdef FORMAL_NDP_SIMT_DISPATCH
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [CTA_W-1:0] f_s;

    wire [COUNT_W-1:0] f_lives = lives[f_s*COUNT_W +: COUNT_W];
    wire [COUNT_W-1:0] f_stops = stops[f_s*COUNT_W +: COUNT_W];
    wire f_end  = end_release && end_slot == f_s;
    wire f_pop  = end_pop && pop_slot == f_s;
    wire f_stop = at_barrier && end_slot == f_s;

    reg [COUNT_W-1:0] f_warps; // a launch's registers stand still

    always @(posedge clk) f_warps <= cta_warps;

    reg  f_taken;
    wire f_takes = take && free == f_s;

    always @(posedge clk) f_taken <= f_takes && !rst;

//% if L.AREAS == 1 then
    reg         f_began; // on the edge before, a launch
    reg         f_stood; // no launch, no reset
    reg  [31:0] f_x;     // the CTA before that edge
    reg  [15:0] f_y;
    reg  [96:0] f_was;   // the area stands still
    wire [96:0] f_area = {cta_x_first, cta_y_first, cta_x_last, cta_y_last, by_column};

    always @(posedge clk) begin
        f_began <= start && !rst;
        f_stood <= !start && !rst;
        f_x     <= cta_x;
        f_y     <= cta_y;
        f_was   <= f_area;
    end

//% end
    always @* if (f_past && !rst) begin
        q_slot: assume (f_s < CTAS);
        q_warps: assume (cta_warps != 0 && cta_warps <= WARPS);
        q_still: assume (cta_warps == f_warps);
        q_one: assume (!(end_release && at_barrier));
        // those at the barrier do not end, and more than live cannot
        q_live: assume ({2'd0, f_stops} + f_end + f_pop + f_stop <= {2'd0, f_lives});
        q_taken: assume (!init_taken || init_wait);
        q_done: assume (!init_done || (state == OFFER && !init_wait));
        q_threads: assume (threads != 0);
//% if L.AREAS == 1 then
        q_area: assume (f_area == f_was);
//% end
    end

    always @* if (f_past && !rst) begin
        p_live: assert (f_lives <= f_warps);
        p_stops: assert (f_stops <= f_lives);
        p_pass: assert (!(pass && look == f_s) || (f_lives != 0 && f_stops == f_lives));
        p_take: assert (!f_takes || (f_lives == 0 && !owes[f_s] && f_s < resident));
        p_fresh: assert (!f_taken || f_lives == f_warps);
        p_left: assert (!take || left);
//% if L.STEPS == 1 then
        p_skip: assert (!take || skip == 0);
        p_either: assert (!(take && passes));
        c_passes: cover (passes && skip == 1);
//% end
//% if L.AREAS == 1 then
        p_first: assert (!f_began || (cta_x == cta_x_first && cta_y == cta_y_first));
        p_x: assert (!f_stood || cta_x == f_x ||
                     cta_x == (f_x == cta_x_last ? cta_x_first : f_x + 32'd1));
        p_y: assert (!f_stood || cta_y == f_y ||
                     cta_y == (f_y == cta_y_last ? cta_y_first : f_y + 16'd1));
        p_row: assert (!f_stood || by_column || cta_y == f_y || cta_x == cta_x_first);
        p_column: assert (!f_stood || !by_column || cta_x == f_x || cta_y == cta_y_first);
        c_row: cover (take && cta_y > cta_y_first && !by_column && !x_ends);
        c_column: cover (take && cta_x > cta_x_first && by_column && !y_ends);
//% end
        p_offer: assert (!init_wait || state == OFFER);
        p_lanes: assert (state != OFFER || lanes != 0);
        p_dense: assert (state == IDLE || (lanes & (lanes + 1'b1)) == 0);
        c_pass: cover (pass && look == f_s && f_lives == 2);
        c_two: cover (live == {CTAS{1'b1}});
        c_partial: cover (state == OFFER && !lanes[LANES-1]);
    end
`endif
