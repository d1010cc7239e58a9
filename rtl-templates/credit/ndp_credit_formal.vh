//% output("formal/ndp_credit_formal.vh")
${header{title = "what is proved of ndp_credit", text = [[
A sender that keeps its contract (q_credit) is assumed while the unit is proved
alone.  A token, any word that is ever sent, comes out unaltered and in its turn;
the memory takes every word (q_push of the queue, an obligation here); credits and
words that are held make up DEPTH.]]}}
`ifdef FORMAL_NDP_CREDIT
    localparam F_W = $clog2(DEPTH + 1);

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The sender's credits; one that comes back counts at once.

    reg  [F_W-1:0] f_kept;
    wire [F_W-1:0] f_credits = f_kept + credit_valid;

    always @(posedge clk) begin
        if (rst)
            f_kept <= DEPTH;
        else
            f_kept <= f_credits - push_valid;
    end

    always @* if (f_past && !rst) begin
        q_credit: assume (!push_valid || f_credits != 0);
    end

    // ------------------------------------------------------------------
    // Words that are held

    reg [F_W-1:0] f_words;

    wire f_left = pop_valid && pop_ready;

    always @(posedge clk) begin
        if (rst)
            f_words <= 0;
        else
            f_words <= f_words + push_valid - f_left;
    end

    always @* if (f_past && !rst) begin
        p_conserved: assert (f_credits + f_words == DEPTH);
        p_shows: assert (!pop_valid || f_words != 0);
        p_zero: assert (pop_valid || pop_data == 0);
    end

    // ------------------------------------------------------------------
    // Token

    (* anyseq *) reg f_pick; // the word sent now is the token

    reg             f_have;  // the token is held
    reg [WIDTH-1:0] f_token;
    reg [F_W-1:0]   f_ahead; // words that leave before it

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - f_left;
            f_have  <= !(f_left && f_ahead == 0);
        end else if (push_valid && f_pick) begin
            f_have  <= 1'b1;
            f_token <= push_data;
            f_ahead <= f_words - f_left;
        end
    end

    always @* if (f_past && f_have) begin
        p_unaltered: assert (!(f_ahead == 0 && pop_valid) ||
                             pop_data == f_token);
    end

    always @* if (f_past && !rst) begin
        c_full: cover (f_credits == 0);
        c_token: cover (f_have && f_left && f_ahead == 0);
        c_flow: cover (push_valid && f_left && f_credits == 1);
    end
`endif
