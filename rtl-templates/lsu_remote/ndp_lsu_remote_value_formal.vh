//% output("formal/ndp_lsu_remote_value_formal.vh")
${header{title = "what is proved of ndp_lsu_remote_value", text = [[
Which words are written, what bytes a store leaves, and to what an atomic changes its
word, by arithmetic.  It has no clock: this is proved in the module that uses it, which
wants the four bytes of one word of an atomic (q_atomic there).]]}}
    (* anyconst *) reg ${range(L.WORD_W)} f_which; // any byte of any word
    (* anyconst *) reg [1:0] f_part;

    wire [31:0] f_old   = words[32*f_which +: 32];
    wire [31:0] f_with  = data[32*f_which +: 32];
    wire [31:0] f_value = value[32*f_which +: 32];
    wire        f_on    = strobe[4*f_which +: 4] != 0;
    wire        f_less  = op == 3 || op == 4 ? $signed(f_old) < $signed(f_with) : f_old < f_with;
    wire        f_keeps = op == 3 || op == 5 ? f_less : op == 4 || op == 6 ? !f_less :
                          op == 11 && f_old != compare;
    wire        f_alone = (strobe & ~(${4 * L.WORDS}'d15 << (4 * f_which))) == 0;

    always @* begin
        p_touched: assert (touched[f_which] == f_on);
        p_zero: assert (f_on || f_value == 0);
        p_was: assert (was[32*f_which +: 32] == (f_on ? f_old : 0));
        p_store: assert (!f_on || op != 1 ||
                         f_value[8*f_part +: 8] == (strobe[4*f_which + f_part] ?
                             f_with[8*f_part +: 8] : f_old[8*f_part +: 8]));
        p_atomic: assert (!f_on || !f_alone || op < 2 || op > 11 ||
                          f_value == (f_keeps ? f_old :
                                      op == 2 ? f_old + f_with : op == 7 ? (f_old & f_with) :
                                      op == 8 ? (f_old | f_with) :
                                      op == 9 ? (f_old ^ f_with) : f_with));
    end
