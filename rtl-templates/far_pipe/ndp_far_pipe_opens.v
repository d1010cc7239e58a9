//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_far_pipe_opens_formal.vh"
${header{title = "pipeline of the base die: accesses under way", text = [[
One for each warp at most.  What has to be told with its end stands in a memory; ends
come at two places at once, in any order, and are told one after the other.

    opens -> open -- ended, carried --> over -> chosen -> told

Latency: an end that comes on edge t is chosen on t+1 at the earliest, and ended after
that.

See docs/blocks/far_pipe.md, Ends.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_opens (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high

    // an access that is handed over
    input  wire        opens,         // there is one,
    input  wire ${pad(range(L.WARP_W), 6)} open_warp,     // of this warp, which has none,
    input  wire ${pad(range(L.TAG_W), 6)} open_tag,      // tag,
    input  wire ${pad(range(L.TICKET_W), 6)} open_ticket,   // ticket
    output reg  ${pad(range(L.WARPS), 6)} open,          // by warp: it has one

    // ends
    input  wire        ended_valid,   // an access has ended,
    input  wire ${pad(range(L.WARP_W), 6)} ended_warp,    // of this warp,
    input  wire        ended_fault,   // with a fault
    input  wire        carried_valid, // and another one,
    input  wire ${pad(range(L.WARP_W), 6)} carried_warp,  // of this warp,
    input  wire        carried_fault, // with a fault

    // a fault
    output wire        late_valid,    // the chosen one's, once
    output wire ${pad(range(L.WARP_W), 6)} late_warp,     // its warp
    output wire ${pad(range(L.TAG_W), 6)} late_tag,      // its tag

    // completion
    output reg         ended,         // one is chosen
    input  wire        told,          // that is told on this edge
    output reg  ${pad(range(L.WARP_W), 6)} end_warp,      // its warp
    output wire ${pad(range(L.TAG_W), 6)} end_tag,       // its tag
    output wire ${pad(range(L.TICKET_W), 6)} end_ticket     // its ticket
);
${localparams("WARPS", "WARP_W", "TAG_W", "TICKET_W")}

    reg  [WARPS-1:0] over; // by warp: its access has ended,
    reg  [WARPS-1:0] bad;  // with a fault

    wire [WARPS-1:0]  chosen;
    wire [WARP_W-1:0] who;
    wire              chooses = over != {WARPS{1'b0}} && (!ended || told);

    ${prefix}ndp_round_robin #(
        .N       (WARPS),
        .INDEX_W (WARP_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (over),
        .take    (chooses),
        .chosen  (chosen),
        .index   (who)
    );

    wire [WARPS-1:0] gone = chosen & {WARPS{chooses}};

    // by warp
    reg [WARPS-1:0] comes;
    reg [WARPS-1:0] ends_a;
    reg [WARPS-1:0] ends_b;

    integer w;

    always @* begin
        for (w = 0; w < WARPS; w = w + 1) begin
            comes[w]  = opens && open_warp == w[WARP_W-1:0];
            ends_a[w] = ended_valid && ended_warp == w[WARP_W-1:0];
            ends_b[w] = carried_valid && carried_warp == w[WARP_W-1:0];
        end
    end

    wire [WARPS-1:0] faults_a = ends_a & {WARPS{ended_fault}};
    wire [WARPS-1:0] faults_b = ends_b & {WARPS{carried_fault}};

    always @(posedge clk) begin
        if (rst) begin
            open <= {WARPS{1'b0}};
            over <= {WARPS{1'b0}};
        end else begin
            open <= (open | comes) & ~gone;
            over <= (over | ends_a | ends_b) & ~gone;
        end
    end

    always @(posedge clk) begin
        bad <= (bad & ~(ends_a | ends_b)) | faults_a | faults_b;
    end

    reg end_bad; // with a fault,
    reg end_new; // which is to be shown

    always @(posedge clk) begin
        if (rst) begin
            ended   <= 1'b0;
            end_new <= 1'b0;
        end else begin
            ended   <= chooses || (ended && !told);
            end_new <= chooses;
        end
    end

    always @(posedge clk) begin
        if (chooses) begin
            end_warp <= who;
            end_bad  <= (bad & chosen) != {WARPS{1'b0}};
        end
    end

    ${prefix}ndp_ram #(
        .WIDTH     (TAG_W + TICKET_W),
        .WORDS     (WARPS),
        .ADDRESS_W (WARP_W)
    ) tickets (
        .clk     (clk),
        .wr_en   (opens),
        .wr_addr (open_warp),
        .wr_data ({open_tag, open_ticket}),
        .rd_en   (chooses),
        .rd_addr (who),
        .rd_data ({end_tag, end_ticket})
    );

    assign late_valid = end_new && end_bad;
    assign late_warp  = end_warp;
    assign late_tag   = end_tag;

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_opens_formal.vh"
`endif
endmodule

`default_nettype wire
