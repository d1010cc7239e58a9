//% use "ndp_offload_monitor_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local SUB = L.WINDOW // L.PARTS -- cycles of a sub-window
//% local SUB_W = clog2(SUB + 1)
//% local sliding = L.SLIDING == 1
${header{title = "offload controller: busy monitor of a link", text = [[
Counts the cycles in which a link moves a flit and tells whether that makes it
busy.  There is one for each direction of the link to each stack.

]] .. (sliding and [[
Sliding window: a ring of PARTS counts, one for each sub-window, and their sum.
At the end of a sub-window the oldest count leaves the ring and the sum, and the
one that has just ended enters both.  The sum decides, one edge after it is
made.]] or [[
Tumbling window: one count, which starts again at the end of the window.  The
link becomes busy as soon as the count, with the flit of this cycle, reaches the
upper threshold; it stops being so at the end of a window that has stayed below
the lower one.]]) .. [[

Latency: busy is a register.  No count can exceed the window.]]}}
`default_nettype none

module ${prefix}ndp_offload_monitor (
    input  wire          clk,      // clock
    input  wire          rst,      // synchronous reset, active high
    input  wire          last,     // last cycle of a ${sliding and "sub-window" or "window"}
    input  wire          flit,     // the link moves a flit in this cycle
    input  wire ${w(L.BUSY_W)} busy_on,  // count from which the link is busy
    input  wire ${w(L.BUSY_W)} busy_off, // count below which it no longer is
    output reg           busy      // the link is busy
);
//% if sliding then
${localparams("PARTS", "BUSY_W")}

    localparam SUB_W = ${SUB_W}; // bits of the count of a sub-window

    reg [SUB_W-1:0]       current; // the sub-window under way
    reg [PARTS*SUB_W-1:0] ring;    // those before it, the oldest lowest
    reg [BUSY_W-1:0]      total;   // their sum

    wire [SUB_W-1:0] oldest = ring[SUB_W-1:0];
    wire [SUB_W-1:0] ended  = current + {{(SUB_W-1){1'b0}}, flit};

    always @(posedge clk) begin
        if (rst) begin
            current <= {SUB_W{1'b0}};
            ring    <= {PARTS*SUB_W{1'b0}};
            total   <= {BUSY_W{1'b0}};
        end else if (last) begin
            current <= {SUB_W{1'b0}};
            ring    <= {ended, ring[PARTS*SUB_W-1:SUB_W]};
            total   <= total - {{(BUSY_W-SUB_W){1'b0}}, oldest} +
                       {{(BUSY_W-SUB_W){1'b0}}, ended};
        end else begin
            current <= ended;
        end
    end

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else if (total >= busy_on)
            busy <= 1'b1;
        else if (total < busy_off)
            busy <= 1'b0;
    end
//% else
${localparams("BUSY_W")}

    reg  [BUSY_W-1:0] count; // cycles with a flit in this window so far
    wire [BUSY_W-1:0] seen = count + {{(BUSY_W-1){1'b0}}, flit};

    always @(posedge clk) begin
        if (rst || last)
            count <= {BUSY_W{1'b0}};
        else
            count <= seen;
    end

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else if (seen >= busy_on)
            busy <= 1'b1;
        else if (last && seen < busy_off)
            busy <= 1'b0;
    end
//% end

`ifdef FORMAL
`include "${prefix}ndp_offload_monitor_formal.vh"
`endif
endmodule

`default_nettype wire
