//% output("formal/ndp_offload_probe_formal.vh")
${header{title = "what is proved of ndp_offload_probe", text = [[
A request that is taken goes through save, probe and first access once each, in
this order, comes back unaltered with the address of that access, and its saved
registers are kept until its packet has been sent.]]}}
`ifdef FORMAL_NDP_OFFLOAD_PROBE
`define NDP_OFFLOAD_PROBE_CONTRACT assume
`else
`define NDP_OFFLOAD_PROBE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_take: `NDP_OFFLOAD_PROBE_CONTRACT (!take || idle);
        q_save: `NDP_OFFLOAD_PROBE_CONTRACT (!save_done || save);
    end

`ifdef FORMAL_NDP_OFFLOAD_PROBE
    reg              f_busy;
    reg              f_saved;
    reg              f_asked;
    reg              f_first;
    reg              f_weighed;
    reg              f_decided;
    reg [WARP_W-1:0] f_warp;
    reg [7:0]        f_more;    // the other fields, as far as 8 bits hold them
    reg [ADDR_W+1:0] f_address; // {none, learned, address}

    wire [7:0] f_fields = {d_index, d_mask, d_rules};
    wire [7:0] f_out    = {index, mask, rules};

    always @(posedge clk) begin
        if (rst) begin
            {f_busy, f_saved, f_asked, f_first, f_weighed, f_decided} <= 0;
        end else if (!f_busy) begin
            f_busy <= take;
            f_warp <= d_warp;
            f_more <= f_fields;
            {f_saved, f_asked, f_first, f_weighed, f_decided} <= 0;
        end else begin
            f_saved <= f_saved || save_done;
            f_asked <= f_asked || (probe_valid && probe_ready);
            if (first_valid && first_ready) begin
                f_first   <= 1'b1;
                f_address <= {first_none, first_learned, first_address};
            end
            f_weighed <= f_weighed || back;
            f_decided <= f_weighed;
            f_busy    <= f_decided ? !sent : !f_weighed || offload;
        end
    end

    always @* if (f_past && !rst) begin
        p_idle: assert (idle == !f_busy);
        p_save: assert (save == (f_busy && !f_saved));
        p_probe: assert (probe_valid == (f_busy && f_saved && !f_asked));
        p_first: assert (first_ready == (f_busy && f_asked && !f_first));
        p_back: assert (back == (f_busy && f_first && !f_weighed));
        p_warp: assert (probe_warp == (probe_valid ? f_warp : 0));
        p_same: assert (!f_busy || {warp, f_out} == {f_warp, f_more});
        p_address: assert (!back || {none, learned, address} == f_address);
    end

    always @* if (f_past && !rst) begin
        c_held: cover (f_decided && sent);
        c_refused: cover (f_weighed && !f_decided && !offload);
    end
`endif
