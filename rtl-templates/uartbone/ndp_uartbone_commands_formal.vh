//% output("formal/ndp_uartbone_commands_formal.vh")
${header{title = "what is proved of ndp_uartbone_commands", text = [[
A twin follows the bytes that are taken: where in a command they stand, the code and
the whole address as they were said, the words that are left, the word that is under
way.  Of it follow, on each edge: which byte is taken, which access stands and with
what, which byte is sent, what goes wrong and what is reset.

Whatever the transcript is and however long it takes (proved alone, ndp_uartbone_sum),
whatever the slave does, and the line.]]}}
`ifdef FORMAL_NDP_UARTBONE_COMMANDS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // The transcript is busy with what it was given, and gives that up
    reg f_stirs;

    always @(posedge clk)
        f_stirs <= !rst && !fail && (take || send || (f_stirs && stirring));

    always @* if (f_past && !rst)
        assume (!stirring || f_stirs);

    // ------------------------------------------------------------------
    // Where the bytes stand

    localparam F_BODY = 6; // behind the address

    reg [2:0]  f_at;      // bytes of the command's head that were taken
    reg [7:0]  f_command;
    reg [7:0]  f_length;  // words that are left
    reg [29:0] f_address; // of the next one
    reg [1:0]  f_bytes;   // of the word
    reg        f_full;    // the word waits: to be written, or to be answered
    reg [31:0] f_word;    // what was said, or read

    wire f_write = f_command == 1 || f_command == 3;
    wire f_read  = f_command == 2 || f_command == 4;
    wire f_up    = f_command == 1 || f_command == 2;
    wire f_own   = f_address >> 29;

    wire f_wants   = f_at != F_BODY || (f_write && !f_full); // a byte
    wire f_access  = f_at == F_BODY && f_full == f_write;
    wire f_answers = f_at == F_BODY && f_read && f_full;

    wire f_still = stirring || fail; // nothing is done
    wire f_own_done = f_access && f_own && !f_still;
    wire f_bus_done = f_access && bus_cyc && bus_ack && !fail;
    wire f_done     = f_own_done || f_bus_done;
    wire f_last     = f_length == 1;
    wire f_control  = f_own_done && f_write && f_address % 4 == 1;

    wire [31:0] f_value = !f_own ? bus_dat_r :
                          f_address % 4 == 0 ? 32'h4e445001 :
                          f_address % 4 == 1 ? CLOCKS * 65536 + f_faults :
                          f_address % 4 == 2 ? sum : 0;

    always @(posedge clk) begin
        if (rst || fail) begin
            f_at    <= 0;
            f_bytes <= 0;
            f_full  <= 0;
            if (rst)
                f_address <= 0;
        end else if (take && f_at != F_BODY) begin
            f_at <= f_at + 1;
            if (f_at == 0)
                f_command <= in_byte;
            else if (f_at == 1)
                f_length <= in_byte;
            else
                f_address <= {f_address, in_byte};
            if (f_at == F_BODY - 1 && (f_length == 0 || !(f_write || f_read)))
                f_at <= 0;
        end else if (take) begin
            f_word  <= {f_word, in_byte};
            f_bytes <= f_bytes + 1;
            f_full  <= f_bytes == 3;
        end else if (f_done) begin
            f_address <= f_address + f_up;
            f_full    <= f_read;
            if (f_read)
                f_word <= f_value;
            else
                f_length <= f_length - 1;
            if (f_write && f_last)
                f_at <= 0;
        end else if (send) begin
            f_bytes <= f_bytes + 1;
            if (f_bytes == 3) begin
                f_full   <= 0;
                f_length <= f_length - 1;
                if (f_last)
                    f_at <= 0;
            end
        end
    end

    // what was said of the address, before any count
    reg [29:0] f_said;
    reg        f_over; // its low bits have overflowed

    wire [LOW_W-1:0] f_ones = ~0;

    always @(posedge clk) begin
        if (take && f_at >= 2 && f_at < F_BODY) begin
            f_said <= {f_said, in_byte};
            f_over <= 0;
        end else if (f_done && f_up && f_address[LOW_W-1:0] == f_ones) begin
            f_over <= 1;
        end
    end

    // ------------------------------------------------------------------
    // Bytes

    wire [7:0] f_next = f_word >> 8 * (3 - f_bytes);

    always @* if (f_past && !rst) begin
        p_take: assert (take == (in_valid && f_wants && !f_still));
        p_send: assert (send == (f_answers && send_free && !f_still));
        p_answer: assert (!send || send_byte == f_next);
        p_fail: assert (fail == (framing || overrun || f_silence[TIMEOUT_W]));
        p_failed: assert (!f_failed || (f_at == 0 && !bus_cyc && state == COMMAND));
    end

    reg f_failed;

    always @(posedge clk)
        f_failed <= fail && !rst;

    // ------------------------------------------------------------------
    // Accesses

    reg f_cyc;
    reg f_held; // one stood and was not acknowledged

    reg             f_was_we;
    reg [ADR_W-1:0] f_was_adr;
    reg [31:0]      f_was_dat;

    always @(posedge clk) begin
        f_cyc     <= !rst && !fail &&
                     (f_cyc ? !bus_ack : f_access && !f_own && !stirring);
        f_held    <= !rst && !fail && bus_cyc && !bus_ack;
        f_was_we  <= bus_we;
        f_was_adr <= bus_adr;
        f_was_dat <= bus_dat_w;
    end

    always @* if (f_past) begin
        p_cyc: assert (bus_cyc == f_cyc);
        p_cause: assert (!bus_cyc || (f_access && !f_own && f_length != 0 && (f_write || f_read)));
        p_stands: assert (!f_held || (bus_cyc && bus_we == f_was_we && bus_adr == f_was_adr &&
                                      bus_dat_w == f_was_dat));
        p_we: assert (bus_we == (bus_cyc && f_write));
        p_adr: assert (bus_adr == (bus_cyc ? f_address[ADR_W-1:0] : 0));
        p_dat: assert (bus_dat_w == (bus_we ? f_word : 0));
        p_whole: assert (bus_stb == bus_cyc && bus_sel == (bus_cyc ? 15 : 0));
    end

    // ------------------------------------------------------------------
    // Silence, faults, reset of the device

    reg [TIMEOUT_W:0] f_silence;
    reg [2:0]         f_faults;
    reg [3:0]         f_hold;

    always @(posedge clk) begin
        if (rst || f_silence[TIMEOUT_W] || arrives || f_at == 0 || f_answers ||
            (f_access && bus_ack))
            f_silence <= 0;
        else
            f_silence <= f_silence + 1;
    end

    always @(posedge clk) begin
        if (rst || f_control)
            f_faults <= 0;
        else
            f_faults <= f_faults | {f_silence[TIMEOUT_W], overrun, framing};
    end

    always @(posedge clk) begin
        if (rst)
            f_hold <= 0;
        else if (f_control && f_word % 2 == 1)
            f_hold <= 8;
        else if (f_hold != 0)
            f_hold <= f_hold - 1;
    end

    always @* if (f_past) begin
        p_silence: assert (silence == f_silence);
        p_faults: assert (faults == f_faults);
        p_reset: assert (device_rst == (f_hold != 0));
        p_control: assert (rst || control_written == f_control);
    end

    // ------------------------------------------------------------------
    // What leads to the others

    always @* if (f_past) begin
        p_state: assert (state == (f_at == 0 ? COMMAND : f_at == 1 ? LENGTH :
                                   f_at < F_BODY ? ADDRESS : f_answers ? ANSWER :
                                   f_access ? BUS : DATA) && f_at <= F_BODY);
        p_count: assert (count == (f_at >= 2 && f_at < F_BODY ? f_at - 2 :
                                   f_at == F_BODY ? f_bytes : 0));
        p_bytes: assert (f_bytes == 0 || (f_at == F_BODY && (f_answers || !f_access)));
        p_full: assert (!f_full || f_at == F_BODY);
        p_known: assert (f_at == 0 || (known == (f_write || f_read) && (!known ||
                         (writes == f_write && counts == f_up))));
        p_body: assert (f_at != F_BODY || (known && length != 0));
        p_length: assert (f_at < 2 || length == f_length);
        p_word: assert (!f_access || !f_write || word == f_word);
        p_data: assert (f_at != F_BODY || !f_write ||
                        ((word ^ f_word) & ((33'd1 << 8 * f_bytes) - 1)) == 0);
        p_left: assert (!f_answers || word >> 8 * f_bytes == (f_word & (~0 >> 8 * f_bytes)));
        p_hold: assert (f_hold == (device_rst ? hold + 1 : 0) && (device_rst || hold == 0));
        p_quiet: assert (!bus_cyc || !f_stirs);
    end

    // bytes of the address that came stand where they will
//% local LOW_W = math.max(L.ADR_W, 8)
    localparam [29:0] F_BETWEEN = 30'h${string.format("%x", ((1 << 29) - 1) >> LOW_W << LOW_W)};

    wire        f_some  = f_at > 2;
    wire [29:0] f_there = f_address << 8 * (F_BODY - f_at);
    wire [29:0] f_mask  = F_BETWEEN & (30'h3fffffff << 8 * (F_BODY - f_at));

    always @* if (f_past) begin
        p_low: assert (low == f_address[LOW_W-1:0]);
        p_own: assert (!f_some || own == f_there[29]);
        p_once: assert (f_at != F_BODY || !f_over || low + length <= 255 + f_answers);
        p_over: assert (f_at == F_BODY || !f_some || !f_over);
        p_ones: assert (!f_some || f_over || ones == ((f_there & f_mask) == f_mask));
    end

    always @* if (f_past && !rst) begin
        c_write: cover (bus_cyc && bus_we && bus_adr == 2 && f_length == 2 && bus_dat_w[7:0] == 8'h5a);
        c_read: cover (send && f_bytes == 3 && f_length == 1 && f_up && f_address[1:0] == 3);
        c_control: cover (device_rst && f_word == 1);
        c_time_out: cover (f_failed && f_faults == 4);
        c_late: cover (f_held && bus_ack && silence > 5);
        c_none: cover (take && f_at == 5 && f_length == 0);
        c_beyond: cover (f_over && own != f_said[29] && f_at == F_BODY);
    end
`endif
