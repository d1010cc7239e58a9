${header{title = "an access that waits for its answers", text = [[
What an access is whose transactions have no answers yet: for whom it is, which lanes
wait for which answer, and the row that a load gathers.

Parameters:
    LANES   lanes of a warp
    LANE_W  bits of a lane, and of what stands for a transaction
    WARP_W  bits of a warp id
    REG_W   bits of a register index
    WORD_W  bits of a word within its sector

Latency: free, full and over are functions of registers; what an answer brings is
there after its edge.  An access that is claimed is there after that edge.

See docs/blocks/lsu_hybrid.md, and lsu_ext.md for strided messages.]]}}
`default_nettype none

module ${prefix}ndp_waiting_access #(
    parameter LANES  = 32,
    parameter LANE_W = 5,
    parameter WARP_W = 6,
    parameter REG_W  = 6,
    parameter WORD_W = 3
) (
    input  wire                     clk,          // clock
    input  wire                     rst,          // synchronous reset, active high

    // the access that is checked
    input  wire                     claim,        // it gets this place
    input  wire                     claim_store,  // 1 store, 0 load
    input  wire [WARP_W-1:0]        claim_warp,   // warp
    input  wire [REG_W-1:0]         claim_reg,    // register
    input  wire [LANES-1:0]         claim_mask,   // active lanes
    input  wire [WORD_W*LANES-1:0]  claim_at,     // words within their sectors

    // its transactions
    input  wire [LANES-1:0]         made,         // lanes of one that is made; zero: none
    input  wire [LANE_W-1:0]        made_id,      // its id
    input  wire                     cut,          // all are made and taken
    input  wire                     answer_valid, // an answer
    input  wire [LANE_W-1:0]        answer_id,    // id of the transaction
    input  wire                     answer_fault, // there is no such sector
    input  wire [(32<<WORD_W)-1:0]  answer_data,  // sector that was loaded

    // what becomes of it
    input  wire                     wrote,        // its row has been taken
    input  wire                     ends,         // it ends
    output reg                      used,         // there is an access
    output wire                     full,         // a load's row is whole, and not written
    output wire                     over,         // it can end
    output reg  [WARP_W-1:0]        warp,         // warp
    output reg  [REG_W-1:0]         target,       // register
    output reg  [LANES-1:0]         mask,         // active lanes
    output reg  [32*LANES-1:0]      row,          // row of a load
    output reg                      fault         // an answer had one
);
    reg                     store;
    reg                     is_cut;
    reg                     written;
    reg [LANES-1:0]         waits;
    reg [LANE_W*LANES-1:0]  ids; // answer that a lane waits for
    reg [WORD_W*LANES-1:0]  at;  // its word there

    wire complete = used && is_cut && waits == {LANES{1'b0}};

    assign full = complete && !store && !written;
    assign over = complete && (store || written);

    always @(posedge clk) begin
        if (rst)
            used <= 1'b0;
        else
            used <= claim || (used && !ends);
    end

    always @(posedge clk) begin
        if (claim) begin
            store    <= claim_store;
            warp     <= claim_warp;
            target   <= claim_reg;
            mask     <= claim_mask;
            at       <= claim_at;
            is_cut   <= 1'b0;
            written  <= 1'b0;
        end else begin
            is_cut  <= is_cut || cut;
            written <= written || wrote;
        end
    end

    // ------------------------------------------------------------------
    // Lanes

    wire [LANES-1:0] come; // lanes whose answer this is

    always @(posedge clk) begin
        if (rst || claim)
            waits <= {LANES{1'b0}};
        else
            waits <= (waits & ~come) | made;
    end

    always @(posedge clk) begin
        if (claim)
            fault <= 1'b0;
        else
            fault <= fault || (answer_fault && come != {LANES{1'b0}});
    end

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            assign come[i] = answer_valid && waits[i] && ids[LANE_W*i +: LANE_W] == answer_id;

            always @(posedge clk) begin
                if (made[i])
                    ids[LANE_W*i +: LANE_W] <= made_id;
            end

            always @(posedge clk) begin
                if (claim)
                    row[32*i +: 32] <= 32'd0;
                else if (come[i] && !store)
                    row[32*i +: 32] <= answer_data[32*at[WORD_W*i +: WORD_W] +: 32];
            end
        end
    endgenerate
endmodule

`default_nettype wire
