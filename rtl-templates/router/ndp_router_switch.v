//% use "ndp_round_robin.v"
//% use "ndp_router_switch_formal.vh"
${header{title = "who of a router may go where", text = [[
Two choices on each edge, both round robin.  First, packets ask for the virtual
channel of the side where they leave, which has the number of their own; one gets
it and keeps it until its last flit has gone.  Second, flits whose packet has it,
and a credit, ask for their way across: each input chooses one of its virtual
channels, then each side one of the inputs.

Parameters:
    VCS    virtual channels, 2 or more
    VC_W   bits of a channel's number, clog2(VCS)
    DEPTH  credits of each channel after reset

Vectors: input i, channel v at bit i * VCS + v; side o, channel v at o * VCS + v.

Latency: a packet that waits before edge t has its channel after it at the
earliest; its flit is taken on edge t+1.  from is a register.

See docs/blocks/router.md.]]}}
`default_nettype none

module ${prefix}ndp_router_switch #(
    parameter VCS   = ${L.VCS},
    parameter VC_W  = ${L.VC_W},
    parameter DEPTH = ${L.DEPTH}
) (
    input  wire              clk,          // clock
    input  wire              rst,          // synchronous reset, active high

    // the oldest flit of each virtual channel of each input
    input  wire [25*VCS-1:0] goes,         // five bits each: its side, if it waits
    input  wire [5*VCS-1:0]  last,         // it is the last of its packet
    output wire [5*VCS-1:0]  take,         // it leaves on this edge
    output wire [5*VC_W-1:0] take_vc,      // by input: the same as a number

    // credits, by side
    input  wire [4:0]        credit_valid, // one comes back
    input  wire [5*VC_W-1:0] credit_vc,    // its virtual channel

    // what crosses now
    output reg  [24:0]       from,         // side o, input i at bit o * 5 + i
    output reg  [5*VC_W-1:0] from_vc       // by side: its virtual channel
);
    localparam COUNT_W = $clog2(DEPTH + 1);

    localparam [COUNT_W-1:0] ALL = DEPTH[COUNT_W-1:0];

    reg [5*VCS-1:0] owns; // input, channel: its packet has the side's channel
    reg [5*VCS-1:0] busy; // side, channel: some packet has it

    wire [25*VCS-1:0] gets;    // (o * VCS + v) * 5 + i: i's packet gets o's v
    wire [25*VCS-1:0] credits; // (i * VCS + v) * 5 + o: o's v has one
    wire [24:0]       tries;   // o * 5 + i: i wants to cross to o
    wire [24:0]       crosses; // and does

    genvar o, v, i;
    generate
        // --------------------------------------------------------------
        // Who has which virtual channel, and its credits

        for (o = 0; o < 5; o = o + 1) begin : out
            wire [VCS-1:0] back = credit_valid[o]
                ? {{(VCS-1){1'b0}}, 1'b1} << credit_vc[o*VC_W +: VC_W]
                : {VCS{1'b0}};

            for (v = 0; v < VCS; v = v + 1) begin : vc
                wire [4:0] ask;   // packets without a channel that want this
                wire [4:0] first;
                wire [4:0] leave; // flits that leave in it, at most one
                wire [4:0] ends;  // the last of its packet
                wire [2:0] unused_index;
                wire       give = !busy[o*VCS+v] && ask != 5'd0;

                reg  [COUNT_W-1:0] left; // credits

                for (i = 0; i < 5; i = i + 1) begin : in
                    wire here = goes[(i*VCS+v)*5+o];

                    assign ask[i]   = here && !owns[i*VCS+v];
                    assign leave[i] = here && take[i*VCS+v];
                    assign ends[i]  = leave[i] && last[i*VCS+v];

                    assign credits[(i*VCS+v)*5+o] = left != {COUNT_W{1'b0}};
                end

                assign gets[(o*VCS+v)*5 +: 5] = give ? first : 5'd0;

                ${prefix}ndp_round_robin #(
                    .N       (5),
                    .INDEX_W (3)
                ) owner (
                    .clk     (clk),
                    .rst     (rst),
                    .request (ask),
                    .take    (give),
                    .chosen  (first),
                    .index   (unused_index)
                );

                always @(posedge clk) begin
                    if (rst) begin
                        left           <= ALL;
                        busy[o*VCS+v]  <= 1'b0;
                    end else begin
                        if (back[v] && leave == 5'd0)
                            left <= left + 1'b1;
                        else if (leave != 5'd0 && !back[v])
                            left <= left - 1'b1;
                        if (give)
                            busy[o*VCS+v] <= 1'b1;
                        else if (ends != 5'd0)
                            busy[o*VCS+v] <= 1'b0;
                    end
                end
            end
        end

        for (i = 0; i < 5; i = i + 1) begin : owner
            for (v = 0; v < VCS; v = v + 1) begin : vc
                wire [4:0] got;

                for (o = 0; o < 5; o = o + 1) begin : out
                    assign got[o] = gets[(o*VCS+v)*5+i];
                end

                always @(posedge clk) begin
                    if (rst)
                        owns[i*VCS+v] <= 1'b0;
                    else if (got != 5'd0)
                        owns[i*VCS+v] <= 1'b1;
                    else if (take[i*VCS+v] && last[i*VCS+v])
                        owns[i*VCS+v] <= 1'b0;
                end
            end
        end

        // --------------------------------------------------------------
        // Each input chooses one of its virtual channels

        for (i = 0; i < 5; i = i + 1) begin : input_turn
            wire [VCS-1:0] able; // could leave now
            wire [VCS-1:0] turn; // the one that is chosen
            wire [4:0]     won;  // the side that lets it across, if any

            for (v = 0; v < VCS; v = v + 1) begin : vc
                assign able[v] = owns[i*VCS+v] &&
                                 (goes[(i*VCS+v)*5 +: 5] &
                                  credits[(i*VCS+v)*5 +: 5]) != 5'd0;
            end

            for (o = 0; o < 5; o = o + 1) begin : out
                wire [VCS-1:0] here;

                for (v = 0; v < VCS; v = v + 1) begin : vc
                    assign here[v] = turn[v] && goes[(i*VCS+v)*5+o];
                end

                assign tries[o*5+i] = here != {VCS{1'b0}};
                assign won[o]       = crosses[o*5+i];
            end

            assign take[i*VCS +: VCS] = won != 5'd0 ? turn : {VCS{1'b0}};

            ${prefix}ndp_round_robin #(
                .N       (VCS),
                .INDEX_W (VC_W)
            ) choice (
                .clk     (clk),
                .rst     (rst),
                .request (able),
                .take    (won != 5'd0),
                .chosen  (turn),
                .index   (take_vc[i*VC_W +: VC_W])
            );
        end

        // --------------------------------------------------------------
        // Each side chooses one of the inputs

        for (o = 0; o < 5; o = o + 1) begin : side_turn
            wire [2:0]      unused_index;
            wire            any = tries[o*5 +: 5] != 5'd0;
            reg  [VC_W-1:0] vc_of; // of the flit that crosses
            integer         k;

            always @* begin
                vc_of = {VC_W{1'b0}};
                for (k = 0; k < 5; k = k + 1)
                    if (crosses[o*5+k])
                        vc_of = vc_of | take_vc[k*VC_W +: VC_W];
            end

            ${prefix}ndp_round_robin #(
                .N       (5),
                .INDEX_W (3)
            ) choice (
                .clk     (clk),
                .rst     (rst),
                .request (tries[o*5 +: 5]),
                .take    (any),
                .chosen  (crosses[o*5 +: 5]),
                .index   (unused_index)
            );

            always @(posedge clk) begin
                if (rst) begin
                    from[o*5 +: 5]          <= 5'd0;
                    from_vc[o*VC_W +: VC_W] <= {VC_W{1'b0}};
                end else begin
                    from[o*5 +: 5]          <= crosses[o*5 +: 5];
                    from_vc[o*VC_W +: VC_W] <= vc_of;
                end
            end
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_router_switch_formal.vh"
`endif
endmodule

`default_nettype wire
