//% use "ndp_ram.v"
//% use "ndp_squeue_code.v"
//% use "ndp_squeue_lanes.v"
//% use "ndp_squeue_work_formal.vh"
//% local ALU_W = clog2(L.ALUS)
//% local function lanes(name) return ALU_W > 0 and "{" .. name .. ", " .. ALU_W .. "'d0}" or name end
//% local mask = field("work", "job", "mask")
//% local given_mask = field("given", "given", "mask")
${header{title = "work of a service queue", text = [[
The operand buffer, the lanes that compute what is in its full slots, one after the
other, and what comes of that: a store, an answer.

    data -> operands -> lanes -> results by slot -> store -> ans
               look -> pass ->                giving

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.  start tells of the edge on which a slot is looked at, free of the
edge on which the oldest slot and its place become free.

Latency: a beat that leaves for the lanes on edge t is in the results after t+7.]]}}
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
    input  wire         slot_full,     // one is full and has not been started
    input  wire ${pad(range(L.SLOT_W), 7)} slot,          // the oldest of these
    input  wire ${pad(range(L.PLACE_W), 7)} slot_place,    // its place
    output wire         start,         // it is started
    output wire         free,          // the oldest slot and its place become free
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
${localparams("NODE_W", "ENTRY_W", "ADDR_W", "MASK_W", "PLACE_W", "ALUS", "BEAT_W", "DATA_W", "SLOTS", "SLOT_W", "SLOTS_W", "WORD_W", "WORK_W", "GIVEN_W")}

    localparam [1:0] NONE   = 2'd0; // passes
    localparam [1:0] PASS_G = 2'd1;
    localparam [1:0] PASS_F = 2'd2;

    localparam [1:0] ACK    = 2'd0; // answers
    localparam [1:0] DATA   = 2'd1;
    localparam [1:0] BITMAP = 2'd2;

    localparam [BEAT_W-1:0] LAST      = ${L.BEAT_W}'d${L.BEATS - 1};
    localparam [SLOT_W-1:0] LAST_SLOT = SLOTS[SLOT_W-1:0] - 1'b1;

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
    // Look: a chain whose next pass has to begin

    reg              look;
    reg [SLOT_W-1:0] look_slot;
    reg [1:0]        pass;      // under way
    reg [SLOT_W-1:0] pass_slot;
    reg              behind_g;  // it takes g's results

    wire pass_ends; // its last beat leaves
    wire opens_pass = look && (pass == NONE || pass_ends);
    wire next_g;    // the pass that begins is g
    wire opens_f    = opens_pass && !next_g;

    assign start = slot_full && (!look || opens_f);

    always @(posedge clk) begin
        if (rst)
            look <= 1'b0;
        else
            look <= start || (look && !opens_f);
        if (start)
            look_slot <= slot;
    end

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
        .rd_en   (start),
        .rd_addr (slot_place),
        .rd_data (job)
    );

//% for _, f in ipairs(record.work.list) do if f.name ~= "mask" then
    wire ${pad(range(f.width), 7)} job_${f.name} = job[${f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb}];
//% end end

    wire [15:0] use_b = ${hex(16, L.HAS_B)};
    wire [15:0] use_c = ${hex(16, L.HAS_C)};
    wire [15:0] use_g = ${hex(16, L.HAS_G)};

    wire compares = job_pattern == 4'd5 || job_pattern == 4'd6;
    wire has_g    = use_g[job_pattern];
    wire fused    = has_g && job_fused;
    wire begins_g = has_g && !job_fused;
    wire both     = use_b[job_pattern] || job_pattern == 4'd4;

    assign next_g = begins_g && pass != PASS_G;

    // ------------------------------------------------------------------
    // Pass: its beats leave for the lanes, f's behind the results of g

    reg [BEAT_W-1:0] left;       // next one
    reg [BEAT_W:0]   g_computed; // beats of g that have come out

    wire early  = behind_g && {1'b0, left} >= g_computed;
    wire leaves = pass != NONE && !core_busy && !early;

    assign pass_ends = leaves && left == LAST;

    // in the lanes, bit i: one left i + 1 edges ago; which one, the youngest lowest
    reg [6:0]              pipe;
    reg [6:0]              pipe_g;
    reg [7*SLOT_W-1:0]     pipe_slot;
    reg [7*BEAT_W-1:0]     pipe_beat;

    wire              comes     = pipe[6];
    wire              come_g    = pipe_g[6];
    wire [SLOT_W-1:0] come_slot = pipe_slot[7*SLOT_W-1:6*SLOT_W];
    wire [BEAT_W-1:0] come      = pipe_beat[7*BEAT_W-1:6*BEAT_W];
    wire              computed  = comes && !come_g && come == LAST;

    always @(posedge clk) begin
        if (rst)
            pass <= NONE;
        else if (opens_pass)
            pass <= next_g ? PASS_G : PASS_F;
        else if (pass_ends)
            pass <= NONE;
        if (opens_pass) begin
            behind_g  <= pass == PASS_G;
            pass_slot <= look_slot;
        end
        if (opens_pass)
            left <= {BEAT_W{1'b0}};
        else if (leaves)
            left <= left + 1'b1;
        if (opens_pass && next_g)
            g_computed <= {BEAT_W+1{1'b0}};
        else if (comes && come_g)
            g_computed <= g_computed + 1'b1;
        pipe      <= rst ? 7'd0 : {pipe[5:0], leaves};
        pipe_g    <= {pipe_g[5:0], pass == PASS_G};
        pipe_slot <= {pipe_slot[6*SLOT_W-1:0], pass_slot};
        pipe_beat <= {pipe_beat[6*BEAT_W-1:0], left};
    end

    // ------------------------------------------------------------------
    // Giving: results of slots in turn

    reg               giving;    // one is given:
    reg               stored;    // its store is over
    reg [BEAT_W-1:0]  beat;      // beat that is shown
    reg [SLOT_W-1:0]  give_slot; // next one
    reg [SLOT_W-1:0]  shown_slot;
    reg [SLOTS_W-1:0] done;      // slots that are computed and not yet given

    wire [GIVEN_W-1:0] given;

//% for _, f in ipairs(record.given.list) do if f.name ~= "mask" then
    wire ${pad(range(f.width), 7)} given_${f.name} = given[${f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb}];
//% end end

    wire gives  = given_pattern == 4'd2 || given_pattern == 4'd8;
    wire says   = given_pattern == 4'd5 || given_pattern == 4'd6;
    wire stores = use_c[given_pattern] && !stored;
    wire last   = !stores && !gives ? 1'b1 : beat == LAST;
    wire taken  = giving && (stores ? store_ready : ans_ready);
    wire over   = taken && last;
    wire opens  = (!giving || free) && done != {SLOTS_W{1'b0}};
    wire reads  = opens || (taken && !last);

    assign free = over && !stores;

    wire [BEAT_W-1:0] read_beat = opens ? {BEAT_W{1'b0}} : beat + 1'b1;
    wire [SLOT_W-1:0] read_slot = opens ? give_slot : shown_slot;

    always @(posedge clk) begin
        if (rst) begin
            giving    <= 1'b0;
            done      <= {SLOTS_W{1'b0}};
            give_slot <= {SLOT_W{1'b0}};
        end else begin
            giving <= opens || (giving && !free);
            if (computed != opens)
                done <= computed ? done + 1'b1 : done - 1'b1;
            if (opens)
                give_slot <= give_slot == LAST_SLOT ? {SLOT_W{1'b0}} : give_slot + 1'b1;
        end
        stored <= !opens && (stored || over);
        if (opens || over)
            beat <= {BEAT_W{1'b0}};
        else if (taken)
            beat <= beat + 1'b1;
        if (opens)
            shown_slot <= give_slot;
    end

    ${prefix}ndp_ram #(
        .WIDTH     (GIVEN_W),
        .WORDS     (${1 << L.SLOT_W}),
        .ADDRESS_W (SLOT_W)
    ) for_whom (
        .clk     (clk),
        .wr_en   (opens_f),
        .wr_addr (look_slot),
        .wr_data ({${mask}, job_c, job_entry, job_core, job_type, job_pattern}),
        .rd_en   (opens),
        .rd_addr (give_slot),
        .rd_data (given)
    );

    // ------------------------------------------------------------------
    // Operand buffer and results

    wire [DATA_W-1:0] operand_a;
    wire [DATA_W-1:0] operand_b;
    wire [DATA_W-1:0] result_g;
    wire [DATA_W-1:0] result;
    wire [DATA_W-1:0] values;
    wire [WORD_W-1:0] fill_word = {fill_slot, fill_beat};
    wire [WORD_W-1:0] read_word = {pass_slot, left};

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
    ) results_g (
        .clk     (clk),
        .wr_en   (comes && come_g),
        .wr_addr (come),
        .wr_data (values),
        .rd_en   (leaves),
        .rd_addr (left),
        .rd_data (result_g)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (DATA_W),
        .WORDS     (${1 << L.WORD_W}),
        .ADDRESS_W (WORD_W)
    ) results (
        .clk     (clk),
        .wr_en   (comes && !come_g),
        .wr_addr ({come_slot, come}),
        .wr_data (values),
        .rd_en   (reads),
        .rd_addr ({read_slot, read_beat}),
        .rd_data (result)
    );

    // ------------------------------------------------------------------
    // Lanes: what they do stands still during a pass, and follows its last beat

    reg [2:0]  kind;   // type of the data
    reg [31:0] imm;    // immediate
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
        if (opens_pass) begin
            kind     <= job_type;
            imm      <= job_imm;
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

    // with the operands, an edge behind the beat's leaving; four and six behind that
    reg [2:0]  kind_1;
    reg [31:0] imm_1;
    reg [7:0]  op_1;
    reg [2:0]  how_1;
    reg        x_other_1;
    reg        y_imm_1;
    reg        y_result_1;
    reg        turned_1;
    reg [4:0]  mul_1;
    reg [6:0]  fma_1;
    reg [6:0]  invert_1;
    reg [6:0]  never_1;

    always @(posedge clk) begin
        kind_1     <= kind;
        imm_1      <= imm;
        op_1       <= op;
        how_1      <= how;
        x_other_1  <= x_other;
        y_imm_1    <= y_imm;
        y_result_1 <= y_result;
        turned_1   <= turned;
        mul_1      <= {mul_1[3:0], is_mul};
        fma_1      <= {fma_1[5:0], is_fma};
        invert_1   <= {invert_1[5:0], invert};
        never_1    <= {never_1[5:0], never};
    end

    wire [ALUS-1:0] truths;

    ${prefix}ndp_squeue_lanes lanes (
        .clk      (clk),
        .kind     (kind_1),
        .a        (operand_a),
        .b        (operand_b),
        .r        (result_g),
        .imm      (imm_1),
        .x_other  (x_other_1),
        .y_imm    (y_imm_1),
        .y_result (y_result_1),
        .turned   (turned_1),
        .op       (op_1),
        .how      (how_1),
        .is_mul   (mul_1[4]),
        .is_fma   (fma_1[6]),
        .invert   (invert_1[6]),
        .never    (never_1[6]),
        .values   (values),
        .truths   (truths)
    );

    reg [${(1 << L.SLOT_W) * L.MASK_W - 1}:0] truth_bits; // of all lanes, by slot
    reg [MASK_W-1:0] bits; // of the slot that is given

    always @(posedge clk) begin
        if (comes)
//% if L.BEATS > 1 then
            truth_bits[{come_slot, ${lanes("come"):gsub("[{}]", "")}} +: ALUS] <= truths;
//% else
            truth_bits[{come_slot, ${clog2(L.MASK_W)}'d0} +: MASK_W] <= truths;
//% end
        if (opens)
            bits <= truth_bits[{give_slot, ${clog2(L.MASK_W)}'d0} +: MASK_W];
    end

    // ------------------------------------------------------------------
    // What is given

//% if L.BEATS > 1 then
    wire [MASK_W-1:0] mask  = ${given_mask};
    wire [ALUS-1:0]   alive = mask[${lanes("beat")} +: ALUS];
//% else
    wire [MASK_W-1:0] mask  = ${given_mask};
    wire [ALUS-1:0]   alive = mask;
//% end

    wire [DATA_W-1:0] shows; // lanes of the result that take part

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : part
            assign shows[32*i +: 32] = result[32*i +: 32] & {32{alive[i]}};
        end
    endgenerate

    assign store_valid   = giving && stores;
    assign store_last    = store_valid && beat == LAST;
    assign store_address = store_valid ? given_c : {ADDR_W{1'b0}};
    assign store_type    = store_valid ? given_type : 3'd0;
    assign store_mask    = store_valid ? alive : {ALUS{1'b0}};
    assign store_data    = store_valid ? shows : {DATA_W{1'b0}};

    assign ans_valid = giving && !stores;
    assign ans_last  = ans_valid && last;
    assign ans_core  = ans_valid ? given_core : {NODE_W{1'b0}};
    assign ans_entry = ans_valid ? given_entry : {ENTRY_W{1'b0}};
    assign ans_kind  = !ans_valid ? ACK : gives ? DATA : says ? BITMAP : ACK;
    assign ans_bits  = ans_valid && says ? bits & mask : {MASK_W{1'b0}};
    assign ans_data  = ans_valid && gives ? shows : {DATA_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_squeue_work_formal.vh"
`endif
endmodule

`default_nettype wire
