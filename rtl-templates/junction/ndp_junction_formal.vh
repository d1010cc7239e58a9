//% output("formal/ndp_junction_formal.vh")
${header{title = "what is proved of ndp_junction", text = [[
Users' flits stand until they are taken (q_kept).  The owner changes at the end of
a packet only; what enters the queue is the flit of a user that sees it taken, and
never of both; a user with a flit waits for one packet of the other at most.  What
comes is at the user that its packet's first flit says, a packet of one user never
among flits of the other.]]}}
`ifdef FORMAL_NDP_JUNCTION
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

//% for _, c in ipairs{{"req", "ask", "asked"}, {"ans", "reply", "replied"}} do
//%     local class, goes, comes = c[1], c[2], c[3]
    // ------------------------------------------------------------------
    // ${class}: packets that go

    reg              f_${class}_inside; // a packet has been begun
    reg              f_${class}_whose;  // whose: 1 shared memory
    reg [1:0]        f_${class}_chain_waits; // packets of the other that have ended while chains waited
    reg [1:0]        f_${class}_share_waits;
    reg              f_${class}_chain_stood; // a flit was not taken
    reg              f_${class}_share_stood;
    reg [SEND_W-1:0] f_${class}_chain_flit;
    reg [SEND_W-1:0] f_${class}_share_flit;

    wire f_${class}_chain = chain_${goes}_valid && chain_${goes}_ready;
    wire f_${class}_share = share_${goes}_valid && share_${goes}_ready;

    always @(posedge clk) begin
        f_${class}_chain_stood <= !rst && chain_${goes}_valid && !chain_${goes}_ready;
        f_${class}_share_stood <= !rst && share_${goes}_valid && !share_${goes}_ready;
        f_${class}_chain_flit  <= ${class}_chain_flit;
        f_${class}_share_flit  <= ${class}_share_flit;
        if (rst) begin
            f_${class}_inside      <= 1'b0;
            f_${class}_chain_waits <= 2'd0;
            f_${class}_share_waits <= 2'd0;
        end else begin
            if (f_${class}_chain || f_${class}_share) begin
                f_${class}_inside <= f_${class}_share ? !share_${goes}_last : !chain_${goes}_last;
                f_${class}_whose  <= f_${class}_share;
            end
            if (!chain_${goes}_valid || f_${class}_chain)
                f_${class}_chain_waits <= 2'd0;
            else if (f_${class}_share && share_${goes}_last)
                f_${class}_chain_waits <= f_${class}_chain_waits + 1'b1;
            if (!share_${goes}_valid || f_${class}_share)
                f_${class}_share_waits <= 2'd0;
            else if (f_${class}_chain && chain_${goes}_last)
                f_${class}_share_waits <= f_${class}_share_waits + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_${class}_chain_kept: assume (!f_${class}_chain_stood || (chain_${goes}_valid && ${class}_chain_flit == f_${class}_chain_flit));
        q_${class}_share_kept: assume (!f_${class}_share_stood || (share_${goes}_valid && ${class}_share_flit == f_${class}_share_flit));
    end

    always @* if (f_past && !rst) begin
        p_${class}_one: assert (!(chain_${goes}_ready && share_${goes}_ready));
        p_${class}_room: assert ((chain_${goes}_ready || share_${goes}_ready) == ${class}_room);
        p_${class}_whole: assert (!f_${class}_inside || !(f_${class}_whose ? f_${class}_chain : f_${class}_share));
        p_${class}_enters: assert (${class}_taken == (f_${class}_chain || f_${class}_share));
        p_${class}_flit: assert (!${class}_taken || ${class}_flit == (f_${class}_share ? ${class}_share_flit : ${class}_chain_flit));
        p_${class}_chain_turn: assert (f_${class}_chain_waits < 2);
        p_${class}_share_turn: assert (f_${class}_share_waits < 2);
        c_${class}_turn: cover (f_${class}_chain && f_${class}_chain_waits == 1);
        c_${class}_paused: cover (f_${class}_inside && f_${class}_whose && !share_${goes}_valid && chain_${goes}_valid);
    end

    // ------------------------------------------------------------------
    // ${class}: packets that have come

    reg f_${class}_in_chain; // a packet has been begun at its user
    reg f_${class}_in_share;

    always @(posedge clk) begin
        if (rst) begin
            f_${class}_in_chain <= 1'b0;
            f_${class}_in_share <= 1'b0;
        end else begin
            if (chain_${comes}_valid && chain_${comes}_ready)
                f_${class}_in_chain <= !chain_${comes}_last;
            if (share_${comes}_valid && share_${comes}_ready)
                f_${class}_in_share <= !share_${comes}_last;
        end
    end

    always @* if (f_past && !rst) begin
        p_${class}_to_share: assert (!share_${comes}_valid || f_${class}_in_share || share_${comes}_data[MARK_W-1:0] == SHARED);
        p_${class}_to_chain: assert (!chain_${comes}_valid || f_${class}_in_chain || chain_${comes}_data[MARK_W-1:0] != SHARED);
        p_${class}_apart: assert (!(f_${class}_in_share && chain_${comes}_valid) && !(f_${class}_in_chain && share_${comes}_valid));
        c_${class}_to_share: cover (share_${comes}_valid && f_${class}_in_share);
        c_${class}_to_chain: cover (chain_${comes}_valid && f_${class}_in_chain);
    end

//% end
`endif
