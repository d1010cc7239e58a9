//% use "ndp_nda_control_machine_formal.vh"
//% local P_W = math.max(#range(4 * L.SPOT_W), #range(STATE_W))
//% local function r(w) return pad(range(w), P_W) end
//% local commands = {"act", "pre", "rd", "wr"}
${header{title = "state machine of a rank's accelerator", text = [[
One end: goes through an operation's bursts, keeps the open row and the times of its
bank as the host's commands and its own make them, and gives a command when the host
leaves the rank alone and no rule is broken.

Parameters: all sizes are generated; see the localparams.

Latency: a command is at the output after the edge that decides it.

See docs/blocks/nda_control.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_control_machine (
    input  wire ${r(1)} clk,           // clock
    input  wire ${r(1)} rst,           // synchronous reset, active high
    input  wire ${r(1)} launch_valid,  // an operation
    output wire ${r(1)} launch_ready,  // taken
    input  wire ${r(3)} launch_op,     // which
    input  wire ${r(L.SPOT_W)} launch_length, // bursts of a vector
    input  wire ${r(4 * L.SPOT_W)} launch_base,   // first burst of each operand
    input  wire ${r(1)} cmd_valid,     // a command of the host
    input  wire ${r(3)} cmd_kind,      // which
    input  wire ${r(L.GROUP_W)} cmd_group,     // bank group
    input  wire ${r(L.BANK_W)} cmd_bank,      // bank in its group
    input  wire ${r(L.ROW_W)} cmd_row,       // row of ACT
    input  wire ${r(1)} held_writes,   // no writes
    input  wire ${r(1)} held_all,      // nothing
    output reg  ${r(1)} own_valid,     // a command of the accelerator
    output reg  ${r(3)} own_kind,      // which
    output reg  ${r(L.ROW_W)} own_row,       // row of ACT, RD and WR
    output reg  ${r(L.COL_W)} own_column,    // column of RD and WR
    output reg  ${r(1)} busy,          // an operation is under way
    output reg  ${r(1)} drains,        // the write buffer drains
    output reg  ${r(L.HELD_W)} waits,         // bursts in it
    output reg  ${r(1)} done,          // an operation has ended
    output wire ${r(STATE_W)} state          // everything that it keeps
);
${localparams("BATCH", "BUFFER", "GROUP_W", "BANK_W", "ROW_W", "COL_W", "SPOT_W", "INDEX_W", "HELD_W")}

    localparam [2:0] ACT  = 3'd0;
    localparam [2:0] PRE  = 3'd1;
    localparam [2:0] PREA = 3'd2;
    localparam [2:0] RD   = 3'd3;
    localparam [2:0] WR   = 3'd5;
    localparam [2:0] REF  = 3'd7;

    localparam [GROUP_W-1:0] OWN_GROUP = ${L.GROUP_W}'d${L.GROUPS - 1};
    localparam [BANK_W-1:0]  OWN_BANK  = ${L.BANK_W}'d${L.BANKS - 1};

    // ------------------------------------------------------------------
    // The operation

    reg [2:0]          op;
    reg [4*SPOT_W-1:0] bases;
    reg [SPOT_W-1:0]   start; // bursts before the batch
    reg [SPOT_W-1:0]   rest;  // bursts from the batch on
    reg [SPOT_W-1:0]   put;   // bursts written
    reg [1:0]          operand;
    reg [INDEX_W-1:0]  index; // of the next read in the batch

    wire       writes = op != 3'd5 && op != 3'd6;
    wire       single = op == 3'd3 || op == 3'd6 || op == 3'd7;
    wire [1:0] latest  = op == 3'd1 ? 2'd2 : single ? 2'd0 : 2'd1; // operand that is read
    wire [1:0] target = op == 3'd1 ? 2'd3 :
                        op == 3'd0 || op == 3'd4 ? 2'd2 :
                        op == 3'd7 ? 2'd0 : 2'd1; // operand that is written

    wire [1:0]        which = drains ? target : operand;
    reg  [SPOT_W-1:0] base;

    always @* begin
        case (which)
            2'd0:    base = bases[0+:SPOT_W];
            2'd1:    base = bases[SPOT_W+:SPOT_W];
            2'd2:    base = bases[2*SPOT_W+:SPOT_W];
            default: base = bases[3*SPOT_W+:SPOT_W];
        endcase
    end

    wire [SPOT_W-1:0] ahead = {{(SPOT_W-INDEX_W){1'b0}}, index};
    wire [SPOT_W-1:0] spot  = base + (drains ? put : start + ahead);
    wire              some  = drains || rest != {SPOT_W{1'b0}};
    wire              wants = busy && some;

    // ------------------------------------------------------------------
    // What happens on the edge: host's commands, by where they go

    wire in_group = cmd_group == OWN_GROUP;
    wire in_bank  = in_group && cmd_bank == OWN_BANK;
    wire act      = cmd_valid && cmd_kind == ACT;
    wire pre      = cmd_valid && cmd_kind == PRE;
    wire prea     = cmd_valid && cmd_kind == PREA;
    wire rd       = cmd_valid && cmd_kind == RD;
    wire wr       = cmd_valid && cmd_kind == WR;
    wire refs     = cmd_valid && cmd_kind == REF;

    wire own_act;
    wire own_pre;
    wire own_rd;
    wire own_wr;

//% local used = {}
//% for _, c in ipairs(commands) do
//%     for event in pairs(timers[c]) do used[event] = true end
//% end
//% for _, k in ipairs{"act", "pre", "prea", "rd", "wr", "ref"} do
//%     local own = (k == "prea" or k == "ref") and "" or "own_" .. k .. " || "
//%     for _, s in ipairs{"bank", "group", "rank"} do
//%         if used[k .. "_" .. s] then
    wire ${pad(k .. "_" .. s, 9)} = ${own}${s == "rank" and (k == "ref" and "refs" or k) or "(" .. k .. " && in_" .. s .. ")"};
//%         end
//%     end
//% end

    // ------------------------------------------------------------------
    // Times: edges until a command of the bank is legal

//% for _, c in ipairs(commands) do
//%     local w = timer_width(timers[c])
    reg ${range(w)} to_${c};
    reg ${range(w)} to_${c}_next;

    always @* begin
        to_${c}_next = to_${c} - {${w - 1 > 0 and "{" .. w - 1 .. "{1'b0}}, " or ""}to_${c} != ${w}'d0};
//%     local events = {}
//%     for event in pairs(timers[c]) do events[#events + 1] = event end
//%     table.sort(events)
//%     for _, event in ipairs(events) do
        if (${event} && to_${c}_next < ${w}'d${timers[c][event]})
            to_${c}_next = ${w}'d${timers[c][event]};
//%     end
    end

    always @(posedge clk) begin
        if (rst)
            to_${c} <= ${w}'d0;
        else
            to_${c} <= to_${c}_next;
    end

//% end
    // the last four rows that were opened: edges of their windows, the newest lowest
    reg  ${range(4 * WINDOW_W)} window;
    wire ${range(4 * WINDOW_W)} window_left;
    wire window_full = window[${4 * WINDOW_W - 1}:${3 * WINDOW_W}] != ${WINDOW_W}'d0;

//% for i = 0, 3 do
//%     local at = "[" .. (i + 1) * WINDOW_W - 1 .. ":" .. i * WINDOW_W .. "]"
    assign window_left${at} =
        window${at} - {${WINDOW_W > 1 and "{" .. WINDOW_W - 1 .. "{1'b0}}, " or ""}window${at} != ${WINDOW_W}'d0};
//% end

    always @(posedge clk) begin
        if (rst)
            window <= ${4 * WINDOW_W}'d0;
        else if (own_act || act)
            window <= {window_left[${3 * WINDOW_W - 1}:0], ${WINDOW_W}'d${window - 1}};
        else
            window <= window_left;
    end

    // ------------------------------------------------------------------
    // The bank's row

    reg             open;
    reg [ROW_W-1:0] row;

    always @(posedge clk) begin
        if (rst) begin
            open <= 1'b0;
            row  <= {ROW_W{1'b0}};
        end else if (own_act) begin
            open <= 1'b1;
            row  <= spot[SPOT_W-1:COL_W];
        end else if (act && in_bank) begin
            open <= 1'b1;
            row  <= cmd_row;
        end else if (own_pre || (pre && in_bank) || prea || refs) begin
            open <= 1'b0;
        end
    end

    // ------------------------------------------------------------------
    // The command

    wire goes = wants && !cmd_valid && !held_all;
    wire here = open && row == spot[SPOT_W-1:COL_W];

    assign own_act = goes && !open && to_act == ${timer_width(timers.act)}'d0 && !window_full;
    assign own_pre = goes && open && !here && to_pre == ${timer_width(timers.pre)}'d0;
    assign own_rd  = goes && here && !drains && to_rd == ${timer_width(timers.rd)}'d0;
    assign own_wr  = goes && here && drains && !held_writes && to_wr == ${timer_width(timers.wr)}'d0;

    wire column = own_rd || own_wr;

    always @(posedge clk) begin
        if (rst) begin
            own_valid  <= 1'b0;
            own_kind   <= 3'd0;
            own_row    <= {ROW_W{1'b0}};
            own_column <= {COL_W{1'b0}};
        end else begin
            own_valid  <= own_act || own_pre || column;
            own_kind   <= own_pre ? PRE : own_rd ? RD : own_wr ? WR : ACT;
            own_row    <= own_act || column ? spot[SPOT_W-1:COL_W] : {ROW_W{1'b0}};
            own_column <= column ? spot[COL_W-1:0] : {COL_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // What comes next

    localparam [SPOT_W-1:0]  ONE    = {{(SPOT_W-1){1'b0}}, 1'b1};
    localparam [SPOT_W-1:0]  WHOLE  = BATCH[SPOT_W-1:0];
    localparam [INDEX_W-1:0] LAST   = {INDEX_W{1'b1}};
    localparam [HELD_W-1:0]  FULL   = BUFFER[HELD_W-1:0];
    localparam [HELD_W-1:0]  SINGLE = {{(HELD_W-1){1'b0}}, 1'b1};

    wire launched = launch_valid && !busy;
    wire whole    = index == LAST || ahead + ONE == rest; // the operand, in this batch
    wire batch    = whole && operand == latest;
    wire more     = rest > WHOLE;
    wire give     = own_rd && operand == latest && writes;

    assign launch_ready = !busy;

    always @(posedge clk) begin
        if (rst) begin
            op    <= 3'd0;
            bases <= {4*SPOT_W{1'b0}};
        end else if (launched) begin
            op    <= launch_op;
            bases <= launch_base;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            busy <= 1'b0;
            done <= 1'b0;
        end else begin
            done <= busy && !some;
            if (launched)
                busy <= 1'b1;
            else if (!some)
                busy <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            start   <= {SPOT_W{1'b0}};
            rest    <= {SPOT_W{1'b0}};
            operand <= 2'd0;
            index   <= {INDEX_W{1'b0}};
        end else if (launched) begin
            start   <= {SPOT_W{1'b0}};
            rest    <= launch_length;
            operand <= 2'd0;
            index   <= {INDEX_W{1'b0}};
        end else if (own_rd) begin
            if (batch) begin
                start <= start + WHOLE;
                rest  <= more ? rest - WHOLE : {SPOT_W{1'b0}};
            end
            if (whole)
                operand <= batch ? 2'd0 : operand + 1'b1;
            index <= whole ? {INDEX_W{1'b0}} : index + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            put    <= {SPOT_W{1'b0}};
            waits  <= {HELD_W{1'b0}};
            drains <= 1'b0;
        end else if (launched) begin
            put <= {SPOT_W{1'b0}};
        end else if (give) begin
            waits  <= waits + SINGLE;
            drains <= waits + SINGLE == FULL || (batch && !more);
        end else if (own_wr) begin
            put    <= put + ONE;
            waits  <= waits - SINGLE;
            drains <= waits != SINGLE;
        end
    end

    assign state = {op, bases, start, rest, put, operand, index, busy, drains, waits, open, row,
                    to_act, to_pre, to_rd, to_wr, window};

`ifdef FORMAL
`include "${prefix}ndp_nda_control_machine_formal.vh"
`endif
endmodule

`default_nettype wire
