//% output("formal/ndp_packet_unpack_formal.vh")
//% local r = record.packet
${header{title = "what is proved of ndp_packet_unpack", text = [[
Of any word (f_any, f_word) that comes flit by flit as the packer sends it (q_flit,
q_last): its fields and mask are shown after the last flit and not before, stay until
they are taken, and none is lost.]]}}
`ifdef FORMAL_NDP_PACKET_UNPACK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyseq *) reg [MOST_FLITS*FLIT_W-1:0] f_any;

    reg [MOST_FLITS*FLIT_W-1:0] f_word; // that comes, from its first flit on
    reg [COUNT_W-1:0]           f_come; // flits of it
    reg                         f_due;  // its last one has come, and nobody has taken it

    wire [MOST_FLITS*FLIT_W-1:0] f_now   = f_come == 0 ? f_any : f_word;
    wire [COUNT_W-1:0]           f_flits = f_now[${r.masked.lsb}] ? MOST_FLITS : HEAD_FLITS;

    always @(posedge clk) begin
        if (rst) begin
            f_come <= 0;
            f_due  <= 1'b0;
        end else begin
            if (take)
                f_come <= come_last ? 0 : f_come + 1'b1;
            f_due <= f_due ? !(got_valid && got_ready) : take && come_last;
        end
        if (take)
            f_word <= f_now;
    end

    always @* if (f_past && !rst && come_valid) begin
//% for k = 0, L.MOST_FLITS - 1 do
        if (f_come == ${k}) begin
            q_flit_${k}: assume (come_data == f_now[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}]);
        end
//% end
        q_last: assume (come_last == (f_come == f_flits - 1'b1));
    end

    always @* if (f_past && !rst) begin
        p_due: assert (got_valid == f_due);
        p_place: assert (f_due ? f_come == 0 : count == f_come);
        p_open: assert (come_ready == !f_due);
        p_inside: assert (f_come == 0 || f_come < f_flits);
//% for k = 0, L.MOST_FLITS - 1 do
        if (f_come > ${k} || (f_due && f_word[${r.masked.lsb}]) ||
            (f_due && ${k} < HEAD_FLITS)) begin
            p_flit_${k}: assert (flits[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}] == f_word[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}]);
        end
//% end
        if (f_due) begin
//% for _, f in ipairs(r.list) do if f.name ~= "compute" and f.name ~= "masked" then
            p_${f.name}: assert (got_${f.name} == f_word[${f.msb}:${f.lsb}]);
//% end end
            p_mask: assert (got_mask == (f_word[${r.masked.lsb}] ? f_word[HEAD_FLITS*FLIT_W +: MASK_W] : {MASK_W{1'b1}}));
        end else begin
            p_zero: assert ({got_pattern, got_f, got_g, got_type, got_f_reversed, got_g_reversed, got_fused,
                             got_core, got_wave, got_entry, got_node, got_imm, got_a, got_b, got_c, got_mask} == 0);
        end
        c_masked: cover (f_due && got_ready && f_word[${r.masked.lsb}]);
        c_whole: cover (f_due && got_ready && !f_word[${r.masked.lsb}]);
    end
`endif
