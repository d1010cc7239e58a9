//% use "ndp_prefetch_flight_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "prefetcher: lines in flight", text = [[
Keeps a prefetch back whose line is the demand's own, is in flight, or for which
there is no place or no room in the queue; remembers the lines of the others
until they are over.

Latency: edges relative to the one that takes target.  On this edge the line is
looked for, also in what is put in flight on the same edge; on the next one it
is judged and, if nothing speaks against it, put in flight and into the queue.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_flight (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high

    // look
    input  wire         target_valid, // an address to be prefetched
    input  wire ${w(L.ADDR_W)} target,       // it
    input  wire ${w(L.LINE_W)} own_line,     // line of the demand

    // judge; at most one of the four
    input  wire         can_push,     // the prefetch queue has room
    output wire         duplicate,    // dropped: its line is on its way
    output wire         full,         // dropped: no place
    output wire         no_room,      // dropped: no room in the queue
    output wire         issued,       // into the queue
    output reg  ${w(L.ADDR_W)} address,      // it

    // prefetches that are over
    input  wire         fill_valid,   // one
    input  wire ${w(L.LINE_W)} fill_line     // its line
);
${localparams("ADDR_W", "LINE_W", "FLIGHT")}

    reg [FLIGHT-1:0]         taken; // the place holds a line
    reg [FLIGHT*LINE_W-1:0]  lines; // the line of each place

    reg                      judge; // the address is judged on this edge
    reg                      met;   // its line is on its way

    wire [LINE_W-1:0] line = address[ADDR_W-1:${L.BYTE_W}];
    wire [LINE_W-1:0] target_line = target[ADDR_W-1:${L.BYTE_W}];

    // ------------------------------------------------------------------
    // Places: which one is next, which are given back

    wire [FLIGHT-1:0] place = ~taken & (taken + 1'b1); // lowest free, one-hot

    reg [FLIGHT-1:0] holds; // the place holds the line that is looked for
    reg [FLIGHT-1:0] over;  // the place is given back
    integer          i;

    always @* begin
        for (i = 0; i < FLIGHT; i = i + 1) begin
            holds[i] = taken[i] && lines[i*LINE_W +: LINE_W] == target_line;
            over[i]  = taken[i] && fill_valid &&
                       lines[i*LINE_W +: LINE_W] == fill_line;
        end
    end

    always @(posedge clk) begin
        if (rst)
            taken <= {FLIGHT{1'b0}};
        else
            taken <= (taken & ~over) | (place & {FLIGHT{issued}});
    end

    always @(posedge clk) begin
        for (i = 0; i < FLIGHT; i = i + 1)
            if (issued && place[i])
                lines[i*LINE_W +: LINE_W] <= line;
    end

    // ------------------------------------------------------------------
    // Look

    always @(posedge clk) begin
        if (rst)
            judge <= 1'b0;
        else
            judge <= target_valid;
    end

    always @(posedge clk) begin
        address <= target;
        met     <= target_line == own_line || holds != {FLIGHT{1'b0}} ||
                   (issued && target_line == line);
    end

    // ------------------------------------------------------------------
    // Judge

    wire no_place = taken == {FLIGHT{1'b1}};

    assign duplicate = judge && met;
    assign full      = judge && !met && no_place;
    assign no_room   = judge && !met && !no_place && !can_push;
    assign issued    = judge && !met && !no_place && can_push;

`ifdef FORMAL
`include "${prefix}ndp_prefetch_flight_formal.vh"
`endif
endmodule

`default_nettype wire
