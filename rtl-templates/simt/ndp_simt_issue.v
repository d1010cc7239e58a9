//% use "ndp_simt_decode.v"
//% use "ndp_simt_scoreboard.v"
//% use "ndp_simt_issue_formal.vh"
//% local P, OFFERS = L.PASSES, L.OFFERS == 1
//% local BUILDS, MOVES = L.BUILDS == 1, L.MOVES == 1
//% local AW = pad(range(L.WARP_W), 6)
//% local AP = pad(range(L.PC_W), 6)
//% local AT = pad(range(L.TICKET_W), 6)
${header{title = "SIMT core: check and stage D", text = [[
An instruction that leaves stage F is checked.  An illegal one is a fault; one whose
registers or resources are not there is dropped, and its warp waits; any other stays
in D for its passes.  Returns, inits and reads need no check; D makes an instruction
of them, a | 0.

Latency: an instruction in F is in D after an edge on which D is empty or on its
last pass.]]}}
`default_nettype none

module ${prefix}ndp_simt_issue (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high
    input  wire        hold,          // the pipe stands still

    // stage F
    input  wire        f_valid,       // it holds something
    input  wire [1:0]  f_kind,        // 0 instruction, 1 return, 2 init, 3 read
    input  wire ${AW} f_warp,        // warp
    input  wire ${AP} f_pc,          // its instruction
    input  wire ${AT} f_ticket,      // ticket of a return
    input  wire [5:0]  f_d,           // destination of a return
    input  wire [63:0] f_code,        // word of an instruction
    input  wire [5:0]  read_reg,      // register of a read
//% if MOVES then
    input  wire        f_look,        // a read is a look
    input  wire        f_look_pred,   // at a predicate
    input  wire [5:0]  f_look_reg,    // of this number
//% end
    output wire        f_leaves,      // F is empty after this edge

//% if OFFERS then
    // ${BUILDS and "chains" or "blocks"}
    input  wire        offer,         // an instruction is to be offered
//% if BUILDS then
    input  wire        shut,          // but another chain is being built
//% else
    input  wire        unsettled,     // but its warp has requests under way,
    input  wire        unready,       // or registers that are not there yet
    output wire        settle,        // f_warp has to wait for its requests
//% end
    output wire        to_d,          // an instruction is in D after this edge
    input  wire        port_pred,     // the last ticket is for a predicate

//% end
    // tickets and access buffers
    input  wire ${pad(range(L.TICKETS), 6)} used,          // tickets in use
    input  wire ${range(L.TICKETS * L.WARP_W)} used_warps,    // their warps
    input  wire ${range(L.TICKETS * 6)} used_d,        // and destinations
    input  wire ${AT} free_ticket,   // the lowest one that is free
    input  wire        free_buffer,   // an access buffer is free
    input  wire        next_buffer,   // the one whose turn it is
    output wire        take_ticket,   // free_ticket is for f_warp, f_pc, take_d
    output wire        take_buffer,   // next_buffer is for it
    output wire [5:0]  take_d,        // destination

    // what comes of the check
    output wire        drop,          // f_warp has to wait
    output wire        fault,         // f_warp's word is illegal

    // stage D
    output reg         d_valid,       // it holds something
    output reg  [1:0]  d_kind,        // as f_kind
    output reg  ${AW} d_warp,        // warp
    output reg  ${AP} d_pc,          // its instruction
    output reg  ${pad(range(L.PASS_W), 6)} d_pass,        // pass
    output wire        d_last,        // it is the last one
    output reg  [63:0] d_code,        // word
    output reg  [31:0] d_value,       // number in it
    output reg         d_fixed,       // b is that
    output reg         d_special,     // b is a special register
    output reg         d_param,       // b is a parameter
    output reg         d_access,      // goes to memory or to other lanes
    output reg         d_control,     // has to do with the flow of the warp
    output reg         d_offset,      // address is a and value
    output reg  [1:0]  d_result,      // W: 0 nothing, 1 register, 2 predicate
//% if OFFERS then
    output reg         d_offer,       // it is offered
//% if MOVES then
    output reg         d_look,        // a read is a look
//% end
//% end
    output reg  ${AT} d_ticket,      // ticket
    output reg         d_buffer,      // access buffer

    // events
    output reg         count_issued,  // an instruction is in D
    output reg         count_blocked  // one had to wait
);
//% local names = { "TICKETS" }
//% if OFFERS then names[#names + 1] = "TICKET_W" end
//% if P > 1 then names[#names + 1] = "PASS_W" end
${localparams(table.unpack(names))}

    localparam [1:0] INSTRUCTION = 2'd0;
//% if OFFERS then
    localparam [1:0] RETURN      = 2'd1;
//% end
    localparam [1:0] READ        = 2'd3;

    // "or d, a, 0", unguarded: without d and a
    localparam [63:0] COPY = ${hex(64, isa.op["or"].code + 7 * 256 + (1 << 24))};
//% if MOVES then

    // "por p0, pa, 0": a predicate as a number
    localparam [63:0] SHOW = ${hex(64, isa.op["por"].code + 7 * 256)};
//% end

    // ------------------------------------------------------------------
    // Check

    wire        legal;
    wire        uses_a;
    wire        uses_b;
    wire        uses_c;
    wire        writes_reg;
    wire        writes_pred;
    wire        access;
    wire        control;
    wire        offset;
    wire        fixed;
    wire        special;
    wire        param;
    wire [31:0] value;

    ${prefix}ndp_simt_decode decode (
        .code        (f_code),
        .legal       (legal),
        .uses_a      (uses_a),
        .uses_b      (uses_b),
        .uses_c      (uses_c),
        .writes_reg  (writes_reg),
        .writes_pred (writes_pred),
        .access      (access),
        .control     (control),
        .offset      (offset),
        .fixed       (fixed),
        .special     (special),
        .param       (param),
        .value       (value)
    );

    wire pending;
//% if OFFERS then

    // The last ticket is for results of chains; that of a predicate holds no register.
    wire [TICKETS-1:0] used_regs = {used[TICKETS-1] && !port_pred, used[TICKETS-2:0]};
//% end

    ${prefix}ndp_simt_scoreboard scoreboard (
        .warp      (f_warp),
        .uses_a    (uses_a),
        .a         (f_code[23:18]),
        .uses_b    (uses_b),
        .b         (f_code[45:40]),
        .uses_c    (uses_c),
        .c         (f_code[37:32]),
        .writes_d  (writes_reg),
        .d         (f_code[17:12]),
        .used      (${OFFERS and "used_regs" or "used"}),
        .warps     (used_warps),
        .registers (used_d),
        .pending   (pending)
    );

    wire moves   = f_valid && (!d_valid || d_last) && !hold;
    wire checked = moves && f_kind == INSTRUCTION;
//% if OFFERS then
    wire full    = used[TICKETS-2:0] == {(TICKETS-1){1'b1}};
    wire queued  = access || offer; // for the engine
    wire result  = access && writes_reg && !offer;
//% if BUILDS then
    wire blocked = pending || (queued && !free_buffer) || (result && full) ||
                   (offer && shut);
//% else
    wire blocked = (offer ? unready : pending) || (queued && !free_buffer) ||
                   (result && full);
//% end
//% else
    wire full    = used == {TICKETS{1'b1}};
    wire blocked = pending || (access && !free_buffer) ||
                   (access && writes_reg && full);
//% end

    wire accept = moves && (f_kind != INSTRUCTION || (legal && !blocked${MOVES and " && !unsettled" or ""}));

    assign f_leaves    = moves;
    assign fault       = checked && !legal;
//% if MOVES then
    assign settle      = checked && legal && unsettled;
    assign drop        = checked && legal && blocked && !unsettled;
    assign to_d        = checked && legal && !blocked && !unsettled;
//% else
    assign drop        = checked && legal && blocked;
//% end
//% if BUILDS then
    assign to_d        = checked && legal && !blocked;
//% end
//% if OFFERS then
    assign take_buffer = to_d && queued;
    assign take_ticket = to_d && result;
//% else
    assign take_buffer = checked && legal && !blocked && access;
    assign take_ticket = take_buffer && writes_reg;
//% end
    assign take_d      = f_code[17:12];

    // ------------------------------------------------------------------
    // D

    assign d_last = ${P > 1 and "d_pass == {PASS_W{1'b1}}" or "1'b1"};

    always @(posedge clk) begin
        if (rst)
            d_valid <= 1'b0;
        else if (!hold)
            d_valid <= accept || (d_valid && !d_last);
    end

    wire instruction = f_kind == INSTRUCTION;

    always @(posedge clk) begin
        if (accept) begin
            d_kind    <= f_kind;
            d_warp    <= f_warp;
            d_pc      <= f_pc;
//% if MOVES then
            d_look    <= f_kind == READ && f_look;
            d_code    <= instruction ? f_code
                       : f_kind == READ && f_look && f_look_pred
                                     ? SHOW | {43'd0, f_look_reg[2:0], 18'd0}
                                     : COPY | {40'd0, f_kind != READ ? 6'd0 :
                                               f_look ? f_look_reg : read_reg,
                                               f_d, 12'd0};
//% else
            d_code    <= instruction ? f_code
                                     : COPY | {40'd0, f_kind == READ ? read_reg
                                                                     : 6'd0,
                                               f_d, 12'd0};
//% end
            d_value   <= instruction ? value : 32'd0;
            d_fixed   <= fixed || !instruction;
            d_special <= special && instruction;
            d_param   <= param && instruction;
//% if OFFERS then
            d_access  <= queued && instruction;
            d_control <= control && !offer && instruction;
            d_offer   <= offer && instruction;
//% else
            d_access  <= access && instruction;
            d_control <= control && instruction;
//% end
            d_offset  <= offset;
            d_ticket  <= instruction ? free_ticket : f_ticket;
            d_buffer  <= next_buffer;
            if (instruction)
                d_result <= ${OFFERS and "queued" or "access"} ? 2'd0 : {writes_pred, writes_reg};
//% if OFFERS then
            else if (f_kind == RETURN && port_pred && f_ticket == {TICKET_W{1'b1}})
                d_result <= 2'd2;
//% end
            else
                d_result <= {1'b0, f_kind != READ};
        end
    end

    always @(posedge clk) begin
//% if P > 1 then
        if (accept)
            d_pass <= {PASS_W{1'b0}};
        else if (d_valid && !hold)
            d_pass <= d_pass + 1'b1;
//% else
        d_pass <= 1'b0;
//% end
    end

    always @(posedge clk) begin
        if (rst) begin
            count_issued  <= 1'b0;
            count_blocked <= 1'b0;
        end else begin
            count_issued  <= accept && instruction;
            count_blocked <= drop${MOVES and " || settle" or ""};
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_issue_formal.vh"
`endif
endmodule

`default_nettype wire
