//% output("formal/ndp_prefetch_iterative_formal.vh")
${header{title = "what is proved of ndp_prefetch_iterative", text = [[
For every pitch and every position: SIZE_W edges after the division began, the
row is the quotient and the column the remainder, by the invariant of long
division.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_ITERATIVE
    (* anyconst *) reg [PITCH_W:0] f_pitch;

    always @* assume (f_pitch != 0 && f_pitch <= (1 << PITCH_W));
    always @* assume (divisor == f_pitch);

    // ------------------------------------------------------------------
    // Twin: the position, and how many of its bits have been used

    reg [SIZE_W-1:0] f_position;
    reg [STEP_W:0]   f_used; // 0: no division is under way

    always @(posedge clk) begin
        if (rst)
            f_used <= 0;
        else if (found)
            f_used <= 1;
        else if (f_used != 0)
            f_used <= f_used == SIZE_W ? 0 : f_used + 1'b1;
        if (found)
            f_position <= position;
    end

    // Contract: a division is left to its end.
    always @* assume (!found || f_used == 0 || f_used == SIZE_W);

    wire [SIZE_W-1:0] f_begin = f_position >> (SIZE_W - f_used);
    wire [SIZE_W-1:0] f_so_far = quotient & ~({SIZE_W{1'b1}} << f_used);

    always @* if (f_past) begin
        p_used: assert (f_used <= SIZE_W);
        p_steps: assert (steps == (f_used == 0 ? 0 : SIZE_W - f_used));
        p_done: assert (done == (f_used == SIZE_W));
    end

    always @* if (f_past && f_used != 0) begin
        p_rest: assert (remainder < f_pitch);
        p_division: assert (f_begin == f_so_far * f_pitch + remainder);
        p_left: assert ((quotient >> f_used) ==
                        (f_position & ({SIZE_W{1'b1}} >> f_used)));
    end

    always @* if (f_past && done) begin
        p_row: assert (row == quotient);
        p_lo: assert (lt_lo == (remainder < x_lo));
        p_hi: assert (lt_hi == (remainder < x_hi));
    end

    always @* if (f_past && !rst) begin
        c_done: cover (done && row == 5 && remainder == 3);
        c_again: cover (done && found);
    end
`endif
