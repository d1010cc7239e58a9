//% use "ndp_lowest.v"
//% use "ndp_queue.v"
//% use "ndp_lsu_remote_value.v"
//% use "ndp_lsu_remote_formal.vh"
${header{title = "LSU-Remote", text = [[
What the own core wants of other cores' memory goes to them, what others want of the
own banks goes there, beside what the own core does, and each answer to who waits.

    away, part -> register -> send          got -> queue -+
                                                          +-> register -> back
    tx  -> T -+                            answer -> slot +
              +-> register -> down                        +-> register -> rsp
    req -> R -+                                           |
           ^  +- load, change, store                      +-> the change
           +---- kept until it is done

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; answer, back, got and
rsp cannot be refused.  Fields are zero while valid is low.

Latency: two edges to down, one to send, back and rsp; two from got to back.

See docs/blocks/lsu_remote.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_remote (
${ports{reg = {"down_valid", "down_near", "down_store", "down_unit", "down_warp", "down_reg",
               "down_id", "down_address", "down_strobe", "down_data", "back_valid", "back_id",
               "back_fault", "back_data", "send_valid", "send_op", "send_id", "send_address",
               "send_strobe", "send_data", "send_compare", "rsp_valid", "rsp_id", "rsp_fault",
               "rsp_data"}}}
);
${localparams("LANES", "WARP_W", "REG_W", "UNIT_W", "LANE_W", "WORDS", "WORD_W", "UNIT_AT",
              "CORE_AT", "AT_W", "SECTOR", "SECTOR_W", "WHOLE_W", "DATA_W", "TAG_W", "KEEP_W",
              "PLACES", "OWED_W")}

    localparam [OWED_W-1:0] FULL = PLACES[OWED_W-1:0];

    localparam [1:0] OWN    = 2'd0, // who wants an answer: the own core
                     OTHER  = 2'd1, // another one
                     CHANGE = 2'd2; // the change

    localparam [2:0] IDLE  = 3'd0, // nothing is changed
                     LOAD  = 3'd1, // asks for the sector
                     COME  = 3'd2, // waits for it
                     STORE = 3'd3, // stores it
                     KEPT  = 3'd4; // waits until that is done

    genvar i;

    // ------------------------------------------------------------------
    // To other cores: one of both has something

    reg [OWED_W-1:0] owed; // requests whose answers have not been shown

    wire room = !send_valid && owed != FULL;

    assign part_ready = room;
    assign away_ready = room;

    wire               leaves = room && (part_valid || away_valid);
    wire [WHOLE_W-1:0] away_whole; // of the whole memory
    wire [SECTOR-1:0]  away_bytes;

    assign away_whole = {away_address[SECTOR_W-1:CORE_AT-WORD_W], away_core,
                         away_address[CORE_AT-WORD_W-1:0]};

    generate
        for (i = 0; i < SECTOR; i = i + 1) begin : byte_of
            assign away_bytes[i] = away_strobe[i/4];
        end
    endgenerate

    always @(posedge clk) begin
        if (rst || (send_valid && send_ready)) begin
            send_valid   <= 1'b0;
            send_op      <= 4'd0;
            send_id      <= {LANE_W{1'b0}};
            send_address <= {WHOLE_W{1'b0}};
            send_strobe  <= {SECTOR{1'b0}};
            send_data    <= {DATA_W{1'b0}};
            send_compare <= 32'd0;
        end else if (leaves) begin
            send_valid   <= 1'b1;
            send_op      <= part_valid ? part_op : {3'd0, away_store};
            send_id      <= part_valid ? part_id : away_id;
            send_address <= part_valid ? part_address : away_whole;
            send_strobe  <= part_valid ? part_strobe : away_bytes;
            send_data    <= part_valid ? part_data : away_data;
            send_compare <= part_valid ? part_compare : 32'd0;
        end
    end

    // ------------------------------------------------------------------
    // Slots: who waits for a transaction's answer, and by what id

    reg  [LANES-1:0]            used;
    reg  [(KEEP_W+2)*LANES-1:0] slots;
    wire [LANES-1:0]            first; // the lowest that is free
    wire [LANE_W-1:0]           slot;
    wire                        takes; // one on this edge
    wire [1:0]                  who;
    wire [KEEP_W-1:0]           by;

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest (
        .set   (~used),
        .first (first),
        .index (slot)
    );

    wire some = first != {LANES{1'b0}};

    generate
        for (i = 0; i < LANES; i = i + 1) begin : slot_of
            localparam [LANE_W-1:0] SLOT = i;

            always @(posedge clk) begin
                if (rst)
                    used[i] <= 1'b0;
                else if (takes && first[i])
                    used[i] <= 1'b1;
                else if (answer_valid && answer_id == SLOT)
                    used[i] <= 1'b0;
            end

            always @(posedge clk) begin
                if (takes && first[i])
                    slots[(KEEP_W+2)*i +: KEEP_W + 2] <= {who, by};
            end
        end
    endgenerate

    wire [1:0]        answer_who;
    wire [KEEP_W-1:0] answer_by;

    assign {answer_who, answer_by} = slots[(KEEP_W+2)*answer_id +: KEEP_W + 2];

    wire to_own    = answer_valid && answer_who == OWN;
    wire to_other  = answer_valid && answer_who == OTHER;
    wire to_change = answer_valid && answer_who == CHANGE;

    // ------------------------------------------------------------------
    // What came: of the own core, and of others

    reg              t_full;
    reg              t_held; // who gave it holds a sector
    reg              t_near;
    reg              t_store;
    reg [UNIT_W-1:0] t_unit;
    reg [WARP_W-1:0] t_warp;
    reg [REG_W-1:0]  t_reg;
    reg [LANE_W-1:0] t_id;
    reg [AT_W-1:0]   t_address;
    reg [WORDS-1:0]  t_strobe;
    reg [DATA_W-1:0] t_data;
    wire             t_goes; // goes down on this edge

    assign tx_ready = !t_full;

    always @(posedge clk) begin
        if (rst)
            t_full <= 1'b0;
        else if (!t_full)
            t_full <= tx_valid;
        else if (t_goes)
            t_full <= 1'b0;
    end

    always @(posedge clk) begin
        if (!t_full) begin
            t_held    <= hold_stores;
            t_near    <= tx_near;
            t_store   <= tx_store;
            t_unit    <= tx_unit;
            t_warp    <= tx_warp;
            t_reg     <= tx_reg;
            t_id      <= tx_id;
            t_address <= tx_address;
            t_strobe  <= tx_strobe;
            t_data    <= tx_data;
        end
    end

    reg                r_full;
    reg [3:0]          r_op;
    reg [TAG_W-1:0]    r_id;
    reg [SECTOR_W-1:0] r_sector;
    reg [SECTOR-1:0]   r_strobe;
    reg [DATA_W-1:0]   r_data;
    reg [31:0]         r_compare;
    wire               r_leaves; // nothing is to be done for it any more

    assign req_ready = !r_full;

    always @(posedge clk) begin
        if (rst)
            r_full <= 1'b0;
        else if (!r_full)
            r_full <= req_valid;
        else if (r_leaves)
            r_full <= 1'b0;
    end

    always @(posedge clk) begin
        if (!r_full) begin
            r_op      <= req_op;
            r_id      <= req_id;
            r_sector  <= req_address[SECTOR_W-1:0];
            r_strobe  <= req_strobe;
            r_data    <= req_data;
            r_compare <= req_compare;
        end
    end

    wire [WORDS-1:0] r_some;
    wire [WORDS-1:0] r_all;

    generate
        for (i = 0; i < WORDS; i = i + 1) begin : strobe_of
            assign r_some[i] = r_strobe[4*i +: 4] != 4'd0;
            assign r_all[i]  = r_strobe[4*i +: 4] == 4'd15;
        end
    endgenerate

    wire r_loads  = r_op == 4'd0;
    wire r_direct = r_loads || (r_op == 4'd1 && r_some == r_all);

    // ------------------------------------------------------------------
    // Who goes down

    reg [2:0] state; // of the change
    reg       other; // the turn is other cores'

    wire free   = !down_valid;
    wire busy   = state == LOAD || state == COME || state == STORE;
    wire held   = hold_stores || (t_full && t_held);
    wire t_able = t_full && free && !busy && (t_near || some);
    wire r_able = r_full && free && state == IDLE && (some || !r_direct) && (r_loads || !held);
    wire r_goes = r_able && !(t_able && !other);

    assign t_goes = t_able && !(r_able && other);

    always @(posedge clk) begin
        if (rst)
            other <= 1'b0;
        else if (t_goes || r_goes)
            other <= t_goes;
    end

    wire passes  = r_goes && r_direct;
    wire begins  = r_goes && !r_direct;
    wire loads   = state == LOAD && free && some;
    wire stores  = state == STORE && free && some;
    wire changes = loads || stores;
    wire writes  = stores || (passes && !r_loads);

    assign takes = (t_goes && !t_near) || passes || changes;
    assign who   = t_goes ? OWN : passes ? OTHER : CHANGE;

    generate
        if (KEEP_W > LANE_W) begin : long
            assign by = t_goes ? {{KEEP_W-LANE_W{1'b0}}, t_id} : r_id;
        end else if (KEEP_W > TAG_W) begin : short
            assign by = t_goes ? t_id : {{KEEP_W-TAG_W{1'b0}}, r_id};
        end else begin : even
            assign by = t_goes ? t_id : r_id;
        end
    endgenerate

    wire [AT_W-1:0]   place; // first word of the sector of other cores' request
    wire [WORDS-1:0]  touched;
    wire [DATA_W-1:0] value;
    wire [DATA_W-1:0] was;

    assign place = {r_sector, {WORD_W{1'b0}}};

    always @(posedge clk) begin
        if (rst || (down_valid && down_ready)) begin
            down_valid   <= 1'b0;
            down_near    <= 1'b0;
            down_store   <= 1'b0;
            down_unit    <= {UNIT_W{1'b0}};
            down_warp    <= {WARP_W{1'b0}};
            down_reg     <= {REG_W{1'b0}};
            down_id      <= {LANE_W{1'b0}};
            down_address <= {AT_W{1'b0}};
            down_strobe  <= {WORDS{1'b0}};
            down_data    <= {DATA_W{1'b0}};
        end else if (t_goes) begin
            down_valid   <= 1'b1;
            down_near    <= t_near;
            down_store   <= t_store;
            down_unit    <= t_unit;
            down_warp    <= t_warp;
            down_reg     <= t_reg;
            down_id      <= t_near ? {LANE_W{1'b0}} : slot;
            down_address <= t_address;
            down_strobe  <= t_strobe;
            down_data    <= t_data;
        end else if (passes || changes) begin
            down_valid   <= 1'b1;
            down_store   <= writes;
            down_unit    <= place[UNIT_AT +: UNIT_W];
            down_id      <= slot;
            down_address <= place;
            down_strobe  <= writes ? touched : {WORDS{1'b0}};
            down_data    <= stores ? value : writes ? r_data : {DATA_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // The change

    reg [DATA_W-1:0] words; // of the sector, as they were

    wire comes  = state == COME && to_change;
    wire ends   = (comes && answer_fault) || (state == KEPT && to_change);
    wire brings = ends && !answer_fault && r_op != 4'd1; // an atomic's old word

    assign r_leaves = passes || ends;

    always @(posedge clk) begin
        if (comes)
            words <= answer_data;
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (begins) state <= LOAD;
            LOAD:    if (loads) state <= COME;
            COME:    if (to_change) state <= answer_fault ? IDLE : STORE;
            STORE:   if (stores) state <= KEPT;
            default: if (to_change) state <= IDLE;
            endcase
        end
    end

    ${prefix}ndp_lsu_remote_value #(
        .WORDS (WORDS)
    ) change (
        .op      (r_op),
        .strobe  (r_strobe),
        .data    (r_data),
        .compare (r_compare),
        .words   (words),
        .touched (touched),
        .value   (value),
        .was     (was)
    );

    // ------------------------------------------------------------------
    // Answers for the own core

    wire                   come_there;
    wire [LANE_W+DATA_W:0] come;
    wire                   come_room; // always
    wire                   come_goes;

    ${prefix}ndp_queue #(
        .WIDTH (LANE_W + 1 + DATA_W),
        .DEPTH (PLACES)
    ) queue (
        .clk       (clk),
        .rst       (rst),
        .push      (got_valid),
        .in_word   ({got_data, got_fault, got_id}),
        .can_push  (come_room),
        .pop       (come_goes),
        .out_valid (come_there),
        .out_word  (come)
    );

    assign come_goes = come_there && !to_own;

    always @(posedge clk) begin
        if (rst)
            owed <= {OWED_W{1'b0}};
        else if (leaves != come_goes)
            owed <= leaves ? owed + 1'b1 : owed - 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            back_valid <= 1'b0;
            {back_data, back_fault, back_id} <= {LANE_W+DATA_W+1{1'b0}};
        end else if (to_own) begin
            back_valid <= 1'b1;
            {back_data, back_fault, back_id} <= {answer_data, answer_fault, answer_by[LANE_W-1:0]};
        end else begin
            back_valid <= come_there;
            {back_data, back_fault, back_id} <= come_there ? come : {LANE_W+DATA_W+1{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Answers for others

    always @(posedge clk) begin
        if (rst) begin
            rsp_valid <= 1'b0;
            rsp_id    <= {TAG_W{1'b0}};
            rsp_fault <= 1'b0;
            rsp_data  <= {DATA_W{1'b0}};
        end else begin
            rsp_valid <= to_other || ends;
            rsp_id    <= to_other ? answer_by[TAG_W-1:0] : ends ? r_id : {TAG_W{1'b0}};
            rsp_fault <= (to_other || ends) && answer_fault;
            rsp_data  <= to_other ? answer_data : brings ? was : {DATA_W{1'b0}};
        end
    end

    wire unused = &{1'b0, come_room, req_address[WHOLE_W-1:SECTOR_W]};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lsu_remote_formal.vh"
`endif
endmodule

`default_nettype wire
