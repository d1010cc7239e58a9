//% output("formal/ndp_binder_build_formal.vh")
${header{title = "what is proved of ndp_binder_build", text = [[
With an offload queue that answers each instruction once, as its note says (q_*): each
chain is freed once, behind its last word, and either waits or goes on by itself; but
for those that a fault ends between two words: of these the core is told nothing;
instructions are those of one chain, of its warp and its lanes, the first one
a load with tag 1, at most five; lanes of loads and stores stay in their line; only an
open chain is given up; what goes on by itself begins with its first word.]]}}
`ifdef FORMAL_NDP_BINDER_BUILD
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The queue's answers

    reg       f_asked; // an instruction was taken, without its answer
    reg       f_last;  // the last one of its chain,
    reg       f_hit;   // which is given up

    always @(posedge clk) begin
        if (rst || said_valid)
            f_asked <= 1'b0;
        else if (op_valid && op_ready)
            f_asked <= 1'b1;
        if (op_valid && op_ready) begin
            f_last <= op_tag == LAST;
            f_hit  <= op_hit;
        end
    end

    always @* if (f_past && !rst) begin
        q_said: assume (!said_valid || f_asked);
        q_taken: assume (!said_valid || said_what != TAKEN || (!f_last && !f_hit));
        q_waits: assume (!said_valid || said_what != WAITS || (f_last && !f_hit));
    end

    // ------------------------------------------------------------------
    // Offers and chains

    reg              f_chain; // a chain is built
    reg              f_more;  // words follow the last one that was offered
    reg [WAVE_W-1:0] f_warp;  // its warp,
    reg [MASK_W-1:0] f_mask;  // lanes
    reg [PC_W-1:0]   f_first; // and code address
    reg              f_fault; // the core was at fault while it was built

    wire f_word = take || pass;
    wire f_goes = offer_code[30:27] == 4'd1 || offer_code[30:27] == 4'd2;
    wire f_ends = (heard && gives && silent) || forget; // nothing is told of it

    always @(posedge clk) begin
        if (rst) begin
            f_fault <= 1'b0;
            f_chain <= 1'b0;
        end else begin
            f_fault <= busy && (fault || f_fault);
            f_chain <= take || (f_chain && !go && !f_ends);
        end
        if (take && !f_chain) begin
            f_warp  <= offer_warp;
            f_mask  <= offer_mask;
            f_first <= offer_pc;
        end
        if (f_word)
            f_more <= f_goes;
    end

    wire        f_access = op_valid && !op_hit && (op_kind == LOAD || op_kind == STORE);
    reg  [31:0] f_top; // address of the highest lane

    integer f_i;

    always @* begin
        f_top = op_address;
        for (f_i = 0; f_i < ${L.MASK_W}; f_i = f_i + 1)
            if (op_mask[f_i])
                f_top = op_address + 4 * f_i;
    end

    always @* if (f_past && !rst) begin
        p_once: assert (!(f_word && f_chain) || f_more);
        p_answers: assert (!go || (f_chain && !(pass ? f_goes : f_more)));
        p_busy: assert (busy == f_chain);
        p_asks: assert (f_asked == (phase == ASK));
        p_whose: assert (!f_chain || (warp == f_warp && mask == f_mask && first == f_first));
        p_op: assert (!op_valid || (f_chain && op_wave == f_warp && op_mask == f_mask));
        p_lanes: assert (!op_valid || op_mask != 0);
        p_first: assert (!op_valid || op_hit || (op_tag == 1) == !open);
        p_begins: assert (!op_valid || op_hit || op_tag != 1 || op_kind == LOAD);
        p_gives: assert (!(op_valid && op_hit) || (open && op_kind == LOAD));
        p_words: assert (!f_chain || (words <= 5 && !(tell && words == 5)));
        p_line: assert (!f_access || f_top[31:LINE_W] == op_address[ADDR_W-1:LINE_W]);
        p_alone: assert (!(go && go_alone) || (!waits && go_pc == f_first));
        p_none: assert (!(go && !go_alone) || (waits && go_pc == 0));
        p_silent: assert (!f_ends || ((fault || f_fault) && f_more));
        p_drop: assert (!dropping || (!open && f_more));
        c_waits: cover (waits && words == 2);
        c_refused: cover (alone && look);
        c_passed: cover (alone && pass);
        c_silent: cover (f_ends && !dropping);
        c_forget: cover (forget);
        c_given_up: cover (alone && heard && gives);
    end
`endif
