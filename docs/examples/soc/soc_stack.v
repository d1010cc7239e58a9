// soc_stack.v - a memory stack that computes (docs/soc.md).
//
// A memory stack with a core that knows one thing to do: each lane of the first
// register that comes, plus one, goes back as the only result.

`include "ndp_offload.vh"

`default_nettype none

module soc_stack (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           tx_valid,
    output wire                           tx_ready,
    input  wire                           tx_head,
    input  wire                           tx_last,
    input  wire [`NDP_OFFLOAD_FLIT_W-1:0] tx_data,
    output wire                           reply_valid,
    input  wire                           reply_ready,
    output wire [`NDP_OFFLOAD_FLIT_W-1:0] reply_data
);
    localparam FLITS = `NDP_OFFLOAD_ROW_FLITS;
    localparam WARP  = `NDP_OFFLOAD_WARP_W;
    localparam INDEX = `NDP_OFFLOAD_INDEX_W;
    localparam LANES = `NDP_OFFLOAD_LANES;
    // a request's header: warp, index, begin pc, end pc, mask
    localparam MASK  = WARP + INDEX + 2 * `NDP_OFFLOAD_PC_W;

    reg [`NDP_OFFLOAD_FLIT_W*FLITS-1:0] row;
    reg [WARP+INDEX-1:0]                who;
    reg [LANES-1:0]                     mask;
    reg [7:0]                           beat;
    reg                                 replies;

    assign tx_ready    = !replies;
    assign reply_valid = replies;

    wire [`NDP_OFFLOAD_FLIT_W-1:0] flit = row[`NDP_OFFLOAD_FLIT_W-1:0];
    wire [`NDP_OFFLOAD_FLIT_W-1:0] next;

    genvar i;
    generate
        for (i = 0; i < `NDP_OFFLOAD_FLIT_W / 32; i = i + 1) begin : lane
            assign next[32*i +: 32] = flit[32*i +: 32] + 32'd1;
        end
    endgenerate

    assign reply_data = !replies ? {`NDP_OFFLOAD_FLIT_W{1'b0}} :
        beat == 8'd0 ? {{(`NDP_OFFLOAD_FLIT_W-WARP-INDEX-LANES){1'b0}}, mask, who} :
                       next;

    always @(posedge clk) begin
        if (rst) begin
            beat    <= 8'd0;
            replies <= 1'b0;
        end else if (tx_valid && tx_ready) begin
            if (tx_head) begin
                who  <= tx_data[WARP+INDEX-1:0];
                mask <= tx_data[MASK +: LANES];
            end
            beat <= tx_last ? 8'd0 : beat + 8'd1;
            if (tx_last)
                replies <= 1'b1;
            // the flits of the first register, the first one lowest
            if (!tx_head && beat <= FLITS)
                row <= {tx_data, row[`NDP_OFFLOAD_FLIT_W*FLITS-1:`NDP_OFFLOAD_FLIT_W]};
        end else if (reply_valid && reply_ready) begin
            beat <= beat == FLITS ? 8'd0 : beat + 8'd1;
            if (beat == FLITS)
                replies <= 1'b0;
            if (beat != 8'd0)
                row <= row >> `NDP_OFFLOAD_FLIT_W;
        end
    end
endmodule

`default_nettype wire
