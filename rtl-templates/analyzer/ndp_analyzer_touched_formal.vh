//% output("formal/ndp_analyzer_touched_formal.vh")
${header{title = "what is proved of ndp_analyzer_touched", text = [[
For any range: a query answers whether the range was accessed since it was
loaded, as it was before the query's edge.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_ANALYZER_TOUCHED
    (* anyconst *) reg [RANGE_W-1:0] f_range;

    // Contract: a range is not set and cleared together, and is cleared before
    // the first query.
    reg f_ready;
    reg f_touched;
    reg f_asked;
    reg f_answer;

    always @(posedge clk) begin
        f_ready  <= !rst && (f_ready || (clear && clear_index == f_range));
        f_asked  <= !rst && query && query_index == f_range;
        f_answer <= f_touched;
        if (set && set_index == f_range)
            f_touched <= 1'b1;
        else if (clear && clear_index == f_range)
            f_touched <= 1'b0;
    end

    always @* if (f_past) begin
        assume (!(set && clear));
        assume (!(query && query_index == f_range) || f_ready);
    end

    reg f_any;

    always @(posedge clk) f_any <= !rst && query;

    always @* if (f_past) begin
        p_answer: assert (!f_asked || answer == f_answer);
        p_none: assert (f_any || !answer);
    end

    always @* if (f_past && !rst) begin
        c_before: cover (f_asked && !answer && f_touched);
        c_forward: cover (f_asked && answer && met);
        c_later: cover (f_asked && answer && !met);
    end
`endif
