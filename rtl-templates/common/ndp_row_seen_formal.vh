//% output("formal/ndp_row_seen_formal.vh")
${header{title = "what is proved of ndp_row_seen", text = [[
Passes come LANES / ALUS for a row, all of a register or all of a predicate (q_kind),
and the row is not changed among them (q_shift).  Then any lane has the value of its
pass, at its place, and bits above those of a predicate are zero.]]}}
`ifdef FORMAL_NDP_ROW_SEEN
    reg f_past = 1'b0; // a clock edge has passed
    reg f_rst  = 1'b1; // the first one has not

    always @(posedge clk) begin
        f_past <= 1'b1;
        f_rst  <= 1'b0;
    end

    localparam PASSES = LANES / ALUS;
    localparam F_W    = $clog2(PASSES + 1);

    (* anyconst *) reg [$clog2(LANES):0] f_lane; // any lane

    always @* assume (f_lane < LANES);

    reg [F_W-1:0] f_count; // passes that have come
    reg           f_pred;
    reg [31:0]    f_value;
    reg           f_have;  // that of the lane has come

    wire          f_whole = f_count == PASSES;
    wire [31:0]   f_now   = data[32*(f_lane % ALUS) +: 32];
    wire          f_is_it = f_count % PASSES == f_lane / ALUS;

    always @(posedge clk) begin
        if (f_rst || shift) begin
            f_count <= 0;
            f_have  <= 1'b0;
        end else if (take) begin
            f_count <= f_whole ? 1 : f_count + 1'b1;
            f_pred  <= pred;
            f_have  <= f_is_it || (f_have && !f_whole);
            if (f_is_it)
                f_value <= f_now;
        end
    end

    always @* if (f_past) begin
        q_kind: assume (!take || f_count == 0 || f_whole || pred == f_pred);
        q_shift: assume (!shift || f_count == 0 || f_whole);
        q_one: assume (!shift || !take);
    end

    // where it stands
    wire [31:0] f_at = f_lane + LANES - f_count * ALUS;

    wire [32*LANES-1:0] f_words = row >> 32 * f_at;
    wire [32*LANES-1:0] f_bits  = row >> f_at;

    always @* if (f_past && !f_rst) begin
        p_count: assert (f_count <= PASSES);
        p_have: assert (!f_have || f_count > f_lane / ALUS);
        p_whole: assert (!f_whole || f_have);
        p_word: assert (!f_have || f_pred || f_words[31:0] == f_value);
        p_bit: assert (!f_have || !f_pred || f_bits[0] == f_value[0]);
        p_above: assert (f_count == 0 || !f_pred || row[32*LANES-1:LANES] == 0);
        c_word: cover (f_whole && !f_pred && f_words[31:0] == 32'd77);
        c_bit: cover (f_whole && f_pred && f_bits[0]);
    end
`endif
