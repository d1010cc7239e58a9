//% output("formal/ndp_bist_formal.vh")
${header{title = "what is proved of ndp_bist", text = [[
The block under test is in reset, with inputs of zero, unless an edge is played;
what is under way belongs to a run, in one piece; each edge that is played enters
the signature once, in order, with the outputs that it left; a run ends with the
first signature that is not expected.]]}}
`ifdef FORMAL_NDP_BIST
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Rest, and the steps of a pass in one piece

    wire [5:0] f_steps = {fetching, fetched, playing, shown, folding, ending};

    always @* if (f_past) begin
        p_rest: assert (playing || (stim_rst && stim_bits == 0));
        p_idle: assert (busy || f_steps == 0);
        p_differs: assert (!busy || !differs);
        p_piece: assert (f_steps == 6'b000000 || f_steps == 6'b100000 ||
                         f_steps == 6'b110000 || f_steps == 6'b111000 ||
                         f_steps == 6'b111100 || f_steps == 6'b111110 ||
                         f_steps == 6'b010000 || f_steps == 6'b011000 ||
                         f_steps == 6'b011100 || f_steps == 6'b011110 ||
                         f_steps == 6'b001000 || f_steps == 6'b001100 ||
                         f_steps == 6'b001110 || f_steps == 6'b000100 ||
                         f_steps == 6'b000110 || f_steps == 6'b000010 ||
                         f_steps == 6'b000001);
    end

    // ------------------------------------------------------------------
    // What the edges of a pass left, and when the last word was fetched

    reg [31:0]      f_togo; // words of the pass that are not fetched
    reg             f_folds;
    reg [31:0]      f_signature;
    reg [OUT_W-1:0] f_resp;
    reg             f_shown;
    reg             f_busy;
    reg             f_wrong;
    reg             f_ends;

    always @(posedge clk) begin
        f_togo      <= rst ? 32'd0 : command_stop ? f_togo :
                       begins ? length : f_togo - fetching;
        f_folds     <= !rst && folding && !command_stop;
        f_signature <= {signature[30:0], 1'b0} ^ (signature[31] ? 32'h04c11db7 : 0) ^ fold;
        f_resp      <= resp_bits;
        f_shown     <= !rst && shown && !command_stop;
        f_busy      <= !rst && busy && !command_stop;
        f_wrong     <= signature != expected;
        f_ends      <= !rst && ending && !command_stop;
    end

    always @* if (f_past && !rst) begin
        p_togo: assert (togo == f_togo);
        p_all: assert (!ending || f_togo == 0);
        p_fold: assert (!f_folds || signature == f_signature);
        p_seen: assert (!f_shown || seen == f_resp);
        p_stops: assert (!f_ends || !f_wrong || (differs && !busy));
        p_right: assert (!f_ends || f_wrong || !differs);
        p_on: assert (!f_busy || busy || f_ends);
    end

    // ------------------------------------------------------------------
    // What can happen

    always @* if (f_past) begin
        c_played: cover (busy && playing && !stim_rst);
        c_again: cover (f_ends && busy);
        c_differs: cover (differs);
        c_right: cover (f_ends && !busy && !differs);
    end
`endif
