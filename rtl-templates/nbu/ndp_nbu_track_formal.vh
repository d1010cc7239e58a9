//% output("formal/ndp_nbu_track_formal.vh")
${header{title = "what is proved of ndp_nbu_track", text = [[
For any one entry, any of the five lookups answers what was last written to it,
an update on the same edge included; before the first write, what the
initialiser has to leave.  No entry ever says that neither copy is valid.]]}}
`ifdef FORMAL_NDP_NBU_TRACK
`define NDP_NBU_TRACK_CONTRACT assume
`else
`define NDP_NBU_TRACK_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract

    always @* if (f_past && !rst) begin
        q_early: `NDP_NBU_TRACK_CONTRACT (init_done ||
                     !(lookup_valid || update_write || issued_write));
        q_legal: `NDP_NBU_TRACK_CONTRACT (!update_write || update_far ||
                                          update_near);
//% if (1 << L.WARP_W) ~= L.WARPS then
        q_warp: `NDP_NBU_TRACK_CONTRACT (
                    (!lookup_valid || lookup_warp < WARPS) &&
                    (!update_write || update_warp < WARPS) &&
                    (!issued_write || issued_warp < WARPS));
//% end
        q_issued: `NDP_NBU_TRACK_CONTRACT (!(lookup_valid && issued_write) ||
                                           lookup_warp != issued_warp);
    end

`ifdef FORMAL_NDP_NBU_TRACK
    // ------------------------------------------------------------------
    // Twin of any one entry, and which lookups ask for it

    (* anyconst *) reg [WARP_W-1:0] f_warp;
    (* anyconst *) reg [REG_W-1:0]  f_reg;

    always @* assume (f_warp < WARPS);

    reg [2:0] f_track;  // far, near, retired epoch
    reg       f_issued;
    reg [4:0] f_asked;  // bit k: lookup k asked for the entry on the last edge
    reg [2:0] f_found;  // what it has to see
    reg       f_epoch;

    wire       f_update = update_write && update_warp == f_warp &&
                          update_reg == f_reg;
    wire       f_issue  = issued_write && issued_warp == f_warp &&
                          issued_reg == f_reg;
    wire [2:0] f_next   = f_update ? {update_far, update_near, update_epoch}
                                   : f_track;
    integer    f_k;

    always @(posedge clk) begin
        if (rst) begin
            f_track  <= 3'b100;
            f_issued <= 1'b0;
            f_asked  <= 5'd0;
        end else begin
            f_track <= f_next;
            if (f_issue)
                f_issued <= issued_epoch;
            for (f_k = 0; f_k < 5; f_k = f_k + 1)
                f_asked[f_k] <= lookup_valid && lookup_warp == f_warp &&
                                lookup_regs[f_k*REG_W +: REG_W] == f_reg;
        end
        f_found <= f_next;
        f_epoch <= f_issued;
    end

//% for k = 0, 4 do
    always @* if (f_past && f_asked[${k}]) begin
        p_location_${k}: assert (found_far[${k}] == f_found[2] &&
                              found_near[${k}] == f_found[1]);
        p_retired_${k}: assert (found_retired[${k}] == f_found[0]);
        p_issued_${k}: assert (found_issued[${k}] == f_epoch);
        p_somewhere_${k}: assert (found_far[${k}] || found_near[${k}]);
    end
//% end

    // ------------------------------------------------------------------
    // Initialisation takes one edge an entry.

    reg [ENTRY_W:0] f_edges;

    always @(posedge clk) begin
        if (rst)
            f_edges <= 0;
        else if (f_edges < ENTRIES)
            f_edges <= f_edges + 1'b1;
    end

    always @* if (f_past) begin
        p_init: assert (init_done == (f_edges == ENTRIES));
        p_init_entry: assert (init_done || init_entry == f_edges);
    end

    always @* if (f_past && !rst) begin
        c_forward: cover (f_asked[0] && f_found == 3'b010 && !f_track[2]);
        c_issued: cover (f_asked[4] && f_epoch);
        c_first: cover (f_asked[2] && f_found == 3'b100);
    end
`endif
