//% output("formal/ndp_dies_unpack_formal.vh")
${header{title = "what is proved of ndp_dies_unpack", text = [[
Demands (q_*): what is proved of ndp_dies_pack, that a packet's completions stand from
its lowest place on, zeros in the others, and that one of n comes n edges after the
one before it at least.

Any completion that comes is given once, unaltered, behind those that came before it
and before those that come after it; as long as any is here, one is given on each edge.]]}}
`ifdef FORMAL_NDP_DIES_UNPACK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    integer f_i;
    reg [3:0] f_n;    // completions that come
    reg       f_odd;  // one stands above a place without one, or that is not zero

    always @* begin
        f_n   = 0;
        f_odd = 1'b0;
        for (f_i = 0; f_i < N; f_i = f_i + 1) begin
            f_n = f_n + data[f_i*E];
            if (data[f_i*E] ? f_n != f_i + 1 : data[f_i*E+1 +: DONE_W] != 0)
                f_odd = 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // Those that are here, and any one that comes: how many are before it

    (* anyseq *) reg       f_chosen; // one of this packet is it,
    (* anyseq *) reg [3:0] f_which;  // this

    reg [3:0]        f_since; // edges since a packet came, up to N
    reg [3:0]        f_held;  // completions here
    reg              f_known;
    reg [3:0]        f_before;
    reg [DONE_W-1:0] f_word;

    wire [3:0] f_all = f_held + (beat ? f_n : 4'd0); // with those that come
    wire       f_new = beat && f_chosen && !f_known;

    always @(posedge clk) begin
        if (rst) begin
            f_since <= N;
            f_held  <= 0;
            f_known <= 1'b0;
        end else begin
            f_since <= beat ? 1 : f_since + (f_since != N);
            f_held  <= f_all - (f_all != 0);
            if (f_new) begin
                f_known  <= f_held + f_which != 0;
                f_before <= f_held + f_which - 1'b1;
                f_word   <= data[f_which*E+1 +: DONE_W];
            end else if (f_known) begin
                f_known  <= f_before != 0;
                f_before <= f_before - 1'b1;
            end
        end
    end

    always @* if (f_past && !rst) begin
        q_packet: assume (!beat || (f_n != 0 && !f_odd));
        q_pace: assume (!beat || f_n <= f_since);
        q_which: assume (!f_new || f_which < f_n);
    end

    always @* if (f_past && !rst) begin
        p_held: assert (f_held <= N - 1 && f_held + f_since <= N + (f_since == N ? f_held : 0));
        p_room: assert (f_all <= N);
        p_order: assert (left == 0 || left[0]);
        p_given: assert (done_valid == (f_all != 0));
        p_word: assert (!f_known || f_before != 0 || (done_valid && done_word == f_word));
        p_first: assert (!(f_new && f_held + f_which == 0) || done_word == data[1 +: DONE_W]);
        p_here: assert (!f_known || f_before < f_held);
        c_full: cover (f_all == N && f_held != 0);
    end
`endif
