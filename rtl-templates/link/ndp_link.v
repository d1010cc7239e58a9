//% use "ndp_ram.v"
//% use "ndp_link_formal.vh"
//% local deep = L.LATENCY > 1 -- there are registers behind the first one
${header{title = "slow link between two routers", text = [[
Flits of a router wait in a queue; one leaves every at_pace edges and is LATENCY
registers under way to the other router.  Credits go back through a register.

    from -> queue -> first register -> ... -> last register -> to
    credit <- register <- back       others -> or -> register -> moves

Parameters: all sizes are generated; see the localparams.

Handshake: a flit with valid is taken on that edge, and so is a credit.  The router
holds the other one's credits, so at most PLACES flits are in the queue.  Fields are
zero while valid is low.

Latency: a flit that comes on edge t is at to after edge t+LATENCY at the earliest,
a credit that comes on t is at credit after t.

See docs/blocks/link.md.]]}}
`default_nettype none

module ${prefix}ndp_link (
${ports{reg = {"credit_valid", "credit_vc", "moves"}}}
);
${localparams("VC_W", "STACKS", "LATENCY", "PLACES", "PLACE_W", "WORD_W")}

    localparam AT_W = $clog2(PLACES); // bits of a place in the queue

    localparam [AT_W-1:0]    LAST = PLACES[AT_W-1:0] - 1'b1;
    localparam [PLACE_W-1:0] NONE = {PLACE_W{1'b0}};

    // ------------------------------------------------------------------
    // The queue, and when its oldest flit leaves

    reg [AT_W-1:0]    head;   // place of the oldest flit
    reg [AT_W-1:0]    tail;   // place of the next one that comes
    reg [PLACE_W-1:0] count;  // flits in the queue
    reg [7:0]         pauses; // edges on which none may leave

    wire leaves = count != NONE && pauses == 8'd0;

    always @(posedge clk) begin
        if (rst) begin
            head  <= {AT_W{1'b0}};
            tail  <= {AT_W{1'b0}};
            count <= NONE;
        end else begin
            if (leaves)
                head <= head == LAST ? {AT_W{1'b0}} : head + 1'b1;
            if (from_valid)
                tail <= tail == LAST ? {AT_W{1'b0}} : tail + 1'b1;
            if (from_valid && !leaves)
                count <= count + 1'b1;
            else if (leaves && !from_valid)
                count <= count - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst)
            pauses <= 8'd0;
        else if (leaves)
            pauses <= at_pace == 8'd0 ? 8'd0 : at_pace - 8'd1;
        else if (pauses != 8'd0)
            pauses <= pauses - 8'd1;
    end

    // ------------------------------------------------------------------
    // The way: its first register is the one that the memory reads into

    reg  [LATENCY-1:0] under_way; // a flit is in the register, the first one's lowest
    wire [WORD_W-1:0]  first;
    wire [WORD_W-1:0]  arrived;   // in the last register

    ${prefix}ndp_ram #(
        .WIDTH     (WORD_W),
        .WORDS     (PLACES),
        .ADDRESS_W (AT_W)
    ) queue (
        .clk     (clk),
        .wr_en   (from_valid),
        .wr_addr (tail),
        .wr_data ({from_data, from_y, from_x, from_last, from_vc}),
        .rd_en   (leaves),
        .rd_addr (head),
        .rd_data (first)
    );

    always @(posedge clk) begin
        if (rst)
            under_way <= {LATENCY{1'b0}};
        else
//% if deep then
            under_way <= {under_way[LATENCY-2:0], leaves};
//% else
            under_way <= leaves;
//% end
    end

//% if deep then
    reg [(LATENCY-1)*WORD_W-1:0] way; // the other registers, the last one's highest

    always @(posedge clk)
//% if L.LATENCY > 2 then
        way <= {way[(LATENCY-2)*WORD_W-1:0], first};
//% else
        way <= first;
//% end

    assign arrived  = way[(LATENCY-2)*WORD_W +: WORD_W];
//% else
    assign arrived  = first;
//% end
    assign to_valid = under_way[LATENCY-1];
    assign {to_data, to_y, to_x, to_last, to_vc} = to_valid ? arrived : {WORD_W{1'b0}};

    // ------------------------------------------------------------------
    // Credits, and what moves

    always @(posedge clk) begin
        if (rst) begin
            credit_valid <= 1'b0;
            credit_vc    <= {VC_W{1'b0}};
        end else begin
            credit_valid <= back_valid;
            credit_vc    <= back_valid ? back_vc : {VC_W{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (rst)
            moves <= {STACKS{1'b0}};
        else
            moves <= leaves ? others | at_bit : others;
    end

${checks{still = {"at_pace", "at_bit"}, must = {{"!from_valid || count != PLACES[PLACE_W-1:0]", "a flit comes without a credit"}}}}
`ifdef FORMAL
`include "${prefix}ndp_link_formal.vh"
`endif
endmodule

`default_nettype wire
