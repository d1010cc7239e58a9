${header{title = "event counter", text = [[
Counts the edges on which count is high and stops at its maximum.

Parameters:
    WIDTH  bits of the value, 2 or more

Latency: value shows an event after its edge.  Clear wins over count.

Events come late in a cycle, so everything but the step itself is prepared:
which bits it would flip, and a flag that says that the maximum is reached.]]}}
`default_nettype none

module ${prefix}ndp_counter #(
    parameter WIDTH = 32
) (
    input  wire             clk,   // clock
    input  wire             clear, // set the value to zero
    input  wire             count, // an event
    output reg  [WIDTH-1:0] value  // events so far
);
    localparam [WIDTH-1:0] ALMOST = {{(WIDTH-1){1'b1}}, 1'b0}; // one below full

    reg              full; // the value is all ones
    wire             step = count && !full;
    wire [WIDTH-1:0] flip = value ^ (value + 1'b1);

    always @(posedge clk) begin
        if (clear) begin
            value <= {WIDTH{1'b0}};
            full  <= 1'b0;
        end else begin
            value <= value ^ ({WIDTH{step}} & flip);
            full  <= full || (step && value == ALMOST);
        end
    end
endmodule

`default_nettype wire
