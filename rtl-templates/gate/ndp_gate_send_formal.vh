//% output("formal/ndp_gate_send_formal.vh")
${header{title = "what is proved of ndp_gate_send", text = [[
With sources that offer a word until it is used (q_offer) and words that have flits
(q_count): packets are not mixed; a word's flits go in their order, to the end; a
source (f_me) that could begin a packet waits for one of each other (f_it) at most.]]}}
`ifdef FORMAL_NDP_GATE_SEND
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What a source offers stays until it is used

    reg [N-1:0]         f_offer;
    reg [N-1:0]         f_lasts;
    reg [N*FLITS_W-1:0] f_counts;

    always @(posedge clk) begin
        f_offer  <= rst ? {N{1'b0}} : offer & ~take;
        f_lasts  <= lasts;
        f_counts <= counts;
    end

    reg     f_kept;
    reg     f_counted;
    integer f_i;

    always @* begin
        f_kept    = 1'b1;
        f_counted = 1'b1;
        for (f_i = 0; f_i < N; f_i = f_i + 1) begin
            if (f_offer[f_i] &&
                !(offer[f_i] && lasts[f_i] == f_lasts[f_i] &&
                  counts[f_i*FLITS_W +: FLITS_W] == f_counts[f_i*FLITS_W +: FLITS_W]))
                f_kept = 1'b0;
            if (counts[f_i*FLITS_W +: FLITS_W] == 0 ||
                counts[f_i*FLITS_W +: FLITS_W] > WORD_W / FLIT_W)
                f_counted = 1'b0;
        end
    end

    always @* if (f_past && !rst) begin
        q_offer: assume (f_kept);
        q_count: assume (f_counted);
    end

    // ------------------------------------------------------------------
    // The word that was taken last

    reg [WORD_W-1:0]  f_word;
    reg [FLITS_W-1:0] f_count;
    reg [FLITS_W-1:0] f_sent;
    reg               f_last;
    reg               f_any; // there has been one
    reg               f_open; // its packet goes on
    reg [N-1:0]       f_owner;

    always @(posedge clk) begin
        if (rst) begin
            f_any  <= 1'b0;
            f_open <= 1'b0;
        end else begin
            if (valid && ready)
                f_sent <= f_sent + 1;
            if (take != 0) begin
                f_any   <= 1'b1;
                f_word  <= next_word;
                f_count <= next_left;
                f_sent  <= 0;
                f_last  <= next_last;
                f_open  <= !next_last;
                f_owner <= take;
            end
        end
    end

    wire [WORD_W-1:0] f_rest = f_word >> (f_sent * FLIT_W);

    always @* if (f_past && !rst) begin
        p_one: assert ((take & (take - 1)) == 0 && (take & ~offer) == 0);
        p_mixed: assert (!f_open || (take & ~f_owner) == 0);
        p_owner: assert (midway == f_open && (!midway || owner == f_owner) &&
                         (owner & (owner - 1)) == 0 && (!midway || owner != 0));
        p_left: assert (!valid || (f_any && left == f_count - f_sent && f_sent < f_count));
        p_done: assert (take == 0 || !f_any || f_sent + (valid && ready) == f_count);
        p_all: assert (!f_any || valid || f_sent == f_count);
        p_word: assert (!valid || word == f_rest);
        p_last: assert (last == (valid && f_last && f_sent + 1 == f_count));
        p_goes: assert (take != 0 || !free || (midway ? (offer & owner) == 0 : offer == 0));
    end

    // ------------------------------------------------------------------
    // Who waits

    (* anyconst *) reg [N-1:0] f_me;
    (* anyconst *) reg [N-1:0] f_it;

    always @* assume (f_me != 0 && (f_me & (f_me - 1)) == 0 && f_it != 0 &&
                      (f_it & (f_it - 1)) == 0 && f_me != f_it);

    wire f_begins = take != 0 && !midway;
    reg  f_before; // it has begun a packet while I wait

    always @(posedge clk) begin
        if (rst || (offer & f_me) == 0 || (take & f_me) != 0 || (midway && owner == f_me))
            f_before <= 1'b0;
        else if (f_begins && take == f_it)
            f_before <= 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_turn: assert (!(f_before && f_begins && take == f_it));
        c_turn: cover (f_before && f_begins && take == f_me);
        c_long: cover (f_open && take != 0 && next_last);
        c_flits: cover (valid && f_count > 1 && f_sent + 1 == f_count);
    end
`endif
