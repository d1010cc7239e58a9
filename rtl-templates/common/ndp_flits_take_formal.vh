//% output("formal/ndp_flits_take_formal.vh")
${header{title = "what is proved of ndp_flits_take", text = [[
A word is dropped only while it is there (q_drop), and packets have FLITS flits at
most (q_last).  What is there is what came, shifted together flit by flit, with
zeros above; it stays until it is dropped.]]}}
`ifdef FORMAL_NDP_FLITS_TAKE
`define NDP_FLITS_TAKE_CONTRACT assume
`else
`define NDP_FLITS_TAKE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_drop: `NDP_FLITS_TAKE_CONTRACT (!drop || there);

`ifdef FORMAL_NDP_FLITS_TAKE
    reg [FLITS*FLIT_W-1:0] f_word;  // that has come
    reg [FLITS*FLIT_W-1:0] f_shift; // where its next flit goes: ones there
    reg                    f_there;

    wire [FLITS*FLIT_W-1:0] f_first = {FLIT_W{1'b1}};
    wire [FLITS*FLIT_W-1:0] f_all   = {FLITS{come_data}};

    always @(posedge clk) begin
        if (rst) begin
            f_word  <= 0;
            f_shift <= f_first;
            f_there <= 1'b0;
        end else if (take) begin
            f_word  <= (f_shift[0] ? 0 : f_word) | (f_all & f_shift);
            f_shift <= come_last ? f_first : f_shift << FLIT_W;
            f_there <= come_last;
        end else if (drop) begin
            f_there <= 1'b0;
        end
    end

    always @* if (f_past && !rst)
        q_last: assume (!come_valid || come_last || !f_shift[FLITS*FLIT_W-1]);

    // flits that have come, as a place
    integer f_i;

    reg f_place;

    always @* begin
        f_place = 1'b0;
        for (f_i = 0; f_i < FLITS; f_i = f_i + 1)
            if (f_shift == f_first << f_i * FLIT_W && at == f_i)
                f_place = 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_place: assert (f_place && (!there || f_shift[0]));
        p_there: assert (there == f_there && come_ready == !there);
        p_word: assert ((f_shift[0] && !there) || word == f_word);
        c_all: cover (there && drop && word[FLITS*FLIT_W-1]);
        c_next: cover (there && word == 0);
    end
`endif
