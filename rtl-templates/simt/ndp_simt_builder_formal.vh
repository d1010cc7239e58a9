//% output("formal/ndp_simt_builder_formal.vh")
${header{title = "what is proved of ndp_simt_builder", text = [[
One warp at a time is the builder: it becomes that with a word that goes to D while
nobody else is, and is it until it is freed.  A warp carries a chain out by itself
from when it is told to until a word behind the chain.  Any warp, followed.  That the
check keeps a word back while another warp is the builder is its contract (q_), and
that of who computes chains is what the note wants.]]}}
`ifdef FORMAL_NDP_SIMT_BUILDER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [WARP_W-1:0] f_w;

    // the twins
    reg f_mine;  // the warp is the builder
    reg f_other; // another one is
    reg f_known; // alone of the warp has a value
    reg f_alone; // and this one
    reg f_freed; // the builder was freed on the edge before
    reg f_had;   // there was one before it

    wire f_word  = accepted && offer;
    wire f_frees = go_valid && go_frees;

    always @(posedge clk) begin
        if (rst || start) begin
            f_mine  <= 1'b0;
            f_other <= 1'b0;
        end else if (f_word) begin
            f_mine  <= warp == f_w;
            f_other <= warp != f_w;
        end else if (f_frees) begin
            f_mine  <= 1'b0;
            f_other <= 1'b0;
        end
        f_freed <= !rst && f_frees;
        f_had   <= !rst && builds;
    end

    always @(posedge clk) begin
        if (rst)
            f_known <= 1'b0;
        else if (go_valid && go_moves && go_warp == f_w) begin
            f_known <= 1'b1;
            f_alone <= go_alone;
        end else if (init_done && init_warp == f_w) begin
            f_known <= 1'b1;
            f_alone <= 1'b0;
        end else if (accepted && warp == f_w && chain != 4'd1 && chain != 4'd2 && !f_mine)
            f_alone <= 1'b0;
    end

    always @* if (f_past && !rst) begin
        q_warp: assume (f_w < WARPS && warp < WARPS && go_warp < WARPS && init_warp < WARPS);
        q_shut: assume (!(f_word && shut));
        q_frees: assume (!f_frees || (builds && !f_word));
        q_moves: assume (!(go_valid && go_moves && accepted && warp == go_warp));
        q_init: assume (!(init_done && ((accepted && warp == init_warp) ||
                                        (go_valid && go_moves && go_warp == init_warp))));
    end

    always @* if (f_past && !rst) begin
        p_one: assert (!(f_mine && f_other));
        p_builder: assert (f_mine == (builds && builder == f_w));
        p_other: assert (f_other == (builds && builder != f_w));
        p_freed: assert (!(f_freed && f_had) || !builds);
        p_word: assert (!(warp == f_w && f_mine) || offer);
        p_shut: assert (!(warp == f_w && f_other) || shut);
        p_alone: assert (!f_known || alone[f_w] == f_alone);
        p_itself: assert (!(warp == f_w && f_known && f_alone && !f_mine) || !offer);
        p_first: assert (!(warp == f_w && f_known && !f_alone && chain == 4'd1) || offer);
        p_plain: assert (!(offer && chain != 4'd1) || builder == warp);
        p_next: assert (next == (f_word && (chain == 4'd1 || chain == 4'd2)));
        p_favoured: assert (favoured[f_w] == f_mine);
        c_second: cover (f_mine && f_word && chain == 4'd2);
        c_shut: cover (offer && shut);
        c_itself: cover (f_known && f_alone && chain == 4'd3 && accepted && warp == f_w);
    end
`endif
