//% output("formal/ndp_nda_launch_formal.vh")
${header{title = "what is proved of ndp_nda_launch", text = [[
Of any one rank: each part goes to it once.  The parts of a row follow each other from
the vector's begin to its end, and there are as many rows as there should be.  No packet
goes to a rank that the operation does not name, and no rank has too many.  Ranks that end what they have got
and nothing else are assumed (q_).]]}}
`ifdef FORMAL_NDP_NDA_LAUNCH
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Any one rank: packets that it has got and not ended

    (* anyconst *) reg [RANK_W-1:0] f_rank;

    reg [OPEN_W:0] f_has;

    wire f_gets = packet_valid && packet_ready && packet_rank == f_rank;
    wire f_ends = ends && ended_rank == f_rank;

    always @(posedge clk) begin
        if (rst)
            f_has <= {(OPEN_W+1){1'b0}};
        else
            f_has <= f_has + {{OPEN_W{1'b0}}, f_gets} - {{OPEN_W{1'b0}}, f_ends};
    end

    // ------------------------------------------------------------------
    // What has gone out of this operation

    wire f_sends = sends && rank == f_rank;

    reg              f_got;   // the rank has this part
    reg [SPOT_W-1:0] f_sum;   // bursts of the row in the parts before
    reg [1:0]        f_rows;  // rows before
    reg [1:0]        f_all;   // rows of the operation
    reg [SPOT_W-1:0] f_begin; // first burst of x
    reg [SPOT_W-1:0] f_x;     // where the next part has to begin
    reg [SPOT_W-1:0] f_z;
    reg              f_over;  // beyond all addresses

    wire [SPOT_W:0] f_z_on = {1'b0, f_z} + {1'b0, size};

    always @(posedge clk) begin
        if (taken || part_on)
            f_got <= 1'b0;
        else if (f_sends)
            f_got <= 1'b1;

        if (taken) begin
            f_sum   <= ZERO;
            f_rows  <= 2'd0;
            f_all   <= op_op == GEMV ? op_rows[1:0] : 2'd1;
            f_begin <= op_base[SPOT_W-1:0];
            f_x     <= op_base[SPOT_W-1:0];
            f_z     <= op_base[2*SPOT_W+:SPOT_W];
            f_over  <= 1'b0;
        end else if (part_on) begin
            f_sum  <= f_sum + size == length ? ZERO : f_sum + size;
            f_rows <= f_rows + {1'b0, f_sum + size == length};
            f_x    <= f_sum + size == length ? f_begin : f_x + size;
            f_z    <= f_z_on[SPOT_W-1:0];
            f_over <= f_over || f_z_on[SPOT_W];
        end
    end

    wire f_named = ranks[f_rank];

    always @* if (f_past && !rst) begin
        q_ends: assume (!f_ends || f_has != {(OPEN_W+1){1'b0}});
        q_rows: assume (op_rows < 8'd4);
    end

    // ------------------------------------------------------------------
    // What holds on each edge.  The one is shown with the other: all of it may be
    // assumed of the edges before, since what fails first would fail then.

    wire [OPEN_W-1:0] f_open = unfinished[f_rank*OPEN_W+:OPEN_W];
    wire              f_here = packet_valid && packet_rank == f_rank;

    wire is_most  = f_open <= UNFINISHED[OPEN_W-1:0];
    wire is_open  = (f_open != {OPEN_W{1'b0}} || !f_here) &&
                    f_has == {1'b0, f_open} - {{OPEN_W{1'b0}}, f_here};
    wire is_named = state != SEND || ranks[rank];
    wire is_each  = !(state == SEND && f_named) || f_got == (rank > f_rank);
    wire is_sum   = state != SEND || (rest != ZERO && {1'b0, f_sum} + {1'b0, rest} == {1'b0, length});
    wire is_rows  = state != SEND || (rows < 8'd4 && {1'b0, f_rows} + rows[2:0] + 3'd1 == {1'b0, f_all});
    wire is_x     = state != SEND || (at[SPOT_W-1:0] == f_x && begin_x == f_begin);
    wire is_z     = state != SEND || (at[2*SPOT_W+:SPOT_W] == f_z && beyond[2] == f_over);
    wire is_all   = !(part_on && all) || (f_sum + size == length && f_rows + 2'd1 == f_all &&
                                          (!f_named || f_got || f_sends));

//% local names = {"most", "open", "named", "each", "sum", "rows", "x", "z", "all"}
    reg f_so_far = 1'b1; // all of it held on every edge before

    always @(posedge clk)
        f_so_far <= f_so_far && (!f_past || rst || (
//% for i, name in ipairs(names) do
            is_${name}${i < #names and " &&" or "));"}
//% end

    always @* if (f_past && !rst) begin
        q_so_far: assume (f_so_far);
//% for _, name in ipairs(names) do
        p_${name}: assert (is_${name});
//% end

        c_row: cover (sends && row_on);
        c_wait: cover (state == WAIT && busy == {RANKS{1'b0}});
        c_short: cover (sends && latest && rest < grain && f_sum != ZERO);
        c_beyond: cover (sends && beyond[2]);
    end
`endif
