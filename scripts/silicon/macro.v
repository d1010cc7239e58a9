// macro.v - the black box that memory.v puts in place of a memory.

(* blackbox *)
module memory_macro #(
    parameter ABITS = 1, WIDTH = 1, READS = 1, WRITES = 1
) (
    input [READS*ABITS-1:0] read_address,
    input [READS-1:0] read_enable,
    output [READS*WIDTH-1:0] read_data,
    input [WRITES*ABITS-1:0] write_address,
    input [WRITES*WIDTH-1:0] write_enable,
    input [WRITES*WIDTH-1:0] write_data
);
endmodule
