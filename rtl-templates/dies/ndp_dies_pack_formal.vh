//% output("formal/ndp_dies_pack_formal.vh")
${header{title = "what is proved of ndp_dies_pack", text = [[
Whatever comes: any completion that is taken is in one packet, behind those taken before it and before
those taken after it, unaltered; a packet stands until it is taken; one of n has n edges
since the one before it at least, which is what ndp_dies_unpack has to have.]]}}
`ifdef FORMAL_NDP_DIES_PACK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Completions here, and any one of them: its place

    (* anyseq *) reg f_chosen; // it is the one that is taken on this edge

    reg [3:0]        f_held;  // completions here
    reg              f_known; // it was chosen and is here
    reg [3:0]        f_place; // ... how many are before it
    reg [DONE_W-1:0] f_word;
    reg [3:0]        f_since; // edges since a packet was taken, up to N
    reg              f_waits; // a packet was not taken

    integer f_i;
    reg [3:0] f_n;     // in the packet
    reg       f_empty; // a place without one is not zero

    always @* begin
        f_n     = 0;
        f_empty = 1'b0;
        for (f_i = 0; f_i < N; f_i = f_i + 1) begin
            f_n = f_n + data[f_i*E];
            if (!data[f_i*E] && data[f_i*E+1 +: DONE_W] != 0)
                f_empty = 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            f_held  <= 0;
            f_known <= 1'b0;
            f_since <= N;
            f_waits <= 1'b0;
        end else begin
            f_held  <= (sent ? 0 : f_held) + done_taken;
            f_since <= sent ? 1 : f_since + (f_since != N);
            f_waits <= valid && !ready;
            if (sent)
                f_known <= f_chosen && done_taken;
            else if (f_chosen && done_taken)
                f_known <= 1'b1;
            if (f_chosen && done_taken && (sent || !f_known)) begin
                f_place <= sent ? 0 : f_held;
                f_word  <= done_word;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_held: assert (f_n == f_held && f_held <= N && valid == (f_held != 0));
        p_order: assert (there == ({N{1'b1}} & ~({N{1'b1}} << f_held)));
        p_word: assert (!f_known || (f_place < f_held && data[f_place*E +: E] == {f_word, 1'b1}));
        p_zero: assert (!f_empty);
        p_stands: assert (!f_waits || valid);
        p_pace: assert (f_n <= f_since);
        p_room: assert (!(done_valid && !done_taken) || (f_held == N && !sent));
        c_full: cover (f_held == N && sent && done_taken);
    end
`endif
