//% output("formal/ndp_packet_formal.vh")
//% local names = {"pattern", "f", "g", "type", "f_reversed", "g_reversed", "fused",
//%                "core", "wave", "entry", "node", "imm", "a", "b", "c", "mask"}
${header{title = "the round trip of ndp_packet", text = [[
With send joined to come, each chain that is packed is there as long as the unpacker
shows one, and none comes twice.  With F_TRIP: it comes out with the fields that its
pattern uses and zero in the others; for the first edges after reset, as for all of
them that follows from what is proved of both parts.]]}}
`ifdef FORMAL_NDP_PACKET
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // the wires between
    always @* begin
        assume (come_valid == send_valid);
        assume (come_last == send_last);
        assume (come_data == send_data);
        assume (send_ready == come_ready);
    end

    // ------------------------------------------------------------------
    // What must come out of the chain that goes in

    reg f_a, f_b, f_c, f_i, f_f, f_g; // used

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
//% local ins, outs, width = {}, {}, L.MASK_W
//% for _, n in ipairs(names) do
//%     ins[#ins + 1] = used[n] and "(" .. used[n] .. " ? chain_" .. n .. " : " ..
//%         (n == "mask" and L.MASK_W or record.packet[n].width) .. "'d0)" or "chain_" .. n
//%     outs[#outs + 1] = "got_" .. n
//%     if n ~= "mask" then width = width + record.packet[n].width end
//% end
    wire [${width - 1}:0] f_in = {
        ${table.concat(ins, ",\n")}
    };
    wire [${width - 1}:0] f_out = {
        ${joined(outs, ",", 8)}
    };

    // ------------------------------------------------------------------
    // What the packer holds and what the unpacker holds: one chain each

    wire f_take = chain_valid && chain_ready;
    wire f_move = send_valid && send_ready && send_last;
    wire f_gone = got_valid && got_ready;

    reg [${width - 1}:0] f_going;
    reg               f_goes;
    reg [${width - 1}:0] f_there;
    reg               f_is;

    always @(posedge clk) begin
        if (rst) begin
            f_goes <= 1'b0;
            f_is   <= 1'b0;
        end else begin
            f_goes <= f_take || (f_goes && !f_move);
            f_is   <= f_move || (f_is && !f_gone);
        end
        if (f_take)
            f_going <= f_in;
        if (f_move)
            f_there <= f_going;
    end

    always @* if (f_past && !rst) begin
        p_packs: assert (send_valid == f_goes);
        p_shows: assert (got_valid == f_is);
        p_order: assert (!(f_move && f_is && !f_gone));
`ifdef F_TRIP
        p_same: assert (!got_valid || f_out == f_there);
`endif
        c_nine: cover (got_valid && got_ready && got_pattern == 9 && !(&got_mask));
        c_two: cover (f_is && f_goes);
    end
`endif
