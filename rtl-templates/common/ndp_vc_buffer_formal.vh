//% output("formal/ndp_vc_buffer_formal.vh")
${header{title = "what is proved of ndp_vc_buffer", text = [[
Senders that have credits and takers that take what waits are assumed.  A token,
any word of any virtual channel, keeps its turn, its tag and its bits; nothing is
shown where nothing is.]]}}
`ifdef FORMAL_NDP_VC_BUFFER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [VC_W-1:0] f_vc; // any virtual channel

    always @* assume (f_vc < VCS);

    // ------------------------------------------------------------------
    // Contract

    localparam F_W = $clog2(DEPTH + 1);

    reg [F_W-1:0] f_words [0:VCS-1]; // held, by channel
    integer       f_i;

    always @(posedge clk) begin
        for (f_i = 0; f_i < VCS; f_i = f_i + 1)
            if (rst)
                f_words[f_i] <= 0;
            else
                f_words[f_i] <= f_words[f_i] + (push && push_vc == f_i) -
                                take[f_i];
    end

    always @* if (f_past && !rst) begin
        q_channel: assume (!push || push_vc < VCS);
        q_push: assume (!push || f_words[push_vc] != DEPTH);
        q_take: assume ((take & ~waiting) == 0);
        q_one: assume ((take & (take - 1'b1)) == 0);
        q_number: assume (take == 0 || take[take_vc]);
    end

    // ------------------------------------------------------------------
    // Token

    (* anyseq *) reg f_pick; // the word pushed now is the token

    reg             f_have;  // it is held
    reg             f_left;  // it has left on the last edge
    reg [WIDTH-1:0] f_token;
    reg [TAG_W-1:0] f_tag;
    reg [F_W-1:0]   f_ahead; // words that leave before it

    wire f_goes = f_have && take[f_vc] && f_ahead == 0;

    always @(posedge clk) begin
        f_left <= f_goes && !rst;
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - take[f_vc];
            f_have  <= !f_goes;
        end else if (push && push_vc == f_vc && f_pick) begin
            f_have  <= 1'b1;
            f_token <= push_word;
            f_tag   <= push_tag;
            f_ahead <= f_words[f_vc] - take[f_vc];
        end
    end

    wire [TAG_W-1:0] f_shown = tags[f_vc*TAG_W +: TAG_W];

    always @* if (f_past && !rst) begin
        p_waiting: assert (waiting[f_vc] == (f_words[f_vc] != 0));
        p_unaltered: assert (!f_left || word == f_token);
        p_tag: assert (!(f_have && f_ahead == 0) || f_shown == f_tag);
        p_there: assert (!f_have || f_ahead < f_words[f_vc]);
        p_zero: assert (waiting[f_vc] || f_shown == 0);
        c_full: cover (f_words[f_vc] == DEPTH);
        c_token: cover (f_left);
        c_flow: cover (push && take != 0 && push_vc == take_vc);
    end
`endif
