// soc_mailbox.v - a processor's end of the channels (docs/soc.md).
//
// Words that start something in the blocks, and words that tell what came of it.
// A request stands, valid, until its block takes it; that is all the glue that a
// channel with valid and ready needs.
//
//     0-3  w  a metadata entry, 32 bits each      9   w  register: warp, reg, lane
//     4    w  its index; loads it                 10  rw its value
//     5    w  address of an ask                   11  w  meet node: core, mem0, mem1
//     6    w  warp, key, mask (a byte each); asks 12  r  31 known, 30 there is one, node
//     7    r  31 answered, 30 offload, reason, stack   13  w  address of an event
//     8    r  31 released, warp, pc               14  w  op, warp; event

`include "ndp_offload.vh"
`include "ndp_analyzer.vh"
`include "ndp_emn.vh"

`default_nettype none

module soc_mailbox (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             cyc,
    input  wire                             stb,
    input  wire                             we,
    input  wire [3:0]                       adr,
    input  wire [31:0]                      dat_w,
    output reg  [31:0]                      dat_r,
    output reg                              ack,

    output reg                              load_valid,
    output reg  [`NDP_OFFLOAD_INDEX_W-1:0]  load_index,
    output wire [`NDP_OFFLOAD_ENTRY_W-1:0]  load_entry,

    output reg                              ask_valid,
    input  wire                             ask_ready,
    output reg  [`NDP_OFFLOAD_WARP_W-1:0]   ask_warp,
    output reg  [`NDP_OFFLOAD_KEY_W-1:0]    ask_key,
    output reg  [`NDP_OFFLOAD_LANES-1:0]    ask_mask,
    output reg  [`NDP_OFFLOAD_ADDR_W-1:0]   ask_address,
    input  wire                             ans_valid,
    input  wire                             ans_offload,
    input  wire [3:0]                       ans_reason,
    input  wire [`NDP_OFFLOAD_STACK_W-1:0]  ans_stack,
    input  wire                             release_valid,
    input  wire [`NDP_OFFLOAD_WARP_W-1:0]   release_warp,
    input  wire [`NDP_OFFLOAD_PC_W-1:0]     release_pc,

    output reg                              cell_write,
    output reg  [`NDP_OFFLOAD_WARP_W-1:0]   cell_warp,
    output reg  [`NDP_OFFLOAD_REG_W-1:0]    cell_reg,
    output reg  [`NDP_OFFLOAD_LANE_W-1:0]   cell_lane,
    output reg  [31:0]                      cell_data_w,
    input  wire [31:0]                      cell_data_r,

    output reg                              ev_valid,
    input  wire                             ev_ready,
    output reg  [1:0]                       ev_op,
    output reg  [`NDP_ANALYZER_WARP_W-1:0]  ev_warp,
    output reg  [`NDP_ANALYZER_ADDR_W-1:0]  ev_address,

    output reg                              req_valid,
    output reg  [`NDP_EMN_NODE_W-1:0]       req_core,
    output reg  [`NDP_EMN_MEM_W-1:0]        req_mem0,
    output reg  [`NDP_EMN_MEM_W-1:0]        req_mem1,
    input  wire                             meet_valid,
    input  wire                             meet_found,
    input  wire [`NDP_EMN_NODE_W-1:0]       meet_node
);
    wire take  = cyc && stb && !ack;
    wire write = take && we;

    always @(posedge clk)
        ack <= !rst && take;

    // written words
    reg [127:0] entry;
    assign load_entry = entry[`NDP_OFFLOAD_ENTRY_W-1:0];
    wire unused = &{1'b0, entry[127:`NDP_OFFLOAD_ENTRY_W]};

    always @(posedge clk) begin
        if (write)
            case (adr)
                4'd0:  entry[31:0]    <= dat_w;
                4'd1:  entry[63:32]   <= dat_w;
                4'd2:  entry[95:64]   <= dat_w;
                4'd3:  entry[127:96]  <= dat_w;
                4'd4:  load_index     <= dat_w[0 +: `NDP_OFFLOAD_INDEX_W];
                4'd5:  ask_address    <= dat_w;
                4'd6: begin
                    ask_warp <= dat_w[0 +: `NDP_OFFLOAD_WARP_W];
                    ask_key  <= dat_w[8 +: `NDP_OFFLOAD_KEY_W];
                    ask_mask <= dat_w[16 +: `NDP_OFFLOAD_LANES];
                end
                4'd9: begin
                    cell_warp <= dat_w[0 +: `NDP_OFFLOAD_WARP_W];
                    cell_reg  <= dat_w[8 +: `NDP_OFFLOAD_REG_W];
                    cell_lane <= dat_w[16 +: `NDP_OFFLOAD_LANE_W];
                end
                4'd10: cell_data_w    <= dat_w;
                4'd11: begin
                    req_core <= dat_w[0 +: `NDP_EMN_NODE_W];
                    req_mem0 <= dat_w[8 +: `NDP_EMN_MEM_W];
                    req_mem1 <= dat_w[16 +: `NDP_EMN_MEM_W];
                end
                4'd13: ev_address     <= dat_w[0 +: `NDP_ANALYZER_ADDR_W];
                4'd14: begin
                    ev_op   <= dat_w[1:0];
                    ev_warp <= dat_w[8 +: `NDP_ANALYZER_WARP_W];
                end
                default: ;
            endcase
    end

    // requests: from the write until they are taken; the last two cannot be refused
    always @(posedge clk) begin
        if (rst) begin
            ask_valid  <= 1'b0;
            ev_valid   <= 1'b0;
            load_valid <= 1'b0;
            cell_write <= 1'b0;
            req_valid  <= 1'b0;
        end else begin
            ask_valid  <= (write && adr == 4'd6) || (ask_valid && !ask_ready);
            ev_valid   <= (write && adr == 4'd14) || (ev_valid && !ev_ready);
            load_valid <= write && adr == 4'd4;
            cell_write <= write && adr == 4'd10;
            req_valid  <= write && adr == 4'd11;
        end
    end

    // what came
    reg                             answered, offloads, released, met, found;
    reg [3:0]                       reason;
    reg [`NDP_OFFLOAD_STACK_W-1:0]  to;
    reg [`NDP_OFFLOAD_WARP_W-1:0]   warp;
    reg [`NDP_OFFLOAD_PC_W-1:0]     pc;
    reg [`NDP_EMN_NODE_W-1:0]       node;

    always @(posedge clk) begin
        answered <= !rst && (ans_valid || (answered && !(write && adr == 4'd6)));
        released <= !rst && (release_valid || (released && !(write && adr == 4'd6)));
        met      <= !rst && (meet_valid || (met && !(write && adr == 4'd11)));
        if (ans_valid) begin
            offloads <= ans_offload;
            reason   <= ans_reason;
            to       <= ans_stack;
        end
        if (release_valid) begin
            warp <= release_warp;
            pc   <= release_pc;
        end
        if (meet_valid) begin
            found <= meet_found;
            node  <= meet_node;
        end
    end

    always @(posedge clk) begin
        dat_r <= 32'd0;
        if (take && !we) begin
            case (adr)
                4'd7:  dat_r <= {answered, offloads, 14'd0, 4'd0, reason,
                                 {(8-`NDP_OFFLOAD_STACK_W){1'b0}}, to};
                4'd8:  dat_r <= {released, 7'd0, {(8-`NDP_OFFLOAD_WARP_W){1'b0}},
                                 warp, {(16-`NDP_OFFLOAD_PC_W){1'b0}}, pc};
                4'd10: dat_r <= cell_data_r;
                4'd12: dat_r <= {met, found, {(30-`NDP_EMN_NODE_W){1'b0}}, node};
                default: ;
            endcase
        end
    end
endmodule

`default_nettype wire
