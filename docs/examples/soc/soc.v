// soc.v - three blocks of ndpgen behind one bus (docs/soc.md).
//
// A bus master, which is a processor in a real design and soc_tb.v here, sets the
// blocks' registers and plays the compiler and the core: it loads metadata, writes
// registers of warps, asks on behalf of a warp, and looks at the answer.
//
//     0x0000  offload: its registers        0x2000  emn: its registers
//     0x1000  analyzer: its registers       0x3000  mailbox: see soc_mailbox
//
// Sizes are those of the emitted headers, so another configuration is a new run of
// ndpgen and nothing else, as long as LANES fit in a mailbox word.

`include "ndp_offload.vh"
`include "ndp_analyzer.vh"
`include "ndp_emn.vh"

`default_nettype none

module soc (
    input  wire        clk,
    input  wire        rst,

    // Wishbone B4 classic, byte addresses
    input  wire        cyc,
    input  wire        stb,
    input  wire        we,
    input  wire [13:0] adr,
    input  wire [31:0] dat_w,
    input  wire [3:0]  sel,
    output wire [31:0] dat_r,
    output wire        ack,

    output wire        irq     // the analyzer has learned a mapping
);
    // ------------------------------------------------------------------
    // Bus: a region a block.  dat_r of a block is zero while it does not
    // acknowledge, so that reading is an OR.

    wire [3:0]  at = 4'd1 << adr[13:12];
    wire [31:0] dat_r_offload, dat_r_analyzer, dat_r_emn, dat_r_mailbox;
    wire        ack_offload, ack_analyzer, ack_emn, ack_mailbox;

    assign dat_r = dat_r_offload | dat_r_analyzer | dat_r_emn | dat_r_mailbox;
    assign ack   = ack_offload | ack_analyzer | ack_emn | ack_mailbox;

    wire unused = &{1'b0, adr[11:7], adr[1:0]};

    // ------------------------------------------------------------------
    // What the mailbox asks for, and what it is told

    wire                             ask_valid, ask_ready;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   ask_warp;
    wire [`NDP_OFFLOAD_KEY_W-1:0]    ask_key;
    wire [`NDP_OFFLOAD_LANES-1:0]    ask_mask;
    wire [`NDP_OFFLOAD_ADDR_W-1:0]   ask_address;
    wire                             ans_valid, ans_offload;
    wire [3:0]                       ans_reason;
    wire [`NDP_OFFLOAD_STACK_W-1:0]  ans_stack;
    wire                             release_valid;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   release_warp;
    wire [`NDP_OFFLOAD_PC_W-1:0]     release_pc;
    wire                             load_valid;
    wire [`NDP_OFFLOAD_INDEX_W-1:0]  load_index;
    wire [`NDP_OFFLOAD_ENTRY_W-1:0]  load_entry;

    wire                             ev_valid, ev_ready;
    wire [1:0]                       ev_op;
    wire [`NDP_ANALYZER_WARP_W-1:0]  ev_warp;
    wire [`NDP_ANALYZER_ADDR_W-1:0]  ev_address;

    wire                             req_valid;
    wire [`NDP_EMN_NODE_W-1:0]       req_core;
    wire [`NDP_EMN_MEM_W-1:0]        req_mem0, req_mem1;
    wire                             meet_valid, meet_found;
    wire [`NDP_EMN_NODE_W-1:0]       meet_node;

    wire                             cell_write;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   cell_warp;
    wire [`NDP_OFFLOAD_REG_W-1:0]    cell_reg;
    wire [`NDP_OFFLOAD_LANE_W-1:0]   cell_lane;
    wire [31:0]                      cell_data_w, cell_data_r;

    soc_mailbox box (
        .clk           (clk),
        .rst           (rst),
        .cyc           (cyc && at[3]),
        .stb           (stb),
        .we            (we),
        .adr           (adr[5:2]),
        .dat_w         (dat_w),
        .dat_r         (dat_r_mailbox),
        .ack           (ack_mailbox),
        .load_valid    (load_valid),
        .load_index    (load_index),
        .load_entry    (load_entry),
        .ask_valid     (ask_valid),
        .ask_ready     (ask_ready),
        .ask_warp      (ask_warp),
        .ask_key       (ask_key),
        .ask_mask      (ask_mask),
        .ask_address   (ask_address),
        .ans_valid     (ans_valid),
        .ans_offload   (ans_offload),
        .ans_reason    (ans_reason),
        .ans_stack     (ans_stack),
        .release_valid (release_valid),
        .release_warp  (release_warp),
        .release_pc    (release_pc),
        .cell_write    (cell_write),
        .cell_warp     (cell_warp),
        .cell_reg      (cell_reg),
        .cell_lane     (cell_lane),
        .cell_data_w   (cell_data_w),
        .cell_data_r   (cell_data_r),
        .ev_valid      (ev_valid),
        .ev_ready      (ev_ready),
        .ev_op         (ev_op),
        .ev_warp       (ev_warp),
        .ev_address    (ev_address),
        .req_valid     (req_valid),
        .req_core      (req_core),
        .req_mem0      (req_mem0),
        .req_mem1      (req_mem1),
        .meet_valid    (meet_valid),
        .meet_found    (meet_found),
        .meet_node     (meet_node)
    );

    // ------------------------------------------------------------------
    // The offload controller between a core and its links

    wire                             oper_valid, oper_ready;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   oper_warp;
    wire [`NDP_OFFLOAD_REG_W-1:0]    oper_reg;
    wire [`NDP_OFFLOAD_LANE_W-1:0]   oper_lane;
    wire                             value_valid;
    wire [31:0]                      value_data;
    wire                             read_valid, read_ready;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   read_warp;
    wire [`NDP_OFFLOAD_REG_W-1:0]    read_reg;
    wire                             data_valid;
    wire [`NDP_OFFLOAD_ROW_W-1:0]    data_row;
    wire                             write_valid, write_ready;
    wire [`NDP_OFFLOAD_WARP_W-1:0]   write_warp;
    wire [`NDP_OFFLOAD_REG_W-1:0]    write_reg;
    wire [`NDP_OFFLOAD_LANES-1:0]    write_mask;
    wire [`NDP_OFFLOAD_ROW_W-1:0]    write_row;
    wire                             tx_valid, tx_ready, tx_head, tx_last;
    wire [`NDP_OFFLOAD_STACK_W-1:0]  tx_stack;
    wire [`NDP_OFFLOAD_FLIT_W-1:0]   tx_data;
    wire                             reply_valid, reply_ready;
    wire [`NDP_OFFLOAD_FLIT_W-1:0]   reply_data;

    // one link, so all stacks share it in this example
    wire [`NDP_OFFLOAD_STACKS-1:0] link_tx =
        {{(`NDP_OFFLOAD_STACKS-1){1'b0}}, tx_valid && tx_ready} << tx_stack;

    /* verilator lint_off PINCONNECTEMPTY */
    ndp_offload controller (
        .clk             (clk),
        .rst             (rst),
        .ask_valid       (ask_valid),
        .ask_ready       (ask_ready),
        .ask_warp        (ask_warp),
        .ask_key         (ask_key),
        .ask_mask        (ask_mask),
        .ask_address     (ask_address),
        .ask_learned     (1'b0),
        .ans_valid       (ans_valid),
        .ans_ready       (1'b1),
        .ans_warp        (),
        .ans_offload     (ans_offload),
        .ans_reason      (ans_reason),
        .ans_stack       (ans_stack),
        .oper_valid      (oper_valid),
        .oper_ready      (oper_ready),
        .oper_warp       (oper_warp),
        .oper_reg        (oper_reg),
        .oper_lane       (oper_lane),
        .value_valid     (value_valid),
        .value_data      (value_data),
        .probe_valid     (),               // its blocks begin with an access
        .probe_ready     (1'b0),
        .probe_warp      (),
        .first_valid     (1'b0),
        .first_ready     (),
        .first_none      (1'b0),
        .first_address   ({`NDP_OFFLOAD_ADDR_W{1'b0}}),
        .first_learned   (1'b0),
        .flush_valid     (),               // no cache: nothing to drain
        .flush_ready     (1'b1),
        .flush_warp      (),
        .reg_read_valid  (read_valid),
        .reg_read_ready  (read_ready),
        .reg_read_warp   (read_warp),
        .reg_read_reg    (read_reg),
        .reg_data_valid  (data_valid),
        .reg_data_row    (data_row),
        .tx_valid        (tx_valid),
        .tx_ready        (tx_ready),
        .tx_stack        (tx_stack),
        .tx_head         (tx_head),
        .tx_last         (tx_last),
        .tx_data         (tx_data),
        .ack_valid       (reply_valid),
        .ack_ready       (reply_ready),
        .ack_data        (reply_data),
        .reg_write_valid (write_valid),
        .reg_write_ready (write_ready),
        .reg_write_warp  (write_warp),
        .reg_write_reg   (write_reg),
        .reg_write_mask  (write_mask),
        .reg_write_row   (write_row),
        .inval_valid     (),
        .inval_ready     (1'b1),
        .inval_line      (),
        .release_valid   (release_valid),
        .release_ready   (1'b1),
        .release_warp    (release_warp),
        .release_pc      (release_pc),
        .link_tx         (link_tx),
        .link_rx         ({`NDP_OFFLOAD_STACKS{1'b0}}),
        .link_full       ({`NDP_OFFLOAD_STACKS{1'b0}}),
        .link_tx_busy    (),
        .link_rx_busy    (),
        .load_valid      (load_valid),
        .load_ready      (),               // ready long before software is
        .load_index      (load_index),
        .load_entry      (load_entry),
        .wb_cyc          (cyc && at[0]),
        .wb_stb          (stb),
        .wb_we           (we),
        .wb_adr          (adr[2 +: `NDP_OFFLOAD_ADDRESS_BITS]),
        .wb_dat_w        (dat_w),
        .wb_sel          (sel),
        .wb_dat_r        (dat_r_offload),
        .wb_ack          (ack_offload)
    );

    soc_registers registers (
        .clk         (clk),
        .rst         (rst),
        .oper_valid  (oper_valid),
        .oper_ready  (oper_ready),
        .oper_at     ({oper_warp, oper_reg}),
        .oper_lane   (oper_lane),
        .value_valid (value_valid),
        .value_data  (value_data),
        .read_valid  (read_valid),
        .read_ready  (read_ready),
        .read_at     ({read_warp, read_reg}),
        .data_valid  (data_valid),
        .data_row    (data_row),
        .write_valid (write_valid),
        .write_ready (write_ready),
        .write_at    ({write_warp, write_reg}),
        .write_mask  (write_mask),
        .write_row   (write_row),
        .cell_write  (cell_write),
        .cell_at     ({cell_warp, cell_reg}),
        .cell_lane   (cell_lane),
        .cell_data_w (cell_data_w),
        .cell_data_r (cell_data_r)
    );

    soc_stack stack (
        .clk         (clk),
        .rst         (rst),
        .tx_valid    (tx_valid),
        .tx_ready    (tx_ready),
        .tx_head     (tx_head),
        .tx_last     (tx_last),
        .tx_data     (tx_data),
        .reply_valid (reply_valid),
        .reply_ready (reply_ready),
        .reply_data  (reply_data)
    );

    // ------------------------------------------------------------------
    // The map analyzer and the meet node table, fed by the mailbox

    ndp_analyzer learner (
        .clk             (clk),
        .rst             (rst),
        .ev_valid        (ev_valid),
        .ev_ready        (ev_ready),
        .ev_op           (ev_op),
        .ev_warp         (ev_warp),
        .ev_address      (ev_address),
        .outside_valid   (),
        .outside_address (),
        .load_valid      (1'b0),
        .load_ready      (),
        .load_index      ({`NDP_ANALYZER_RANGE_W{1'b0}}),
        .load_start      ({`NDP_ANALYZER_ADDR_W{1'b0}}),
        .load_length     ({`NDP_ANALYZER_ADDR_W{1'b0}}),
        .query_valid     (1'b0),
        .query_index     ({`NDP_ANALYZER_QUERY_W{1'b0}}),
        .query_done      (),
        .query_score     (),
        .query_sum       (),
        .query_touched   (),
        .irq             (irq),
        .irq_best        (),
        .wb_cyc          (cyc && at[1]),
        .wb_stb          (stb),
        .wb_we           (we),
        .wb_adr          (adr[2 +: `NDP_ANALYZER_ADDRESS_BITS]),
        .wb_dat_w        (dat_w),
        .wb_sel          (sel),
        .wb_dat_r        (dat_r_analyzer),
        .wb_ack          (ack_analyzer)
    );

    ndp_emn meets (
        .clk       (clk),
        .rst       (rst),
        .req_valid (req_valid),
        .req_id    ({`NDP_EMN_ID_W{1'b0}}),
        .req_core  (req_core),
        .req_mem0  (req_mem0),
        .req_mem1  (req_mem1),
        .ans_valid (meet_valid),
        .ans_id    (),
        .ans_found (meet_found),
        .ans_node  (meet_node),
        .wb_cyc    (cyc && at[2]),
        .wb_stb    (stb),
        .wb_we     (we),
        .wb_adr    (adr[2 +: `NDP_EMN_ADDRESS_BITS]),
        .wb_dat_w  (dat_w),
        .wb_sel    (sel),
        .wb_dat_r  (dat_r_emn),
        .wb_ack    (ack_emn)
    );
    /* verilator lint_on PINCONNECTEMPTY */
endmodule

`default_nettype wire
