//% use "ndp_lowest.v"
//% use "ndp_node.v"
//% use "ndp_row_seen.v"
//% use "ndp_jobs_done_formal.vh"
//% local function r(w) return pad(range(w), 9) end
//% local head = L.WARP_W + L.INDEX_W + L.THREADS + L.LINES_W
${header{title = "jobs: blocks that are done", text = [[
Takes a warp at a time that is at the end of its block, reads its results and sends the
acknowledgement.

    over -> look -> head -> next -> ask -> wait -> row -+
                     |       | ^-----------------------+
                     |       line
                     send_ans

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero while
valid is low.

Latency: the header is there after the second edge from that which takes the warp.

See docs/blocks/jobs.md.]]}}
`default_nettype none

module ${prefix}ndp_jobs_done (
    input  wire           clk,            // clock
    input  wire           rst,            // synchronous reset, active high

    // over: blocks that are at their end
    input  wire           over_valid,     // a warp
    output wire           over_ready,     // taken
    input  wire ${r(L.SLOT_W)} over_slot,      // its slot

    // what is kept of it, live-out registers and stores
    output wire           kept_read,      // read what is kept;
    input  wire ${r(L.NODE_W + L.WARP_W + L.INDEX_W + L.THREADS)} kept,           // there after the edge
    output wire           set_read,       // read the registers and stores
    output wire ${r(L.INDEX_W)} set_index,      // of this candidate;
    input  wire ${r(2 * L.REGS + 1)} set,            // there after the edge

    // look, seen: the core's registers are read
    output wire           look_valid,     // a register or predicate
    input  wire           look_ready,     // taken
    output wire ${r(L.WARP_W)} look_warp,      // warp
    output wire           look_pred,      // a predicate
    output wire [5:0]     look_reg,       // register, or predicate
    input  wire           seen_valid,     // a pass of its values
    input  wire           seen_last,      // the last one
    input  wire ${r(32 * L.ALUS)} seen_data,      // values

    // send_ans: acknowledgements
    output wire           send_ans_valid, // a flit
    input  wire           send_ans_ready, // taken
    output wire           send_ans_last,  // last of its packet
    output wire           send_ans_order, // order of dimensions: always 1
    output wire ${r(L.X_W)} send_ans_x,     // column where the packet goes
    output wire ${r(L.Y_W)} send_ans_y,     // its row
    output wire ${r(L.FLIT_W)} send_ans_data,  // data

    output wire           ends,           // the slot is free after this edge:
    output reg  ${r(L.SLOT_W)} slot            // this one
);
${localparams("WIDTH", "HEIGHT", "WARP_W", "NODE_W", "X_W", "Y_W", "INDEX_W", "THREADS", "ALUS", "REGS", "REG_W", "LINES_W", "MARK_W", "MOVE_MARK", "PIECE_W", "FLIT_W", "LANES_W", "ROW_PIECES")}

    localparam [2:0] IDLE = 3'd0; // phases
    localparam [2:0] LOOK = 3'd1;
    localparam [2:0] HEAD = 3'd2;
    localparam [2:0] NEXT = 3'd3;
    localparam [2:0] ASK  = 3'd4;
    localparam [2:0] WAIT = 3'd5;
    localparam [2:0] ROW  = 3'd6;
    localparam [2:0] LINE = 3'd7;

    reg [2:0] phase;

    // ------------------------------------------------------------------
    // The block

    wire [NODE_W-1:0]  node; // where it came from
    wire [WARP_W-1:0]  warp; // its warp there
    wire [INDEX_W-1:0] index;
    wire [THREADS-1:0] mask;

    assign {node, warp, index, mask} = kept;

    assign over_ready = phase == IDLE;
    assign kept_read  = over_ready && over_valid;
    assign set_read   = phase == LOOK;
    assign set_index  = index;

    always @(posedge clk) begin
        if (kept_read)
            slot <= over_slot;
    end

    // ------------------------------------------------------------------
    // Its results, the lowest first

    reg  [2*REGS-1:0]     later;  // those that are left, but in HEAD
    reg                   stores; // a line is left, but in HEAD
    wire                  at_head     = phase == HEAD;
    wire [2*REGS-1:0]     left        = at_head ? set[2*REGS:1] : later;
    wire                  line        = at_head ? set[0] : stores;
    wire                  none        = left == {2*REGS{1'b0}};
    wire                  picks       = phase == NEXT && !none;
    wire                  send        = send_ans_valid && send_ans_ready;
    wire [2*REGS-1:0]     lowest;
    wire [REG_W-1:0]      number_next;
    reg  [REG_W-1:0]      number; // the one that goes
    reg  [ROW_PIECES-1:0] piece;  // of its row: one bit is 1

    localparam [ROW_PIECES-1:0] FIRST = ~({ROW_PIECES{1'b1}} << 1);

    ${prefix}ndp_lowest #(
        .N       (2 * REGS),
        .INDEX_W (REG_W)
    ) next_register (
        .set   (later),
        .first (lowest),
        .index (number_next)
    );

    always @(posedge clk) begin
        if (at_head) begin
            later  <= left;
            stores <= line;
        end else if (phase == LINE && send) begin
            stores <= 1'b0;
        end else if (picks) begin
            later  <= later & ~lowest;
            number <= number_next;
            piece  <= FIRST;
        end else if (phase == ROW && send) begin
            piece <= piece << 1;
        end
    end

    wire               take_pass = phase == WAIT && seen_valid;
    wire [LANES_W-1:0] row;

    ${prefix}ndp_row_seen #(
        .LANES (THREADS),
        .ALUS  (ALUS)
    ) read_row (
        .clk   (clk),
        .take  (take_pass),
        .pred  (number[REG_W-1]),
        .data  (seen_data),
        .shift (phase == ROW && send),
        .after (row >> PIECE_W),
        .row   (row)
    );

    assign look_valid = phase == ASK;
    assign look_warp  = look_valid ? ${fitted("slot", L.SLOT_W, L.WARP_W)} : {WARP_W{1'b0}};
    assign look_pred  = look_valid && number[REG_W-1];
    assign look_reg   = !look_valid ? 6'd0 :
                        ${core_number("number")};

    // ------------------------------------------------------------------
    // Phases

    assign ends = phase == NEXT && none && !stores;

    always @(posedge clk) begin
        if (rst) begin
            phase <= IDLE;
        end else begin
            case (phase)
            IDLE:    if (over_valid) phase <= LOOK;
            LOOK:    phase <= HEAD;
            HEAD:    if (send) phase <= NEXT;
            NEXT:    phase <= picks ? ASK : stores ? LINE : IDLE;
            ASK:     if (look_ready) phase <= WAIT;
            WAIT:    if (take_pass && seen_last) phase <= ROW;
            ROW:     if (send && piece[ROW_PIECES-1]) phase <= NEXT;
            default: if (send) phase <= NEXT;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // The acknowledgement

    wire [PIECE_W-1:0] header = {${L.PIECE_W > head and L.PIECE_W - head .. "'d0, " or ""}{LINES_W-1{1'b0}}, line, mask, index, warp};
    reg  [PIECE_W-1:0] sent;
    wire [X_W-1:0]     x;
    wire [Y_W-1:0]     y;

    ${prefix}ndp_node #(
        .WIDTH  (WIDTH),
        .HEIGHT (HEIGHT)
    ) place (
        .node (node),
        .x    (x),
        .y    (y)
    );

    always @* begin
        case (phase)
        HEAD:    sent = header;
        ROW:     sent = row[PIECE_W-1:0];
        default: sent = {PIECE_W{1'b1}};
        endcase
    end

    assign send_ans_valid = at_head || phase == ROW || phase == LINE;
    assign send_ans_last  = phase == LINE ||
                            (none && !line && (at_head || (phase == ROW && piece[ROW_PIECES-1])));
    assign send_ans_order = send_ans_valid;
    assign send_ans_x     = send_ans_valid ? x : {X_W{1'b0}};
    assign send_ans_y     = send_ans_valid ? y : {Y_W{1'b0}};
    assign send_ans_data  = !send_ans_valid ? {FLIT_W{1'b0}} :
                            {${L.FLIT_W - L.MARK_W - L.PIECE_W}'d0, sent, MOVE_MARK[MARK_W-1:0]};

`ifdef FORMAL
`include "${prefix}ndp_jobs_done_formal.vh"
`endif
endmodule

`default_nettype wire
