//% output("formal/ndp_broker_share_formal.vh")
${header{title = "what is proved of ndp_broker_share", text = [[
A packet begins with its first flit, for a warp without a block away (q_first), and
stands until it is taken (q_kept); the own node stays (q_still); an acknowledgement is that of a block that has gone
(q_back).  Blocks at a stack are counted right, never more than the share and never
fewer than none; a first flit that is held enters once, and nothing before it.]]}}
`ifdef FORMAL_NDP_BROKER_SHARE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract

    reg             f_inside; // a packet has begun, and not ended
    reg             f_stood;  // a flit was not taken
    reg [STACK_W:0] f_tx;     // what it was
    reg [WARPS-1:0] f_asks;   // warps whose first flit was taken,
    reg [WARPS-1:0] f_gone;   // has entered the queue

    integer f_i;

    always @(posedge clk) begin
        f_stood <= !rst && tx_valid && !tx_ready;
        f_tx    <= {tx_head, tx_stack};
        if (rst) begin
            f_inside <= 1'b0;
            f_asks   <= 0;
            f_gone   <= 0;
        end else begin
            if (taken)
                f_inside <= !tx_last;
            for (f_i = 0; f_i < WARPS; f_i = f_i + 1) begin
                f_asks[f_i] <= (taken && tx_head && tx_data[WARP_W-1:0] == f_i) ||
                               (f_asks[f_i] && !(back && back_warp == f_i));
                f_gone[f_i] <= (sends && whose == f_i) ||
                               (f_gone[f_i] && !(back && back_warp == f_i));
            end
        end
    end

    reg              f_waits; // a flit was not taken by the mesh
    reg [FLIT_W-1:0] f_flit;

    always @(posedge clk) begin
        f_waits <= !rst && send_req_valid && !send_req_ready;
        f_flit  <= send_req_data;
    end

    always @* if (f_past && !rst) begin
        q_still: assume (at_node == here);
        q_first: assume (!tx_valid || (tx_head ? !f_inside && tx_data[WARP_W-1:0] < WARPS && !f_asks[tx_data[WARP_W-1:0]] : f_inside));
        q_kept: assume (!f_stood || (tx_valid && {tx_head, tx_stack} == f_tx));
        q_back: assume (!back || (back_warp < WARPS && f_gone[back_warp]));
    end

    // ------------------------------------------------------------------
    // Blocks of any stack

    (* anyconst *) reg [STACK_W-1:0] f_stack;

    reg [WARPS-1:0]            f_there;  // warps whose block is at it
    reg [$clog2(WARPS+1)-1:0] f_number; // of them

    always @* begin
        f_number = 0;
        for (f_i = 0; f_i < WARPS; f_i = f_i + 1) begin
            f_there[f_i] = f_gone[f_i] && stack_of[STACK_W*f_i +: STACK_W] == f_stack;
            f_number     = f_number + f_there[f_i];
        end
    end

    wire [HOMES*SENT_W-1:0] f_counts; // of all stacks

    generate
        for (s = 0; s < HOMES; s = s + 1) begin : f_home
            assign f_counts[SENT_W*s +: SENT_W] = home[s].sent;
        end
    endgenerate

    wire [SENT_W-1:0] f_sent = f_counts[SENT_W*f_stack +: SENT_W];

    always @* if (f_past && !rst) begin
        p_share: assert (f_sent <= SHARE);
        p_count: assert (f_sent == f_number);
        p_some: assert (!back || f_counts[SENT_W*back_stack +: SENT_W] != 0);
        p_kept: assert (!f_waits || (send_req_valid && send_req_data == f_flit));
        p_room: assert (!goes || room);
        p_alone: assert (!held || !tx_ready);
        p_held: assert (!held || (held_last == !f_inside && f_asks[held_data[WARP_W-1:0]] && !f_gone[held_data[WARP_W-1:0]]));
        p_waits: assert (!waits || full[tx_stack]);
        p_asks: assert ((f_gone & ~f_asks) == 0);
        c_held: cover (held && f_sent == SHARE);
        c_ends: cover (ends);
        c_both: cover (sends && back);
    end
`endif
