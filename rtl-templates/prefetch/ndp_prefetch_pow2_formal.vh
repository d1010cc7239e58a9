//% output("formal/ndp_prefetch_pow2_formal.vh")
${header{title = "what is proved of ndp_prefetch_pow2", text = [[
For every shift and position: row and column are quotient and remainder of a
division by the power of two.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_POW2
    (* anyconst *) reg [SHIFT_W-1:0] f_shift;

    always @* assume (f_shift <= PITCH_W);
    always @* assume (divisor == f_shift);

    reg [SIZE_W-1:0] f_position [0:1];
    reg [X_W-1:0]    f_bound;
    reg [1:0]        f_age; // edges since reset, up to 2
    reg [1:0]        f_found;

    always @(posedge clk) begin
        f_position[0] <= position;
        f_position[1] <= f_position[0];
        f_bound       <= x_turn;
        f_found       <= rst ? 2'd0 : {f_found[0], found};
        if (rst)
            f_age <= 2'd0;
        else if (f_age != 2'd2)
            f_age <= f_age + 1'b1;
    end

    wire [SIZE_W:0]   f_pitch = 1 << f_shift;
    wire [SIZE_W-1:0] f_x     = f_position[1] & (f_pitch - 1'b1);

    always @* if (f_age == 2'd2) begin
        p_row: assert (row == f_position[1] / f_pitch);
        p_column: assert (remainder == f_x);
        p_turn: assert (lt_turn == (f_x < f_bound));
    end

    always @* if (f_past)
        p_done: assert (done == f_found[1] && begun == f_found[0]);

    always @* if (f_past && !rst)
        c_done: cover (done && row == 5 && remainder == 3);
`endif
