//% output("formal/ndp_fma_align_formal.vh")
${header{title = "what is proved of ndp_fma_align", text = [[
The places and what is right of them are one number, shifted.]]}}
`ifdef FORMAL_NDP_FMA_ALIGN
    wire [203:0] f_all = {sig, 180'd0} >> distance;

    always @* begin
        p_placed: assert (placed == f_all[203:128]);
        p_lost: assert (lost == (f_all[127:0] != 0));
        c_lost: cover (lost && placed != 0);
        c_all_lost: cover (lost && placed == 0);
    end
`endif
