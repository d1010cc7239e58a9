//% output("formal/ndp_far_pipe_banks_formal.vh")
//% local A = L.ALUS
//% local AW = math.max(ALU_W, 1)
${header{title = "what is proved of ndp_far_pipe_banks", text = [[
Of any two lanes (f_a below f_b): who wins is the lowest of its bank, and who goes
without winning wants the very word of who wins there.  The memories are open.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_BANKS
    (* anyconst *) reg [${AW - 1}:0] f_a;
    (* anyconst *) reg [${AW - 1}:0] f_b;

    wire [31:0] f_at_a = at[f_a*32 +: 32];
    wire [31:0] f_at_b = at[f_b*32 +: 32];
//% if ALU_W > 0 then
    wire        f_bank = f_at_a[2 +: ${ALU_W}] == f_at_b[2 +: ${ALU_W}]; // they share one
//% else
    wire        f_bank = 1'b1;
//% end
    wire        f_word = f_at_a[${1 + ALU_W + L.BANK_W}:2] == f_at_b[${1 + ALU_W + L.BANK_W}:2];
    wire        f_both = f_a < f_b && ask[f_a] && ask[f_b];

    always @* begin
        p_asks: assert (((wins | goes) & ~ask) == 0);
        p_wins: assert ((wins & ~goes) == 0);
        p_some: assert (ask == 0 || wins != 0);
        p_low: assert (!(f_both && f_bank && wins[f_b]));
        p_first: assert (!(ask[f_a] && (ask & ~({ALUS{1'b1}} << f_a)) == 0) || wins[f_a]);
        p_apart: assert (!(f_both && !f_bank && wins[f_a] && ask == (1 << f_a | 1 << f_b)) || wins[f_b]);
        p_same: assert (!(f_both && f_bank && wins[f_a]) || goes[f_b] == f_word);
        p_alone: assert ((ask & (ask - 1'b1)) != 0 || (wins == ask && goes == ask));
        c_four: cover (wins == {ALUS{1'b1}});
        c_same: cover (f_both && goes[f_b] && !wins[f_b]);
    end
`endif
