//% use "ndp_dram_channel_timer_formal.vh"
${header{title = "edges until a command is legal", text = [[
Counts down to zero.  A command takes ready away at once; its edges are loaded on the
edge after, if they are more than what is left.  So a command that is decided late on
its edge passes few gates.

Parameters:
    WIDTH   bits of a number of edges
    EVENTS  commands that load
    EDGES   what each loads, one or more; no event less than one in a lower bit

Latency: a load of n on edge t lets ready be high from edge t+n+1 on.]]}}
`default_nettype none

module ${prefix}ndp_dram_channel_timer #(
    parameter                    WIDTH  = 4,
    parameter                    EVENTS = 2,
    parameter [EVENTS*WIDTH-1:0] EDGES  = {4'd9, 4'd3}
) (
    input  wire              clk,    // clock
    input  wire              rst,    // synchronous reset, active high
    input  wire [EVENTS-1:0] events, // commands on this edge
    output reg               ready   // nothing is left to wait for
);
    reg  [EVENTS-1:0] last; // commands of the edge before
    reg  [EVENTS-1:0] more; // of these, those that load more than one edge
    reg  [WIDTH-1:0]  count;
    reg  [WIDTH-1:0]  count_next;
    wire [WIDTH-1:0]  left = count - {{(WIDTH-1){1'b0}}, count != {WIDTH{1'b0}}};

    integer k;

    always @* begin
        count_next = left;
        for (k = 0; k < EVENTS; k = k + 1) begin
            more[k] = last[k] && EDGES[k*WIDTH +: WIDTH] != {{(WIDTH-1){1'b0}}, 1'b1};
            if (last[k] && EDGES[k*WIDTH +: WIDTH] - 1'b1 > left)
                count_next = EDGES[k*WIDTH +: WIDTH] - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            last  <= {EVENTS{1'b0}};
            count <= {WIDTH{1'b0}};
            ready <= 1'b1;
        end else begin
            last  <= events;
            count <= count_next;
            ready <= left == {WIDTH{1'b0}} && !(|more) && !(|events);
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_dram_channel_timer_formal.vh"
`endif
endmodule

`default_nettype wire
