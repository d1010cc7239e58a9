//% output("formal/ndp_bank_port_formal.vh")
${header{title = "what is proved of ndp_bank_port", text = [[
The queues are open: what they show is anything that the core may ask (q_unlike,
q_atomic), and an answer that entered and has not left (q_shown, q_stays).  Of the banks is
demanded that they answer what they have, once (q_back).

A request goes to its sector's unit and to no other, as it came; a register that gets
nothing is zero or stands.  Of any unit, from when a change is there until its store is
nobody else gets in.  Any id is in one place from when it goes until its answer leaves, so
no queue of answers is ever full (p_enters); a change reads, writes what the slot has, and
is answered once.  An answer that is shown is what entered, waits for one of each other unit at
most, and comes as soon as the gap behind the last one is over.]]}}
`ifdef FORMAL_NDP_BANK_PORT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Whom each id is with: the banks, a queue of answers; and all of them together

    reg [UNITS*IDS-1:0] f_bank;
    reg [UNITS*IDS-1:0] f_queue;
    reg [IDS-1:0]       f_out;

    reg [UNITS*IDS-1:0] f_taken; // on this edge
    reg [UNITS*IDS-1:0] f_back;
    reg [UNITS*IDS-1:0] f_enters;
    reg [UNITS*IDS-1:0] f_shows;
    reg [UNITS*IDS-1:0] f_leaves;
    reg [IDS-1:0]       f_goes;
    reg [IDS-1:0]       f_done;

    integer f_i;

    always @* begin
        f_taken  = 0;
        f_back   = 0;
        f_enters = 0;
        f_shows  = 0;
        f_leaves = 0;
        f_goes   = 0;
        f_done   = 0;
        if (goes)
            f_goes[id] = 1'b1;
        for (f_i = 0; f_i < UNITS; f_i = f_i + 1) begin
            if (mem_valid[f_i] && mem_ready[f_i])
                f_taken[f_i*IDS + mem_id[f_i*ID_W +: ID_W]] = 1'b1;
            if (back_valid[f_i])
                f_back[f_i*IDS + back_id[f_i*ID_W +: ID_W]] = 1'b1;
            if (enters[f_i])
                f_enters[f_i*IDS + enter[f_i*ANSWER_W +: ID_W]] = 1'b1;
            if (shows[f_i])
                f_shows[f_i*IDS + answers[f_i*ANSWER_W +: ID_W]] = 1'b1;
            if (chosen[f_i]) begin
                f_leaves[f_i*IDS + answers[f_i*ANSWER_W +: ID_W]] = 1'b1;
                f_done[answers[f_i*ANSWER_W +: ID_W]] = 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            f_bank  <= 0;
            f_queue <= 0;
            f_out   <= 0;
        end else begin
            f_bank  <= (f_bank | f_taken) & ~f_back;
            f_queue <= (f_queue | f_enters) & ~f_leaves;
            f_out   <= (f_out | f_goes) & ~f_done;
        end
    end

    // ------------------------------------------------------------------
    // What is demanded of core, banks and queues

    (* anyconst *) reg [UNIT_W-1:0] f_unit; // any

    reg                f_stands; // its queue showed an answer that did not leave
    reg [ANSWER_W-1:0] f_stood;

    wire [ANSWER_W-1:0] f_answer = answers[f_unit*ANSWER_W +: ANSWER_W];

    always @(posedge clk) begin
        f_stands <= !rst && shows[f_unit] && !chosen[f_unit];
        f_stood  <= f_answer;
    end

    reg f_word_of; // the strobes are those of one word

    always @* begin
        f_word_of = 1'b0;
        for (f_i = 0; f_i < WORDS; f_i = f_i + 1)
            if (strobe == ${L.SECTOR}'d15 << 4*f_i)
                f_word_of = 1'b1;
    end

    always @* if (f_past) begin
        q_reset: assume (!rst || shows == 0);
    end

    always @* if (f_past && !rst) begin
        q_unlike: assume (!shown || !f_out[id]);
        q_atomic: assume (!shown || !atomic || f_word_of);
        q_back: assume ((f_back & ~f_bank) == 0);
        q_shown: assume ((f_shows & ~f_queue) == 0);
        q_stays: assume (!f_stands || (shows[f_unit] && f_answer == f_stood));
    end

    // ------------------------------------------------------------------
    // A request, as it goes, by arithmetic

    wire [31:0] f_lines = address / (1 << LINE_W);
    wire [31:0] f_to    = f_lines % UNITS;
    wire [31:0] f_own   = f_lines / UNITS * (1 << LINE_W) + address % (1 << LINE_W);

    reg f_part; // a word with some strobes, but not all

    always @* begin
        f_part = 1'b0;
        for (f_i = 0; f_i < SECTOR; f_i = f_i + 1)
            if (strobe[f_i] != strobe[f_i / 4 * 4])
                f_part = 1'b1;
    end

    wire f_atomic  = op > 1 && op < 12;
    wire f_change  = f_atomic || (op == 1 && f_part);
    wire f_here    = goes && f_to == f_unit; // to the unit
    wire f_starts  = goes && f_change;

    // ------------------------------------------------------------------
    // The register of the unit

    wire               f_valid   = mem_valid[f_unit];
    wire               f_store   = mem_store[f_unit];
    wire [ID_W-1:0]    f_id      = mem_id[f_unit*ID_W +: ID_W];
    wire [OWN_W-1:0]   f_address = mem_address[f_unit*OWN_W +: OWN_W];
    wire [WORDS-1:0]   f_strobe  = mem_strobe[f_unit*WORDS +: WORDS];
    wire [DATA_W-1:0]  f_data    = mem_data[f_unit*DATA_W +: DATA_W];
    wire [${L.ID_W + L.OWN_W + L.WORDS + L.DATA_W + 1}:0] f_fields = {f_valid, f_store, f_id, f_address, f_strobe, f_data};

    (* anyconst *) reg [${clog2(L.WORDS) - 1}:0] f_word; // any word of a sector
    (* anyconst *) reg [${clog2(L.DATA_W) - 1}:0] f_bit;  // any bit of it

    reg                 f_open;   // it could take
    reg                 f_got;    // it was given a request
    reg                 f_plain;
    reg                 f_back_on; // ... the store of the change
    reg [3:0]           f_was_op;
    reg [ID_W-1:0]      f_was_id;
    reg [31:0]          f_was_own;
    reg [3:0]           f_was_strobe; // of the word
    reg                 f_was_bit;
    reg [${L.ID_W + L.OWN_W + L.WORDS + L.DATA_W + 1}:0] f_was; // what was at it
    reg [WORDS-1:0]     f_was_words; // what the change makes of its sector
    reg                 f_was_value;

    always @(posedge clk) begin
        f_open       <= rst || !f_valid || mem_ready[f_unit];
        f_got        <= !rst && f_here;
        f_plain      <= !f_change;
        f_back_on    <= !rst && f_puts;
        f_was_op     <= op;
        f_was_id     <= id;
        f_was_own    <= f_own;
        f_was_strobe <= strobe[4*f_word +: 4];
        f_was_bit    <= data[f_bit];
        f_was        <= f_fields;
        f_was_words  <= s_words;
        f_was_value  <= s_value[f_bit];
    end

    wire f_was_load = f_was_op == 0 || !f_plain;

    always @* if (f_past && !rst) begin
        p_alone: assert (!(f_got && f_back_on));
        p_room: assert (!(f_got || f_back_on) || f_open);
        p_valid: assert (!f_got || f_valid);
        p_kind: assert (!f_got || f_store == !f_was_load);
        p_id: assert (!f_got || f_id == f_was_id);
        p_own: assert (!f_got || f_address == f_was_own);
        p_words: assert (!f_got || f_strobe[f_word] == (f_was_op == 1 && f_plain && f_was_strobe == 4'd15));
        p_data: assert (!f_got || f_data[f_bit] == (f_was_bit && !f_was_load));
        p_stands: assert (f_open || f_fields == f_was);
        p_zero: assert (f_valid || f_fields == 0);
        p_nothing: assert (!f_open || f_got || f_back_on || !f_valid);
        c_word: cover (f_got && f_plain && f_was_op == 1 && f_strobe[f_word] && f_strobe != {WORDS{1'b1}});
        c_other: cover (f_got && f_was_op == 15);
    end

    // ------------------------------------------------------------------
    // The change: from what has gone, come and been answered

    localparam [1:0] F_NONE = 0, F_READS = 1, F_CAME = 2, F_WRITES = 3;

    reg  [1:0]           f_state;
    reg  [REQUEST_W-1:0] f_ask; // as it came
    reg  [31:0]          f_ask_to;
    reg  [31:0]          f_ask_own;
    reg                  f_read; // a bit of what it read

    wire [ID_W-1:0] f_ask_id    = f_ask[${record.request.id.msb}:${record.request.id.lsb}];
    wire [3:0]      f_ask_op    = f_ask[${record.request.op.msb}:${record.request.op.lsb}];
    wire            f_ask_byte  = f_ask[${record.request.strobe.lsb} + f_bit / 8]; // of the bit
    wire            f_ask_bit   = f_ask[${record.request.data.lsb} + f_bit];
    wire            f_ask_heard = f_state != F_NONE && back_valid[f_ask_to] && back_id[f_ask_to*ID_W +: ID_W] == f_ask_id;
    wire            f_puts      = f_state == F_CAME && f_ask_to == f_unit && (!f_valid || mem_ready[f_unit]);
    wire            f_puts_any  = f_state == F_CAME && (!mem_valid[f_ask_to] || mem_ready[f_ask_to]);

    always @(posedge clk) begin
        if (rst)
            f_state <= F_NONE;
        else if (f_starts)
            f_state <= F_READS;
        else if (f_ask_heard)
            f_state <= f_state == F_READS && !back_fault[f_ask_to] ? F_CAME : F_NONE;
        else if (f_puts_any)
            f_state <= F_WRITES;
        if (f_starts) begin
            f_ask     <= request;
            f_ask_to  <= f_to;
            f_ask_own <= f_own;
        end
        if (f_ask_heard && f_state == F_READS)
            f_read <= back_data[f_ask_to*DATA_W + f_bit];
    end

    wire f_held = (f_state == F_READS || f_state == F_CAME) && f_ask_to == f_unit;

    // the slot's, as it came, and what it makes of its sector (of that ndp_bank_port_change has proofs)
    always @* if (f_past && !rst) begin
        p_state: assert ({s_reads, s_came, s_writes} == {f_state == F_READS, f_state == F_CAME, f_state == F_WRITES});
        p_slot: assert (f_state == F_NONE || {s_data, s_compare, s_strobe, s_id, s_op} ==
                        {f_ask[${record.request.data.msb}:${record.request.data.lsb}],
                         f_ask[${record.request.compare.msb}:${record.request.compare.lsb}],
                         f_ask[${record.request.strobe.msb}:${record.request.strobe.lsb}], f_ask_id, f_ask_op});
        p_slot_at: assert (f_state == F_NONE || (s_unit == f_ask_to && s_own == f_ask_own));
        p_read: assert (!(f_state == F_CAME || f_state == F_WRITES) || s_sector[f_bit] == f_read);
        p_one_change: assert (!(f_starts && f_state != F_NONE));
        p_held: assert (!(f_held && f_here));
        p_goes: assert (goes == (shown && (!mem_valid[f_to] || mem_ready[f_to]) &&
                                 !(f_change && f_state != F_NONE) &&
                                 !((f_state == F_READS || f_state == F_CAME) && f_ask_to == f_to)));
        p_back: assert (!f_back_on || (f_state == F_WRITES && f_valid && f_store && f_id == f_ask_id &&
                                       f_address == f_ask_own && f_strobe == f_was_words));
        p_back_data: assert (!f_back_on || f_data[f_bit] == f_was_value);
        p_back_byte: assert (!f_back_on || f_ask_op != 1 || f_data[f_bit] == (f_ask_byte ? f_ask_bit : f_read));
        p_back_word: assert (!f_back_on || f_ask_op != 10 || f_data[f_bit] == (f_ask_byte ? f_ask_bit : f_read));
        c_back: cover (f_back_on && f_strobe != 0);
        c_beside: cover (f_back_on && goes && f_to != f_unit);
        c_after: cover (f_back_on && f_here);
        c_waits: cover (f_held && shown && f_to == f_unit);
    end

    // ------------------------------------------------------------------
    // Where an id is

    (* anyconst *) reg [ID_W-1:0] f_any;

    reg              f_any_change; // the request that has it is a change
    reg [UNIT_W-1:0] f_any_to;
    reg [UNITS-1:0]  f_at_reg;   // by unit
    reg [UNITS-1:0]  f_at_bank;
    reg [UNITS-1:0]  f_at_queue;
    reg [1:0]        f_loads; // of it, that the banks took
    reg [1:0]        f_writes;
    reg [1:0]        f_answered; // answers that entered

    integer f_u;

    always @* begin
        for (f_u = 0; f_u < UNITS; f_u = f_u + 1) begin
            f_at_reg[f_u]   = mem_valid[f_u] && mem_id[f_u*ID_W +: ID_W] == f_any;
            f_at_bank[f_u]  = f_bank[f_u*IDS + f_any];
            f_at_queue[f_u] = f_queue[f_u*IDS + f_any];
        end
    end

    wire f_at_slot = f_state == F_CAME && f_ask_id == f_any;
    wire f_taken_now = f_at_reg[f_any_to] && mem_ready[f_any_to];

    always @(posedge clk) begin
        if (goes && id == f_any) begin
            f_any_change <= f_change;
            f_any_to     <= f_to;
            f_loads      <= 0;
            f_writes     <= 0;
            f_answered   <= 0;
        end else begin
            if (f_taken_now && f_loads != 3)
                f_loads <= f_loads + !mem_store[f_any_to];
            if (f_taken_now && f_writes != 3)
                f_writes <= f_writes + mem_store[f_any_to];
            if (f_enters[f_any_to*IDS + f_any] && f_answered != 3)
                f_answered <= f_answered + 1'b1;
        end
    end

    wire [UNITS-1:0] f_any_bit = {{(UNITS-1){1'b0}}, 1'b1} << f_any_to;
    wire [3*UNITS:0] f_places  = {f_at_slot, f_at_reg, f_at_bank, f_at_queue};
    wire             f_is_change = f_state != F_NONE && f_ask_id == f_any;

    always @* if (f_past && !rst) begin
        p_one_place: assert (f_out[f_any] ? f_places != 0 && (f_places & (f_places - 1'b1)) == 0 : f_places == 0);
        p_at: assert (((f_at_reg | f_at_bank | f_at_queue) & ~f_any_bit) == 0);
        p_enters: assert (!(f_enters[f_unit*IDS + f_any] && f_queue[f_unit*IDS + f_any]));
        p_who: assert (!f_is_change || (f_out[f_any] && f_any_change && f_ask_to == f_any_to && !f_at_queue));
        p_change: assert (!(f_out[f_any] && f_any_change) || f_is_change || f_at_queue != 0);
        p_plain: assert (!f_out[f_any] || f_any_change || f_loads + f_writes == (f_at_reg == 0));
        p_reads: assert (!(f_is_change && f_state == F_READS) || (f_loads == (f_at_reg == 0) && f_writes == 0));
        p_came: assert (!(f_is_change && f_state == F_CAME) || (f_loads == 1 && f_writes == 0));
        p_writes: assert (!(f_is_change && f_state == F_WRITES) || (f_loads == 1 && f_writes == (f_at_reg == 0)));
        p_answered: assert (!f_out[f_any] || f_answered == (f_at_queue != 0));
        c_change: cover (f_any_change && f_done[f_any] && f_writes == 1);
        c_fault: cover (f_any_change && f_done[f_any] && f_writes == 0);
    end

    // ------------------------------------------------------------------
    // Answers: what enters the unit's queue, and what leaves

    wire [ANSWER_W-1:0] f_enter = enter[f_unit*ANSWER_W +: ANSWER_W];
    wire                f_mine  = f_ask_heard && f_ask_to == f_unit;

    wire f_old = f_state == F_WRITES && f_ask_op != 1 && f_ask_byte && f_read; // bit of the old word

    reg                f_told; // the unit's answer was chosen
    reg                f_tells; // ... some unit's
    reg [ANSWER_W-1:0] f_tale;
    reg [UNITS-1:0]    f_before; // whose
//% if L.INTERVAL > 1 then
    reg [6:0]          f_wait; // edges until the next answer may be chosen

    wire f_may = shows != 0 && f_wait == 0;
//% else

    wire f_may = shows != 0;
//% end

    always @(posedge clk) begin
        f_told  <= !rst && chosen[f_unit];
        f_tells <= !rst && f_may;
//% if L.INTERVAL > 1 then
        f_wait  <= rst ? 0 : chosen != 0 ? ${L.INTERVAL - 1} : f_wait - (f_wait != 0);
//% end
        f_tale  <= f_answer;
        if (rst || !shows[f_unit] || chosen[f_unit])
            f_before <= 0;
        else
            f_before <= f_before | chosen;
    end

    always @* if (f_past && !rst) begin
        p_enter: assert (enters[f_unit] == (back_valid[f_unit] &&
                                            !(f_mine && f_state == F_READS && !back_fault[f_unit])));
        p_enter_id: assert (!enters[f_unit] || f_enter[ID_W:0] == {back_fault[f_unit], back_id[f_unit*ID_W +: ID_W]});
        p_enter_data: assert (!enters[f_unit] || f_enter[ID_W + 1 + f_bit] ==
                              (f_mine ? f_old : back_data[f_unit*DATA_W + f_bit]));
        p_one_leaves: assert ((chosen & (chosen - 1'b1)) == 0 && (chosen & ~shows) == 0 && (chosen == 0) == !f_may);
        p_turn: assert ((f_before & chosen) == 0 || !shows[f_unit] || chosen[f_unit]);
        p_told: assert (!f_told || {rsp_data, rsp_fault, rsp_id} == f_tale);
        p_rsp: assert (rsp_valid == f_tells);
        p_rsp_zero: assert (rsp_valid || {rsp_data, rsp_fault, rsp_id} == 0);
        c_all: cover (shows == {UNITS{1'b1}});
        c_last: cover ((f_before | chosen) == {UNITS{1'b1}});
        c_old: cover (enters[f_unit] && f_mine && f_old);
    end
`endif
