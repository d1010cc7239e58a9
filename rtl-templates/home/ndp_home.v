//% use "ndp_queue.v"
//% use "ndp_flits_send.v"
//% use "ndp_flits_take.v"
//% use "ndp_node.v"
//% use "ndp_home_formal.vh"
//% local function zeros(n) return n > 0 and n .. "'d0, " or "" end
//% local ask, reply = record.ask, record.reply
${header{title = "memory's end of requests of all nodes", text = [[
Requests of the own node and packets of others become requests to a memory; its
answers go back the way that they came.

    own -> queue ----+-> register -> mem      rsp -+-> queue -> back
    take_req -> word +                             +-> queue -> flits -> send_ans

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; the memory's
answers cannot be refused, and need not be: a request goes with a place for its
answer.  Fields are zero while valid is low.

Latency: an own request that is taken on edge t is at mem after edge t+2, a packet
with its last flit on t after t+1; an answer that comes on t is at back or send_ans
after t+1.

See docs/blocks/home.md.]]}}
`default_nettype none

module ${prefix}ndp_home (
${ports{reg = {"mem_valid", "mem_op", "mem_id", "mem_address", "mem_strobe", "mem_data", "mem_compare"}}}
);
${localparams("WIDTH", "HEIGHT", "NODE_W", "FLIT_W", "SECTOR", "SADDR_W", "LADDR_W", "ID_W", "DATA_W", "ASK_FLITS",
              "ACK_FLITS", "REPLY_FLITS", "REPLY_W", "REPLY_N", "PLACES", "TAG_W", "USED_W",
              "MARK_W", "SHARED_MARK")}

    localparam OWN_W = ${L.ASK_W - L.MARK_W - L.NODE_W}; // bits of an own request
    localparam ANSWER_W = REPLY_W - MARK_W; // bits of an answer in a queue
    localparam FAR_W = ANSWER_W + NODE_W + 1; // bits of an answer to another node

    localparam [USED_W-1:0] FULL = PLACES[USED_W-1:0];

    // ------------------------------------------------------------------
    // Requests of the own node

    wire [OWN_W-1:0] own_word;
    wire             own_shown;
    wire             own_go; // goes to memory on this edge

    ${prefix}ndp_queue #(
        .WIDTH (OWN_W),
        .DEPTH (2)
    ) asked (
        .clk       (clk),
        .rst       (rst),
        .push      (own_valid && own_ready),
        .in_word   ({own_compare, own_data, own_strobe, own_address, own_id, own_op}),
        .can_push  (own_ready),
        .pop       (own_go),
        .out_valid (own_shown),
        .out_word  (own_word)
    );

    wire [31:0]        asked_compare;
    wire [DATA_W-1:0]  asked_data;
    wire [SECTOR-1:0]  asked_strobe;
    wire [LADDR_W-1:0] asked_address;
    wire [ID_W-1:0]    asked_id;
    wire [3:0]         asked_op;

    assign {asked_compare, asked_data, asked_strobe, asked_address, asked_id, asked_op} = own_word;

    // ------------------------------------------------------------------
    // Requests of other nodes

    wire                        there;
    wire [ASK_FLITS*FLIT_W-1:0] come;
    wire                        far_go; // goes to memory on this edge

    ${prefix}ndp_flits_take #(
        .FLIT_W (FLIT_W),
        .FLITS  (ASK_FLITS)
    ) collect (
        .clk        (clk),
        .rst        (rst),
        .come_valid (take_req_valid),
        .come_ready (take_req_ready),
        .come_last  (take_req_last),
        .come_data  (take_req_data),
        .there      (there),
        .word       (come),
        .drop       (far_go)
    );

    // ------------------------------------------------------------------
    // Which goes to memory

    reg [USED_W-1:0] own_used; // places
    reg [USED_W-1:0] far_used;
    reg              far_turn;

    wire own_able = own_shown && own_used != FULL;
    wire far_able = there && far_used != FULL;
    wire open     = !mem_valid || mem_ready;

    assign own_go = open && own_able && !(far_able && far_turn);
    assign far_go = open && far_able && !(own_able && !far_turn);

    always @(posedge clk) begin
        if (rst)
            far_turn <= 1'b0;
        else if (own_go || far_go)
            far_turn <= own_go;
    end

    wire [3:0] op = own_go ? asked_op : come[${ask.op.msb}:${ask.op.lsb}];

    always @(posedge clk) begin
        if (rst || (open && !own_go && !far_go)) begin
            mem_valid   <= 1'b0;
            mem_op      <= 4'd0;
            mem_id      <= {TAG_W{1'b0}};
            mem_address <= {SADDR_W{1'b0}};
            mem_strobe  <= {SECTOR{1'b0}};
            mem_data    <= {DATA_W{1'b0}};
            mem_compare <= 32'd0;
        end else if (open) begin
            mem_valid   <= 1'b1;
            mem_op      <= op;
            mem_id[${record.tag.id.msb}:${record.tag.id.lsb}] <= own_go ? asked_id : come[${ask.id.msb}:${ask.id.lsb}];
            mem_id[${record.tag.node.msb}:${record.tag.node.lsb}] <= own_go ? {NODE_W{1'b0}} : come[${ask.node.msb}:${ask.node.lsb}];
            mem_id[${record.tag.far.lsb}] <= !own_go;
            mem_id[${record.tag.data.lsb}] <= op != 4'd1;
            mem_address <= {${zeros(L.SADDR_W - L.LADDR_W)}own_go ? asked_address : come[${ask.address.msb}:${ask.address.lsb}]};
            mem_strobe  <= own_go ? asked_strobe : come[${ask.strobe.msb}:${ask.strobe.lsb}];
            mem_data    <= own_go ? asked_data : come[${ask.data.msb}:${ask.data.lsb}];
            mem_compare <= own_go ? asked_compare : come[${ask.compare.msb}:${ask.compare.lsb}];
        end
    end

    // ------------------------------------------------------------------
    // Answers

    wire is_far  = rsp_id[${record.tag.far.lsb}];
    wire brings  = rsp_id[${record.tag.data.lsb}]; // data
    wire to_own  = rsp_valid && !is_far;
    wire to_far  = rsp_valid && is_far;

    wire [ID_W-1:0]    rsp_of   = rsp_id[${record.tag.id.msb}:${record.tag.id.lsb}];
    wire [NODE_W-1:0]  rsp_node = rsp_id[${record.tag.node.msb}:${record.tag.node.lsb}];
    wire [ANSWER_W-1:0] rsp_word = {rsp_data, rsp_fault, rsp_of};

    wire [ANSWER_W-1:0] own_reply;
    wire               own_there;
    wire               own_room; // always
    wire [FAR_W-1:0]   far_reply;
    wire               far_there;
    wire               far_room; // always
    wire               far_sent; // its last flit has been taken

    ${prefix}ndp_queue #(
        .WIDTH (ANSWER_W),
        .DEPTH (PLACES)
    ) own_replies (
        .clk       (clk),
        .rst       (rst),
        .push      (to_own),
        .in_word   (rsp_word),
        .can_push  (own_room),
        .pop       (back_ready),
        .out_valid (own_there),
        .out_word  (own_reply)
    );

    ${prefix}ndp_queue #(
        .WIDTH (FAR_W),
        .DEPTH (PLACES)
    ) far_replies (
        .clk       (clk),
        .rst       (rst),
        .push      (to_far),
        .in_word   ({brings, rsp_node, rsp_word}),
        .can_push  (far_room),
        .pop       (far_sent),
        .out_valid (far_there),
        .out_word  (far_reply)
    );

    assign back_valid = own_there;
    assign {back_data, back_fault, back_id} = own_there ? own_reply : {ANSWER_W{1'b0}};

    wire own_left = own_there && back_ready;

    always @(posedge clk) begin
        if (rst) begin
            own_used <= {USED_W{1'b0}};
            far_used <= {USED_W{1'b0}};
        end else begin
            if (own_go != own_left)
                own_used <= own_go ? own_used + 1'b1 : own_used - 1'b1;
            if (far_go != far_sent)
                far_used <= far_go ? far_used + 1'b1 : far_used - 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // Packets with answers

    wire              has_data;
    wire [NODE_W-1:0] node;
    wire [ANSWER_W-1:0] reply;
    wire [${pad(L.X_W - 1 .. ":0]", 10)} x;
    wire [${pad(L.Y_W - 1 .. ":0]", 10)} y;

    assign {has_data, node, reply} = far_reply;

    ${prefix}ndp_flits_send #(
        .FLIT_W (FLIT_W),
        .FLITS  (REPLY_FLITS)
    ) packet (
        .clk   (clk),
        .rst   (rst),
        .valid (far_there),
        .word  ({${zeros(L.REPLY_FLITS * L.FLIT_W - L.REPLY_W)}reply, SHARED_MARK[MARK_W-1:0]}),
        .count (has_data ? REPLY_FLITS[REPLY_N-1:0] : ACK_FLITS[REPLY_N-1:0]),
        .ready (send_ans_ready),
        .done  (far_sent),
        .last  (send_ans_last),
        .data  (send_ans_data)
    );

    ${prefix}ndp_node #(
        .WIDTH  (WIDTH),
        .HEIGHT (HEIGHT)
    ) place (
        .node (node),
        .x    (x),
        .y    (y)
    );

    assign send_ans_valid = far_there;
    assign send_ans_order = 1'b0;
    assign send_ans_x     = far_there ? x : ${L.X_W}'d0;
    assign send_ans_y     = far_there ? y : ${L.Y_W}'d0;

    wire unused = &{1'b0, own_room, far_room, come};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_home_formal.vh"
`endif
endmodule

`default_nettype wire
