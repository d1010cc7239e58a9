//% output("formal/ndp_lsu_link_send_formal.vh")
${header{title = "what is proved of ndp_lsu_link_send", text = [[
Demands on the user (q_*): a packet is loaded while there is none, has a beat or more
and no more than fit, and zeros behind them.  Its beats leave in order, unaltered, as
many as it has; the last one is marked.]]}}
`ifdef FORMAL_NDP_LSU_LINK_SEND
`define NDP_LSU_LINK_SEND_CONTRACT assume
`else
`define NDP_LSU_LINK_SEND_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_load: `NDP_LSU_LINK_SEND_CONTRACT (!load || idle);
        q_beats: `NDP_LSU_LINK_SEND_CONTRACT (!load || (beats != 0 && beats <= BEATS));
        q_zeros: `NDP_LSU_LINK_SEND_CONTRACT (!load || (packet >> (beats * TSV_W)) == 0);
    end

`ifdef FORMAL_NDP_LSU_LINK_SEND
    reg [BEATS*TSV_W-1:0] f_packet; // as it was loaded
    reg [LEFT_W-1:0]      f_beats;
    reg [LEFT_W-1:0]      f_gone;   // beats of it that were taken

    always @(posedge clk) begin
        if (rst) begin
            f_packet <= 0;
            f_beats  <= 0;
            f_gone   <= 0;
        end else if (load) begin
            f_packet <= packet;
            f_beats  <= beats;
            f_gone   <= 0;
        end else if (valid && ready) begin
            f_gone <= f_gone + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        p_rest: assert (rest == f_packet >> (f_gone * TSV_W));
        p_left: assert (f_gone <= f_beats && left == f_beats - f_gone && f_beats <= BEATS);
        p_zeros: assert ((f_packet >> (f_beats * TSV_W)) == 0);
        p_beat: assert (!valid || data == f_packet[f_gone*TSV_W +: TSV_W]);
        p_last: assert (!valid || last == (f_gone + 1'b1 == f_beats));
        p_zero: assert (valid || (data == 0 && !last));
        c_all: cover (idle && f_gone == BEATS);
    end
`endif
