//% use "ndp_ram.v"
//% use "ndp_offload_away_formal.vh"
//% local function w(n) return pad(range(n), 8) end
${header{title = "offload controller: warps that are away", text = [[
Which warps are away and where, and how many requests each stack has pending.

Handshake: a look at a warp shows after its edge whether it was away, and
remembers its stack.  A release is of the warp that was looked at last, which
must have been away, two edges after the look or later.  An offload and a
release of one stack on the same edge leave its count as it is.

at_limit compares the counts with the limit as both stand after an edge; the
setting is not zero after reset.]]}}
`default_nettype none

module ${prefix}ndp_offload_away (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high
    input  wire ${w(L.PEND_W)} limit_next,    // requests a stack may have, after this edge
    output reg  ${w(L.STACKS)} at_limit,      // bit s: stack s has as many

    // a warp goes
    input  wire          decide,        // a request is decided
    input  wire          offload,       // its block is offloaded
    input  wire ${w(L.WARP_W)} offload_warp,  // of this warp
    input  wire ${w(L.STACK_W)} offload_stack, // to this stack

    // a warp comes back
    input  wire          look,          // look for a warp
    input  wire ${w(L.WARP_W)} look_warp,     // warp
    output reg           found,         // it was away
    input  wire          back           // it is back
);
${localparams("WARPS", "STACKS", "WARP_W", "STACK_W", "PEND_W")}

    localparam [WARPS-1:0]  ONE_WARP  = {{(WARPS-1){1'b0}}, 1'b1};
    localparam [STACKS-1:0] ONE_STACK = {{(STACKS-1){1'b0}}, 1'b1};

    reg [WARPS-1:0] is_away; // bit w: warp w is away

    // ------------------------------------------------------------------
    // Warps.  A number beyond the last warp is shifted out and is not away.

    wire [WARPS-1:0] looked = ONE_WARP << look_warp;
    reg  [WARPS-1:0] warp; // the one that was looked at, one-hot

    always @(posedge clk) begin
        if (look) begin
            warp  <= looked;
            found <= |(is_away & looked);
        end
    end

    wire [WARPS-1:0] stays = is_away & ~(warp & {WARPS{back}});
    wire [WARPS-1:0] goer  = ONE_WARP << offload_warp;

    always @(posedge clk) begin
        if (rst)
            is_away <= {WARPS{1'b0}};
        else
            is_away <= stays | (goer & {WARPS{offload}});
    end

    // ------------------------------------------------------------------
    // Their stacks.  A warp that is decided is not away, so the stack of its
    // request may be written before it is known whether it goes; who is looked
    // at on the same edge is not away either, and its stack is not used.

    wire [STACK_W-1:0] stack;
    reg  [STACKS-1:0]  stack_at; // the same, one-hot, an edge later

    ${prefix}ndp_ram #(
        .WIDTH     (STACK_W),
        .WORDS     (WARPS),
        .ADDRESS_W (WARP_W)
    ) stack_of (
        .clk     (clk),
        .wr_en   (decide),
        .wr_addr (offload_warp),
        .wr_data (offload_stack),
        .rd_en   (look),
        .rd_addr (look_warp),
        .rd_data (stack)
    );

    always @(posedge clk) stack_at <= ONE_STACK << stack;

    // ------------------------------------------------------------------
    // Counts

    // Whether a request goes is known late in a cycle.  So all else is prepared:
    // the count without it, the bits that it would flip, and the comparisons.

    wire [STACKS-1:0] less = stack_at & {STACKS{back}};
    wire [STACKS-1:0] here = ONE_STACK << offload_stack;
    genvar            n;

    generate
        for (n = 0; n < STACKS; n = n + 1) begin : count
            reg  [PEND_W-1:0] pending; // requests of this stack
            wire [PEND_W-1:0] down    = pending - 1'b1;
            wire [PEND_W-1:0] without = less[n] ? down : pending;
            wire [PEND_W-1:0] gone    = less[n] ? pending : pending + 1'b1;
            wire [PEND_W-1:0] flips   = (without ^ gone) & {PEND_W{here[n]}};
            wire              fills   = gone >= limit_next;
            wire              full    = without >= limit_next;

            always @(posedge clk) begin
                if (rst) begin
                    pending     <= {PEND_W{1'b0}};
                    at_limit[n] <= 1'b0;
                end else begin
                    pending     <= without ^ (flips & {PEND_W{offload}});
                    at_limit[n] <= offload && here[n] ? fills : full;
                end
            end
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_offload_away_formal.vh"
`endif
endmodule

`default_nettype wire
