//% output("formal/ndp_flits_send_formal.vh")
${header{title = "what is proved of ndp_flits_send", text = [[
Of a word that stands until it is done (q_stands), with as many flits as fit
(q_count): the flits are its parts in order, as many as it has, the last one
marked.]]}}
`ifdef FORMAL_NDP_FLITS_SEND
`define NDP_FLITS_SEND_CONTRACT assume
`else
`define NDP_FLITS_SEND_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg               f_stood; // a word was not done on the edge before
    reg [COUNT_W-1:0] f_count;

    always @(posedge clk) begin
        f_stood <= !rst && valid && !done;
        f_count <= count;
    end

    always @* if (f_past && !rst) begin
        q_count: `NDP_FLITS_SEND_CONTRACT (!valid || (count != 0 && count <= FLITS));
        q_stands: `NDP_FLITS_SEND_CONTRACT (!f_stood || (valid && count == f_count));
    end

`ifdef FORMAL_NDP_FLITS_SEND
    // Bits of the word that have gone, as a mask that grows by a flit.
    reg [FLITS*FLIT_W-1:0] f_gone;

    wire [FLITS*FLIT_W-1:0] f_flit = (f_gone << FLIT_W | {FLIT_W{1'b1}}) & ~f_gone;

    always @(posedge clk) begin
        if (rst || done)
            f_gone <= 0;
        else if (valid && ready)
            f_gone <= f_gone | f_flit;
    end

    // Flits that are gone, in ones from the lowest bit on.
    integer f_i;

    reg [FLITS:0]          f_ones; // of count, and of those that are gone
    reg [FLITS*FLIT_W-1:0] f_here; // the flit at its place

    always @* begin
        f_ones = 0;
        for (f_i = 0; f_i < FLITS; f_i = f_i + 1)
            f_ones = f_ones + f_gone[f_i*FLIT_W];
        f_here = data << f_ones * FLIT_W;
    end

    always @* if (f_past && !rst) begin
        p_at: assert (at == f_ones && (!valid || at < count));
        p_data: assert (!valid || f_here == (word & f_flit));
        p_last: assert (last == (valid && f_ones + 1 == count));
        p_zero: assert (valid || {last, data} == 0);
        c_all: cover (done && count == FLITS);
        c_one: cover (done && count == 1);
    end
`endif
