//% use "ndp_queue.v"
//% use "ndp_nbu_update_formal.vh"
//% local function w(n) return pad(range(n), 8) end
${header{title = "near-bank unit: updates of the track table", text = [[
Collects everything that changes the track table and serves one of it an edge:
    1  the completion of an instruction that executed near
    2  a register that has been moved up (near to far)
    3  a register that has been moved down (far to near)
    4  the completion of an instruction that executed far
The first that waits goes.  A completion makes the side that it wrote the only
valid one, and commits; a move makes both valid.

Handshake: far_done_ready says that the queue of far completions has room.
A finished move waits until its *_taken.  A near completion comes over the bus
at most every second edge and cannot be refused; it never waits.

Latency: an update is made on the edge on which it is served; commit_* shows
a completion for one cycle after that edge.]]}}
`default_nettype none

module ${prefix}ndp_nbu_update (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high
    input  wire          init_done,       // the track table is initialised

    // far_done: completions from the far-bank pipeline
    input  wire          far_done_valid,  // a completion is presented
    output wire          far_done_ready,  // taken
    input  wire ${w(L.WARP_W)} far_done_warp,   // warp
    input  wire ${w(L.TAG_W)} far_done_tag,    // tag
    input  wire ${w(L.TICKET_W)} far_done_ticket, // ticket of the instruction

    // completions from the near-bank pipeline, as they arrive over the bus
    input  wire          done_beat,       // a beat of a completion arrives
    input  wire          done_last,       // the last one
    input  wire ${w(math.min(L.TSV_W, L.DONE_W))} done_data,       // the beat

    // finished moves
    input  wire          up_finished,     // a register has been moved up
    input  wire ${w(L.WARP_W)} up_warp,         // warp
    input  wire ${w(L.REG_W)} up_reg,          // register
    input  wire          up_epoch,        // its retired epoch
    output wire          up_taken,        // the update is made
    input  wire          down_finished,   // a register has been moved down
    input  wire ${w(L.WARP_W)} down_warp,       // warp
    input  wire ${w(L.REG_W)} down_reg,        // register
    input  wire          down_epoch,      // its retired epoch
    output wire          down_taken,      // the update is made

    // the update
    output wire          update_write,    // write an entry of the table
    output wire ${w(L.WARP_W)} update_warp,     // warp
    output wire ${w(L.REG_W)} update_reg,      // register
    output wire          update_far,      // the far copy is valid
    output wire          update_near,     // the near copy is valid
    output wire          update_epoch,    // retired epoch
    output wire          update_move,     // it is made because a move has finished
    output wire ${w(L.WARP_W)} move_warp,       // update_warp of a move, known early

    // commit: finished instructions to the front end
    output wire          complete,        // a completion is served
    output reg           commit_valid,    // an instruction commits
    output reg           commit_near,     // it executed near
    output reg  ${w(L.WARP_W)} commit_warp,     // warp
    output reg  ${w(L.TAG_W)} commit_tag       // tag
);
${localparams("WARP_W", "REG_W", "TAG_W", "DONE_W")}

    // ------------------------------------------------------------------
    // Completions of the far pipeline

    wire              far_valid;
    wire              far_taken;
    wire [DONE_W-1:0] far_word;

    ${prefix}ndp_queue #(
        .WIDTH (DONE_W),
        .DEPTH (2)
    ) far_done (
        .clk       (clk),
        .rst       (rst),
        .push      (far_done_valid && far_done_ready),
        .in_word   ({far_done_ticket, far_done_tag, far_done_warp}),
        .can_push  (far_done_ready),
        .pop       (far_taken),
        .out_valid (far_valid),
        .out_word  (far_word)
    );

    // ------------------------------------------------------------------
    // Completions of the near pipeline; the first beat is the highest part

//% if L.DONE_BEATS > 1 then
${localparams("TSV_W")}
    localparam EARLY_W = DONE_W - TSV_W; // what comes before the last beat

    reg  [EARLY_W-1:0] early;
    wire [DONE_W-1:0]  arriving = {early, done_data};

    always @(posedge clk) begin
        if (done_beat)
            early <= arriving[EARLY_W-1:0];
    end
//% else
    wire [DONE_W-1:0] arriving = done_data;
//% end

    reg              nd_valid;
    reg [DONE_W-1:0] nd_word;

    always @(posedge clk) begin
        if (rst)
            nd_valid <= 1'b0;
        else
            nd_valid <= done_beat && done_last;
    end

    always @(posedge clk) begin
        if (done_beat && done_last)
            nd_word <= arriving;
    end

    // ------------------------------------------------------------------
    // Who is served.  Only a far completion could come before the table is
    // initialised: the others follow from instructions that were accepted.

    wire near_taken = nd_valid;

    assign up_taken   = !nd_valid && up_finished;
    assign down_taken = !nd_valid && !up_finished && down_finished;
    assign far_taken  = init_done && !nd_valid && !up_finished &&
                        !down_finished && far_valid;

    assign complete    = near_taken || far_taken;
    assign update_move = up_taken || down_taken;

    wire [DONE_W-1:0] done_word = nd_valid ? nd_word : far_word;
    wire              done_written;
    wire              done_near;
    wire              done_epoch;
    wire [REG_W-1:0]  done_reg;
    wire [TAG_W-1:0]  done_tag;
    wire [WARP_W-1:0] done_warp;

    assign {done_written, done_near, done_epoch, done_reg, done_tag,
            done_warp} = done_word;

    wire [REG_W-1:0] move_reg   = up_finished ? up_reg : down_reg;
    wire             move_epoch = up_finished ? up_epoch : down_epoch;

    assign move_warp = up_finished ? up_warp : down_warp;

    assign update_write = update_move || (complete && done_written);
    assign update_warp  = update_move ? move_warp : done_warp;
    assign update_reg   = update_move ? move_reg : done_reg;
    assign update_epoch = update_move ? move_epoch : done_epoch;
    assign update_far   = update_move || !done_near;
    assign update_near  = update_move || done_near;

    // ------------------------------------------------------------------
    // Commit.  Whether one is served is known late: it goes through a gate, not
    // through the reset of the registers.

    always @(posedge clk) begin
        if (rst) begin
            commit_valid <= 1'b0;
            commit_near  <= 1'b0;
            commit_warp  <= {WARP_W{1'b0}};
            commit_tag   <= {TAG_W{1'b0}};
        end else begin
            commit_valid <= complete;
            commit_near  <= near_taken;
            commit_warp  <= done_warp & {WARP_W{complete}};
            commit_tag   <= done_tag & {TAG_W{complete}};
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_nbu_update_formal.vh"
`endif
endmodule

`default_nettype wire
