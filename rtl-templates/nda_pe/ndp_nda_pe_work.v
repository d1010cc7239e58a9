//% use "ndp_nda_pe_work_formal.vh"
//% local P_W = math.max(#range(L.COUNT_W), #range(L.ROWS_W), #range(3))
//% local function r(w) return pad(range(w), P_W) end
${header{title = "processing element: the work on what lands", text = [[
Takes one job after the other: so many words leave the landing queue, are held while
buffer and scratchpad are read, and fire into the arithmetic, whose results it writes.
It knows what is where, and no data.

Parameters: all sizes are generated; see the localparams.

Handshake: a job is begun on an edge with job_taken.

Latency: ]] .. L.LATENCY + 6 .. [[ edges without a fire between two jobs.

See docs/blocks/nda_pe.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe_work (
    input  wire ${r(1)} clk,         // clock
    input  wire ${r(1)} rst,         // synchronous reset, active high
    input  wire ${r(1)} stop,        // drop everything
    input  wire ${r(1)} job_valid,   // a job
    output wire ${r(1)} job_taken,   // it is begun
    input  wire ${r(2)} job_how,     // what is done with a word
    input  wire ${r(3)} job_factor,  // factor
    input  wire ${r(2)} job_target,  // where results go
    input  wire ${r(1)} job_rows,    // it is a row's
    input  wire ${r(L.COUNT_W)} job_words,   // words, one or more
    input  wire ${r(L.ROWS_W)} job_row,     // row
    input  wire ${r(1)} job_first,   // of the first batch
    input  wire ${r(1)} job_folded,  // the sums are added at its end
    input  wire ${r(1)} landed,      // the queue shows a word
    output wire ${r(1)} pop,         // it is used
    output wire ${r(1)} read,        // buffer and scratchpad are read
    output wire ${r(1)} read_row,    // the buffer alone, for a row
    output wire ${r(L.INDEX_W)} read_index,  // which word
//% if L.ITERATIVE == 1 then
    input  wire ${r(1)} ready,       // the arithmetic takes an operation
    input  wire ${r(1)} finished,    // its result stands
    output wire ${r(1)} compute,     // it has an operation
//% end
    output wire ${r(1)} fold,        // it is the sum of the sums
    output wire ${r(1)} added,       // else it adds
    output reg  ${r(3)} factor,      // its factor
    output wire ${r(1)} to_sums,     // results go to the sums
    output wire ${r(1)} stands,      // a result stands
    output wire ${r(1)} write,       // the buffer is written: both halves
    output wire ${r(1)} write_move,  // with the word held, else with the result
    output wire ${r(1)} write_pad,   // the scratchpad, with the word held
    output wire ${r(L.INDEX_W)} write_index, // which word
    output wire ${r(2)} write_half,  // of a row's sum: these halves
    output wire ${r(1)} write_clear, // the upper one with zero
    output wire ${r(1)} sum_write,   // sums become results
    output wire ${r(1)} sum_begin,   // sums begin,
    output wire ${r(1)} sum_goes_on, // the first with what the buffer has,
    output wire ${r(1)} sum_half,    // in this half
    output wire ${r(1)} value_write, // the value becomes a result
    output wire ${r(1)} at_rest,     // no job
    output wire ${r(1)} quiet        // nothing is under way
);
${localparams("INDEX_W", "COUNT_W", "ROWS_W")}

    localparam [2:0] REST  = 3'd0;
    localparam [2:0] INIT  = 3'd1;
    localparam [2:0] RUN   = 3'd2;
    localparam [2:0] DRAIN = 3'd3;
    localparam [2:0] FOLD  = 3'd4;
    localparam [2:0] SUM   = 3'd5;

    localparam [1:0] MOVE    = 2'd0;
    localparam [1:0] ADDED   = 2'd2;
    localparam [1:0] SCRATCH = 2'd1;
    localparam [1:0] SUMS    = 2'd2;

    reg [2:0] state;

    // ------------------------------------------------------------------
    // The job

    reg [1:0]         how;
    reg [1:0]         target;
    reg               rows;
    reg [ROWS_W-1:0]  row;
    reg               first;
    reg               folded;
    reg [COUNT_W-1:0] left;  // words that have not left the queue
    reg [INDEX_W-1:0] index; // of the next one

    assign at_rest   = state == REST;
    assign job_taken = at_rest && job_valid && !stop;

    always @(posedge clk) begin
        if (job_taken) begin
            how    <= job_how;
            factor <= job_factor;
            target <= job_target;
            rows   <= job_rows;
            row    <= job_row;
            first  <= job_first;
            folded <= job_folded;
        end
    end

    // ------------------------------------------------------------------
    // A word is held, and fires

    reg held;

//% if L.ITERATIVE == 0 then
    reg [${FIRES_W - 1}:0] there; // an operation in each stage; the last one's result stands

//% end

    wire move = how == MOVE;
    wire none_left = left == {COUNT_W{1'b0}};

//% if L.ITERATIVE == 1 then
    wire can = ready;
//% else
    wire alone = there[${FIRES_W - 2}:0] == ${FIRES_W - 1}'d0;
    wire can   = target != SUMS || alone;
//% end
    wire runs  = state == RUN && !stop;
    wire fires = runs && held && (move || can);
    wire next  = runs && landed && !none_left && (!held || fires);

    assign pop      = next || (stop && landed);
    assign read     = next;
    assign read_row = job_taken && job_rows;

    assign read_index = read_row ? job_row[ROWS_W-2:1] : index;

    always @(posedge clk) begin
        if (job_taken) begin
            left  <= job_words;
            index <= {INDEX_W{1'b0}};
        end else if (next) begin
            left  <= left - 1'b1;
            index <= index + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst || stop)
            held <= 1'b0;
        else if (next)
            held <= 1'b1;
        else if (fires)
            held <= 1'b0;
    end

    // ------------------------------------------------------------------
    // What is under way

    assign fold    = state == FOLD;
//% if L.ITERATIVE == 1 then
    assign compute = (fires && !move) || (fold && !stop);
//% else
    wire   compute = (fires && !move) || (fold && !stop);
//% end
    assign added   = how == ADDED;
    assign to_sums = target == SUMS;

//% if L.ITERATIVE == 1 then
    reg busy;

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else if (compute)
            busy <= 1'b1;
        else if (finished)
            busy <= 1'b0;
    end

    assign stands = finished;
    assign quiet  = !busy;
//% else
    always @(posedge clk) begin
        if (rst)
            there <= ${FIRES_W}'d0;
        else
            there <= {there[${FIRES_W - 2}:0], compute};
    end

    assign stands = there[${FIRES_W - 1}];
    assign quiet  = there == ${FIRES_W}'d0;
//% end

    // ------------------------------------------------------------------
    // Where results go

    reg [INDEX_W-1:0] written; // words before

    wire moved  = fires && move;
    wire result = stands && state != SUM && target != SUMS;
    wire sum    = stands && state == SUM && rows;

    always @(posedge clk) begin
        if (job_taken)
            written <= {INDEX_W{1'b0}};
        else if (moved || result)
            written <= written + 1'b1;
    end

    assign write       = result || (moved && target != SCRATCH);
    assign write_move  = move;
    assign write_pad   = moved && target == SCRATCH;
    assign write_index = sum ? row[ROWS_W-2:1] : written;
    assign write_half  = {sum && (row[0] || first), sum && !row[0]};
    assign write_clear = !row[0];

    assign sum_write   = stands && state != SUM && target == SUMS;
    assign sum_begin   = state == INIT && target == SUMS && (rows || first);
    assign sum_goes_on = !first;
    assign sum_half    = row[0];
    assign value_write = stands && state == SUM && !rows;

    // ------------------------------------------------------------------
    // What comes next

    always @(posedge clk) begin
        if (rst || stop) begin
            state <= REST;
        end else begin
            case (state)
                REST:
                    if (job_valid)
                        state <= INIT;
                INIT:
                    state <= RUN;
                RUN:
                    if (fires && none_left)
                        state <= DRAIN;
                DRAIN:
                    if (quiet)
                        state <= folded ? FOLD : REST;
                FOLD:
                    state <= SUM;
                default:
                    if (quiet)
                        state <= REST;
            endcase
        end
    end

    wire unused = &{1'b0, row[ROWS_W-1]};

`ifdef FORMAL
`include "${prefix}ndp_nda_pe_work_formal.vh"
`endif
endmodule

`default_nettype wire
