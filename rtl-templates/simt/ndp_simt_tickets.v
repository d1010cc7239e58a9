//% use "ndp_lowest.v"
//% use "ndp_simt_tickets_formal.vh"
//% local AW, AP, AT = pad(range(L.WARP_W), 6), pad(range(L.PC_W), 6), pad(range(L.TICKET_W), 6)
//% local OFFERS = L.OFFERS == 1
//% local AV, AC = pad(range(L.TICKETS), 6), pad(range(L.CTA_W), 6)
${header{title = "SIMT core: tickets", text = [[
An access with a result has a ticket from its check to the release of its return:
whose it is, which register it is for, how many of its requests are without a
response.

    free -> used -> issued and no request left: complete -> on its way -> free

Latency: changes stand after their edge.]]}}
`default_nettype none

module ${prefix}ndp_simt_tickets (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // check
    input  wire        take,       // the lowest free one is taken
    input  wire ${AW} take_warp,  // for this warp
    input  wire ${AC} take_slot,  // of this CTA slot
    input  wire ${AP} take_pc,    // for this instruction
    input  wire [5:0]  take_d,     // with this destination
    output wire ${AT} free,       // the lowest one that is free
    output reg  ${AV} used,       // in use
    output reg  ${pad(range(L.TICKETS * L.WARP_W), 6)} warps,      // their warps
    output reg  ${pad(range(L.TICKETS * L.CTA_W), 6)} slots,      // their CTA slots
    output reg  ${pad(range(L.TICKETS * 6), 6)} registers,  // their destinations

//% if OFFERS then
    // results of chains: the last one is theirs
    input  wire        port_take,  // it is taken
    input  wire ${AW} port_warp,  // for this warp
    input  wire ${AC} port_slot,  // of this CTA slot
    input  wire ${AP} port_pc,    // and instruction
    input  wire [5:0]  port_d,     // with this destination
    input  wire        port_issue, // nothing is left to do of it
    output wire        port_issued, // that is so

//% end
    // engine
    input  wire        request,    // a request is made
    input  wire ${AT} request_of, // for this ticket
    input  wire        issue,      // nothing is left to do
    input  wire ${AT} issue_of,   // of this ticket

    // responses
    input  wire        answer,     // a response has come
    input  wire ${AT} answer_of,  // for this ticket

    // select
    output wire        ret_wait,   // a ticket is complete
    output wire ${AT} ret_ticket, // the lowest one
    output reg  ${AW} ret_warp,   // its warp
    output reg  ${AP} ret_pc,     // its instruction
    output reg  [5:0]  ret_d,      // its destination
    input  wire        ret_taken,  // it is on its way after this edge

    // release
    input  wire        done,       // a ticket is free after this edge
    input  wire ${AT} done_of     // which
);
${localparams("TICKETS", "TICKET_W", "WARP_W", "PC_W", "CTA_W", "OUT_W")}

    reg [TICKETS-1:0]      issued; // nothing is left to do
    reg [TICKETS-1:0]      sent;   // on its way to W
    reg [TICKETS-1:0]      empty;  // no request is without a response
    reg [TICKETS*OUT_W-1:0] counts; // of those
    reg [TICKETS*PC_W-1:0] pcs;

    wire [TICKETS-1:0]  one = {{(TICKETS-1){1'b0}}, 1'b1};
    wire [TICKETS-1:0]  first_free;
    wire [TICKETS-1:0]  first_done;

    ${prefix}ndp_lowest #(
        .N       (TICKETS),
        .INDEX_W (TICKET_W)
    ) lowest_free (
        .set   (${OFFERS and "{1'b0, ~used[TICKETS-2:0]}" or "~used"}),
        .first (first_free),
        .index (free)
    );

    ${prefix}ndp_lowest #(
        .N       (TICKETS),
        .INDEX_W (TICKET_W)
    ) lowest_done (
        .set   (used & issued & empty & ~sent),
        .first (first_done),
        .index (ret_ticket)
    );

    assign ret_wait = first_done != {TICKETS{1'b0}};

    integer i;

    always @* begin
        ret_pc   = {PC_W{1'b0}};
        ret_warp = {WARP_W{1'b0}};
        ret_d    = 6'd0;
        for (i = 0; i < TICKETS; i = i + 1)
            if (first_done[i]) begin
                ret_pc   = ret_pc | pcs[i*PC_W +: PC_W];
                ret_warp = ret_warp | warps[i*WARP_W +: WARP_W];
                ret_d    = ret_d | registers[i*6 +: 6];
            end
    end

//% if OFFERS then
    wire [TICKETS-1:0] given    = first_free & {TICKETS{take}};
    wire [TICKETS-1:0] taken    = given | {port_take, {(TICKETS-1){1'b0}}};
    wire [TICKETS-1:0] finished = ((one << issue_of) & {TICKETS{issue}}) |
                                  {port_issue, {(TICKETS-1){1'b0}}};

    assign port_issued = issued[TICKETS-1];

//% else
    wire [TICKETS-1:0] taken    = first_free & {TICKETS{take}};
    wire [TICKETS-1:0] finished = (one << issue_of) & {TICKETS{issue}};
//% end
    wire [TICKETS-1:0] freed    = (one << done_of) & {TICKETS{done}};

    always @(posedge clk) begin
        if (rst)
            used <= {TICKETS{1'b0}};
        else
            used <= (used & ~freed) | taken;
    end

    always @(posedge clk) begin
        issued <= (issued & ~taken) | finished;
        sent   <= (sent & ~taken) | (first_done & {TICKETS{ret_taken}});
    end

    integer t;

    always @(posedge clk) begin
        for (t = 0; t < TICKETS; t = t + 1)
            if (${OFFERS and "given" or "taken"}[t]) begin
                warps[t*WARP_W +: WARP_W] <= take_warp;
                slots[t*CTA_W +: CTA_W]   <= take_slot;
                registers[t*6 +: 6]       <= take_d;
                pcs[t*PC_W +: PC_W]       <= take_pc;
            end
//% if OFFERS then
        if (port_take) begin
            warps[(TICKETS-1)*WARP_W +: WARP_W] <= port_warp;
            slots[(TICKETS-1)*CTA_W +: CTA_W]   <= port_slot;
            registers[(TICKETS-1)*6 +: 6]       <= port_d;
            pcs[(TICKETS-1)*PC_W +: PC_W]       <= port_pc;
        end
//% end
    end

    // ------------------------------------------------------------------
    // Requests without a response

    wire [TICKETS-1:0] more = (one << request_of) & {TICKETS{request}};
    wire [TICKETS-1:0] less = (one << answer_of) & {TICKETS{answer}};

    integer r;

    always @(posedge clk) begin
        for (r = 0; r < TICKETS; r = r + 1) begin
            if (taken[r]) begin
                counts[r*OUT_W +: OUT_W] <= {OUT_W{1'b0}};
                empty[r]                 <= 1'b1;
            end else if (more[r] && !less[r]) begin
                counts[r*OUT_W +: OUT_W] <= counts[r*OUT_W +: OUT_W] + 1'b1;
                empty[r]                 <= 1'b0;
            end else if (less[r] && !more[r]) begin
                counts[r*OUT_W +: OUT_W] <= counts[r*OUT_W +: OUT_W] - 1'b1;
                empty[r]                 <=
                    counts[r*OUT_W +: OUT_W] == {{(OUT_W-1){1'b0}}, 1'b1};
            end
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_tickets_formal.vh"
`endif
endmodule

`default_nettype wire
