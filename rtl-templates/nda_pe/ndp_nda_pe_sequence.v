//% use "ndp_nda_pe_microcode.v"
//% use "ndp_nda_pe_sequence_formal.vh"
//% local P_W = math.max(#range(L.SUM_W), #range(4 * L.ADDR_W), #range(L.ROWS_W))
//% local function r(w) return pad(range(w), P_W) end
${header{title = "processing element: the sequence of accesses", text = [[
Goes through the microcode of an operation, batch by batch: asks for words and stores
them, holds each address against its operand's bound, and tells the work of each load
as a job.  Nothing of it depends on data.

Parameters: all sizes are generated; see the localparams.

Handshake: the job stands until job_taken.

Latency: the first access of a step is on mem_* two edges after the step could begin.

See docs/blocks/nda_pe.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe_sequence (
    input  wire ${r(1)} clk,           // clock
    input  wire ${r(1)} rst,           // synchronous reset, active high
    input  wire ${r(1)} launch_valid,  // an operation
    output wire ${r(1)} launch_ready,  // taken
    input  wire ${r(4)} launch_op,     // which
    input  wire ${r(L.ADDR_W)} launch_length, // words of a vector or a row
    input  wire ${r(L.ROWS_W)} launch_rows,   // rows
    input  wire ${r(4 * L.ADDR_W)} launch_base,   // first word of each operand
    input  wire ${r(4 * L.ADDR_W)} launch_last,   // last word of each
    output reg  ${r(1)} mem_valid,     // an access
    input  wire ${r(1)} mem_ready,     // taken
    output reg  ${r(1)} mem_write,     // a write
    output reg  ${r(L.ADDR_W)} mem_address,   // its word
    output wire ${r(1)} fetch,         // the buffer is read for a store
    output wire ${r(L.INDEX_W)} fetch_index,   // which word
    input  wire ${r(1)} popped,        // a word that landed was used
    input  wire ${r(1)} at_rest,       // the work has no job
    input  wire ${r(1)} quiet,         // no arithmetic is under way
    output reg  ${r(1)} job_valid,     // a job
    input  wire ${r(1)} job_taken,     // it is begun
    output reg  ${r(2)} job_how,       // what is done with a word
    output reg  ${r(3)} job_factor,    // factor
    output reg  ${r(2)} job_target,    // where results go
    output reg  ${r(1)} job_rows,      // it is a row's
    output reg  ${r(L.COUNT_W)} job_words,     // words
    output reg  ${r(L.ROWS_W)} job_row,       // row
    output reg  ${r(1)} job_first,     // of the first batch
    output reg  ${r(1)} job_folded,    // the sums are added at its end
    output wire ${r(1)} stop,          // an address was out of bounds
    output wire ${r(1)} done_valid,    // the operation has ended
    input  wire ${r(1)} done_ready,    // taken
    output wire ${r(2)} done_cause,    // why
    output wire ${r(2)} done_operand,  // operand out of bounds
    output wire ${r(1)} done_write,    // it was a write
    output wire ${r(L.SUM_W)} done_address   // its address
);
${localparams("BATCH", "LANDING", "ADDR_W", "INDEX_W", "COUNT_W", "ROWS_W", "ROOM_W", "SUM_W", "STEP_W", "PC_W")}

    localparam [2:0] IDLE  = 3'd0;
    localparam [2:0] BEGIN = 3'd1;
    localparam [2:0] ASK   = 3'd2;
    localparam [2:0] END   = 3'd3;
    localparam [2:0] STOP  = 3'd4;
    localparam [2:0] DONE  = 3'd5;

    localparam [3:0] GEMV = 4'd8;
    localparam [1:0] SUMS = 2'd2;

    localparam [1:0] NONE      = 2'd0;
    localparam [1:0] BOUND     = 2'd1;
    localparam [1:0] OPERATION = 2'd2;
    localparam [1:0] ROWS      = 2'd3;

    localparam [ADDR_W-1:0] FULL     = BATCH[ADDR_W-1:0];
    localparam [ROWS_W-1:0] MOST     = {1'b1, {(ROWS_W-1){1'b0}}}; // rows
    localparam [ROOM_W-1:0] ALL_ROOM = LANDING[ROOM_W-1:0];

    reg [2:0] state;

    // ------------------------------------------------------------------
    // The operation, and the step

    reg [PC_W-1:0]     entry;
    reg [ADDR_W-1:0]   length;
    reg [ROWS_W-1:0]   rows;
    reg [4*ADDR_W-1:0] bases;
    reg [4*ADDR_W-1:0] lasts;

    reg              behind_valid; // a job waits behind the one that is shown
    reg [PC_W-1:0]   pc;
    reg [ADDR_W-1:0] start; // words before the batch
    reg [ADDR_W-1:0] rest;  // words from the batch on
    reg              first; // it is the first batch
    reg [ROWS_W-1:0] row;

    wire              known;
    wire [PC_W-1:0]   launch_entry;
    wire [STEP_W-1:0] word;

    ${prefix}ndp_nda_pe_microcode microcode (
        .op    (launch_op),
        .known (known),
        .entry (launch_entry),
        .pc    (pc),
        .word  (word)
    );

    wire [1:0] operand = ${field("word", "operand")};
    wire       store   = ${field("word", "store")};
    wire [1:0] how     = ${field("word", "how")};
    wire [2:0] factor  = ${field("word", "factor")};
    wire [1:0] target  = ${field("word", "target")};
    wire       by_rows = ${field("word", "rows")};
    wire       turns   = ${field("word", "last")};
    wire       closes  = ${field("word", "final")};

    wire launched = launch_valid && state == IDLE;
    wire gemv     = launch_op == GEMV;
    wire many     = gemv && launch_rows > MOST;
    wire nothing  = launch_length == {ADDR_W{1'b0}} ||
                    (gemv && launch_rows == {ROWS_W{1'b0}});

    always @(posedge clk) begin
        if (launched) begin
            entry  <= launch_entry;
            length <= launch_length;
            rows   <= launch_rows;
            bases  <= launch_base;
            lasts  <= launch_last;
        end
    end

    // ------------------------------------------------------------------
    // A step begins

    wire               more  = rest > FULL; // batches behind this one
    wire [COUNT_W-1:0] batch = more ? BATCH[COUNT_W-1:0] : rest[COUNT_W-1:0];
    wire               whole = closes && !turns; // store of a GEMV's sums
    wire [ROWS_W-1:0]  pairs = rows + {{(ROWS_W-1){1'b0}}, 1'b1};

    wire begins = state == BEGIN && (store ? at_rest && !job_valid : !behind_valid);

    reg [ADDR_W-1:0] base;   // of the step's operand
    reg [ADDR_W-1:0] bound;  // its last word
    reg [SUM_W-1:0]  address;
    reg [SUM_W-1:0]  row_address;
    reg [COUNT_W-1:0] to_go; // accesses
    reg [INDEX_W-1:0] asked; // accesses before

    always @* begin
        case (operand)
            2'd0: {base, bound} = {bases[0+:ADDR_W], lasts[0+:ADDR_W]};
            2'd1: {base, bound} = {bases[ADDR_W+:ADDR_W], lasts[ADDR_W+:ADDR_W]};
            2'd2: {base, bound} = {bases[2*ADDR_W+:ADDR_W], lasts[2*ADDR_W+:ADDR_W]};
            default: {base, bound} = {bases[3*ADDR_W+:ADDR_W], lasts[3*ADDR_W+:ADDR_W]};
        endcase
    end

    wire              next_row = by_rows && row != {ROWS_W{1'b0}};
    wire [SUM_W-1:0]  from     = next_row ? row_address : {1'b0, base};
    wire [ADDR_W-1:0] by       = next_row ? length : whole ? {ADDR_W{1'b0}} : start;
    wire [SUM_W-1:0]  begin_at = from + {1'b0, by};

    always @(posedge clk) begin
        if (begins && by_rows)
            row_address <= begin_at;
    end

    // ------------------------------------------------------------------
    // Accesses

    reg [ROOM_W-1:0] room; // words that may still be asked for

    wire beyond = address > {1'b0, bound};
    wire free   = !mem_valid || mem_ready;
    wire asks   = state == ASK && !beyond && free &&
                  (store || room != {ROOM_W{1'b0}});
    wire loads  = asks && !store;
    wire ends   = asks && to_go == {{(COUNT_W-1){1'b0}}, 1'b1};

    assign fetch       = asks && store;
    assign fetch_index = asked;

    always @(posedge clk) begin
        if (begins) begin
            address <= begin_at;
            to_go   <= whole ? pairs[ROWS_W-1:1] : batch;
            asked   <= {INDEX_W{1'b0}};
        end else if (asks) begin
            address <= address + 1'b1;
            to_go   <= to_go - 1'b1;
            asked   <= asked + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            mem_valid   <= 1'b0;
            mem_write   <= 1'b0;
            mem_address <= {ADDR_W{1'b0}};
        end else if (free) begin
            mem_valid   <= asks;
            mem_write   <= asks && store;
            mem_address <= asks ? address[ADDR_W-1:0] : {ADDR_W{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (rst)
            room <= ALL_ROOM;
        else if (loads && !popped)
            room <= room - 1'b1;
        else if (popped && !loads)
            room <= room + 1'b1;
    end

    // ------------------------------------------------------------------
    // Jobs

    localparam JOB_W = 10 + COUNT_W + ROWS_W;

    reg  [JOB_W-1:0] behind;

    wire [JOB_W-1:0] job = {how, factor, target, by_rows, batch, row, first,
                            target == SUMS && (by_rows || !more)};

    wire adds   = begins && !store;
    wire slides = job_taken || !job_valid; // what is shown leaves its slot free
    wire shows  = slides && (behind_valid || adds);

    always @(posedge clk) begin
        if (rst || stop) begin
            job_valid    <= 1'b0;
            behind_valid <= 1'b0;
        end else begin
            job_valid    <= shows || !slides;
            behind_valid <= !slides && (behind_valid || adds);
        end
    end

    always @(posedge clk) begin
        if (adds)
            behind <= job;
        if (shows)
            {job_how, job_factor, job_target, job_rows, job_words, job_row, job_first,
             job_folded} <= behind_valid ? behind : job;
    end

    // ------------------------------------------------------------------
    // What comes next

    wire [ROWS_W-1:0] row_on    = row + 1'b1;
    wire              row_more  = by_rows && row_on != rows;
    wire              batch_on  = ends && !row_more && turns && more;
    wire              complete  = ends && !row_more && !batch_on && closes;

    always @(posedge clk) begin
        if (launched)
            pc <= launch_entry;
        else if (batch_on)
            pc <= entry;
        else if (ends && !row_more && !complete)
            pc <= pc + 1'b1;
    end

    always @(posedge clk) begin
        if (launched) begin
            start <= {ADDR_W{1'b0}};
            rest  <= launch_length;
            first <= 1'b1;
        end else if (batch_on) begin
            start <= start + FULL;
            rest  <= rest - FULL;
            first <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (launched)
            row <= {ROWS_W{1'b0}};
        else if (ends)
            row <= row_more ? row_on : {ROWS_W{1'b0}};
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
                IDLE:
                    if (launch_valid)
                        state <= !known || many || nothing ? DONE : BEGIN;
                BEGIN:
                    if (begins)
                        state <= ASK;
                ASK:
                    if (beyond)
                        state <= STOP;
                    else if (ends)
                        state <= complete ? END : BEGIN;
                END:
                    if (!job_valid && at_rest && !mem_valid)
                        state <= DONE;
                STOP:
                    if (room == ALL_ROOM && quiet && !mem_valid)
                        state <= DONE;
                default:
                    if (done_ready)
                        state <= IDLE;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // The end

    reg [1:0]       cause;
    reg [1:0]       bad_operand;
    reg             bad_write;
    reg [SUM_W-1:0] bad_address;

    always @(posedge clk) begin
        if (launched)
            cause <= !known ? OPERATION : many ? ROWS : NONE;
        else if (state == ASK && beyond)
            cause <= BOUND;
    end

    always @(posedge clk) begin
        if (state == ASK && beyond) begin
            bad_operand <= operand;
            bad_write   <= store;
            bad_address <= address;
        end
    end

    wire bad = done_valid && cause == BOUND;

    assign launch_ready = state == IDLE;
    assign stop         = state == STOP;
    assign done_valid   = state == DONE;
    assign done_cause   = done_valid ? cause : NONE;
    assign done_operand = bad ? bad_operand : 2'd0;
    assign done_write   = bad && bad_write;
    assign done_address = bad ? bad_address : {SUM_W{1'b0}};

    wire unused = &{1'b0, pairs[0]};

`ifdef FORMAL
`include "${prefix}ndp_nda_pe_sequence_formal.vh"
`endif
endmodule

`default_nettype wire
