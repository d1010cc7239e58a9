//% use "ndp_nda_control_machine_formal.vh"
//% local P_W = math.max(#range(4 * L.SPOT_W), #range(STATE_W))
//% local function r(w) return pad(range(w), P_W) end
//% local commands = {"act", "pre", "rd", "wr"}
//% local two = L.OWN_BANKS == 2
${header{title = "state machine of a rank's accelerator", text = [[
One end: goes through an operation's bursts, keeps the open rows and the times of its
banks as the host's commands and its own make them, and takes the channel's decisions
again: a command when the host leaves the rank alone and no rule is broken.

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
    input  wire ${r(1)} held_all,      // nothing
    input  wire ${r(1)} held_reads,    // no reads
    input  wire ${r(1)} held_writes,   // no writes
    input  wire ${r(2)} held_rows,     // no row commands: last bank, the one before
    output wire ${r(1)} next_valid,    // a burst is next
    output wire ${r(1)} next_write,    // a write
    output wire ${r(1)} next_enabled,  // its column command may be issued
    output wire ${r(L.BANK_W)} next_bank,     // bank
    output wire ${r(L.ROW_W)} next_row,      // row
    output wire ${r(L.COL_W)} next_column,   // column
    output wire ${r(1)} next_ahead,    // a row is needed after it
    output wire ${r(L.BANK_W)} ahead_bank,    // its bank
    output wire ${r(L.ROW_W)} ahead_row,     // its number
    output reg  ${r(1)} own_valid,     // a command of the accelerator
    output reg  ${r(3)} own_kind,      // which
    output reg  ${r(L.BANK_W)} own_bank,      // bank
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
    localparam [BANK_W-1:0]  LAST_BANK = ${L.BANK_W}'d${L.BANKS - 1};
//% if two then
    localparam [BANK_W-1:0]  OTHER     = ${L.BANK_W}'d${L.BANKS - 2}; // the bank before it
//% end

    localparam [SPOT_W-1:0]  ONE    = {{(SPOT_W-1){1'b0}}, 1'b1};
    localparam [SPOT_W-1:0]  WHOLE  = BATCH[SPOT_W-1:0];
    localparam [INDEX_W-1:0] LAST   = {INDEX_W{1'b1}};
    localparam [HELD_W-1:0]  FULL   = BUFFER[HELD_W-1:0];
    localparam [HELD_W-1:0]  SINGLE = {{(HELD_W-1){1'b0}}, 1'b1};

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

    function [SPOT_W-1:0] base_of;
        input [4*SPOT_W-1:0] all;
        input [1:0]          which;
        case (which)
            2'd0:    base_of = all[0+:SPOT_W];
            2'd1:    base_of = all[SPOT_W+:SPOT_W];
            2'd2:    base_of = all[2*SPOT_W+:SPOT_W];
            default: base_of = all[3*SPOT_W+:SPOT_W];
        endcase
    endfunction

    wire [SPOT_W-1:0] ahead = {{(SPOT_W-INDEX_W){1'b0}}, index};
    wire [SPOT_W-1:0] here  = start + ahead; // where reading goes on
    wire [SPOT_W-1:0] spot  = base_of(bases, drains ? target : operand) + (drains ? put : here);
    wire              some  = drains || rest != {SPOT_W{1'b0}};
    wire              wants = busy && some;
    wire              more  = rest > WHOLE; // bursts behind the batch

    // As they stood on the edge before: they change with a burst or a launch, and the edge
    // after that decides nothing (fresh).
    reg [SPOT_W-1:0] spot_held;

    always @(posedge clk)
        spot_held <= spot;

    wire [ROW_W-1:0] row = spot_held[COL_W +: ROW_W]; // of the next burst
//% if two then
    wire             at  = spot_held[SPOT_W-1];       // its bank: 1 the last one

    // the row that is needed after it, and its bank
    wire              behind = !drains && operand == latest; // behind the batch
    wire [1:0]        then   = drains ? operand : !behind ? operand + 2'd1 : writes ? target : 2'd0;
    wire [SPOT_W-1:0] spot2  = base_of(bases, then) +
                               (drains ? here : !behind ? start : writes ? put : start + WHOLE);
    wire              ahead2 = wants && rest != {SPOT_W{1'b0}} && !(behind && !writes && !more);

    reg [ROW_W:0] spot2_held; // bank and row

    always @(posedge clk)
        spot2_held <= spot2[SPOT_W-1:COL_W];

    wire [ROW_W-1:0] row2 = spot2_held[ROW_W-1:0];
    wire             at2  = spot2_held[ROW_W];

    wire unused_spot = &{1'b0, spot2[COL_W-1:0]};
//% end

    // ------------------------------------------------------------------
    // What happens on the edge: host's commands, by where they go

    wire in_group = cmd_group == OWN_GROUP;
    wire act      = cmd_valid && cmd_kind == ACT;
    wire pre      = cmd_valid && cmd_kind == PRE;
    wire prea     = cmd_valid && cmd_kind == PREA;
    wire rd       = cmd_valid && cmd_kind == RD;
    wire wr       = cmd_valid && cmd_kind == WR;
    wire refs     = cmd_valid && cmd_kind == REF;

    wire             own_act, own_pre, own_rd, own_wr;
    wire             own_at;       // bank of that: 1 the last one
    wire [ROW_W-1:0] own_row_next; // row that is opened

//% local used = {}
//% for _, c in ipairs(commands) do
//%     for event in pairs(timers[c]) do used[event] = true end
//% end
//% local kinds = {"act", "pre", "prea", "rd", "wr", "ref"}
//% local function own(k) return (k == "prea" or k == "ref") and "" or "own_" .. k .. " || " end
//% for _, k in ipairs(kinds) do
//%     if used[k .. "_group"] then
    wire ${pad(k .. "_group", 9)} = ${own(k)}(${k} && in_group);
//%     end
//%     if used[k .. "_rank"] then
    wire ${pad(k .. "_rank", 9)} = ${own(k)}${k == "ref" and "refs" or k};
//%     end
//% end

    // ------------------------------------------------------------------
    // Banks: the row that is open, and edges until a command is legal

//% for b = 0, L.OWN_BANKS - 1 do
//%     local last = b == L.OWN_BANKS - 1
//%     local mine = not two and "" or last and " && own_at" or " && !own_at"
    wire in_bank_${b}  = in_group && cmd_bank == ${last and "LAST_BANK" or "OTHER"};
    wire opens_${b}    = own_act${mine};
    wire act_bank_${b} = opens_${b} || (act && in_bank_${b});
    wire pre_bank_${b} = (own_pre${mine}) || (pre && in_bank_${b});
//%     for _, k in ipairs{"rd", "wr"} do
//%         if used[k .. "_bank"] then
    wire ${k}_bank_${b}  = (own_${k}${mine}) || (${k} && in_bank_${b});
//%         end
//%     end

    reg             open_${b};
    reg [ROW_W-1:0] row_${b};

    always @(posedge clk) begin
        if (rst) begin
            open_${b} <= 1'b0;
            row_${b}  <= {ROW_W{1'b0}};
        end else if (act_bank_${b}) begin
            open_${b} <= 1'b1;
            row_${b}  <= opens_${b} ? own_row_next : cmd_row;
        end else if (pre_bank_${b} || prea || refs) begin
            open_${b} <= 1'b0;
        end
    end

//%     for _, c in ipairs(commands) do
//%         local w = timer_width(timers[c])
    reg  ${range(w)} to_${c}_${b};
    wire ${range(w)} to_${c}_${b}_less = to_${c}_${b} - {${w - 1 > 0 and "{" .. w - 1 .. "{1'b0}}, " or ""}to_${c}_${b} != ${w}'d0};
    reg  ${range(w)} to_${c}_${b}_next;

    // the longest time of what happens, each held against what is left; the last one wins
    always @* begin
        to_${c}_${b}_next = to_${c}_${b}_less;
//%         local events = {}
//%         for event in pairs(timers[c]) do events[#events + 1] = event end
//%         table.sort(events, function(a, b)
//%             local x, y = timers[c][a], timers[c][b]
//%             return x < y or (x == y and a < b)
//%         end)
//%         for _, event in ipairs(events) do
//%             local name = event:match("_bank$") and event .. "_" .. b or event
        if (${name} && to_${c}_${b}_less < ${w}'d${timers[c][event]})
            to_${c}_${b}_next = ${w}'d${timers[c][event]};
//%         end
    end

    always @(posedge clk) begin
        if (rst)
            to_${c}_${b} <= ${w}'d0;
        else
            to_${c}_${b} <= to_${c}_${b}_next;
    end

//%     end
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
    // The element's time: edges since the last read

    localparam [${SINCE_W - 1}:0] PACE   = ${SINCE_W}'d${L.PACE};
    localparam [${SINCE_W - 1}:0] RESULT = ${SINCE_W}'d${L.RESULT};
    localparam [${SINCE_W - 1}:0] ENOUGH = ${SINCE_W}'d${SINCE};

    reg ${range(SINCE_W)} since;

    always @(posedge clk) begin
        if (rst)
            since <= ENOUGH;
        else if (own_rd)
            since <= ${SINCE_W}'d1;
        else if (since != ENOUGH)
            since <= since + 1'b1;
    end

    wire computed = since >= (drains ? RESULT : PACE);

    // ------------------------------------------------------------------
    // The command: for the next burst, or for the row ahead

    reg fresh; // the next burst is new since the edge before: the channel did not know it

    wire goes = wants && !fresh && !cmd_valid && !held_all;

//% local last = L.OWN_BANKS - 1
//% local function of(name, at)
//%     return two and "(" .. at .. " ? " .. name .. "_1 : " .. name .. "_0)" or name .. "_0"
//% end
//% local function legal(c, b) return "to_" .. c .. "_" .. b .. " == " .. timer_width(timers[c]) .. "'d0" end
//% for b = 0, last do
    wire may_act_${b} = ${legal("act", b)} && !window_full && !held_rows[${last - b}];
    wire may_pre_${b} = ${legal("pre", b)} && !held_rows[${last - b}];
    wire may_rd_${b}  = ${legal("rd", b)};
    wire may_wr_${b}  = ${legal("wr", b)};
//% end

    wire is_open = ${of("open", "at")};
    wire hit     = is_open && ${of("row", "at")} == row;

    assign own_rd = goes && hit && !drains && computed && !held_reads && ${of("may_rd", "at")};
    assign own_wr = goes && hit && drains && computed && !held_writes && ${of("may_wr", "at")};

    wire opens  = goes && !is_open && ${of("may_act", "at")};
    wire closes = goes && is_open && !hit && ${of("may_pre", "at")};
    wire column = own_rd || own_wr;
//% if two then

    wire goes2    = goes && ahead2 && at2 != at && !(column || opens || closes);
    wire is_open2 = at2 ? open_1 : open_0;
    wire hit2     = is_open2 && (at2 ? row_1 : row_0) == row2;
    wire opens2   = goes2 && !is_open2 && (at2 ? may_act_1 : may_act_0);
    wire closes2  = goes2 && is_open2 && !hit2 && (at2 ? may_pre_1 : may_pre_0);

    assign own_act = opens || opens2;
    assign own_pre = closes || closes2;
    assign own_at  = opens2 || closes2 ? at2 : at;

    assign own_row_next = opens2 ? row2 : row;
//% else

    assign own_act = opens;
    assign own_pre = closes;
    assign own_at  = 1'b1;

    assign own_row_next = row;

    wire unused_rows = &{1'b0, own_at, held_rows[1]};
//% end

    always @(posedge clk) begin
        if (rst) begin
            own_valid  <= 1'b0;
            own_kind   <= 3'd0;
            own_bank   <= {BANK_W{1'b0}};
            own_row    <= {ROW_W{1'b0}};
            own_column <= {COL_W{1'b0}};
        end else begin
            own_valid  <= own_act || own_pre || column;
            own_kind   <= own_pre ? PRE : own_rd ? RD : own_wr ? WR : ACT;
            own_bank   <= !(own_act || own_pre || column) ? {BANK_W{1'b0}} : ${two and "own_at ? LAST_BANK : OTHER" or "LAST_BANK"};
            own_row    <= own_act ? own_row_next : column ? row : {ROW_W{1'b0}};
            own_column <= column ? spot_held[COL_W-1:0] : {COL_W{1'b0}};
        end
    end

    // what the channel decides by on the next edge, and this end on the one after that
    assign next_valid   = wants;
    assign next_write   = wants && drains;
    assign next_enabled = wants && {1'b0, since} + 1'b1 >= {1'b0, drains ? RESULT : PACE};
    assign next_bank    = !wants ? {BANK_W{1'b0}} : ${two and "spot[SPOT_W-1] ? LAST_BANK : OTHER" or "LAST_BANK"};
    assign next_row     = wants ? spot[COL_W +: ROW_W] : {ROW_W{1'b0}};
    assign next_column  = wants ? spot[COL_W-1:0] : {COL_W{1'b0}};
//% if two then
    assign next_ahead   = ahead2;
    assign ahead_bank   = !ahead2 ? {BANK_W{1'b0}} : spot2[SPOT_W-1] ? LAST_BANK : OTHER;
    assign ahead_row    = ahead2 ? spot2[COL_W +: ROW_W] : {ROW_W{1'b0}};
//% else
    assign next_ahead   = 1'b0;
    assign ahead_bank   = {BANK_W{1'b0}};
    assign ahead_row    = {ROW_W{1'b0}};
//% end

    // ------------------------------------------------------------------
    // What comes next

    wire launched = launch_valid && !busy;
    wire whole    = index == LAST || ahead + ONE == rest; // the operand, in this batch
    wire batch    = whole && operand == latest;
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
            busy  <= 1'b0;
            done  <= 1'b0;
            fresh <= 1'b0;
        end else begin
            done  <= busy && !some;
            fresh <= launched || column;
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

    assign state = {op, bases, start, rest, put, operand, index, busy, drains, fresh, waits, since ^ ENOUGH, window
//% for b = 0, last do
                    , open_${b}, row_${b}, to_act_${b}, to_pre_${b}, to_rd_${b}, to_wr_${b}
//% end
                    };

`ifdef FORMAL
`include "${prefix}ndp_nda_control_machine_formal.vh"
`endif
endmodule

`default_nettype wire
