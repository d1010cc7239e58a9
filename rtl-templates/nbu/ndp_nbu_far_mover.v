//% use "ndp_queue.v"
//% use "ndp_nbu_far_mover_formal.vh"
//% local MOVES_W = L.WARP_W + 5 * (L.REG_W + 5)
//% local function w(n) return pad(range(n), 8) end
//% local spare = L.TSV_W - L.HEADER_W
${header{title = "near-bank unit: far half of the register moves", text = [[
Works through the moves that held instructions wait for, one warp's list after
the other.  A register that has to go down (far to near) is read from the far
register file and sent as a row; one that has to come up is requested from the
near half.  A pair is two rows, or two requests, the lower register first.

States:
    IDLE  take the next list
    NEXT  look for the next operand of the list
    READ  request a row from the far register file
    WAIT  for the row
    SEND  the row to the bus: one header beat, then data, low bits first
    ASK   the near half for a row: a header is all there is to send

Handshake: push has no refusal, the queue has a place for every warp.  The bus
takes beats with row_shift and reports the end of a packet with row_left or
ask_left.]]}}
`default_nettype none

module ${prefix}ndp_nbu_far_mover (
    input  wire          clk,            // clock
    input  wire          rst,            // synchronous reset, active high

    // list of moves
    input  wire          push,           // a list is added
    input  wire ${w(MOVES_W)} moves,          // {warp, 5 wanted, 5 moves}

    // far_read: row requests to the far register file
    output wire          far_read_valid, // a row is requested
    input  wire          far_read_ready, // taken
    output wire ${w(L.WARP_W)} far_read_warp,  // warp
    output wire ${w(L.REG_W)} far_read_reg,   // register
    input  wire          far_data_valid, // the row comes
    input  wire ${w(L.ROW_W)} far_data_row,   // row

    // bus
    output wire          row_ready,      // a row packet is ready
    output wire          row_pred,       // it is a predicate's
    output wire          ask_ready,      // a request is ready
    output wire ${w(L.TSV_W)} beat,           // next beat of either
    input  wire          beat_first,     // the next beat is the first
    input  wire          row_shift,      // a beat of the row is taken
    input  wire          row_left,       // the row's last beat is taken
    input  wire          ask_left        // the request is taken
);
${localparams("WARPS", "WARP_W", "REG_W", "LANES", "TSV_W", "ROW_W")}

    localparam MOVE_W  = 4 + REG_W; // {up, kind, epoch, register}
    localparam MOVES_W = 5 * MOVE_W + 5 + WARP_W;

    localparam [1:0] PAIR      = 2'd1;
    localparam [1:0] PREDICATE = 2'd2;

    localparam [2:0] IDLE = 3'd0;
    localparam [2:0] NEXT = 3'd1;
    localparam [2:0] READ = 3'd2;
    localparam [2:0] WAIT = 3'd3;
    localparam [2:0] SEND = 3'd4;
    localparam [2:0] ASK  = 3'd5;

    reg [2:0] state;

    // ------------------------------------------------------------------
    // Lists

    wire               list_valid;
    wire [MOVES_W-1:0] list;
    wire               list_taken = state == IDLE && list_valid;
    wire               unused_can_push; // a place for every warp

    ${prefix}ndp_queue #(
        .WIDTH (MOVES_W),
        .DEPTH (WARPS)
    ) far_moves (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .in_word   (moves),
        .can_push  (unused_can_push),
        .pop       (list_taken),
        .out_valid (list_valid),
        .out_word  (list)
    );

    reg [WARP_W-1:0]   work_warp;
    reg [4:0]          work_wanted; // moves of the list that are not begun
    reg [5*MOVE_W-1:0] work_moves;

    wire [4:0]        first = work_wanted & ~(work_wanted - 5'd1);
    wire              next_up;
    wire [1:0]        next_kind;
    wire              next_epoch;
    wire [REG_W-1:0]  next_reg;
    reg  [MOVE_W-1:0] next_move;
    integer           i;

    always @* begin
        next_move = {MOVE_W{1'b0}};
        for (i = 0; i < 5; i = i + 1)
            if (first[i])
                next_move = next_move | work_moves[i*MOVE_W +: MOVE_W];
    end

    assign {next_up, next_kind, next_epoch, next_reg} = next_move;

    always @(posedge clk) begin
        if (rst)
            work_wanted <= 5'd0;
        else if (list_taken)
            work_wanted <= list[5*MOVE_W +: 5];
        else if (state == NEXT)
            work_wanted <= work_wanted & ~first;
    end

    always @(posedge clk) begin
        if (list_taken) begin
            work_warp  <= list[5*MOVE_W + 5 +: WARP_W];
            work_moves <= list[0 +: 5*MOVE_W];
        end
    end

    // ------------------------------------------------------------------
    // The move under way

    reg [1:0]       move_kind;
    reg             move_epoch;
    reg [REG_W-1:0] move_reg;
    reg             second; // row 1 of a pair

    wire             pair    = move_kind == PAIR;
    wire             last    = !pair || second;
    wire [REG_W-1:0] row_reg = {move_reg[REG_W-1:1], move_reg[0] || second};

    always @(posedge clk) begin
        if (state == NEXT) begin
            move_kind  <= next_kind;
            move_epoch <= next_epoch;
            move_reg   <= next_reg;
            second     <= 1'b0;
        end else if (row_left || ask_left) begin
            second     <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (list_valid)
                         state <= NEXT;
            NEXT:    if (work_wanted == 5'd0)
                         state <= IDLE;
                     else
                         state <= next_up ? ASK : READ;
            READ:    if (far_read_ready)
                         state <= WAIT;
            WAIT:    if (far_data_valid)
                         state <= SEND;
            SEND:    if (row_left)
                         state <= last ? NEXT : READ;
            ASK:     if (ask_left)
                         state <= last ? NEXT : ASK;
            default: state <= IDLE;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // Register file and row buffer

    assign far_read_valid = state == READ;
    assign far_read_warp  = far_read_valid ? work_warp : {WARP_W{1'b0}};
    assign far_read_reg   = far_read_valid ? row_reg : {REG_W{1'b0}};

    reg [ROW_W-1:0] row;

    // A predicate is one bit a lane; its last beat is filled up with zeros.
    always @(posedge clk) begin
        if (state == WAIT && far_data_valid)
            row <= row_pred ? {{(ROW_W-LANES){1'b0}}, far_data_row[LANES-1:0]}
                            : far_data_row;
        else if (row_shift && !beat_first)
            row <= row >> TSV_W;
    end

    // ------------------------------------------------------------------
    // Bus

    assign row_ready = state == SEND;
    assign row_pred  = move_kind == PREDICATE;
    assign ask_ready = state == ASK;

    // Header {kind, final, epoch, register, warp}.
    wire [TSV_W-1:0] header = {${spare > 0 and spare .. "'d0, " or ""}move_kind, last, move_epoch,
                               row_reg, work_warp};

    assign beat = beat_first ? header : row[TSV_W-1:0];

`ifdef FORMAL
`include "${prefix}ndp_nbu_far_mover_formal.vh"
`endif
endmodule

`default_nettype wire
