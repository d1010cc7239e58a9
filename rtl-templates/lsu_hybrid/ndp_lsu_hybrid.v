//% use "ndp_lowest.v"
//% use "ndp_lsu_hybrid_check.v"
//% use "ndp_lsu_hybrid_formal.vh"
//% local UP = L.CORE_AT + L.CORE_W -- lowest bit of a word above those of the core
${header{title = "hybrid load-store unit", text = [[
An access of a warp to global memory crosses to the near-bank units as one message if
mask, coalescing and unit allow it; else it becomes transactions of sectors, down to
the own banks and away to other cores, and what they load is gathered into a row.

    access -> kept -> check -+- near ---------------> request -> down
                             +- split, a sector an edge -> request -> down or away
    fetched -> row of a store
    answer -> row of a load -> write

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; fetched, answer and
done cannot be refused.  Fields are zero while valid is low.

Latency: of an access taken on edge t the message is there after edge t+1, the first
transaction after t+2.  One access at a time.

See docs/blocks/lsu_hybrid.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_hybrid (
${ports{reg = {"done_valid", "done_warp", "done_near", "done_fault"}}}
);
${localparams("LANES", "WARP_W", "REG_W", "UNIT_W", "CORE_W", "LANE_W", "WORDS", "WORD_W",
              "UNIT_AT", "CORE_AT", "AT_W", "SECTOR_W", "DATA_W", "ROW_W")}

    localparam OPEN_W = LANE_W + 1; // bits of a number of transactions

    localparam [2:0] IDLE  = 3'd0, // takes an access
                     CHECK = 3'd1, // decides
                     SEND  = 3'd2, // a message is at down
                     FETCH = 3'd3, // asks for the row of a store
                     COME  = 3'd4, // waits for it
                     SPLIT = 3'd5, // makes transactions
                     WAIT  = 3'd6, // for answers
                     WRITE = 3'd7; // the row is at write

    reg [2:0] state;

    // ------------------------------------------------------------------
    // The access

    reg                store;
    reg [WARP_W-1:0]   warp;
    reg [REG_W-1:0]    register;
    reg [LANES-1:0]    mask;
    reg [30*LANES-1:0] address;

    assign access_ready = state == IDLE;

    always @(posedge clk) begin
        if (access_valid && access_ready) begin
            store    <= access_store;
            warp     <= access_warp;
            register <= access_reg;
            mask     <= access_mask;
            address  <= access_address;
        end
    end

    // ------------------------------------------------------------------
    // The decision

    wire [UNIT_W-1:0] unit; // that holds the warp's registers
    wire [LANES-1:0]  here; // lanes whose word is the own core's
    wire              near;
    wire              none = mask == {LANES{1'b0}};

//% if L.UNIT_W > L.WARP_W then
    assign unit = {${L.UNIT_W - L.WARP_W}'d0, warp};
//% else
    assign unit = warp[UNIT_W-1:0];
//% end

    ${prefix}ndp_lsu_hybrid_check #(
        .LANES   (LANES),
        .UNIT_AT (UNIT_AT),
        .UNIT_W  (UNIT_W),
        .CORE_AT (CORE_AT),
        .CORE_W  (CORE_W)
    ) check (
        .core    (at_core),
        .unit    (unit),
        .mask    (mask),
        .address (address),
        .here    (here),
        .near    (near)
    );

    // ------------------------------------------------------------------
    // The next transaction: the lowest lane that is left, and all of its sector

    reg  [LANES-1:0]    left;
    wire [LANES-1:0]    first;
    wire [LANE_W-1:0]   lead;
    reg  [29:0]         lead_word;
    wire [LANES-1:0]    group;
    reg  [WORDS-1:0]    strobe;
    reg  [DATA_W-1:0]   data;
    reg  [ROW_W-1:0]    row;
    wire                is_away = (first & ~here) != {LANES{1'b0}};

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest (
        .set   (left),
        .first (first),
        .index (lead)
    );

    integer l;

    always @* begin
        lead_word = 30'd0;
        for (l = 0; l < LANES; l = l + 1)
            lead_word = lead_word | (address[30*l +: 30] & {30{first[l]}});
    end

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : member
            assign group[i] = left[i] &&
                              address[30*i + WORD_W +: 30 - WORD_W] == lead_word[29:WORD_W];
        end
    endgenerate

    // the highest lane has a word
    always @* begin
        strobe = {WORDS{1'b0}};
        data   = {DATA_W{1'b0}};
        for (l = 0; l < LANES; l = l + 1) begin
            if (store && group[l]) begin
                strobe[address[30*l +: WORD_W]]        = 1'b1;
                data[32*address[30*l +: WORD_W] +: 32] = row[32*l +: 32];
            end
        end
    end

    // ------------------------------------------------------------------
    // The request

    reg              asks;
    reg              ask_away;
    reg              ask_near;
    reg [LANE_W-1:0] ask_id;
    reg [29:0]       ask_word; // a sector's first, or that of lane 0
    reg [WORDS-1:0]  ask_strobe;
    reg [DATA_W-1:0] ask_data;

    wire taken = (down_valid && down_ready) || (away_valid && away_ready);
    wire moves = state == SPLIT && (!asks || taken);
    wire makes = moves && left != {LANES{1'b0}};
    wire sends = state == CHECK && near;

    always @(posedge clk) begin
        if (rst)
            asks <= 1'b0;
        else if (sends || makes)
            asks <= 1'b1;
        else if (taken)
            asks <= 1'b0;
    end

    always @(posedge clk) begin
        if (sends) begin
            ask_away   <= 1'b0;
            ask_near   <= 1'b1;
            ask_id     <= {LANE_W{1'b0}};
            ask_word   <= address[29:0];
            ask_strobe <= {WORDS{1'b0}};
            ask_data   <= {DATA_W{1'b0}};
        end else if (makes) begin
            ask_away   <= is_away;
            ask_near   <= 1'b0;
            ask_id     <= lead;
            ask_word   <= {lead_word[29:WORD_W], {WORD_W{1'b0}}};
            ask_strobe <= strobe;
            ask_data   <= data;
        end
    end

    wire [AT_W-1:0] place; // at its core

    assign place = {ask_word[29:${UP}], ask_word[CORE_AT-1:0]};

    wire downs    = asks && !ask_away;
    wire messages = asks && ask_near;
    wire aways    = asks && ask_away;

    assign down_valid   = downs;
    assign down_near    = messages;
    assign down_store   = downs && store;
    assign down_unit    = downs ? ask_word[UNIT_AT +: UNIT_W] : {UNIT_W{1'b0}};
    assign down_warp    = messages ? warp : {WARP_W{1'b0}};
    assign down_reg     = messages ? register : {REG_W{1'b0}};
    assign down_id      = downs ? ask_id : {LANE_W{1'b0}};
    assign down_address = downs ? place : {AT_W{1'b0}};
    assign down_strobe  = downs ? ask_strobe : {WORDS{1'b0}};
    assign down_data    = downs ? ask_data : {DATA_W{1'b0}};

    assign away_valid   = aways;
    assign away_core    = aways ? ask_word[CORE_AT +: CORE_W] : {CORE_W{1'b0}};
    assign away_store   = aways && store;
    assign away_id      = aways ? ask_id : {LANE_W{1'b0}};
    assign away_address = aways ? place[AT_W-1:WORD_W] : {SECTOR_W{1'b0}};
    assign away_strobe  = aways ? ask_strobe : {WORDS{1'b0}};
    assign away_data    = aways ? ask_data : {DATA_W{1'b0}};

    // ------------------------------------------------------------------
    // Lanes that are left, and which transaction serves the others

    reg [LANE_W*LANES-1:0] served; // its lead, by lane
    reg [OPEN_W-1:0]       open;   // transactions without an answer
    reg                    fault;

    always @(posedge clk) begin
        if (state == CHECK)
            left <= mask;
        else if (makes)
            left <= left & ~group;
    end

    always @(posedge clk) begin
        if (rst)
            open <= {OPEN_W{1'b0}};
        else
            open <= open + {${L.LANE_W}'d0, makes} - {${L.LANE_W}'d0, answer_valid};
    end

    always @(posedge clk) begin
        if (state == CHECK)
            fault <= 1'b0;
        else if (answer_valid && answer_fault)
            fault <= 1'b1;
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            wire come = answer_valid && mask[i] && !left[i] && !store &&
                        served[LANE_W*i +: LANE_W] == answer_id;

            always @(posedge clk) begin
                if (makes && group[i])
                    served[LANE_W*i +: LANE_W] <= lead;
            end

            always @(posedge clk) begin
                if (state == CHECK)
                    row[32*i +: 32] <= 32'd0;
                else if (state == COME && fetched_valid)
                    row[32*i +: 32] <= fetched_data[32*i +: 32];
                else if (come)
                    row[32*i +: 32] <= answer_data[32*address[30*i +: WORD_W] +: 32];
            end
        end
    endgenerate

    // ------------------------------------------------------------------
    // The row of a store comes, that of a load goes

    assign fetch_valid = state == FETCH;
    assign fetch_warp  = fetch_valid ? warp : {WARP_W{1'b0}};
    assign fetch_reg   = fetch_valid ? register : {REG_W{1'b0}};

    assign write_valid = state == WRITE;
    assign write_warp  = write_valid ? warp : {WARP_W{1'b0}};
    assign write_reg   = write_valid ? register : {REG_W{1'b0}};
    assign write_mask  = write_valid ? mask : {LANES{1'b0}};
    assign write_data  = write_valid ? row : {ROW_W{1'b0}};

    // ------------------------------------------------------------------
    // States

    wire answered = state == WAIT && open == {OPEN_W{1'b0}};
    wire ends     = (state == CHECK && none) || (state == SEND && taken) ||
                    (answered && store) || (write_valid && write_ready);

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else if (ends) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (access_valid) state <= CHECK;
            CHECK:   state <= near ? SEND : store ? FETCH : SPLIT;
            FETCH:   if (fetch_ready) state <= COME;
            COME:    if (fetched_valid) state <= SPLIT;
            SPLIT:   if (moves && !makes) state <= WAIT;
            WAIT:    if (answered) state <= WRITE;
            default: state <= state;
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst || !ends) begin
            done_valid <= 1'b0;
            done_warp  <= {WARP_W{1'b0}};
            done_near  <= 1'b0;
            done_fault <= 1'b0;
        end else begin
            done_valid <= 1'b1;
            done_warp  <= warp;
            done_near  <= state == SEND;
            done_fault <= state != CHECK && state != SEND && fault;
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lsu_hybrid_formal.vh"
`endif
endmodule

`default_nettype wire
