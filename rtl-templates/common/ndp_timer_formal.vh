//% output("formal/ndp_timer_formal.vh")
${header{title = "what is proved of ndp_timer", text = [[
A load, any that ever comes, holds ready low for as many edges as it says, whatever
is loaded besides; and ready is high once every load has had its edges.]]}}
`ifdef FORMAL_NDP_TIMER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // One load, and the longest of all

    (* anyseq *) reg f_pick; // the load now is the one

    reg             f_have; // it has edges left
    reg [WIDTH-1:0] f_left;
    reg [WIDTH-1:0] f_most; // edges left of all

    wire [WIDTH-1:0] f_most_left = f_most == 0 ? f_most : f_most - 1;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
            f_left <= 0;
            f_most <= 0;
        end else begin
            f_most <= load && edges > f_most_left ? edges : f_most_left;
            if (f_have) begin
                f_left <= f_left - 1;
                f_have <= f_left > 1;
            end else if (load && f_pick) begin
                f_left <= edges;
                f_have <= edges != 0;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_waits: assert (!f_have || !ready);
        p_holds: assert (!f_have || count >= f_left);
        p_ready: assert (ready == (f_most == 0));
        p_most: assert (count == f_most);
    end

    always @* if (f_past && !rst) begin
        c_waits: cover (f_have && f_left == 2);
        c_longer: cover (f_have && count > f_left);
    end
`endif
