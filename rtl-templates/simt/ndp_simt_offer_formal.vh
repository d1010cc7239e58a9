//% local P, A = L.PASSES, L.ALUS
//% output("formal/ndp_simt_offer_formal.vh")
${header{title = "what is proved of ndp_simt_offer", text = [[
An offer stands as it is until it is taken, is zero where there is none, and is made once
a word, of all passes, while it may be shown.  What it says of a row and of equal
operands holds in any active lane.  That the engine goes through the passes, and that a
word stands still until its end, is their contract (q_).]]}}
`ifdef FORMAL_NDP_SIMT_OFFER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_W = WARP_W + PC_W + LANES + 131;

    wire [F_W-1:0] f_now = {offer_warp, offer_pc, offer_code, offer_mask, offer_a, offer_b,
                            offer_in_row, offer_same_a, offer_same_b};

    reg           f_stands; // it was not taken
    reg [F_W-1:0] f_fields;
    reg           f_new;    // it was made on the edge before
    reg           f_settled;
    reg           f_works;
    reg           f_begun;  // a word is under way
    reg [${L.PASS_W}:0]     f_passes; // of it that were looked at
    reg [LANES-1:0] f_active;

    // any lane, and its operands as its pass was looked at
    (* anyconst *) reg [LANE_W-1:0] f_l;

    reg [31:0] f_a; // its
    reg [31:0] f_b;
    reg [31:0] f_lead_a; // the lowest lane's
    reg [31:0] f_lead_b;

//% if P > 1 then
    wire f_here = f_l[LANE_W-1:${ALU_W}] == pass;
    wire f_first = lead[LANE_W-1:${ALU_W}] == pass;
//% else
    wire f_here = 1'b1;
    wire f_first = 1'b1;
//% end
//% local low = ALU_W > 0
    wire [31:0] f_of_a = ${low and "a[f_l[" .. ALU_W - 1 .. ":0]*32 +: 32]" or "a"};
    wire [31:0] f_of_b = ${low and "b[f_l[" .. ALU_W - 1 .. ":0]*32 +: 32]" or "b"};
    wire [31:0] f_of_lead_a = ${low and "a[lead[" .. ALU_W - 1 .. ":0]*32 +: 32]" or "a"};
    wire [31:0] f_of_lead_b = ${low and "b[lead[" .. ALU_W - 1 .. ":0]*32 +: 32]" or "b"};
    wire [29:0] f_far = {${30 - LANE_W}'d0, f_l} - {${30 - LANE_W}'d0, lead};

    always @(posedge clk) begin
        f_stands  <= offer_valid && !offer_ready && !rst;
        f_fields  <= f_now;
        f_new     <= ends && !rst;
        f_settled <= settled;
        f_works   <= works;
        f_active  <= active;
        if (rst)
            f_begun <= 1'b0;
        else
            f_begun <= begins || (f_begun && !ends);
        if (begins)
            f_passes <= 0;
        else if (look)
            f_passes <= f_passes + 1;
        if (look && f_here) begin
            f_a <= f_of_a;
            f_b <= f_of_b;
        end
        if (look && f_first) begin
            f_lead_a <= f_of_lead_a;
            f_lead_b <= f_of_lead_b;
        end
    end

    // what the word was, for the offer that is new
    reg [31:0] f_old_a, f_old_b, f_old_lead_a, f_old_lead_b;
    reg        f_old_wrong;
    reg        f_wrong;
    reg [29:0] f_old_far;
    reg        f_old_active, f_old_some;

    always @(posedge clk) begin
        if (begins)
            f_wrong <= wrong;
        f_old_a      <= f_a;
        f_old_b      <= f_b;
        f_old_lead_a <= f_lead_a;
        f_old_lead_b <= f_lead_b;
        f_old_wrong  <= f_wrong;
        f_old_far    <= f_far;
        f_old_active <= active[f_l];
        f_old_some   <= some;
    end

    reg [LANE_W-1:0] f_was_lead;

    always @(posedge clk) f_was_lead <= lead;

    always @* if (f_past && !rst) begin
        q_works: assume (!works || f_begun);
        q_begins: assume (!begins || (!f_begun && !works));
        q_pass: assume (!look || pass == f_passes[${L.PASS_W - 1}:0]);
        q_some: assume (some == (active != 0));
        q_wrong: assume (!begins || !wrong || some);
        q_lead: assume (!some || (active & (~active + 1'b1)) == ({{(LANES-1){1'b0}}, 1'b1} << lead));
        q_kept: assume (!f_begun || (active == f_active && lead == f_was_lead));
        q_lanes: assume (!look || lanes == ${P > 1 and "active[pass*ALUS +: ALUS]" or "active"});
    end

    always @* if (f_past && !rst) begin
        p_stands: assert (!f_stands || (offer_valid && f_now == f_fields));
        p_zero: assert (offer_valid || f_now == 0);
        p_settled: assert (!f_new || (offer_valid && f_settled && f_works));
        p_passes: assert (!(f_begun && looked) || f_passes == ${P});
        p_looks: assert (!(f_begun && !looked) || f_passes < ${P});
        p_same_a: assert (!(f_new && f_old_active && offer_same_a) ||
                          f_old_a == offer_a);
        p_same_b: assert (!(f_new && f_old_active && offer_same_b) ||
                          f_old_b == offer_b);
        p_row: assert (!(f_new && f_old_active && offer_in_row) ||
                       (!f_old_wrong && f_old_a == offer_a + {f_old_far, 2'b00}));
        p_lead_a: assert (!(f_new && f_old_some) || offer_a == f_old_lead_a);
        p_lead_b: assert (!(f_new && f_old_some) || offer_b == f_old_lead_b);
        p_none: assert (!(f_new && !f_old_some) || (offer_a == 0 && offer_b == 0 &&
                        offer_in_row && offer_same_a && offer_same_b));
        c_taken: cover (f_new && f_stands == 0 && offer_mask == {LANES{1'b1}} && offer_in_row);
        c_held: cover (f_stands && works && looked && settled && !ends);
        c_late: cover (works && looked && !settled && free);
        c_same: cover (f_new && offer_same_a && offer_same_b && !offer_in_row);
    end
`endif
