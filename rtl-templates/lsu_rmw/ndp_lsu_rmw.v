//% use "ndp_lowest.v"
//% use "ndp_lsu_rmw_gate.v"
//% use "ndp_lsu_rmw_rows.v"
//% use "ndp_lsu_rmw_word.v"
//% use "ndp_lsu_rmw_formal.vh"
//% local UP = L.CORE_AT + L.CORE_W -- lowest bit of a word above those of the core
${header{title = "read-modify-write unit of the base die", text = [[
Loads and stores of bytes and half words, and atomics, of the lanes of a warp: sector
by sector is loaded, changed a lane an edge, and stored, while nothing of the hybrid
unit goes down; lanes with words of other cores send requests of their own before that;
and what the hybrid unit says and hears passes.

    ask -> kept -> pick -> load -> come -> lanes -+-> store -> kept -+-> row -> ended
                    ^ ^                           |                  |
                    | +---------------------------+                  |
             away <-+------------------------------------------------+
    tx -> held -> down;  answer -> back;  done -> ended;  init -> row

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; done, ended, answer and
back cannot be refused.  Fields are zero while valid is low.

Latency: an edge for what passes.  The first request of an ask is there two edges after
the ask was; a sector costs two transactions and an edge a lane.

See docs/blocks/lsu_rmw.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_rmw (
${ports{reg = {"ended_valid", "ended_warp", "ended_near", "ended_fault",
               "back_valid", "back_id", "back_fault", "back_data"}}}
);
${localparams("LANES", "WARP_W", "REG_W", "UNIT_W", "CORE_W", "LANE_W", "WORDS", "WORD_W",
              "UNIT_AT", "CORE_AT", "AT_W", "SECTOR_W", "WHOLE_W", "DATA_W", "ROW_W")}

    localparam [3:0] IDLE  = 4'd0, // nothing is under way
                     PICK  = 4'd1, // chooses a sector
                     LOAD  = 4'd2, // asks for it
                     COME  = 4'd3, // waits for it
                     EACH  = 4'd4, // carries out a lane
                     STORE = 4'd5, // stores what was changed
                     KEPT  = 4'd6, // waits until that is done
                     ROW   = 4'd7, // the row goes
                     AWAY  = 4'd8; // lanes ask other cores

    localparam [LANE_W:0] NONE = 0;

    reg [3:0] state;

    wire idle = state == IDLE;

    // ------------------------------------------------------------------
    // Who begins

    ${prefix}ndp_lsu_rmw_gate gate (
        .clk          (clk),
        .rst          (rst),
        .idle         (idle),
        .down         (down_valid),
        .ask_valid    (ask_valid),
        .ask_ready    (ask_ready),
        .access_valid (access_valid),
        .access_ready (access_ready),
        .hybrid_valid (hybrid_valid),
        .hybrid_ready (hybrid_ready),
        .done_valid   (done_valid)
    );

    // ------------------------------------------------------------------
    // The ask; results take the place of operands

    reg [3:0]          op;
    reg [1:0]          size;
    reg                widens;
    reg [WARP_W-1:0]   warp;
    reg [REG_W-1:0]    register;
    reg                wanted;
    reg [LANES-1:0]    mask;
    reg [32*LANES-1:0] address;
    reg [ROW_W-1:0]    compare;
    reg [ROW_W-1:0]    row;

    wire begins = ask_valid && ask_ready;
    wire rows   = wanted && op != 4'd1 && mask != {LANES{1'b0}};

    always @(posedge clk) begin
        if (begins) begin
            op       <= ask_op;
            size     <= ask_size;
            widens   <= ask_signed;
            warp     <= ask_warp;
            register <= ask_reg;
            wanted   <= ask_result;
            mask     <= ask_mask;
            address  <= ask_address;
            compare  <= ask_compare;
        end
    end

    // ------------------------------------------------------------------
    // The lane: the lowest that is left, or that is left of the sector

    reg  [LANES-1:0]      left;
    reg  [WHOLE_W-1:0]    whole;  // the sector
    wire [SECTOR_W-1:0]   sector; // at its core, the own one
    reg  [DATA_W-1:0]     data;   // its words
    reg  [WORDS-1:0]      changed;
    reg                   bad;    // it is not there
    wire [LANES-1:0]      group;  // lanes that are left and have the sector
    reg  [LANES-1:0]      theirs; // lanes with a word of another core
    wire [LANES-1:0]      abroad; // ... that are left
    wire [LANES-1:0]      from;
    wire [LANES-1:0]      first;
    wire [LANE_W-1:0]     lane;
    wire [31:0]           at;     // its address, operand, and what it compares with
    wire [31:0]           given;
    wire [31:0]           other;
    wire [WORD_W-1:0]     which;  // word of the sector
    wire [31:0]           old;
    wire [31:0]           result;
    wire [3:0]            bytes;  // of the word that are stored
    wire                  changes;
    wire [31:0]           value;

    assign sector = {whole[WHOLE_W-1:${UP} - WORD_W], whole[CORE_AT-WORD_W-1:0]};

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : member
            assign group[i] = left[i] &&
                              address[32*i + 2 + WORD_W +: 30 - WORD_W] == whole;

            always @(posedge clk) begin
                if (begins)
                    theirs[i] <= ask_address[32*i + 2 + CORE_AT +: CORE_W] != at_core;
            end
        end
    endgenerate

    wire leaves = state == AWAY;

    assign abroad = left & theirs;
    assign from   = state == EACH ? group : leaves ? abroad : left;

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest (
        .set   (from),
        .first (first),
        .index (lane)
    );

    assign at    = address[32*lane +: 32];
    assign given = row[32*lane +: 32];
    assign other = compare[32*lane +: 32];
    assign which = at[2 +: WORD_W];
    assign old   = leaves ? 32'd0 : data[32*which +: 32];

    ${prefix}ndp_lsu_rmw_word word (
        .op      (op),
        .size    (size),
        .widens  (widens),
        .place   (at[1:0]),
        .old     (old),
        .data    (given),
        .compare (other),
        .result  (result),
        .bytes   (bytes),
        .changes (changes),
        .value   (value)
    );

    // The answer of another core, for the lane that it names.

    wire [31:0]       told_at;
    wire [WORD_W-1:0] told_word;
    wire [31:0]       told_old;
    wire [31:0]       brought; // the lane's result
    wire [3:0]        told_bytes;
    wire              told_changes;
    wire [31:0]       told_value;

    assign told_at   = address[32*answer_id +: 32];
    assign told_word = told_at[2 +: WORD_W];
    assign told_old  = answer_data[32*told_word +: 32];

    ${prefix}ndp_lsu_rmw_word far_word (
        .op      (op),
        .size    (size),
        .widens  (widens),
        .place   (told_at[1:0]),
        .old     (told_old),
        .data    (32'd0),
        .compare (32'd0),
        .result  (brought),
        .bytes   (told_bytes),
        .changes (told_changes),
        .value   (told_value)
    );

    wire unused = &{1'b0, told_at, told_bytes, told_changes, told_value};

    wire some   = from != {LANES{1'b0}};
    wire goes   = state == PICK && abroad != {LANES{1'b0}};
    wire picks  = state == PICK && some && !goes;
    wire sends  = away_valid && away_ready;
    wire acts   = state == EACH && some;
    wire comes  = state == COME && answer_valid;
    wire stored = state == KEPT && answer_valid;
    wire told   = leaves && answer_valid; // a lane is, by another core

    always @(posedge clk) begin
        if (begins)
            left <= ask_mask;
        else if (sends || acts)
            left <= left & ~first;
    end

    always @(posedge clk) begin
        if (picks)
            whole <= at[31:2 + WORD_W];
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : result_of
            localparam [LANE_W-1:0] LANE = i;

            always @(posedge clk) begin
                if (begins)
                    row[32*i +: 32] <= ask_data[32*i +: 32] & {32{ask_mask[i]}};
                else if (told && answer_id == LANE)
                    row[32*i +: 32] <= answer_fault ? 32'd0 : brought;
                else if (acts && first[i])
                    row[32*i +: 32] <= bad ? 32'd0 : result;
            end
        end

        for (i = 0; i < WORDS; i = i + 1) begin : word_of
            localparam [WORD_W-1:0] PLACE = i;

            wire becomes = acts && changes && !bad && which == PLACE;

            always @(posedge clk) begin
                if (comes)
                    data[32*i +: 32] <= answer_data[32*i +: 32];
                else if (becomes)
                    data[32*i +: 32] <= value;
            end

            always @(posedge clk) begin
                if (picks)
                    changed[i] <= 1'b0;
                else if (becomes)
                    changed[i] <= 1'b1;
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (picks || begins)
            bad <= 1'b0;
        else if (comes)
            bad <= answer_fault;
    end

    reg fault;

    always @(posedge clk) begin
        if (begins)
            fault <= 1'b0;
        else if ((comes || stored || told) && answer_fault)
            fault <= 1'b1;
    end

    // ------------------------------------------------------------------
    // Requests: those of the hybrid unit are held, own ones are made

    reg              held;
    reg              held_near;
    reg              held_store;
    reg [UNIT_W-1:0] held_unit;
    reg [WARP_W-1:0] held_warp;
    reg [REG_W-1:0]  held_reg;
    reg [LANE_W-1:0] held_id;
    reg [AT_W-1:0]   held_address;
    reg [WORDS-1:0]  held_strobe;
    reg [DATA_W-1:0] held_data;

    assign tx_ready = idle && !held;

    wire passes = tx_valid && tx_ready;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (passes)
            held <= 1'b1;
        else if (down_ready)
            held <= 1'b0;
    end

    always @(posedge clk) begin
        if (passes) begin
            held_near    <= tx_near;
            held_store   <= tx_store;
            held_unit    <= tx_unit;
            held_warp    <= tx_warp;
            held_reg     <= tx_reg;
            held_id      <= tx_id;
            held_address <= tx_address;
            held_strobe  <= tx_strobe;
            held_data    <= tx_data;
        end
    end

    wire              stores = state == STORE;
    wire              owns   = state == LOAD || stores;
    wire [AT_W-1:0]   place; // the sector's first word
    wire [DATA_W-1:0] kept;  // words that were changed

    assign place = {sector, {WORD_W{1'b0}}};

    generate
        for (i = 0; i < WORDS; i = i + 1) begin : kept_of
            assign kept[32*i +: 32] = data[32*i +: 32] & {32{changed[i]}};
        end
    endgenerate

    assign down_valid   = held || owns;
    assign down_near    = held && held_near;
    assign down_store   = held ? held_store : stores;
    assign down_unit    = held ? held_unit : owns ? place[UNIT_AT +: UNIT_W] : {UNIT_W{1'b0}};
    assign down_warp    = held ? held_warp : {WARP_W{1'b0}};
    assign down_reg     = held ? held_reg : {REG_W{1'b0}};
    assign down_id      = held ? held_id : {LANE_W{1'b0}};
    assign down_address = held ? held_address : owns ? place : {AT_W{1'b0}};
    assign down_strobe  = held ? held_strobe : stores ? changed : {WORDS{1'b0}};
    assign down_data    = held ? held_data : stores ? kept : {DATA_W{1'b0}};

    // While a sector is loaded and not stored, nobody else may store to it.
    assign hold_stores = op != 4'd0 && (owns || state == COME || state == EACH);

    // ------------------------------------------------------------------
    // Lanes' requests to other cores

    reg [LANE_W:0] owed; // answers

    always @(posedge clk) begin
        if (begins)
            owed <= NONE;
        else if (sends != told)
            owed <= sends ? owed + 1'b1 : owed - 1'b1;
    end

    wire [3:0]  away_bytes;
    wire [31:0] away_word;

    assign away_bytes = op == 4'd0 ? 4'd0 : op == 4'd1 ? bytes : 4'b1111;
    assign away_word  = op == 4'd0 ? 32'd0 : op == 4'd1 ? value : given;

    assign away_valid   = leaves && some;
    assign away_op      = away_valid ? op : 4'd0;
    assign away_id      = away_valid ? lane : {LANE_W{1'b0}};
    assign away_address = away_valid ? at[31:2 + WORD_W] : {WHOLE_W{1'b0}};
    assign away_compare = away_valid && op == 4'd11 ? other : 32'd0;

    generate
        for (i = 0; i < WORDS; i = i + 1) begin : away_of
            localparam [WORD_W-1:0] PLACE = i;

            assign away_strobe[4*i +: 4] = away_bytes & {4{away_valid && which == PLACE}};
            assign away_data[32*i +: 32] = away_word & {32{away_valid && which == PLACE}};
        end
    endgenerate

    // ------------------------------------------------------------------
    // Answers of others

    wire others = answer_valid && idle;

    always @(posedge clk) begin
        if (rst || !others) begin
            back_valid <= 1'b0;
            back_id    <= {LANE_W{1'b0}};
            back_fault <= 1'b0;
            back_data  <= {DATA_W{1'b0}};
        end else begin
            back_valid <= 1'b1;
            back_id    <= answer_id;
            back_fault <= answer_fault;
            back_data  <= answer_data;
        end
    end

    // ------------------------------------------------------------------
    // Rows

    wire own_taken;

    ${prefix}ndp_lsu_rmw_rows #(
        .LANES  (LANES),
        .WARP_W (WARP_W),
        .REG_W  (REG_W),
        .ROW_W  (ROW_W)
    ) joined (
        .clk        (clk),
        .rst        (rst),
        .init_valid (init_valid),
        .init_ready (init_ready),
        .init_warp  (init_warp),
        .init_reg   (init_reg),
        .init_mask  (init_mask),
        .init_row   (init_row),
        .own_wants  (state == ROW),
        .own_taken  (own_taken),
        .own_warp   (warp),
        .own_reg    (register),
        .own_mask   (mask),
        .own_row    (row),
        .row_valid  (row_valid),
        .row_ready  (row_ready),
        .row_warp   (row_warp),
        .row_reg    (row_reg),
        .row_mask   (row_mask),
        .row_row    (row_row)
    );

    // ------------------------------------------------------------------
    // States and ends

    wire over = state == PICK && !some; // and so none is abroad
    wire ends = (over && !rows) || own_taken;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else if (ends) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (begins) state <= PICK;
            PICK:    state <= goes ? AWAY : over ? ROW : LOAD;
            AWAY:    if (!some && owed == NONE) state <= PICK;
            LOAD:    if (down_ready) state <= COME;
            COME:    if (answer_valid) state <= EACH;
            EACH:    if (!some) state <= changed != {WORDS{1'b0}} ? STORE : PICK;
            STORE:   if (down_ready) state <= KEPT;
            KEPT:    if (answer_valid) state <= PICK;
            default: state <= state;
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            ended_valid <= 1'b0;
            ended_warp  <= {WARP_W{1'b0}};
            ended_near  <= 1'b0;
            ended_fault <= 1'b0;
        end else if (ends) begin
            ended_valid <= 1'b1;
            ended_warp  <= warp;
            ended_near  <= 1'b0;
            ended_fault <= fault;
        end else begin
            ended_valid <= done_valid;
            ended_warp  <= done_valid ? done_warp : {WARP_W{1'b0}};
            ended_near  <= done_valid && done_near;
            ended_fault <= done_valid && done_fault;
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lsu_rmw_formal.vh"
`endif
endmodule

`default_nettype wire
