//% use "ndp_cut_side.v"
//% local function w(n) return pad(range(n), 8) end
${header{title = "cut between the dies: the side of the DRAM die", text = [[
Says with a wire that a row, a completion or a load-store beat waits.  Granted a run
it sends their packets one after the other, until none has a beat, or between packets
after BURST beats if the base die waits, and then says that its run has ended.  One
row up at a time.

Everything that leaves is a register, and all that comes goes into one.

Latency: a grant begins a run after the edge on which it stands on the wires; a beat
that is taken stands on the wires after that edge, one on the wires at near.]]}}
`default_nettype none

module ${prefix}ndp_cut_dram (
    input  wire          clk,          // clock
    input  wire          rst,          // synchronous reset, active high

    // near: beats that have come down
    output wire          near_valid,   // a beat
    output wire [1:0]    near_kind,    // what it belongs to
    output wire          near_first,   // first of its packet
    output wire          near_last,    // last of its packet
    output wire ${w(L.TSV_W)} near_data,    // beat

    // up: register rows
    input  wire          up_valid,     // a beat
    output wire          up_ready,     // taken
    input  wire          up_last,      // last of its packet
    input  wire ${w(L.TSV_W)} up_data,      // beat

    // done: completions
    input  wire          done_valid,   // a beat
    output wire          done_ready,   // taken
    input  wire          done_last,    // last of its packet
    input  wire ${w(L.TSV_W)} done_data,    // beat

    // lsu_up: load-store traffic
    input  wire          lsu_up_valid, // a beat
    output wire          lsu_up_ready, // taken
    input  wire          lsu_up_last,  // last of its message
    input  wire ${w(L.TSV_W)} lsu_up_data,  // beat

    // back: places that have become free
    input  wire          back_instr,   // of an instruction
    input  wire          back_ask,     // of a row request
    input  wire          back_row,     // of a row

    // the wires
    input  wire [2:0]    grant,        // {room for a row, down waits, begin a run}
    output reg  [1:0]    request,      // {the run has ended, up waits}
    output reg  [2:0]    returns,      // {row, row request, instruction}
    output wire          drives,       // out holds a beat
    output reg  ${w(L.SHARED_W)} out,          // {data, kind, last, first, valid}
    input  wire ${w(L.SHARED_W)} shared        // the same wires, whoever drives
);
${localparams("TSV_W", "SHARED_W")}
    localparam ROW  = 0; // sources
    localparam DONE = 1;
    localparam LSU  = 2;

    reg                mine;    // the run is this die's
    reg                waited;  // the base die wants to send
    reg                up_busy; // a row that went up is not yet written
    reg [SHARED_W-1:0] in;      // the beat that has come

    wire [2:0] sends;
    wire [2:0] opens;
    wire [2:0] eligible;
    wire       beat;
    wire       ends;
    wire       drained;
    wire       long_run;

    wire leave = mine && (drained || (long_run && waited));
    wire stays = (mine && !leave) || grant[0];

    ${prefix}ndp_cut_side #(
        .N       (3),
        .INDEX_W (2)
    ) side (
        .clk      (clk),
        .rst      (rst),
        .valid    ({lsu_up_valid, done_valid, up_valid}),
        .last     ({lsu_up_last, done_last, up_last}),
        .room     ({2'b11, !up_busy}),
        .mine     (mine),
        .stays    (stays),
        .ready    ({lsu_up_ready, done_ready, up_ready}),
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
            mine <= 1'b0;
        else
            mine <= stays;
    end

    always @(posedge clk) begin
        if (rst)
            up_busy <= 1'b0;
        else if (opens[ROW])
            up_busy <= 1'b1;
        else if (grant[2])
            up_busy <= 1'b0;
    end

    wire [TSV_W-1:0] data = (up_data & {TSV_W{sends[ROW]}}) |
                            (done_data & {TSV_W{sends[DONE]}}) |
                            (lsu_up_data & {TSV_W{sends[LSU]}});

    // ------------------------------------------------------------------
    // Registers at the wires

    assign drives = out[0];

    always @(posedge clk) begin
        if (rst || !beat)
            out <= {SHARED_W{1'b0}};
        else
            out <= {data, sends[LSU], sends[ROW] || sends[LSU], ends, |opens, 1'b1};
    end

    always @(posedge clk) begin
        if (rst) begin
            request <= 2'd0;
            returns <= 3'd0;
            waited  <= 1'b0;
        end else begin
            request <= {leave, eligible != 3'd0 && !mine};
            returns <= {back_row, back_ask, back_instr};
            waited  <= grant[1];
        end
    end

    always @(posedge clk) begin
        if (rst || drives || !shared[0])
            in <= {SHARED_W{1'b0}};
        else
            in <= shared;
    end

    assign {near_data, near_kind, near_last, near_first, near_valid} = in;
endmodule

`default_nettype wire
