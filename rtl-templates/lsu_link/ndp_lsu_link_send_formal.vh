//% output("formal/ndp_lsu_link_send_formal.vh")
${header{title = "what is proved of ndp_lsu_link_send", text = [[
Demands on the user (q_*): a packet is loaded while none follows, has a beat or more
and no more than fit, and zeros behind them.  Of any packet: its beats leave in order,
unaltered, as many as it has, with its mark; the last one is marked as such; the packet
that follows begins on the edge behind it.]]}}
`ifdef FORMAL_NDP_LSU_LINK_SEND
`define NDP_LSU_LINK_SEND_CONTRACT assume
`else
`define NDP_LSU_LINK_SEND_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_load: `NDP_LSU_LINK_SEND_CONTRACT (!load || free);
        q_beats: `NDP_LSU_LINK_SEND_CONTRACT (!load || (beats != 0 && beats <= BEATS));
        q_zeros: `NDP_LSU_LINK_SEND_CONTRACT (!load || (packet >> (beats * TSV_W)) == 0);
    end

`ifdef FORMAL_NDP_LSU_LINK_SEND
    reg [BEATS*TSV_W-1:0] f_packet; // as it was loaded, and the one that follows
    reg [BEATS*TSV_W-1:0] f_next;
    reg [LEFT_W-1:0]      f_beats;
    reg [LEFT_W-1:0]      f_next_beats;
    reg                   f_mark;
    reg                   f_next_mark;
    reg [LEFT_W-1:0]      f_gone;    // beats of it that were taken
    reg                   f_here;    // there is one
    reg                   f_follows; // there is one that follows
    reg                   f_ended;   // the last beat was taken on the edge before, with one behind it

    wire f_end = f_here && ready && f_gone + 1'b1 == f_beats;

    always @(posedge clk) begin
        if (rst) begin
            f_packet  <= 0;
            f_beats   <= 0;
            f_gone    <= 0;
            f_mark    <= 1'b0;
            f_here    <= 1'b0;
            f_follows <= 1'b0;
            f_ended   <= 1'b0;
        end else begin
            f_ended <= f_end && (f_follows || load);
            if (!f_here || f_end) begin
                f_here    <= f_follows || load;
                f_follows <= 1'b0;
                f_packet  <= f_follows ? f_next : packet;
                f_beats   <= f_follows ? f_next_beats : beats;
                f_mark    <= f_follows ? f_next_mark : mark;
                f_gone    <= 0;
            end else begin
                f_gone <= f_gone + ready;
                if (load)
                    f_follows <= 1'b1;
            end
        end
        if (load) begin
            f_next       <= packet;
            f_next_beats <= beats;
            f_next_mark  <= mark;
        end
    end

    always @* if (f_past && !rst) begin
        p_valid: assert (valid == f_here && free == !f_follows);
        p_rest: assert (!f_here || rest == f_packet >> (f_gone * TSV_W));
        p_left: assert (!f_here || (f_gone < f_beats && left == f_beats - f_gone && f_beats <= BEATS));
        p_zeros: assert (!f_here || (f_packet >> (f_beats * TSV_W)) == 0);
        p_next: assert (!f_follows || (f_here && next_rest == f_next && next_left == f_next_beats &&
                                       next_marked == f_next_mark && f_next_beats != 0 &&
                                       f_next_beats <= BEATS && (f_next >> (f_next_beats * TSV_W)) == 0));
        p_beat: assert (!valid || data == f_packet[f_gone*TSV_W +: TSV_W]);
        p_last: assert (!valid || last == (f_gone + 1'b1 == f_beats));
        p_mark: assert (!valid || marked == f_mark);
        p_at_once: assert (!f_ended || valid);
        p_zero: assert (valid || (data == 0 && !last && !marked));
        c_all: cover (f_end && f_beats == BEATS && f_follows);
    end
`endif
