//% use "ndp_dies_row_formal.vh"
//% local AT_W = clog2(L.ROW_BEATS + 1)
${header{title = "near-bank unit over the cut: beats of a moved row", text = [[
Counts the beats of a row for the mover that has it: the first is the header, and
how many data beats follow depends on what is moved.

Handshake: pred stands still from valid to left.

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_dies_row (
    input  wire clk,   // clock
    input  wire rst,   // synchronous reset, active high

    // the mover
    input  wire valid, // it has a row, and so a beat
    input  wire pred,  // of a predicate
    output wire first, // the beat is the first
    output wire shift, // it is taken
    output wire left,  // and was the last

    // the cut
    input  wire ready, // takes a beat
    output wire last   // the beat is the last
);
    localparam AT_W = ${AT_W}; // bits of a number of beats

    localparam [AT_W-1:0] MORE_ROW  = ${AT_W}'d${L.ROW_BEATS}; // after the header
    localparam [AT_W-1:0] MORE_PRED = ${AT_W}'d${L.PRED_BEATS};

    reg [AT_W-1:0] at; // beats that have been taken

    assign first = at == {AT_W{1'b0}};
    assign last  = at == (pred ? MORE_PRED : MORE_ROW);
    assign shift = valid && ready;
    assign left  = shift && last;

    always @(posedge clk) begin
        if (rst || left)
            at <= {AT_W{1'b0}};
        else if (shift)
            at <= at + 1'b1;
    end

`ifdef FORMAL
`include "${prefix}ndp_dies_row_formal.vh"
`endif
endmodule

`default_nettype wire
