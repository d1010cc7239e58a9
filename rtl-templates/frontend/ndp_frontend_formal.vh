//% output("formal/ndp_frontend_formal.vh")
${header{title = "what is proved of ndp_frontend", text = [[
Of what is between select and issue, with everything else open: what stands at issue is
taken by the bit of its own warp only; nothing new stands there behind a fault, nor an
illegal word, nor an access beside another; what goes into I is what F holds; the first word
of a warp is the nop.]]}}
`ifdef NDP_FRONTEND_WHOLE
    // what a decoder says
    always @* q_word: assume (!(control && to_mem) && (!store || to_mem));
`endif
`ifdef FORMAL_NDP_FRONTEND
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire [WARP_W+TAG_W+LANES-1:0] f_is = {issue_warp, issue_tag, issue_mask};

    reg                           f_stands; // it stood, and its warp was not ready
    reg [WARP_W+TAG_W+LANES-1:0]  f_was;
    reg                           f_taken; // it was taken, or nothing stood
    reg                           f_fault; // a fault had happened
    reg                           f_held;  // F held a word that did not move,
    reg [WARP_W+PC_W-1:0]         f_holds; // this one
    reg                           f_went;  // it held one that did,
    reg                           f_nop;   // ... the first of its warp
    reg                           f_bad;   // ... illegal, and not the first
    reg                           f_twice; // ... an access beside another
    reg [WARP_W+PC_W-1:0]         f_word;

    always @(posedge clk) begin
        f_stands <= !reset && issue_valid && !issue_ready[issue_warp];
        f_was   <= f_is;
        f_taken <= !reset && (!issue_valid || issue_ready[issue_warp]);
        f_fault <= faulted && !reset;
        f_held  <= !reset && f_valid && !f_moves && !faulted;
        f_holds <= {f_warp, f_pc};
        f_went  <= !reset && f_moves;
        f_nop   <= f_fresh;
        f_bad   <= !f_fresh && !legal;
        f_twice <= !f_fresh && to_mem && f_open;
        f_word  <= {f_warp, f_pc};
    end

    always @* if (f_past && !rst) begin
        p_stands: assert (!f_stands || (issue_valid && f_is == f_was));
        p_fault: assert (!(f_fault && f_taken) || !issue_valid);
        p_idle: assert (!(f_taken && !f_went) || !issue_valid);
        p_check: assert (!(f_went && (f_bad || f_twice)) || !issue_valid);
        p_word: assert (!(f_went && issue_valid && !f_nop) || {issue_warp, issue_tag} == f_word);
        p_nop: assert (!(f_went && f_nop) || (issue_valid && issue_tag == LAST &&
                       issue_mask == {LANES{1'b1}} && i_control && issue_dst[OPERAND_W-1] &&
                       issue_dst[OPERAND_W-2:0] == 0));
        p_held: assert (!f_held || (f_valid && {f_warp, f_pc} == f_holds));
        p_quiet: assert (!quiet || !(issue_valid || init_valid));
        p_kinds: assert (!(f_went && issue_valid) || !(i_control && f_nop && (i_global || i_store)));
        c_taken: cover (taken && f_goes);
        c_drop: cover (f_twice && f_went);
        c_fault: cover (faulted && issue_valid && f_valid);
    end
`endif
