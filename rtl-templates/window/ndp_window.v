//% use "ndp_flits_send.v"
//% use "ndp_flits_take.v"
//% use "ndp_node.v"
//% use "ndp_window_formal.vh"
//% local function zeros(n) return n > 0 and n .. "'d0, " or "" end
//% local P2 = L.BYTE_W - 2       -- bits of a word's place in its sector
//% local WORDS = L.SECTOR // 4   -- words of a sector
${header{title = "window of a host on the memories of all nodes", text = [[
An access of the host to a word becomes a packet to the node that has it, and is
taken when its answer has come.

    win -> flits -> send_req      take_ans -> word -> win_ready, read

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; words that were
read cannot be refused.  Fields are zero while valid is low.

Latency: the first flit is at send_req after the edge on which the access is seen;
the access is taken on the second edge after that of its answer's last flit.

See docs/blocks/window.md.]]}}
`default_nettype none

module ${prefix}ndp_window (
${ports{reg = {"read_valid", "read_data"}}}
);
${localparams("WIDTH", "HEIGHT", "NODE_W", "FLIT_W", "SECTOR", "SADDR_W", "LADDR_W", "HOME_W", "DATA_W",
              "LOAD_FLITS", "STORE_FLITS", "REPLY_FLITS", "MARK_W", "SHARED_MARK")}

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] SEND = 2'd1;
    localparam [1:0] WAIT = 2'd2;
    localparam [1:0] OVER = 2'd3;

    reg [1:0]        phase;
    reg              writes; // the access
    reg [29:0]       word;
    reg [31:0]       value;
    reg [NODE_W-1:0] here;   // the own node

    wire sent;  // the last flit has been taken
    wire there; // an answer has come
    wire ends = phase == WAIT && there;

    always @(posedge clk) begin
        if (rst)
            phase <= IDLE;
        else if (phase == IDLE)
            phase <= win_valid ? SEND : IDLE;
        else if (phase == SEND)
            phase <= sent ? WAIT : SEND;
        else if (phase == WAIT)
            phase <= there ? OVER : WAIT;
        else
            phase <= IDLE;
    end

    always @(posedge clk) begin
        here <= at_node;
        if (phase == IDLE) begin
            writes <= win_write;
            word   <= win_address;
            value  <= win_data;
        end
    end

    assign win_ready = phase == OVER;

    // ------------------------------------------------------------------
    // The packet

    wire [SADDR_W-1:0] address = word[29:${P2}];
${fragment("ndp_home_of.inc")}
//% if WORDS == 1 then
    wire [SECTOR-1:0]  strobe  = {SECTOR{writes}};
//% else
    wire [SECTOR-1:0]  strobe  = {${zeros(L.SECTOR - 4)}{4{writes}}} << {word[${P2 - 1}:0], 2'b00};
//% end
    wire [DATA_W-1:0]  data    = {${WORDS}{value & {32{writes}}}};
    wire               goes    = phase == SEND;
    wire [${pad(L.X_W - 1 .. ":0]", 11)} x;
    wire [${pad(L.Y_W - 1 .. ":0]", 11)} y;

${fragment("ndp_node_of.inc", {home = "home", node = "node"})}

//% local n = clog2(L.STORE_FLITS + 1)
    ${prefix}ndp_flits_send #(
        .FLIT_W (FLIT_W),
        .FLITS  (STORE_FLITS)
    ) packet (
        .clk   (clk),
        .rst   (rst),
        .valid (goes),
        .word  ({${zeros(L.STORE_FLITS * L.FLIT_W - (L.ASK_W - 32))}data, strobe, sector, ${L.ID_W}'d0, here, 3'd0, writes,
                 SHARED_MARK[MARK_W-1:0]}),
        .count (writes ? STORE_FLITS[${n - 1}:0] : LOAD_FLITS[${n - 1}:0]),
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

    assign send_req_valid = goes;
    assign send_req_order = 1'b0;
    assign send_req_x     = goes ? x : ${L.X_W}'d0;
    assign send_req_y     = goes ? y : ${L.Y_W}'d0;

    // ------------------------------------------------------------------
    // The answer

    wire [REPLY_FLITS*FLIT_W-1:0] come;
    wire                          fault = come[${record.reply.fault.lsb}];
    wire [DATA_W-1:0]             loaded = come[${record.reply.data.msb}:${record.reply.data.lsb}];

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
        .drop       (ends)
    );

    always @(posedge clk) begin
        if (rst || !ends || writes) begin
            read_valid <= 1'b0;
            read_data  <= 32'd0;
        end else begin
            read_valid <= 1'b1;
//% if WORDS == 1 then
            read_data  <= fault ? 32'd0 : loaded;
//% else
            read_data  <= fault ? 32'd0 : loaded[{word[${P2 - 1}:0], 5'd0} +: 32];
//% end
        end
    end

    wire unused = &{1'b0, come};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_window_formal.vh"
`endif
endmodule

`default_nettype wire
