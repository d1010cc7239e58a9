//% use "ndp_lowest.v"
//% use "ndp_row_put.v"
//% use "ndp_jobs_come_formal.vh"
//% local function r(w) return pad(range(w), 9) end
//% -- the header, from the lowest bit of the piece
//% local at = L.MARK_W
//% local function field(width)
//%     at = at + width
//%     return "take_req_data[" .. (width > 1 and at - 1 .. ":" .. at - width or at - 1) .. "]"
//% end
//% local head = {field(L.WARP_W), field(L.INDEX_W), field(L.PC_W), field(L.PC_W), field(L.THREADS)}
//% local over, node_at = at, L.MARK_W + L.PIECE_W
//% local above = L.FLIT_W > node_at + L.NODE_W
${header{title = "jobs: blocks that come", text = [[
Takes a request packet at a time, gives its block the lowest free slot, writes its
registers and starts it.

    take_req -> head -> look -> next -> row -> put -+
                                 | ^---------------+
                                 start -> spawn

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; spawn cannot be
refused.  Fields are zero while valid is low.

Latency: a block without registers is at spawn after the fourth edge from that which
takes its packet.

See docs/blocks/jobs.md.]]}}
`default_nettype none

module ${prefix}ndp_jobs_come (
    input  wire           clk,            // clock
    input  wire           rst,            // synchronous reset, active high

    // take_req: request packets
    input  wire           take_req_valid, // a flit
    output wire           take_req_ready, // taken
    input  wire ${r(L.FLIT_W)} take_req_data,  // data

    // slots and live-in registers
    input  wire ${r(L.SLOTS)} taken,          // slots that have a block
    output wire           set_read,       // read the registers
    output wire ${r(L.INDEX_W)} set_index,      // of this candidate;
    input  wire ${r(2 * L.REGS)} set,            // there after the edge

    // put: registers of the block
    output wire           put_valid,      // a pass
    input  wire           put_ready,      // taken
    output wire           put_last,       // the last one
    output wire ${r(L.WARP_W)} put_warp,       // warp
    output wire ${r(L.PC_W)} put_pc,         // zero
    output wire           put_pred,       // a predicate
    output wire [5:0]     put_d,          // register, or predicate
    output wire ${r(L.THREADS)} put_mask,       // lanes
    output wire ${r(32 * L.ALUS)} put_data,       // values

    // spawn: blocks
    output wire           begins,         // one has its slot after this edge:
    output reg  ${r(L.SLOT_W)} slot,           // this one;
    output wire ${r(L.NODE_W + L.WARP_W + L.INDEX_W + L.THREADS)} block,          // what is kept of it
    output reg            spawn_valid,    // a warp comes
    output reg  ${r(L.WARP_W)} spawn_warp,     // warp
    output reg  ${r(L.PC_W)} spawn_pc,       // where it begins
    output reg  ${r(L.PC_W)} spawn_end,      // where it ends
    output reg  ${r(L.THREADS)} spawn_mask,     // its lanes
    output wire           idle            // no block comes
);
${localparams("SLOTS", "SLOT_W", "WARP_W", "NODE_W", "INDEX_W", "PC_W", "THREADS", "ALUS", "REGS", "REG_W", "MARK_W", "PIECE_W", "LANES_W", "ROW_PIECES")}

    localparam [2:0] HEAD  = 3'd0; // phases
    localparam [2:0] LOOK  = 3'd1;
    localparam [2:0] NEXT  = 3'd2;
    localparam [2:0] ROW   = 3'd3;
    localparam [2:0] PUT   = 3'd4; // until the register has been written
    localparam [2:0] START = 3'd5;

    reg [2:0] phase;

    assign idle = phase == HEAD;

    // ------------------------------------------------------------------
    // The block

    reg [NODE_W-1:0]  node;  // where it came from
    reg [WARP_W-1:0]  warp;  // its warp there
    reg [INDEX_W-1:0] index;
    reg [PC_W-1:0]    first; // where it begins
    reg [PC_W-1:0]    stop;  // where it ends
    reg [THREADS-1:0] mask;

    wire [SLOTS-1:0]  unused_lowest;
    wire [SLOT_W-1:0] free;
    wire              take_head;
    wire              take_piece;

    ${prefix}ndp_lowest #(
        .N       (SLOTS),
        .INDEX_W (SLOT_W)
    ) free_slot (
        .set   (~taken),
        .first (unused_lowest),
        .index (free)
    );

    assign take_req_ready = phase == ROW || (phase == HEAD && taken != {SLOTS{1'b1}});
    assign take_head      = phase == HEAD && take_req_valid && take_req_ready;
    assign take_piece     = phase == ROW && take_req_valid;

    always @(posedge clk) begin
        if (take_head) begin
            slot  <= free;
            warp  <= ${head[1]};
            index <= ${head[2]};
            first <= ${head[3]};
            stop  <= ${head[4]};
            mask  <= ${head[5]};
            node  <= take_req_data[MARK_W+PIECE_W +: NODE_W];
        end
    end

    // ------------------------------------------------------------------
    // Its registers, the lowest first

    reg  [2*REGS-1:0]     later; // those that are left, but in the first NEXT
    reg                   fresh; // none has come yet
    wire [2*REGS-1:0]     left = fresh ? set : later;
    wire [2*REGS-1:0]     lowest;
    wire [REG_W-1:0]      number_next;
    wire                  picks = phase == NEXT && left != {2*REGS{1'b0}};
    reg  [REG_W-1:0]      number; // the one that comes
    reg  [ROW_PIECES-1:0] piece;  // of its row: one bit is 1
    wire                  whole = take_piece && piece[ROW_PIECES-1];
    wire                  done;   // it has been written

    localparam [ROW_PIECES-1:0] FIRST = ~({ROW_PIECES{1'b1}} << 1);

    assign set_read  = phase == LOOK;
    assign set_index = index;

    ${prefix}ndp_lowest #(
        .N       (2 * REGS),
        .INDEX_W (REG_W)
    ) next_register (
        .set   (left),
        .first (lowest),
        .index (number_next)
    );

    always @(posedge clk) begin
        if (phase == LOOK)
            fresh <= 1'b1;
        else if (phase == NEXT)
            fresh <= 1'b0;
    end

    always @(posedge clk) begin
        if (picks) begin
            later  <= left & ~lowest;
            number <= number_next;
            piece  <= FIRST;
        end else if (take_piece) begin
            piece <= piece << 1;
        end
    end

    wire [LANES_W-1:0]         row; // pieces so far, at its upper end
    wire [LANES_W+PIECE_W-1:0] row_in = {take_req_data[MARK_W +: PIECE_W], row};
    wire                       unused_busy;

    ${prefix}ndp_row_put #(
        .LANES (THREADS),
        .ALUS  (ALUS)
    ) write_row (
        .clk       (clk),
        .rst       (rst),
        .load      (take_piece),
        .load_row  (row_in[LANES_W+PIECE_W-1:PIECE_W]),
        .start     (whole),
        .pred      (number[REG_W-1]),
        .row       (row),
        .busy      (unused_busy),
        .done      (done),
        .put_valid (put_valid),
        .put_ready (put_ready),
        .put_last  (put_last),
        .put_data  (put_data)
    );

    assign put_warp = put_valid ? ${fitted("slot", L.SLOT_W, L.WARP_W)} : {WARP_W{1'b0}};
    assign put_pc   = {PC_W{1'b0}};
    assign put_pred = put_valid && number[REG_W-1];
    assign put_mask = put_valid ? mask : {THREADS{1'b0}};
    assign put_d    = !put_valid ? 6'd0 :
                      ${core_number("number")};

    // ------------------------------------------------------------------
    // Phases

    always @(posedge clk) begin
        if (rst) begin
            phase <= HEAD;
        end else begin
            case (phase)
            HEAD:    if (take_head) phase <= LOOK;
            LOOK:    phase <= NEXT;
            NEXT:    phase <= picks ? ROW : START;
            ROW:     if (whole) phase <= PUT;
            PUT:     if (done) phase <= NEXT;
            default: phase <= HEAD;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // It starts

    assign begins = phase == START;
    assign block  = {node, warp, index, mask};

    always @(posedge clk) begin
        if (rst || !begins) begin
            spawn_valid <= 1'b0;
            spawn_warp  <= {WARP_W{1'b0}};
            spawn_pc    <= {PC_W{1'b0}};
            spawn_end   <= {PC_W{1'b0}};
            spawn_mask  <= {THREADS{1'b0}};
        end else begin
            spawn_valid <= 1'b1;
            spawn_warp  <= ${fitted("slot", L.SLOT_W, L.WARP_W)};
            spawn_pc    <= first;
            spawn_end   <= stop;
            spawn_mask  <= mask;
        end
    end

    wire unused = &{1'b0, unused_lowest, unused_busy, row_in[PIECE_W-1:0], take_req_data[MARK_W-1:0]
                    ${above and ", take_req_data[" .. L.FLIT_W - 1 .. ":" .. node_at + L.NODE_W .. "]" or ""}};

`ifdef FORMAL
`include "${prefix}ndp_jobs_come_formal.vh"
`endif
endmodule

`default_nettype wire
