//% use "ndp_offload_monitor.v"
//% use "ndp_offload_links_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local SUB = L.WINDOW // L.PARTS -- cycles of a sub-window
//% local POSITION_W = clog2(SUB)
${header{title = "offload controller: busy monitors of all links", text = [[
A monitor for each direction of the link to each stack, and the position in the
window, which they share.  Software may make the window shorter: the setting is
compared with a position that cannot leave the window that the monitors have
room for.

Latency: a monitor's; see there.]]}}
`default_nettype none

module ${prefix}ndp_offload_links (
    input  wire          clk,          // clock
    input  wire          rst,          // synchronous reset, active high
    input  wire ${w(L.STACKS)} link_tx,      // bit s: a flit moves towards stack s
    input  wire ${w(L.STACKS)} link_rx,      // bit s: a flit moves from stack s
    input  wire ${w(L.BUSY_W)} busy_on,      // count from which a link is busy
    input  wire ${w(L.BUSY_W)} busy_off,     // count below which it no longer is
    input  wire ${w(L.BUSY_W)} window,       // cycles of the window
    output wire ${w(L.STACKS)} link_tx_busy, // bit s: the link to stack s is busy
    output wire ${w(L.STACKS)} link_rx_busy  // bit s: the link from it is busy
);
${localparams("STACKS")}

    // At most ${SUB} cycles, a power of two: the carry out of the position ends it.
    localparam POSITION_W = ${POSITION_W};

    reg  [POSITION_W-1:0] position; // in the ${L.SLIDING == 1 and "sub-window" or "window"}
    wire [POSITION_W:0]   passed = {1'b0, position} + 1'b1;
//% if L.PARTS > 1 then
    wire                  full   = {passed, ${clog2(L.PARTS)}'d${L.PARTS - 1}} >= window;
//% else
    wire                  full   = passed >= window;
//% end
    wire                  last   = passed[POSITION_W] || full;

    always @(posedge clk) begin
        if (rst || last)
            position <= {POSITION_W{1'b0}};
        else
            position <= passed[POSITION_W-1:0];
    end

    wire [2*STACKS-1:0] flits = {link_rx, link_tx};
    wire [2*STACKS-1:0] busy;

    assign {link_rx_busy, link_tx_busy} = busy;

    genvar n;

    generate
        for (n = 0; n < 2 * STACKS; n = n + 1) begin : link
            ${prefix}ndp_offload_monitor monitor (
                .clk      (clk),
                .rst      (rst),
                .last     (last),
                .flit     (flits[n]),
                .busy_on  (busy_on),
                .busy_off (busy_off),
                .busy     (busy[n])
            );
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_offload_links_formal.vh"
`endif
endmodule

`default_nettype wire
