//% output("formal/ndp_lsu_ext_unit_formal.vh")
${header{title = "what is proved of ndp_lsu_ext_unit", text = [[
Demands on the user (q_*), asserted of each unit inside another module: work comes when
there is room for it, a row when one is wanted, an answer is used and a message ended
when there is one.  That a memory answers only what it was asked is a demand on it,
always assumed.

The work is noted as it came, and its sectors are counted; each request is compared with
what arithmetic makes of both.  Sectors under way are noted by tag; of any place what has
come is followed, of any bit also what it was.]]}}
`ifdef FORMAL_NDP_LSU_EXT_UNIT
`define NDP_LSU_EXT_CONTRACT assume
`else
`define NDP_LSU_EXT_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_take: `NDP_LSU_EXT_CONTRACT (!(take || gather) || free);
        q_both: `NDP_LSU_EXT_CONTRACT (!(take && gather));
        q_come: `NDP_LSU_EXT_CONTRACT (!come || wants);
        q_answered: `NDP_LSU_EXT_CONTRACT (!answered || answer);
        q_tell: `NDP_LSU_EXT_CONTRACT (!tell || whole);
    end

    // ------------------------------------------------------------------
    // What the memory was asked and has not answered

    reg [ROWS*SPAN-1:0] f_near; // sectors of messages, by place and sector
    reg [OPEN_W-1:0]    f_far;  // how many transactions

    wire [PLACE_W+SPAN_W-1:0] f_asks  = tail * SPAN + w_part;
    wire [PLACE_W+SPAN_W-1:0] f_comes = come_place * SPAN + come_part;

    always @(posedge clk) begin
        if (rst) begin
            f_near <= 0;
            f_far  <= 0;
        end else begin
            if (come_near)
                f_near[f_comes] <= 1'b0;
            if (taken && w_near)
                f_near[f_asks] <= 1'b1;
            f_far <= f_far + opens - come_far;
        end
    end

    always @* if (f_past && !rst) begin
        q_near: assume (!come_near || (come_part < SPAN && f_near[f_comes]));
        q_far: assume (!come_far || f_far != 0);
    end

`ifdef FORMAL_NDP_LSU_EXT_UNIT
    // ------------------------------------------------------------------
    // The work as it came

    reg                   f_is_near;
    reg                   f_strided;
    reg [GATHER_W-1:0]    f_spot;
    reg                   f_store;
    reg [WARP_W-1:0]      f_warp;
    reg [REG_W-1:0]       f_reg;
    reg [LANE_W-1:0]      f_id;
    reg [OWN_W-1:0]       f_sector;
    reg [WORD_W:0]        f_off;
    reg [WORDS-1:0]       f_strobe;
    reg [SPAN*DATA_W-1:0] f_data; // of a store: its sectors
    reg [SPAN_W:0]        f_k;    // sectors that were taken

    always @(posedge clk) begin
        if (take) begin
            f_is_near <= message;
            f_strided <= 1'b0;
            f_store   <= store;
            f_warp    <= warp;
            f_reg     <= regno;
            f_id      <= id;
            f_sector  <= sector;
            f_off     <= offset;
            f_strobe  <= strobe;
            f_data    <= data;
            f_k       <= 0;
        end else if (gather) begin
            f_is_near <= 1'b0;
            f_strided <= 1'b1;
            f_spot    <= g_place;
            f_store   <= 1'b0;
            f_id      <= g_lead;
            f_sector  <= g_sector;
            f_strobe  <= 0;
            f_k       <= 0;
        end else begin
            if (come)
                f_data <= come_row;
            if (taken)
                f_k <= f_k + 1'b1;
        end
    end

    localparam [7:0] F_LANES = LANES, F_WORDS = WORDS;

    wire [7:0] f_n     = f_is_near ? (f_off + F_LANES - 1) / F_WORDS + 1 : 1; // sectors that it wants
    wire       f_has   = w_has; // its row has come

    (* anyconst *) reg [WORD_W-1:0] f_word; // of a sector, any

    wire [7:0] f_place = f_k * F_WORDS + f_word; // words from the begin of the first sector on
    wire       f_wants = f_place >= f_off && f_place < f_off + F_LANES;

    reg                     f_held;  // a request was not taken on the edge before
    reg [TAG_W+OWN_W:0]     f_was;
    reg [WORDS+DATA_W-1:0]  f_carried;

    always @(posedge clk) begin
        f_held    <= !rst && mem_valid && !mem_ready;
        f_was     <= {mem_store, mem_id, mem_address};
        f_carried <= {mem_strobe, mem_data};
    end

    always @* if (f_past && !rst) begin
        p_kept: assert (!f_held || (mem_valid && {mem_store, mem_id, mem_address} == f_was &&
                                    {mem_strobe, mem_data} == f_carried));
        p_zero: assert (mem_valid || {mem_store, mem_id, mem_address, mem_strobe, mem_data} == 0);
        p_address: assert (!mem_valid || mem_address == f_sector + f_k);
        p_store: assert (!mem_valid || mem_store == f_store);
        p_row_first: assert (!(mem_valid && f_is_near && f_store) || f_has);
        p_number: assert (!full || f_k < f_n);
        p_last: assert (!taken || last == (f_k + 1'b1 == f_n));
        p_tag: assert (!mem_valid || mem_id ==
                      (f_is_near ? {2'b01, {SPOT_W{1'b0}} | tail, {PART_W{1'b0}} | f_k[SPAN_W-1:0]} :
                       f_strided ? {2'b10, {SPOT_W{1'b0}} | f_spot, {PART_W{1'b0}} | f_id} :
                                   {2'b00, {SPOT_W{1'b0}}, {PART_W{1'b0}} | f_id}));
        p_free_tag: assert (!(mem_valid && f_is_near) || !f_near[f_asks]);
        p_strobe: assert (!mem_valid || mem_strobe[f_word] == (f_store && (f_is_near ? f_wants : f_strobe[f_word])));
        p_data: assert (!mem_valid || mem_data[32*f_word +: 32] ==
                                      (f_store ? f_data[32*f_place +: 32] : 32'd0));
        p_want: assert (!wants || {want_warp, want_reg, want_off} == {f_warp, f_reg, f_off[WORD_W-1:0]});
    end

    // ------------------------------------------------------------------
    // Places and answers

    integer f_i;

    (* anyconst *) reg [PLACE_W-1:0] f_at; // a place, any

    wire [PLACE_W-1:0] f_age = f_at - head; // places that are older
    wire               f_there = f_age < used; // it is used
    wire               f_begins = full && w_near && f_k != 0 && tail == f_at; // it is going to be

    reg [7:0] f_due; // sectors of it under way

    always @* begin
        f_due = 0;
        for (f_i = 0; f_i < SPAN; f_i = f_i + 1)
            f_due = f_due + f_near[f_at * SPAN + f_i];
    end

    // whose message is in it, and what has come for it
    reg [WARP_W+REG_W+WORD_W:0] f_whose;
    reg [7:0]      f_wanted; // sectors
    reg [SPAN-1:0] f_came;   // which of them have come
    reg            f_fault;
    reg [7:0]      f_come;   // how many

    wire f_mine  = come_near && come_place == f_at;
    wire f_first = taken && w_near && tail == f_at && f_k == 0;

    always @(posedge clk) begin
        if (f_first) begin
            f_whose  <= {f_off[WORD_W-1:0], f_store, f_reg, f_warp};
            f_wanted <= f_n;
            f_came   <= 0;
            f_fault  <= 1'b0;
        end else if (f_mine) begin
            f_came[come_part] <= 1'b1;
            f_fault           <= f_fault || rsp_fault;
        end
    end

    always @* begin
        f_come = 0;
        for (f_i = 0; f_i < SPAN; f_i = f_i + 1)
            f_come = f_come + f_came[f_i];
    end

    // any bit of any sector of it
    (* anyconst *) reg [SPAN_W-1:0] f_part;
    (* anyconst *) reg [${math.max(1, clog2(L.DATA_W)) - 1}:0] f_bit;
    reg f_got; // as it came
    reg f_shows; // the row that is shown is that of the place
    reg f_shown; // and has this bit
    reg f_shown_valid;

    always @* assume (f_part < SPAN);

    always @(posedge clk) begin
        if (f_mine && come_part == f_part)
            f_got <= rsp_data[f_bit];
        if (rst) begin
            f_shows <= 1'b0;
        end else if (tell) begin
            f_shows       <= head == f_at;
            f_shown       <= f_got;
            f_shown_valid <= f_came[f_part];
        end
    end

    reg [OPEN_W:0] f_queued; // answers that are not used

    always @(posedge clk) begin
        if (rst)
            f_queued <= 0;
        else
            f_queued <= f_queued + come_far - answered;
    end

    always @* if (f_past && !rst) begin
        p_used: assert (used <= ROWS && tail == head + used[PLACE_W-1:0]);
        p_due: assert (due[DUE_W*f_at +: DUE_W] == f_due);
        p_open: assert (open == f_far + f_queued && open <= ALL_ANSWERS);
        p_idle_place: assert (f_there || f_begins || (f_due == 0 && !fault[f_at]));
        p_begun: assert (!f_begins || (f_whose == {f_off[WORD_W-1:0], f_store, f_reg, f_warp} &&
                                       f_wanted == f_n));
        p_count: assert (!f_there || f_come + f_due == f_wanted);
        p_counted: assert (!f_begins || f_come + f_due == f_k);
        p_fault: assert (!(f_there || f_begins) || fault[f_at] == f_fault);
        p_whole: assert (!(whole && head == f_at) || (f_there && f_come == f_wanted));
        p_end: assert (!(whole && head == f_at) || {end_off, end_store, end_reg, end_warp} == f_whose);
        p_end_fault: assert (!(whole && head == f_at) || end_fault == f_fault);
        p_row: assert (!(f_shows && f_shown_valid) || row[f_part*DATA_W + f_bit] == f_shown);
        c_load: cover (tell && !end_store && end_off != 0);
        c_store: cover (tell && end_store);
        c_fault: cover (tell && end_fault);
        c_full: cover (used == ALL_ROWS && full && w_near);
        c_open: cover (open == ALL_ANSWERS && full && !w_near);
    end
`endif
