//% use "ndp_queue.v"
//% use "ndp_junction_formal.vh"
${header{title = "network interface for two users", text = [[
Packets of chains and of shared memory take turns on their way to a node's network
interface, and find their user on their way from it.

    chain_ask, share_ask -> queue -> send_req       the same with chain_reply,
    take_req -> queue -> chain_asked, share_asked   share_reply, send_ans and so on

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: a flit that is taken on edge t is at the other side after edge t+1.

See docs/blocks/junction.md.]]}}
`default_nettype none

module ${prefix}ndp_junction (
${ports()}
);
${localparams("SEND_W", "GOT_W", "MARK_W", "SHARED_MARK")}

    localparam [MARK_W-1:0] SHARED = SHARED_MARK[MARK_W-1:0];

//% for _, c in ipairs{{"req", "ask", "asked", "Requests"}, {"ans", "reply", "replied", "Answers"}} do
//%     local class, goes, comes = c[1], c[2], c[3]
    // ------------------------------------------------------------------
    // ${c[4]} that go

    reg  ${class}_share; // the owner is shared memory, else chains
    reg  ${class}_open;  // a packet of the owner's has begun
    wire ${class}_room;

    wire [SEND_W-1:0] ${class}_chain_flit = {chain_${goes}_data, chain_${goes}_y, chain_${goes}_x, chain_${goes}_order, chain_${goes}_last};
    wire [SEND_W-1:0] ${class}_share_flit = {share_${goes}_data, share_${goes}_y, share_${goes}_x, share_${goes}_order, share_${goes}_last};
    wire [SEND_W-1:0] ${class}_flit = ${class}_share ? ${class}_share_flit : ${class}_chain_flit;

    wire ${class}_wants  = ${class}_share ? share_${goes}_valid : chain_${goes}_valid;
    wire ${class}_others = ${class}_share ? chain_${goes}_valid : share_${goes}_valid; // the other user wants
    wire ${class}_taken  = ${class}_wants && ${class}_room;
    wire ${class}_over   = ${class}_wants ? ${class}_taken && ${class}_flit[0] : !${class}_open; // the owner need not stay

    assign chain_${goes}_ready = ${class}_room && !${class}_share;
    assign share_${goes}_ready = ${class}_room && ${class}_share;

    always @(posedge clk) begin
        if (rst)
            ${class}_open <= 1'b0;
        else if (${class}_taken)
            ${class}_open <= !${class}_flit[0];
    end

    always @(posedge clk) begin
        if (rst)
            ${class}_share <= 1'b0;
        else if (${class}_over && ${class}_others)
            ${class}_share <= !${class}_share;
    end

    wire              ${class}_goes; // there is a flit
    wire [SEND_W-1:0] ${class}_sent;

    ${prefix}ndp_queue #(
        .WIDTH (SEND_W),
        .DEPTH (2)
    ) ${class}_sending (
        .clk       (clk),
        .rst       (rst),
        .push      (${class}_taken),
        .in_word   (${class}_flit),
        .can_push  (${class}_room),
        .pop       (send_${class}_ready),
        .out_valid (${class}_goes),
        .out_word  (${class}_sent)
    );

    assign send_${class}_valid = ${class}_goes;
    assign {send_${class}_data, send_${class}_y, send_${class}_x, send_${class}_order, send_${class}_last} =
        ${class}_goes ? ${class}_sent : {SEND_W{1'b0}};

    // ------------------------------------------------------------------
    // ${c[4]} that have come

    reg  ${class}_begun;  // the flit is not the first of its packet
    reg  ${class}_before; // the packet is of shared memory

    wire ${class}_whose = ${class}_begun ? ${class}_before : take_${class}_data[MARK_W-1:0] == SHARED;
    wire ${class}_come  = take_${class}_valid && take_${class}_ready;

    always @(posedge clk) begin
        if (rst)
            ${class}_begun <= 1'b0;
        else if (${class}_come)
            ${class}_begun <= !take_${class}_last;
    end

    always @(posedge clk)
        if (${class}_come)
            ${class}_before <= ${class}_whose;

    wire             ${class}_there; // there is a flit
    wire [GOT_W-1:0] ${class}_got;

    wire ${class}_for_share = ${class}_there && ${class}_got[GOT_W-1];
    wire ${class}_for_chain = ${class}_there && !${class}_got[GOT_W-1];

    ${prefix}ndp_queue #(
        .WIDTH (GOT_W),
        .DEPTH (2)
    ) ${class}_taking (
        .clk       (clk),
        .rst       (rst),
        .push      (${class}_come),
        .in_word   ({${class}_whose, take_${class}_data, take_${class}_last}),
        .can_push  (take_${class}_ready),
        .pop       (${class}_for_share ? share_${comes}_ready : chain_${comes}_ready),
        .out_valid (${class}_there),
        .out_word  (${class}_got)
    );

    assign chain_${comes}_valid = ${class}_for_chain;
    assign share_${comes}_valid = ${class}_for_share;
    assign {chain_${comes}_data, chain_${comes}_last} = ${class}_got[GOT_W-2:0] & {GOT_W-1{${class}_for_chain}};
    assign {share_${comes}_data, share_${comes}_last} = ${class}_got[GOT_W-2:0] & {GOT_W-1{${class}_for_share}};

//% end
${checks()}
`ifdef FORMAL
`include "${prefix}ndp_junction_formal.vh"
`endif
endmodule

`default_nettype wire
