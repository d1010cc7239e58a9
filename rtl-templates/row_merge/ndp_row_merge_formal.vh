//% output("formal/ndp_row_merge_formal.vh")
${header{title = "what is proved of ndp_row_merge", text = [[
With sources whose rows stand until they are taken (q_*): each row is shown once, as it
came, and its source is told once, after it was taken; who waits has its turn after at
most one row of the other.]]}}
`ifdef FORMAL_NDP_ROW_MERGE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire [WARP_W+REG_W+33*LANES-1:0] f_init = {init_warp, init_reg, init_mask, init_row};
    wire [WARP_W+REG_W+33*LANES-1:0] f_load = {load_warp, load_reg, load_mask, load_data};
    wire [WARP_W+REG_W+33*LANES-1:0] f_row  = {row_warp, row_reg, row_mask, row_row};

    reg f_init_waits;
    reg f_load_waits;
    reg [WARP_W+REG_W+33*LANES-1:0] f_init_was;
    reg [WARP_W+REG_W+33*LANES-1:0] f_load_was;
    reg [1:0] f_others; // rows of the other that left while a source waited
    reg f_held;         // the row was not taken
    reg f_told;         // a row was taken on the last edge

    always @(posedge clk) begin
        f_init_waits <= !rst && init_valid && !init_ready;
        f_load_waits <= !rst && load_valid && !load_ready;
        f_init_was   <= f_init;
        f_load_was   <= f_load;
        f_held       <= !rst && row_valid && !row_ready;
        f_told       <= !rst && leaves;
        if (rst || !(load_valid && !load_ready))
            f_others <= 2'd0;
        else if (leaves && !of_load)
            f_others <= f_others + 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_init: assume (!f_init_waits || (init_valid && f_init == f_init_was));
        q_load: assume (!f_load_waits || (load_valid && f_load == f_load_was));
    end

    always @* if (f_past && !rst) begin
        p_row: assert (!row_valid || (of_load ? load_valid && f_row == f_load : init_valid && f_row == f_init));
        p_zero: assert (row_valid || f_row == 0);
        p_held: assert (!f_held || row_valid);
        p_told: assert ((init_ready || load_ready) == f_told && !(init_ready && load_ready));
        p_once: assert (!(takes_init && init_ready) && !(takes_load && load_ready));
        p_whose: assert (!f_told || load_ready == of_load);
        p_turn: assert (!(takes && init_wants && load_wants) || takes_load != of_load);
        p_waits: assert (f_others <= 1);
        c_meet: cover (takes_load && init_wants);
        c_again: cover (takes_init && !of_load);
        c_turn: cover (f_others == 1 && takes_load);
    end
`endif
