//% use "ndp_prefetch_iterative_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local STEP_W = clog2(L.SIZE_W)
${header{title = "prefetcher: division bit by bit", text = [[
Row and column of a position in an image, by a restoring division: one bit of
the quotient an edge, from the highest one down.

Latency: the results after SIZE_W edges.  The next division may begin on the
edge after; the result is there for one edge.  Bounds along y pass through: they
are stable until then.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_iterative (
    input  wire         clk,      // clock
    input  wire         rst,      // synchronous reset, active high
    input  wire         found,    // a division begins
    input  wire ${w(L.SIZE_W)} position, // bytes from the image's begin
    input  wire ${w(held_divisor_w)} divisor,  // row pitch
    input  wire ${w(L.X_W)} x_lo,     // bounds along x
    input  wire ${w(L.X_W)} x_hi,     //
    input  wire ${w(L.X_W)} x_turn,   //
    input  wire ${w(L.X_W)} x_last,   //
    output reg          done,     // the division is done
    output wire ${w(L.ROW_W)} row,      // row
    output wire         lt_lo,    // the column is less than the bound
    output wire         lt_hi,    //
    output wire         lt_turn,  //
    output wire         lt_last   //
);
${localparams("SIZE_W", "PITCH_W")}

    localparam STEP_W = ${STEP_W}; // counts the steps

    reg [STEP_W-1:0]  steps;    // still to be made
    reg [SIZE_W-1:0]  quotient; // of it, and the rest of the dividend above
    reg [PITCH_W-1:0] remainder;

    wire [SIZE_W-1:0]  dividend = found ? position : quotient;
    wire [PITCH_W-1:0] rest     = found ? {PITCH_W{1'b0}} : remainder;
    wire [PITCH_W:0]   trial    = {rest, dividend[SIZE_W-1]};
    wire [PITCH_W:0]   smaller  = trial - divisor;
    wire               fits     = trial >= divisor;

    // What is left is below the pitch, so its highest bit is zero.
    wire unused = smaller[PITCH_W];

    always @(posedge clk) begin
        quotient  <= {dividend[SIZE_W-2:0], fits};
        remainder <= fits ? smaller[PITCH_W-1:0] : trial[PITCH_W-1:0];
    end

    always @(posedge clk) begin
        if (rst)
            steps <= {STEP_W{1'b0}};
        else if (found)
            steps <= ${STEP_W}'d${L.SIZE_W - 1};
        else if (steps != {STEP_W{1'b0}})
            steps <= steps - 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            done <= 1'b0;
        else
            done <= !found && steps == {{(STEP_W-1){1'b0}}, 1'b1};
    end

    wire [${L.X_W - 1}:0] col = {1'b0, remainder};

    assign row     = ${fitted("quotient", L.SIZE_W, L.ROW_W)};
    assign lt_lo   = col < x_lo;
    assign lt_hi   = col < x_hi;
    assign lt_turn = col < x_turn;
    assign lt_last = col < x_last;

`ifdef FORMAL
`include "${prefix}ndp_prefetch_iterative_formal.vh"
`endif
endmodule

`default_nettype wire
