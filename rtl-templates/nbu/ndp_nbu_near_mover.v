//% use "ndp_queue.v"
//% use "ndp_nbu_near_mover_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local spare = L.TSV_W - L.HEADER_W
${header{title = "near-bank unit: near half of the register moves", text = [[
Answers the row requests of the far half: reads a row from the near register
file and sends it up, one header beat, then data, low bits first.

States:
    IDLE  take the next request
    READ  request a row from the near register file
    WAIT  for the row
    SEND  the row to the bus

Handshake: a request cannot be refused; the far half holds a credit for each
place of the queue, and ask_taken returns one.  The bus takes beats with
row_shift and reports the end of a packet with row_left.]]}}
`default_nettype none

module ${prefix}ndp_nbu_near_mover (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high

    // requests from the bus
    input  wire          ask,             // a request arrives
    input  wire ${w(L.HEADER_W)} ask_header,      // {kind, final, epoch, register, warp}
    output wire          ask_taken,       // a request leaves the queue

    // near_read: row requests to the near register file
    output wire          near_read_valid, // a row is requested
    input  wire          near_read_ready, // taken
    output wire ${w(L.WARP_W)} near_read_warp,  // warp
    output wire ${w(L.REG_W)} near_read_reg,   // register
    input  wire          near_data_valid, // the row comes
    input  wire ${w(L.ROW_W)} near_data_row,   // row

    // bus
    output wire          row_ready,       // a row packet is ready
    output wire          row_pred,        // it is a predicate's
    output wire ${w(L.TSV_W)} beat,            // its next beat
    input  wire          beat_first,      // the next beat is the first
    input  wire          row_shift,       // a beat is taken
    input  wire          row_left         // the last beat is taken
);
${localparams("WARP_W", "REG_W", "LANES", "TSV_W", "ROW_W", "HEADER_W", "MOVE_QUEUE")}

    localparam KIND_AT = WARP_W + REG_W + 2; // in a header

    localparam [1:0] PREDICATE = 2'd2;

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] READ = 2'd1;
    localparam [1:0] WAIT = 2'd2;
    localparam [1:0] SEND = 2'd3;

    reg [1:0] state;

    // ------------------------------------------------------------------
    // Requests

    wire                queue_valid;
    wire [HEADER_W-1:0] queue_header;
    wire                unused_can_push; // move credits see to it

    ${prefix}ndp_queue #(
        .WIDTH (HEADER_W),
        .DEPTH (MOVE_QUEUE)
    ) near_moves (
        .clk       (clk),
        .rst       (rst),
        .push      (ask),
        .in_word   (ask_header),
        .can_push  (unused_can_push),
        .pop       (ask_taken),
        .out_valid (queue_valid),
        .out_word  (queue_header)
    );

    assign ask_taken = state == IDLE && queue_valid;

    reg [HEADER_W-1:0] header; // of the move under way

    always @(posedge clk) begin
        if (ask_taken)
            header <= queue_header;
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE: if (queue_valid)
                      state <= READ;
            READ: if (near_read_ready)
                      state <= WAIT;
            WAIT: if (near_data_valid)
                      state <= SEND;
            SEND: if (row_left)
                      state <= IDLE;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // Register file and row buffer

    assign near_read_valid = state == READ;
    assign near_read_warp  = near_read_valid ? header[0 +: WARP_W]
                                             : {WARP_W{1'b0}};
    assign near_read_reg   = near_read_valid ? header[WARP_W +: REG_W]
                                             : {REG_W{1'b0}};

    reg [ROW_W-1:0] row;

    // A predicate is one bit a lane; its last beat is filled up with zeros.
    always @(posedge clk) begin
        if (state == WAIT && near_data_valid)
            row <= row_pred ? {{(ROW_W-LANES){1'b0}}, near_data_row[LANES-1:0]}
                            : near_data_row;
        else if (row_shift && !beat_first)
            row <= row >> TSV_W;
    end

    // ------------------------------------------------------------------
    // Bus

    assign row_ready = state == SEND;
    assign row_pred  = header[KIND_AT +: 2] == PREDICATE;

    assign beat = beat_first ? ${spare > 0 and "{" .. spare .. "'d0, header}" or "header"}
                             : row[TSV_W-1:0];

`ifdef FORMAL
`include "${prefix}ndp_nbu_near_mover_formal.vh"
`endif
endmodule

`default_nettype wire
