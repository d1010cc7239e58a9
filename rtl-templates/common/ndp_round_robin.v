//% use "ndp_round_robin_formal.vh"
${header{title = "round-robin choice", text = [[
Chooses the first requester after the one taken last: the lowest-numbered one
above it, else the lowest-numbered of all.  After reset requester 0 comes first.

Parameters:
    N        requesters, 2 or more
    INDEX_W  bits of a requester's number, clog2(N)

Latency: none; the choice is a function of request and of the register that
remembers the last one.  It counts as taken on an edge with take.

How: later keeps the requesters above the last one; if there is one, the lowest
of them wins, else the lowest of all.  Of a set, the positions above its lowest
member come from spreading every member upwards, in steps that double; the
lowest member is the one without another below it.]]}}
`default_nettype none

module ${prefix}ndp_round_robin #(
    parameter N       = 8,
    parameter INDEX_W = 3
) (
    input  wire               clk,     // clock
    input  wire               rst,     // synchronous reset, active high
    input  wire [N-1:0]       request, // bit i: requester i wants to be chosen
    input  wire               take,    // the choice is used; needs a request
    output wire [N-1:0]       chosen,  // one-hot, zero without a request
    output reg  [INDEX_W-1:0] index    // its number, zero without a request
);
    reg [N-1:0] above; // positions above the requester taken last

    wire [N-1:0] later     = request & above;
    wire         any_later = |later;

    reg [N-1:0] after_later; // positions above the lowest one in later
    reg [N-1:0] after_any;   // ... in request

    // each step spreads over twice as many positions as the one before
    integer step;

    always @* begin
        after_later = later << 1;
        after_any   = request << 1;
        for (step = 1; step < N - 1; step = step * 2) begin
            after_later = after_later | (after_later << step);
            after_any   = after_any | (after_any << step);
        end
    end

    assign chosen = (later & ~after_later) |
                    (request & ~after_any & {N{!any_later}});

    integer i;

    always @* begin
        index = {INDEX_W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (chosen[i])
                index = index | i[INDEX_W-1:0];
    end

    always @(posedge clk) begin
        if (rst)
            above <= {N{1'b0}};
        else if (take)
            above <= after_later | (after_any & {N{!any_later}});
    end

`ifdef FORMAL
`include "${prefix}ndp_round_robin_formal.vh"
`endif
endmodule

`default_nettype wire
