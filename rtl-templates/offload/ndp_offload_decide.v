//% use "ndp_offload_queue.v"
//% use "ndp_offload_decide_formal.vh"
//% local function w(n) return pad(range(n), 8) end
${header{title = "offload controller: decision", text = [[
Answers the request in stage D by the first rule that applies:

    1 off          2 no entry      3 its condition is false
    7 no save      its first access is not known, and it cannot be probed
    8 no address   it has been probed and made no access
    4 TX busy      5 RX busy       6 stack full     0 offload

A request whose first access is not known and that can be probed gets no answer
yet.  The tags and the mode decide which of 4 to 6 matter.

Handshake: there is room for every answer.  Latency: an answer is at ans two
edges after the request was in D at the earliest.]]}}
`default_nettype none

module ${prefix}ndp_offload_decide (
    input  wire          clk,         // clock
    input  wire          rst,         // synchronous reset, active high

    // stage D
    input  wire          d_valid,     // a request
    input  wire ${w(L.WARP_W)} d_warp,      // warp
    input  wire ${w(L.STACK_W)} d_stack,     // stack of its address
    input  wire          d_off,       // offloading is off
    input  wire          d_unknown,   // else: its entry is not valid
    input  wire          d_subject,   // else: the condition decides
    input  wire          d_goes,      // it holds, and the stack is known
    input  wire          d_probe,     // it holds, but the stack is not known
    input  wire          d_fits,      // its live-ins can be saved
    input  wire          d_none,      // the block made no access
    input  wire ${w(L.STACKS)} d_tx_at,     // bit s: TX matters, and s is its stack
    input  wire ${w(L.STACKS)} d_rx_at,     // the same for RX
    input  wire ${w(L.STACKS)} d_limit_at,  // the same for the limit

    // what the rules look at
    input  wire          probe_idle,  // the probe engine is free
    input  wire ${w(L.STACKS)} tx_busy,     // bit s: the link to stack s is busy
    input  wire ${w(L.STACKS)} rx_busy,     // bit s: the link from it is
    input  wire ${w(L.STACKS)} stack_full,  // bit s: stack s takes no more

    // what follows
    output wire          take,        // the probe engine takes the request
    output wire          offload,     // the block goes
    output wire [8:1]    refuse,      // it does not, for this reason

    // ans: decisions
    output wire          ans_valid,   // a decision
    input  wire          ans_ready,   // taken
    output wire ${w(L.WARP_W)} ans_warp,    // warp
    output wire          ans_offload, // the block goes
    output wire [3:0]    ans_reason,  // why it does not
    output wire ${w(L.STACK_W)} ans_stack    // where it goes
);
${localparams("WARP_W", "STACK_W", "DEPTH")}

    localparam OFF        = 1; // reasons
    localparam NO_ENTRY   = 2;
    localparam CONDITION  = 3;
    localparam TX_BUSY    = 4;
    localparam RX_BUSY    = 5;
    localparam STACK_FULL = 6;
    localparam NO_SAVE    = 7;
    localparam NO_ADDRESS = 8;

    localparam ANSWER_W = WARP_W + 5 + STACK_W;

    // What the stack has to say comes late.
    wire stop_tx   = |(d_tx_at & tx_busy);
    wire stop_rx   = |(d_rx_at & rx_busy);
    wire stop_full = |(d_limit_at & stack_full);

    // The rules, in their order.
    wire goes  = d_valid && d_goes;
    wire probe = d_valid && d_probe;
    wire room  = probe_idle && d_fits;

    assign take    = probe && room;
    assign offload = goes && !stop_tx && !stop_rx && !stop_full;

    assign refuse[OFF]        = d_valid && d_off;
    assign refuse[NO_ENTRY]   = d_valid && d_unknown;
    assign refuse[CONDITION]  = d_valid && d_subject && !d_goes &&
                                !d_probe;
    assign refuse[NO_SAVE]    = probe && !room;
    assign refuse[NO_ADDRESS] = d_valid && d_none;
    assign refuse[TX_BUSY]    = goes && stop_tx;
    assign refuse[RX_BUSY]    = goes && !stop_tx && stop_rx;
    assign refuse[STACK_FULL] = goes && !stop_tx && !stop_rx && stop_full;

    // The number of the reason, zero if the block goes.
    wire [3:0] reason = {refuse[8], |refuse[7:4], |{refuse[7:6], refuse[3:2]},
                         |{refuse[7], refuse[5], refuse[3], refuse[1]}};

    wire [ANSWER_W-1:0] decided = {d_stack, reason, offload, d_warp};
    wire [ANSWER_W-1:0] answer;

    ${prefix}ndp_offload_queue #(
        .WIDTH (ANSWER_W),
        .DEPTH (DEPTH)
    ) answers (
        .clk       (clk),
        .rst       (rst),
        .offer     (d_valid),
        .push      (d_valid && !take),
        .in_word   (decided),
        .pop       (ans_ready),
        .out_valid (ans_valid),
        .out_word  (answer)
    );

    wire [STACK_W-1:0] to_stack;

    assign {to_stack, ans_reason, ans_offload, ans_warp} =
        ans_valid ? answer : {ANSWER_W{1'b0}};
    assign ans_stack = ans_offload ? to_stack : {STACK_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_offload_decide_formal.vh"
`endif
endmodule

`default_nettype wire
