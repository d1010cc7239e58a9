//% output("formal/ndp_link_formal.vh")
${header{title = "what is proved of ndp_link", text = [[
With a router that keeps its contract (q_room) and constants that stand (q_at): the
queue holds what came less what left, and never more than PLACES; two flits leave
at_pace edges apart, and none waits longer; a token, any flit, is at to unaltered, in
its turn and LATENCY edges after it left; credits pass unaltered; moves are those of
the others and of this link.]]}}
`ifdef FORMAL_NDP_LINK
    localparam F_W = PLACE_W + 1; // bits of a number of flits

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What is assumed

    reg [F_W-1:0]    f_in; // flits that came and have not left
    reg [7:0]        f_pace;
    reg [STACKS-1:0] f_bit;

    always @(posedge clk) begin
        f_pace <= at_pace;
        f_bit  <= at_bit;
    end

    always @* if (f_past && !rst) begin
        q_at: assume (at_pace == f_pace && at_bit == f_bit);
        q_pace: assume (at_pace != 8'd0);
        q_room: assume (!from_valid || f_in != PLACES);
    end

    // ------------------------------------------------------------------
    // Flits in the queue, and edges since one left

    reg [8:0] f_since;

    always @(posedge clk) begin
        if (rst) begin
            f_in    <= 0;
            f_since <= 9'd256;
        end else begin
            f_in    <= f_in + from_valid - leaves;
            f_since <= leaves ? 9'd1 : f_since + (f_since != 9'd256);
        end
    end

    always @* if (f_past && !rst) begin
        p_count: assert (count == f_in);
        p_most: assert (f_in <= PLACES);
        p_places: assert (tail < PLACES && head < PLACES &&
                          (head + f_in == tail || head + f_in == tail + PLACES));
        p_apart: assert (!leaves || f_since >= at_pace);
        p_leaves: assert (leaves || f_in == 0 || f_since < at_pace);
        p_pauses: assert (f_since >= at_pace ? pauses == 0 : pauses + f_since == at_pace);
        c_full: cover (f_in == PLACES);
        c_paced: cover (leaves && f_since == at_pace && at_pace > 8'd2);
    end

    // ------------------------------------------------------------------
    // A token, any flit

    (* anyseq *) reg f_pick;

    reg               f_have;    // it is in the queue,
    reg               f_gone;    // or on its way
    reg [WORD_W-1:0]  f_token;
    reg [F_W-1:0]     f_ahead;   // flits before it in the queue
    reg [AT_W-1:0]    f_at;      // its place there
    reg [LATENCY:0]   f_on;      // the register that it is in

    always @(posedge clk) begin
        f_on <= rst ? 0 : {f_on[LATENCY-1:0], 1'b0};
        if (rst) begin
            f_have <= 1'b0;
            f_gone <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - leaves;
            if (leaves && f_ahead == 0) begin
                f_have  <= 1'b0;
                f_gone  <= 1'b1;
                f_on[0] <= 1'b1;
            end
        end else if (f_gone) begin
            f_gone <= !f_on[LATENCY-1];
        end else if (from_valid && f_pick) begin
            f_have  <= 1'b1;
            f_token <= {from_data, from_y, from_x, from_last, from_vc};
            f_ahead <= f_in - leaves;
            f_at    <= tail;
        end
    end

    wire [WORD_W-1:0] f_to = {to_data, to_y, to_x, to_last, to_vc};

    always @* if (f_past && !rst) begin
        p_turn: assert (!f_have || (f_ahead < f_in && (f_at == head + f_ahead || f_at + PLACES == head + f_ahead)));
        p_on: assert (f_gone == (f_on[LATENCY-1:0] != 0));
        p_under_way: assert ((f_on[LATENCY-1:0] & ~under_way) == 0);
        p_to: assert (!f_on[LATENCY-1] || to_valid);
//% for k = 0, L.WORD_W - 1 do
        p_bit_${k}: assert (!f_on[LATENCY-1] || f_to[${k}] == f_token[${k}]);
//% end
        p_zero: assert (to_valid || f_to == 0);
        c_token: cover (f_on[LATENCY-1]);
    end

    // ------------------------------------------------------------------
    // What was before the edge

    reg               f_rst;
    reg               f_credit;
    reg [VC_W-1:0]    f_vc;
    reg [STACKS-1:0]  f_moves;
    reg [LATENCY-1:0] f_left; // a flit left so many edges ago

    always @(posedge clk) begin
        f_rst    <= rst;
        f_credit <= back_valid;
        f_vc     <= back_valid ? back_vc : 0;
        f_moves  <= others | (leaves ? at_bit : 0);
        f_left   <= rst ? 0 : (f_left << 1) | leaves;
    end

    always @* if (f_past && !f_rst) begin
        p_credit: assert (credit_valid == f_credit && credit_vc == f_vc);
        p_moves: assert (moves == f_moves);
        p_to_valid: assert (to_valid == f_left[LATENCY-1]);
        c_credit: cover (credit_valid);
    end
`endif
