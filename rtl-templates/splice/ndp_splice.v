//% use "ndp_regs.v"
//% use "ndp_queue.v"
//% use "ndp_splice_formal.vh"
//% local rest = 32 * L.WORDS - L.ENTRY_W
${header{title = "prefetcher's place beside a cache", text = [[
Shows a prefetcher each load that the cache takes, passes its prefetches to the
cache, and loads its information table from registers.

    seen -> register -> demand      out -> queue -> pre      registers -> load

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: a load that the cache takes on edge t is at demand after t; a prefetch
that is taken on t is at pre after t+1; an entry is at load after its command.

See docs/blocks/splice.md.]]}}
`default_nettype none

module ${prefix}ndp_splice (
${ports{reg = {"demand_valid", "demand_address", "load_valid", "load_index"}}}
);
${localparams("LINES", "SADDR_W", "BYTE_W", "IMAGE_W", "ENTRY_W", "ID_W", "WORDS")}

    localparam [3:0] LOAD    = 4'd0; // of seen_op
    localparam [1:0] RUNNING = 2'd1; // of core_state

    // ------------------------------------------------------------------
    // Registers

    wire command_index;
    wire command_word;
    wire command_load;

    wire running = core_state == RUNNING;
    wire load    = seen_valid && seen_taken && seen_op == LOAD;
    wire waits   = demand_valid && !demand_ready;
    wire push    = out_valid && out_ready && out_prefetch;

    wire count_loads      = load;
    wire count_lost       = load && waits;
    wire count_prefetches = push;
    wire count_loaded     = command_load && !running;
    wire count_refused    = command_load && running;

    ${prefix}ndp_splice_regs regs (
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
//% for _, c in ipairs(iface.counters) do
        .${pad("count_" .. c.name, 17)} (count_${c.name}),
//% end
        .status_images     (4'd${L.IMAGES}),
        .status_divider    (shape_divider),
        .status_size_bits  (shape_size_bits),
        .status_pitch_bits (shape_pitch_bits),
        .status_row_bits   (shape_row_bits),
        .command_index     (command_index),
        .command_word      (command_word),
        .command_load      (command_load)
    );

    // ------------------------------------------------------------------
    // Loads to the prefetcher

    assign demand_id = {ID_W{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            demand_valid   <= 1'b0;
            demand_address <= 32'd0;
        end else if (!waits) begin
            demand_valid   <= load;
            demand_address <= load ? {seen_address, {BYTE_W{1'b0}}} : 32'd0;
        end
    end

    // ------------------------------------------------------------------
    // Its prefetches to the cache; its demands end here

    wire [SADDR_W-1:0] oldest;

    ${prefix}ndp_queue #(
        .WIDTH (SADDR_W),
        .DEPTH (LINES)
    ) lines (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .in_word   (out_address[31:BYTE_W]),
        .can_push  (out_ready),
        .pop       (pre_ready),
        .out_valid (pre_valid),
        .out_word  (oldest)
    );

    assign pre_line = pre_valid ? oldest : {SADDR_W{1'b0}};

    wire unused = &{1'b0, out_id, out_address[BYTE_W-1:0]};

    // ------------------------------------------------------------------
    // Entries of the table

    reg [2:0]          index;
    reg [32*WORDS-1:0] entry;

    always @(posedge clk) begin
        if (rst)
            index <= 3'd0;
        else if (command_index)
            index <= wb_dat_w[2:0];
        else if (command_load && !running)
            index <= index + 3'd1;
    end

    always @(posedge clk) begin
        if (rst)
            entry <= {32*WORDS{1'b0}};
        else if (command_word)
            entry <= {wb_dat_w, entry[32*WORDS-1:32]};
    end

    always @(posedge clk) begin
        if (rst || !command_load || running) begin
            load_valid <= 1'b0;
            load_index <= {IMAGE_W{1'b0}};
        end else begin
            load_valid <= 1'b1;
            load_index <= index[IMAGE_W-1:0];
        end
    end

    assign load_entry = load_valid ? entry[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
//% if rest > 0 then

    wire unused_bits = &{1'b0, entry[32*WORDS-1:ENTRY_W]}; // above an entry
//% end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_splice_formal.vh"
`endif
endmodule

`default_nettype wire
