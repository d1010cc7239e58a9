//% output("formal/ndp_offload_links_formal.vh")
//% local span = L.SLIDING == 1 and "sub-window" or "window"
//% local SUB = L.WINDOW // L.PARTS -- most cycles of a sub-window
${header{title = "what is proved of ndp_offload_links", text = [[
A window that software leaves alone is as long as it says, within what there is
room for; whatever software does, none is longer than that.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_OFFLOAD_LINKS
    reg [31:0] f_since; // cycles of this ${span} that have passed
    reg [31:0] f_setting; // of the cycle before
    reg        f_same;    // it has not changed since this one began

    always @(posedge clk) begin
        f_since   <= rst || last ? 0 : f_since + 1;
        f_setting <= window;
        f_same    <= rst || last || f_kept;
    end

    wire [31:0] f_parts  = window / ${L.PARTS};
    wire [31:0] f_length = f_parts == 0 ? 1 : f_parts > ${SUB} ? ${SUB} : f_parts;
    wire        f_kept   = f_since == 0 || (f_same && f_setting == window);

    always @* if (f_past) begin
        p_position: assert (position == f_since);
        p_longest: assert (f_since < ${SUB});
        if (f_kept)
            p_length: assert (last == (f_since + 1 == f_length));
        if (f_since + 1 >= f_length)
            p_ends: assert (last);
    end

    always @* if (f_past && !rst) begin
        c_whole: cover (last && f_kept && f_since == ${SUB - 1});
        c_short: cover (last && f_kept && f_since == 1);
        c_cut: cover (last && !f_kept && f_since + 1 > f_length);
    end
`endif
