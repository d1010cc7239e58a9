//% use "ndp_ram.v"
//% use "ndp_squeue_code.v"
//% use "ndp_squeue_lanes.v"
//% use "ndp_squeue_work_formal.vh"
//% local ALU_W = clog2(L.ALUS)
//% local function lanes(name) return ALU_W > 0 and "{" .. name .. ", " .. ALU_W .. "'d0}" or name end
//% local mask = field("work", "job", "mask")
${header{title = "work of a service queue", text = [[
The operand buffer, the lanes that compute what is in its oldest full slot, and what
comes of that: a store, an answer.

    data -> operands -> lanes -> result -> store -> ans

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.  free tells of the edge on which slot and place become free.

Latency: a beat that leaves for the lanes on edge t is in the result after t+7.]]}}
`default_nettype none

module ${prefix}ndp_squeue_work (
    input  wire         clk,           // clock
    input  wire         rst,           // synchronous reset, active high

    // places that are taken
    input  wire         keep,          // one is taken,
    input  wire ${pad(range(L.PLACE_W), 7)} keep_place,    // this one,
    input  wire ${pad(range(L.WORK_W), 7)} keep_work,     // with this to be done

    // data: operands, beat by beat
    input  wire         data_valid,    // a beat
    input  wire ${pad(range(L.DATA_W), 7)} data_data,     // its lanes
    input  wire ${pad(range(L.SLOT_W), 7)} fill_slot,     // slot to which it comes
    input  wire         fill_two,      // which gets two operands
    output wire         fill_done,     // its last beat

    // slots
    input  wire         slot_full,     // the oldest one is full
    input  wire ${pad(range(L.SLOT_W), 7)} slot,          // the oldest one
    input  wire ${pad(range(L.PLACE_W), 7)} slot_place,    // its place
    output wire         free,          // both become free
    input  wire         core_busy,     // the core needs the ALU

    // store: results to be stored
    output wire         store_valid,   // a beat
    input  wire         store_ready,   // taken
    output wire         store_last,    // last of its operand
    output wire ${pad(range(L.ADDR_W), 7)} store_address, // of lane 0 of the first beat
    output wire [2:0]   store_type,    // type of the data
    output wire ${pad(range(L.ALUS), 7)} store_mask,    // lanes that take part
    output wire ${pad(range(L.DATA_W), 7)} store_data,    // its lanes

    // ans: answers
    output wire         ans_valid,     // a beat
    input  wire         ans_ready,     // taken
    output wire         ans_last,      // last of its answer
    output wire ${pad(range(L.NODE_W), 7)} ans_core,      // the core
    output wire ${pad(range(L.ENTRY_W), 7)} ans_entry,     // entry of its offload queue
    output wire [1:0]   ans_kind,      // what comes
    output wire ${pad(range(L.MASK_W), 7)} ans_bits,      // of a bitmap
    output wire ${pad(range(L.DATA_W), 7)} ans_data       // of data
);
${localparams("NODE_W", "ENTRY_W", "ADDR_W", "MASK_W", "PLACE_W", "ALUS", "BEAT_W", "DATA_W", "WORD_W", "WORK_W")}

    localparam [2:0] IDLE   = 3'd0; // phases
    localparam [2:0] LOOK   = 3'd1;
    localparam [2:0] PASS_G = 3'd2;
    localparam [2:0] PASS_F = 3'd3;
    localparam [2:0] STORE  = 3'd4;
    localparam [2:0] ANSWER = 3'd5;

    localparam [1:0] ACK    = 2'd0; // answers
    localparam [1:0] DATA   = 2'd1;
    localparam [1:0] BITMAP = 2'd2;

    localparam [BEAT_W-1:0] LAST = ${L.BEAT_W}'d${L.BEATS - 1};

    // ------------------------------------------------------------------
    // Operands that come

    reg              fill_second; // of the second load
    reg [BEAT_W-1:0] fill_beat;

    wire fill_last = data_valid && fill_beat == LAST;

    assign fill_done = fill_last && (fill_second || !fill_two);

    always @(posedge clk) begin
        if (rst) begin
            fill_beat   <= {BEAT_W{1'b0}};
            fill_second <= 1'b0;
        end else if (data_valid) begin
            fill_beat   <= fill_last ? {BEAT_W{1'b0}} : fill_beat + 1'b1;
            fill_second <= fill_second ^ (fill_last && (fill_second || fill_two));
        end
    end

    // ------------------------------------------------------------------
    // What is to be done

    reg [2:0] phase;

    wire begins = phase == IDLE && slot_full;

    wire [WORK_W-1:0] job;

    ${prefix}ndp_ram #(
        .WIDTH     (WORK_W),
        .WORDS     (${1 << L.PLACE_W}),
        .ADDRESS_W (PLACE_W)
    ) jobs (
        .clk     (clk),
        .wr_en   (keep),
        .wr_addr (keep_place),
        .wr_data (keep_work),
        .rd_en   (begins),
        .rd_addr (slot_place),
        .rd_data (job)
    );

//% for _, f in ipairs(record.work.list) do if f.name ~= "mask" then
    wire ${pad(range(f.width), 7)} job_${f.name} = job[${f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb}];
//% end end

    wire [15:0] use_b = ${hex(16, L.HAS_B)};
    wire [15:0] use_c = ${hex(16, L.HAS_C)};
    wire [15:0] use_g = ${hex(16, L.HAS_G)};

    wire stores   = use_c[job_pattern];
    wire gives    = job_pattern == 4'd2 || job_pattern == 4'd8;
    wire compares = job_pattern == 4'd5 || job_pattern == 4'd6;
    wire has_g    = use_g[job_pattern];
    wire fused    = has_g && job_fused;
    wire begins_g = has_g && !job_fused;
    wire both     = use_b[job_pattern] || job_pattern == 4'd4;

    // ------------------------------------------------------------------
    // Beats: those that leave for the lanes, and those that come out

    reg [6:0]        pipe;     // bit i: one left i + 1 edges ago
    reg              all_left; // all of them have left
    reg [BEAT_W-1:0] left;     // next one
    reg [BEAT_W-1:0] come;     // next one to come out

    wire in_pass = phase == PASS_G || phase == PASS_F;
    wire leaves  = in_pass && !all_left && !core_busy;
    wire comes   = pipe[6];
    wire passed  = comes && come == LAST;

    always @(posedge clk) begin
        if (rst || phase == LOOK || passed) begin
            pipe     <= 7'd0;
            all_left <= 1'b0;
            left     <= {BEAT_W{1'b0}};
            come     <= {BEAT_W{1'b0}};
        end else begin
            pipe <= {pipe[5:0], leaves};
            if (leaves) begin
                all_left <= left == LAST;
                left     <= left + 1'b1;
            end
            if (comes)
                come <= come + 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // Phases

    reg              shown; // a beat of the result is shown
    reg [BEAT_W-1:0] beat;  // this one

    wire last   = phase == ANSWER && !gives ? 1'b1 : beat == LAST;
    wire taken  = shown && (phase == STORE ? store_ready : ans_ready);
    wire given  = taken && last;

    assign free = phase == ANSWER && given;

    always @(posedge clk) begin
        if (rst || free)
            phase <= IDLE;
        else if (begins)
            phase <= LOOK;
        else if (phase == LOOK)
            phase <= begins_g ? PASS_G : PASS_F;
        else if (passed)
            phase <= phase == PASS_G ? PASS_F : stores ? STORE : ANSWER;
        else if (given)
            phase <= ANSWER;
    end

    wire reads = (phase == STORE || phase == ANSWER) && (!shown || (taken && !last));

    wire [BEAT_W-1:0] read_beat = shown ? beat + 1'b1 : {BEAT_W{1'b0}};

    always @(posedge clk) begin
        if (rst || given)
            shown <= 1'b0;
        else if (reads)
            shown <= 1'b1;
        if (rst)
            beat <= {BEAT_W{1'b0}};
        else if (reads)
            beat <= read_beat;
    end

    // ------------------------------------------------------------------
    // Operand buffer and result

    wire [DATA_W-1:0] operand_a;
    wire [DATA_W-1:0] operand_b;
    wire [DATA_W-1:0] result;
    wire [DATA_W-1:0] values;
    wire [WORD_W-1:0] fill_word = {fill_slot, fill_beat};
    wire [WORD_W-1:0] read_word = {slot, left};

//% for _, w in ipairs{"a", "b"} do
    ${prefix}ndp_ram #(
        .WIDTH     (DATA_W),
        .WORDS     (${1 << L.WORD_W}),
        .ADDRESS_W (WORD_W)
    ) operands_${w} (
        .clk     (clk),
        .wr_en   (data_valid && ${w == "a" and "!" or ""}fill_second),
        .wr_addr (fill_word),
        .wr_data (data_data),
        .rd_en   (leaves),
        .rd_addr (read_word),
        .rd_data (operand_${w})
    );

//% end
    ${prefix}ndp_ram #(
        .WIDTH     (DATA_W),
        .WORDS     (${1 << L.BEAT_W}),
        .ADDRESS_W (BEAT_W)
    ) results (
        .clk     (clk),
        .wr_en   (comes),
        .wr_addr (come),
        .wr_data (values),
        .rd_en   (leaves || reads),
        .rd_addr (reads ? read_beat : left),
        .rd_data (result)
    );

    // ------------------------------------------------------------------
    // Lanes: what they do stands still during a pass

    reg [7:0] op;      // of the arithmetic
    reg [2:0] how;     // what its second operand is
    reg       invert;  // of a comparison: the opposite
    reg       never;   // of a comparison: false, before that
    reg       is_mul;
    reg       is_fma;
    reg       x_other; // x is the second load
    reg       y_imm;   // y is the immediate,
    reg       y_result; // or g's result, or the second load
    reg       turned;  // exchange them

    wire next_g = phase == LOOK && begins_g; // the pass that begins is g

    wire [7:0] code_op;
    wire [2:0] code_how;
    wire       code_invert;
    wire       code_never;
    wire       code_mul;
    wire       code_fma;

    ${prefix}ndp_squeue_code decode (
        .code    (next_g ? job_g : job_f),
        .kind    (job_type),
        .compare (compares),
        .copy    (job_pattern == 4'd3),
        .fused   (fused),
        .op      (code_op),
        .how     (code_how),
        .invert  (code_invert),
        .never   (code_never),
        .is_mul  (code_mul),
        .is_fma  (code_fma)
    );

    always @(posedge clk) begin
        if (phase == LOOK || passed) begin
            op       <= code_op;
            how      <= code_how;
            invert   <= code_invert;
            never    <= code_never;
            is_mul   <= code_mul;
            is_fma   <= code_fma;
            x_other  <= begins_g && !next_g;
            y_imm    <= next_g || fused || !both;
            y_result <= begins_g && !next_g;
            turned   <= (next_g ? job_g_reversed : job_f_reversed && !fused) &&
                        code_how < 3'd2; // of two operands
        end
    end

    wire [ALUS-1:0] truths;

    ${prefix}ndp_squeue_lanes lanes (
        .clk      (clk),
        .kind     (job_type),
        .a        (operand_a),
        .b        (operand_b),
        .r        (result),
        .imm      (job_imm),
        .x_other  (x_other),
        .y_imm    (y_imm),
        .y_result (y_result),
        .turned   (turned),
        .op       (op),
        .how      (how),
        .invert   (invert),
        .never    (never),
        .is_mul   (is_mul),
        .is_fma   (is_fma),
        .values   (values),
        .truths   (truths)
    );

    reg [MASK_W-1:0] bits; // truths of all lanes

    always @(posedge clk) begin
        if (comes)
//% if L.BEATS > 1 then
            bits[${lanes("come")} +: ALUS] <= truths;
//% else
            bits <= truths;
//% end
    end

    // ------------------------------------------------------------------
    // What is given

//% if L.BEATS > 1 then
    wire [MASK_W-1:0] mask  = ${mask};
    wire [ALUS-1:0]   alive = mask[${lanes("beat")} +: ALUS];
//% else
    wire [MASK_W-1:0] mask  = ${mask};
    wire [ALUS-1:0]   alive = mask;
//% end

    wire [DATA_W-1:0] shows; // lanes of the result that take part

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : part
            assign shows[32*i +: 32] = result[32*i +: 32] & {32{alive[i]}};
        end
    endgenerate

    assign store_valid   = phase == STORE && shown;
    assign store_last    = store_valid && beat == LAST;
    assign store_address = store_valid ? job_c : {ADDR_W{1'b0}};
    assign store_type    = store_valid ? job_type : 3'd0;
    assign store_mask    = store_valid ? alive : {ALUS{1'b0}};
    assign store_data    = store_valid ? shows : {DATA_W{1'b0}};

    assign ans_valid = phase == ANSWER && shown;
    assign ans_last  = ans_valid && last;
    assign ans_core  = ans_valid ? job_core : {NODE_W{1'b0}};
    assign ans_entry = ans_valid ? job_entry : {ENTRY_W{1'b0}};
    assign ans_kind  = !ans_valid ? ACK : gives ? DATA : compares ? BITMAP : ACK;
    assign ans_bits  = ans_valid && compares ? bits & mask : {MASK_W{1'b0}};
    assign ans_data  = ans_valid && gives ? shows : {DATA_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_squeue_work_formal.vh"
`endif
endmodule

`default_nettype wire
