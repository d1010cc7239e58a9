//% local P, A = L.PASSES, L.ALUS
//% output("formal/ndp_simt_put_formal.vh")
${header{title = "what is proved of ndp_simt_put", text = [[
The passes of a result enter the row as 0, 1, ... with what was put, none while a response
writes a row; the ticket is taken only while it is free, and no pass of a next result
before this one is gone.  A core at fault refuses nothing.  What ticket and port do is
their contract (q_).]]}}
`ifdef FORMAL_NDP_SIMT_PUT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // the twin: ticket, passes that were taken and that entered
    reg        f_used;
    reg        f_issued;
    reg [${L.PASS_W}:0] f_taken;
    reg [${L.PASS_W}:0] f_entered;
    reg        f_pred;
    reg [LANES-1:0] f_mask;
    reg [32*ALUS-1:0] f_data; // of the pass last taken
    (* anyseq *) reg f_return; // the ticket becomes free

    wire f_takes = put_valid && put_ready && !faulted;

    always @(posedge clk) begin
        if (rst) begin
            f_used   <= 1'b0;
            f_issued <= 1'b0;
        end else begin
            f_used   <= take || (f_used && !f_return);
            f_issued <= enter_last || (f_issued && !take);
        end
        if (f_takes) begin
            f_taken <= f_used ? f_taken + 1 : 1;
            f_data  <= put_data;
        end
        if (take) begin
            f_entered <= 0;
            f_pred    <= put_pred;
            f_mask    <= put_mask;
        end else if (enter)
            f_entered <= f_entered + 1;
    end

    always @* if (f_past && !rst) begin
        q_ticket: assume (used == f_used && issued == f_issued);
        q_return: assume (!f_return || (f_used && f_issued && !full));
        q_last: assume (!f_takes || put_last == ((f_used ? f_taken : 0) == ${P - 1}));
    end

    wire [LANES-1:0] f_lanes = {${P > 1 and "{(LANES-ALUS){1'b0}}, " or ""}{ALUS{1'b1}}};

    always @* if (f_past && !rst) begin
        p_take: assert (!take || !f_used);
        p_row: assert (!(enter && answer));
        p_full: assert (!full || (f_used && !f_issued && f_taken == f_entered + 1));
        p_empty: assert (!(f_used && !full) || f_taken == f_entered);
        p_pass: assert (!enter || enter_lanes == f_lanes << (f_entered * ALUS));
        p_end: assert (!enter || enter_last == (f_entered == ${P - 1}));
        p_most: assert (!f_used || (f_taken <= ${P} && (f_issued == (f_entered == ${P}))));
        p_data: assert (!(enter && !f_pred) || enter_words == f_data);
        p_bit: assert (!(enter && f_pred) || enter_words == (f_data & {ALUS{32'd1}}));
        p_kept: assert (!f_used || (pred == f_pred && lanes == f_mask));
        p_fault: assert (!faulted || put_ready);
        p_next: assert (!(put_ready && !faulted) || !f_used || !f_issued);
        c_waits: cover (full && answer);
        c_done: cover (f_return && f_pred);
        c_forgets: cover (put_valid && put_ready && f_issued && f_used);
    end
`endif
