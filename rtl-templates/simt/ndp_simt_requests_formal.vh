//% output("formal/ndp_simt_requests_formal.vh")
${header{title = "what is proved of ndp_simt_requests", text = [[
Ids are neither lost nor given twice, and every warp's count is that of the ids in use for
it: any id, followed from request to response, and any warp.  One response for each
request is the memory's contract (q_).]]}}
`ifdef FORMAL_NDP_SIMT_REQUESTS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [ID_W-1:0]   f_i;
    (* anyconst *) reg [WARP_W-1:0] f_w;

    reg                f_out; // id f_i is in use
    reg [WARP_W-1:0]   f_of;  // for this warp
    reg [TICKET_W-1:0] f_ticket;
    reg                f_row;

    wire f_made = make && id == f_i;
    wire f_told = rsp_valid && rsp_id == f_i;

    always @(posedge clk) begin
        if (rst)
            f_out <= 1'b0;
        else
            f_out <= (f_out || f_made) && !f_told;
        if (f_made) begin
            f_of     <= make_warp;
            f_ticket <= make_ticket;
            f_row    <= make_row;
        end
    end

    // ids in use for warp f_w
    integer f_k;

    reg [OUT_W:0] f_count;

    always @* begin
        f_count = 0;
        for (f_k = 0; f_k < REQUESTS; f_k = f_k + 1)
            f_count = f_count + (used[f_k] && warps[f_k*WARP_W +: WARP_W] == f_w);
    end

    always @* if (f_past && !rst) begin
        q_warp: assume (f_w < WARPS && make_warp < WARPS);
        q_make: assume (!make || free);
        q_told: assume (!rsp_valid || used[rsp_id]);
    end

    always @* if (f_past && !rst) begin
        p_used: assert (used[f_i] == f_out);
        p_whose: assert (!f_out || warps[f_i*WARP_W +: WARP_W] == f_of);
        p_free: assert (!(free && id == f_i) || !f_out);
        p_answer: assert (!f_told || (answer == f_row && answer_of == f_ticket));
        p_quiet: assert (!quiet || !f_out);
        p_count: assert (counts[f_w*OUT_W +: OUT_W] == f_count);
        p_way: assert (under_way[f_w] == (f_count != 0));
        p_note: assert (!f_out || (rows[f_i] == f_row &&
                                   tickets[f_i*TICKET_W +: TICKET_W] == f_ticket));
        p_inside: assert (!f_out || f_of < WARPS);
        c_full: cover (!free);
        c_both: cover (make && rsp_valid && make_warp == f_w && f_of == f_w && f_told);
        c_last: cover (f_count == 1 && f_told && f_of == f_w);
    end
`endif
