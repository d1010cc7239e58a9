//% use "ndp_queue.v"
//% use "ndp_round_robin.v"
//% local function w(n) return pad(range(n), 8) end
//% local RUN_W = math.max(1, clog2(L.BURST))
//% local CREDIT_W = clog2(L.INSTRS + 1)
//% local ASK_W = clog2(L.ASKS + 1)
${header{title = "cut between the dies: the side of the base logic die", text = [[
Gives the bus to one source at a time, of its own or of the other die:

    0  instruction down   3  row up
    1  row down           4  completion up
    2  row request down   5  load-store down
                          6  load-store up

and keeps what the other die has room for: a credit for each place for an
instruction and for a row request, and one row down and one up at a time.  A turn
ends with a packet, with a gap, or with the longest run of load-store beats; one of
the other die where no beat, or a last one, has come from the fourth edge after
the grant on.

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
    output reg           bus_stall,       // one had the bus, another could have had it

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
    output reg  [1:0]    grant,           // 1 row, 2 completion, 3 load-store
    input  wire [2:0]    request,         // {load-store, completion, row} waits
    input  wire [2:0]    returns,         // {row, row request, instruction}
    output wire          drives,          // out holds a beat
    output reg  ${w(L.SHARED_W)} out,             // {data, kind, last, first, valid}
    input  wire ${w(L.SHARED_W)} shared           // the same wires, whoever drives
);
${localparams("TSV_W", "SHARED_W", "WARP_W", "REG_W", "HEADER_W", "INSTRS", "ASKS", "BURST")}
    localparam RUN_W    = ${RUN_W}; // bits of a number of beats of a run
    localparam CREDIT_W = ${CREDIT_W};
    localparam ASK_W    = ${ASK_W};

    localparam [RUN_W-1:0] LAST_OF_RUN = BURST[RUN_W-1:0] - 1'b1;

    localparam INSTR = 0; // sources
    localparam ROW   = 1;
    localparam ASK   = 2;
    localparam UP    = 3;
    localparam DONE  = 4;
    localparam LDOWN = 5;
    localparam LUP   = 6;

    reg [6:0]          owner;        // one-hot, zero while the bus is free
    reg [1:0]          wait_for;     // edges since the grant of a turn up, to 3
    reg [RUN_W-1:0]    run;          // beats of this turn
    reg                open_instr;   // an instruction is under way
    reg                open_row;     // a row down is
    reg                open_lsu;     // a load-store message down is
    reg [CREDIT_W-1:0] instr_credit; // free places for instructions
    reg [ASK_W-1:0]    ask_credit;   // free places for row requests
    reg                down_busy;    // a row is down, or on its way
    reg                up_busy;      // a row that came up is not yet written
    reg [2:0]          seen;         // requests of the other die
    reg [2:0]          back;         // places that became free there
    reg [SHARED_W-1:0] in;           // the beat that has come

    wire free = owner == 7'd0;

    // ------------------------------------------------------------------
    // Who may have the bus, and who gets it

    wire [6:0] eligible;
    wire [6:0] chosen;
    wire [2:0] unused_index;
    wire       choose = free && |eligible;

    assign eligible[INSTR] = instr_valid && (instr_credit != {CREDIT_W{1'b0}} || open_instr);
    assign eligible[ROW]   = row_valid && (!down_busy || open_row);
    assign eligible[ASK]   = ask_valid && ask_credit != {ASK_W{1'b0}};
    assign eligible[UP]    = seen[0] && !up_busy;
    assign eligible[DONE]  = seen[1];
    assign eligible[LDOWN] = lsu_down_valid;
    assign eligible[LUP]   = seen[2];

    always @(posedge clk) begin
        if (rst)
            bus_stall <= 1'b0;
        else
            bus_stall <= !free && |(eligible & ~owner);
    end

    ${prefix}ndp_round_robin #(
        .N       (7),
        .INDEX_W (3)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (eligible),
        .take    (choose),
        .chosen  (chosen),
        .index   (unused_index)
    );

    // ------------------------------------------------------------------
    // The owner's beats

    wire turn_up = owner[UP] || owner[DONE] || owner[LUP];

    assign instr_ready    = owner[INSTR];
    assign row_ready      = owner[ROW];
    assign ask_ready      = owner[ASK];
    assign lsu_down_ready = owner[LDOWN];

    wire sends_instr = owner[INSTR] && instr_valid;
    wire sends_row   = owner[ROW] && row_valid;
    wire sends_ask   = owner[ASK] && ask_valid;
    wire sends_lsu   = owner[LDOWN] && lsu_down_valid;

    wire beat  = sends_instr || sends_row || sends_ask || sends_lsu;
    wire first = (sends_instr && !open_instr) || (sends_row && !open_row) ||
                 sends_ask || (sends_lsu && !open_lsu);
    wire last  = (sends_instr && instr_last) || (sends_row && row_last) ||
                 sends_ask || (sends_lsu && lsu_down_last);

    wire down_ends = last || !beat || (owner[LDOWN] && run == LAST_OF_RUN);
    wire up_ends   = wait_for == 2'd3 && (!far_valid || far_last);

    wire [TSV_W-1:0] data = (instr_data & {TSV_W{owner[INSTR]}}) |
                            (row_data & {TSV_W{owner[ROW]}}) |
                            (ask_data & {TSV_W{owner[ASK]}}) |
                            (lsu_down_data & {TSV_W{owner[LDOWN]}});

    always @(posedge clk) begin
        if (rst)
            owner <= 7'd0;
        else if (free)
            owner <= chosen;
        else if (turn_up ? up_ends : down_ends)
            owner <= 7'd0;
    end

    always @(posedge clk) begin
        if (free)
            wait_for <= 2'd0;
        else if (wait_for != 2'd3)
            wait_for <= wait_for + 1'b1;
    end

    always @(posedge clk) begin
        if (free)
            run <= {RUN_W{1'b0}};
        else
            run <= run + 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            open_instr <= 1'b0;
            open_row   <= 1'b0;
            open_lsu   <= 1'b0;
        end else begin
            if (sends_instr)
                open_instr <= !instr_last;
            if (sends_row)
                open_row <= !row_last;
            if (sends_lsu)
                open_lsu <= !lsu_down_last;
        end
    end

    // ------------------------------------------------------------------
    // Registers at the wires

    assign drives = out[0];

    always @(posedge clk) begin
        if (rst)
            grant <= 2'd0;
        else if (free)
            grant <= {chosen[DONE] || chosen[LUP], chosen[UP] || chosen[LUP]};
        else
            grant <= 2'd0;
    end

    always @(posedge clk) begin
        if (rst || !beat)
            out <= {SHARED_W{1'b0}};
        else
            out <= {data, sends_ask || sends_lsu, sends_row || sends_lsu,
                    last, first, 1'b1};
    end

    always @(posedge clk) begin
        if (rst || drives || !shared[0])
            in <= {SHARED_W{1'b0}};
        else
            in <= shared;
    end

    always @(posedge clk) begin
        if (rst) begin
            seen <= 3'd0;
            back <= 3'd0;
        end else begin
            seen <= request;
            back <= returns;
        end
    end

    assign {far_data, far_kind, far_last, far_first, far_valid} = in;

    // ------------------------------------------------------------------
    // Credits

    wire take_instr = sends_instr && first;

    always @(posedge clk) begin
        if (rst)
            instr_credit <= INSTRS[CREDIT_W-1:0];
        else if (take_instr && !back[0])
            instr_credit <= instr_credit - 1'b1;
        else if (back[0] && !take_instr)
            instr_credit <= instr_credit + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            ask_credit <= ASKS[ASK_W-1:0];
        else if (sends_ask && !back[1])
            ask_credit <= ask_credit - 1'b1;
        else if (back[1] && !sends_ask)
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
        .push      (sends_instr && instr_last),
        .in_word   (instr_data[WARP_W-1:0]),
        .can_push  (unused_can_push),
        .pop       (back[0]),
        .out_valid (unused_oldest),
        .out_word  (oldest)
    );

    assign delivered_valid = back[0];
    assign delivered_warp  = oldest & {WARP_W{back[0]}};

    // ------------------------------------------------------------------
    // Rows: one down, one up

    wire [HEADER_W-1:0] header = row_data[HEADER_W-1:0];
    wire                pair   = header[HEADER_W-1 -: 2] == 2'd1;

    reg [WARP_W-1:0] down_warp;
    reg [REG_W-1:0]  down_reg;
    reg              down_epoch;
    reg              down_final;

    wire tracked = moved_valid && moved_ready;
    wire landed  = back[2] && down_busy && !moved_valid; // else it is no news

    always @(posedge clk) begin
        if (sends_row && first) begin
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
            if (sends_row)
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

    always @(posedge clk) begin
        if (rst)
            up_busy <= 1'b0;
        else if (far_last && far_kind == 2'd1)
            up_busy <= 1'b1;
        else if (taken_row)
            up_busy <= 1'b0;
    end
endmodule

`default_nettype wire
