//% use "ndp_regs.v"
//% use "ndp_offload_links.v"
//% use "ndp_offload_table.v"
//% use "ndp_offload_lookup.v"
//% use "ndp_offload_weigh.v"
//% use "ndp_offload_decide.v"
//% use "ndp_offload_away.v"
//% use "ndp_offload_probe.v"
//% use "ndp_offload_sender.v"
//% use "ndp_offload_receiver.v"
//% use "ndp_offload_formal.vh"
//% local by_pc = L.BY_PC == 1
//% local REACH = math.min(L.ADDR_W, 31 + L.STACK_W) -- bits of the learned mapping
//% local EDGES = by_pc and 7 or 6
${header{title = "offload controller", text = [[
For a GPU core whose memory stacks have cores of their own.  A warp that comes
to a block of code that the compiler has marked asks; this unit answers whether
the block goes to the stack where its data lies, sends what the block needs in
flits, and takes its results back.  Monitors beside it tell which links are too
busy to carry more.  One instance serves one core.

    ask -> lookup -> weigh -> decide -> ans
             |         ^        |-----> probe -> first (back to weigh)
           table     links      '-----> sender -> flush, registers -> tx
             |                  away
           receiver <- ack      (receiver -> registers, lines, release)

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with <channel>_valid and <channel>_ready high;
fields are stable while valid and not ready.  Every output is a register or a
function of registers.  Fields are zero while their valid is low.

Latency: accept to ans_valid ]] .. EDGES .. [[ edges without a condition, ]] ..
    EDGES + 3 .. [[ with one whose value
comes at once.  One request and one decision a cycle.

See docs/blocks/offload.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_offload (
${ports()}
);
${localparams("STACKS", "DEPTH", "REGS", "LANES", "ADDR_W", "PC_W", "WARP_W", "STACK_W",
              "INDEX_W", "LANE_W", "COUNT_W", "PEND_W", "BUSY_W", "VERDICT_W", "PACKET_W")}

    localparam REACH = ${REACH}; // address bits that the learned mapping can name

    // Settings
    wire [1:0]        mode;
    wire [4:0]        map_bit;
    wire [PEND_W-1:0] limit;
    wire [BUSY_W-1:0] busy_on;
    wire [BUSY_W-1:0] busy_off;
    wire [BUSY_W-1:0] window;

    // Two of them are needed in another form, early in a cycle: as they will be
    // after this edge.
    wire [4:0]        map_bit_next;
    wire [PEND_W-1:0] limit_next;
    reg  [31:0]       map_at; // one-hot: bit map_bit is set

    // As they are now only properties ask for these two.
    wire unused = &{1'b0, map_bit, limit};

    always @(posedge clk) begin
        if (rst)
            map_at <= 32'd1 << ${P["offload.map_bit"]};
        else
            map_at <= 32'd1 << map_bit_next;
    end

    // ------------------------------------------------------------------
    // Requests under way: so many that no queue overflows

    localparam FLIGHT_W = ${clog2(L.DEPTH + 1)};

    reg [FLIGHT_W-1:0] in_flight;

    wire accept   = ask_valid && ask_ready;
    wire answered = ans_valid && ans_ready;

    assign ask_ready = load_ready && in_flight != DEPTH[FLIGHT_W-1:0];

    // A step is known late: the bits that it would flip are prepared.
    wire [FLIGHT_W-1:0] flips = in_flight ^ (answered ? in_flight - 1'b1
                                                      : in_flight + 1'b1);

    always @(posedge clk) begin
        if (rst)
            in_flight <= {FLIGHT_W{1'b0}};
        else
            in_flight <= in_flight ^ (flips & {FLIGHT_W{accept ^ answered}});
    end

    // ------------------------------------------------------------------
    // Metadata.  The packet engine reads before the receiver.

    wire                 verdict_read;
    wire [INDEX_W-1:0]   verdict_index;
    wire [VERDICT_W-1:0] verdict;
    wire                 fetch;
    wire [INDEX_W-1:0]   fetch_index;
    wire                 look;
    wire [INDEX_W-1:0]   look_index;
    wire [PACKET_W-1:0]  packet;
//% if by_pc then
    wire                 write;
    wire [INDEX_W-1:0]   write_index;
    wire                 write_valid;
    wire [PC_W-1:0]      write_pc;
//% end

    ${prefix}ndp_offload_table metadata (
        .clk           (clk),
        .rst           (rst),
        .load_valid    (load_valid),
        .load_ready    (load_ready),
        .load_index    (load_index),
        .load_entry    (load_entry),
//% if by_pc then
        .write         (write),
        .write_index   (write_index),
        .write_valid   (write_valid),
        .write_pc      (write_pc),
//% end
        .verdict_read  (verdict_read),
        .verdict_index (verdict_index),
        .verdict       (verdict),
        .packet_read   (fetch || look),
        .packet_index  (fetch ? fetch_index : look_index),
        .packet        (packet)
    );

    // ------------------------------------------------------------------
    // Request to stage D

    wire                 m_valid;
    wire [WARP_W-1:0]    m_warp;
    wire [INDEX_W-1:0]   m_index;
    wire [LANES-1:0]     m_mask;
    wire [LANE_W-1:0]    m_lane;
    wire [ADDR_W-1:0]    m_address;
    wire                 m_learned;
    wire [VERDICT_W-1:0] m_verdict;

    ${prefix}ndp_offload_lookup lookup (
        .clk           (clk),
        .rst           (rst),
        .accept        (accept),
        .ask_warp      (ask_warp),
        .ask_key       (ask_key),
        .ask_mask      (ask_mask),
        .ask_address   (ask_address),
        .ask_learned   (ask_learned),
//% if by_pc then
        .write         (write),
        .write_index   (write_index),
        .write_valid   (write_valid),
        .write_pc      (write_pc),
//% end
        .verdict_read  (verdict_read),
        .verdict_index (verdict_index),
        .verdict       (verdict),
        .m_valid       (m_valid),
        .m_warp        (m_warp),
        .m_index       (m_index),
        .m_mask        (m_mask),
        .m_lane        (m_lane),
        .m_address     (m_address),
        .m_learned     (m_learned),
        .m_verdict     (m_verdict)
    );

    wire               back;
    wire [WARP_W-1:0]  back_warp;
    wire [INDEX_W-1:0] back_index;
    wire [LANES-1:0]   back_mask;
    wire [2:0]         back_rules;
    wire               back_none;
    wire [REACH-1:0]   back_address;
    wire [STACK_W-1:0] back_baseline;
    wire               back_learned;

    wire               d_valid;
    wire [WARP_W-1:0]  d_warp;
    wire [INDEX_W-1:0] d_index;
    wire [LANES-1:0]   d_mask;
    wire [STACK_W-1:0] d_stack;
    wire               d_off;
    wire               d_unknown;
    wire               d_subject;
    wire               d_goes;
    wire               d_probe;
    wire               d_fits;
    wire               d_back;
    wire               d_none;
    wire [2:0]         d_rules;
    wire [STACKS-1:0]  d_tx_at;
    wire [STACKS-1:0]  d_rx_at;
    wire [STACKS-1:0]  d_limit_at;

    ${prefix}ndp_offload_weigh weigh (
        .clk          (clk),
        .rst          (rst),
        .mode         (mode),
        .map_at       (map_at),
        .m_valid      (m_valid),
        .m_warp       (m_warp),
        .m_index      (m_index),
        .m_mask       (m_mask),
        .m_lane       (m_lane),
        .m_address    (m_address),
        .m_learned    (m_learned),
        .m_verdict    (m_verdict),
        .oper_valid   (oper_valid),
        .oper_ready   (oper_ready),
        .oper_warp    (oper_warp),
        .oper_reg     (oper_reg),
        .oper_lane    (oper_lane),
        .value_valid  (value_valid),
        .value_data   (value_data),
        .back         (back),
        .back_warp    (back_warp),
        .back_index   (back_index),
        .back_mask    (back_mask),
        .back_rules   (back_rules),
        .back_none    (back_none),
        .back_address (back_address),
        .back_baseline (back_baseline),
        .back_learned (back_learned),
        .d_valid      (d_valid),
        .d_warp       (d_warp),
        .d_index      (d_index),
        .d_mask       (d_mask),
        .d_stack      (d_stack),
        .d_off        (d_off),
        .d_unknown    (d_unknown),
        .d_subject    (d_subject),
        .d_goes       (d_goes),
        .d_probe      (d_probe),
        .d_fits       (d_fits),
        .d_back       (d_back),
        .d_none       (d_none),
        .d_rules      (d_rules),
        .d_tx_at      (d_tx_at),
        .d_rx_at      (d_rx_at),
        .d_limit_at   (d_limit_at)
    );

    // ------------------------------------------------------------------
    // Decision, and what it looks at

    wire              probe_idle;
    wire              take;
    wire              offload;
    wire [8:1]        refuse;
    wire [STACKS-1:0] at_limit;
    wire [WARP_W-1:0] look_warp;
    wire              found;
    wire              released = release_valid && release_ready;

    ${prefix}ndp_offload_links links (
        .clk          (clk),
        .rst          (rst),
        .link_tx      (link_tx),
        .link_rx      (link_rx),
        .busy_on      (busy_on),
        .busy_off     (busy_off),
        .window       (window),
        .link_tx_busy (link_tx_busy),
        .link_rx_busy (link_rx_busy)
    );

    ${prefix}ndp_offload_away away (
        .clk           (clk),
        .rst           (rst),
        .limit_next    (limit_next),
        .at_limit      (at_limit),
        .decide        (d_valid),
        .offload       (offload),
        .offload_warp  (d_warp),
        .offload_stack (d_stack),
        .look          (look),
        .look_warp     (look_warp),
        .found         (found),
        .back          (released)
    );

    ${prefix}ndp_offload_decide decide (
        .clk         (clk),
        .rst         (rst),
        .d_valid     (d_valid),
        .d_warp      (d_warp),
        .d_stack     (d_stack),
        .d_off       (d_off),
        .d_unknown   (d_unknown),
        .d_subject   (d_subject),
        .d_goes      (d_goes),
        .d_probe     (d_probe),
        .d_fits      (d_fits),
        .d_none      (d_none),
        .d_tx_at     (d_tx_at),
        .d_rx_at     (d_rx_at),
        .d_limit_at  (d_limit_at),
        .probe_idle  (probe_idle),
        .tx_busy     (link_tx_busy),
        .rx_busy     (link_rx_busy),
        .stack_full  (at_limit | link_full),
        .take        (take),
        .offload     (offload),
        .refuse      (refuse),
        .ans_valid   (ans_valid),
        .ans_ready   (ans_ready),
        .ans_warp    (ans_warp),
        .ans_offload (ans_offload),
        .ans_reason  (ans_reason),
        .ans_stack   (ans_stack)
    );

    // ------------------------------------------------------------------
    // Probe engine and packet engine

    wire save;
    wire save_done;
    wire saved_sent;
    wire reg_sent;

    ${prefix}ndp_offload_probe probe (
        .clk           (clk),
        .rst           (rst),
        .idle          (probe_idle),
        .take          (take),
        .d_warp        (d_warp),
        .d_index       (d_index),
        .d_mask        (d_mask),
        .d_rules       (d_rules),
        .save          (save),
        .save_done     (save_done),
        .sent          (saved_sent),
        .probe_valid   (probe_valid),
        .probe_ready   (probe_ready),
        .probe_warp    (probe_warp),
        .first_valid   (first_valid),
        .first_ready   (first_ready),
        .first_none    (first_none),
        .first_address (first_address),
        .first_learned (first_learned),
        .back          (back),
        .warp          (back_warp),
        .index         (back_index),
        .mask          (back_mask),
        .rules         (back_rules),
        .none          (back_none),
        .address       (back_address),
        .baseline      (back_baseline),
        .learned       (back_learned),
        .offload       (offload)
    );

    ${prefix}ndp_offload_sender sender (
        .clk            (clk),
        .rst            (rst),
        .offer          (d_valid),
        .push           (offload),
        .job            ({d_back, d_stack, d_mask, d_index, d_warp}),
        .save           (save),
        .save_warp      (back_warp),
        .save_index     (back_index),
        .save_done      (save_done),
        .saved_sent     (saved_sent),
        .fetch          (fetch),
        .fetch_index    (fetch_index),
        .packet         (packet),
        .flush_valid    (flush_valid),
        .flush_ready    (flush_ready),
        .flush_warp     (flush_warp),
        .reg_read_valid (reg_read_valid),
        .reg_read_ready (reg_read_ready),
        .reg_read_warp  (reg_read_warp),
        .reg_read_reg   (reg_read_reg),
        .reg_data_valid (reg_data_valid),
        .reg_data_row   (reg_data_row),
        .tx_valid       (tx_valid),
        .tx_ready       (tx_ready),
        .tx_stack       (tx_stack),
        .tx_head        (tx_head),
        .tx_last        (tx_last),
        .tx_data        (tx_data),
        .reg_sent       (reg_sent)
    );

    // ------------------------------------------------------------------
    // Acknowledgements

    wire stray_end;

    ${prefix}ndp_offload_receiver receiver (
        .clk             (clk),
        .rst             (rst),
        .ack_valid       (ack_valid),
        .ack_ready       (ack_ready),
        .ack_data        (ack_data),
        .fetch           (fetch),
        .look            (look),
        .look_index      (look_index),
        .look_warp       (look_warp),
        .packet_end      (packet[COUNT_W+PC_W +: PC_W]),
        .packet_out      (packet[PACKET_W-1 -: REGS]),
        .found           (found),
        .reg_write_valid (reg_write_valid),
        .reg_write_ready (reg_write_ready),
        .reg_write_warp  (reg_write_warp),
        .reg_write_reg   (reg_write_reg),
        .reg_write_mask  (reg_write_mask),
        .reg_write_row   (reg_write_row),
        .inval_valid     (inval_valid),
        .inval_ready     (inval_ready),
        .inval_line      (inval_line),
        .release_valid   (release_valid),
        .release_ready   (release_ready),
        .release_warp    (release_warp),
        .release_pc      (release_pc),
        .stray_end       (stray_end)
    );

    // ------------------------------------------------------------------
    // Registers

    wire count_asked           = accept;
    wire count_offloaded       = offload;
    wire count_refused_off     = refuse[1];
    wire count_refused_entry   = refuse[2];
    wire count_refused_cond    = refuse[3];
    wire count_refused_tx      = refuse[4];
    wire count_refused_rx      = refuse[5];
    wire count_refused_full    = refuse[6];
    wire count_refused_save    = refuse[7];
    wire count_refused_address = refuse[8];
    wire count_probes          = probe_valid && probe_ready;
    wire count_released        = released;
    wire count_stray           = stray_end;
    wire count_tx_flits        = tx_valid && tx_ready;
    wire count_rx_flits        = ack_valid && ack_ready;
    wire count_regs_sent       = reg_sent;
    wire count_regs_written    = reg_write_valid && reg_write_ready;
    wire count_invalidated     = inval_valid && inval_ready;
    wire count_ask_blocked     = ask_valid && !ask_ready;

    ${prefix}ndp_offload_regs regs (
        .clk                   (clk),
        .rst                   (rst),
        .wb_cyc                (wb_cyc),
        .wb_stb                (wb_stb),
        .wb_we                 (wb_we),
        .wb_adr                (wb_adr),
        .wb_dat_w              (wb_dat_w),
        .wb_sel                (wb_sel),
        .wb_dat_r              (wb_dat_r),
        .wb_ack                (wb_ack),
        .mode                  (mode),
        .map_bit               (map_bit),
        .limit                 (limit),
        .busy_on               (busy_on),
        .busy_off              (busy_off),
        .window                (window),
${count_ports(21)},
        .map_bit_next          (map_bit_next),
        .limit_next            (limit_next)
    );

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_offload_formal.vh"
`endif
endmodule

`default_nettype wire
