//% use "ndp_queue.v"
//% use "ndp_nbu_landing.v"
//% use "ndp_nbu_near_mover.v"
//% use "ndp_nbu_near_formal.vh"
//% local function w(n) return pad(range(n), 8) end
${header{title = "near-bank unit: the part on the DRAM die", text = [[
Receives offloaded instructions, rows and row requests from the bus, and hands
completions and rows to it.

Handshake: nothing that arrives can be refused.  The base die keeps a credit for
each place in the instruction queue (returned with the delivery) and in the
queue of row requests (ask_taken), and sends one row at a time (until row_taken
or the update of the track table).

Latency: a beat is taken on the edge after the one that put it on the bus.]]}}
`default_nettype none

module ${prefix}ndp_nbu_near (
    input  wire          clk,              // clock
    input  wire          rst,              // synchronous reset, active high

    // the beat on the bus
    input  wire          instr_beat,       // of an instruction
    input  wire          row_beat,         // of a row
    input  wire          ask_beat,         // a row request
    input  wire          bus_first,        // first beat of its packet
    input  wire          bus_last,         // last beat of its packet
    input  wire ${w(L.TSV_W)} bus_data,         // beat

    // near_exec: instructions to the near-bank pipeline
    output wire          near_exec_valid,  // an instruction is presented
    input  wire          near_exec_ready,  // taken
    output wire ${w(L.INSTR_W)} near_exec_packet, // zero while there is none

    // near_done: completions from the near-bank pipeline
    input  wire          near_done_valid,  // a completion is presented
    output wire          near_done_ready,  // taken
    input  wire ${w(L.DONE_W)} near_done_packet, // {ticket, tag, warp}

    // completions to the bus
    output wire          done_ready,       // a completion is ready
    output wire ${w(L.DONE_W)} done_packet,      // {ticket, tag, warp}
    input  wire          done_left,        // its last beat is taken

    // near_write: rows into the near register file
    output wire          near_write_valid, // a row is presented
    input  wire          near_write_ready, // taken
    output wire          near_write_pred,  // a predicate
    output wire ${w(L.WARP_W)} near_write_warp,  // warp
    output wire ${w(L.REG_W)} near_write_reg,   // register
    output wire ${w(L.ROW_W)} near_write_row,   // row

    // moves down
    output wire          row_taken,        // a row that is not the move's last
    output wire          down_finished,    // a move waits for its update
    input  wire          down_taken,       // the update is made
    output wire ${w(L.REG_W)} down_reg,         // register, of a pair the even one
    output wire          down_epoch,       // its retired epoch

    // near_read: row requests to the near register file
    output wire          near_read_valid,  // a row is requested
    input  wire          near_read_ready,  // taken
    output wire ${w(L.WARP_W)} near_read_warp,   // warp
    output wire ${w(L.REG_W)} near_read_reg,    // register
    input  wire          near_data_valid,  // the row comes
    input  wire ${w(L.ROW_W)} near_data_row,    // row

    // moves up: rows to the bus
    output wire          ask_taken,        // a row request leaves the queue
    output wire          up_ready,         // a row packet is ready
    output wire          up_pred,          // it is a predicate's
    output wire ${w(L.TSV_W)} up_beat,          // its next beat
    input  wire          up_first,         // the next beat is the first
    input  wire          up_shift,         // a beat is taken
    input  wire          up_left           // the last beat is taken
);
${localparams("INSTR_W", "DONE_W", "HEADER_W", "NEAR_QUEUE")}

    // ------------------------------------------------------------------
    // Instructions; the first beat is the highest part

//% if L.INSTR_BEATS > 1 then
${localparams("TSV_W")}
    localparam EARLY_W = INSTR_W - TSV_W; // what comes before the last beat

    reg  [EARLY_W-1:0] early;
    wire [INSTR_W-1:0] arriving = {early, bus_data};

    always @(posedge clk) begin
        if (instr_beat)
            early <= arriving[EARLY_W-1:0];
    end
//% else
    wire [INSTR_W-1:0] arriving = bus_data[INSTR_W-1:0];
//% end

    wire [INSTR_W-1:0] instr;
    wire               unused_can_push; // near credits see to it

    ${prefix}ndp_queue #(
        .WIDTH (INSTR_W),
        .DEPTH (NEAR_QUEUE)
    ) near_queue (
        .clk       (clk),
        .rst       (rst),
        .push      (instr_beat && bus_last),
        .in_word   (arriving),
        .can_push  (unused_can_push),
        .pop       (near_exec_ready),
        .out_valid (near_exec_valid),
        .out_word  (instr)
    );

    assign near_exec_packet = near_exec_valid ? instr : {INSTR_W{1'b0}};

    // ------------------------------------------------------------------
    // Completions

    ${prefix}ndp_queue #(
        .WIDTH (DONE_W),
        .DEPTH (NEAR_QUEUE)
    ) near_done (
        .clk       (clk),
        .rst       (rst),
        .push      (near_done_valid && near_done_ready),
        .in_word   (near_done_packet),
        .can_push  (near_done_ready),
        .pop       (done_left),
        .out_valid (done_ready),
        .out_word  (done_packet)
    );

    // ------------------------------------------------------------------
    // Rows down and rows up

    ${prefix}ndp_nbu_landing landing (
        .clk          (clk),
        .rst          (rst),
        .beat_valid   (row_beat),
        .beat_first   (bus_first),
        .beat_last    (bus_last),
        .beat_data    (bus_data),
        .write_valid  (near_write_valid),
        .write_ready  (near_write_ready),
        .write_pred   (near_write_pred),
        .write_warp   (near_write_warp),
        .write_reg    (near_write_reg),
        .write_row    (near_write_row),
        .row_taken    (row_taken),
        .finished     (down_finished),
        .update_taken (down_taken),
        .move_reg     (down_reg),
        .move_epoch   (down_epoch)
    );

    ${prefix}ndp_nbu_near_mover mover (
        .clk             (clk),
        .rst             (rst),
        .ask             (ask_beat),
        .ask_header      (bus_data[HEADER_W-1:0]),
        .ask_taken       (ask_taken),
        .near_read_valid (near_read_valid),
        .near_read_ready (near_read_ready),
        .near_read_warp  (near_read_warp),
        .near_read_reg   (near_read_reg),
        .near_data_valid (near_data_valid),
        .near_data_row   (near_data_row),
        .row_ready       (up_ready),
        .row_pred        (up_pred),
        .beat            (up_beat),
        .beat_first      (up_first),
        .row_shift       (up_shift),
        .row_left        (up_left)
    );

`ifdef FORMAL
`include "${prefix}ndp_nbu_near_formal.vh"
`endif
endmodule

`default_nettype wire
