//% use "ndp_offload_fold.v"
//% use "ndp_offload_probe_formal.vh"
//% local REACH = math.min(L.ADDR_W, 31 + L.STACK_W) -- bits of the learned mapping
//% local function w(n) return pad(range(n), 8) end
${header{title = "offload controller: probe engine", text = [[
Finds the address of a block's first access when the block does not begin with
one: the warp's live-in registers are saved, the warp runs on, and the access
that it makes first, if any, says to which stack the block would go.  If the
block is offloaded then, the warp is thrown back to its begin.  One block at a
time.

States:
    IDLE    free
    SAVE    the packet engine saves the registers
    ASK     the warp is asked to run on
    FIRST   until its first access or the end of the block
    BACK    the request goes back to be weighed
    DECIDE  it is decided
    HOLD    until its packet has been sent: the saved registers are in use

Handshake: take only while idle.]]}}
`default_nettype none

module ${prefix}ndp_offload_probe (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high

    // request
    output wire          idle,          // the engine is free
    input  wire          take,          // it takes a request
    input  wire ${w(L.WARP_W)} d_warp,        // warp
    input  wire ${w(L.INDEX_W)} d_index,       // candidate
    input  wire ${w(L.LANES)} d_mask,        // active lanes
    input  wire [2:0]    d_rules,       // {limit, RX, TX} matter

    // packet engine
    output wire          save,          // the registers are to be saved
    input  wire          save_done,     // they are
    input  wire          sent,          // a packet of saved registers is sent

    // probe: let the warp run
    output wire          probe_valid,   // to the block's first access
    input  wire          probe_ready,   // taken
    output wire ${w(L.WARP_W)} probe_warp,    // warp
    input  wire          first_valid,   // that access, or the end of the block
    output wire          first_ready,   // taken
    input  wire          first_none,    // the block has ended without one
    input  wire ${w(L.ADDR_W)} first_address, // address of its lowest active lane
    input  wire          first_learned, // that page uses the learned mapping

    // request that comes back
    output wire          back,          // it is there
    output reg  ${w(L.WARP_W)} warp,          // warp
    output reg  ${w(L.INDEX_W)} index,         // candidate
    output reg  ${w(L.LANES)} mask,          // active lanes
    output reg  [2:0]    rules,         // {limit, RX, TX} matter
    output reg           none,          // the block made no access
    output reg  ${w(REACH)} address,       // of its first access
    output reg  ${w(L.STACK_W)} baseline,      // its stack by the baseline mapping
    output reg           learned,       // that page uses the learned mapping
    input  wire          offload        // the request in D is offloaded
);
${localparams("WARP_W", "ADDR_W")}

    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] SAVE   = 3'd1;
    localparam [2:0] ASK    = 3'd2;
    localparam [2:0] FIRST  = 3'd3;
    localparam [2:0] BACK   = 3'd4;
    localparam [2:0] DECIDE = 3'd5;
    localparam [2:0] HOLD   = 3'd6;

    reg [2:0] state;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (take)
                         state <= SAVE;
            SAVE:    if (save_done)
                         state <= ASK;
            ASK:     if (probe_ready)
                         state <= FIRST;
            FIRST:   if (first_valid)
                         state <= BACK;
            BACK:    state <= DECIDE;
            DECIDE:  state <= offload ? HOLD : IDLE;
            HOLD:    if (sent)
                         state <= IDLE;
            default: state <= IDLE;
            endcase
        end
    end

    assign idle        = state == IDLE;
    assign save        = state == SAVE;
    assign probe_valid = state == ASK;
    assign probe_warp  = probe_valid ? warp : {WARP_W{1'b0}};
    assign first_ready = state == FIRST;
    assign back        = state == BACK;

    always @(posedge clk) begin
        if (idle) begin
            warp  <= d_warp;
            index <= d_index;
            mask  <= d_mask;
            rules <= d_rules;
        end
    end

    wire ${range(L.STACK_W)} first_baseline;

    ${prefix}ndp_offload_fold fold (
        .line  (first_address[ADDR_W-1:7]),
        .stack (first_baseline)
    );

    always @(posedge clk) begin
        if (first_ready) begin
            none     <= first_none;
            address  <= first_address${L.ADDR_W > REACH and "[" .. REACH - 1 .. ":0]" or ""};
            baseline <= first_baseline;
            learned  <= first_learned;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_offload_probe_formal.vh"
`endif
endmodule

`default_nettype wire
