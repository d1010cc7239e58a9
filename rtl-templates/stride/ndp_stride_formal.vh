//% output("formal/ndp_stride_formal.vh")
${header{title = "what is proved of ndp_stride", text = [[
A line of another prefetcher is at pre on the next edge, and one of its own only while
none is there.  A line in pre stands until it is taken.  A prefetch needs a stride, and a
stride is a step that has come twice.]]}}
`ifdef FORMAL_NDP_STRIDE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg               f_rst;
    reg               f_passes;
    reg               f_held;
    reg               f_own;
    reg [SADDR_W-1:0] f_given;
    reg [SADDR_W-1:0] f_line;
    reg [SADDR_W-1:0] f_own_line;
    reg               f_looks;
    reg               f_again;
    reg [31:0]        f_step;

    always @(posedge clk) begin
        f_rst      <= rst;
        f_passes   <= given_valid && given_ready;
        f_held     <= pre_valid && !pre_ready;
        f_own      <= own_valid && pop;
        f_given    <= given_line;
        f_line     <= pre_line;
        f_own_line <= own_line;
        f_looks    <= looks;
        f_again    <= again;
        f_step     <= step;
    end

    always @* if (f_past && !f_rst) begin
        p_given: assert (!f_passes || (pre_valid && pre_line == f_given));
        p_kept: assert (!f_held || (pre_valid && pre_line == f_line));
        p_own: assert (!f_own || (pre_valid && pre_line == f_own_line));
        p_none: assert (!pre_valid || f_passes || f_held || f_own);
        p_stride: assert (!f_looks || distance == (f_again ? f_step : 0));
        p_enabled: assert (!push || (enable && distance != 0));
        c_given: cover (f_passes && own_valid);
        c_push: cover (push);
    end
`endif
