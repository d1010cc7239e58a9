//% output("formal/ndp_lowest_formal.vh")
${header{title = "what is proved of ndp_lowest", text = [[
The member that it names is one, and none is below it.]]}}
`ifdef FORMAL_NDP_LOWEST
    integer f_i;

    reg f_below; // a member below the one that it names

    always @* begin
        f_below = 1'b0;
        for (f_i = 0; f_i < N; f_i = f_i + 1)
            if (f_i < index && set[f_i])
                f_below = 1'b1;
    end

    always @* begin
        p_none: assert ((set != 0) == (first != 0));
        p_member: assert (set == 0 || set[index]);
        p_lowest: assert (!f_below);
        p_alone: assert ((first & (first - 1'b1)) == 0);
        c_last: cover (first[N-1]);
    end
`endif
