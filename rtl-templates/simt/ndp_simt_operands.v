//% local P, A, N = L.PASSES, L.ALUS, L.LANES
//% local PB = clog2(P)
//% local list = {}
//% for _, o in ipairs(ops(function(o) return o.pred_a end)) do list[#list + 1] = "o_code[7:0] == " .. op(o.name) end
//% local pred_ab = table.concat(list, " ||\n                   ")
${header{title = "SIMT core: operands", text = [[
What the arithmetic gets: registers, a number, a parameter, a special register,
predicates; the row of a return, the threads of an init.  And which lanes are
active.

    O: what the memories gave -> choose -> X1

Latency: what is in O on an edge is in X1 after it.]]}}
`default_nettype none

module ${prefix}ndp_simt_operands (
    input  wire        clk,        // clock
    input  wire        hold,       // the pipe stands still

    // stage O
    input  wire [1:0]  o_kind,     // 0 instruction, 1 return, 2 init, 3 read
    input  wire ${pad(range(L.PASS_W), 6)} o_pass,     // pass
    input  wire [63:0] o_code,     // word
    input  wire [31:0] o_value,    // number or special register, but for its lane
    input  wire        o_fixed,    // b is that
    input  wire        o_lane,     // with the lane within the pass added
    input  wire        o_tabled,   // b is a parameter or a number of the CTA
    input  wire        o_offset,   // c is the data of a store, a + b its address
//% if L.MOVES == 1 then
    input  wire        o_offer,    // the block is offered: all lanes of the warp
//% end
    input  wire ${pad(range(N), 6)} o_mask,     // lanes that execute

    // what the memories gave
    input  wire ${range(32 * A)} reg_a,      // registers, a lane in 32 bits
    input  wire ${range(32 * A)} reg_b,      //
    input  wire ${range(32 * A)} reg_c,      //
    input  wire ${range(7 * A)} preds,      // predicates of each lane
    input  wire [31:0] tabled,     // parameter, or number of the CTA
    input  wire ${range(32 * (L.MERGE == 0 and A or N))} row,        // result of an access, ${L.MERGE == 0 and "of the pass" or "all lanes"}
    input  wire ${pad(range(N), 6)} row_lanes,  // the lanes that it is for
    input  wire ${range(30 * A)} threads,    // packed threads
    input  wire ${pad(range(N), 6)} init_lanes, // the lanes that have one

    // stage X1
    output reg  ${pad(range(32 * A), 6)} x_a,        // operands
    output reg  ${pad(range(32 * A), 6)} x_b,        //
    output reg  ${pad(range(32 * A), 6)} x_c,        //
    output reg  ${pad(vec(A), 6)} x_p,        // predicate c
    output reg  ${pad(vec(A), 6)} x_active,   // active lanes
    output reg         x_offset    // address is a + b
);
${localparams("ALUS")}

    localparam [1:0] INSTRUCTION = 2'd0;
    localparam [1:0] RETURN      = 2'd1;
    localparam [1:0] INIT        = 2'd2;

    wire pred_ab = ${pred_ab}; // sources a and b are predicates

    // Lanes of the pass
//% if P > 1 then
    wire [ALUS-1:0]    mask      = o_mask[o_pass*ALUS +: ALUS];
    wire [ALUS-1:0]    mask_row  = row_lanes[o_pass*ALUS +: ALUS];
    wire [ALUS-1:0]    mask_init = init_lanes[o_pass*ALUS +: ALUS];
    wire [32*ALUS-1:0] row_pass  = ${L.MERGE == 0 and "row" or "row[o_pass*32*ALUS +: 32*ALUS]"};
//% else
    wire [ALUS-1:0]    mask      = o_mask;
    wire [ALUS-1:0]    mask_row  = row_lanes;
    wire [ALUS-1:0]    mask_init = init_lanes;
    wire [32*ALUS-1:0] row_pass  = row;
//% end

    wire [31:0] uniform = o_tabled ? tabled : o_value;
    wire        same    = o_fixed || o_tabled;

    // ------------------------------------------------------------------
    // Lane by lane

    wire [32*ALUS-1:0] a;
    wire [32*ALUS-1:0] b;
    wire [ALUS-1:0]    p;
    wire [ALUS-1:0]    active;

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            wire [7:0] set = {1'b1, preds[i*7 +: 7]}; // p7 is true

            wire guard = set[o_code[10:8]] ^ o_code[11];
            wire p_a   = set[o_code[20:18]] ^ o_code[21];
            wire p_b   = set[o_code[42:40]] ^ o_code[43];

            assign p[i] = set[o_code[34:32]] ^ o_code[35];

            assign active[i] = o_kind == INSTRUCTION ? mask[i] && ${L.MOVES == 1 and "(guard || o_offer)" or "guard"} :
                               o_kind == RETURN      ? mask_row[i] :
                               o_kind == INIT        ? mask_init[i] : ${L.MOVES == 1 and "mask[i]" or "1'b1"};

            assign a[i*32 +: 32] =
                o_kind == RETURN ? row_pass[i*32 +: 32] :
                o_kind == INIT   ? {2'd0, threads[i*30 +: 30]} :
                pred_ab          ? {31'd0, p_a} : reg_a[i*32 +: 32];
            assign b[i*32 +: 32] =
                same    ? uniform | (o_lane ? i : 32'd0) :
                pred_ab ? {31'd0, p_b} : reg_b[i*32 +: 32];
        end
    endgenerate

    always @(posedge clk) begin
        if (!hold) begin
            x_a      <= a;
            x_b      <= b;
            x_c      <= reg_c;
            x_p      <= p;
            x_active <= active;
            x_offset <= o_offset;
        end
    end

//% local rest = { "o_code[63:44], o_code[39:36], o_code[31:22], o_code[17:12]" }
//% if P == 1 then rest[#rest + 1] = "o_pass" end
    wire unused = &{1'b0, ${table.concat(rest, ", ")}};
endmodule

`default_nettype wire
