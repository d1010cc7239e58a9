//% use "ndp_offload_queue.v"
//% use "ndp_offload_fold.v"
//% use "ndp_offload_map.v"
//% use "ndp_offload_weigh_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local REACH = math.min(L.ADDR_W, 31 + L.STACK_W) -- bits of the learned mapping
//% local WORD_W = L.WARP_W + L.INDEX_W + L.LANES + REACH + L.STACK_W + 45
//% local OPER_W = L.WARP_W + L.REG_W + L.LANE_W
//% -- Every number of live-ins may fit: then nothing is to be compared.
//% local fits = L.SAVE_ROWS >= L.REGS
//% local names = { "WARP_W", "INDEX_W", "REG_W", "LANES", "LANE_W", "ADDR_W", "COUNT_W",
//%     "STACKS", "STACK_W", "DEPTH" }
//% if not fits then names[#names + 1] = "SAVE_ROWS" end
${header{title = "offload controller: what a decision needs", text = [[
Requests wait here for the value of their condition register, if they have a
condition, and go on in order.  What goes on is ready to be decided: the stack
of its address, the comparison with the threshold, and the metadata boiled down
to what the rules ask.

    lookup -> waiting ---------> weigh -> D
          \-> oper -> value ->/   ^
                   probe (back) --+

A request that comes back from the probe engine goes first.  It has passed the
first rules already.

Handshake: there is room for every request under way, so nothing is refused.
Values come in the order of oper, at least one cycle after.

Latency: a request in M is in D after three edges; with a value, after the edge
that follows values' output.

The comparison is made in two halves of 16 bits; after stage D it is known which
of them counts.]]}}
`default_nettype none

module ${prefix}ndp_offload_weigh (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high
    input  wire [1:0]    mode,          // setting: 1 controlled, 2 uncontrolled
    input  wire [31:0]   map_at,        // setting: bit b: learned mapping from b

    // requests with their metadata
    input  wire          m_valid,       // a request
    input  wire ${w(L.WARP_W)} m_warp,        // warp
    input  wire ${w(L.INDEX_W)} m_index,       // candidate
    input  wire ${w(L.LANES)} m_mask,        // active lanes
    input  wire ${w(L.LANE_W)} m_lane,        // the lowest of them
    input  wire ${w(L.ADDR_W)} m_address,     // of its first access
    input  wire          m_learned,     // that page uses the learned mapping
    input  wire ${w(L.VERDICT_W)} m_verdict,     // metadata

    // oper: condition registers, to the operand collector
    output wire          oper_valid,    // a register of one lane is requested
    input  wire          oper_ready,    // taken
    output wire ${w(L.WARP_W)} oper_warp,     // warp
    output wire ${w(L.REG_W)} oper_reg,      // register
    output wire ${w(L.LANE_W)} oper_lane,     // lane
    input  wire          value_valid,   // its value
    input  wire [31:0]   value_data,    // value

    // request that comes back from the probe engine
    input  wire          back,          // it is there
    input  wire ${w(L.WARP_W)} back_warp,     // warp
    input  wire ${w(L.INDEX_W)} back_index,    // candidate
    input  wire ${w(L.LANES)} back_mask,     // active lanes
    input  wire [2:0]    back_rules,    // d_rules of it
    input  wire          back_none,     // the block made no access
    input  wire ${w(REACH)} back_address,  // of its first access
    input  wire ${w(L.STACK_W)} back_baseline, // its stack by the baseline mapping
    input  wire          back_learned,  // that page uses the learned mapping

    // stage D: a request to be decided
    output reg           d_valid,       // a request
    output reg  ${w(L.WARP_W)} d_warp,        // warp
    output reg  ${w(L.INDEX_W)} d_index,       // candidate
    output reg  ${w(L.LANES)} d_mask,        // active lanes
    output reg  ${w(L.STACK_W)} d_stack,       // stack of its address
    output reg           d_off,         // offloading is off
    output reg           d_unknown,     // else: its entry is not valid
    output reg           d_subject,     // else: the condition decides
    output wire          d_goes,        // it holds, and the stack is known
    output wire          d_probe,       // it holds, but the stack is not known
    output reg           d_fits,        // its live-ins can be saved
    output reg           d_back,        // it has been probed
    output reg           d_none,        // and the block made no access
    output reg  [2:0]    d_rules,       // {limit, RX, TX} matter
    output reg  ${w(L.STACKS)} d_tx_at,       // bit s: TX matters, and s is its stack
    output reg  ${w(L.STACKS)} d_rx_at,       // the same for RX
    output reg  ${w(L.STACKS)} d_limit_at     // the same for the limit
);
${localparams(table.unpack(names))}

    localparam REACH  = ${REACH}; // address bits that the learned mapping can name
    localparam WORD_W = ${WORD_W}; // bits of a waiting request
    localparam OPER_W = WARP_W + REG_W + LANE_W;

    // ------------------------------------------------------------------
    // Into the queues

    wire               v_valid;
    wire               v_tag_tx;
    wire               v_tag_rx;
    wire               v_mem_first;
    wire               v_cond;
    wire [REG_W-1:0]   v_cond_reg;
    wire [2:0]         v_compare;
    wire               v_signed;
    wire [31:0]        v_threshold;
    wire [COUNT_W-1:0] v_n_in;

    assign {v_n_in, v_threshold, v_signed, v_compare, v_cond_reg, v_cond,
            v_mem_first, v_tag_rx, v_tag_tx, v_valid} = m_verdict;

    wire       off        = mode == 2'd0 || mode == 2'd3;
    wire       controlled = mode == 2'd1;
    wire       unknown    = !off && !v_valid;
    wire       direct     = !off && v_valid && v_mem_first;
    wire       probe      = !off && v_valid && !v_mem_first;
    wire       needs      = !off && v_valid && v_cond;
//% if fits then
    wire       can_save   = 1'b1;
    wire       unused     = &{1'b0, v_n_in};
//% else
    wire       can_save   = v_n_in <= SAVE_ROWS[COUNT_W-1:0];
//% end
    wire [2:0] rules      = {controlled, controlled && !v_tag_rx,
                             controlled && !v_tag_tx};

    // Which outcomes of the comparison are wanted: {above, equal, below}.
    reg [2:0] wanted;

    always @* begin
        case (v_compare)
        3'd0:    wanted = 3'b010;
        3'd1:    wanted = 3'b101;
        3'd2:    wanted = 3'b001;
        3'd3:    wanted = 3'b011;
        3'd4:    wanted = 3'b100;
        3'd5:    wanted = 3'b110;
        default: wanted = 3'b000;
        endcase
        if (!needs)
            wanted = 3'b111;
    end

    wire [STACK_W-1:0] m_baseline;

    ${prefix}ndp_offload_fold fold (
        .line  (m_address[ADDR_W-1:7]),
        .stack (m_baseline)
    );

    wire              w_valid;
    wire              w_needs;
    wire [2:0]        w_wanted;
    wire              w_signed;
    wire [31:0]       w_inverted; // threshold
    wire              w_off;
    wire              w_unknown;
    wire              w_direct;
    wire              w_probe;
    wire              w_can_save;
    wire [2:0]        w_rules;
    wire [WARP_W-1:0] w_warp;
    wire [INDEX_W-1:0] w_index;
    wire [LANES-1:0]  w_mask;
    wire [REACH-1:0]  w_address;
    wire [STACK_W-1:0] w_baseline;

    wire              x_valid; // a value
    wire [31:0]       x_value;

    // A queue ignores a pop while its output is not valid.
    wire go = !back && w_valid && (!w_needs || x_valid);

    ${prefix}ndp_offload_queue #(
        .WIDTH (WORD_W),
        .DEPTH (DEPTH)
    ) waiting (
        .clk       (clk),
        .rst       (rst),
        .offer     (m_valid),
        .push      (m_valid),
        .in_word   ({needs, wanted, v_signed, ~v_threshold, off, unknown,
                     direct, probe, can_save, rules, m_warp, m_index, m_mask,
                     m_address[REACH-1:0] & {REACH{m_learned}},
                     m_baseline & {STACK_W{!m_learned}}}),
        .pop       (!back && (!w_needs || x_valid)),
        .out_valid (w_valid),
        .out_word  ({w_needs, w_wanted, w_signed, w_inverted, w_off, w_unknown,
                     w_direct, w_probe, w_can_save, w_rules, w_warp, w_index,
                     w_mask, w_address, w_baseline})
    );

    wire [OPER_W-1:0] operand;

    ${prefix}ndp_offload_queue #(
        .WIDTH (OPER_W),
        .DEPTH (DEPTH)
    ) operands (
        .clk       (clk),
        .rst       (rst),
        .offer     (m_valid),
        .push      (m_valid && needs),
        .in_word   ({m_warp, v_cond_reg, m_lane}),
        .pop       (oper_ready),
        .out_valid (oper_valid),
        .out_word  (operand)
    );

    assign {oper_warp, oper_reg, oper_lane} =
        oper_valid ? operand : {OPER_W{1'b0}};

    ${prefix}ndp_offload_queue #(
        .WIDTH (32),
        .DEPTH (DEPTH)
    ) values (
        .clk       (clk),
        .rst       (rst),
        .offer     (value_valid),
        .push      (value_valid),
        .in_word   (value_data),
        .pop       (w_valid && w_needs && !back),
        .out_valid (x_valid),
        .out_word  (x_value)
    );

    // ------------------------------------------------------------------
    // Stack of the address.  In the queue one of the two mappings is zero, so
    // that the late one only has to be ORed to the early one.

    wire [STACK_W-1:0] w_field;
    wire [STACK_W-1:0] back_field;

    ${prefix}ndp_offload_map map (
        .address (w_address),
        .map_at  (map_at & {32{!back}}),
        .stack   (w_field)
    );

    ${prefix}ndp_offload_map back_map (
        .address (back_address),
        .map_at  (map_at),
        .stack   (back_field)
    );

    wire [STACK_W-1:0] base  = !back        ? w_baseline :
                               back_learned ? back_field : back_baseline;
    wire [STACK_W-1:0] stack = w_field | base;
    wire [STACKS-1:0]  at    = {{(STACKS-1){1'b0}}, 1'b1} << stack;
    wire [2:0]         now_rules = back ? back_rules : w_rules;

    // ------------------------------------------------------------------
    // Comparison, in two halves: the sum of the value and the inverted threshold
    // has no carry if the value is below.  With the sign bits inverted a signed
    // comparison is an unsigned one.

    wire [15:0] x_high     = {x_value[31] ^ w_signed, x_value[30:16]};
    wire [15:0] t_high     = {w_inverted[31] ^ w_signed, w_inverted[30:16]};
    wire [16:0] high_sum   = {1'b0, x_high} + {1'b0, t_high} + 17'd1;
    wire [16:0] low_sum    = {1'b0, x_value[15:0]} + {1'b0, w_inverted[15:0]} +
                             17'd1;
    wire        unused_sum = &{1'b0, high_sum[15:0], low_sum[15:0]};

    // What holds if the value is above, equal, below.
    wire       back_goes = back && !back_none;
    wire [2:0] goes      = back ? {3{back_goes}} : w_wanted & {3{w_direct}};
    wire [2:0] probes    = w_wanted & {3{w_probe && !back}};

    reg high_equal;  // the upper halves are the same
    reg low_equal;   // the lower halves are
    reg goes_high;   // the request may go, if the upper halves differ
    reg goes_low;    // ... if the lower ones differ
    reg goes_equal;  // ... if neither do
    reg probe_high;  // it may go once its first access is known, if ...
    reg probe_low;
    reg probe_equal;

    assign d_goes  = !high_equal ? goes_high :
                     !low_equal  ? goes_low : goes_equal;
    assign d_probe = !high_equal ? probe_high :
                     !low_equal  ? probe_low : probe_equal;

    always @(posedge clk) begin
        high_equal  <= &(x_value[31:16] ^ w_inverted[31:16]);
        low_equal   <= &(x_value[15:0] ^ w_inverted[15:0]);
        goes_high   <= high_sum[16] ? goes[2] : goes[0];
        goes_low    <= low_sum[16] ? goes[2] : goes[0];
        goes_equal  <= goes[1];
        probe_high  <= high_sum[16] ? probes[2] : probes[0];
        probe_low   <= low_sum[16] ? probes[2] : probes[0];
        probe_equal <= probes[1];
    end

    // ------------------------------------------------------------------
    // D

    always @(posedge clk) begin
        if (rst)
            d_valid <= 1'b0;
        else
            d_valid <= back || go;
    end

    always @(posedge clk) begin
        d_warp  <= back ? back_warp : w_warp;
        d_index <= back ? back_index : w_index;
        d_mask  <= back ? back_mask : w_mask;
        d_stack <= stack;
        d_back  <= back;
        d_none  <= back && back_none;
        d_fits  <= w_can_save;
        d_rules <= now_rules;
    end

    always @(posedge clk) begin
        d_tx_at    <= at & {STACKS{now_rules[0]}};
        d_rx_at    <= at & {STACKS{now_rules[1]}};
        d_limit_at <= at & {STACKS{now_rules[2]}};
    end

    always @(posedge clk) begin
        d_off     <= !back && w_off;
        d_unknown <= !back && w_unknown;
        d_subject <= !back && (w_direct || w_probe);
    end

`ifdef FORMAL
`include "${prefix}ndp_offload_weigh_formal.vh"
`endif
endmodule

`default_nettype wire
