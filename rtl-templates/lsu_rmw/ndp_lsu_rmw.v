//% use "ndp_lowest.v"
//% use "ndp_lsu_rmw_gate.v"
//% use "ndp_lsu_rmw_rows.v"
//% use "ndp_lsu_rmw_word.v"
//% use "ndp_lsu_rmw_formal.vh"
//% local UP = L.CORE_AT + L.CORE_W -- lowest bit of a word above those of the core
${header{title = "read-modify-write unit of the base die", text = [[
Loads and stores of bytes and half words, and atomics, of the lanes of a warp: sector
by sector is loaded, changed a lane an edge, and stored, while nothing of the hybrid
unit goes down; and what that unit says and hears passes.

    ask -> kept -> pick -> load -> come -> lanes -+-> store -> kept -+-> row -> ended
                    ^ ^                           |                  |
                    | +---------------------------+                  |
                    +------------------------------------------------+
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
              "UNIT_AT", "CORE_AT", "AT_W", "SECTOR_W", "DATA_W", "ROW_W")}

    localparam [2:0] IDLE  = 3'd0, // nothing is under way
                     PICK  = 3'd1, // chooses a sector
                     LOAD  = 3'd2, // asks for it
                     COME  = 3'd3, // waits for it
                     EACH  = 3'd4, // carries out a lane
                     STORE = 3'd5, // stores what was changed
                     KEPT  = 3'd6, // waits until that is done
                     ROW   = 3'd7; // the row goes

    reg [2:0] state;

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
    reg  [SECTOR_W-1:0]   sector; // at its core, the own one
    wire [29-WORD_W:0]    whole;  // of the whole memory
    reg  [DATA_W-1:0]     data;   // its words
    reg  [WORDS-1:0]      changed;
    reg                   bad;    // it is not there
    wire [LANES-1:0]      group;  // lanes that are left and have the sector
    wire [LANES-1:0]      from;
    wire [LANES-1:0]      first;
    wire [LANE_W-1:0]     lane;
    wire [31:0]           at;     // its address, operand, and what it compares with
    wire [31:0]           given;
    wire [31:0]           other;
    wire [WORD_W-1:0]     which;  // word of the sector
    wire [31:0]           old;
    wire [31:0]           result;
    wire                  changes;
    wire [31:0]           value;

    assign whole = {sector[SECTOR_W-1:CORE_AT-WORD_W], at_core, sector[CORE_AT-WORD_W-1:0]};

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : member
            assign group[i] = left[i] &&
                              address[32*i + 2 + WORD_W +: 30 - WORD_W] == whole;
        end
    endgenerate

    assign from = state == EACH ? group : left;

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
    assign old   = data[32*which +: 32];

    ${prefix}ndp_lsu_rmw_word word (
        .op      (op),
        .size    (size),
        .widens  (widens),
        .place   (at[1:0]),
        .old     (old),
        .data    (given),
        .compare (other),
        .result  (result),
        .changes (changes),
        .value   (value)
    );

    wire some   = from != {LANES{1'b0}};
    wire remote = at[2 + CORE_AT +: CORE_W] != at_core;
    wire skips  = state == PICK && some && remote;
    wire picks  = state == PICK && some && !remote;
    wire acts   = state == EACH && some;
    wire comes  = state == COME && answer_valid;
    wire stored = state == KEPT && answer_valid;
    wire lost   = skips || bad; // the lane gets nothing

    always @(posedge clk) begin
        if (begins)
            left <= ask_mask;
        else if (skips || acts)
            left <= left & ~first;
    end

    always @(posedge clk) begin
        if (picks)
            sector <= {at[31:2 + ${UP}], at[1 + CORE_AT:2 + WORD_W]};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : result_of
            always @(posedge clk) begin
                if (begins)
                    row[32*i +: 32] <= ask_data[32*i +: 32] & {32{ask_mask[i]}};
                else if ((skips || acts) && first[i])
                    row[32*i +: 32] <= lost ? 32'd0 : result;
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
        else if (skips || ((comes || stored) && answer_fault))
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

    wire over = state == PICK && !some;
    wire ends = (over && !rows) || own_taken;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else if (ends) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (begins) state <= PICK;
            PICK:    state <= over ? ROW : picks ? LOAD : PICK;
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
