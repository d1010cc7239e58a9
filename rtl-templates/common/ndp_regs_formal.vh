//% output("formal/ndp_" .. block .. "_regs_formal.vh")
//% local M = "NDP_" .. block:upper() .. "_REGS"
//% local has_counters = #iface.counters > 0
//% local claim = "Every register against a twin: settings under their byte selects, counters " ..
//%     "that count, stop at their maximum and are cleared, the acknowledge, and read data of " ..
//%     "every address" .. (#iface.commands > 0 and ", commands of whole words alone." or ".")
//% if #iface.settings == 0 and not has_counters then
//%     claim = "The acknowledge, and read data of every address, of which none can be written."
//% end
${header{title = "what is proved of ndp_" .. block .. "_regs", text = claim}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_${M}
//% if has_counters then
    // ------------------------------------------------------------------
    // Twin of any one counter

    localparam F_N = ${#iface.counters};
    localparam [31:0] F_MAX = (33'd1 << ${P["regs.counter_bits"]}) - 1;

    (* anyconst *) reg [7:0] f_which;

    always @* assume (f_which < F_N);

    wire [F_N-1:0] f_events = {
//% for i = #iface.counters, 1, -1 do
        count_${iface.counters[i].name}${i > 1 and "," or ""}
//% end
    };
    wire [32*F_N-1:0] f_values = {
//% for i = #iface.counters, 1, -1 do
        {32'd0 | value_${iface.counters[i].name}}${i > 1 and "," or ""}
//% end
    };

//% end
    wire        f_access = wb_cyc && wb_stb && !wb_ack;
//% if has_counters then
    wire        f_clear  = f_access && wb_we && wb_adr == ${regs.at_control} && wb_sel[0] &&
                           wb_dat_w[0];
    reg  [31:0] f_counter;

    always @(posedge clk) begin
        if (rst || f_clear)
            f_counter <= 0;
        else if (f_events[f_which] && f_counter != F_MAX)
            f_counter <= f_counter + 1;
    end

    always @* if (f_past)
        p_counter: assert (f_values[32*f_which +: 32] == f_counter);
//% end
//% if has_counters or #iface.settings > 0 then

    // ------------------------------------------------------------------
    // Twin of the settings, byte by byte

//% end
//% for i, s in ipairs(iface.settings) do
    reg [31:0] f_${s.name};

    always @(posedge clk) begin
        if (rst) begin
            f_${s.name} <= ${s.reset};
        end else if (f_access && wb_we && wb_adr == ${regs.first_setting + i - 1}) begin
            if (wb_sel[0]) f_${s.name}[7:0]   <= wb_dat_w[7:0];
            if (wb_sel[1]) f_${s.name}[15:8]  <= wb_dat_w[15:8];
            if (wb_sel[2]) f_${s.name}[23:16] <= wb_dat_w[23:16];
            if (wb_sel[3]) f_${s.name}[31:24] <= wb_dat_w[31:24];
        end
    end

    always @* if (f_past)
        p_setting_${s.name}: assert (${s.name} == f_${s.name}[${s.width - 1}:0]);

//%     if settings_ahead[s.name] then
    reg [${s.width - 1}:0] f_${s.name}_next;

    always @(posedge clk) f_${s.name}_next <= rst ? ${s.reset} : ${s.name}_next;

    always @* if (f_past)
        p_next_${s.name}: assert (${s.name} == f_${s.name}_next);

//%     end
//% end
//% if #iface.commands > 0 then
    // ------------------------------------------------------------------
    // Commands: one at a time, of a whole word

    always @* begin
//%     for _, c in ipairs(iface.commands) do
        p_command_${c.name}:
            assert (command_${c.name} == (f_access && wb_we && &wb_sel && wb_adr == ${c.address}));
//%     end
    end

//% end
    // ------------------------------------------------------------------
    // Twin of the port

    reg        f_ack;
    reg [31:0] f_read;

    always @(posedge clk) begin
        f_ack  <= !rst && f_access;
        f_read <= 0;
        if (!rst && f_access && !wb_we) begin
            if (wb_adr == ${regs.at_id})
                f_read <= 32'h${string.format("%08x", regs.id)};
            if (wb_adr == ${regs.at_hash_lo})
                f_read <= 32'h${hash:sub(9, 16)};
            if (wb_adr == ${regs.at_hash_hi})
                f_read <= 32'h${hash:sub(1, 8)};
//% for i, s in ipairs(iface.settings) do
            if (wb_adr == ${regs.first_setting + i - 1})
                f_read <= f_${s.name} & ${(1 << s.width) - 1};
//% end
//% if has_counters then
            if (wb_adr >= ${regs.first_counter} && wb_adr < ${regs.first_counter + #iface.counters})
                f_read <= f_values[32*(wb_adr - ${regs.first_counter}) +: 32];
//% end
//% for _, s in ipairs(iface.statuses) do
            if (wb_adr == ${s.address})
                f_read <= status_${s.name};
//% end
        end
    end

    always @* if (f_past) begin
        p_ack: assert (wb_ack == f_ack);
        p_read: assert (wb_dat_r == f_read);
    end

    always @* if (f_past && !rst) begin
//% if has_counters then
        c_read: cover (wb_ack && wb_dat_r == 3);
        c_cleared: cover (f_clear && f_counter == 2);
//% else
        c_read: cover (wb_ack && wb_dat_r != 0);
//% end
    end
`endif
