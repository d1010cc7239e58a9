//% output("formal/ndp_dies_beats_formal.vh")
${header{title = "what is proved of ndp_dies_beats", text = [[
The beats that are taken, one behind the other, are the packet, its highest part
first; the last one, and no other, is called so and ends it.]]}}
`ifdef FORMAL_NDP_DIES_BEATS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_W = ${clog2(math.max(L.INSTR_BEATS, L.DONE_BEATS) + 1) + 1};

    reg [F_W-1:0]         f_beats;  // that were taken of this packet
    reg [BEATS*TSV_W-1:0] f_got;    // all beats that were taken, the last ones
    reg [BEATS*TSV_W-1:0] f_packet; // as it was on the edge before
    reg                   f_keeps;  // and has to stay

    wire                     f_takes = valid && ready;
    wire [BEATS*TSV_W-1:0]   f_all   = (f_got << TSV_W) | data;

    always @(posedge clk) begin
        f_packet <= packet;
        f_keeps  <= !rst && valid && !left;
        if (rst)
            f_beats <= 0;
        else if (f_takes)
            f_beats <= left ? 0 : f_beats + 1'b1;
        if (rst)
            f_got <= 0;
        else if (f_takes)
            f_got <= f_all;
    end

    always @* if (f_past && !rst) begin
        q_kept: assume (!f_keeps || (valid && packet == f_packet));
        p_left: assert (left == (f_takes && f_beats == BEATS - 1));
        p_last: assert (!valid || last == (f_beats == BEATS - 1));
        p_packet: assert (!left || f_all == packet);
        // the beats so far are the highest of the packet
        p_so_far: assert (f_beats == 0 || (valid &&
            (f_got & ~({BEATS*TSV_W{1'b1}} << (f_beats * TSV_W))) ==
            packet >> ((BEATS - f_beats) * TSV_W)));
        p_few: assert (f_beats < BEATS && f_beats == at);
        c_left: cover (left);
    end
`endif
