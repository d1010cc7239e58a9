//% output("formal/ndp_nbu_update_formal.vh")
//% local TICKET_AT = L.WARP_W + L.TAG_W
${header{title = "what is proved of ndp_nbu_update", text = [[
Who is served, in the note's order, and what is then written to the track table,
against a twin; any completion, near or far, commits exactly once, in order,
with its warp and tag; no update leaves a register without a valid copy.]]}}
`ifdef FORMAL_NDP_NBU_UPDATE
`define NDP_NBU_UPDATE_CONTRACT assume
`else
`define NDP_NBU_UPDATE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: whole packets; nothing completes before the table is ready

    localparam F_BEATS = ${L.DONE_BEATS};
    localparam F_W     = ${clog2(L.DONE_BEATS + 1)};

    reg [F_W-1:0] f_beat; // beats of this completion so far

    always @(posedge clk) begin
        if (rst)
            f_beat <= 0;
        else if (done_beat)
            f_beat <= done_last ? 0 : f_beat + 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_last: `NDP_NBU_UPDATE_CONTRACT (!done_beat ||
                                          done_last == (f_beat == F_BEATS - 1));
        q_early: `NDP_NBU_UPDATE_CONTRACT (init_done ||
                     !(done_beat || up_finished || down_finished));
    end

`ifdef FORMAL_NDP_NBU_UPDATE
    reg f_init;
    reg f_up_waits;
    reg f_down_waits;

    always @(posedge clk) begin
        f_init       <= !rst && init_done;
        f_up_waits   <= !rst && up_finished && !up_taken;
        f_down_waits <= !rst && down_finished && !down_taken;
    end

    always @* if (f_past && !rst) begin
        assume (init_done || !f_init);
        assume (up_finished || !f_up_waits);
        assume (down_finished || !f_down_waits);
    end

    // ------------------------------------------------------------------
    // Twin: the completion that came over the bus, the queue of the others

    wire [DONE_W-1:0] f_far_in = {far_done_ticket, far_done_tag, far_done_warp};

    reg               f_nd;
    reg [DONE_W-1:0]  f_nd_word;
    reg [DONE_W-1:0]  f_bits;    // beats so far, the first one highest
    reg [1:0]         f_count;   // far completions in the memory
    reg               f_out;     // one at the output

    wire f_serve_near = f_nd;
    wire f_serve_up   = !f_nd && up_finished;
    wire f_serve_down = !f_nd && !up_finished && down_finished;
    wire f_serve_far  = !f_nd && !up_finished && !down_finished && f_out &&
                        init_done;
    wire f_push       = far_done_valid && far_done_ready;
    wire f_load       = f_count != 0 && (!f_out || f_serve_far);

    always @(posedge clk) begin
        if (done_beat)
//% if L.DONE_BEATS > 1 then
            f_bits <= {f_bits, done_data};
//% else
            f_bits <= done_data;
//% end
        if (rst) begin
            f_nd    <= 1'b0;
            f_count <= 0;
            f_out   <= 1'b0;
        end else begin
            f_nd    <= done_beat && done_last;
            f_count <= f_count + f_push - f_load;
            f_out   <= f_load || (f_out && !f_serve_far);
        end
    end

    always @* if (f_past && !rst) begin
        p_far_done_ready: assert (far_done_ready == (f_count < 2));
        p_up_taken: assert (up_taken == f_serve_up);
        p_down_taken: assert (down_taken == f_serve_down);
        p_complete: assert (complete == (f_serve_near || f_serve_far));
    end

    // ------------------------------------------------------------------
    // Token: any far completion, by its place in the queue

    (* anyseq *) reg f_pick;

    reg              f_have;
    reg [DONE_W-1:0] f_token;
    reg [1:0]        f_ahead;

    wire f_mine = f_have && f_serve_far && f_ahead == 0;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - f_serve_far;
            f_have  <= !f_mine;
        end else if (f_push && f_pick) begin
            f_have  <= 1'b1;
            f_token <= f_far_in;
            f_ahead <= f_count + f_out - f_serve_far;
        end
    end

    always @* if (f_past)
        p_not_lost: assert (!f_have || f_ahead < f_count + f_out);

    // ------------------------------------------------------------------
    // What is written and what commits

    wire [DONE_W-1:0] f_word = f_serve_near ? f_bits : f_token;
    wire              f_known = f_serve_near || f_mine;

    wire              f_written;
    wire              f_near;
    wire              f_epoch;
    wire [REG_W-1:0]  f_reg;
    wire [TAG_W-1:0]  f_tag;
    wire [WARP_W-1:0] f_warp;

    assign {f_written, f_near, f_epoch, f_reg, f_tag, f_warp} = f_word;

    reg              f_commit;      // something was served on the last edge
    reg              f_commit_near; // it came over the bus
    reg              f_commit_seen; // and the twin knows what
    reg [WARP_W-1:0] f_commit_warp;
    reg [TAG_W-1:0]  f_commit_tag;

    always @(posedge clk) begin
        f_commit      <= !rst && (f_serve_near || f_serve_far);
        f_commit_near <= !rst && f_serve_near;
        f_commit_seen <= !rst && f_known;
        f_commit_warp <= f_warp;
        f_commit_tag  <= f_tag;
    end

    always @* if (f_past && !rst) begin
        p_legal: assert (!update_write || update_far || update_near);
        p_update_move: assert (update_move == (f_serve_up || f_serve_down));
        p_write: assert (!f_known || update_write == f_written);
        p_completion: assert (!(f_known && f_written) ||
                              {update_warp, update_reg, update_far, update_near,
                               update_epoch} ==
                              {f_warp, f_reg, !f_near, f_near, f_epoch});
        p_move_warp: assert (!update_move || move_warp == update_warp);
        p_moved_up: assert (!f_serve_up || (update_write &&
                            {update_warp, update_reg, update_far, update_near,
                             update_epoch} ==
                            {up_warp, up_reg, 2'b11, up_epoch}));
        p_moved_down: assert (!f_serve_down || (update_write &&
                              {update_warp, update_reg, update_far,
                               update_near, update_epoch} ==
                              {down_warp, down_reg, 2'b11, down_epoch}));
        p_nothing: assert (f_serve_near || f_serve_up || f_serve_down ||
                           f_serve_far || !update_write);
        p_commit: assert (commit_valid == f_commit);
        p_commit_near: assert (commit_near == f_commit_near);
        p_commit_token: assert (!f_commit_seen ||
                                {commit_warp, commit_tag} ==
                                {f_commit_warp, f_commit_tag});
        p_commit_zero: assert (commit_valid ||
                               {commit_near, commit_warp, commit_tag} == 0);
    end

    always @* if (f_past && !rst) begin
        c_far: cover (f_commit_seen && !f_commit_near && commit_tag != 0);
        c_near: cover (f_commit_near && commit_warp != 0 && update_write);
        c_contended: cover (f_nd && up_finished && down_finished && f_out);
        c_full: cover (f_count == 2 && f_out && far_done_valid);
    end
`endif
