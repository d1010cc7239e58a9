//% output("formal/ndp_bank_port_change_formal.vh")
${header{title = "what is proved of ndp_bank_port_change", text = [[
Byte by byte what a store leaves, and by arithmetic what an atomic makes of its word; the
other words stay as they are.  Of an atomic the four strobes of one word are demanded
(q_word).]]}}
`ifdef FORMAL_NDP_BANK_PORT_CHANGE
    (* anyconst *) reg [${clog2(L.WORDS) - 1}:0] f_at;   // the word of an atomic
    (* anyconst *) reg [${clog2(L.SECTOR) - 1}:0] f_byte; // any byte

    wire f_atomic = op >= 2 && op <= 11;
    wire f_mine   = f_byte / 4 == f_at;

    always @* begin
        q_op: assume (op == 1 || f_atomic);
        q_word: assume (!f_atomic || strobe == ${L.SECTOR}'d15 << {f_at, 2'b00});
    end

    wire [31:0] f_old  = sector >> {f_at, 5'd0};
    wire [31:0] f_data = data >> {f_at, 5'd0};
    wire [31:0] f_new  = value >> {f_at, 5'd0};
    wire        f_less = op == 3 || op == 4 ? $signed(f_old) < $signed(f_data) : f_old < f_data;
    wire        f_take = op == 3 || op == 5 ? !f_less : op == 4 || op == 6 ? f_less : f_old == compare;

    always @* begin
        p_words: assert (words[f_byte / 4] == (strobe[f_byte / 4 * 4] || strobe[f_byte / 4 * 4 + 1] ||
                                               strobe[f_byte / 4 * 4 + 2] || strobe[f_byte / 4 * 4 + 3]));
        p_store: assert (op != 1 || value[8*f_byte +: 8] == (strobe[f_byte] ? data[8*f_byte +: 8]
                                                                            : sector[8*f_byte +: 8]));
        p_others: assert (!f_atomic || f_mine || value[8*f_byte +: 8] == sector[8*f_byte +: 8]);
        p_atomic: assert (!f_atomic || f_new == (op == 2 ? f_old + f_data : op == 7 ? (f_old & f_data) :
                                                 op == 8 ? (f_old | f_data) :
                                                 op == 9 ? (f_old ^ f_data) :
                                                 op == 10 || f_take ? f_data : f_old));
        p_former: assert (former[8*f_byte +: 8] == (f_atomic && f_mine ? sector[8*f_byte +: 8] : 0));
        c_swapped: cover (op == 11 && f_old == compare && f_new != f_old);
        c_kept: cover (op == 11 && f_old != compare && f_data != f_old);
        c_bytes: cover (op == 1 && strobe[f_byte] && !strobe[f_byte ^ 1]);
    end
`endif
