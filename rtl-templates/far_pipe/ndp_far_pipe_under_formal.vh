//% output("formal/ndp_far_pipe_under_formal.vh")
${header{title = "what is proved of ndp_far_pipe_under", text = [[
Demands on the unit (q_*), asserted inside another module: none begins without room, a
last pass comes only of one that is there, and an end is told when there is one.

Any one instruction is followed from its begin on, with how many are before it.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_UNDER
`define NDP_FAR_PIPE_UNDER_CONTRACT assume
`else
`define NDP_FAR_PIPE_UNDER_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_begins: `NDP_FAR_PIPE_UNDER_CONTRACT (!begins || free);
        q_closes: `NDP_FAR_PIPE_UNDER_CONTRACT (!closes || have != over);
        q_told: `NDP_FAR_PIPE_UNDER_CONTRACT (!told || ended);
    end

`ifdef FORMAL_NDP_FAR_PIPE_UNDER
    (* anyseq *) reg f_pick; // it is the one that begins now

    localparam F_W = WARP_W + TAG_W + TICKET_W + PLACE_W + 2;

    reg               f_on;     // the instruction is there,
    reg [F_W-1:0]     f_this;   // this one,
    reg [INDEX_W:0]   f_before; // with so many before it,
    reg [INDEX_W:0]   f_to;     // whose passes come until its own do;
    reg               f_closed; // its last one has come

    wire f_begins = begins && f_pick && !f_on;
    wire f_gone   = told && f_before == 0;

    always @(posedge clk) begin
        if (rst)
            f_on <= 1'b0;
        else
            f_on <= f_begins || (f_on && !f_gone);
        if (f_begins) begin
            f_this   <= {warp, tag, ticket, at, to_reg, to_pred};
            f_before <= have - told;
            f_to     <= have - over - closes;
            f_closed <= 1'b0;
        end else begin
            f_before <= f_before - told;
            f_to     <= f_to - (closes && f_to != 0);
            f_closed <= f_closed || (closes && f_to == 0);
        end
    end

    wire [INDEX_W-1:0] f_place = old + f_before[INDEX_W-1:0];

    always @* if (f_past && !rst) begin
        p_have: assert (have <= DEPTH && over <= have);
        p_next: assert (next == old + have[INDEX_W-1:0]);
        p_come: assert (come == old + over[INDEX_W-1:0]);
        p_before: assert (!f_on || f_before < have);
        p_closed: assert (!f_on || f_closed == (f_before < over));
        p_to: assert (!f_on || f_closed || f_to == f_before - over);
        p_kept: assert (!f_on || {ends[f_place], outs[f_place]} == f_this);
        p_out: assert (!(f_on && !f_closed && f_to == 0) || {out_at, out_reg, out_pred} == f_this[PLACE_W+1:0]);
        p_end: assert (!(f_on && ended && f_before == 0) ||
                       {end_warp, end_tag, end_ticket} == f_this[F_W-1 -: WARP_W + TAG_W + TICKET_W]);
        p_ended: assert (!(f_on && f_before == 0) || ended == f_closed);
        c_full: cover (f_on && !free && over == 2);
        c_all: cover (f_on && f_before == 3 && over == 4);
    end
`endif
