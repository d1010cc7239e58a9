// soc_registers.v - register file of the core (docs/soc.md).
//
// The register file of the core: a row of all lanes a register.  It answers the
// controller a cycle after it was asked; the bus sees one word.

`include "ndp_offload.vh"

`default_nettype none

module soc_registers #(
    parameter AT_W = `NDP_OFFLOAD_WARP_W + `NDP_OFFLOAD_REG_W // warp and register
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            oper_valid,
    output wire                            oper_ready,
    input  wire [AT_W-1:0]                 oper_at,
    input  wire [`NDP_OFFLOAD_LANE_W-1:0]  oper_lane,
    output reg                             value_valid,
    output wire [31:0]                     value_data,
    input  wire                            read_valid,
    output wire                            read_ready,
    input  wire [AT_W-1:0]                 read_at,
    output reg                             data_valid,
    output wire [`NDP_OFFLOAD_ROW_W-1:0]   data_row,
    input  wire                            write_valid,
    output wire                            write_ready,
    input  wire [AT_W-1:0]                 write_at,
    input  wire [`NDP_OFFLOAD_LANES-1:0]   write_mask,
    input  wire [`NDP_OFFLOAD_ROW_W-1:0]   write_row,
    input  wire                            cell_write,
    input  wire [AT_W-1:0]                 cell_at,
    input  wire [`NDP_OFFLOAD_LANE_W-1:0]  cell_lane,
    input  wire [31:0]                     cell_data_w,
    output wire [31:0]                     cell_data_r
);
    // one port to read, one to write: rows first, then operands, then the bus
    assign read_ready  = 1'b1;
    assign oper_ready  = !read_valid;
    assign write_ready = !cell_write;

    wire [AT_W-1:0] from = read_valid ? read_at : oper_valid ? oper_at : cell_at;
    wire [AT_W-1:0] to   = cell_write ? cell_at : write_at;
    wire [`NDP_OFFLOAD_LANES-1:0] one =
        {{(`NDP_OFFLOAD_LANES-1){1'b0}}, 1'b1} << cell_lane;
    wire [`NDP_OFFLOAD_LANES-1:0] lanes =
        cell_write  ? one :
        write_valid ? write_mask : {`NDP_OFFLOAD_LANES{1'b0}};

    reg [`NDP_OFFLOAD_LANE_W-1:0] lane;

    always @(posedge clk) begin
        value_valid <= !rst && oper_valid && oper_ready;
        data_valid  <= !rst && read_valid;
        lane        <= oper_valid ? oper_lane : cell_lane;
    end

    genvar i;
    generate
        for (i = 0; i < `NDP_OFFLOAD_LANES; i = i + 1) begin : row
            reg [31:0] words [0:(1 << AT_W)-1];
            reg [31:0] word;

            always @(posedge clk) begin
                if (lanes[i])
                    words[to] <= cell_write ? cell_data_w : write_row[32*i +: 32];
                word <= words[from];
            end
            assign data_row[32*i +: 32] = word;
        end
    endgenerate

    assign value_data  = data_row[32*lane +: 32];
    assign cell_data_r = value_data;
endmodule

`default_nettype wire
