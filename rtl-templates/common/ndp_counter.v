${header{title = "event counter", text = [[
Counts the edges on which count is high and stops at its maximum.

Parameters:
    WIDTH  bits of the value, 2 or more

Latency: value shows an event after its edge.  Clear wins over count.

Events come late in a cycle, so everything but the event itself is prepared:
which bits it would flip, none once the maximum is reached.]]}}
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

    reg              room; // the value is below its maximum
    wire [WIDTH-1:0] flip = value ^ (value + {{(WIDTH-1){1'b0}}, room});

    always @(posedge clk) begin
        if (clear) begin
            value <= {WIDTH{1'b0}};
            room  <= 1'b1;
        end else begin
            value <= value ^ ({WIDTH{count}} & flip);
            room  <= room && !(count && value == ALMOST);
        end
    end
endmodule

`default_nettype wire
