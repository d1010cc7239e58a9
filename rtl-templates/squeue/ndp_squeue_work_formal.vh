//% output("formal/ndp_squeue_work_formal.vh")
${header{title = "what is proved of ndp_squeue_work", text = [[
With slots that are started in turn, as many as there are (q_slot, q_slots): each
chain that is started gives exactly one answer, in the order of the slots, with as many
beats as it has, behind all beats of its store if it has one; each beat leaves for the
lanes once in each pass, in order, never while the core has them, and of f not before
g's result of it is there; a result is given when all of its beats have come out, and
read where the beat is.]]}}
`ifdef FORMAL_NDP_SQUEUE_WORK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Chains that are started and not free; the slot that is started next

    reg [SLOTS_W-1:0] f_work;
    reg [SLOT_W-1:0]  f_slot;

    always @(posedge clk) begin
        if (rst) begin
            f_work <= 0;
            f_slot <= 0;
        end else begin
            f_work <= f_work + start - free;
            if (start)
                f_slot <= f_slot == LAST_SLOT ? 0 : f_slot + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_slot: assume (slot == f_slot);
        q_slots: assume (!slot_full || f_work < SLOTS);
    end

    // a slot behind another in the ring
    function [SLOT_W-1:0] f_behind;
        input [SLOT_W-1:0] from;
        input [SLOTS_W:0]  n;
        f_behind = from + n >= SLOTS ? from + n - SLOTS : from + n;
    endfunction

    // ------------------------------------------------------------------
    // The lanes: which beat comes out next; last beats of f, and beats of g

    reg [BEAT_W-1:0] f_land;

    always @(posedge clk) begin
        if (rst)
            f_land <= 0;
        else if (comes)
            f_land <= f_land == LAST ? 0 : f_land + 1'b1;
    end

    integer f_i;
    reg [SLOTS_W:0]    f_lasts;   // in the lanes, older than the one at hand
    reg [3:0]          f_gs;
    reg [BEAT_W-1:0]   f_expect;  // beat of the next younger one
    reg                f_is_g;    // of the pass that is in midst there
    reg                f_order;
    reg                f_slots;

    always @* begin
        f_lasts  = 0;
        f_gs     = 0;
        f_expect = f_land;
        f_is_g   = f_last_g;
        f_order  = 1'b1;
        f_slots  = 1'b1;
        for (f_i = 6; f_i >= 0; f_i = f_i - 1) begin
            if (pipe[f_i]) begin
                if (pipe_beat[f_i*BEAT_W +: BEAT_W] != f_expect ||
                    (f_expect != 0 && pipe_g[f_i] != f_is_g))
                    f_order = 1'b0;
                if (pipe_slot[f_i*SLOT_W +: SLOT_W] != f_behind(give_slot, done + f_lasts))
                    f_slots = 1'b0;
                f_is_g   = pipe_g[f_i];
                f_gs     = f_gs + pipe_g[f_i];
                f_lasts  = f_lasts + (!pipe_g[f_i] && f_expect == LAST);
                f_expect = f_expect == LAST ? 0 : f_expect + 1'b1;
            end
        end
    end

    reg f_last_g; // the beat that came out last was of g

    always @(posedge clk) if (comes) f_last_g <= come_g;

    // ------------------------------------------------------------------
    // What the chain that is given has had

    wire f_store  = store_valid && store_ready;
    wire f_answer = ans_valid && ans_ready;

    reg [BEAT_W:0] f_stored; // beats of the store
    reg [BEAT_W:0] f_given;  // of the answer

    always @(posedge clk) begin
        if (rst || opens) begin
            f_stored <= 0;
            f_given  <= 0;
        end else begin
            f_stored <= f_stored + f_store;
            f_given  <= f_given + f_answer;
        end
    end

    // by the patterns' numbers
    wire f_c = given_pattern == 1 || given_pattern == 3 || given_pattern == 4 ||
               given_pattern == 7 || given_pattern == 9;
    wire f_d = given_pattern == 2 || given_pattern == 8;

    reg [BEAT_W-1:0] f_read; // beat of the result that was read last, and slot
    reg [SLOT_W-1:0] f_read_slot;

    always @(posedge clk) if (reads) begin
        f_read      <= read_beat;
        f_read_slot <= read_slot;
    end

    wire f_in_g = pass == PASS_G;
    wire f_in_f = pass == PASS_F;

    always @* if (f_past && !rst) begin
        p_pass: assert (pass <= PASS_F && (!f_in_g || (look && !behind_g)));
        p_core: assert (!leaves || !core_busy);
        p_beats: assert (pass == NONE || left <= LAST);
        p_order: assert (f_order && f_expect == (pass == NONE ? 0 : left) &&
                         (pass == NONE || left == 0 || f_is_g == f_in_g));
        p_g: assert (f_in_g               ? g_computed + f_gs == left :
                     f_in_f && behind_g ? g_computed + f_gs == ${L.BEATS} : f_gs == 0);
        p_early: assert (!(leaves && f_in_f && behind_g) || left < g_computed);
        p_slots: assert (f_slots);
        p_ring: assert ((pass == NONE || pass_slot == f_behind(give_slot, done + f_lasts)) &&
                        (!look || look_slot == f_behind(give_slot, done + f_lasts + f_in_f)) &&
                        f_slot == f_behind(give_slot, done + f_lasts + f_in_f + look));
        p_ends: assert (give_slot < SLOTS && f_slot < SLOTS);
        p_work: assert (f_work == look + f_in_f + f_lasts + done + giving && f_work <= SLOTS);
        p_whole: assert (!computed || f_land == LAST);
        p_beat: assert (!giving || (beat == (stores ? f_stored : f_given) && shown_slot == f_read_slot &&
                                    (beat == f_read || (stored && !f_d))));
        p_shown: assert (!giving || give_slot == f_behind(shown_slot, 1));
        p_store: assert (!(giving && stores) || (f_c && f_stored < ${L.BEATS} && f_given == 0));
        p_answer: assert (!(giving && !stores) ||
                          (f_stored == (f_c ? ${L.BEATS} : 0) && f_given < (f_d ? ${L.BEATS} : 1)));
        p_free: assert (!free || f_given + 1'b1 == (f_d ? ${L.BEATS} : 1));
        p_last: assert (!f_answer || ans_last == free);
        c_data: cover (free && given_pattern == 8);
        c_both: cover (free && look && f_c);
        c_core: cover (pass != NONE && core_busy && left == 1);
    end
`endif
