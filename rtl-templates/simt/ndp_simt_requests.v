//% use "ndp_ram.v"
//% use "ndp_lowest.v"
//% use "ndp_simt_requests_formal.vh"
//% local AW, AP, AT, AI = pad(range(L.WARP_W), 6), pad(range(L.PC_W), 6), pad(range(L.TICKET_W), 6), pad(range(L.ID_W), 6)
${header{title = "SIMT core: requests without a response", text = [[
Ids of requests, what each stands for, and how many each warp has under way.

Latency: changes stand after their edge.  Ticket and warp of a response are there on
its edge, its lanes and what a fault has to tell after it, from memories.]]}}
`default_nettype none

module ${prefix}ndp_simt_requests (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // a request, with the lowest free id
    input  wire        make,       // is made
    input  wire ${AW} make_warp,  // of this warp
    input  wire ${AP} make_pc,    // and instruction
    input  wire        make_row,   // it has a ticket:
    input  wire ${AT} make_ticket, // which
    input  wire ${pad(range(L.LANES), 6)} make_lanes, // lanes that it is for
    input  wire ${pad(range(L.SADDR_W), 6)} make_sector, // of this sector
    output wire        free,       // an id is free
    output wire ${AI} id,         // the lowest one

    // responses
    input  wire        rsp_valid,  // a response
    input  wire ${AI} rsp_id,     // id of the request
    output wire        answer,     // it is for a row
    output reg  ${AT} answer_of,  // of this ticket
    output wire ${pad(range(L.LANES), 6)} lanes,      // after the edge: its lanes

    // what a fault of the response last taken has to tell
    input  wire        faulted,    // it is that, keep it
    output wire ${AW} fault_warp, // warp
    output wire ${AP} fault_pc,   // instruction
    output wire ${pad(range(L.SADDR_W), 6)} fault_sector, // sector

    output wire        quiet,      // no request is under way
    output reg  ${pad(range(L.WARPS), 6)} under_way   // warps with requests
);
${localparams("WARPS", "WARP_W", "PC_W", "LANES", "REQUESTS", "ID_W", "TICKET_W", "SADDR_W", "OUT_W")}

    reg [REQUESTS-1:0] used;
    reg [REQUESTS-1:0] rows; // with a ticket
    reg [REQUESTS*WARP_W-1:0]   warps;
    reg [REQUESTS*TICKET_W-1:0] tickets;

    wire [REQUESTS-1:0] one = {{(REQUESTS-1){1'b0}}, 1'b1};
    wire [REQUESTS-1:0] at  = one << rsp_id; // the one that is answered
    wire [REQUESTS-1:0] first;

    ${prefix}ndp_lowest #(
        .N       (REQUESTS),
        .INDEX_W (ID_W)
    ) lowest (
        .set   (~used),
        .first (first),
        .index (id)
    );

    assign free  = first != {REQUESTS{1'b0}};
    assign quiet = used == {REQUESTS{1'b0}};

    always @(posedge clk) begin
        if (rst)
            used <= {REQUESTS{1'b0}};
        else
            used <= (used | (first & {REQUESTS{make}})) &
                    ~(at & {REQUESTS{rsp_valid}});
    end

    integer n;

    always @(posedge clk) begin
        for (n = 0; n < REQUESTS; n = n + 1)
            if (make && first[n]) begin
                rows[n]                          <= make_row;
                warps[n*WARP_W +: WARP_W]        <= make_warp;
                tickets[n*TICKET_W +: TICKET_W]  <= make_ticket;
            end
    end

    reg  [WARP_W-1:0]   rsp_warp;

    integer r;

    always @* begin
        rsp_warp  = {WARP_W{1'b0}};
        answer_of = {TICKET_W{1'b0}};
        for (r = 0; r < REQUESTS; r = r + 1)
            if (at[r]) begin
                rsp_warp  = rsp_warp | warps[r*WARP_W +: WARP_W];
                answer_of = answer_of | tickets[r*TICKET_W +: TICKET_W];
            end
    end

    assign answer = rsp_valid && (rows & at) != {REQUESTS{1'b0}};

    ${prefix}ndp_ram #(
        .WIDTH     (LANES),
        .WORDS     (REQUESTS),
        .ADDRESS_W (ID_W)
    ) lanes_of (
        .clk     (clk),
        .wr_en   (make),
        .wr_addr (id),
        .wr_data (make_lanes),
        .rd_en   (rsp_valid),
        .rd_addr (rsp_id),
        .rd_data (lanes)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (WARP_W + PC_W + SADDR_W),
        .WORDS     (REQUESTS),
        .ADDRESS_W (ID_W)
    ) places_of (
        .clk     (clk),
        .wr_en   (make),
        .wr_addr (id),
        .wr_data ({make_warp, make_pc, make_sector}),
        .rd_en   (rsp_valid && !faulted),
        .rd_addr (rsp_id),
        .rd_data ({fault_warp, fault_pc, fault_sector})
    );

    // ------------------------------------------------------------------
    // Requests of each warp

    wire [WARPS-1:0] bit_0 = {{(WARPS-1){1'b0}}, 1'b1};
    wire [WARPS-1:0] more  = (bit_0 << make_warp) & {WARPS{make}};
    wire [WARPS-1:0] less  = (bit_0 << rsp_warp) & {WARPS{rsp_valid}};

    reg [WARPS*OUT_W-1:0] counts;

    integer w;

    always @(posedge clk) begin
        for (w = 0; w < WARPS; w = w + 1)
            if (rst) begin
                counts[w*OUT_W +: OUT_W] <= {OUT_W{1'b0}};
                under_way[w]             <= 1'b0;
            end else if (more[w] && !less[w]) begin
                counts[w*OUT_W +: OUT_W] <= counts[w*OUT_W +: OUT_W] + 1'b1;
                under_way[w]             <= 1'b1;
            end else if (less[w] && !more[w]) begin
                counts[w*OUT_W +: OUT_W] <= counts[w*OUT_W +: OUT_W] - 1'b1;
                under_way[w]             <=
                    counts[w*OUT_W +: OUT_W] != {{(OUT_W-1){1'b0}}, 1'b1};
            end
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_requests_formal.vh"
`endif
endmodule

`default_nettype wire
