//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_nbu_slots_formal.vh"
//% local BODY_W = L.TAG_W + L.OP_W + L.LANES + 5 * L.OPERAND_W
//% local function w(n) return pad(range(n), 8) end
${header{title = "near-bank unit: held instructions and the pick", text = [[
Holds one instruction for each warp from its accept to its delivery and sends
one of those that may go through the lookup pipeline each cycle.

State of a warp (ready is issue_ready):
    ready    no instruction is held or on its way to a pipeline
    parked   one is held, and no lookup of it is under way
    ask      it wants a lookup: it is new, or a track table entry of the warp
             has changed since the last lookup began
    left     moves it waits for; no lookup before all have finished
    waiting  left is not zero
    pickable parked, ask and not waiting, as a register of its own: the pick
             starts from it

Handshake: issue_ready has one bit for each warp, and is a register.  All bits
are low until the track table is initialised.

Latency: an instruction accepted on edge t is picked on edge t+1 at the
earliest; its slot is read on that edge and shown with p1_valid (stage 1).]]}}
`default_nettype none

module ${prefix}ndp_nbu_slots (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high
    input  wire          init_last,     // the track table is ready after this edge

    // issue: instructions from the front end
    input  wire          issue_valid,   // an instruction is presented
    output reg  ${w(L.WARPS)} issue_ready,   // bit w: warp w may issue
    input  wire ${w(L.WARP_W)} issue_warp,    // warp
    input  wire [1:0]    issue_hint,    // compiler's location
    input  wire ${w(BODY_W)} issue_body,    // dst, guard, sources, mask, class, tag
    output wire          accept,        // an instruction is accepted

    // stage 1 of the lookup pipeline
    output reg           p1_valid,      // a lookup begins
    output reg  ${w(L.WARP_W)} p1_warp,       // warp
    output wire [1:0]    p1_hint,       // compiler's location
    output wire ${w(BODY_W)} p1_body,       // the instruction

    // the end of the pipeline
    input  wire          act,           // a lookup ends
    input  wire          act_move,      // it asks for moves
    input  wire          act_go,        // it sends the instruction
    input  wire ${w(L.WARP_W)} act_warp,      // warp
    input  wire [2:0]    act_moves,     // number of moves asked for

    // updates of the track table
    input  wire          update_write,  // an entry changes
    input  wire ${w(L.WARP_W)} update_warp,   // warp
    input  wire          update_move,   // it is because a move has finished
    input  wire ${w(L.WARP_W)} move_warp,     // update_warp of a move, known early

    // deliveries
    input  wire          far_taken,     // the far pipeline takes an instruction
    input  wire ${w(L.WARP_W)} far_warp,      // of this warp
    input  wire          near_taken,    // the near pipeline takes an instruction
    input  wire ${w(L.WARP_W)} near_warp      // of this warp
);
${localparams("WARPS", "WARP_W", "TAG_W", "OP_W", "LANES", "OPERAND_W")}

    // An instruction without its warp: {dst, guard, src2, src1, src0, mask,
    // class, tag}, and a slot: {hint, instruction}.
    localparam BODY_W = 5 * OPERAND_W + LANES + OP_W + TAG_W;
    localparam SLOT_W = 2 + BODY_W;

    localparam [WARPS-1:0] ONE  = {{(WARPS-1){1'b0}}, 1'b1};
    localparam [WARPS-1:0] NONE = {WARPS{1'b0}};

    reg [WARPS-1:0]   parked;
    reg [WARPS-1:0]   ask;
    reg [WARPS-1:0]   waiting;
    reg [WARPS-1:0]   pickable;
    reg [WARPS-1:0]   left_0; // bit 0 of each warp's number
    reg [WARPS-1:0]   left_1;
    reg [WARPS-1:0]   left_2;

    // ------------------------------------------------------------------
    // What happens to which warp on this edge, one bit a warp.  A number
    // beyond the last warp is shifted out and touches none.

    wire [WARPS-1:0] accepted = issue_valid ? (ONE << issue_warp) & issue_ready
                                            : NONE;
    wire [WARPS-1:0] acted    = act ? ONE << act_warp : NONE;
    wire [WARPS-1:0] updated  = update_write ? ONE << update_warp : NONE;
    wire [WARPS-1:0] moved    = update_move ? ONE << move_warp : NONE;
    wire [WARPS-1:0] to_far   = far_taken ? ONE << far_warp : NONE;
    wire [WARPS-1:0] to_near  = near_taken ? ONE << near_warp : NONE;
    wire [WARPS-1:0] picked;

    assign accept = |accepted;

    // ------------------------------------------------------------------
    // Pick

    wire              pick = |pickable;
    wire [WARP_W-1:0] pick_warp;

    ${prefix}ndp_round_robin #(
        .N       (WARPS),
        .INDEX_W (WARP_W)
    ) picker (
        .clk     (clk),
        .rst     (rst),
        .request (pickable),
        .take    (pick),
        .chosen  (picked),
        .index   (pick_warp)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (SLOT_W),
        .WORDS     (WARPS),
        .ADDRESS_W (WARP_W)
    ) slot (
        .clk     (clk),
        .wr_en   (accept),
        .wr_addr (issue_warp),
        .wr_data ({issue_hint, issue_body}),
        .rd_en   (pick),
        .rd_addr (pick_warp),
        .rd_data ({p1_hint, p1_body})
    );

    always @(posedge clk) begin
        if (rst)
            p1_valid <= 1'b0;
        else
            p1_valid <= pick;
    end

    always @(posedge clk) begin
        if (pick)
            p1_warp <= pick_warp;
    end

    // ------------------------------------------------------------------
    // Flags.  A wake or an accept wins over a pick: the lookup that begins
    // now reads the table too early to see everything, so ask stays.

    wire [WARPS-1:0] parked_next  = (parked & ~picked) | accepted |
                                    (acted & {WARPS{!act_go}});
    wire [WARPS-1:0] ask_next     = (ask & ~picked) | accepted | updated;
    wire [WARPS-1:0] begun        = acted & {WARPS{act_move}};
    // bit w: warp w waits for one move more
    wire [WARPS-1:0] last_left    = left_0 & ~(left_1 | left_2);
    wire [WARPS-1:0] waiting_next = (waiting & ~(moved & last_left)) | begun;

    always @(posedge clk) begin
        if (rst) begin
            issue_ready <= NONE;
            parked      <= NONE;
            ask         <= NONE;
            waiting     <= NONE;
            pickable    <= NONE;
        end else begin
            issue_ready <= (issue_ready & ~accepted) | to_far | to_near |
                           {WARPS{init_last}};
            parked      <= parked_next;
            ask         <= ask_next;
            waiting     <= waiting_next;
            pickable    <= parked_next & ask_next & ~waiting_next;
        end
    end

    // ------------------------------------------------------------------
    // Moves left: loaded when moves begin, which is when there are none; one
    // less when one has finished.  Bit by bit of all warps together, which a
    // simulator does in words.

    wire [WARPS-1:0] less_0 = left_0 ^ moved;
    wire [WARPS-1:0] less_1 = left_1 ^ (moved & ~left_0);
    wire [WARPS-1:0] less_2 = left_2 & ~(moved & ~left_0 & ~left_1);

    always @(posedge clk) begin
        if (rst) begin
            left_0 <= NONE;
            left_1 <= NONE;
            left_2 <= NONE;
        end else begin
            left_0 <= less_0 | (begun & {WARPS{act_moves[0]}});
            left_1 <= less_1 | (begun & {WARPS{act_moves[1]}});
            left_2 <= less_2 | (begun & {WARPS{act_moves[2]}});
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_nbu_slots_formal.vh"
`endif
endmodule

`default_nettype wire
