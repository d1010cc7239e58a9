//% use "ndp_vc_buffer.v"
//% use "ndp_router_route.v"
//% use "ndp_router_switch.v"
//% use "ndp_router_formal.vh"
//% local sides, out_regs = { "l", "n", "e", "s", "w" }, {}
//% for _, p in ipairs(iface.ports) do
//%     if p.dir == "out" then out_regs[#out_regs + 1] = p.name end
//% end
${header{title = "router of a mesh", text = [[
Flits come in on five sides into buffers by virtual channel, find the side where
their packet leaves, and go out when it is their turn and the next buffer has
room.

    in -> buffer by virtual channel ----------> crossing -> register -> out
          route -> owner of the channel, turn of input, turn of side

Sides: l the node itself, n (y - 1), e (x + 1), s (y + 1), w (x - 1).

Handshake: a flit with valid is taken on that edge; the sender holds DEPTH credits
of each virtual channel after reset and gets one back with each credit_valid, for
use in that cycle.  A packet keeps its virtual channel, and all its flits say where
it goes.  Fields are zero while valid is low.

Latency: a flit that comes on edge t is out after edge t+3 at the earliest, the
next one of its packet after t+4.

See docs/blocks/router.md.]]}}
`default_nettype none

module ${prefix}ndp_router (
${ports{reg = out_regs}}
);
${localparams("VCS", "VC_W", "DEPTH", "SIDE_W", "WORD_W")}

    localparam TAG_W = SIDE_W + 1; // side where a flit leaves, and last

    // ------------------------------------------------------------------
    // Side by side: input or side i at position i, the node's first

    wire [4:0]          in_credit_valid; // a flit leaves its buffer
    wire [5*VC_W-1:0]   take_vc;
    wire [5*VCS-1:0]    take;
    wire [25*VCS-1:0]   goes;
    wire [5*VCS-1:0]    last;
    wire [24:0]         from;
    wire [5*VC_W-1:0]   from_vc;

//% for _, s in ipairs(sides) do
    wire [WORD_W-1:0]    ${s}_word; // has left its buffer
//% end

    ${prefix}ndp_router_switch #(
        .VCS   (VCS),
        .VC_W  (VC_W),
        .DEPTH (DEPTH)
    ) switch (
        .clk          (clk),
        .rst          (rst),
        .goes         (goes),
        .last         (last),
        .take         (take),
        .take_vc      (take_vc),
        .credit_valid ({w_out_credit_valid, s_out_credit_valid,
                        e_out_credit_valid, n_out_credit_valid,
                        l_out_credit_valid}),
        .credit_vc    ({w_out_credit_vc, s_out_credit_vc, e_out_credit_vc,
                        n_out_credit_vc, l_out_credit_vc}),
        .from         (from),
        .from_vc      (from_vc)
    );

    genvar v;

//% for n, s in ipairs(sides) do
//%     local i = n - 1
    // ------------------------------------------------------------------
    // Side ${s}

    wire [SIDE_W-1:0]    ${s}_route; // where the flit that comes will leave
    wire [VCS-1:0]       ${s}_waiting;
    wire [VCS*TAG_W-1:0] ${s}_tags;

    ${prefix}ndp_router_route ${s}_way (
        .at_x  (at_x),
        .at_y  (at_y),
        .vc    (${s}_in_vc),
        .x     (${s}_in_x),
        .y     (${s}_in_y),
        .side  (${s}_route)
    );

    ${prefix}ndp_vc_buffer #(
        .WIDTH (WORD_W),
        .TAG_W (TAG_W),
        .VCS   (VCS),
        .VC_W  (VC_W),
        .DEPTH (DEPTH)
    ) ${s}_buffer (
        .clk       (clk),
        .rst       (rst),
        .push      (${s}_in_valid),
        .push_vc   (${s}_in_vc),
        .push_tag  ({${s}_in_last, ${s}_route}),
        .push_word ({${s}_in_data, ${s}_in_y, ${s}_in_x, ${s}_in_last}),
        .take      (take[${i}*VCS +: VCS]),
        .take_vc   (take_vc[${i}*VC_W +: VC_W]),
        .waiting   (${s}_waiting),
        .tags      (${s}_tags),
        .word      (${s}_word)
    );

    generate
        for (v = 0; v < VCS; v = v + 1) begin : ${s}_oldest
            assign goes[(${i}*VCS+v)*5 +: 5] = ${s}_waiting[v]
                ? 5'd1 << ${s}_tags[v*TAG_W +: SIDE_W]
                : 5'd0;
            assign last[${i}*VCS+v] = ${s}_tags[v*TAG_W+SIDE_W];
        end
    endgenerate

    assign in_credit_valid[${i}] = take[${i}*VCS +: VCS] != {VCS{1'b0}};

    wire [WORD_W-1:0] ${s}_crossing =
//%     for m, t in ipairs(sides) do
        ({WORD_W{from[${i * 5 + m - 1}]}} & ${t}_word)${m < 5 and " |" or ";"}
//%     end

    always @(posedge clk) begin
        if (rst) begin
            ${s}_in_credit_valid <= 1'b0;
            ${s}_in_credit_vc    <= {VC_W{1'b0}};
            ${s}_out_valid       <= 1'b0;
            ${s}_out_vc          <= {VC_W{1'b0}};
            {${s}_out_data, ${s}_out_y, ${s}_out_x, ${s}_out_last} <= {WORD_W{1'b0}};
        end else begin
            ${s}_in_credit_valid <= in_credit_valid[${i}];
            ${s}_in_credit_vc    <= in_credit_valid[${i}] ? take_vc[${i}*VC_W +: VC_W]
                                                  : {VC_W{1'b0}};
            ${s}_out_valid       <= from[${i}*5 +: 5] != 5'd0;
            ${s}_out_vc          <= from_vc[${i}*VC_W +: VC_W];
            {${s}_out_data, ${s}_out_y, ${s}_out_x, ${s}_out_last} <= ${s}_crossing;
        end
    end

//% end
${checks{still = {"at_x", "at_y"}}}
`ifdef FORMAL
`include "${prefix}ndp_router_formal.vh"
`endif
endmodule

`default_nettype wire
