//% use "ndp_round_robin.v"
//% use "ndp_nbu_tsv_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% -- Beats that follow the first one, of each kind of packet.
//% local more = { L.INSTR_BEATS - 1, L.ROW_BEATS, L.PRED_BEATS, L.DONE_BEATS - 1, L.LSU_BURST - 1 }
//% local BEAT_W = clog2(math.max(table.unpack(more)) + 1)
//% local function beats(n) return BEAT_W .. "'d" .. n end
//% local CREDIT_W = clog2(L.NEAR_QUEUE + 1)
//% local ASK_W = clog2(L.MOVE_QUEUE + 1)
//% local spare_instr = L.INSTR_BEATS * L.TSV_W - L.INSTR_W
//% local spare_done = L.DONE_BEATS * L.TSV_W - L.DONE_W
${header{title = "near-bank unit: TSV bus", text = [[
Shares the wires between the dies, one beat a cycle in either direction:

    0  instruction down   near send queue
    1  row down           far mover
    2  row request down   far mover
    3  row up             near mover
    4  completion up      near done queue
    5  load-store down    lsu_down
    6  load-store up      lsu_up

A free bus is granted to the first source after the last owner that has a packet
and, where the other die has to have room for it, a credit.  On the edge of the
grant no beat moves: the wires turn round.  An owner keeps the bus to the end of
its packet; load-store traffic to its last beat, its first gap, or LSU_BURST
beats.  So a source waits for at most six other grants.

Handshake: a source is told with *_left that its last beat is taken; movers
also get row_shift for each beat.  lsu_*_ready depends on registers only.

Latency: a beat is on the bus, and its bit in bus_from is 1, after the edge that
takes it from its source.]]}}
`default_nettype none

module ${prefix}ndp_nbu_tsv (
    input  wire          clk,            // clock
    input  wire          rst,            // synchronous reset, active high

    // 0: instructions down
    input  wire          send_ready,     // an instruction is ready
    input  wire ${w(L.INSTR_W)} send_packet,    // instruction
    output wire          send_left,      // its last beat is taken
    input  wire          send_credit,    // a place becomes free on the other die

    // 1 and 2: rows and row requests down
    input  wire          down_ready,     // a row is ready
    input  wire          down_pred,      // it is a predicate's
    input  wire          ask_ready,      // a request is ready
    input  wire ${w(L.TSV_W)} down_beat,      // next beat of either
    output wire          down_shift,     // a beat of the row is taken
    output wire          down_left,      // its last beat is taken
    output wire          ask_left,       // the request is taken
    input  wire          down_done,      // the landing register is free again
    input  wire          ask_credit,     // a place becomes free on the other die

    // 3: rows up
    input  wire          up_ready,       // a row is ready
    input  wire          up_pred,        // it is a predicate's
    input  wire ${w(L.TSV_W)} up_beat,        // its next beat
    output wire          up_shift,       // a beat is taken
    output wire          up_left,        // its last beat is taken
    input  wire          up_done,        // the landing register is free again

    // 4: completions up
    input  wire          done_ready,     // a completion is ready
    input  wire ${w(L.DONE_W)} done_packet,    // completion
    output wire          done_left,      // its last beat is taken

    // 5 and 6: load-store traffic
    input  wire          lsu_down_valid, // a beat is presented
    output wire          lsu_down_ready, // the bus takes a beat
    input  wire          lsu_down_last,  // last beat of a message
    input  wire ${w(L.TSV_W)} lsu_down_data,  // beat
    input  wire          lsu_up_valid,   // a beat is presented
    output wire          lsu_up_ready,   // the bus takes a beat
    input  wire          lsu_up_last,    // last beat of a message
    input  wire ${w(L.TSV_W)} lsu_up_data,    // beat

    // the bus
    output reg           tsv_valid,      // a beat is on the bus
    output reg  [2:0]    tsv_kind,       // number of its source
    output reg           tsv_last,       // last beat of its packet
    output reg  [6:0]    bus_from,       // its source, one-hot; zero: no beat
    output reg           bus_first,      // first beat of its packet
    output reg  ${w(L.TSV_W)} bus_data,       // beat
    output reg           next_first,     // the next beat is a packet's first
    output wire          stall           // the bus is owned, another source waits
);
${localparams("TSV_W", "INSTR_BEATS", "DONE_BEATS", "NEAR_QUEUE", "MOVE_QUEUE")}

    localparam INSTR = 0; // sources
    localparam DOWN  = 1;
    localparam ASK   = 2;
    localparam UP    = 3;
    localparam DONE  = 4;
    localparam LDOWN = 5;
    localparam LUP   = 6;

    // Beats of a packet that follow its first one.
    localparam BEAT_W = ${BEAT_W};

    localparam [BEAT_W-1:0] MORE_INSTR = ${beats(more[1])};
    localparam [BEAT_W-1:0] MORE_ROW   = ${beats(more[2])}; // the first is the header
    localparam [BEAT_W-1:0] MORE_PRED  = ${beats(more[3])};
    localparam [BEAT_W-1:0] MORE_DONE  = ${beats(more[4])};
    localparam [BEAT_W-1:0] MORE_LSU   = ${beats(more[5])}; // longest run

    localparam [BEAT_W-1:0] NO_BEATS = ${beats(0)};
    localparam [BEAT_W-1:0] ONE_BEAT = ${beats(1)};

    localparam CREDIT_W = ${CREDIT_W};
    localparam ASK_W    = ${ASK_W};

    reg                owned;       // the bus is not free
    reg [6:0]          owner;       // one-hot, zero while the bus is free
    reg [BEAT_W-1:0]   beats_left;  // beats of this grant after the next one
    reg                at_end;      // there are none
    reg [CREDIT_W-1:0] near_credit; // free places for instructions
    reg [ASK_W-1:0]    move_credit; // free places for row requests
    reg                near_some;   // near_credit is not zero
    reg                move_some;   // move_credit is not zero
    reg                down_busy;   // the near landing register is in use
    reg                up_busy;     // the far landing register is in use

    // ------------------------------------------------------------------
    // Who may have the bus, and who gets it

    wire [6:0] eligible;
    wire [6:0] chosen;
    wire [2:0] unused_index;
    wire       grant = !owned && |eligible;

    assign eligible[INSTR] = send_ready && near_some;
    assign eligible[DOWN]  = down_ready && !down_busy;
    assign eligible[ASK]   = ask_ready && move_some;
    assign eligible[UP]    = up_ready && !up_busy;
    assign eligible[DONE]  = done_ready;
    assign eligible[LDOWN] = lsu_down_valid;
    assign eligible[LUP]   = lsu_up_valid;

    assign stall = owned && |(eligible & ~owner);

    ${prefix}ndp_round_robin #(
        .N       (7),
        .INDEX_W (3)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (eligible),
        .take    (grant),
        .chosen  (chosen),
        .index   (unused_index)
    );

    // ------------------------------------------------------------------
    // The owner's beats

    wire lsu  = owner[LDOWN] || owner[LUP];
    wire gap  = (owner[LDOWN] && !lsu_down_valid) ||
                (owner[LUP] && !lsu_up_valid);
    wire last = (owner[LDOWN] && lsu_down_last) ||
                (owner[LUP] && lsu_up_last) || (!lsu && at_end);
    wire beat = owned && !gap;
    wire free = gap || last || at_end;

    wire [BEAT_W-1:0] chosen_more =
        ({BEAT_W{chosen[INSTR]}} & MORE_INSTR) |
        ({BEAT_W{chosen[DOWN]}} & (down_pred ? MORE_PRED : MORE_ROW)) |
        ({BEAT_W{chosen[UP]}} & (up_pred ? MORE_PRED : MORE_ROW)) |
        ({BEAT_W{chosen[DONE]}} & MORE_DONE) |
        ({BEAT_W{chosen[LDOWN] || chosen[LUP]}} & MORE_LSU);

    always @(posedge clk) begin
        if (rst) begin
            owned <= 1'b0;
            owner <= 7'd0;
        end else if (!owned) begin
            owned <= grant;
            owner <= chosen;
        end else if (free) begin
            owned <= 1'b0;
            owner <= 7'd0;
        end
    end

    always @(posedge clk) begin
        if (!owned) begin
            beats_left <= chosen_more;
            at_end     <= chosen_more == NO_BEATS;
            next_first <= 1'b1;
        end else begin
            beats_left <= beats_left - 1'b1;
            at_end     <= beats_left == ONE_BEAT;
            next_first <= 1'b0;
        end
    end

    assign send_left      = owner[INSTR] && at_end;
    assign down_shift     = owner[DOWN];
    assign down_left      = owner[DOWN] && at_end;
    assign ask_left       = owner[ASK];
    assign up_shift       = owner[UP];
    assign up_left        = owner[UP] && at_end;
    assign done_left      = owner[DONE] && at_end;
    assign lsu_down_ready = owner[LDOWN];
    assign lsu_up_ready   = owner[LUP];

    // Instructions and completions start with their highest part.
    wire [INSTR_BEATS*TSV_W-1:0] send_padded = ${spare_instr > 0 and "{" .. spare_instr .. "'d0, send_packet}" or "send_packet"};
    wire [DONE_BEATS*TSV_W-1:0]  done_padded = ${spare_done > 0 and "{" .. spare_done .. "'d0, done_packet}" or "done_packet"};

    reg [TSV_W-1:0] send_beat;
    reg [TSV_W-1:0] done_beat;
    integer         i;

    always @* begin
        send_beat = {TSV_W{1'b0}};
        for (i = 0; i < INSTR_BEATS; i = i + 1)
            if (beats_left == i[BEAT_W-1:0])
                send_beat = send_beat | send_padded[i*TSV_W +: TSV_W];
    end

    always @* begin
        done_beat = {TSV_W{1'b0}};
        for (i = 0; i < DONE_BEATS; i = i + 1)
            if (beats_left == i[BEAT_W-1:0])
                done_beat = done_beat | done_padded[i*TSV_W +: TSV_W];
    end

    // ------------------------------------------------------------------
    // Bus register

    wire [2:0] owner_index = {|owner[LUP:DONE], owner[LUP] || |owner[UP:ASK],
                              owner[LDOWN] || owner[UP] || owner[DOWN]};

    always @(posedge clk) begin
        if (rst) begin
            tsv_valid <= 1'b0;
            tsv_kind  <= 3'd0;
            tsv_last  <= 1'b0;
            bus_from  <= 7'd0;
        end else begin
            tsv_valid <= beat;
            tsv_kind  <= beat ? owner_index : 3'd0;
            tsv_last  <= beat && last;
            bus_from  <= beat ? owner : 7'd0;
        end
    end

    always @(posedge clk) begin
        bus_first <= next_first;
        bus_data  <= ({TSV_W{owner[INSTR]}} & send_beat) |
                     ({TSV_W{owner[DOWN] || owner[ASK]}} & down_beat) |
                     ({TSV_W{owner[UP]}} & up_beat) |
                     ({TSV_W{owner[DONE]}} & done_beat) |
                     ({TSV_W{owner[LDOWN]}} & lsu_down_data) |
                     ({TSV_W{owner[LUP]}} & lsu_up_data);
    end

    // ------------------------------------------------------------------
    // Credits.  They are taken by the owner with its first beat rather than on
    // the edge of the grant: nobody looks at the owner's credit in between, and
    // the arbiter's path ends at owner.  Whether any is left has a register of
    // its own, where that path begins.

    wire take_near = owner[INSTR] && next_first;
    wire take_move = owner[ASK];

    always @(posedge clk) begin
        if (rst) begin
            near_credit <= NEAR_QUEUE[CREDIT_W-1:0];
            near_some   <= 1'b1;
        end else if (take_near && !send_credit) begin
            near_credit <= near_credit - 1'b1;
            near_some   <= near_credit != ${CREDIT_W}'d1;
        end else if (send_credit && !take_near) begin
            near_credit <= near_credit + 1'b1;
            near_some   <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            move_credit <= MOVE_QUEUE[ASK_W-1:0];
            move_some   <= 1'b1;
        end else if (take_move && !ask_credit) begin
            move_credit <= move_credit - 1'b1;
            move_some   <= move_credit != ${ASK_W}'d1;
        end else if (ask_credit && !take_move) begin
            move_credit <= move_credit + 1'b1;
            move_some   <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            down_busy <= 1'b0;
            up_busy   <= 1'b0;
        end else begin
            down_busy <= (down_busy && !down_done) || owner[DOWN];
            up_busy   <= (up_busy && !up_done) || owner[UP];
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_nbu_tsv_formal.vh"
`endif
endmodule

`default_nettype wire
