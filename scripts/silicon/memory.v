// memory.v - a memory of a design becomes a black box, for synth.ys.

(* techmap_celltype = "$mem_v2" *)
module memory_to_macro (
    RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA
);
    parameter MEMID = "";
    parameter SIZE = 1;
    parameter OFFSET = 0;
    parameter ABITS = 1;
    parameter WIDTH = 1;
    parameter INIT = 1'bx;
    parameter RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 0;
    parameter RD_CLK_POLARITY = 0;
    parameter RD_TRANSPARENCY_MASK = 0;
    parameter RD_COLLISION_X_MASK = 0;
    parameter RD_WIDE_CONTINUATION = 0;
    parameter RD_CE_OVER_SRST = 0;
    parameter RD_ARST_VALUE = 0;
    parameter RD_SRST_VALUE = 0;
    parameter RD_INIT_VALUE = 0;
    parameter WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 0;
    parameter WR_CLK_POLARITY = 0;
    parameter WR_PRIORITY_MASK = 0;
    parameter WR_WIDE_CONTINUATION = 0;
    input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;
    input [WR_PORTS*WIDTH-1:0] WR_DATA;

    memory_macro #(
        .ABITS(ABITS), .WIDTH(WIDTH), .READS(RD_PORTS), .WRITES(WR_PORTS)
    ) _TECHMAP_REPLACE_ (
        .read_address(RD_ADDR), .read_enable(RD_EN), .read_data(RD_DATA),
        .write_address(WR_ADDR), .write_enable(WR_EN), .write_data(WR_DATA)
    );
endmodule
