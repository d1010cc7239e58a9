//% use "ndp_regs.v"
//% use "ndp_queue.v"
//% use "ndp_ram.v"
//% use "ndp_stride_formal.vh"
//% local parts = {}
//% for at = 0, L.KEY_W - 1, L.INDEX_W do
//%     local high = math.min(at + L.INDEX_W, L.KEY_W) - 1
//%     local fill = L.INDEX_W - (high - at + 1)
//%     parts[#parts + 1] = "{" .. (fill > 0 and fill .. "'d0, " or "") .. "look_key[" .. high .. ":" .. at .. "]}"
//% end
//% local function of(key) return (table.concat(parts, " ^ "):gsub("look_key", key)) end
${header{title = "per-warp stride prefetcher", text = [[
Learns, for each warp and load instruction, how far its address moves from one time to
the next, and prefetches what each request of the load will be after the same step.

    offer -> history -> stride -+
    seen  -> two registers -----+-> queue -+
    given ---------------------------------+-> register -> pre

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: a prefetch is at pre four edges after its request was taken at the earliest.

See docs/blocks/stride.md.]]}}
`default_nettype none

module ${prefix}ndp_stride (
${ports{reg = {"pre_valid", "pre_line"}}}
);
${localparams("ENTRIES", "QUEUE", "BYTE_W", "SADDR_W", "INDEX_W", "KEY_W", "ENTRY_W")}

    localparam [3:0] LOAD    = 4'd0; // of seen_op
    localparam [1:0] RUNNING = 2'd1; // of core_state

    // ------------------------------------------------------------------
    // History

    reg                looks;    // a load was taken
    reg  [KEY_W-1:0]   look_key; // its instruction and warp
    reg  [31:0]        address;  // its address
    reg  [ENTRIES-1:0] valid;
    reg                was_running;

    wire               take   = offer_valid && offer_ready;
    wire [KEY_W-1:0]   key    = {offer_pc, offer_warp};
    wire [INDEX_W-1:0] index  = ${of("key")};
    wire [INDEX_W-1:0] at     = ${of("look_key")};
    wire               begins = core_state == RUNNING && !was_running;

    wire [ENTRY_W-1:0] entry;
    wire               there = valid[at];
    wire               hit   = there && entry[KEY_W-1:0] == look_key;
    wire [31:0]        step  = hit ? address - entry[KEY_W +: 32] : 32'd0;
    wire               again = hit && step != 32'd0 && step == entry[KEY_W+32 +: 32];

    ${prefix}ndp_ram #(
        .WIDTH     (ENTRY_W),
        .WORDS     (ENTRIES),
        .ADDRESS_W (INDEX_W)
    ) history (
        .clk     (clk),
        .wr_en   (looks),
        .wr_addr (at),
        .wr_data ({step, address, look_key}),
        .rd_en   (take),
        .rd_addr (index),
        .rd_data (entry)
    );

    assign offer_ready = !looks;

    always @(posedge clk) begin
        if (rst) begin
            looks       <= 1'b0;
            was_running <= 1'b0;
        end else begin
            looks       <= take;
            was_running <= core_state == RUNNING;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            look_key <= key;
            address  <= offer_a;
        end
    end

    always @(posedge clk) begin
        if (rst || begins)
            valid <= {ENTRIES{1'b0}};
        else if (looks)
            valid[at] <= 1'b1;
    end

    reg [31:0] distance; // of the load whose requests come; zero: none

    always @(posedge clk) begin
        if (rst)
            distance <= 32'd0;
        else if (looks)
            distance <= again ? step : 32'd0;
    end

    // ------------------------------------------------------------------
    // Requests, and where they will be

    wire seen = seen_valid && seen_taken && seen_op == LOAD;

    reg               one_valid;
    reg [SADDR_W-1:0] one_line;
    reg               two_valid;
    reg [SADDR_W-1:0] two_line;

    always @(posedge clk) begin
        if (rst) begin
            one_valid <= 1'b0;
            two_valid <= 1'b0;
        end else begin
            one_valid <= seen;
            two_valid <= one_valid;
        end
    end

    always @(posedge clk) begin
        one_line <= seen_address;
        two_line <= one_line;
    end

    wire               enable;
    wire               room;
    wire [31:0]        target = {two_line, {BYTE_W{1'b0}}} + distance;
    wire [SADDR_W-1:0] line   = target[31:BYTE_W];
    wire               wants  = two_valid && distance != 32'd0 && line != two_line && enable;
    wire               push   = wants && room;
    wire               pop;
    wire               own_valid;
    wire [SADDR_W-1:0] own_line;

    ${prefix}ndp_queue #(
        .WIDTH (SADDR_W),
        .DEPTH (QUEUE)
    ) prefetches (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .in_word   (line),
        .can_push  (room),
        .pop       (pop),
        .out_valid (own_valid),
        .out_word  (own_line)
    );

    // ------------------------------------------------------------------
    // To the cache

    wire passes = given_valid && given_ready;

    assign given_ready = !pre_valid;
    assign pop         = !passes && (!pre_valid || pre_ready);

    always @(posedge clk) begin
        if (rst) begin
            pre_valid <= 1'b0;
            pre_line  <= {SADDR_W{1'b0}};
        end else if (!pre_valid || pre_ready) begin
            pre_valid <= passes || own_valid;
            pre_line  <= passes    ? given_line :
                         own_valid ? own_line : {SADDR_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Registers

    wire count_loads     = looks;
    wire count_predicted = looks && again;
    wire count_replaced  = looks && there && !hit;
    wire count_issued    = push;
    wire count_dropped   = wants && !room;

    ${prefix}ndp_stride_regs regs (
        .clk             (clk),
        .rst             (rst),
        .wb_cyc          (wb_cyc),
        .wb_stb          (wb_stb),
        .wb_we           (wb_we),
        .wb_adr          (wb_adr),
        .wb_dat_w        (wb_dat_w),
        .wb_sel          (wb_sel),
        .wb_dat_r        (wb_dat_r),
        .wb_ack          (wb_ack),
        .enable          (enable),
${count_ports(15)}
    );

    wire unused = &{1'b0, offer_code, offer_mask, offer_b, offer_in_row, offer_same_a,
                    offer_same_b, target[BYTE_W-1:0]};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_stride_formal.vh"
`endif
endmodule

`default_nettype wire
