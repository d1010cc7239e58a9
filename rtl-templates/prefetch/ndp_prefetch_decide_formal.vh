//% output("formal/ndp_prefetch_decide_formal.vh")
${header{title = "what is proved of ndp_prefetch_decide", text = [[
The decision against the rules of the note, written as they stand there: outside
of the part, base stride, modified stride and one base stride more before the
last block, end of the walk.  Two registers lie between inputs and outputs and
nothing goes back, so that three edges from any state are all there is.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_DECIDE
    // ------------------------------------------------------------------
    // The walk as it was one edge ago

    reg [ADDR_W-1:0]       f_address;
    reg                    f_axis;
    reg signed [STRIDE_W-1:0] f_base;
    reg signed [STRIDE_W-1:0] f_modified;
    reg [ROW_W-1:0]        f_lo;
    reg [ROW_W-1:0]        f_hi;
    reg [ROW_W-1:0]        f_turn;
    reg [ROW_W-1:0]        f_last;

    reg f_live; // an edge has passed since reset

    always @(posedge clk) begin
        f_live     <= !rst;
        f_address  <= address;
        f_axis     <= axis;
        f_base     <= base;
        f_modified <= modified;
        f_lo       <= y_lo;
        f_hi       <= y_hi;
        f_turn     <= y_turn;
        f_last     <= y_last;
    end

    // ------------------------------------------------------------------
    // Rules

    wire f_outside = lt_lo || !lt_hi || row < f_lo || row >= f_hi;
    wire f_next    = f_axis ? row < f_turn : lt_turn;
    wire f_other   = f_axis ? lt_turn : row < f_turn;
    wire f_before  = f_axis ? row < f_last : lt_last;

    // Sign-extended; targets wrap in ADDR_W bits.
    wire signed [ADDR_W-1:0] f_base_step = f_base;
    wire signed [ADDR_W-1:0] f_turn_step = f_modified;

    reg [ADDR_W-1:0] f_step;

    always @* begin
        if (f_next)
            f_step = f_base_step;
        else if (f_before)
            f_step = f_base_step + f_turn_step;
        else
            f_step = f_turn_step;
    end

    wire [ADDR_W-1:0] f_to = f_address + f_step;

    reg              f_valid;
    reg              f_ready; // two edges have passed
    reg [ADDR_W-1:0] f_target;
    reg [ADDR_W-1:0] f_demand;

    always @(posedge clk) begin
        f_valid  <= !rst && f_live && done && !f_outside && (f_next || f_other);
        f_ready  <= !rst && f_live;
        f_target <= f_to;
        f_demand <= f_address;
    end

    always @* if (f_live) begin
        p_outside: assert (outside == (done && f_outside));
        p_ended: assert (ended == (done && !f_outside && !f_next &&
                                   !f_other));
    end

    always @* if (f_past) begin
        p_valid: assert (!f_ready || target_valid == f_valid);
        p_target: assert (!f_valid || target == f_target);
        p_own: assert (!f_valid || own_line == f_demand[ADDR_W-1:${L.BYTE_W}]);
    end

    // How the walk is held: helps the proof.
    always @* if (f_live) begin
        p_held: assert (from == f_address && along_y == f_axis &&
                        ~not_lo == f_lo && ~not_hi == f_hi &&
                        ~not_turn == f_turn && ~not_last == f_last);
        p_next: assert (next_target == from + f_base_step);
        p_turn: assert (turn_target == from + f_turn_step);
        p_both: assert (both_steps == f_base_step + f_turn_step);
    end

    always @* if (f_past && !rst) begin
        c_cut: cover (target_valid && done && f_before && !f_next &&
                      f_modified < 0);
        c_ended: cover (ended);
    end
`endif
