//% use "ndp_jobs_come.v"
//% use "ndp_jobs_done.v"
//% use "ndp_ram.v"
//% use "ndp_jobs_formal.vh"
//% local IN, OUT = L.ENTRY_IN, L.ENTRY_IN + 2 * L.REGS
${header{title = "blocks of other cores on a stack's core", text = [[
Starts a block on a free warp of the core for each request packet of another core's
offload controller, and sends an acknowledgement with its results when it is done.

    take_req -> ndp_jobs_come -> put, spawn       core
                   | slots
    send_ans <- ndp_jobs_done <- over, look, seen

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; spawn and drop cannot
be refused.  Fields are zero while valid is low.

Latency: a block without live-in registers starts after the fourth edge from that which
takes its packet.

See docs/blocks/jobs.md.]]}}
`default_nettype none

module ${prefix}ndp_jobs (
${ports{reg = {"drop_valid"}}}
);
${localparams("SLOTS", "SLOT_W", "WARP_W", "INDEX_W", "ENTRIES", "REGS", "ENTRY_W", "NODE_W", "THREADS")}

    localparam BLOCK_W = NODE_W + WARP_W + INDEX_W + THREADS; // what is kept of a block

    // ------------------------------------------------------------------
    // The table: live-in registers for blocks that come, live-out registers and
    // stores for those that are done

    wire [INDEX_W-1:0] in_index;
    wire [2*REGS-1:0]  in_set;
    wire               in_read;
    wire [INDEX_W-1:0] out_index;
    wire [2*REGS:0]    out_set;
    wire               out_read;

    ${prefix}ndp_ram #(
        .WIDTH     (2 * REGS),
        .WORDS     (ENTRIES),
        .ADDRESS_W (INDEX_W)
    ) live_in (
        .clk     (clk),
        .wr_en   (load_valid),
        .wr_addr (load_index),
        .wr_data (load_entry[${OUT - 1}:${IN}]),
        .rd_en   (in_read),
        .rd_addr (in_index),
        .rd_data (in_set)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (2 * REGS + 1),
        .WORDS     (ENTRIES),
        .ADDRESS_W (INDEX_W)
    ) live_out (
        .clk     (clk),
        .wr_en   (load_valid),
        .wr_addr (load_index),
        .wr_data ({load_entry[ENTRY_W-1:${OUT}], load_stores}),
        .rd_en   (out_read),
        .rd_addr (out_index),
        .rd_data (out_set)
    );

    // ------------------------------------------------------------------
    // Slots that have a block, and what is kept of it

    reg  [SLOTS-1:0]   taken;
    wire               begins; // a block gets its slot on this edge
    wire [SLOT_W-1:0]  slot;
    wire [BLOCK_W-1:0] block;
    wire               idle; // no block comes
    wire               ends; // a slot is free after this edge
    wire [SLOT_W-1:0]  done_slot;
    wire               look_at; // read what is kept
    wire [SLOT_W-1:0]  over_slot = ${fitted("over_warp", L.WARP_W, L.SLOT_W)};
    wire [BLOCK_W-1:0] kept;
    genvar             s;

    generate
        for (s = 0; s < SLOTS; s = s + 1) begin : state
            always @(posedge clk) begin
                if (rst)
                    taken[s] <= 1'b0;
                else if (begins && slot == s[SLOT_W-1:0])
                    taken[s] <= 1'b1;
                else if (ends && done_slot == s[SLOT_W-1:0])
                    taken[s] <= 1'b0;
            end
        end
    endgenerate

    ${prefix}ndp_ram #(
        .WIDTH     (BLOCK_W),
        .WORDS     (${L.SLOTS > 1 and "SLOTS" or "2"}),
        .ADDRESS_W (SLOT_W)
    ) blocks (
        .clk     (clk),
        .wr_en   (begins),
        .wr_addr (slot),
        .wr_data (block),
        .rd_en   (look_at),
        .rd_addr (over_slot),
        .rd_data (kept)
    );

    ${prefix}ndp_jobs_come come (
        .clk            (clk),
        .rst            (rst),
        .take_req_valid (take_req_valid),
        .take_req_ready (take_req_ready),
        .take_req_data  (take_req_data),
        .taken          (taken),
        .set_read       (in_read),
        .set_index      (in_index),
        .set            (in_set),
        .put_valid      (put_valid),
        .put_ready      (put_ready),
        .put_last       (put_last),
        .put_warp       (put_warp),
        .put_pc         (put_pc),
        .put_pred       (put_pred),
        .put_d          (put_d),
        .put_mask       (put_mask),
        .put_data       (put_data),
        .begins         (begins),
        .slot           (slot),
        .block          (block),
        .spawn_valid    (spawn_valid),
        .spawn_warp     (spawn_warp),
        .spawn_pc       (spawn_pc),
        .spawn_end      (spawn_end),
        .spawn_mask     (spawn_mask),
        .idle           (idle)
    );

    ${prefix}ndp_jobs_done done (
        .clk            (clk),
        .rst            (rst),
        .over_valid     (over_valid),
        .over_ready     (over_ready),
        .over_slot      (over_slot),
        .kept_read      (look_at),
        .kept           (kept),
        .set_read       (out_read),
        .set_index      (out_index),
        .set            (out_set),
        .look_valid     (look_valid),
        .look_ready     (look_ready),
        .look_warp      (look_warp),
        .look_pred      (look_pred),
        .look_reg       (look_reg),
        .seen_valid     (seen_valid),
        .seen_last      (seen_last),
        .seen_data      (seen_data),
        .send_ans_valid (send_ans_valid),
        .send_ans_ready (send_ans_ready),
        .send_ans_last  (send_ans_last),
        .send_ans_order (send_ans_order),
        .send_ans_x     (send_ans_x),
        .send_ans_y     (send_ans_y),
        .send_ans_data  (send_ans_data),
        .ends           (ends),
        .slot           (done_slot)
    );

    // ------------------------------------------------------------------
    // To the core and its cache

    assign chain_busy = !idle || taken != {SLOTS{1'b0}};
    assign drop_all   = drop_valid;

    always @(posedge clk) drop_valid <= !rst && (begins || fenced);

    // packets end as their index says
    wire unused = &{1'b0, take_req_last, load_entry[${IN - 1}:0]${L.WARP_W > L.SLOT_W and ", over_warp[WARP_W-1:SLOT_W]" or ""}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_jobs_formal.vh"
`endif
endmodule

`default_nettype wire
