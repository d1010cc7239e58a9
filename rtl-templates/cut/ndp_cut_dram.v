//% local function w(n) return pad(range(n), 8) end
//% local RUN_W = math.max(1, clog2(L.BURST))
${header{title = "cut between the dies: the side of the DRAM die", text = [[
Says with a wire each that a row, a completion or a load-store beat waits, and
sends beats of one of them when the base die grants it the bus, to the end of a
packet, to a gap, or to the longest run of load-store beats.

Everything that leaves is a register, and all that comes goes into one: turn, and
the beat that near shows.

Latency: a grant is a turn after the edge on which it stands on the wires; a beat
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
    input  wire [1:0]    grant,        // 1 row, 2 completion, 3 load-store
    output reg  [2:0]    request,      // {load-store, completion, row} waits
    output reg  [2:0]    returns,      // {row, row request, instruction}
    output wire          drives,       // out holds a beat
    output reg  ${w(L.SHARED_W)} out,          // {data, kind, last, first, valid}
    input  wire ${w(L.SHARED_W)} shared        // the same wires, whoever drives
);
${localparams("TSV_W", "SHARED_W", "BURST")}
    localparam RUN_W = ${RUN_W}; // bits of a number of beats of a run

    localparam [RUN_W-1:0] LAST_OF_RUN = BURST[RUN_W-1:0] - 1'b1;

    reg [2:0]          turn; // one-hot {load-store, completion, row}, or zero
    reg [2:0]          open; // a packet of that source is under way
    reg [RUN_W-1:0]    run;  // beats of this turn
    reg [SHARED_W-1:0] in;   // the beat that has come

    assign up_ready     = turn[0];
    assign done_ready   = turn[1];
    assign lsu_up_ready = turn[2];

    wire [2:0] sends = turn & {lsu_up_valid, done_valid, up_valid};
    wire [2:0] ends  = sends & {lsu_up_last, done_last, up_last};
    wire       beat  = |sends;
    wire       first = |(sends & ~open);
    wire       last  = |ends;
    wire       at_end = last || !beat || (turn[2] && run == LAST_OF_RUN);

    wire [TSV_W-1:0] data = (up_data & {TSV_W{turn[0]}}) |
                            (done_data & {TSV_W{turn[1]}}) |
                            (lsu_up_data & {TSV_W{turn[2]}});

    always @(posedge clk) begin
        if (rst)
            turn <= 3'd0;
        else if (turn == 3'd0)
            turn <= {grant == 2'd3, grant == 2'd2, grant == 2'd1};
        else if (at_end)
            turn <= 3'd0;
    end

    always @(posedge clk) begin
        if (turn == 3'd0)
            run <= {RUN_W{1'b0}};
        else
            run <= run + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            open <= 3'd0;
        else
            open <= (open | sends) & ~ends;
    end

    // ------------------------------------------------------------------
    // Registers at the wires

    assign drives = out[0];

    always @(posedge clk) begin
        if (rst || !beat)
            out <= {SHARED_W{1'b0}};
        else
            out <= {data, {2{turn[2]}} | {1'b0, turn[0]}, last, first, 1'b1};
    end

    always @(posedge clk) begin
        if (rst) begin
            request <= 3'd0;
            returns <= 3'd0;
        end else begin
            request <= {lsu_up_valid, done_valid, up_valid};
            returns <= {back_row, back_ask, back_instr};
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
