//% output("formal/ndp_host_formal.vh")
${header{title = "what is proved of ndp_host", text = [[
Commands to the core: what is at ctl is what the access of the edge before asked
for, with an index that a twin counts.

Window: a twin of the access that was begun last; the request stands unaltered
until it is taken, a word that was asked for is taken once and shown, and an
access that comes too early changes nothing but lost.]]}}
`ifdef FORMAL_NDP_HOST
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the bus asks for, by address

    wire f_given = wb_cyc && wb_stb && !wb_ack && wb_we && wb_sel == 15;
//% for _, c in ipairs(iface.commands) do
    wire f_${c.name == "op" and "op_now" or c.name} = f_given && wb_adr == ${c.address};
//% end

    // ------------------------------------------------------------------
    // Commands to the core

    reg        f_ctl;
    reg [3:0]  f_op;
    reg [15:0] f_index_now, f_ctl_index;
    reg [31:0] f_high_now, f_low_word, f_high_word;
    reg        f_answered;

    always @(posedge clk) begin
        f_ctl       <= !rst && (f_set || f_code || f_param || f_op_now || f_read);
        f_op        <= f_set ? 0 : f_code ? 1 : f_param ? 2 : f_read ? 7 : wb_dat_w;
        f_ctl_index <= f_index_now;
        f_low_word  <= f_op_now ? 0 : f_read ? wb_dat_w & 32'h7fffff : wb_dat_w;
        f_high_word <= f_code ? f_high_now : 0;
        f_index_now <= rst ? 0 : f_index ? wb_dat_w :
                       f_index_now + (f_set || f_code || f_param);
        f_high_now  <= rst ? 0 : f_high ? wb_dat_w : f_high_now;
        f_answered  <= !rst && !f_read && (debug_valid || f_answered);
    end

    always @* if (f_past) begin
        p_ctl: assert (ctl_valid == f_ctl);
        p_ctl_what: assert (!f_ctl || (ctl_op == f_op && ctl_index == f_ctl_index &&
                                       ctl_data == {f_high_word, f_low_word}));
        p_ctl_zero: assert (ctl_valid || {ctl_op, ctl_index, ctl_data} == 0);
        p_index: assert (index == f_index_now && high == f_high_now);
        p_answered: assert (answered == f_answered);
    end

    // ------------------------------------------------------------------
    // Window

    reg        f_asks, f_writes, f_waits, f_lost;
    reg [29:0] f_at, f_next;
    reg [31:0] f_data, f_word;

    wire f_busy  = f_asks || f_waits;
    wire f_begin = (f_write || f_fetch) && !f_busy;

    always @(posedge clk) begin
        if (rst) begin
            f_asks  <= 0;
            f_waits <= 0;
            f_lost  <= 0;
            f_next  <= 0;
            f_word  <= 0;
        end else begin
            if (f_asks && win_ready)
                f_asks <= 0;
            if (f_waits && read_valid) begin
                f_waits <= 0;
                f_word  <= read_data;
            end
            if (f_begin) begin
                f_asks   <= 1;
                f_waits  <= f_fetch;
                f_writes <= f_write;
                f_at     <= f_next;
                f_next   <= f_next + 1;
                f_data   <= f_write ? wb_dat_w : 0;
            end
            if ((f_write || f_fetch) && f_busy)
                f_lost <= 1;
            if (f_address) begin
                f_lost <= 0;
                f_next <= wb_dat_w[31:2];
            end
        end
    end

    always @* if (f_past) begin
        p_window: assert (win_valid == f_asks && waiting == f_waits);
        p_window_what: assert (!f_asks || (win_write == f_writes && win_address == f_at &&
                                           win_data == f_data));
        p_window_zero: assert (win_valid || {win_write, win_address, win_data} == 0);
        p_lost: assert (lost == f_lost);
        p_next: assert (address == f_next);
        p_word: assert (word == f_word);
    end

    always @* if (f_past && !rst) begin
        c_code: cover (ctl_valid && ctl_op == 1 && ctl_index == 2);
        c_word: cover (word == 5 && !busy);
        c_lost: cover (lost && !busy);
        c_write: cover (win_valid && win_write && win_address == 1);
    end
`endif
