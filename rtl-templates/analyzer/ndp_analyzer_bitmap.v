//% use "ndp_ram.v"
//% use "ndp_analyzer_bitmap_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "analyzer: bitmaps", text = [[
For each warp, the stacks that its instance has touched so far under every
mapping: bit m * STACKS + stack.

    E (event) -> read bitmap -> B (event, word) -> write -> S (ended instance)

The bitmap of an event is read while the event before it writes: if both are of
one warp, what that one writes is taken instead.

Latency: edges relative to the one that takes an event.  Its bitmap is read on
edge 1 and written on edge 2; after that edge an ended instance's word is shown.
One event an edge.

Contract: no event before init_done, warps below WARPS.]]}}
`default_nettype none

module ${prefix}ndp_analyzer_bitmap (
    input  wire         clk,         // clock
    input  wire         rst,         // synchronous reset, active high
    input  wire         clear,       // drop what is under way; bitmaps stay

    // initialiser
    input  wire         init,        // set a bitmap to zero
    input  wire ${w(L.WARP_W)} init_warp,   // of this warp

    // event
    input  wire         event_valid, // an event
    input  wire [1:0]   event_op,    // 0 begin, 1 access, 2 end, 3 nothing
    input  wire ${w(L.WARP_W)} event_warp,  // warp
    input  wire ${w(L.ADDR_W)} event_address, // of an access

    // ended instance
    output reg          end_valid,   // an instance has ended
    output reg  ${w(L.BITMAP_W)} end_word     // its bitmap
);
${localparams("WARPS", "WARP_W", "STACKS", "STACK_W", "MAPS", "FIRST_BIT", "BITMAP_W")}

    localparam [1:0] BEGIN  = 2'd0; // operations
    localparam [1:0] ACCESS = 2'd1;
    localparam [1:0] END    = 2'd2;

    // Address bits that select a stack under some mapping.
    localparam SELECT_W = MAPS - 1 + STACK_W;

    // ------------------------------------------------------------------
    // E

    reg                e_valid;
    reg [1:0]          e_op;
    reg [WARP_W-1:0]   e_warp;
    reg [SELECT_W-1:0] e_select;

    always @(posedge clk) begin
        if (rst || clear)
            e_valid <= 1'b0;
        else
            e_valid <= event_valid;
    end

    always @(posedge clk) begin
        e_op     <= event_op;
        e_warp   <= event_warp;
        e_select <= event_address[FIRST_BIT +: SELECT_W];
    end

    // ------------------------------------------------------------------
    // B

    reg                b_valid;
    reg [1:0]          b_op;
    reg [WARP_W-1:0]   b_warp;
    reg [BITMAP_W-1:0] b_touch; // the stack of the address, by mapping
    reg                met;     // the event ahead wrote this bitmap meanwhile
    reg [BITMAP_W-1:0] forward; // what it wrote
    reg [BITMAP_W-1:0] touch;
    integer            m;
    integer            k;

    wire [BITMAP_W-1:0] stored;
    wire [BITMAP_W-1:0] word   = met ? forward : stored;
    wire [BITMAP_W-1:0] change = b_op == BEGIN ? {BITMAP_W{1'b0}}
                                               : word | b_touch;
    wire                write  = b_valid && !clear &&
                                 (b_op == BEGIN || b_op == ACCESS);

    always @* begin
        for (m = 0; m < MAPS; m = m + 1)
            for (k = 0; k < STACKS; k = k + 1)
                touch[m*STACKS+k] = e_select[m +: STACK_W] == k[STACK_W-1:0];
    end

    always @(posedge clk) begin
        if (rst || clear)
            b_valid <= 1'b0;
        else
            b_valid <= e_valid;
    end

    always @(posedge clk) begin
        b_op    <= e_op;
        b_warp  <= e_warp;
        b_touch <= touch;
        met     <= write && b_warp == e_warp;
        forward <= change;
    end

    ${prefix}ndp_ram #(
        .WIDTH     (BITMAP_W),
        .WORDS     (WARPS),
        .ADDRESS_W (WARP_W)
    ) bitmaps (
        .clk     (clk),
        .wr_en   (init || write),
        .wr_addr (init ? init_warp : b_warp),
        .wr_data (init ? {BITMAP_W{1'b0}} : change),
        .rd_en   (e_valid),
        .rd_addr (e_warp),
        .rd_data (stored)
    );

    // ------------------------------------------------------------------
    // S

    always @(posedge clk) begin
        if (rst || clear)
            end_valid <= 1'b0;
        else
            end_valid <= b_valid && b_op == END;
    end

    always @(posedge clk) begin
        end_word <= word;
    end

//% local low, high = L.FIRST_BIT, L.ADDR_W - L.FIRST_BIT - (L.MAPS - 1 + L.STACK_W)
    // Below and above them no bit counts.
    wire unused = &{1'b0${low > 0 and ", event_address[FIRST_BIT-1:0]" or ""}${high > 0 and ",\n                    event_address[" .. L.ADDR_W - 1 .. ":FIRST_BIT+SELECT_W]" or ""}};

`ifdef FORMAL
`include "${prefix}ndp_analyzer_bitmap_formal.vh"
`endif
endmodule

`default_nettype wire
