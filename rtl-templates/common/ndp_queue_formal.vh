//% output("formal/ndp_queue_formal.vh")
${header{title = "what is proved of ndp_queue", text = [[
Contract of the user (q_*): assumed when the queue is proved alone, asserted of
every queue inside another module.

A twin counts words as the contract states it (timing included); a token, any
word that is ever pushed, has to come out unaltered after the words that were
there before it and before all later ones.]]}}
`ifdef FORMAL_NDP_QUEUE
`define NDP_QUEUE_CONTRACT assume
`else
`define NDP_QUEUE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_push: `NDP_QUEUE_CONTRACT (!push || can_push);

`ifdef FORMAL_NDP_QUEUE
    // ------------------------------------------------------------------
    // Twin: words in the memory, and whether the output holds one.

    reg [COUNT_W:0] f_count;
    reg             f_out;

    wire f_load = f_count != 0 && (!f_out || pop);

    always @(posedge clk) begin
        if (rst) begin
            f_count <= 0;
            f_out   <= 1'b0;
        end else begin
            f_count <= f_count + push - f_load;
            f_out   <= f_load || (f_out && !pop);
        end
    end

    always @* if (f_past) begin
        p_count: assert (count == f_count && f_count <= DEPTH);
        p_timing: assert (out_valid == f_out);
        p_can_push: assert (can_push == (f_count < DEPTH));
    end

    // ------------------------------------------------------------------
    // Token

    (* anyseq *) reg f_pick; // the word pushed now is the token

    reg             f_have;  // the token is in the queue
    reg [WIDTH-1:0] f_token;
    reg [COUNT_W:0] f_ahead; // words that leave before it

    wire [COUNT_W:0] f_words = f_count + f_out;
    wire             f_left  = f_out && pop;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - f_left;
            f_have  <= !(f_left && f_ahead == 0);
        end else if (push && f_pick) begin
            f_have  <= 1'b1;
            f_token <= in_word;
            f_ahead <= f_words - f_left;
        end
    end


    always @* if (f_past && f_have) begin
        p_not_lost: assert (f_ahead < f_words);
        p_unaltered: assert (!(f_ahead == 0 && out_valid) ||
                             out_word == f_token);
    end

    always @* if (f_past && !rst) begin
        c_full: cover (f_count == DEPTH && f_out);
        c_token: cover (f_have && f_left && f_ahead == 0);
        c_flow: cover (f_have && push && f_left);
    end
`endif
