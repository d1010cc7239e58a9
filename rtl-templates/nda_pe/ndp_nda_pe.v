//% use "ndp_queue.v"
//% use "ndp_nda_pe_sequence.v"
//% use "ndp_nda_pe_work.v"
//% use "ndp_nda_pe_lane.v"
${header{title = "processing element beside a DRAM chip", text = [[
Operations on vectors of f32 in the memory of one chip, 8 bytes at a time: Table I of
the paper, by microcode, every access within its operand's bound.

    launch -> sequence -> mem
    rsp -> landing queue -> work: two lanes with FMA, buffer, scratchpad, sum -> done

Parameters: all sizes are generated; see the localparams.

Handshake: valid and ready; reads are answered in their order, after any time, and
always find room.

Latency: a word each cycle element by element, a sum each ]] .. L.LATENCY .. [[ cycles.

See docs/blocks/nda_pe.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe (
${ports()}
);
${localparams("LANDING", "INDEX_W", "COUNT_W", "ROWS_W")}

    // ------------------------------------------------------------------
    // Which accesses, and when

    wire               fetch;
    wire [INDEX_W-1:0] fetch_index;
    wire               pop;
    wire               at_rest;
    wire               quiet;
    wire               job_valid;
    wire               job_taken;
    wire [1:0]         job_how;
    wire [2:0]         job_factor;
    wire [1:0]         job_target;
    wire               job_rows;
    wire [COUNT_W-1:0] job_words;
    wire [ROWS_W-1:0]  job_row;
    wire               job_first;
    wire               job_folded;
    wire               stop;

    ${prefix}ndp_nda_pe_sequence order (
        .clk           (clk),
        .rst           (rst),
        .launch_valid  (launch_valid),
        .launch_ready  (launch_ready),
        .launch_op     (launch_op),
        .launch_length (launch_length),
        .launch_rows   (launch_rows),
        .launch_base   (launch_base),
        .launch_last   (launch_last),
        .mem_valid     (mem_valid),
        .mem_ready     (mem_ready),
        .mem_write     (mem_write),
        .mem_address   (mem_address),
        .fetch         (fetch),
        .fetch_index   (fetch_index),
        .popped        (pop),
        .at_rest       (at_rest),
        .quiet         (quiet),
        .job_valid     (job_valid),
        .job_taken     (job_taken),
        .job_how       (job_how),
        .job_factor    (job_factor),
        .job_target    (job_target),
        .job_rows      (job_rows),
        .job_words     (job_words),
        .job_row       (job_row),
        .job_first     (job_first),
        .job_folded    (job_folded),
        .stop          (stop),
        .done_valid    (done_valid),
        .done_ready    (done_ready),
        .done_cause    (done_cause),
        .done_operand  (done_operand),
        .done_write    (done_write),
        .done_address  (done_address)
    );

    // ------------------------------------------------------------------
    // What lands

    wire        landed;
    wire [63:0] landed_word;
    wire        can_push;

    ${prefix}ndp_queue #(
        .WIDTH (64),
        .DEPTH (LANDING)
    ) landing (
        .clk       (clk),
        .rst       (rst),
        .push      (rsp_valid),
        .in_word   (rsp_data),
        .can_push  (can_push),
        .pop       (pop),
        .out_valid (landed),
        .out_word  (landed_word)
    );

    // ------------------------------------------------------------------
    // What becomes of it

    wire               read;
    wire               read_row;
    wire [INDEX_W-1:0] read_index;
//% if L.ITERATIVE == 1 then
    wire               compute;
//% end
    wire               fold;
    wire               added;
    wire [2:0]         factor;
    wire               to_sums;
    wire               stands;
    wire               write;
    wire               write_move;
    wire               write_pad;
    wire [INDEX_W-1:0] write_index;
    wire [1:0]         write_half;
    wire               write_clear;
    wire               sum_write;
    wire               sum_begin;
    wire               sum_goes_on;
    wire               sum_half;
    wire               value_write;
//% if L.ITERATIVE == 1 then
    wire [1:0]         ready;
    wire [1:0]         finished;
//% end

    ${prefix}ndp_nda_pe_work work (
        .clk         (clk),
        .rst         (rst),
        .stop        (stop),
        .job_valid   (job_valid),
        .job_taken   (job_taken),
        .job_how     (job_how),
        .job_factor  (job_factor),
        .job_target  (job_target),
        .job_rows    (job_rows),
        .job_words   (job_words),
        .job_row     (job_row),
        .job_first   (job_first),
        .job_folded  (job_folded),
        .landed      (landed),
        .pop         (pop),
        .read        (read),
        .read_row    (read_row),
        .read_index  (read_index),
//% if L.ITERATIVE == 1 then
        .ready       (ready[0]),
        .finished    (finished[0]),
//% end
//% if L.ITERATIVE == 1 then
        .compute     (compute),
//% end
        .fold        (fold),
        .added       (added),
        .factor      (factor),
        .to_sums     (to_sums),
        .stands      (stands),
        .write       (write),
        .write_move  (write_move),
        .write_pad   (write_pad),
        .write_index (write_index),
        .write_half  (write_half),
        .write_clear (write_clear),
        .sum_write   (sum_write),
        .sum_begin   (sum_begin),
        .sum_goes_on (sum_goes_on),
        .sum_half    (sum_half),
        .value_write (value_write),
        .at_rest     (at_rest),
        .quiet       (quiet)
    );

    reg [63:0] word; // that is held

    always @(posedge clk) begin
        if (read)
            word <= landed_word;
    end

    // ------------------------------------------------------------------
    // Scalars, sums, value

    reg [95:0] scalars;
    reg [31:0] scalar;
    reg [31:0] value;

    wire launched = launch_valid && launch_ready;

    always @(posedge clk) begin
        if (launched)
            scalars <= launch_scalars;
    end

    always @* begin
        case (factor[1:0])
            2'd0:    scalar = scalars[31:0];
            2'd1:    scalar = scalars[63:32];
            default: scalar = scalars[95:64];
        endcase
    end

    wire [31:0] buffered_0;
    wire [31:0] buffered_1;
    wire [31:0] sum_0;
    wire [31:0] sum_1;
    wire [31:0] result_0;
    wire [31:0] result_1;

    always @(posedge clk) begin
        if (launched)
            value <= 32'd0;
        else if (value_write)
            value <= result_0;
    end

    wire [31:0] so_far   = sum_half ? buffered_1 : buffered_0;
    wire [31:0] sum_from = sum_goes_on ? so_far : 32'd0;

//% for i = 0, 1 do
    ${prefix}ndp_nda_pe_lane lane_${i} (
        .clk         (clk),
//%     if L.ITERATIVE == 1 then
        .rst         (rst),
        .compute     (compute),
        .ready       (ready[${i}]),
        .finished    (finished[${i}]),
//%     end
        .word        (word[${32 * i + 31}:${32 * i}]),
        .scalar      (scalar),
        .fold        (fold),
        .added       (added),
        .factor      (factor),
        .to_sums     (to_sums),
        .stands      (stands),
        .left        (sum_0),
        .right       (sum_1),
        .write       (write || write_half[${i}]),
        .write_move  (write_move),
        .write_clear (${i == 0 and "1'b0" or "write_half[1] && write_clear"}),
        .write_pad   (write_pad),
        .write_index (write_index),
        .read        (read || read_row || fetch),
        .read_pad    (read),
        .read_index  (fetch ? fetch_index : read_index),
        .sum_write   (sum_write),
        .sum_begin   (sum_begin),
        .sum_from    (${i == 0 and "sum_from" or "32'd0"}),
        .buffered    (buffered_${i}),
        .sum         (sum_${i}),
        .result      (result_${i})
    );

//% end
    assign mem_data   = mem_write ? {buffered_1, buffered_0} : 64'd0;
    assign done_value = done_valid ? value : 32'd0;

    wire unused = &{1'b0, can_push, result_1${L.ITERATIVE == 1 and ", ready[1], finished[1]" or ""}};
${checks()}
endmodule

`default_nettype wire
