//% output("formal/ndp_bist_fold_formal.vh")
${header{title = "what is proved of ndp_bist_fold", text = [[
An odd number of ones folds to an odd number, and two ones never to none.  It has no
clock: this is proved in the module that uses it.]]}}
    (* anyconst *) reg [9:0] f_one; // any outputs
    (* anyconst *) reg [9:0] f_other;

    always @* assume (f_one < f_other && f_other < ${L.OUT_W});

    always @* begin
        p_odd: assert (^fold == ^bits);
        p_two: assert (bits != ((${L.OUT_W}'d1 << f_one) | (${L.OUT_W}'d1 << f_other)) || fold != 0);
    end
