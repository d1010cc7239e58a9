//% output("formal/ndp_nda_window_formal.vh")
${header{title = "what is proved of ndp_nda_window", text = [[
A launch is answered what the note's table says, which stands here once more, operand by
operand.  What enters the queue is the packet, any operand of it; what stands at op is
the queue's word, field by field.  Twins count both queues with their timing, and what
ended in any one rank.  The queues and the registers are proved by themselves.]]}}
`ifdef FORMAL_NDP_NDA_WINDOW
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What a launch is answered

    wire f_given  = wb_cyc && wb_stb && !wb_ack && wb_we && wb_sel == 15;
//% for _, c in ipairs(iface.commands) do
    wire f_${c.name} = f_given && wb_adr == ${c.address};
//% end

    reg [3:0] f_has;

    always @* begin
        case (what[3:0])
            4'd0, 4'd4:       f_has = 4'b0111;
            4'd1:             f_has = 4'b1111;
            4'd2, 4'd3, 4'd5: f_has = 4'b0011;
            4'd8:             f_has = 4'b0101;
            default:          f_has = 4'b0001;
        endcase
    end

    reg [31:0] f_all; // addresses and sizes that count, one over the other
    reg        f_same;
    reg [2:0]  f_verdict;

    always @* begin
        f_all  = length | grain | x | x_last;
        f_same = ranks[3:0] != 0 && ranks[3:0] < (1 << RANKS);
//% for k, name in ipairs{"y", "z", "w"} do
        if (f_has[${k}]) begin
            f_all  = f_all | ${name} | ${name}_last;
            f_same = f_same && ranks[${4 * k}+:4] == ranks[3:0];
        end
//% end
        f_verdict = 0;
        if (f_count == SLOTS)                                 f_verdict = 6;
        if (!f_same)                                          f_verdict = 5;
        if (f_all >> PLACE_W != 0)                            f_verdict = 4;
        if (f_all % 64 != 0)                                  f_verdict = 3;
        if (length == 0 || (what[3:0] == 8 && what[23:16] == 0)) f_verdict = 2;
        if (what[3:0] > 8)                                    f_verdict = 1;
    end

    wire f_takes = f_launch && f_verdict == 0;

    reg [2:0] f_answer;

    always @(posedge clk)
        f_answer <= rst ? 0 : f_launch ? f_verdict : f_answer;

    // ------------------------------------------------------------------
    // Queues: words in the memory, and whether the output holds one

    reg [7:0] f_count, f_waits;
    reg       f_out, f_shows;

    wire f_enters    = done_valid && done_ready;
    wire f_load      = f_count != 0 && (!f_out || op_ready);
    wire f_load_end  = f_waits != 0 && (!f_shows || f_take);

    always @(posedge clk) begin
        if (rst) begin
            f_count <= 0;
            f_waits <= 0;
            f_out   <= 0;
            f_shows <= 0;
        end else begin
            f_count <= f_count + f_takes - f_load;
            f_waits <= f_waits + f_enters - f_load_end;
            f_out   <= f_load || (f_out && !op_ready);
            f_shows <= f_load_end || (f_shows && !f_take);
        end
    end

    // ------------------------------------------------------------------
    // Any operand, any rank

    (* anyconst *) reg [1:0] f_operand;
    (* anyconst *) reg [1:0] f_rank;

    wire [31:0] f_first = f_operand == 0 ? x : f_operand == 1 ? y : f_operand == 2 ? z : w;
    wire [31:0] f_last  = f_operand == 0 ? x_last : f_operand == 1 ? y_last :
                          f_operand == 2 ? z_last : w_last;

    localparam F_SPOT_W = PLACE_W - BYTE_W;
    localparam F_SIZES  = 4 + RANKS;             // where fields begin in a packet
    localparam F_BASES  = F_SIZES + 2 * F_SPOT_W + 17;
    localparam F_LASTS  = F_BASES + 4 * F_SPOT_W;

    reg [7:0] f_ended;

    always @(posedge clk)
        f_ended <= rst ? 0 : f_ended + (f_enters && done_final && done_rank == f_rank);

    always @* if (f_past) begin
        p_answer: assert (answer == f_answer);
        p_takes: assert (takes == f_takes);
        p_room: assert (fits == (f_count < SLOTS) && f_count <= SLOTS && valid == f_out);
        p_ends: assert (done_ready == (f_waits < ENDS) && f_waits <= ENDS && notice == f_shows);
        p_first: assert (packet[F_BASES+f_operand*F_SPOT_W+:F_SPOT_W] == (f_first >> 6) % (1 << F_SPOT_W));
        p_last: assert (packet[F_LASTS+f_operand*F_SPOT_W+:F_SPOT_W] == (f_last >> 6) % (1 << F_SPOT_W));
        p_sizes: assert (packet[F_SIZES+:F_SPOT_W] == (length >> 6) % (1 << F_SPOT_W) &&
                         packet[F_SIZES+F_SPOT_W+:F_SPOT_W] == (grain >> 6) % (1 << F_SPOT_W));
        p_what: assert (packet[3:0] == what[3:0] && packet[4+:RANKS] == ranks[RANKS-1:0] &&
                        packet[F_SIZES+2*F_SPOT_W+:17] == {what[15:8], what[4], what[23:16]});
        p_scalars: assert (packet[PACKET_W-1-:96] == {c, b, a});
        p_op: assert (!op_valid || (op_op == oldest[3:0] && op_ranks == oldest[4+:RANKS] &&
                                    op_length == oldest[F_SIZES+:F_SPOT_W] &&
                                    op_grain == oldest[F_SIZES+F_SPOT_W+:F_SPOT_W] &&
                                    {op_tag, op_blocking, op_rows} == oldest[F_SIZES+2*F_SPOT_W+:17] &&
                                    op_base == oldest[F_BASES+:4*F_SPOT_W] &&
                                    op_last == oldest[F_LASTS+:4*F_SPOT_W] &&
                                    op_scalars == oldest[PACKET_W-1-:96]));
        p_zero: assert (op_valid || {op_op, op_ranks, op_length, op_grain, op_tag, op_blocking, op_rows,
                                     op_base, op_last, op_scalars} == 0);
        p_end: assert (end_shown[0] == notice &&
                       (!notice || {value_shown, end_shown[15:8], end_shown[4+:RANK_W], end_shown[3:1]} == told) &&
                       (notice || {value_shown, end_shown} == 0));
        p_ended: assert (f_rank >= RANKS || completed[8*f_rank+:8] == f_ended);
    end

    always @* if (f_past && !rst) begin
        c_taken: cover (op_valid && op_op == 8);
        c_full: cover (answer == FULL);
        c_apart: cover (answer == APART);
        c_end: cover (f_ended == 2 && !notice);
    end
`endif
