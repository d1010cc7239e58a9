//% use "ndp_nbu_decide_formal.vh"
//% local BODY_W = L.TAG_W + L.OP_W + L.LANES + 5 * L.OPERAND_W
//% local MOVES_W = L.WARP_W + 5 * (L.REG_W + 5)
//% local function w(n) return pad(range(n), 8) end
${header{title = "near-bank unit: lookup pipeline and decision", text = [[
    Stage 1  the picked instruction's registers address the track table
    Stage 2  the table answers; where does the instruction run, which operands
             are missing where they must be, is a write of one under way
    Stage 3  which moves does it take; then the unit acts

The act is one of
    hold  a write of an operand is under way: forget the lookup
    move  operands are missing: send the list of them to the far mover
    go    send the instruction and, if it writes, invert the issued epoch

Latency: the act is on the third edge after the one that made p1_valid; one
lookup a cycle, no stall.  Both queues and the far mover's queue have a place
for every warp, so that a push needs no handshake.

Operands are numbered in the order in which their moves are made:
    0 src0, 1 src1, 2 src2, 3 guard, 4 dst]]}}
`default_nettype none

module ${prefix}ndp_nbu_decide (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high
    input  wire [1:0]    policy,        // 0 annotated, 1 default, 2 near, 3 far

    // stage 1: a picked instruction
    input  wire          p1_valid,      // a lookup begins
    input  wire ${w(L.WARP_W)} p1_warp,       // warp
    input  wire [1:0]    p1_hint,       // compiler's location
    input  wire ${w(BODY_W)} p1_body,       // dst, guard, sources, mask, class, tag
    output wire ${w(5 * L.REG_W)} lookup_regs,   // its registers, in operand order

    // stage 2: what the track table says
    input  wire [4:0]    found_far,     // bit k: the far copy of k is valid
    input  wire [4:0]    found_near,    // bit k: the near copy of k is valid
    input  wire [4:0]    found_retired, // bit k: epoch of its last finished write
    input  wire [4:0]    found_issued,  // bit k: epoch of its last issued write

    // the act
    output wire          act,           // a lookup ends
    output wire          act_hold,      // a write is under way
    output wire          act_move,      // operands are missing
    output wire          act_go,        // the instruction is sent
    output wire          act_near,      // to the near pipeline
    output wire ${w(L.WARP_W)} act_warp,      // warp
    output wire [2:0]    act_moves,     // number of missing operands
    output wire ${w(MOVES_W)} moves,         // the list for the far mover
    output wire ${w(L.INSTR_W)} packet,        // the instruction for the queues
    output wire          issued_write,  // go, and the instruction writes
    output wire ${w(L.REG_W)} issued_reg,    // this register
    output wire          issued_epoch   // under this epoch
);
${localparams("WARP_W", "REG_W", "LANES", "TAG_W", "OP_W", "OPERAND_W", "TICKET_W")}

    // {dst, guard, src2, src1, src0, mask, class, tag}
    localparam BODY_W     = 5 * OPERAND_W + LANES + OP_W + TAG_W;
    localparam MASK_AT    = OP_W + TAG_W;
    localparam OPERAND_AT = LANES + OP_W + TAG_W;

    localparam MOVE_W = 4 + REG_W; // {up, kind, epoch, register}

    // Settings of policy.
    localparam [1:0] ANNOTATED = 2'd0;
    localparam [1:0] ALL_NEAR  = 2'd2;
    localparam [1:0] ALL_FAR   = 2'd3;

    localparam [1:0] HINT_FAR  = 2'd1;
    localparam [1:0] HINT_NEAR = 2'd2;

    // Classes whose operands have fixed sides.
//% if L.NEAR_SIDE == 1 then
    localparam [OP_W-1:0] LD_GLOBAL = ${L.OP_W}'d${class.ld_global};
    localparam [OP_W-1:0] ST_GLOBAL = ${L.OP_W}'d${class.st_global};
    localparam [OP_W-1:0] LD_SHARED = ${L.OP_W}'d${class.ld_shared};
    localparam [OP_W-1:0] ST_SHARED = ${L.OP_W}'d${class.st_shared};
//% end

    // Bit c: class c can execute only in the far bank.
    localparam [31:0] FAR_SET = 32'h${far_set};
//% if near_set then

    // Bit c: class c can execute only in the near bank.
    localparam [31:0] NEAR_SET = 32'h${near_set};
//% end

    genvar k;

    // ------------------------------------------------------------------
    // Stage 1

    generate
        for (k = 0; k < 5; k = k + 1) begin : lookup
            assign lookup_regs[k*REG_W +: REG_W] =
                p1_body[OPERAND_AT + k*OPERAND_W +: REG_W];
        end
    endgenerate

    // ------------------------------------------------------------------
    // Stage 2

    reg              p2_valid;
    reg [WARP_W-1:0] p2_warp;
    reg [1:0]        p2_hint;
    reg [BODY_W-1:0] p2_body;
    reg              p2_far_class; // its class is in the far set
//% if near_set then
    reg              p2_near_class; // its class is in the near set
//% end
//% if L.NEAR_SIDE == 1 then
    reg              p2_global;    // global load or store
    reg              p2_shared;    // shared load or store
//% end

    wire [OP_W-1:0] p1_op = p1_body[TAG_W +: OP_W];

    always @(posedge clk) begin
        if (rst)
            p2_valid <= 1'b0;
        else
            p2_valid <= p1_valid;
    end

    always @(posedge clk) begin
        p2_warp      <= p1_warp;
        p2_hint      <= p1_hint;
        p2_body      <= p1_body;
        p2_far_class <= FAR_SET[p1_op];
//% if near_set then
        p2_near_class <= NEAR_SET[p1_op];
//% end
//% if L.NEAR_SIDE == 1 then
        p2_global    <= p1_op == LD_GLOBAL || p1_op == ST_GLOBAL;
        p2_shared    <= p1_op == LD_SHARED || p1_op == ST_SHARED;
//% end
    end

    wire [LANES-1:0] p2_mask = p2_body[MASK_AT +: LANES];
    wire [4:0]       p2_used; // bit k: operand k is valid

    generate
        for (k = 0; k < 5; k = k + 1) begin : used
            assign p2_used[k] = p2_body[OPERAND_AT + (k+1)*OPERAND_W - 1];
        end
    endgenerate

    // Where it runs.  Sources are src0 to src2 and the guard.
    wire p2_has_source   = |p2_used[3:0];
    wire p2_sources_near = ~|(p2_used[3:0] & ~found_near[3:0]);
    wire p2_annotated    = policy == ANNOTATED;

    reg p2_near;

    always @* begin
//% if near_set then
        if (p2_near_class)
            p2_near = 1'b1;
        else
//% end
        if (policy == ALL_FAR || p2_far_class)
            p2_near = 1'b0;
        else if (policy == ALL_NEAR)
            p2_near = 1'b1;
        else if (p2_annotated && p2_hint == HINT_FAR)
            p2_near = 1'b0;
        else if (p2_annotated && p2_hint == HINT_NEAR)
            p2_near = 1'b1;
        else
            p2_near = p2_has_source && p2_sources_near;
    end

    // Lanes that are not written keep their old value, so a partial write
    // needs the destination as well.
    wire       p2_partial = !(&p2_mask) || p2_used[3];
    wire [4:0] p2_needed  = p2_used & {p2_partial, 4'b1111};

    // Which operands must be near, and which of all are not where they must
    // be: for an instruction that runs near, and for one that runs far.  Both
    // are prepared because p2_near is known last.
//% if L.NEAR_SIDE == 1 then
    wire [4:0] sides_if_near = p2_global ? 5'b11110 : 5'b11111;
    wire [4:0] sides_if_far  = p2_global ? 5'b10110 :
                               p2_shared ? 5'b10111 : 5'b00000;
//% else
    wire [4:0] sides_if_near = 5'b11111; // never
    wire [4:0] sides_if_far  = 5'b00000; // no register is near
//% end

    wire [4:0] missing_if_near = p2_needed & ~((sides_if_near & found_near) |
                                               (~sides_if_near & found_far));
    wire [4:0] missing_if_far  = p2_needed & ~((sides_if_far & found_near) |
                                               (~sides_if_far & found_far));

    // Which operands name the same register.
    wire [REG_W-1:0] p2_src0  = p2_body[OPERAND_AT + 0*OPERAND_W +: REG_W];
    wire [REG_W-1:0] p2_src1  = p2_body[OPERAND_AT + 1*OPERAND_W +: REG_W];
    wire [REG_W-1:0] p2_src2  = p2_body[OPERAND_AT + 2*OPERAND_W +: REG_W];
    wire [REG_W-1:0] p2_guard = p2_body[OPERAND_AT + 3*OPERAND_W +: REG_W];
    wire [REG_W-1:0] p2_dst   = p2_body[OPERAND_AT + 4*OPERAND_W +: REG_W];

    // ------------------------------------------------------------------
    // Stage 3

    reg              p3_valid;
    reg [WARP_W-1:0] p3_warp;
    reg [BODY_W-1:0] p3_body;
    reg              p3_near;       // it runs near
    reg              p3_pending;    // a write of an operand is under way
    reg              p3_complete;   // no operand is missing
    reg [4:0]        p3_missing;    // operands that are not where they must be
    reg [4:0]        p3_must_near;  // operands that must be near
    reg [4:0]        p3_retired;    // their epochs
    reg              p3_dst_used;   // it writes a register
    reg              p3_dst_epoch;  // under this new epoch
    reg [4:1]        p3_same_src0;  // bit k: operand k is src0's register
    reg [4:2]        p3_same_src1;  // ... src1's
    reg [4:3]        p3_same_src2;  // ... src2's
    reg              p3_same_guard; // the destination is the guard's register

    always @(posedge clk) begin
        if (rst)
            p3_valid <= 1'b0;
        else
            p3_valid <= p2_valid;
    end

    always @(posedge clk) begin
        p3_warp       <= p2_warp;
        p3_body       <= p2_body;
        p3_near       <= p2_near;
        p3_pending    <= |(p2_used & (found_issued ^ found_retired));
        p3_complete   <= p2_near ? ~|missing_if_near : ~|missing_if_far;
        p3_missing    <= p2_near ? missing_if_near : missing_if_far;
        p3_must_near  <= p2_near ? sides_if_near : sides_if_far;
        p3_retired    <= found_retired;
        p3_dst_used   <= p2_used[4];
        p3_dst_epoch  <= ~found_issued[4];
        p3_same_src0  <= {p2_dst == p2_src0, p2_guard == p2_src0,
                          p2_src2 == p2_src0, p2_src1 == p2_src0};
        p3_same_src1  <= {p2_dst == p2_src1, p2_guard == p2_src1,
                          p2_src2 == p2_src1};
        p3_same_src2  <= {p2_dst == p2_src2, p2_guard == p2_src2};
        p3_same_guard <= p2_dst == p2_guard;
    end

    // One move serves all operands that name the same register: the first of
    // them asks.
    wire [4:1] p3_served =
        ({4{p3_missing[0]}} & p3_same_src0) |
        {{3{p3_missing[1]}} & p3_same_src1, 1'b0} |
        {{2{p3_missing[2]}} & p3_same_src2, 2'b00} |
        {p3_missing[3] & p3_same_guard, 3'b000};
    wire [4:0] p3_wanted = p3_missing & ~{p3_served, 1'b0};

    // ------------------------------------------------------------------
    // Act

    assign act       = p3_valid;
    assign act_hold  = p3_valid && p3_pending;
    assign act_move  = p3_valid && !p3_pending && !p3_complete;
    assign act_go    = p3_valid && !p3_pending && p3_complete;
    assign act_near  = p3_near;
    assign act_warp  = p3_warp;
    assign act_moves = {2'b00, p3_wanted[0]} + {2'b00, p3_wanted[1]} +
                       {2'b00, p3_wanted[2]} + {2'b00, p3_wanted[3]} +
                       {2'b00, p3_wanted[4]};

    // The kind and the register of operand k lie together in the operand.
    generate
        for (k = 0; k < 5; k = k + 1) begin : move
            wire [OPERAND_W-2:0] operand =
                p3_body[OPERAND_AT + k*OPERAND_W +: OPERAND_W - 1];

            assign moves[k*MOVE_W +: MOVE_W] = {
                !p3_must_near[k], operand[REG_W +: 2], p3_retired[k],
                operand[0 +: REG_W]
            };
        end
    endgenerate

    assign moves[5*MOVE_W +: 5 + WARP_W] = {p3_warp, p3_wanted};

    wire [REG_W-1:0]    dst_reg = p3_body[OPERAND_AT + 4*OPERAND_W +: REG_W];
    wire [TICKET_W-1:0] ticket  = p3_dst_used
        ? {1'b1, p3_must_near[4], p3_dst_epoch, dst_reg} : {TICKET_W{1'b0}};

    assign packet       = {ticket, p3_body, p3_warp};
    assign issued_write = act_go && p3_dst_used;
    assign issued_reg   = dst_reg;
    assign issued_epoch = p3_dst_epoch;

`ifdef FORMAL
`include "${prefix}ndp_nbu_decide_formal.vh"
`endif
endmodule

`default_nettype wire
