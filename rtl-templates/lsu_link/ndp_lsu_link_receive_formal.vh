//% output("formal/ndp_lsu_link_receive_formal.vh")
${header{title = "what is proved of ndp_lsu_link_receive", text = [[
Of packets that are as long as a header or longer, and hold no more beats of data than
can be told: any beat of the header is where it belongs, and stays until the next packet
begins; each other beat is told with its number; a packet has come when its last beat
has, and for one cycle.]]}}
`ifdef FORMAL_NDP_LSU_LINK_RECEIVE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_W = AT_W + COUNT_W + 1;

    reg [F_W-1:0] f_at;   // beats of this packet that have come
    reg           f_last; // the beat before was a packet's last

    (* anyconst *) reg [COUNT_W-1:0] f_part; // of the header, any

    reg             f_has; // it has come
    reg [TSV_W-1:0] f_was;

    always @* assume (f_part < HEADS);

    always @(posedge clk) begin
        if (rst) begin
            f_at   <= 0;
            f_last <= 1'b0;
            f_has  <= 1'b0;
        end else begin
            f_last <= beat && last;
            if (beat)
                f_at <= last ? 0 : f_at + 1'b1;
            if (beat && f_at == f_part) begin
                f_has <= 1'b1;
                f_was <= data;
            end else if (beat && f_at == 0) begin
                f_has <= 1'b0;
            end
        end
    end

    always @* if (f_past && !rst) begin
        q_long: assume (!beat || !last || f_at + 1'b1 >= HEADS);
        q_short: assume (!beat || f_at < HEADS + (1 << AT_W));
    end

    always @* if (f_past && !rst) begin
        p_part: assert (!f_has || header[f_part*TSV_W +: TSV_W] == f_was);
        p_whole: assert (!come || f_has);
        p_put: assert (put == (beat && f_at >= HEADS));
        p_at: assert (!put || put_at == f_at - HEADS);
        p_heads: assert (heads == (f_at < HEADS ? f_at : HEADS));
        p_come: assert (come == f_last);
        c_data: cover (come && f_was != 0);
        c_next: cover (come && beat && f_was != data);
    end
`endif
