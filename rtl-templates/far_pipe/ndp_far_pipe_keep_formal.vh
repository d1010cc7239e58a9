//% output("formal/ndp_far_pipe_keep_formal.vh")
${header{title = "what is proved of ndp_far_pipe_keep", text = [[
Demands on the user (q_*), asserted inside another module: one goes when there is one,
and no more come than there is room for.

Any word that comes (f_picks) is noted with how many are before it; it goes after them,
as it came.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_KEEP
`define NDP_FAR_PIPE_KEEP_CONTRACT assume
`else
`define NDP_FAR_PIPE_KEEP_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_goes: `NDP_FAR_PIPE_KEEP_CONTRACT (!goes || valid);
        q_room: `NDP_FAR_PIPE_KEEP_CONTRACT (!comes || goes || !there[DEPTH-1]);
    end

`ifdef FORMAL_NDP_FAR_PIPE_KEEP
    (* anyseq *) reg f_picks; // what comes on this edge is the one that is followed

    reg [7:0]       f_count; // words that are kept
    reg             f_has;   // the followed one is,
    reg [WIDTH-1:0] f_word;  // it,
    reg [7:0]       f_ahead; // and those before it

    wire f_new = comes && f_picks && !f_has && (goes ? f_count != 0 : 1'b1);

    always @(posedge clk) begin
        f_count <= rst ? 0 : f_count + comes - goes;
        if (rst)
            f_has <= 1'b0;
        else
            f_has <= f_new || (f_has && !(goes && f_ahead == 0));
        if (f_new)
            f_word <= come;
        f_ahead <= f_new ? f_count - goes : f_ahead - goes;
    end

    integer f_i;
    reg [7:0] f_there; // places that are taken
    reg       f_front; // none behind a free one

    always @* begin
        f_there = 0;
        f_front = 1'b1;
        for (f_i = 0; f_i < DEPTH; f_i = f_i + 1) begin
            f_there = f_there + there[f_i];
            if (f_i > 0 && there[f_i] && !there[f_i - 1])
                f_front = 1'b0;
        end
    end

    always @* if (f_past && !rst) begin
        p_count: assert (f_count == f_there && f_front);
        p_valid: assert (valid == (f_count != 0 || comes));
        p_ahead: assert (!f_has || f_ahead < f_count);
        p_stays: assert (!f_has || words[f_ahead*WIDTH +: WIDTH] == f_word);
        p_first: assert (!(f_has && f_ahead == 0) || first == f_word);
        p_at_once: assert (f_count != 0 || !comes || first == come);
        c_full: cover (f_count == DEPTH && comes && goes && f_has && f_ahead == 0);
        c_at_once: cover (f_count == 0 && comes && goes);
    end
`endif
