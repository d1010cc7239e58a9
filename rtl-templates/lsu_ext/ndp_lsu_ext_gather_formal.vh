//% output("formal/ndp_lsu_ext_gather_formal.vh")
//% local per_line = L.LINE // 4
${header{title = "what is proved of ndp_lsu_ext_gather", text = [[
Demands on the user (q_*), asserted inside another module: a message comes while none is in
front, a request is taken and a row is told and written when there is one.  That a sector
comes only for what was asked is a demand on the memories, always assumed.

A place, any, and a lane of its message: its word is computed by arithmetic; it is asked
for once, in the sector of its word, at the unit that has it; what comes for it is what its
row holds; the row is shown when all lanes have theirs, with the message's own fields.]]}}
`ifdef FORMAL_NDP_LSU_EXT_GATHER
`define NDP_LSU_EXT_GATHER_CONTRACT assume
`else
`define NDP_LSU_EXT_GATHER_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg f_shows; // a row is shown, and not written

    always @(posedge clk) begin
        if (rst)
            f_shows <= 1'b0;
        else
            f_shows <= row_grant || (f_shows && !row_done);
    end

    always @* if (f_past && !rst) begin
        q_accept: `NDP_LSU_EXT_GATHER_CONTRACT (!accept || idle);
        q_req_accept: `NDP_LSU_EXT_GATHER_CONTRACT (!req_accept || req_valid);
        q_row_grant: `NDP_LSU_EXT_GATHER_CONTRACT (!row_grant || (row_valid && !f_shows));
        q_row_done: `NDP_LSU_EXT_GATHER_CONTRACT (!row_done || f_shows);
    end

    // sectors that were taken and have not come, by place and lead
    reg [GATHERS*LANES-1:0] f_out;

    wire [GATHER_W+LANE_W-1:0] f_goes  = {req_place, req_lead};
    wire [GATHER_W+LANE_W-1:0] f_comes = {rsp_place, rsp_lead};

    always @(posedge clk) begin
        if (rst) begin
            f_out <= 0;
        end else begin
            if (rsp_valid)
                f_out[f_comes] <= 1'b0;
            if (req_accept)
                f_out[f_goes] <= 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_rsp: assume (!rsp_valid || f_out[f_comes]);
        q_mask: assume (!accept || mask != 0);
    end

`ifdef FORMAL_NDP_LSU_EXT_GATHER
    (* anyconst *) reg [GATHER_W-1:0] f_place;
    (* anyconst *) reg [LANE_W-1:0]   f_lane;

    // the message in front, and the lane's word
    reg [LANE_W-1:0] f_lead;
    integer f_i;

    always @* begin
        f_lead = 0;
        for (f_i = LANES - 1; f_i >= 0; f_i = f_i - 1)
            if (f_mask[f_i])
                f_lead = f_i;
    end

    wire signed [AT_W-1:0]   f_step_of = {{AT_W-STEP_W{f_step[STEP_W-1]}}, f_step};
    wire signed [LANE_W+1:0] f_apart   = $signed({2'b00, f_lane}) - $signed({2'b00, f_lead});
    wire signed [AT_W-1:0]   f_far     = f_step_of * f_apart;
    wire [AT_W-1:0]          f_word_of = f_word + f_far;

    wire f_claim = allocate && place_first[f_place];
    wire f_front = state == REQUEST && slot == f_place;
    wire f_end   = row_done && granted == f_place;

    reg              f_live;
    reg              f_cut;
    reg              f_on;
    reg [WARP_W-1:0] f_whose;
    reg [REG_W-1:0]  f_into;
    reg [LANES-1:0]  f_lanes;
    reg [AT_W-1:0]   f_at;   // the lane's word
    reg              f_made; // its request has been made
    reg [LANE_W-1:0] f_by;   // with this lead
    reg              f_had;  // its sector has come
    reg [31:0]       f_got;
    reg              f_bad;  // a sector of the place had a fault

    wire f_mine = issue && f_front && f_on && pending[f_lane] && group[f_lane];
    wire f_come = rsp_valid && rsp_place == f_place && f_made && !f_had && rsp_lead == f_by;

    always @(posedge clk) begin
        if (rst) begin
            f_live <= 1'b0;
        end else if (f_claim) begin
            f_live  <= 1'b1;
            f_cut   <= 1'b0;
            f_on    <= f_mask[f_lane];
            f_whose <= f_warp;
            f_into  <= f_reg;
            f_lanes <= f_mask;
            f_at    <= f_word_of;
            f_made  <= 1'b0;
            f_had   <= 1'b0;
            f_bad   <= 1'b0;
        end else begin
            f_live <= f_live && !f_end;
            f_cut  <= f_cut || (finish && f_front);
            if (f_mine) begin
                f_made <= 1'b1;
                f_by   <= lead;
            end
            if (f_come) begin
                f_had <= 1'b1;
                f_got <= rsp_data[32*f_at[WORD_W-1:0] +: 32];
            end
            if (rsp_valid && rsp_place == f_place && rsp_fault)
                f_bad <= 1'b1;
        end
    end

    // the lane's request, as long as it is shown
    wire f_asked = req_valid && f_front && f_on && f_made && f_by == req_lead && !f_had;

    always @* if (f_past && !rst) begin
        p_place: assert (!f_claim || !f_live);
        p_live: assert (f_live == used[f_place]);
        p_word: assert (!(f_front && f_live) || words[AT_W*f_lane +: AT_W] == f_at);
        p_pending: assert (!(f_front && f_live) || pending[f_lane] == (f_on && !f_made));
        p_once: assert (!f_mine || !f_made);
        p_req: assert (!req_valid || state == REQUEST);
        p_unit: assert (!f_asked || req_unit == (f_at / ${per_line}) % ${L.UNITS});
        p_sector: assert (!f_asked || req_sector == ((f_at / ${per_line * L.UNITS}) * ${per_line} + f_at % ${per_line}) / ${L.WORDS});
        p_row_valid: assert (!(full[f_place]) || (f_live && f_cut && (!f_on || f_had)));
        p_cut: assert (!(f_live && f_cut && f_on) || f_made);
        p_next: assert (!row_valid || {row_warp, row_reg, row_fault} ==
                        {warps[next*WARP_W +: WARP_W], registers[next*REG_W +: REG_W], faults[next]});
        p_whose: assert (!f_live || {warps[f_place*WARP_W +: WARP_W], registers[f_place*REG_W +: REG_W],
                                     masks[f_place*LANES +: LANES]} == {f_whose, f_into, f_lanes});
        p_fault: assert (!f_live || faults[f_place] == f_bad);
        p_row: assert (!(f_live && f_had) || rows[f_place*ROW_W + 32*f_lane +: 32] == f_got);
        p_granted: assert (!f_shows || used[granted]);
        c_two: cover (&full);
        c_apart: cover (row_grant && f_live && f_on && f_had && f_by != f_lane);
        c_lanes: cover (f_asked && req_accept && f_by != f_lane);
    end
`endif
