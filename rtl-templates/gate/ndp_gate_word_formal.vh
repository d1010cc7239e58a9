//% output("formal/ndp_gate_word_formal.vh")
${header{title = "what is proved of ndp_gate_word", text = [[
With packets that end with a word (q_last), and words that are used when they are there
(q_use): a word that is there has the flits that its packet and its place in that say,
each of them (f_at) as it came, and knows whether it is the last.]]}}
`ifdef FORMAL_NDP_GATE_WORD
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [FLITS_W-1:0] f_at;

    reg [FLITS_W-1:0] f_flits;  // of this word that have come
    reg               f_first;  // it is the first of its packet
    reg               f_is_one; // of a ComputePacket
    reg [FLIT_W-1:0]  f_flit;   // number f_at
    reg               f_ends;   // with the flit that came last

    wire f_bit = f_first && f_flits == 0 ? in_data[0] : f_is_one;
    wire [FLITS_W-1:0] f_need = f_bit ? 1 : f_first ? FIRST_FLITS : BEAT_FLITS;

    always @(posedge clk) begin
        if (rst) begin
            f_flits  <= 0;
            f_first  <= 1'b1;
            f_is_one <= 1'b0;
        end else begin
            if (taken) begin
                f_flits  <= f_flits + 1;
                f_is_one <= f_bit;
                f_ends   <= in_last;
                if (f_flits == f_at)
                    f_flit <= in_data;
            end
            if (use_it) begin
                f_flits <= 0;
                f_first <= f_ends;
            end
        end
    end

    always @* if (f_past && !rst) begin
        q_use: assume (!use_it || there);
        q_last: assume (!(taken && in_last) || f_flits + 1 == f_need);
    end

    wire ${range(L.WORD_W)} f_down = word >> (f_at * FLIT_W);

    always @* if (f_past && !rst) begin
        p_there: assert (there == (f_flits != 0 &&
                                   f_flits == (f_is_one ? 1 : f_first ? FIRST_FLITS : BEAT_FLITS)));
        p_count: assert (there || count == f_flits);
        p_most: assert (f_flits <= WORD_FLITS);
        p_place: assert (midway == !f_first && (f_flits == 0 || compute == f_is_one));
        p_last: assert (!there || last == f_ends);
        p_flit: assert (f_at >= f_flits || f_down[FLIT_W-1:0] == f_flit);
        c_head: cover (there && !compute && !midway);
        c_beat: cover (there && !compute && midway && last);
        c_packet: cover (there && compute && midway && last);
    end
`endif
