//% use "ndp_bank_queue.v"
//% use "ndp_bank_guard.v"
//% use "ndp_bank_formal.vh"
//% local refi = P["timing.refi"]
//% local function buffer_of(row) return L.SLOT_W > 0 and row .. "[BUFFER_W-1:0]" or "1'b0" end
${header{title = "DRAM bank with several open rows", text = [[
Takes requests for bursts of a bank and gives its commands, none before its time:

    req -> queue by age -> refresh, column or row command -> cmd
                               ^
                guard: open rows, what the times allow

Parameters: all sizes and times are generated; see the localparams.

Handshake: a request is taken on an edge with req_valid and req_ready.  Commands cannot
be refused; their fields are zero while there is none.

Latency: a request whose row is open goes out on the edge after the one that takes it
at the earliest.

See docs/blocks/bank.md.]]}}
`default_nettype none

module ${prefix}ndp_bank (
${ports{reg = {"cmd_valid", "cmd_kind", "cmd_buffer", "cmd_row", "cmd_column", "cmd_id"}}}
);
${localparams("OPEN", "BUFFER_W", "ROW_W", "COL_W", "ID_W", "BURST_W", "WORD_W", "ENTRIES", "INDEX_W", "COUNT_W",
    "PATIENCE", "PATIENCE_W")}

    localparam [2:0] ACT  = 3'd0; // kinds of commands
    localparam [2:0] PRE  = 3'd1;
    localparam [2:0] PREA = 3'd2;
    localparam [2:0] RD   = 3'd3;
    localparam [2:0] WR   = 3'd5;
    localparam [2:0] REF  = 3'd7;

    // ------------------------------------------------------------------
    // Requests

    wire [COUNT_W-1:0]        count;
    wire [ENTRIES-1:0]        valids, waits;
    wire [ENTRIES*WORD_W-1:0] words;

    wire               column_goes; // a column command on this edge
    wire [INDEX_W-1:0] index;       // of the command's request

    assign req_ready = count < ENTRIES;

    ${prefix}ndp_bank_queue queue (
        .clk         (clk),
        .rst         (rst),
        .push        (req_valid && req_ready),
        .push_word   ({req_write, req_id, req_row, req_column}),
        .leave       (column_goes),
        .leave_index (index),
        .count       (count),
        .valids      (valids),
        .waits       (waits),
        .words       (words)
    );

    // ------------------------------------------------------------------
    // Open rows, and what is legal

    wire [OPEN-1:0]       open, can_act, can_pre, can_rd, can_wr;
    wire [OPEN*ROW_W-1:0] rows;
    wire                  can_prea, can_ref;

    wire                do_act, do_pre, do_prea, do_rd, do_wr, do_ref;
    wire [BUFFER_W-1:0] do_buffer;
    wire [WORD_W-1:0]   word    = words[index*WORD_W +: WORD_W];
    wire [ROW_W-1:0]    its_row = word[COL_W +: ROW_W];

    ${prefix}ndp_bank_guard guard (
        .clk       (clk),
        .rst       (rst),
        .do_act    (do_act),
        .do_pre    (do_pre),
        .do_prea   (do_prea),
        .do_rd     (do_rd),
        .do_wr     (do_wr),
        .do_ref    (do_ref),
        .do_buffer (do_buffer),
        .do_row    (its_row),
        .open      (open),
        .rows      (rows),
        .can_act   (can_act),
        .can_pre   (can_pre),
        .can_rd    (can_rd),
        .can_wr    (can_wr),
        .can_prea  (can_prea),
        .can_ref   (can_ref)
    );

    // ------------------------------------------------------------------
    // Requests that could have a command on this edge

    reg  [PATIENCE_W-1:0] passed;  // column commands before the oldest request's
    ${refi > 0 and "reg " or "wire"}                  due;     // a refresh
    wire                  starved = passed == PATIENCE && valids[0];

    reg [ENTRIES-1:0] candidates, opened, hits, writes, go_column, go_row;
    reg [OPEN-1:0]    kept; // row buffers whose row a candidate has

    integer            i;
    reg [ROW_W-1:0]    row;
    reg [BUFFER_W-1:0] at;

    always @* begin
        kept = {OPEN{1'b0}};
        for (i = 0; i < ENTRIES; i = i + 1) begin
            row           = words[i*WORD_W+COL_W +: ROW_W];
            at            = ${buffer_of("row")};
            writes[i]     = words[(i+1)*WORD_W-1];
            opened[i]     = open[at];
            hits[i]       = open[at] && rows[at*ROW_W +: ROW_W] == row;
            candidates[i] = valids[i] && !waits[i] && !due && !(starved && i != 0);
            if (candidates[i] && hits[i])
                kept[at] = 1'b1;
        end
        for (i = 0; i < ENTRIES; i = i + 1) begin
            row          = words[i*WORD_W+COL_W +: ROW_W];
            at           = ${buffer_of("row")};
            go_column[i] = candidates[i] && hits[i] && (writes[i] ? can_wr[at] : can_rd[at]);
            go_row[i]    = candidates[i] && !hits[i] &&
                           (opened[i] ? can_pre[at] && !kept[at] : can_act[at]);
        end
    end

    // the oldest of each kind
    reg [INDEX_W-1:0] column_index, row_index;
    integer           k;

    always @* begin
        column_index = {INDEX_W{1'b0}};
        row_index    = {INDEX_W{1'b0}};
        for (k = ENTRIES - 1; k >= 0; k = k - 1) begin
            if (go_column[k])
                column_index = k[INDEX_W-1:0];
            if (go_row[k])
                row_index = k[INDEX_W-1:0];
        end
    end

    always @(posedge clk) begin
        if (rst)
            passed <= {PATIENCE_W{1'b0}};
        else if (column_goes && index == {INDEX_W{1'b0}})
            passed <= {PATIENCE_W{1'b0}};
        else if (column_goes && passed != PATIENCE)
            passed <= passed + 1'b1;
    end

    // ------------------------------------------------------------------
    // The command

    wire any_open  = |open;
    wire row_goes  = !(|go_column) && |go_row;

    assign column_goes = |go_column; // no request takes part while a refresh is due
    assign index       = column_goes ? column_index : row_index;
    assign do_prea     = due && any_open && can_prea;
    assign do_ref      = due && !any_open && can_ref;
    assign do_rd       = column_goes && !word[WORD_W-1];
    assign do_wr       = column_goes && word[WORD_W-1];
    assign do_act      = row_goes && !opened[index];
    assign do_pre      = row_goes && opened[index];
    assign do_buffer   = ${buffer_of("its_row")};

    wire [2:0] kind = do_act ? ACT : do_pre ? PRE : do_prea ? PREA : do_rd ? RD : do_wr ? WR : REF;
    wire       goes = column_goes || row_goes || do_prea || do_ref;

    always @(posedge clk) begin
        if (rst || !goes) begin
            cmd_valid  <= 1'b0;
            cmd_kind   <= 3'd0;
            cmd_buffer <= {BUFFER_W{1'b0}};
            cmd_row    <= {ROW_W{1'b0}};
            cmd_column <= {COL_W{1'b0}};
            cmd_id     <= {ID_W{1'b0}};
        end else begin
            cmd_valid  <= 1'b1;
            cmd_kind   <= kind;
            cmd_buffer <= column_goes || row_goes ? do_buffer : {BUFFER_W{1'b0}};
            cmd_row    <= do_act || column_goes ? its_row : {ROW_W{1'b0}};
            cmd_column <= column_goes ? word[0 +: COL_W] : {COL_W{1'b0}};
            cmd_id     <= column_goes ? word[BURST_W +: ID_W] : {ID_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Refresh

//% if refi > 0 then
//%     local W = clog2(refi)
    reg [${W - 1}:0] until_due;

    always @(posedge clk) begin
        if (rst) begin
            due       <= 1'b0;
            until_due <= ${W}'d${refi - 1};
        end else begin
            if (until_due == ${W}'d0)
                due <= 1'b1;
            else if (do_ref)
                due <= 1'b0;
            until_due <= until_due == ${W}'d0 ? ${W}'d${refi - 1} : until_due - 1'b1;
        end
    end
//% else
    assign due = 1'b0;
//% end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_bank_formal.vh"
`endif
endmodule

`default_nettype wire
