//% use "ndp_lsu_rmw_rows_formal.vh"
${header{title = "read-modify-write unit: rows of two", text = [[
Rows of the front end and own ones go to the far register file, in turn if both are
there; the one that is shown stands until it is taken.  The front end is told then.

    init -> kept -+
    own ----------+-> row

Latency: an edge; a row of the front end is taken an edge after it was taken at row.

See docs/blocks/lsu_rmw.md, Who shares what.]]}}
`default_nettype none

module ${prefix}ndp_lsu_rmw_rows #(
    parameter LANES  = ${L.LANES},
    parameter WARP_W = ${L.WARP_W},
    parameter REG_W  = ${L.REG_W},
    parameter ROW_W  = ${L.ROW_W}
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              init_valid, // a row of the front end
    output reg               init_ready, // it has been taken at row
    input  wire [WARP_W-1:0] init_warp,  // warp
    input  wire [REG_W-1:0]  init_reg,   // register
    input  wire [LANES-1:0]  init_mask,  // lanes to write
    input  wire [ROW_W-1:0]  init_row,   // a lane in 32 bits
    input  wire              own_wants,  // an own row, until it is taken
    output wire              own_taken,  // on this edge
    input  wire [WARP_W-1:0] own_warp,   // warp
    input  wire [REG_W-1:0]  own_reg,    // register
    input  wire [LANES-1:0]  own_mask,   // lanes to write
    input  wire [ROW_W-1:0]  own_row,    // a lane in 32 bits
    output wire              row_valid,  // a row
    input  wire              row_ready,  // taken
    output wire [WARP_W-1:0] row_warp,   // warp
    output wire [REG_W-1:0]  row_reg,    // register
    output wire [LANES-1:0]  row_mask,   // lanes to write
    output wire [ROW_W-1:0]  row_row     // a lane in 32 bits
);
    reg held;  // one of the front end is shown,
    reg shown; // an own one is
    reg turn;  // an own one comes first

    reg [WARP_W-1:0] warp;
    reg [REG_W-1:0]  register;
    reg [LANES-1:0]  mask;
    reg [ROW_W-1:0]  data;

    assign row_valid = held || shown;

    wire takes = !row_valid && init_valid && !init_ready && !(own_wants && turn);
    wire shows = !row_valid && own_wants && !takes;

    always @(posedge clk) begin
        if (rst) begin
            held  <= 1'b0;
            shown <= 1'b0;
        end else if (takes || shows) begin
            held  <= takes;
            shown <= shows;
        end else if (row_ready) begin
            held  <= 1'b0;
            shown <= 1'b0;
        end
    end

    always @(posedge clk) begin
        init_ready <= !rst && held && row_ready;
    end

    always @(posedge clk) begin
        if (rst)
            turn <= 1'b0;
        else if (takes || shows)
            turn <= takes;
    end

    always @(posedge clk) begin
        if (takes) begin
            warp     <= init_warp;
            register <= init_reg;
            mask     <= init_mask;
            data     <= init_row;
        end
    end

    assign own_taken = shown && row_ready;

    assign row_warp = held ? warp : shown ? own_warp : {WARP_W{1'b0}};
    assign row_reg  = held ? register : shown ? own_reg : {REG_W{1'b0}};
    assign row_mask = held ? mask : shown ? own_mask : {LANES{1'b0}};
    assign row_row  = held ? data : shown ? own_row : {ROW_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_lsu_rmw_rows_formal.vh"
`endif
endmodule

`default_nettype wire
