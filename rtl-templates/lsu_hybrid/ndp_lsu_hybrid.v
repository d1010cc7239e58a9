//% use "ndp_lowest.v"
//% use "ndp_lsu_hybrid_check.v"
//% use "ndp_sector_group.v"
//% use "ndp_waiting_access.v"
//% if P["lsu_hybrid.messages"] == 0 then use "ndp_lsu_hybrid_stride.v" end
//% use "ndp_round_robin.v"
//% use "ndp_lsu_hybrid_formal.vh"
//% local UP = L.CORE_AT + L.CORE_W -- lowest bit of a word above those of the core
//% local STRIDED, NEAR = P["lsu_hybrid.messages"] == 0, P["lsu_hybrid.messages"] < 2
${header{title = "hybrid load-store unit", text = [[
An access of a warp to global memory crosses to the near-bank units as one message if
mask, coalescing and unit allow it, and a load of words a step apart as a strided one;
else it becomes transactions of sectors, down to the own banks and away to other cores,
and what they load is gathered into a row.

    access -> kept -> check -+- near ---------------> request -> down
                             +- stride -------------> strided
                             +- split, a sector an edge -> request -> down or away
    fetched -> row of a store        |
    answer ----------------------> places -> row of a load -> write

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; fetched, answer and
done cannot be refused.  Fields are zero while valid is low.

Latency: of an access taken on edge t the message is there after edge t+1, a strided one
after t+2, the first transaction of a load after t+3.  One access at a time is checked and split; ACCESSES of them
wait for answers.

See docs/blocks/lsu_hybrid.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_hybrid (
${ports{reg = {"done_valid", "done_warp", "done_near", "done_fault"}}}
);
${localparams("LANES", "WARP_W", "REG_W", "UNIT_W", "CORE_W", "ACCESSES", "PLACE_W", "LANE_W", "WORDS",
              "WORD_W", "UNIT_AT", "CORE_AT", "AT_W", "STEP_W", "SECTOR_W", "DATA_W", "ROW_W")}

    localparam [2:0] IDLE   = 3'd0, // takes an access
                     CHECK  = 3'd1, // decides
                     SEND   = 3'd2, // a message is at down
                     FETCH  = 3'd3, // asks for the row of a store
                     COME   = 3'd4, // waits for it
//% if STRIDED then
                     SPLIT  = 3'd5, // makes transactions
                     WEIGH  = 3'd6, // decides whether a load is strided
                     STRIDE = 3'd7; // a strided message is at strided
//% else
                     SPLIT  = 3'd5; // makes transactions
//% end

    reg [2:0] state; // of the front

    // ------------------------------------------------------------------
    // The access in front

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
//% if NEAR then
    wire              near;
//% else
    wire              fits_all; // it could go as a message, if there were any
    wire              near = 1'b0;
//% end
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
        .near    (${NEAR and "near" or "fits_all"})
    );

    // ------------------------------------------------------------------
    // The next transaction: the lowest lane that is left, and all of its sector

    reg  [LANES-1:0]    left;
    wire [LANES-1:0]    first;
    wire [LANE_W-1:0]   lead;
    wire [29:0]         lead_word;
    wire [LANES-1:0]    group;
    reg  [WORDS-1:0]    strobe;
    reg  [DATA_W-1:0]   data;
    reg  [ROW_W-1:0]    row;
    wire                is_away = (first & ~here) != {LANES{1'b0}};

    ${prefix}ndp_sector_group #(
        .LANES  (LANES),
        .LANE_W (LANE_W),
        .ADDR_W (30),
        .WORD_W (WORD_W)
    ) next (
        .pending (left),
        .words   (address),
        .first   (first),
        .lead    (lead),
        .word    (lead_word),
        .group   (group)
    );

    integer l;
    genvar i;

//% if STRIDED then
    // ------------------------------------------------------------------
    // A strided message, while all active lanes are left

    wire [AT_W*LANES-1:0] at_core_words;
    wire [AT_W-1:0]       lead_at;
    wire [STEP_W-1:0]     step;
    wire                  fits;
    reg  [STEP_W-1:0]     s_step;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : own
            assign at_core_words[AT_W*i +: AT_W] =
                {address[30*i + ${UP} +: ${30 - UP}], address[30*i +: CORE_AT]};
        end
    endgenerate

    assign lead_at = {lead_word[29:${UP}], lead_word[CORE_AT-1:0]};

    ${prefix}ndp_lsu_hybrid_stride #(
        .LANES  (LANES),
        .AT_W   (AT_W),
        .STEP_W (STEP_W)
    ) stride (
        .mask  (mask),
        .here  (here),
        .words (at_core_words),
        .first (first),
        .lead  (lead_at),
        .step  (step),
        .fits  (fits)
    );

    always @(posedge clk) begin
        if (state == WEIGH)
            s_step <= step;
    end

    assign strided_valid   = state == STRIDE;
    assign strided_warp    = strided_valid ? warp : {WARP_W{1'b0}};
    assign strided_reg     = strided_valid ? register : {REG_W{1'b0}};
    assign strided_mask    = strided_valid ? mask : {LANES{1'b0}};
    assign strided_step    = strided_valid ? s_step : {STEP_W{1'b0}};
    assign strided_address = strided_valid ? lead_at : {AT_W{1'b0}};

//% else
    assign strided_valid   = 1'b0;
    assign strided_warp    = {WARP_W{1'b0}};
    assign strided_reg     = {REG_W{1'b0}};
    assign strided_mask    = {LANES{1'b0}};
    assign strided_step    = {STEP_W{1'b0}};
    assign strided_address = {AT_W{1'b0}};

//% end
    // ------------------------------------------------------------------
    // What a store writes: the highest lane has a word

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

    reg  [LANES-1:0]    busy; // ids of transactions without an answer
    wire [LANES-1:0]    id_first;
    wire [LANE_W-1:0]   id;   // the lowest that is free
    wire [ACCESSES-1:0] used; // places
    wire [ACCESSES-1:0] place_first;
    wire [PLACE_W-1:0]  place_lowest;

    wire taken  = (down_valid && down_ready) || (away_valid && away_ready);
    wire moves  = state == SPLIT && (!asks || taken);
    wire makes  = moves && left != {LANES{1'b0}} && busy != {LANES{1'b1}};
    wire cuts   = moves && left == {LANES{1'b0}};
    wire sends  = state == CHECK && near;
    wire splits = ${STRIDED and "(state == CHECK && !near && !none && store) || (state == WEIGH && !fits)" or "state == CHECK && !near && !none"};
    wire claims = splits && used != {ACCESSES{1'b1}};

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) free_id (
        .set   (~busy),
        .first (id_first),
        .index (id)
    );

    ${prefix}ndp_lowest #(
        .N       (ACCESSES),
        .INDEX_W (PLACE_W)
    ) free_place (
        .set   (~used),
        .first (place_first),
        .index (place_lowest)
    );

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
            ask_id     <= id;
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
    // Lanes that are left, ids

    always @(posedge clk) begin
        if (state == CHECK)
            left <= mask;
        else if (makes)
            left <= left & ~group;
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : number
            always @(posedge clk) begin
                if (rst)
                    busy[i] <= 1'b0;
                else if (makes && id_first[i])
                    busy[i] <= 1'b1;
                else if (answer_valid && answer_id == i)
                    busy[i] <= 1'b0;
            end
        end
    endgenerate

    // ------------------------------------------------------------------
    // Accesses that wait for answers

    reg  [ACCESSES-1:0]        front; // that of the access in front
    wire [WORD_W*LANES-1:0]    at;    // words within their sectors
    wire [ACCESSES-1:0]        full;
    wire [ACCESSES-1:0]        over;
    wire [ACCESSES-1:0]        ending;
    wire [WARP_W*ACCESSES-1:0] warps;
    wire [REG_W*ACCESSES-1:0]  registers;
    wire [LANES*ACCESSES-1:0]  masks;
    wire [ROW_W*ACCESSES-1:0]  rows;
    wire [ACCESSES-1:0]        faults;
    reg                        writes; // a row is at write
    reg  [PLACE_W-1:0]         w_at;   // of this place

    always @(posedge clk) begin
        if (claims)
            front <= place_first;
    end

    genvar p;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : in_sector
            assign at[WORD_W*i +: WORD_W] = address[30*i +: WORD_W];
        end
        for (p = 0; p < ACCESSES; p = p + 1) begin : access
            ${prefix}ndp_waiting_access #(
                .LANES  (LANES),
                .LANE_W (LANE_W),
                .WARP_W (WARP_W),
                .REG_W  (REG_W),
                .WORD_W (WORD_W)
            ) waiting (
                .clk          (clk),
                .rst          (rst),
                .claim        (claims && place_first[p]),
                .claim_store  (store),
                .claim_warp   (warp),
                .claim_reg    (register),
                .claim_mask   (mask),
                .claim_at     (at),
                .made         (group & {LANES{makes && front[p]}}),
                .made_id      (id),
                .cut          (cuts && front[p]),
                .answer_valid (answer_valid),
                .answer_id    (answer_id),
                .answer_fault (answer_fault),
                .answer_data  (answer_data),
                .wrote        (write_valid && write_ready && w_at == p),
                .ends         (ending[p]),
                .used         (used[p]),
                .full         (full[p]),
                .over         (over[p]),
                .warp         (warps[WARP_W*p +: WARP_W]),
                .target       (registers[REG_W*p +: REG_W]),
                .mask         (masks[LANES*p +: LANES]),
                .row          (rows[ROW_W*p +: ROW_W]),
                .fault        (faults[p])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // The row of a store comes, that of a load goes

    assign fetch_valid = state == FETCH;
    assign fetch_warp  = fetch_valid ? warp : {WARP_W{1'b0}};
    assign fetch_reg   = fetch_valid ? register : {REG_W{1'b0}};

    always @(posedge clk) begin
        if (state == COME && fetched_valid)
            row <= fetched_data;
    end

    wire                w_take = !writes && full != {ACCESSES{1'b0}};
    wire [ACCESSES-1:0] w_chosen;
    wire [PLACE_W-1:0]  w_next;

    ${prefix}ndp_round_robin #(
        .N       (ACCESSES),
        .INDEX_W (PLACE_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (full),
        .take    (w_take),
        .chosen  (w_chosen),
        .index   (w_next)
    );

    always @(posedge clk) begin
        if (rst)
            writes <= 1'b0;
        else
            writes <= w_take || (writes && !write_ready);
    end

    always @(posedge clk) begin
        if (w_take)
            w_at <= w_next;
    end

    assign write_valid = writes;
    assign write_warp  = writes ? warps[w_at*WARP_W +: WARP_W] : {WARP_W{1'b0}};
    assign write_reg   = writes ? registers[w_at*REG_W +: REG_W] : {REG_W{1'b0}};
    assign write_mask  = writes ? masks[w_at*LANES +: LANES] : {LANES{1'b0}};
    assign write_data  = writes ? rows[w_at*ROW_W +: ROW_W] : {ROW_W{1'b0}};

    // ------------------------------------------------------------------
    // States of the front, and who ends: it, or the lowest place that can

    wire                sent = ${STRIDED and "(state == SEND && taken) || (state == STRIDE && strided_ready)" or "state == SEND && taken"};
    wire                ends = (state == CHECK && none) || sent;
    wire [ACCESSES-1:0] over_first;
    wire [PLACE_W-1:0]  over_at;

    ${prefix}ndp_lowest #(
        .N       (ACCESSES),
        .INDEX_W (PLACE_W)
    ) end_of (
        .set   (over),
        .first (over_first),
        .index (over_at)
    );

    assign ending = over_first & {ACCESSES{!ends}};

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else if (ends || cuts) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (access_valid) state <= CHECK;
//% if STRIDED then
            CHECK:   if (near) state <= SEND; else if (!store) state <= WEIGH; else if (claims) state <= FETCH;
            WEIGH:   if (fits) state <= STRIDE; else if (claims) state <= SPLIT;
//% else
            CHECK:   if (near) state <= SEND; else if (claims) state <= store ? FETCH : SPLIT;
//% end
            FETCH:   if (fetch_ready) state <= COME;
            COME:    if (fetched_valid) state <= SPLIT;
            default: state <= state;
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst || !(ends || over != {ACCESSES{1'b0}})) begin
            done_valid <= 1'b0;
            done_warp  <= {WARP_W{1'b0}};
            done_near  <= 1'b0;
            done_fault <= 1'b0;
        end else begin
            done_valid <= 1'b1;
            done_warp  <= ends ? warp : warps[over_at*WARP_W +: WARP_W];
            done_near  <= sent;
            done_fault <= !ends && faults[over_at];
        end
    end

    wire unused = &{1'b0, lead, place_lowest, w_chosen${(STRIDED and "" or ", lead_word[WORD_W-1:0]") .. (STRIDED and "" or ", strided_ready") .. (NEAR and "" or ", fits_all")}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lsu_hybrid_formal.vh"
`endif
endmodule

`default_nettype wire
