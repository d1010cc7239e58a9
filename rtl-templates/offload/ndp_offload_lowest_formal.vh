//% output("formal/ndp_offload_lowest_formal.vh")
${header{title = "what is proved of ndp_offload_lowest", text = [[
The position is a member, no lower one is, and the rest is the set without it.  It has no
clock: this is proved in the modules that use it.]]}}
    (* anyconst *) reg [INDEX_W-1:0] f_other; // any position

    always @* assume (f_other < N);

    always @* begin
        p_member: assert (set == 0 ? index == 0 : set[index]);
        p_lowest: assert (!(f_other < index && set[f_other]));
        p_more: assert (more == (rest != 0));
        p_rest: assert (rest[f_other] == (set[f_other] && f_other != index));
    end
