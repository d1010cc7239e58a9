//% output("formal/ndp_packet_pack_formal.vh")
//% local r = record.packet
${header{title = "what is proved of ndp_packet_pack", text = [[
The flits of a packet are the chain's fields in the order of the layout, those that
its pattern does not use as zeros, and the mask if some lane does not take part
(f_word); it has as many flits as that takes, and the last of them alone is marked.
Together with what is proved of ndp_packet_unpack that is the round trip.  The
patterns stand here as a list, not as the packer's sets.]]}}
`ifdef FORMAL_NDP_PACKET_PACK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the chain's pattern uses

    reg f_a, f_b, f_c, f_i, f_f, f_g;

    always @* begin
        {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b000000;
        case (chain_pattern)
        1: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b111010; // c = f(a, b)
        2: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b110010; // f(a, b)
        3: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b101000; // c = a
        4: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b101010; // c = f(a, c)
        5: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b110010; // h(a, b)
        6: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b100110; // h(a, i)
        7: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b101110; // c = f(a, i)
        8: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b110111; // f(a, g(b, i))
        9: {f_a, f_b, f_c, f_i, f_f, f_g} = 6'b111111; // c = f(a, g(b, i))
        default: ;
        endcase
    end

//% local used = {f = "f_f", f_reversed = "f_f", g = "f_g", g_reversed = "f_g",
//%               fused = "f_g", imm = "f_i", a = "f_a", b = "f_b", c = "f_c"}
    // ------------------------------------------------------------------
    // The packet that must go, and how far it is

    reg [MOST_FLITS*FLIT_W-1:0] f_word;
    reg [COUNT_W-1:0]           f_sent;   // flits of it
    reg                         f_masked; // it has a mask
    reg [NODE_W-1:0]            f_node;

    wire [COUNT_W-1:0] f_flits = f_masked ? MOST_FLITS : HEAD_FLITS;

    always @(posedge clk) begin
        if (rst || take)
            f_sent <= 0;
        else if (sent)
            f_sent <= f_sent + 1'b1;
        if (take) begin
            f_masked <= !(&chain_mask);
            f_node   <= chain_node;
            f_word   <= 0;
            f_word[${r.compute.lsb}] <= 1'b1;
            f_word[${r.masked.lsb}] <= !(&chain_mask);
//% for _, f in ipairs(r.list) do if f.name ~= "compute" and f.name ~= "masked" then
            ${used[f.name] and "if (" .. used[f.name] .. ") " or ""}f_word[${f.msb}:${f.lsb}] <= chain_${f.name};
//% end end
            if (!(&chain_mask)) f_word[HEAD_FLITS*FLIT_W +: MASK_W] <= chain_mask;
        end
    end

    always @* if (f_past && !rst) begin
        if (send_valid) begin
            p_left: assert (f_sent < f_flits && left == f_flits - f_sent);
            p_last: assert (send_last == (f_sent == f_flits - 1'b1));
            p_node: assert (send_node == f_node);
//% for k = 0, L.MOST_FLITS - 1 do
            if (f_sent == ${k}) begin
                p_flit_${k}: assert (flits == f_word >> ${k * L.FLIT_W} && send_data == flits[FLIT_W-1:0]);
            end
//% end
        end
        p_zero: assert (send_valid || {send_last, send_node, send_data} == 0);
        c_masked: cover (sent && send_last && f_masked);
        c_whole: cover (sent && send_last && !f_masked);
    end
`endif
