//% use "ndp_queue.v"
//% use "ndp_cut_side.v"
//% local function w(n) return pad(range(n), 8) end
//% local CREDIT_W = clog2(L.INSTRS + 1)
//% local ASK_W = clog2(L.ASKS + 1)
${header{title = "cut between the dies: the side of the base logic die", text = [[
Sends the packets of its four sources in runs, one after the other:

    instr     instructions down
    row       register rows down
    ask       row requests down
    lsu_down  load-store traffic down

and keeps what the other die has room for: a credit for each place for an
instruction and for a row request, and one row down at a time.  A run ends when no
source has a beat, or between packets after BURST beats, if the other die wants to
send; that one then has the wires until it says that its run has ended.

Everything that leaves is a register, and all that comes goes into one.

Latency: a beat that is taken stands on the wires after that edge, one on the
wires at far.]]}}
`default_nettype none

module ${prefix}ndp_cut_base (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high

    // instr: instructions down
    input  wire          instr_valid,     // a beat
    output wire          instr_ready,     // taken
    input  wire          instr_last,      // last of its packet
    input  wire ${w(L.TSV_W)} instr_data,      // beat

    // row: register rows down
    input  wire          row_valid,       // a beat
    output wire          row_ready,       // taken
    input  wire          row_last,        // last of its packet
    input  wire ${w(L.TSV_W)} row_data,        // beat

    // ask: requests for rows
    input  wire          ask_valid,       // a request
    output wire          ask_ready,       // taken
    input  wire ${w(L.TSV_W)} ask_data,        // beat

    // lsu_down: load-store traffic down
    input  wire          lsu_down_valid,  // a beat
    output wire          lsu_down_ready,  // taken
    input  wire          lsu_down_last,   // last of its message
    input  wire ${w(L.TSV_W)} lsu_down_data,   // beat

    // far: beats that have come up
    output wire          far_valid,       // a beat
    output wire [1:0]    far_kind,        // what it belongs to
    output wire          far_first,       // first of its packet
    output wire          far_last,        // last of its packet
    output wire ${w(L.TSV_W)} far_data,        // beat

    // taken: room for the next row up
    input  wire          taken_row,       // the row that came is written

    // bus: for whoever counts
    output reg           bus_stall,       // a source waited for the wires

    // delivered: instructions that the near pipeline has taken
    output wire          delivered_valid, // an instruction
    output wire ${w(L.WARP_W)} delivered_warp,  // its warp

    // moved: moves down that are done
    output reg           moved_valid,     // a move
    input  wire          moved_ready,     // tracked
    output wire ${w(L.WARP_W)} moved_warp,      // warp
    output wire ${w(L.REG_W)} moved_reg,       // register
    output wire          moved_epoch,     // retired epoch

    // the wires
    output reg  [2:0]    grant,           // {room for a row, down waits, begin a run}
    input  wire [1:0]    request,         // {the run has ended, up waits}
    input  wire [2:0]    returns,         // {row, row request, instruction}
    output wire          drives,          // out holds a beat
    output reg  ${w(L.SHARED_W)} out,             // {data, kind, last, first, valid}
    input  wire ${w(L.SHARED_W)} shared           // the same wires, whoever drives
);
${localparams("TSV_W", "SHARED_W", "WARP_W", "REG_W", "HEADER_W", "INSTRS", "ASKS")}
    localparam CREDIT_W = ${CREDIT_W};
    localparam ASK_W    = ${ASK_W};

    localparam INSTR = 0; // sources
    localparam ROW   = 1;
    localparam ASK   = 2;
    localparam LSU   = 3;

    reg                down;         // the run is this die's
    reg                wanted;       // the other die wants to send
    reg                ended;        // its run has ended
    reg [CREDIT_W-1:0] instr_credit; // free places for instructions
    reg [ASK_W-1:0]    ask_credit;   // free places for row requests
    reg                down_busy;    // a row is down, or on its way
    reg [2:0]          back;         // places that became free on the other die
    reg [SHARED_W-1:0] in;           // the beat that has come

    // ------------------------------------------------------------------
    // Runs

    wire [3:0] valid = {lsu_down_valid, ask_valid, row_valid, instr_valid};
    wire [3:0] lasts = {lsu_down_last, 1'b1, row_last, instr_last};
    wire [3:0] room;
    wire [3:0] sends;
    wire [3:0] opens;
    wire [3:0] eligible;
    wire       beat;
    wire       ends;
    wire       drained;
    wire       long_run;

    assign room[INSTR] = instr_credit != {CREDIT_W{1'b0}};
    assign room[ROW]   = !down_busy;
    assign room[ASK]   = ask_credit != {ASK_W{1'b0}};
    assign room[LSU]   = 1'b1;

    wire mine  = down || ended;
    wire leave = mine && wanted && (drained || long_run);

    ${prefix}ndp_cut_side #(
        .N       (4),
        .INDEX_W (2)
    ) side (
        .clk      (clk),
        .rst      (rst),
        .valid    (valid),
        .last     (lasts),
        .room     (room),
        .mine     (mine),
        .stays    (mine && !leave),
        .ready    ({lsu_down_ready, ask_ready, row_ready, instr_ready}),
        .sends    (sends),
        .opens    (opens),
        .eligible (eligible),
        .beat     (beat),
        .ends     (ends),
        .drained  (drained),
        .long_run (long_run)
    );

    always @(posedge clk) begin
        if (rst)
            down <= 1'b1;
        else
            down <= mine && !leave;
    end

    always @(posedge clk) begin
        if (rst)
            bus_stall <= 1'b0;
        else
            bus_stall <= (mine && wanted) || (eligible & ~sends) != 4'd0;
    end

    wire [TSV_W-1:0] data = (instr_data & {TSV_W{sends[INSTR]}}) |
                            (row_data & {TSV_W{sends[ROW]}}) |
                            (ask_data & {TSV_W{sends[ASK]}}) |
                            (lsu_down_data & {TSV_W{sends[LSU]}});

    // ------------------------------------------------------------------
    // Registers at the wires

    assign drives = out[0];

    always @(posedge clk) begin
        if (rst)
            grant <= 3'd0;
        else
            grant <= {taken_row, eligible != 4'd0, leave};
    end

    always @(posedge clk) begin
        if (rst || !beat)
            out <= {SHARED_W{1'b0}};
        else
            out <= {data, sends[ASK] || sends[LSU], sends[ROW] || sends[LSU],
                    ends, |opens, 1'b1};
    end

    always @(posedge clk) begin
        if (rst || drives || !shared[0])
            in <= {SHARED_W{1'b0}};
        else
            in <= shared;
    end

    always @(posedge clk) begin
        if (rst) begin
            {ended, wanted} <= 2'd0;
            back            <= 3'd0;
        end else begin
            {ended, wanted} <= request;
            back            <= returns;
        end
    end

    assign {far_data, far_kind, far_last, far_first, far_valid} = in;

    // ------------------------------------------------------------------
    // Credits

    always @(posedge clk) begin
        if (rst)
            instr_credit <= INSTRS[CREDIT_W-1:0];
        else if (opens[INSTR] && !back[0])
            instr_credit <= instr_credit - 1'b1;
        else if (back[0] && !opens[INSTR])
            instr_credit <= instr_credit + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            ask_credit <= ASKS[ASK_W-1:0];
        else if (sends[ASK] && !back[1])
            ask_credit <= ask_credit - 1'b1;
        else if (back[1] && !sends[ASK])
            ask_credit <= ask_credit + 1'b1;
    end

    // ------------------------------------------------------------------
    // Instructions that are down: their warps, in order

    wire              unused_can_push; // a place for each credit
    wire              unused_oldest;   // there is one when one comes back
    wire [WARP_W-1:0] oldest;

    ${prefix}ndp_queue #(
        .WIDTH (WARP_W),
        .DEPTH (INSTRS)
    ) warps (
        .clk       (clk),
        .rst       (rst),
        .push      (sends[INSTR] && instr_last),
        .in_word   (instr_data[WARP_W-1:0]),
        .can_push  (unused_can_push),
        .pop       (back[0]),
        .out_valid (unused_oldest),
        .out_word  (oldest)
    );

    assign delivered_valid = back[0];
    assign delivered_warp  = oldest & {WARP_W{back[0]}};

    // ------------------------------------------------------------------
    // Rows down: one at a time

    wire [HEADER_W-1:0] header = row_data[HEADER_W-1:0];
    wire                pair   = header[HEADER_W-1 -: 2] == 2'd1;

    reg [WARP_W-1:0] down_warp;
    reg [REG_W-1:0]  down_reg;
    reg              down_epoch;
    reg              down_final;

    wire tracked = moved_valid && moved_ready;
    wire landed  = back[2] && down_busy && !moved_valid; // else it is no news

    always @(posedge clk) begin
        if (opens[ROW]) begin
            down_warp  <= header[WARP_W-1:0];
            down_reg   <= header[WARP_W +: REG_W] & ~{{(REG_W-1){1'b0}}, pair};
            down_epoch <= header[WARP_W+REG_W];
            down_final <= header[WARP_W+REG_W+1];
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            down_busy   <= 1'b0;
            moved_valid <= 1'b0;
        end else begin
            if (sends[ROW])
                down_busy <= 1'b1;
            else if (tracked || (landed && !down_final))
                down_busy <= 1'b0;
            if (landed && down_final)
                moved_valid <= 1'b1;
            else if (moved_ready)
                moved_valid <= 1'b0;
        end
    end

    assign moved_warp  = down_warp & {WARP_W{moved_valid}};
    assign moved_reg   = down_reg & {REG_W{moved_valid}};
    assign moved_epoch = down_epoch && moved_valid;
endmodule

`default_nettype wire
