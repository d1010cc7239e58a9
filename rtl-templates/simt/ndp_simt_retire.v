//% local P, A, Q = L.PASSES, L.ALUS, LAST
//% local INFO = { {"kind", 2, "0 instruction, 1 return, 2 init, 3 read"}, {"last", 1, "the last pass"}, {"pass", L.PASS_W, "which pass"}, {"warp", L.WARP_W, "warp"}, {"pc", L.PC_W, "its instruction"}, {"d", 6, "destination"}, {"result", 2, "0 nothing, 1 register, 2 predicate"}, {"ticket", L.TICKET_W, "ticket of a return"}, {"active", A, "active lanes"} }
//% if L.MOVES == 1 then INFO[#INFO + 1] = {"look", 1, "a read is a look"} end
//% local bits, names = 0, {}
//% for _, f in ipairs(INFO) do bits = bits + f[2]; names[#names + 1] = f[1] end
//% local x_names = "x_" .. table.concat(names, ", x_")
//% local l_names = "l_" .. table.concat(names, ", l_")
${header{title = "SIMT core: retirement", text = [[
What belongs to a pass goes along with the arithmetic, from X1 to X]] .. Q .. [[, and becomes
stage W there, which is the retirement port.  With its last pass a warp is released,
or the ticket of a return.

Latency: W shows a pass after the edge on which it leaves X]] .. Q .. [[; the release is that
edge.]]}}
`default_nettype none

module ${prefix}ndp_simt_retire (
    input  wire        clk,         // clock
    input  wire        rst,         // synchronous reset, active high
    input  wire        hold,        // the pipe stands still

    // stage X1
    input  wire        x_valid,     // it holds something
//% for _, f in ipairs(INFO) do
    input  wire ${pad(f[1] == "active" and vec(f[2]) or range(f[2]), 6)} ${pad("x_" .. f[1] .. ",", 12)} // ${f[3]}
//% end
    input  wire [3:0]  after_2,     // what a release does, of the pass in X2

    // results of stage X${Q}
    input  wire ${range(32 * A)} value,       // a lane in 32 bits

    output wire        busy,        // X or W hold something

    // release, on this edge
    output wire        done_warp,   // of a warp
    output wire        done_init,   // it has begun
    output wire        done_ret,    // of a ticket
    output wire ${pad(range(L.WARP_W), 6)} done_of,     // that warp
    output wire [3:0]  done_after,  // what comes of it
    output wire ${pad(range(L.TICKET_W), 6)} done_ticket, // that ticket

    // the pass that will be in W
    output wire        early,       // there is one
    output wire        early_read,  // it is for the host
//% if L.MOVES == 1 then
    output wire        early_look,  // it is for who looks,
    output wire        early_last,  // and the last one,
    output wire ${pad(vec(A), 6)} early_lanes, // of these lanes
//% end
    output wire ${pad(range(L.WARP_W), 6)} early_warp,  // its warp
    output wire ${pad(range(L.PASS_W), 6)} early_pass,  // and pass

    // stage W
    output reg         ret_valid,   // a pass retires
    output reg  [1:0]  ret_kind,    // 0 no result, 1 register, 2 predicate
    output reg  ${pad(range(L.WARP_W), 6)} ret_warp,    // warp
    output reg  ${pad(range(L.PC_W), 6)} ret_pc,      // instruction
    output reg  ${pad(range(L.PASS_W), 6)} ret_pass,    // pass
    output reg  ${pad(vec(A), 6)} ret_mask,    // active lanes
    output reg  [5:0]  ret_d,       // destination
    output reg  ${pad(range(32 * A), 6)} ret_value    // results
);
    localparam STAGES = ${Q}; // X1 to X${Q}
    localparam INFO_W = ${bits};
${localparams("ALUS", "WARP_W", "PC_W", "PASS_W")}

    localparam [1:0] INSTRUCTION = 2'd0;
    localparam [1:0] RETURN      = 2'd1;
    localparam [1:0] INIT        = 2'd2;
    localparam [1:0] READ        = 2'd3;

    // ------------------------------------------------------------------
    // X1 to X${Q}: bit 0 is X2, so to say; the youngest is lowest

    reg [STAGES-2:0]          there; // a pass
    reg [(STAGES-1)*INFO_W-1:0] infos; // and what belongs to it
//% if Q > 2 then
    reg [(STAGES-2)*4-1:0]    afters; // from X3 on
//% end

//% if Q > 2 then
    always @(posedge clk) begin
        if (rst)
            there <= {(STAGES-1){1'b0}};
        else if (!hold)
            there <= {there[STAGES-3:0], x_valid};
    end

    always @(posedge clk) begin
        if (!hold) begin
            infos  <= {infos[(STAGES-2)*INFO_W-1:0],
                       ${x_names}};
            afters <= {afters[(STAGES-3)*4-1:0], after_2};
        end
    end

//% else
    always @(posedge clk) begin
        if (rst)
            there <= 1'b0;
        else if (!hold)
            there <= x_valid;
    end

    always @(posedge clk) begin
        if (!hold)
            infos <= {${x_names}};
    end

//% end
    wire l_valid = there[STAGES-2];
//% for _, f in ipairs(INFO) do
    wire ${pad(f[1] == "active" and vec(f[2]) or range(f[2]), 6)} l_${f[1]};
//% end

    assign {${l_names}} =
        infos[(STAGES-1)*INFO_W-1:(STAGES-2)*INFO_W];

    // ------------------------------------------------------------------
    // Release

    wire leaves = l_valid && !hold;
    wire done   = leaves && l_last;

    assign done_warp   = done && (l_kind == INSTRUCTION || l_kind == INIT);
    assign done_init   = done && l_kind == INIT;
    assign done_ret    = done && l_kind == RETURN;
    assign done_of     = l_warp;
    assign done_ticket = l_ticket;
    assign done_after  = ${Q > 2 and "afters[(STAGES-2)*4-1:(STAGES-3)*4]" or "after_2"};
    assign early       = leaves;
//% if L.MOVES == 1 then
    assign early_read  = leaves && l_kind == READ && !l_look;
    assign early_look  = leaves && l_kind == READ && l_look;
    assign early_last  = l_last;
    assign early_lanes = l_active;
//% else
    assign early_read  = leaves && l_kind == READ;
//% end
    assign early_warp  = l_warp;
    assign early_pass  = l_pass;

    // ------------------------------------------------------------------
    // W

    wire retires = leaves && l_kind != READ;

    integer lane;

    always @(posedge clk) begin
        if (rst) begin
            ret_valid <= 1'b0;
            ret_kind  <= 2'd0;
            ret_warp  <= {WARP_W{1'b0}};
            ret_pc    <= {PC_W{1'b0}};
            ret_pass  <= {PASS_W{1'b0}};
            ret_mask  <= {ALUS{1'b0}};
            ret_d     <= 6'd0;
            ret_value <= {ALUS{32'd0}};
        end else begin
            ret_valid <= retires;
            ret_kind  <= l_result & {2{retires}};
            ret_warp  <= l_warp & {WARP_W{retires}};
            ret_pc    <= l_pc & {PC_W{retires}};
            ret_pass  <= l_pass & {PASS_W{retires}};
            ret_mask  <= l_active & {ALUS{retires}};
            ret_d     <= l_d & {6{retires && l_result != 2'd0}};
            for (lane = 0; lane < ALUS; lane = lane + 1)
                ret_value[lane*32 +: 32] <= value[lane*32 +: 32] &
                    {32{retires && l_result != 2'd0 && l_active[lane]}};
        end
    end

    // A read takes W, too, but is not seen there.
    reg read_w;

    always @(posedge clk) begin
        if (rst)
            read_w <= 1'b0;
        else
            read_w <= early_read${L.MOVES == 1 and " || early_look" or ""};
    end

    assign busy = x_valid || there != {(STAGES-1){1'b0}} || ret_valid || read_w;
endmodule

`default_nettype wire
