//% use "ndp_nbu_landing_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local SLICES = L.ROW_BEATS
${header{title = "near-bank unit: landing register of moved rows", text = [[
Takes a row from the bus, beat by beat, and writes it to the register file of
its die.  There is one on each die.

The first beat is the header {kind, final, epoch, register, warp}, warp in the
low bits; data beat i fills slice i of the row.  With the last beat the row is
presented; when the register file has taken it, either the move is finished
(final) and waits for its update of the track table, or the register is free
for the second row of the pair.  The sender must not start a packet before.

Latency: write_valid is up after the edge that takes the last beat.

write_* shows the register itself, also while a row arrives.]]}}
`default_nettype none

module ${prefix}ndp_nbu_landing (
    input  wire          clk,          // clock
    input  wire          rst,          // synchronous reset, active high

    // packet from the bus
    input  wire          beat_valid,   // a beat arrives
    input  wire          beat_first,   // the header
    input  wire          beat_last,    // the last data beat
    input  wire ${w(L.TSV_W)} beat_data,    // beat

    // row into the register file
    output reg           write_valid,  // a row is presented
    input  wire          write_ready,  // taken
    output reg           write_pred,   // a predicate, in the lowest bits
    output reg  ${w(L.WARP_W)} write_warp,   // warp
    output reg  ${w(L.REG_W)} write_reg,    // register
    output reg  ${w(L.ROW_W)} write_row,    // the row

    // the move
    output wire          row_taken,    // a row that is not the move's last
    output reg           finished,     // the move waits for its update
    input  wire          update_taken, // the update is made
    output wire ${w(L.REG_W)} move_reg,     // register, of a pair the even one
    output reg           move_epoch    // its retired epoch
);
${localparams("WARP_W", "REG_W", "TSV_W", "ROW_W", "ROW_BEATS")}

    // Header
    localparam EPOCH_AT = WARP_W + REG_W;
    localparam FINAL_AT = EPOCH_AT + 1;
    localparam KIND_AT  = FINAL_AT + 1;

    localparam [1:0] PAIR      = 2'd1;
    localparam [1:0] PREDICATE = 2'd2;

    wire       header = beat_valid && beat_first;
    wire       data   = beat_valid && !beat_first;
    wire       taken  = write_valid && write_ready;
    wire [1:0] kind   = beat_data[KIND_AT +: 2];

    reg move_final; // this row is the move's last
    reg move_pair;  // this row is half of a pair

    assign row_taken = taken && !move_final;
    assign move_reg  = {write_reg[REG_W-1:1], write_reg[0] && !move_pair};

    always @(posedge clk) begin
        if (rst) begin
            write_pred <= 1'b0;
            write_warp <= {WARP_W{1'b0}};
            write_reg  <= {REG_W{1'b0}};
            move_epoch <= 1'b0;
            move_final <= 1'b0;
            move_pair  <= 1'b0;
        end else if (header) begin
            write_pred <= kind == PREDICATE;
            write_warp <= beat_data[0 +: WARP_W];
            write_reg  <= beat_data[WARP_W +: REG_W];
            move_epoch <= beat_data[EPOCH_AT];
            move_final <= beat_data[FINAL_AT];
            move_pair  <= kind == PAIR;
        end
    end

    // ------------------------------------------------------------------
    // Row.  fill is one-hot: the slice that the next data beat belongs to.

    reg [ROW_BEATS-1:0] fill;
    integer             i;

//% if SLICES > 1 then
    always @(posedge clk) begin
        if (header)
            fill <= {{(ROW_BEATS-1){1'b0}}, 1'b1};
        else if (data)
            fill <= {fill[ROW_BEATS-2:0], 1'b0};
    end
//% else
    always @(posedge clk) begin
        if (header)
            fill <= 1'b1;
    end
//% end

    always @(posedge clk) begin
        if (rst || header) begin
            write_row <= {ROW_W{1'b0}};
        end else if (data) begin
            for (i = 0; i < ROW_BEATS; i = i + 1)
                if (fill[i])
                    write_row[i*TSV_W +: TSV_W] <= beat_data;
        end
    end

    // ------------------------------------------------------------------
    // Hand over

    always @(posedge clk) begin
        if (rst)
            write_valid <= 1'b0;
        else if (data && beat_last)
            write_valid <= 1'b1;
        else if (taken)
            write_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (rst)
            finished <= 1'b0;
        else if (taken && move_final)
            finished <= 1'b1;
        else if (update_taken)
            finished <= 1'b0;
    end

`ifdef FORMAL
`include "${prefix}ndp_nbu_landing_formal.vh"
`endif
endmodule

`default_nettype wire
