//% output("formal/ndp_jobs_come_formal.vh")
${header{title = "what is proved of ndp_jobs_come", text = [[
A slot that is free stays free but for a block that begins (q_free).  A block gets a
free slot; it begins when all its registers have come, in whole rows, each once, the
lowest first, and have been written in all passes.]]}}
`ifdef FORMAL_NDP_JOBS_COME
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam PASSES = ${L.PASSES};

    reg [SLOTS-1:0]  f_taken; // before the edge, with the block that began
    reg [2*REGS-1:0] f_set;   // registers of the block
    reg [2*REGS-1:0] f_wrote; // that were written
    reg [5:0]        f_pieces;
    reg [5:0]        f_passes;
    reg              f_begun;

    integer f_i;

    always @(posedge clk) begin
        f_begun <= begins && !rst;
        for (f_i = 0; f_i < SLOTS; f_i = f_i + 1)
            f_taken[f_i] <= !rst && (taken[f_i] || (begins && slot == f_i));
        if (phase == LOOK)
            f_wrote <= 0;
        else if (done)
            f_wrote[number] <= 1'b1;
        if (phase == NEXT && fresh)
            f_set <= set;
        if (picks)
            f_pieces <= 0;
        else if (take_piece)
            f_pieces <= f_pieces + 1'b1;
        if (whole)
            f_passes <= 0;
        else if (put_valid && put_ready)
            f_passes <= f_passes + 1'b1;
    end

    wire [2*REGS-1:0] f_all = phase == NEXT && fresh ? set : f_set;

    always @* if (f_past && !rst)
        q_free: assume ((taken & ~f_taken) == 0);

    always @* if (f_past && !rst) begin
        p_phase: assert (phase <= START);
        p_slot: assert (phase == HEAD || !taken[slot]);
        p_spawn: assert (spawn_valid == f_begun);
        p_fresh: assert (!(phase == NEXT && fresh) || f_wrote == 0);
        p_left: assert (phase != NEXT || (left ^ f_wrote) == f_all && (left & f_wrote) == 0);
        p_one: assert (!(phase == ROW || phase == PUT) || ((later | f_wrote) == (f_all & ~(1 << number)) && (later & f_wrote) == 0 && f_all[number]));
        p_all: assert (!begins || f_wrote == f_set);
        p_pieces: assert (phase != ROW || (piece == FIRST << f_pieces && f_pieces < ROW_PIECES));
        p_whole: assert (phase != PUT || f_pieces == ROW_PIECES);
        p_passes: assert (!done || f_passes == PASSES);
        p_busy: assert (unused_busy == (phase == PUT));
        p_refused: assert (!take_req_ready || phase == HEAD || phase == ROW);
        p_full: assert (!(phase == HEAD && taken == {SLOTS{1'b1}}) || !take_req_ready);
        c_none: cover (begins && f_set == 0);
        c_one: cover (begins && f_set == 1);
    end
`endif
