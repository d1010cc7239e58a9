//% output("formal/ndp_offload_queue_formal.vh")
${header{title = "what is proved of ndp_offload_queue", text = [[
The contract of the user is assumed when the queue is proved alone, asserted
inside another module.  A word that is pushed, any, comes out unaltered after
those before it; one that is only offered leaves no trace.]]}}
`ifdef FORMAL_NDP_OFFLOAD_QUEUE
`define NDP_OFFLOAD_QUEUE_CONTRACT assume
`else
`define NDP_OFFLOAD_QUEUE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_offer: `NDP_OFFLOAD_QUEUE_CONTRACT (!offer || count < DEPTH);
        q_push: `NDP_OFFLOAD_QUEUE_CONTRACT (!push || offer);
    end

`ifdef FORMAL_NDP_OFFLOAD_QUEUE
    (* anyseq *) reg f_pick; // the word pushed now is the token

    reg             f_have;  // the token is in the queue
    reg [WIDTH-1:0] f_token;
    reg [COUNT_W:0] f_ahead; // words that leave before it
    reg [COUNT_W:0] f_count; // twin of the words in the memory
    reg             f_out;   // ... and at the output

    wire            f_load  = f_count != 0 && (!f_out || pop);
    wire            f_left  = f_out && pop;
    wire [COUNT_W:0] f_words = f_count + f_out;

    always @(posedge clk) begin
        if (rst) begin
            f_have  <= 1'b0;
            f_count <= 0;
            f_out   <= 1'b0;
        end else begin
            f_count <= f_count + push - f_load;
            f_out   <= f_load || (f_out && !pop);
            if (f_have) begin
                f_ahead <= f_ahead - f_left;
                f_have  <= !(f_left && f_ahead == 0);
            end else if (push && f_pick) begin
                f_have  <= 1'b1;
                f_token <= in_word;
                f_ahead <= f_words - f_left;
            end
        end
    end

    always @* if (f_past) begin
        p_count: assert (count == f_count && f_count <= DEPTH);
        p_timing: assert (out_valid == f_out);
        p_not_lost: assert (!f_have || f_ahead < f_words);
        p_unaltered: assert (!(f_have && f_ahead == 0 && out_valid) ||
                             out_word == f_token);
    end

    always @* if (f_past && !rst) begin
        c_full: cover (f_count == DEPTH && f_out);
        c_token: cover (f_have && f_left && f_ahead == 0);
        c_offered: cover (f_have && offer && !push && f_ahead != 0);
    end
`endif
