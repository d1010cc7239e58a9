//% use "ndp_regs.v"
//% use "ndp_lowest.v"
//% use "ndp_queue.v"
//% use "ndp_ram.v"
//% use "ndp_cache_sets.v"
//% use "ndp_cache_mshrs.v"
//% use "ndp_cache_formal.vh"
//% local tag = record.tag
//% local function filled(width, name)
//%     local more = L.NUMBER_W - width
//%     return more > 0 and "{" .. more .. "'d0, " .. name .. "}" or name
//% end
${header{title = "write-through data cache", text = [[
Between a core and its memory: loads are answered from lines that stand here, stores
and atomics go on to the memory.  A prefetcher may have lines fetched.

    mem   -> request --+                 +-> queue -> req
    pre   -> prefetch -+                 |
    inval -> register -+-> step -> tags -+
    back  -> queue ----+           MSHRs |
                                   lines +-> rsp, gone

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; answers and
invalidations cannot be refused.  Fields are zero while valid is low.

Latency: a load that hits and is taken on edge t is answered after t+1; a request that
is taken on t is at req after t+2; what arrives at back on t is at rsp after t+2.

See docs/blocks/cache.md.]]}}
`default_nettype none

module ${prefix}ndp_cache (
${ports{reg = {"rsp_valid", "rsp_id", "rsp_fault", "gone_valid", "gone_line"}}}
);
${localparams("LINE", "LINES", "SADDR_W", "DATA_W", "SET_W", "WAY_W", "MSHR_W", "PASSES", "PASSES_W", "ID_W",
              "MEM_ID_W", "REQUEST_W", "ANSWER_W", "ANSWERS")}

    localparam SLOT_W = SET_W + WAY_W; // bits of a line's slot
    localparam ASK_W  = REQUEST_W + MEM_ID_W; // bits of a request for the memory

    localparam [PASSES_W-1:0] FULL = PASSES[PASSES_W-1:0];

    // ------------------------------------------------------------------
    // What is at hand: a request, a prefetch, an invalidation, an answer

    reg               r_held;
    reg [3:0]         r_op;
    reg [ID_W-1:0]    r_id;
    reg [SADDR_W-1:0] r_line;
    reg [LINE-1:0]    r_strobe;
    reg [DATA_W-1:0]  r_data;
    reg [31:0]        r_compare;

    reg               p_held;
    reg [SADDR_W-1:0] p_line;

    reg               i_held;
    reg               i_all;
    reg [SADDR_W-1:0] i_line;

    reg  running; // on the edge before
    wire launch = core_state == 2'd1 && !running; // it begins

    wire serve; // the request is served on this edge
    wire end_p; // the prefetch is
    wire take_mem = mem_valid && mem_ready;
    wire take_pre = pre_valid && pre_ready;

    assign mem_ready = !r_held || serve;
    assign pre_ready = !p_held;

    always @(posedge clk) begin
        if (rst) begin
            r_held  <= 1'b0;
            p_held  <= 1'b0;
            i_held  <= 1'b0;
            running <= 1'b0;
        end else begin
            r_held  <= take_mem || (r_held && !serve);
            p_held  <= take_pre || (p_held && !end_p);
            i_held  <= inval_valid || launch;
            running <= core_state == 2'd1;
        end
    end

    always @(posedge clk) begin
        if (take_mem) begin
            r_op      <= mem_op;
            r_id      <= mem_id;
            r_line    <= mem_address;
            r_strobe  <= mem_strobe;
            r_data    <= mem_data;
            r_compare <= mem_compare;
        end
        if (take_pre)
            p_line <= pre_line;
        if (inval_valid || launch) begin
            i_all  <= inval_all || launch;
            i_line <= inval_line;
        end
    end

    wire                a_shown;
    wire [ANSWER_W-1:0] a_word;
    wire                a_gone;  // leaves on this edge
    wire                a_room;  // always: each request goes with a place

    ${prefix}ndp_queue #(
        .WIDTH (ANSWER_W),
        .DEPTH (ANSWERS)
    ) answers (
        .clk       (clk),
        .rst       (rst),
        .push      (back_valid),
        .in_word   ({back_data, back_fault, back_id}),
        .can_push  (a_room),
        .pop       (a_gone),
        .out_valid (a_shown),
        .out_word  (a_word)
    );

    wire [DATA_W-1:0]   a_data;
    wire                a_fault;
    wire [MEM_ID_W-1:0] a_id;

    assign {a_data, a_fault, a_id} = a_word;

    wire [MSHR_W-1:0] a_mshr = a_id[${tag.number.lsb + L.MSHR_W - 1}:${tag.number.lsb}];
    wire [ID_W-1:0]   a_core = a_id[${tag.number.lsb + L.ID_W - 1}:${tag.number.lsb}];
    wire              a_pass = a_id[${tag.pass.lsb}];

    // ------------------------------------------------------------------
    // The step, and the line that it is about

    wire do_inval  = i_held;
    wire do_answer = !i_held && a_shown;
    wire do_mem    = !i_held && !a_shown && r_held;
    wire do_pre    = !i_held && !a_shown && !r_held && p_held;

    wire do_line = do_answer && !a_pass; // a fetched line has arrived
    wire do_pass = do_answer && a_pass;

    wire [SADDR_W-1:0] its_line;
    wire [SADDR_W-1:0] line = i_held  ? i_line :
                              a_shown ? its_line :
                              r_held  ? r_line : p_line;

    wire              hit;
    wire              hit_fresh;
    wire              old_valid;
    wire              old_fresh;
    wire [SLOT_W-1:0] slot;
    wire              met;
    wire              met_dead;
    wire              met_full;
    wire              met_fresh;
    wire              none;
    wire              crowded;
    wire [MSHR_W-1:0] lowest;
    wire              its_dead;
    wire              its_pre;
    wire              its_fresh;
    wire              its_load;
    wire [ID_W-1:0]   its_id;
    wire              its_last;

    // what has come of a request
    reg [PASSES_W-1:0] passes; // in flight
    wire               can_ask;

    wire r_load  = r_op == 4'd0;
    wire r_store = r_op == 4'd1;
    wire waits   = !r_load ? passes == FULL || !can_ask :
                   hit     ? 1'b0 :
                   met     ? met_dead || met_full : none || !can_ask;

    assign serve = do_mem && !waits;

    wire load_hit   = serve && r_load && hit;
    wire load_merge = serve && r_load && !hit && met;
    wire load_miss  = serve && r_load && !hit && !met;
    wire pass       = serve && !r_load;

    // what has come of a prefetch
    wire p_there   = do_pre && (hit || met);
    wire p_crowded = do_pre && !hit && !met && crowded;
    wire p_fetch   = do_pre && !hit && !met && !crowded && can_ask;

    assign end_p = p_there || p_crowded || p_fetch;

    // what has come of an answer
    wire enter = do_line && its_last && !its_dead && !a_fault;

    assign a_gone = do_pass || (do_line && its_last);

    ${prefix}ndp_cache_sets sets (
        .clk         (clk),
        .rst         (rst),
        .line        (line),
        .hit         (hit),
        .hit_fresh   (hit_fresh),
        .old_valid   (old_valid),
        .old_fresh   (old_fresh),
        .slot        (slot),
        .touch       (load_hit),
        .enter       (enter),
        .enter_fresh (its_fresh),
        .drop        ((do_inval && !i_all) || (pass && !r_store)),
        .clear       (do_inval && i_all)
    );

    ${prefix}ndp_cache_mshrs mshrs (
        .clk       (clk),
        .rst       (rst),
        .line      (line),
        .met       (met),
        .met_dead  (met_dead),
        .met_full  (met_full),
        .met_fresh (met_fresh),
        .none      (none),
        .crowded   (crowded),
        .lowest    (lowest),
        .fetch     (load_miss || p_fetch),
        .fetch_pre (p_fetch),
        .merge     (load_merge),
        .id        (r_id),
        .kill      ((do_inval && !i_all) || pass),
        .kill_all  (do_inval && i_all),
        .number    (a_mshr),
        .answer    (do_line),
        .its_line  (its_line),
        .its_dead  (its_dead),
        .its_pre   (its_pre),
        .its_fresh (its_fresh),
        .its_load  (its_load),
        .its_id    (its_id),
        .its_last  (its_last)
    );

    always @(posedge clk) begin
        if (rst)
            passes <= {PASSES_W{1'b0}};
        else if (pass)
            passes <= passes + 1'b1;
        else if (do_pass)
            passes <= passes - 1'b1;
    end

    // ------------------------------------------------------------------
    // Requests for the memory

    wire              ask = load_miss || pass || p_fetch;
    wire [ASK_W-1:0]  ask_word;
    wire [ASK_W-1:0]  req_word;

    assign ask_word[3:0]                 = pass ? r_op : 4'd0;
    assign ask_word[4 +: SADDR_W]        = line;
    assign ask_word[4+SADDR_W +: LINE]   = pass ? r_strobe : {LINE{1'b0}};
    assign ask_word[4+SADDR_W+LINE +: DATA_W] = pass ? r_data : {DATA_W{1'b0}};
    assign ask_word[REQUEST_W-32 +: 32]  = pass ? r_compare : 32'd0;
    assign ask_word[REQUEST_W+${tag.number.lsb} +: ${L.NUMBER_W}] = pass ? ${filled(L.ID_W, "r_id")} : ${filled(L.MSHR_W, "lowest")};
    assign ask_word[REQUEST_W+${tag.pass.lsb}] = pass;

    ${prefix}ndp_queue #(
        .WIDTH (ASK_W),
        .DEPTH (2)
    ) asked (
        .clk       (clk),
        .rst       (rst),
        .push      (ask),
        .in_word   (ask_word),
        .can_push  (can_ask),
        .pop       (req_valid && req_ready),
        .out_valid (req_valid),
        .out_word  (req_word)
    );

    assign {req_id, req_compare, req_data, req_strobe, req_address, req_op} =
        req_valid ? req_word : {ASK_W{1'b0}};

    // ------------------------------------------------------------------
    // Data of the lines

    wire              change = enter || (pass && r_store && hit);
    wire [DATA_W-1:0] value  = enter ? a_data : r_data;
    wire [DATA_W-1:0] found;

    genvar i;
    generate
        for (i = 0; i < LINE; i = i + 1) begin : bytes
            ${prefix}ndp_ram #(
                .WIDTH     (8),
                .WORDS     (LINES),
                .ADDRESS_W (SLOT_W)
            ) ram (
                .clk     (clk),
                .wr_en   (change && (enter || r_strobe[i])),
                .wr_addr (slot),
                .wr_data (value[8*i +: 8]),
                .rd_en   (load_hit),
                .rd_addr (slot),
                .rd_data (found[8*i +: 8])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // Answers for the core

    reg              from_line; // the answer is a line of this cache
    reg [DATA_W-1:0] rsp_given; // by the memory

    wire give = do_pass || (do_line && its_load);

    always @(posedge clk) begin
        if (rst) begin
            rsp_valid <= 1'b0;
            rsp_id    <= {ID_W{1'b0}};
            rsp_fault <= 1'b0;
            from_line <= 1'b0;
            rsp_given <= {DATA_W{1'b0}};
        end else begin
            rsp_valid <= give || load_hit;
            rsp_id    <= load_hit ? r_id : do_pass ? a_core :
                         give     ? its_id : {ID_W{1'b0}};
            rsp_fault <= give && a_fault;
            from_line <= load_hit;
            rsp_given <= give ? a_data : {DATA_W{1'b0}};
        end
    end

    assign rsp_data = from_line ? found : rsp_given;

    // ------------------------------------------------------------------
    // Prefetches that are over

    wire p_over = p_there || p_crowded || (do_line && its_last && its_pre);

    always @(posedge clk) begin
        if (rst) begin
            gone_valid <= 1'b0;
            gone_line  <= {SADDR_W{1'b0}};
        end else begin
            gone_valid <= p_over;
            gone_line  <= p_over ? line : {SADDR_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Registers

    wire count_loads       = serve && r_load;
    wire count_hits        = load_hit;
    wire count_misses      = load_miss;
    wire count_merged      = load_merge;
    wire count_stores      = pass;
    wire count_blocked     = r_held && !serve;
    wire count_invalidated = do_inval;
    wire count_prefetches  = end_p;
    wire count_issued      = p_fetch;
    wire count_there       = p_there;
    wire count_crowded     = p_crowded;
    wire count_used        = load_hit && hit_fresh;
    wire count_late        = load_merge && met_fresh;
    wire count_unused      = enter && old_valid && old_fresh;

    ${prefix}ndp_cache_regs regs (
        .clk               (clk),
        .rst               (rst),
        .wb_cyc            (wb_cyc),
        .wb_stb            (wb_stb),
        .wb_we             (wb_we),
        .wb_adr            (wb_adr),
        .wb_dat_w          (wb_dat_w),
        .wb_sel            (wb_sel),
        .wb_dat_r          (wb_dat_r),
        .wb_ack            (wb_ack),
${count_ports(17)}
    );

    // each request goes with a place for its answer
    wire unused = &{1'b0, a_room};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_cache_formal.vh"
`endif
endmodule

`default_nettype wire
