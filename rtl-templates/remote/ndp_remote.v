//% use "ndp_queue.v"
//% use "ndp_flits_send.v"
//% use "ndp_flits_take.v"
//% use "ndp_node.v"
//% use "ndp_remote_formal.vh"
//% local function zeros(n) return n > 0 and n .. "'d0, " or "" end
${header{title = "way of a core to the memories of all nodes", text = [[
Requests of a core go to the memory that has their address: that of the own node, or
another one as packets; answers of both come back.

    mem -> queue -+- own address -> own       back -------------+-> register -> rsp
                  +- another's -> flits       take_ans -> word -+

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; answers at rsp
cannot be refused.  Fields are zero while valid is low.

Latency: a request that is taken on edge t is at own or send_req after edge t+1; an
answer at back is at rsp after the edge on which it is taken, one of another node an
edge after that of its last flit.

See docs/blocks/remote.md.]]}}
`default_nettype none

module ${prefix}ndp_remote (
${ports{reg = {"rsp_valid", "rsp_id", "rsp_data", "rsp_fault"}}}
);
${localparams("WIDTH", "HEIGHT", "NODE_W", "FLIT_W", "SECTOR", "SADDR_W", "LADDR_W", "HOME_W", "ID_W", "DATA_W",
              "LOAD_FLITS", "STORE_FLITS", "ASK_FLITS", "REPLY_FLITS", "ASK_N", "MARK_W", "SHARED_MARK")}

    localparam WORD_W = ${L.ASK_W - L.MARK_W - L.NODE_W + L.HOME_W}; // bits of a request in the queue

    // ------------------------------------------------------------------
    // Requests

    wire [WORD_W-1:0] oldest;
    wire              shown; // it is there
    wire              gone;  // and leaves on this edge

    ${prefix}ndp_queue #(
        .WIDTH (WORD_W),
        .DEPTH (2)
    ) asked (
        .clk       (clk),
        .rst       (rst),
        .push      (mem_valid && mem_ready),
        .in_word   ({mem_compare, mem_data, mem_strobe, mem_address, mem_id, mem_op}),
        .can_push  (mem_ready),
        .pop       (gone),
        .out_valid (shown),
        .out_word  (oldest)
    );

    wire [31:0]        compare;
    wire [DATA_W-1:0]  data;
    wire [SECTOR-1:0]  strobe;
    wire [SADDR_W-1:0] address;
    wire [ID_W-1:0]    id;
    wire [3:0]         op;

    assign {compare, data, strobe, address, id, op} = oldest;

${fragment("ndp_home_of.inc")}
    reg  [NODE_W-1:0]  here; // the own node

    always @(posedge clk) here <= at_node;

${fragment("ndp_node_of.inc", {home = "home", node = "node"})}

    wire               is_own  = shown && node == here;
    wire               is_far  = shown && node != here;

    // ------------------------------------------------------------------
    // For the own memory

    assign own_valid   = is_own;
    assign own_op      = is_own ? op : 4'd0;
    assign own_id      = is_own ? id : {ID_W{1'b0}};
    assign own_address = is_own ? sector : {LADDR_W{1'b0}};
    assign own_strobe  = is_own ? strobe : {SECTOR{1'b0}};
    assign own_data    = is_own ? data : {DATA_W{1'b0}};
    assign own_compare = is_own ? compare : 32'd0;

    // ------------------------------------------------------------------
    // For another one

    wire             sent;  // the last flit has been taken
    wire [ASK_N-1:0] flits; // of the packet
    wire [${pad(L.X_W - 1 .. ":0]", 9)} x;
    wire [${pad(L.Y_W - 1 .. ":0]", 9)} y;

    assign flits = op == 4'd0  ? LOAD_FLITS[ASK_N-1:0] :
                   op == 4'd11 ? ASK_FLITS[ASK_N-1:0]  : STORE_FLITS[ASK_N-1:0];

    ${prefix}ndp_flits_send #(
        .FLIT_W (FLIT_W),
        .FLITS  (ASK_FLITS)
    ) packet (
        .clk   (clk),
        .rst   (rst),
        .valid (is_far),
        .word  ({${zeros(L.ASK_FLITS * L.FLIT_W - L.ASK_W)}compare, data, strobe, sector, id, here, op, SHARED_MARK[MARK_W-1:0]}),
        .count (flits),
        .ready (send_req_ready),
        .done  (sent),
        .last  (send_req_last),
        .data  (send_req_data)
    );

    ${prefix}ndp_node #(
        .WIDTH  (WIDTH),
        .HEIGHT (HEIGHT)
    ) place (
        .node (node),
        .x    (x),
        .y    (y)
    );

    assign send_req_valid = is_far;
    assign send_req_order = 1'b0;
    assign send_req_x     = is_far ? x : ${L.X_W}'d0;
    assign send_req_y     = is_far ? y : ${L.Y_W}'d0;

    assign gone = (is_own && own_ready) || sent;

    // ------------------------------------------------------------------
    // Answers

    wire                          there; // one of another node
    wire [REPLY_FLITS*FLIT_W-1:0] come;
    reg                           far_turn;

    wire take_back = back_valid && back_ready;
    wire take_far  = there && !take_back;

    ${prefix}ndp_flits_take #(
        .FLIT_W (FLIT_W),
        .FLITS  (REPLY_FLITS)
    ) collect (
        .clk        (clk),
        .rst        (rst),
        .come_valid (take_ans_valid),
        .come_ready (take_ans_ready),
        .come_last  (take_ans_last),
        .come_data  (take_ans_data),
        .there      (there),
        .word       (come),
        .drop       (take_far)
    );

    assign back_ready = !(there && far_turn);

    always @(posedge clk) begin
        if (rst)
            far_turn <= 1'b0;
        else if (take_back || take_far)
            far_turn <= take_back;
    end

    always @(posedge clk) begin
        if (rst || !(take_back || take_far)) begin
            rsp_valid <= 1'b0;
            rsp_id    <= {ID_W{1'b0}};
            rsp_fault <= 1'b0;
            rsp_data  <= {DATA_W{1'b0}};
        end else begin
            rsp_valid <= 1'b1;
            rsp_id    <= take_back ? back_id : come[${record.reply.id.msb}:${record.reply.id.lsb}];
            rsp_fault <= take_back ? back_fault : come[${record.reply.fault.lsb}];
            rsp_data  <= take_back ? back_data : come[${record.reply.data.msb}:${record.reply.data.lsb}];
        end
    end

//% local above = L.REPLY_FLITS * L.FLIT_W > L.REPLY_W
    wire unused = &{1'b0, come[MARK_W-1:0]${above and ", come[REPLY_FLITS*FLIT_W-1:" .. L.REPLY_W .. "]" or ""}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_remote_formal.vh"
`endif
endmodule

`default_nettype wire
