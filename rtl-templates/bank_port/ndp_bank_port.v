//% use "ndp_queue.v"
//% use "ndp_round_robin.v"
//% use "ndp_bank_port_change.v"
//% use "ndp_bank_port_unit.v"
//% use "ndp_bank_port_formal.vh"
${header{title = "a core's port on the banks of near-bank units", text = [[
A core's loads and stores of whole words go to the banks of their sector's unit.  What
writes a part of a word, and an atomic, is a change: it reads its sector, holds the unit,
and writes.  Answers of the units take turns.

           +- plain ---------------> register -> mem (a unit)
    req -> queue                        |
           +- change -> slot: read, ----+
                        change, write <-+
    rsp <- register <- in turn <- queue <- back (a unit)

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high, at mem in each unit for
itself; back and rsp cannot be refused.  Fields are zero while valid is low.

Latency: a request that is taken on edge t is at mem after t+2, a response that comes on t
at rsp after t+2; the store of a change whose sector comes on t is at mem after t+1.

See docs/blocks/bank_port.md.]]}}
`default_nettype none

module ${prefix}ndp_bank_port (
${ports{reg = {"rsp_valid", "rsp_id", "rsp_data", "rsp_fault"}}}
);
${localparams("UNITS", "SECTOR", "ID_W", "WORDS", "SADDR_W", "LINE_W", "UNIT_W", "OWN_W", "DATA_W", "IDS",
              "REQUEST_W", "ANSWER_W")}
${L.INTERVAL > 1 and localparams("GAP_W") or ""}

    // ------------------------------------------------------------------
    // Requests of the core

    wire [REQUEST_W-1:0] request;
    wire                 shown; // there is one
    wire                 goes;  // it goes to its unit on this edge

    ${prefix}ndp_queue #(
        .WIDTH (REQUEST_W),
        .DEPTH (2)
    ) asked (
        .clk       (clk),
        .rst       (rst),
        .push      (req_valid && req_ready),
        .in_word   ({req_data, req_compare, req_strobe, req_address, req_id, req_op}),
        .can_push  (req_ready),
        .pop       (goes),
        .out_valid (shown),
        .out_word  (request)
    );

    wire [3:0]         op;
    wire [ID_W-1:0]    id;
    wire [SADDR_W-1:0] address;
    wire [SECTOR-1:0]  strobe;
    wire [31:0]        compare;
    wire [DATA_W-1:0]  data;

    assign {data, compare, strobe, address, id, op} = request;

    wire [UNIT_W-1:0] unit = address[LINE_W +: UNIT_W];
//% if L.LINE_W > 0 then
    wire [OWN_W-1:0]  own  = {address[SADDR_W-1:LINE_W+UNIT_W], address[LINE_W-1:0]};
//% else
    wire [OWN_W-1:0]  own  = address[SADDR_W-1:UNIT_W]; // a line is a sector
//% end

    reg [WORDS-1:0] some;  // words with a strobe
    reg [WORDS-1:0] whole; // ... with all four

    integer k;

    always @* begin
        for (k = 0; k < WORDS; k = k + 1) begin
            some[k]  = strobe[4*k +: 4] != 4'b0000;
            whole[k] = strobe[4*k +: 4] == 4'b1111;
        end
    end

    wire atomic  = op >= 4'd2 && op <= 4'd11;
    wire changes = atomic || (op == 4'd1 && some != whole);
    wire stores  = op != 4'd0 && !changes; // also what means nothing, without a word

    // ------------------------------------------------------------------
    // Who goes

    reg              s_reads;  // the change waits for its sector
    reg              s_came;   // the sector is there
    reg              s_writes; // it waits for the end of its store
    reg [UNIT_W-1:0] s_unit;

    wire [UNITS-1:0] can; // the unit's register can take a request

    wire has    = s_reads || s_came || s_writes; // a change
    wire held   = (s_reads || s_came) && unit == s_unit;
    wire starts = goes && changes;
    wire back   = s_came && can[s_unit]; // the change goes back to its unit, as a store

    assign goes = shown && can[unit] && !held && !(changes && has);

    // ------------------------------------------------------------------
    // The slot of the change

    reg [3:0]        s_op;
    reg [ID_W-1:0]   s_id;
    reg [OWN_W-1:0]  s_own;
    reg [SECTOR-1:0] s_strobe;
    reg [31:0]       s_compare;
    reg [DATA_W-1:0] s_data;
    reg [DATA_W-1:0] s_sector; // that it read

    wire [UNITS-1:0] comes; // by unit: its sector is at back
    wire [UNITS-1:0] ends;  // ... it is answered

    wire come = comes != {UNITS{1'b0}};
    wire over = ends != {UNITS{1'b0}};

    always @(posedge clk) begin
        if (rst || over) begin
            s_reads  <= 1'b0;
            s_came   <= 1'b0;
            s_writes <= 1'b0;
        end else begin
            s_reads  <= starts || (s_reads && !come);
            s_came   <= come || (s_came && !back);
            s_writes <= back || s_writes;
        end
    end

    always @(posedge clk) begin
        if (starts) begin
            s_op      <= op;
            s_id      <= id;
            s_unit    <= unit;
            s_own     <= own;
            s_strobe  <= strobe;
            s_compare <= compare;
            s_data    <= data;
        end
        if (come)
            s_sector <= back_data[s_unit*DATA_W +: DATA_W];
    end

    wire [WORDS-1:0]  s_words; // that it writes
    wire [DATA_W-1:0] s_value; // its sector as it becomes
    wire [DATA_W-1:0] former;  // old word of an atomic, else zero

    ${prefix}ndp_bank_port_change change (
        .op      (s_op),
        .strobe  (s_strobe),
        .data    (s_data),
        .compare (s_compare),
        .sector  (s_sector),
        .words   (s_words),
        .value   (s_value),
        .former  (former)
    );

    // ------------------------------------------------------------------
    // Units

    wire [UNITS-1:0]          enters; // an answer enters the unit's queue
    wire [UNITS*ANSWER_W-1:0] enter;
    wire [UNITS-1:0]          shows;  // the unit's queue shows an answer
    wire [UNITS*ANSWER_W-1:0] answers;
    wire [UNITS-1:0]          chosen; // it leaves

    genvar u;

    generate
        for (u = 0; u < UNITS; u = u + 1) begin : near
            wire has_room; // always: no more requests are under way than there are ids

            ${prefix}ndp_bank_port_unit port (
                .clk          (clk),
                .rst          (rst),
                .goes         (goes && unit == u),
                .store        (stores),
                .id           (id),
                .own          (own),
                .words        (op == 4'd1 && stores ? whole : {WORDS{1'b0}}),
                .data         (stores ? data : {DATA_W{1'b0}}),
                .here         (has && s_unit == u),
                .reads        (s_reads),
                .writes       (s_writes),
                .stores       (back && s_unit == u),
                .change_id    (s_id),
                .change_own   (s_own),
                .change_words (s_words),
                .value        (s_value),
                .former       (former),
                .comes        (comes[u]),
                .ends         (ends[u]),
                .can          (can[u]),
                .mem_valid    (mem_valid[u]),
                .mem_ready    (mem_ready[u]),
                .mem_store    (mem_store[u]),
                .mem_id       (mem_id[u*ID_W +: ID_W]),
                .mem_address  (mem_address[u*OWN_W +: OWN_W]),
                .mem_strobe   (mem_strobe[u*WORDS +: WORDS]),
                .mem_data     (mem_data[u*DATA_W +: DATA_W]),
                .back_valid   (back_valid[u]),
                .back_id      (back_id[u*ID_W +: ID_W]),
                .back_fault   (back_fault[u]),
                .back_data    (back_data[u*DATA_W +: DATA_W]),
                .enters       (enters[u]),
                .answer       (enter[u*ANSWER_W +: ANSWER_W])
            );

            ${prefix}ndp_queue #(
                .WIDTH (ANSWER_W),
                .DEPTH (IDS)
            ) queue (
                .clk       (clk),
                .rst       (rst),
                .push      (enters[u]),
                .in_word   (enter[u*ANSWER_W +: ANSWER_W]),
                .can_push  (has_room),
                .pop       (chosen[u]),
                .out_valid (shows[u]),
                .out_word  (answers[u*ANSWER_W +: ANSWER_W])
            );

            wire unused = &{1'b0, has_room};
        end
    endgenerate

    // ------------------------------------------------------------------
    // Turns${L.INTERVAL > 1 and ", one in INTERVAL edges" or ""}

    wire [UNIT_W-1:0] who;
//% if L.INTERVAL > 1 then
    reg  [GAP_W-1:0]  gap; // edges until the next one
    wire [UNITS-1:0]  able  = gap == {GAP_W{1'b0}} ? shows : {UNITS{1'b0}};
//% else
    wire [UNITS-1:0]  able  = shows;
//% end
    wire              tells = able != {UNITS{1'b0}};

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (able),
        .take    (tells),
        .chosen  (chosen),
        .index   (who)
    );

//% if L.INTERVAL > 1 then
    always @(posedge clk) begin
        if (rst)
            gap <= {GAP_W{1'b0}};
        else if (tells)
            gap <= ${hex(L.GAP_W, L.INTERVAL - 1)};
        else if (gap != {GAP_W{1'b0}})
            gap <= gap - 1'b1;
    end

//% end
    always @(posedge clk) begin
        rsp_valid <= !rst && tells;
        {rsp_data, rsp_fault, rsp_id} <= !rst && tells ? answers[who*ANSWER_W +: ANSWER_W] : {ANSWER_W{1'b0}};
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_bank_port_formal.vh"
`endif
endmodule

`default_nettype wire
