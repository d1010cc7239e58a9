//% output("formal/ndp_lowest_formal.vh")
${header{title = "what is proved of ndp_lowest", text = [[
The position is a member, no lower one is, and the bit is that of the position.  It has
no clock: this is proved in the modules that use it.]]}}
    (* anyconst *) reg [INDEX_W-1:0] f_other; // any position

    always @* assume (f_other < N);

    always @* begin
        p_member: assert (set == 0 ? index == 0 : set[index]);
        p_lowest: assert (!(f_other < index && set[f_other]));
        p_first: assert (first[f_other] == (set[f_other] && f_other == index));
    end
