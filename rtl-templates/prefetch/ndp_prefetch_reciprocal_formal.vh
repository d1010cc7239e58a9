//% output("formal/ndp_prefetch_reciprocal_formal.vh")
${header{title = "what is proved of ndp_prefetch_reciprocal", text = [[
For every pitch and every position: the row is the quotient, and the column is
less than a bound exactly when the remainder is, stated with Verilog's own / and
%.  m and the bounds are those of the pitch, on the common scale.  Two registers
lie between inputs and outputs and nothing goes back, so that three edges from
any state are all there is.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_RECIPROCAL
    // ------------------------------------------------------------------
    // Any pitch, and any bound from 0 to the pitch

    (* anyconst *) reg [PITCH_W:0] f_pitch;
    (* anyconst *) reg [PITCH_W:0] f_bound;

    reg [${L.SIZE_W + L.PITCH_W}:0] f_m; // m times 2^(PITCH_W - s)

    always @* begin
        f_m = 0;
        case (f_pitch)
//% for pitch = 1, 1 << L.PITCH_W do
//%     local s = clog2(pitch)
        ${pitch}: f_m = ${ceil_div(1 << (L.SIZE_W + s), pitch) << (L.PITCH_W - s)};
//% end
        default: ;
        endcase
    end

    wire [${L.X_W-1}:0] f_times_m = f_bound * f_m;
    wire [${L.X_W-1}:0] f_scaled  = f_times_m[${L.X_W-1}] ? 1 << ${L.X_W-1} : f_times_m;

    always @* assume (f_pitch != 0 && f_pitch <= (1 << PITCH_W) &&
                      f_bound <= f_pitch);
    always @* assume (divisor == f_m);
    always @* assume (x_lo == f_scaled && x_hi == f_scaled &&
                      x_turn == f_scaled && x_last == f_scaled);

    // ------------------------------------------------------------------
    // The position whose division is done

    reg [SIZE_W-1:0] f_position [0:1];
    reg [1:0]        f_age; // edges since reset, up to 2

    always @(posedge clk) begin
        f_position[0] <= position;
        f_position[1] <= f_position[0];
        if (rst)
            f_age <= 2'd0;
        else if (f_age != 2'd2)
            f_age <= f_age + 1'b1;
    end

    wire [SIZE_W-1:0] f_p = f_position[1];
    wire              f_ready = f_age == 2'd2;

    always @* if (f_ready) begin
        p_row: assert (row == f_p / f_pitch);
        p_column: assert (lt_lo == (f_p % f_pitch < f_bound));
    end

    // All bounds are compared alike.
    always @* if (f_ready)
        p_alike: assert (lt_hi == lt_lo && lt_turn == lt_lo &&
                         lt_last == lt_lo);

    reg [1:0] f_found;

    always @(posedge clk) f_found <= rst ? 2'd0 : {f_found[0], found};

    always @* if (f_past)
        p_done: assert (done == f_found[1] && begun == f_found[0]);

    always @* if (f_past && !rst) begin
        c_less: cover (done && lt_hi && row > 2 && f_bound > 2);
        c_not: cover (done && !lt_hi && row > 2 && f_bound > 2);
    end
`endif
