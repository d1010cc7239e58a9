//% output("formal/ndp_vault_formal.vh")
//% local per_line = L.LINE // 4
${header{title = "what is proved of ndp_vault", text = [[
Of the window, whatever the units do: of whom is demanded that they take no turn for a
word that is not theirs.  A word goes to the unit, the sector and the place that
arithmetic makes of its address, stays as it came until it has been carried out, and
what is read is that word of what the unit has read.]]}}
`ifdef FORMAL_NDP_VAULT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [29:0] f_address; // of the word that was taken last
    reg        f_write;
    reg [31:0] f_data;
    reg        f_held;    // it has not had its turn

    wire f_turn = w_goes != 0;

    always @(posedge clk) begin
        if (takes) begin
            f_address <= win_address;
            f_write   <= win_write;
            f_data    <= win_data;
        end
        f_held <= !rst && (takes || (f_held && !f_turn));
    end

    wire [29:0] f_own  = f_address / ${per_line * L.UNITS} * ${per_line} + f_address % ${per_line};
    wire [29:0] f_unit = f_address / ${per_line} % UNITS;

    reg f_turned; // a turn was on the edge before
    reg f_reads;  // a word is to be shown
    reg f_there;
    reg [29:0] f_read_unit;
    reg [29:0] f_read_word;

    always @(posedge clk) begin
        f_turned    <= !rst && f_turn;
        f_reads     <= !rst && f_turned && !f_write;
        f_there     <= f_own < ${L.SECTORS} * WORDS;
        f_read_unit <= f_unit;
        f_read_word <= f_own % WORDS;
    end

    always @* if (f_past && !rst) begin
        q_turn: assume ((w_goes & ~({{(UNITS-1){1'b0}}, w_held} << w_unit)) == 0);
    end

    always @* if (f_past && !rst) begin
        p_held: assert (w_held == f_held && win_ready == !f_held);
        p_word: assert (!(w_held || w_begun) || (w_write == f_write && w_data == f_data));
        p_unit: assert (!(w_held || w_begun) || w_unit == f_unit);
        p_sector: assert (!(w_held || w_begun) || !w_there || w_sector == f_own / WORDS);
        p_place: assert (!(w_held || w_begun) || w_word == f_own % WORDS);
        p_there: assert (!(w_held || w_begun) || w_there == (f_own < ${L.SECTORS} * WORDS));
        p_begun: assert (w_begun == f_turned);
        p_read: assert (read_valid == f_reads);
        p_data: assert (read_data == (f_reads && f_there ? sectors[32*(f_read_unit*WORDS + f_read_word) +: 32] : 32'd0));
        c_read: cover (read_valid && read_data != 0);
        c_write: cover (w_begun && w_write && w_there);
        c_beyond: cover (read_valid && !f_there);
        c_next: cover (read_valid && w_held);
    end
`endif
