//% output("formal/ndp_near_pipe_select_formal.vh")
${header{title = "what is proved of ndp_near_pipe_select", text = [[
Of any two lanes (f_a below f_b): who wins is the lowest of its bank, and who goes
without winning wants the very word of who wins there.]]}}
`ifdef FORMAL_NDP_NEAR_PIPE_SELECT
    (* anyconst *) reg [LANE_W-1:0] f_a;
    (* anyconst *) reg [LANE_W-1:0] f_b;

    wire [WORD_W-1:0] f_at_a = places[f_a*WORD_W +: WORD_W];
    wire [WORD_W-1:0] f_at_b = places[f_b*WORD_W +: WORD_W];
    wire              f_bank = f_at_a[LANE_W-1:0] == f_at_b[LANE_W-1:0]; // they share one
    wire              f_word = f_at_a == f_at_b;
    wire              f_both = f_a < f_b && ask[f_a] && ask[f_b];

    always @* begin
        p_asks: assert (((wins | goes) & ~ask) == 0);
        p_wins: assert ((wins & ~goes) == 0);
        p_some: assert (ask == 0 || wins != 0);
        p_low: assert (!(f_both && f_bank && wins[f_b]));
        p_first: assert (!(ask[f_a] && (ask & ~({LANES{1'b1}} << f_a)) == 0) || wins[f_a]);
        p_apart: assert (!(f_both && !f_bank && wins[f_a] && ask == (1 << f_a | 1 << f_b)) || wins[f_b]);
        p_same: assert (!(f_both && f_bank && wins[f_a]) || goes[f_b] == f_word);
        p_alone: assert ((ask & (ask - 1'b1)) != 0 || (wins == ask && goes == ask));
        c_all: cover (wins == {LANES{1'b1}});
        c_same: cover (f_both && goes[f_b] && !wins[f_b]);
    end
`endif
