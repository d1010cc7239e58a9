//% use "ndp_queue.v"
//% use "ndp_row_seen.v"
//% use "ndp_row_put.v"
//% use "ndp_broker_regs_formal.vh"
//% local function r(w) return pad(range(w), 8) end
${header{title = "broker: registers for the controller", text = [[
Reads one register of a warp at a time for the controller, for conditions and packets in
turn, and writes one at a time.

    oper, reg_read -> queues -> look ... seen -> row -> value, reg_data
    reg_write -> row -> put

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; value and reg_data
cannot be refused.  Fields are zero while valid is low.

Latency: a request that is taken on edge t is at look after edge t+2 at the earliest; a
value is there after the edge of the last pass of seen.  A row is at put after the edge
on which it is taken.

See docs/blocks/broker.md.]]}}
`default_nettype none

module ${prefix}ndp_broker_regs (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high

    // condition registers: one lane
    input  wire          oper_valid,      // a register is requested
    output wire          oper_ready,      // taken
    input  wire ${r(L.WARP_W)} oper_warp,       // warp
    input  wire ${r(L.REG_W)} oper_reg,        // register or predicate
    input  wire ${r(L.THREAD_W)} oper_lane,       // lane
    output reg           value_valid,     // its value
    output wire [31:0]   value_data,      // value

    // registers of packets: all lanes
    input  wire          reg_read_valid,  // a row is requested
    output wire          reg_read_ready,  // taken
    input  wire ${r(L.WARP_W)} reg_read_warp,   // warp
    input  wire ${r(L.REG_W)} reg_read_reg,    // register or predicate
    output reg           reg_data_valid,  // the row
    output wire ${r(L.LANES_W)} reg_data_row,    // lane 0 lowest

    // look, seen: the core's registers are read
    output wire          look_valid,      // a register or predicate
    input  wire          look_ready,      // taken
    output wire ${r(L.WARP_W)} look_warp,       // warp
    output wire          look_pred,       // a predicate
    output wire [5:0]    look_reg,        // register, or predicate
    input  wire          seen_valid,      // a pass of its values
    input  wire          seen_last,       // the last one
    input  wire ${r(32 * L.ALUS)} seen_data,       // values

    // results of blocks
    input  wire          reg_write_valid, // a row
    output wire          reg_write_ready, // taken
    input  wire ${r(L.WARP_W)} reg_write_warp,  // warp
    input  wire ${r(L.REG_W)} reg_write_reg,   // register or predicate
    input  wire ${r(L.THREADS)} reg_write_mask,  // lanes to write
    input  wire ${r(L.LANES_W)} reg_write_row,   // the row

    // put: they are written
    output wire          put_valid,       // a pass
    input  wire          put_ready,       // taken
    output wire          put_last,        // the last one
    output wire ${r(L.WARP_W)} put_warp,        // warp
    output wire ${r(L.PC_W)} put_pc,          // zero
    output wire          put_pred,        // a predicate
    output wire [5:0]    put_d,           // register, or predicate
    output wire ${r(L.THREADS)} put_mask,        // lanes
    output wire ${r(32 * L.ALUS)} put_data,        // values
    output wire          writing          // a register is being written
);
${localparams("WARP_W", "REG_W", "THREADS", "ALUS", "LANES_W", "THREAD_W", "PC_W")}

    // ------------------------------------------------------------------
    // Requests to read

    localparam OPER_W = THREAD_W + REG_W + WARP_W;
    localparam READ_W = REG_W + WARP_W;

    wire              oper_there;
    wire              read_there;
    wire [OPER_W-1:0] oper_first; // the oldest one
    wire [READ_W-1:0] read_first;
    wire              take_oper; // it leaves its queue
    wire              take_read;

    ${prefix}ndp_queue #(
        .WIDTH (OPER_W),
        .DEPTH (2)
    ) opers (
        .clk       (clk),
        .rst       (rst),
        .push      (oper_valid && oper_ready),
        .in_word   ({oper_lane, oper_reg, oper_warp}),
        .can_push  (oper_ready),
        .pop       (take_oper),
        .out_valid (oper_there),
        .out_word  (oper_first)
    );

    ${prefix}ndp_queue #(
        .WIDTH (READ_W),
        .DEPTH (2)
    ) reads (
        .clk       (clk),
        .rst       (rst),
        .push      (reg_read_valid && reg_read_ready),
        .in_word   ({reg_read_reg, reg_read_warp}),
        .can_push  (reg_read_ready),
        .pop       (take_read),
        .out_valid (read_there),
        .out_word  (read_first)
    );

    // ------------------------------------------------------------------
    // Reading

    localparam [1:0] IDLE = 2'd0; // phases
    localparam [1:0] LOOK = 2'd1;
    localparam [1:0] WAIT = 2'd2;

    reg [1:0]          phase;
    reg                of_oper; // what is read, or was read last, is a condition
    reg [WARP_W-1:0]   warp;
    reg [REG_W-1:0]    number;
    reg [THREAD_W-1:0] lane;

    wire               pred = number[REG_W-1];
    wire [LANES_W-1:0] row;
    wire               take_pass = phase == WAIT && seen_valid;
    wire               complete  = take_pass && seen_last;

    assign take_oper = phase == IDLE && oper_there && !(read_there && of_oper);
    assign take_read = phase == IDLE && read_there && !take_oper;

    always @(posedge clk) begin
        if (rst) begin
            phase   <= IDLE;
            of_oper <= 1'b0;
        end else begin
            case (phase)
            IDLE:    if (take_oper || take_read) phase <= LOOK;
            LOOK:    if (look_ready) phase <= WAIT;
            default: if (complete) phase <= IDLE;
            endcase
            if (take_oper || take_read)
                of_oper <= take_oper;
        end
    end

    always @(posedge clk) begin
        if (take_oper)
            {lane, number, warp} <= oper_first;
        else if (take_read)
            {number, warp} <= read_first;
    end

    assign look_valid = phase == LOOK;
    assign look_warp  = look_valid ? warp : {WARP_W{1'b0}};
    assign look_pred  = look_valid && pred;
    assign look_reg   = !look_valid ? 6'd0 :
                        ${core_number("number")};

    ${prefix}ndp_row_seen #(
        .LANES (THREADS),
        .ALUS  (ALUS)
    ) read_row (
        .clk   (clk),
        .take  (take_pass),
        .pred  (pred),
        .data  (seen_data),
        .shift (1'b0),
        .after ({LANES_W{1'b0}}),
        .row   (row)
    );

    // ------------------------------------------------------------------
    // What was read

    reg [31:0] word; // of the lane

    integer i;

    always @* begin
        word = 32'd0;
        for (i = 0; i < THREADS; i = i + 1)
            if (lane == i[THREAD_W-1:0])
                word = pred ? {31'd0, row[i]} : row[32*i +: 32];
    end

    always @(posedge clk) begin
        value_valid    <= !rst && complete && of_oper;
        reg_data_valid <= !rst && complete && !of_oper;
    end

    assign value_data   = value_valid ? word : 32'd0;
    assign reg_data_row = reg_data_valid ? row : {LANES_W{1'b0}};

    // ------------------------------------------------------------------
    // Writing

    reg [WARP_W-1:0]  put_whose;
    reg [REG_W-1:0]   put_number;
    reg [THREADS-1:0] put_lanes;

    wire take_row = reg_write_valid && reg_write_ready;

    assign reg_write_ready = !writing;

    always @(posedge clk) begin
        if (take_row) begin
            put_whose  <= reg_write_warp;
            put_number <= reg_write_reg;
            put_lanes  <= reg_write_mask;
        end
    end

    wire [LANES_W-1:0] unused_row;
    wire               unused_done;

    ${prefix}ndp_row_put #(
        .LANES (THREADS),
        .ALUS  (ALUS)
    ) write_row (
        .clk       (clk),
        .rst       (rst),
        .load      (take_row),
        .load_row  (reg_write_row),
        .start     (take_row),
        .pred      (put_number[REG_W-1]),
        .row       (unused_row),
        .busy      (writing),
        .done      (unused_done),
        .put_valid (put_valid),
        .put_ready (put_ready),
        .put_last  (put_last),
        .put_data  (put_data)
    );

    assign put_warp = put_valid ? put_whose : {WARP_W{1'b0}};
    assign put_pc   = {PC_W{1'b0}};
    assign put_pred = put_valid && put_number[REG_W-1];
    assign put_mask = put_valid ? put_lanes : {THREADS{1'b0}};
    assign put_d    = !put_valid ? 6'd0 :
                      ${core_number("put_number")};

    wire unused = &{1'b0, unused_row, unused_done};

`ifdef FORMAL
`include "${prefix}ndp_broker_regs_formal.vh"
`endif
endmodule

`default_nettype wire
