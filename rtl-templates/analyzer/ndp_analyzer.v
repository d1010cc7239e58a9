//% use "ndp_regs.v"
//% use "ndp_analyzer_bitmap.v"
//% use "ndp_analyzer_score.v"
//% use "ndp_analyzer_search.v"
//% use "ndp_analyzer_touched.v"
//% local INIT_N = math.max(L.WARPS, L.SLOTS)
//% local INIT_W = clog2(INIT_N)
//% local function entry(w) return INIT_W > w and "init_entry[" .. (w > 1 and w - 1 .. ":" or "") .. "0]" or "init_entry" end
//% local function below(n) return n < INIT_N and " && init_entry < " .. INIT_W .. "'d" .. n or "" end
//% local query_range = L.QUERY_W > L.RANGE_W and "query_index[" .. (L.RANGE_W > 1 and "RANGE_W-1:" or "") .. "0]" or "query_index"
//% local is_range = L.QUERY_W > L.RANGE_W and " &&\n                     query_index < " .. L.QUERY_W .. "'d" .. L.SLOTS or ""
${header{title = "memory map analyzer", text = [[
Watches the first instances of offload candidates, sees under every mapping of
addresses to memory stacks which stacks each instance touches, and reports the
mapping that keeps most of them on one stack.  Marks the allocations that
candidates access.

    ev -+-> bitmap -> score -> irq
        +-> search -> touched, outside

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with <channel>_valid and <channel>_ready high.
Every output is a register or a function of registers.  Fields are zero while
their valid is low.

Latency: an instance is scored three edges after its end was taken, an access
takes effect ]] .. L.RANGE_EDGES .. [[ edges after it was.  One event an edge.

See docs/blocks/analyzer.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_analyzer (
${ports{reg={"outside_valid", "outside_address", "query_done"}}}
);
${localparams("ADDR_W", "RANGE_W", "LEARN_W", "BITMAP_W")}

    wire               enable; // settings
    wire [LEARN_W-1:0] learn_instances;

    // ------------------------------------------------------------------
    // Initialiser

    localparam INIT_W = ${INIT_W};

    reg              init_done;
    reg [INIT_W-1:0] init_entry; // entry to be initialised next

    always @(posedge clk) begin
        if (rst) begin
            init_done  <= 1'b0;
            init_entry <= {INIT_W{1'b0}};
        end else if (!init_done) begin
            init_done  <= init_entry == ${INIT_W}'d${INIT_N - 1};
            init_entry <= init_entry + 1'b1;
        end
    end

    wire init_bitmap = !init_done${below(L.WARPS)};
    wire init_range  = !init_done${below(L.SLOTS)};

    assign ev_ready   = init_done;
    assign load_ready = init_done;

    // ------------------------------------------------------------------
    // Events

    localparam [1:0] BEGIN  = 2'd0; // operations
    localparam [1:0] ACCESS = 2'd1;

    wire done; // learning has ended

    wire accept = ev_valid && init_done;
    wire enter  = accept && enable && !done;
    wire access = enter && ev_op == ACCESS;

    wire                end_valid;
    wire [BITMAP_W-1:0] end_word;
    wire                scored;

    ${prefix}ndp_analyzer_bitmap bitmap (
        .clk           (clk),
        .rst           (rst),
        .clear         (!enable),
        .init          (init_bitmap),
        .init_warp     (${entry(L.WARP_W)}),
        .event_valid   (enter),
        .event_op      (ev_op),
        .event_warp    (ev_warp),
        .event_address (ev_address),
        .end_valid     (end_valid),
        .end_word      (end_word)
    );

    ${prefix}ndp_analyzer_score counts (
        .clk         (clk),
        .rst         (rst),
        .clear       (!enable),
        .limit       (learn_instances),
        .end_valid   (end_valid),
        .end_word    (end_word),
        .scored      (scored),
        .done        (done),
        .query_valid (query_valid),
        .query_index (query_index),
        .query_score (query_score),
        .query_sum   (query_sum),
        .irq         (irq),
        .irq_best    (irq_best)
    );

    // ------------------------------------------------------------------
    // Ranges

    wire               load = load_valid && init_done;
    wire               in_range;
    wire               outside;
    wire [RANGE_W-1:0] found_index;
    wire [ADDR_W-1:0]  found_address;
    wire [RANGE_W-1:0] write_index = init_done ? load_index : ${entry(L.RANGE_W)};

    ${prefix}ndp_analyzer_search search (
        .clk            (clk),
        .rst            (rst),
        .write          (load || init_range),
        .write_index    (write_index),
        .write_start    (load_start | {ADDR_W{!init_done}}),
        .write_length   (load_length & {ADDR_W{init_done}}),
        .access         (access),
        .access_address (ev_address),
        .in_range       (in_range),
        .outside        (outside),
        .found_index    (found_index),
        .found_address  (found_address)
    );

    ${prefix}ndp_analyzer_touched touched (
        .clk         (clk),
        .rst         (rst),
        .set         (in_range),
        .set_index   (found_index),
        .clear       (load || init_range),
        .clear_index (write_index),
        .query       (query_valid && init_done${is_range}),
        .query_index (${query_range}),
        .answer      (query_touched)
    );

    always @(posedge clk) begin
        if (rst || !outside) begin
            outside_valid   <= 1'b0;
            outside_address <= {ADDR_W{1'b0}};
        end else begin
            outside_valid   <= 1'b1;
            outside_address <= found_address;
        end
    end

    always @(posedge clk) begin
        if (rst)
            query_done <= 1'b0;
        else
            query_done <= query_valid;
    end

    // ------------------------------------------------------------------
    // Registers

    wire count_begins     = enter && ev_op == BEGIN;
    wire count_accesses   = access;
    wire count_instances  = scored;
    wire count_inside     = in_range;
    wire count_outside    = outside;
    wire count_ignored    = accept && !enter;
    wire count_ev_blocked = ev_valid && !init_done;

    ${prefix}ndp_analyzer_regs regs (
        .clk              (clk),
        .rst              (rst),
        .wb_cyc           (wb_cyc),
        .wb_stb           (wb_stb),
        .wb_we            (wb_we),
        .wb_adr           (wb_adr),
        .wb_dat_w         (wb_dat_w),
        .wb_sel           (wb_sel),
        .wb_dat_r         (wb_dat_r),
        .wb_ack           (wb_ack),
        .enable           (enable),
        .learn_instances  (learn_instances),
${count_ports(16)}
    );
${checks()}
endmodule

`default_nettype wire
