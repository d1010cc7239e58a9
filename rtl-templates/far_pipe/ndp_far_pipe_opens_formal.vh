//% output("formal/ndp_far_pipe_opens_formal.vh")
${header{title = "what is proved of ndp_far_pipe_opens", text = [[
Demands on the user (q_*), asserted inside another module where it can know them: an
access is handed over for a warp that has none, an end comes for one that has one which
has not ended, and an end is told when there is one.

Any warp (f_w): its access, as it was handed over, is told once, after its end, and with
its fault.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_OPENS
`define NDP_FAR_PIPE_OPENS_CONTRACT assume
`else
`define NDP_FAR_PIPE_OPENS_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_opens: `NDP_FAR_PIPE_OPENS_CONTRACT (!opens || !open[open_warp]);
        q_told: `NDP_FAR_PIPE_OPENS_CONTRACT (!told || ended);
    end

`ifdef FORMAL_NDP_FAR_PIPE_OPENS
    (* anyconst *) reg [WARP_W-1:0] f_w;

    reg f_open; // it has an access under way,
    reg f_over; // which has ended,
    reg f_bad;  // with a fault,
    reg f_last; // and is the one that is told
    reg f_late; // its fault has been shown

    wire f_end_a = ended_valid && ended_warp == f_w;
    wire f_end_b = carried_valid && carried_warp == f_w;
    wire f_is    = ended && end_warp == f_w; // the told one is this warp's

    always @(posedge clk) begin
        if (rst) begin
            f_open <= 1'b0;
            f_over <= 1'b0;
        end else begin
            if (opens && open_warp == f_w)
                f_open <= 1'b1;
            else if (chosen[f_w] && chooses)
                f_open <= 1'b0;
            f_over <= (f_over || f_end_a || f_end_b) && !(chosen[f_w] && chooses);
        end
        if (f_end_a || f_end_b)
            f_bad <= f_end_a ? ended_fault : carried_fault;
        if (chooses)
            f_last <= chosen[f_w] && f_bad;
        f_late <= !chooses && (f_late || late_valid);
    end

    always @* if (f_past && !rst) begin
        q_end: assume (!(f_end_a && f_end_b) &&
                       (!(f_end_a || f_end_b) || (f_open && !f_over)));
        q_warp: assume (f_w < WARPS && (!opens || open_warp < WARPS) &&
                        (!ended_valid || (open[ended_warp] && !over[ended_warp])) &&
                        (!carried_valid || (open[carried_warp] && !over[carried_warp])));
    end

    always @* if (f_past && !rst) begin
        p_open: assert (open[f_w] == f_open);
        p_over: assert (over[f_w] == f_over);
        p_ends: assert (!f_over || f_open);
        p_bad: assert (!f_over || bad[f_w] == f_bad);
        p_one: assert ((chosen & (chosen - 1'b1)) == 0 && (chosen & ~over) == 0);
        p_told: assert (!f_is || end_bad == f_last);
        p_late: assert (!(late_valid && end_warp == f_w) || (ended && f_last && end_new));
        p_once: assert (!late_valid || !f_late);
        c_fault: cover (late_valid && told && over != 0);
        c_waits: cover (ended && !told && f_over && f_open && end_warp == f_w + 1'b1);
    end
`endif
