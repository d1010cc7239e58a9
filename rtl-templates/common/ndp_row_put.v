//% use "ndp_row_put_formal.vh"
${header{title = "a row that is written, pass by pass", text = [[
Holds a register of all lanes and shows it pass by pass, the lowest lanes first, to a
core that writes it.

    load -> row -> pass -> put ... settle -> done

Parameters:
    LANES  lanes of a row
    ALUS   lanes of a pass, a divisor of LANES

Handshake: load and start come while busy is low, start with the last load or later.  A
pass is taken on an edge with put_valid and put_ready both high; after the last one
put_ready says once more that the core has written it.  last and data are zero while
put_valid is low.

Latency: the first pass is there after the edge with start; the row is whole between
two edges without busy.

How: the row is shifted by what was taken, a predicate (lane i is bit i) by a bit for
each lane.]]}}
`default_nettype none

module ${prefix}ndp_row_put #(
    parameter LANES = 8,
    parameter ALUS  = 2
) (
    input  wire                clk,       // clock
    input  wire                rst,       // synchronous reset, active high

    // the row
    input  wire                load,      // it becomes
    input  wire [32*LANES-1:0] load_row,  // this
    input  wire                start,     // it is whole: write it
    input  wire                pred,      // it is a predicate; stands while busy
    output reg  [32*LANES-1:0] row,       // as it is, until start
    output wire                busy,      // it is being written
    output wire                done,      // it has been, with this edge

    // its passes
    output wire                put_valid, // a pass
    input  wire                put_ready, // it is taken, or has been written
    output wire                put_last,  // the last one
    output wire [32*ALUS-1:0]  put_data   // values; of a predicate 0 or 1 each
);
    localparam PASSES = LANES / ALUS;

    localparam [PASSES-1:0] FIRST = ~({PASSES{1'b1}} << 1);

    reg              puts;    // a pass is shown
    reg              settles; // the last one was taken, and is not yet written
    reg [PASSES-1:0] pass;    // which is shown: one bit is 1

    wire taken = puts && put_ready;

    assign busy      = puts || settles;
    assign done      = settles && put_ready;
    assign put_valid = puts;
    assign put_last  = puts && pass[PASSES-1];

    always @(posedge clk) begin
        if (rst) begin
            puts    <= 1'b0;
            settles <= 1'b0;
        end else begin
            puts    <= start || (puts && !(put_last && put_ready));
            settles <= (put_last && put_ready) || (settles && !put_ready);
        end
    end

    always @(posedge clk) begin
        if (start)
            pass <= FIRST;
        else if (taken)
            pass <= pass << 1;
    end

    always @(posedge clk) begin
        if (load)
            row <= load_row;
        else if (taken)
            row <= pred ? row >> ALUS : row >> 32 * ALUS;
    end

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            assign put_data[32*i +: 32] = !puts ? 32'd0          :
                                          pred  ? {31'd0, row[i]} : row[32*i +: 32];
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_row_put_formal.vh"
`endif
endmodule

`default_nettype wire
