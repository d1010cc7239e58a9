//% output("formal/ndp_squeue_places_formal.vh")
${header{title = "what is proved of ndp_squeue_places", text = [[
With chains that come into free places (q_keep) and places that become free after they
have left the queue (q_free): a place enters the queue once for each chain, with all
of its loads there, and the queue has room for it; what the queue shows is such a
place; a mark counts once for each load that a chain has.]]}}
`ifdef FORMAL_NDP_SQUEUE_PLACES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [PLACES-1:0] f_taken; // a chain is there
    reg [PLACES-1:0] f_in;    // it is in the queue
    reg [PLACES-1:0] f_out;   // it has left it

    wire [PLACES-1:0] f_push = push ? mark_bit : 0;
    wire [PLACES-1:0] f_pop  = ready_pop && ready_valid ? one << ready_place : 0;
    wire [PLACES-1:0] f_keep = keep ? keep_bit : 0;

    always @(posedge clk) begin
        if (rst) begin
            f_taken <= 0;
            f_in    <= 0;
            f_out   <= 0;
        end else begin
            f_taken <= (f_taken | f_keep) & ~free_bit;
            f_in    <= (f_in | f_push) & ~f_pop;
            f_out   <= (f_out | f_pop) & ~free_bit;
        end
    end

    always @* if (f_past && !rst) begin
        q_keep: assume (!keep || ((keep_bit & taken) == 0 && keep_bit != 0 &&
                                  (keep_bit & (keep_bit - 1'b1)) == 0));
        q_free: assume (!free || (free_place < PLACES && (free_bit & ~f_out) == 0));
    end

    integer f_i;
    reg [PLACE_W:0] f_count; // in the queue

    always @* begin
        f_count = 0;
        for (f_i = 0; f_i < PLACES; f_i = f_i + 1)
            f_count = f_count + f_in[f_i];
    end

    reg [PLACE_W:0] f_kept; // in the memory of the queue, the others being shown

    wire f_moves = f_kept != 0 && (!ready_valid || ready_pop);

    always @(posedge clk) begin
        if (rst)
            f_kept <= 0;
        else
            f_kept <= f_kept + push - f_moves;
    end

    wire [PLACES-1:0] f_ready = has_a & (has_b | ~two);

    always @* if (f_past && !rst) begin
        p_taken: assert (taken == f_taken);
        p_apart: assert ((f_in & f_out) == 0 && ((f_in | f_out) & ~f_taken) == 0);
        p_ready: assert ((f_in | f_out) == (f_ready & f_taken));
        p_clean: assert (((has_a | has_b) & ~f_taken) == 0 && (has_b & f_taken & ~two) == 0);
        p_push: assert ((f_push & (f_in | f_out | ~f_taken)) == 0);
        p_room: assert (!push || can_push);
        p_queue: assert (can_push == (f_kept != PLACES));
        p_count: assert (f_kept + ready_valid == f_count);
        p_shown: assert (!ready_valid || (ready_place < PLACES && f_in[ready_place]));
        p_stray: assert (count_strays == (mark_valid && !(mark_place < PLACES && f_taken[mark_place] &&
                         (mark_second ? two[mark_place] && !has_b[mark_place] : !has_a[mark_place]))));
        c_all: cover (f_count == PLACES);
        c_second: cover (push && !mark_second && (mark_bit & two) != 0);
        c_again: cover (free && (free_bit & two) != 0);
    end
`endif
