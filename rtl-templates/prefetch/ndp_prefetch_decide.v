//% use "ndp_subtract.v"
//% use "ndp_prefetch_decide_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local far = L.ADDR_W - L.STRIDE_W
${header{title = "prefetcher: decision", text = [[
Says where the walk goes from a demand's address: outside of the core's part
nowhere; one base stride on while there is a next block along the axis; then one
modified stride to the next row or column of blocks (one base stride more if the
thread's block lies before the last one, which is then cut off for it); and
nowhere when that does not exist either.

All three targets are made while the division goes on.

Latency: the walk is taken one edge before done; the target is shown one edge
after it.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_decide (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high

    // the walk
    input  wire ${w(L.ADDR_W)} address,      // of the demand
    input  wire         axis,         // the walk goes 0 along x, 1 along y
    input  wire ${w(L.STRIDE_W)} base,         // stride to the next block
    input  wire ${w(L.STRIDE_W)} modified,     // stride at the turn
    input  wire ${w(L.ROW_W)} y_lo,         // bounds along y
    input  wire ${w(L.ROW_W)} y_hi,         //
    input  wire ${w(L.ROW_W)} y_turn,       //
    input  wire ${w(L.ROW_W)} y_last,       //

    // where the demand is
    input  wire         done,         // the division is done
    input  wire ${w(L.ROW_W)} row,          // row
    input  wire         lt_lo,        // the column is less than the bound
    input  wire         lt_hi,        //
    input  wire         lt_turn,      //
    input  wire         lt_last,      //

    // decision
    output wire         outside,      // not in the core's part
    output wire         ended,        // the walk has ended
    output reg          target_valid, // it goes on
    output reg  ${w(L.ADDR_W)} target,       // at this address
    output reg  ${w(L.LINE_W)} own_line      // line of the demand itself
);
${far == 0 and localparams("ADDR_W", "ROW_W") or localparams("ADDR_W", "ROW_W", "STRIDE_W")}

    // ------------------------------------------------------------------
    // The three targets

//% local function signed(name)
//%     return "{{" .. far .. "{" .. name .. "[STRIDE_W-1]}}, " .. name .. "}"
//% end
//% if far >= 0 then
    wire [ADDR_W-1:0] base_step = ${far > 0 and signed("base") or "base"};
    wire [ADDR_W-1:0] turn_step = ${far > 0 and signed("modified") or "modified"};
//% else
    // A stride has one bit more than an address; targets wrap.
    wire [ADDR_W-1:0] base_step = base[ADDR_W-1:0];
    wire [ADDR_W-1:0] turn_step = modified[ADDR_W-1:0];
    wire              unused    = base[STRIDE_W-1] ^ modified[STRIDE_W-1];
//% end

    reg [ADDR_W-1:0] next_target; // next block along the axis
    reg [ADDR_W-1:0] turn_target; // next row or column of blocks
    reg [ADDR_W-1:0] both_steps;  // from the address to there, if cut off
    reg [ADDR_W-1:0] from;        // address

    always @(posedge clk) begin
        next_target <= address + base_step;
        turn_target <= address + turn_step;
        both_steps  <= base_step + turn_step;
        from        <= address;
    end

    // ------------------------------------------------------------------
    // Bounds along y, beside the division, and how the row compares

//% local bounds = { "lo", "hi", "turn", "last" }
//% if L.ITERATIVE == 0 then
    reg             along_y;
//% for _, b in ipairs(bounds) do
    reg [ROW_W-1:0] not_${b}; // inverted
//% end

    always @(posedge clk) begin
        along_y  <= axis;
//% for _, b in ipairs(bounds) do
        ${pad("not_" .. b, 8)} <= ~y_${b};
//% end
    end
//% else
    // The walk is stable while the division goes on.
    wire             along_y  = axis;
//% for _, b in ipairs(bounds) do
    wire [ROW_W-1:0] ${pad("not_" .. b, 8)} = ~y_${b};
//% end
//% end

//% for _, b in ipairs(bounds) do
    wire             ge_${b};
    wire [ROW_W-1:0] unused_${b};

    ${prefix}ndp_subtract #(
        .WIDTH (ROW_W)
    ) compare_${b} (
        .value      (row),
        .not_number (not_${b}),
        .difference (unused_${b}),
        .at_least   (ge_${b})
    );

//% end
    // ------------------------------------------------------------------
    // Decision

    // The comparisons of the row come last: what is known before them is put
    // together first.
    wire in_x    = done && !lt_lo && lt_hi;
    wire in_y    = ge_lo && !ge_hi;
    wire end_x   = in_x && !lt_turn; // no block to the right
    wire go_next = along_y ? !ge_turn : lt_turn; // a block follows on the axis
    wire is_cut  = along_y ? !ge_last : lt_last;

    assign outside = done && !(in_x && in_y);
    assign ended   = end_x && (in_y && ge_turn);

    always @(posedge clk) begin
        if (rst)
            target_valid <= 1'b0;
        else
            target_valid <= in_x && in_y && !(end_x && ge_turn);
    end

    always @(posedge clk) begin
        target   <= go_next ? next_target :
                    is_cut  ? from + both_steps : turn_target;
        own_line <= from[ADDR_W-1:${L.BYTE_W}];
    end

`ifdef FORMAL
`include "${prefix}ndp_prefetch_decide_formal.vh"
`endif
endmodule

`default_nettype wire
