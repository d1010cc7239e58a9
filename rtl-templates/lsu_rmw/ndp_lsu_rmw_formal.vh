//% output("formal/ndp_lsu_rmw_formal.vh")
//% local per_chunk, per_line = L.CHUNK // 4, L.LINE // 4
${header{title = "what is proved of ndp_lsu_rmw", text = [[
The hybrid unit's contract is demanded (q_): it sends only while it has an access, of
which the last ends when all is answered; answers are to transactions and requests away that were taken.

Between an ask and its end nothing of the hybrid unit goes down, no answer goes back
that is an own one and each other one does, no two ends meet; any lane (f_lane) is
carried out once, here or by a request away with what it asks for, whose answer it gets;
whoever may store to a sector that is loaded is told; and of any byte (f_sector, f_byte)
that the banks have, a store or an exchange leaves what its highest lane gives, or the
byte as it was, a load gets it, and an exchange gets what the lane before it gave.]]}}
    reg f_stands = 1'b0; // f_core is what the core was on the edge before
    reg [CORE_W-1:0] f_core;

    always @(posedge clk) begin
        f_stands <= 1'b1;
        f_core   <= at_core;
    end

    always @* q_at: assume (!f_stands || at_core == f_core);

    // what the hybrid unit has: accesses; transactions open, by id
    reg [WARP_W:0]  f_has;
    reg [LANES-1:0] f_out;
    reg             f_own; // an own transaction is open
    reg [LANES-1:0] f_owed; // lanes whose requests away are

    wire f_goes  = down_valid && down_ready && !down_near;
    wire f_begun = hybrid_valid && hybrid_ready;

    always @(posedge clk) begin
        if (rst) begin
            f_has  <= 0;
            f_out  <= 0;
            f_own  <= 1'b0;
            f_owed <= 0;
        end else begin
            f_has <= f_has + f_begun - done_valid;
            if (answer_valid && !f_own && f_owed == 0)
                f_out[answer_id] <= 1'b0;
            if (answer_valid && !f_own)
                f_owed[answer_id] <= 1'b0;
            if (away_valid && away_ready)
                f_owed[away_id] <= 1'b1;
            if (tx_valid && tx_ready && !tx_near)
                f_out[tx_id] <= 1'b1;
            f_own <= (f_goes && owns) || (f_own && !answer_valid);
        end
    end

    wire f_waits = held && !held_near; // a transaction that has not gone yet

    always @* if (f_stands && !rst) begin
        q_tx: assume (!tx_valid || (f_has > done_valid && !f_out[tx_id]));
        q_done: assume (!done_valid || (f_has != 0 && (f_has != 1 || f_out == 0)));
        q_room: assume (!f_begun || f_has < ${L.WARPS});
        q_answer: assume (!answer_valid || f_own || f_owed[answer_id] ||
                          (f_out[answer_id] && !(f_waits && held_id == answer_id)));
        q_places: assume (!acts || (op < 2 && size == 0) ||
                          (!at[0] && ((op < 2 && size == 1) || !at[1])));
        q_ops: assume (!ask_valid || ask_op < 12);
    end

`ifdef FORMAL_NDP_LSU_RMW
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Who is under way

    reg f_theirs; // the answer of the edge before was the hybrid unit's
    reg f_told;   // its end was
    reg [LANE_W+DATA_W:0] f_answer;
    reg [WARP_W+1:0]      f_end;

    always @(posedge clk) begin
        f_theirs <= !rst && answer_valid && !f_own && f_owed == 0;
        f_told   <= !rst && done_valid;
        f_answer <= {answer_id, answer_fault, answer_data};
        f_end    <= {done_warp, done_near, done_fault};
    end

    always @* if (f_past && !rst) begin
        p_apart: assert (idle || (f_has == 0 && !held && f_out == 0));
        p_open: assert (f_own == (state == COME || state == KEPT));
        p_out: assert (f_out == 0 || f_has != 0);
        p_owed: assert (idle || owed == f_owed[0] + f_owed[1]);
        p_away: assert (state == AWAY || f_owed == 0);
        p_meet: assert (!(done_valid && ends));
        p_back: assert (back_valid == f_theirs);
        p_same: assert (!f_theirs || {back_id, back_fault, back_data} == f_answer);
        p_told: assert (!f_told || (ended_valid && {ended_warp, ended_near, ended_fault} == f_end));
        p_held: assert (!held || !owns);
    end

    // ------------------------------------------------------------------
    // A lane

    (* anyconst *) reg [LANE_W-1:0] f_lane;

    reg f_gone; // it was carried out, or has asked another core
    reg f_work; // an own access is under way

    wire [31:0] f_at    = address[32*f_lane +: 32];
    wire        f_on    = mask[f_lane];
    wire        f_acts  = (acts || sends) && lane == f_lane;
    wire        f_local = (f_at / ${4 * per_chunk}) % ${L.CORES} == at_core;
    wire [31:0] f_place = (f_at / ${4 * per_chunk * L.CORES}) * ${4 * per_chunk} +
                          f_at % ${4 * per_chunk};

    always @(posedge clk) begin
        if (rst || begins)
            f_gone <= 1'b0;
        else if (f_acts)
            f_gone <= 1'b1;
        f_work <= !rst && (begins || (f_work && !ends));
    end

    always @* if (f_past && !rst) begin
        p_work: assert (f_work == !idle);
        p_left: assert (idle || left[f_lane] == (f_on && !f_gone));
        p_once: assert (!f_acts || (f_on && !f_gone));
        p_all: assert (!(ends || state == ROW) || !f_on || f_gone);
        p_local: assert (!(f_acts && acts) || f_local);
        p_remote: assert (!(f_acts && sends) || !f_local);
        p_theirs: assert (idle || theirs[f_lane] == !f_local);
        p_sector: assert (!(f_acts && acts) ||
                          f_place / ${L.SECTOR} == sector);
        p_unit: assert (!owns || down_unit == (down_address / ${per_line}) % ${L.UNITS});
        p_first: assert (!owns || (down_address[WORD_W-1:0] == 0 && !down_near &&
                                   down_warp == 0 && down_reg == 0 && down_id == 0));
        p_off: assert (!(state == ROW && !f_on) || row[32*f_lane +: 32] == 0);
        c_all: cover (ends && f_on && op == 1 && !fault);
        c_row: cover (own_taken && f_on && row[32*f_lane +: 32] != 0);
    end

    // ------------------------------------------------------------------
    // What the lane sends away, and what it gets of the answer: any byte of its access

    (* anyconst *) reg [1:0] f_part;

    reg [31:0]         f_ask;   // its operand
    reg [31:0]         f_other; // what it compares with
    reg                f_came;  // its answer
    reg                f_lost;  // had a fault
    reg [31:0]         f_got;   // its word

    wire [WORD_W-1:0] f_of    = f_at[2 +: WORD_W];
    wire [2:0]        f_many  = op > 1 || size > 1 ? 3'd4 : size == 0 ? 3'd1 : 3'd2; // bytes
    wire [1:0]        f_where = f_at[1:0] + f_part; // byte of the word
    wire              f_in    = f_part < f_many && (f_many == 1 || f_at[0] == 0) &&
                                (f_many != 4 || f_at[1] == 0);
    wire              f_leaves = sends && lane == f_lane;

    always @(posedge clk) begin
        if (begins) begin
            f_ask   <= ask_data[32*f_lane +: 32];
            f_other <= ask_compare[32*f_lane +: 32];
        end
        if (rst || begins)
            f_came <= 1'b0;
        else if (answer_valid && f_owed[f_lane] && answer_id == f_lane) begin
            f_came <= 1'b1;
            f_lost <= answer_fault;
            f_got  <= answer_data[32*f_of +: 32];
        end
    end

    always @* if (f_past && !rst) begin
        p_lane: assert (!f_leaves || (away_id == f_lane && away_op == op &&
                                      away_address == f_at / ${L.SECTOR}));
        p_none: assert (!f_leaves || op != 0 || (away_strobe == 0 && away_data == 0));
        p_sent: assert (!f_leaves || op == 0 || !f_in ||
                        (away_strobe[4*f_of + f_where] &&
                         away_data[32*f_of + 8*f_where +: 8] == f_ask[8*f_part +: 8]));
        p_alone: assert (!f_leaves || (away_strobe & ~(${L.SECTOR}'d15 << (4 * f_of))) == 0);
        p_part: assert (!f_leaves || op != 1 || !f_in ||
                        {2'd0, away_strobe[4*f_of]} + away_strobe[4*f_of + 1] +
                        away_strobe[4*f_of + 2] + away_strobe[4*f_of + 3] == f_many);
        p_bytes: assert (away_strobe[4*f_of + f_part] ||
                         away_data[32*f_of + 8*f_part +: 8] == 0);
        p_compare: assert (!f_leaves || away_compare == (op == 11 ? f_other : 0));
        p_came: assert (!(f_work && f_came) || (f_on && f_gone && !f_local && theirs[f_lane] &&
                                                !left[f_lane] && !f_owed[f_lane]));
        p_answer: assert (!(state == ROW && f_on && !f_local) || f_came);
        p_got: assert (!(f_work && f_came && f_in && op != 1) ||
                       row[32*f_lane + 8*f_part +: 8] == (f_lost ? 0 : f_got[8*f_where +: 8]));
        p_lost: assert (!(f_work && f_came && f_lost) ||
                        (fault && row[32*f_lane +: 32] == 0));
        c_got: cover (state == ROW && f_on && !f_local && !f_lost && f_got != 0);
        c_sent: cover (f_leaves && op == 1 && size == 0 && away_data != 0);
    end

    // ------------------------------------------------------------------
    // A sector that is loaded, and may be stored

    reg f_mid;

    always @(posedge clk)
        f_mid <= !rst && ((f_goes && owns && !down_store && op != 0) ||
                          (f_mid && !(f_goes && owns) && state != PICK));

    always @* if (f_past && !rst) begin
        p_hold: assert (!f_mid || state == PICK || hold_stores);
        p_stores: assert (!(owns && down_store) || (hold_stores && f_mid));
        p_loads: assert (!owns || op == 0 || hold_stores);
        p_free: assert (!idle || !hold_stores);
    end

    // ------------------------------------------------------------------
    // A byte of the banks: what it is, and what it was when the ask was taken

    (* anyconst *) reg [SECTOR_W-1:0] f_sector;
    (* anyconst *) reg [WORD_W+1:0]   f_byte;

    reg [7:0] f_is;
    reg [7:0] f_was;

    wire [WORD_W-1:0] f_word  = f_byte[WORD_W+1:2];
    wire              f_here  = down_address[AT_W-1:WORD_W] == f_sector;
    wire              f_mine  = sector == f_sector; // the own access is at that sector

    always @(posedge clk) begin
        if (f_goes && down_store && f_here && down_strobe[f_word])
            f_is <= down_data[8*f_byte +: 8];
        if (begins)
            f_was <= f_is;
    end

    // while an own access is under way nobody else writes, and a load brings what is there
    always @* if (f_past && !rst)
        q_bank: assume (!(comes && f_mine) || answer_data[8*f_byte +: 8] == f_is);

    // what the lanes of a store or an exchange make of it, the highest last
    wire       f_writes = op == 1 || op == 10;
    reg  [7:0] f_must;
    reg  [7:0] f_before; // as the lane finds it
    reg  [2:0] f_size;
    reg        f_covers;

    always @* begin
        f_size   = op == 10 ? 3'd4 : size == 0 ? 3'd1 : size == 1 ? 3'd2 : 3'd4;
        f_must   = f_was;
        f_before = f_was;
        f_covers = 1'b0;
        for (f = 0; f < LANES; f = f + 1)
            if (mask[f] && address[32*f + 2 + CORE_AT +: CORE_W] == at_core &&
                {address[32*f + 2 + ${L.CORE_AT + L.CORE_W} +: ${30 - L.CORE_AT - L.CORE_W}],
                 address[32*f + 2 + WORD_W +: CORE_AT - WORD_W]} == f_sector &&
                f_byte >= address[32*f +: WORD_W + 2] &&
                f_byte - address[32*f +: WORD_W + 2] < f_size) begin
                f_covers = 1'b1;
                f_must   = ask_was[32*f + 8*((f_byte - address[32*f +: WORD_W + 2]) & 3) +: 8];
                if (f < f_lane && op == 10)
                    f_before = f_must;
            end
    end

    reg [ROW_W-1:0] ask_was; // operands
    reg             f_bad;   // a sector was not there, or a store had a fault
    integer         f;

    always @(posedge clk) begin
        if (begins)
            ask_was <= ask_data;
        if (begins)
            f_bad <= 1'b0;
        else if ((comes || stored) && answer_fault)
            f_bad <= 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_others: assert (!(owns && !down_strobe[f_word]) || down_data[8*f_byte +: 8] == 0);
        p_byte: assert (!(ends && f_writes && !f_bad) || f_is == f_must);
        p_kept: assert (!(ends && op == 0) || f_is == f_was);
        p_load: assert (!(state == ROW && (op == 0 || op == 10) && !f_bad && f_on && f_local &&
                          f_place / ${L.SECTOR} == f_sector && f_place % ${L.SECTOR} == f_byte) ||
                        row[32*f_lane +: 8] == f_before);
        c_byte: cover (ends && f_writes && !f_bad && f_covers && f_is != f_was);
    end
`endif
