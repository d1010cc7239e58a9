//% output("formal/ndp_nic_send_formal.vh")
${header{title = "what is proved of ndp_nic_send", text = [[
Assumed: no more credits come back than were spent.  What goes up had a credit, is
what stood at the end of its class's queue, and is in a virtual channel of that
class; a class that could go waits for one flit of the other at most.]]}}
`ifdef FORMAL_NDP_NIC_SEND
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [VC_W-1:0] f_vc; // any virtual channel

    always @* assume (f_vc < VCS);

    localparam F_W = $clog2(DEPTH + 2);

    reg  [F_W-1:0] f_held;
    wire           f_spent = goes && vc == f_vc;
    wire           f_back  = up_credit_valid && up_credit_vc == f_vc;

    always @(posedge clk) begin
        if (rst)
            f_held <= 0;
        else
            f_held <= f_held + f_spent - f_back;
    end

    always @* if (f_past && !rst)
        q_credit: assume (!f_back || f_held != 0);

    // ------------------------------------------------------------------
    // What was chosen on the edge before

    reg              f_went;
    reg              f_ans;
    reg [WORD_W-1:0] f_word;
    reg              f_req_waited; // could go and did not
    reg              f_ans_waited;

    always @(posedge clk) begin
        f_went       <= !rst && goes;
        f_ans        <= ans_goes;
        f_word       <= ans_goes ? ans_word : req_word;
        f_req_waited <= !rst && req_able && !req_goes;
        f_ans_waited <= !rst && ans_able && !ans_goes;
    end

    always @* if (f_past && !rst) begin
        p_credit: assert (!f_spent || f_held < DEPTH);
        p_conserved: assert (f_held <= DEPTH);
        p_goes: assert (up_valid == f_went);
        p_unaltered: assert (!up_valid ||
                             {up_data, up_y, up_x, up_last} == f_word);
        p_class: assert (!up_valid || (up_vc >= VCS / 2) == f_ans);
        p_one: assert (!(req_goes && ans_goes));
        p_zero: assert (up_valid || {up_vc, up_data, up_y, up_x, up_last} == 0);
        p_req_turn: assert (!f_req_waited || !req_able || req_goes);
        p_ans_turn: assert (!f_ans_waited || !ans_able || ans_goes);
        c_spent: cover (f_held == DEPTH);
        c_turns: cover (f_req_waited && req_goes);
        c_alone: cover (req_waits && !req_able && ans_goes);
    end
`endif
