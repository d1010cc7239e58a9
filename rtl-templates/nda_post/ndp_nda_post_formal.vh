//% output("formal/ndp_nda_post_formal.vh")
${header{title = "what is proved of ndp_nda_post", text = [[
Of any one rank: its packets stand there as they came, one by one, and none is lost; its
ends come out as they were, and no other rank passes one twice.  A packet that is the same until
it is taken, with its rank, is assumed (q_).]]}}
`ifdef FORMAL_NDP_NDA_POST
    localparam F_W = RANK_W + 3 + SPOT_W + 8 + 1 + 8*SPOT_W + 96;
    localparam F_E = RANK_W + 8 + 1 + 2 + 32;

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [RANK_W-1:0] f_rank;

    // ------------------------------------------------------------------
    // Ports of that rank

    wire [F_W-1:0] f_in = {packet_rank, packet_op, packet_length, packet_tag, packet_final, packet_base,
                           packet_last, packet_scalars};

    reg           f_valid;
    reg           f_ready;
    reg [F_W-1:0] f_out;
    reg           f_ended;
    reg           f_asked;
    reg [F_E-1:0] f_end;

    always @* begin
        case (f_rank)
//% for r = L.RANKS - 1, 0, -1 do
            ${r == 0 and "default" or clog2(L.RANKS) .. "'d" .. r}: begin
                f_valid = packet${r}_valid;
                f_ready = packet${r}_ready;
                f_out   = {packet${r}_rank, packet${r}_op, packet${r}_length, packet${r}_tag, packet${r}_final,
                           packet${r}_base, packet${r}_last, packet${r}_scalars};
                f_ended = ended${r}_valid;
                f_asked = ended${r}_ready;
                f_end   = {ended${r}_rank, ended${r}_tag, ended${r}_final, ended${r}_cause, ended${r}_value};
            end
//% end
        endcase
    end

    // The launch leaves a packet as it is until it is taken.
    reg           f_stood;
    reg [F_W-1:0] f_was;

    always @(posedge clk) begin
        f_stood <= !rst && packet_valid && !packet_ready;
        f_was   <= f_in;
    end

    always @* if (f_past && !rst) begin
        q_stands: assume (!f_stood || (packet_valid && f_in == f_was));
    end

    // ------------------------------------------------------------------
    // Packets: what was taken for the rank and is not yet given to it

    wire f_take = takes && packet_rank == f_rank;
    wire f_give = f_valid && f_ready;

    reg [1:0]     f_held;
    reg [F_W-1:0] f_kept;

    always @(posedge clk) begin
        if (rst)
            f_held <= 2'd0;
        else
            f_held <= f_held + {1'b0, f_take} - {1'b0, f_give};
        if (f_take)
            f_kept <= f_in;
    end

    // ------------------------------------------------------------------
    // Ends: the one that was taken last, and how many of others passed

    wire [F_E-1:0] f_told = {ended_rank, ended_tag, ended_final, ended_cause, ended_value};
    wire           f_gone = ended_valid && ended_ready;

//% local gives = {}
//% for r = L.RANKS - 1, 0, -1 do gives[#gives + 1] = "ended" .. r .. "_valid && ended" .. r .. "_ready" end
    wire [RANKS-1:0] f_gives = {${table.concat(gives, ", ")}};

    reg            f_own;   // the end that stands is of that rank
    reg            f_some;  // one stands
    reg [F_E-1:0]  f_last;
    reg [RANK_W:0] f_passed;
    reg [RANK_W-1:0] f_turns; // from its turn to that of the rank

    always @* f_turns = f_rank - turn;

    always @(posedge clk) begin
        if (rst || !f_ended || f_asked)
            f_passed <= {(RANK_W+1){1'b0}};
        else if (f_gives != {RANKS{1'b0}})
            f_passed <= f_passed + 1'b1;

        if (rst) begin
            f_some <= 1'b0;
            f_own  <= 1'b0;
        end else if (f_gives != {RANKS{1'b0}}) begin
            f_some <= 1'b1;
            f_own  <= f_ended && f_asked;
        end else if (f_gone) begin
            f_some <= 1'b0;
            f_own  <= 1'b0;
        end
        if (f_ended && f_asked)
            f_last <= f_end;
    end

    always @* if (f_past && !rst) begin
        p_conserved: assert (f_held == {1'b0, f_valid});
        p_room: assert (!f_take || !f_valid);
        p_same: assert (!f_valid || f_out == f_kept);
        p_own: assert (!packet_ready || packet_valid);
        p_ends: assert (ended_valid == f_some);
        p_end: assert (!f_own || f_told == f_last);
        p_one: assert ((f_gives & (f_gives - 1'b1)) == {RANKS{1'b0}});
        p_none: assert (!ended_valid || f_gives == {RANKS{1'b0}});
        p_turn: assert ({1'b0, f_turns} + f_passed < RANKS[RANK_W:0]);

        c_full: cover (stands == {RANKS{1'b1}} && packet_valid);
        c_passes: cover (f_valid && takes && !f_take);
        c_waits: cover (f_passed == RANKS[RANK_W:0] - 1'b1);
        c_both: cover (f_take && f_gone);
    end
`endif
