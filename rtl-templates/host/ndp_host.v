//% use "ndp_regs.v"
//% use "ndp_host_formal.vh"
${header{title = "host port of a machine", text = [[
Writes to command registers become commands of the core and words of memory;
statuses show what the core does, what was read, and the sizes of the machine.

Parameters: all sizes are generated; see the localparams.

Handshake: a request of the window stands until an edge with win_ready; ctl is
high for one cycle and cannot be refused.

Latency: a command is at ctl or at the window after the edge of its access.

See docs/blocks/host.md.]]}}
`default_nettype none

module ${prefix}ndp_host (
${ports{reg = {"ctl_valid", "ctl_op", "ctl_index", "ctl_data", "win_valid", "win_write", "win_address", "win_data"}}}
);
${localparams("WARPS", "CODE")}

    localparam [3:0] OP_SET   = 4'd0; // of ctl_op
    localparam [3:0] OP_CODE  = 4'd1;
    localparam [3:0] OP_PARAM = 4'd2;
    localparam [3:0] OP_READ  = 4'd7;

    // ------------------------------------------------------------------
    // Registers

//% for _, c in ipairs(iface.commands) do
    wire command_${pad(c.name .. ";", 8)} // ${c.doc}
//% end

    reg        answered; // the last read
    reg        waiting;  // for a word of memory
    reg        lost;     // an access to the window
    reg [31:0] word;

    wire busy = win_valid || waiting;

    wire [4:0]  status_core   = {answered, core_quiet, core_halted, core_state};
//% local fill = 8 - L.WARP_W
    wire [11:0] status_fault  = {${fill > 0 and fill .. "'d0, " or ""}core_fault_warp, core_fault_cause};
    wire [1:0]  status_window = {lost, busy};
    wire        count_cycles  = core_state == 2'd1;

    ${prefix}ndp_host_regs regs (
        .clk                  (clk),
        .rst                  (rst),
        .wb_cyc               (wb_cyc),
        .wb_stb               (wb_stb),
        .wb_we                (wb_we),
        .wb_adr               (wb_adr),
        .wb_dat_w             (wb_dat_w),
        .wb_sel               (wb_sel),
        .wb_dat_r             (wb_dat_r),
        .wb_ack               (wb_ack),
//% for _, c in ipairs(iface.counters) do
        .${pad("count_" .. c.name, 20)} (count_${c.name}),
//% end
//% local shows = {
//%     core = "status_core", fault = "status_fault", fault_pc = "core_fault_pc",
//%     fault_address = "core_fault_address", value = "debug_value",
//%     window = "status_window", word = "word", warps = "WARPS[6:0]",
//%     code_words = "CODE[16:0]" }
//% for _, s in ipairs(iface.statuses) do
        .${pad("status_" .. s.name, 20)} (${shows[s.name] or "shape_" .. s.name}),
//% end
//% for i, c in ipairs(iface.commands) do
        .${pad("command_" .. c.name, 20)} (command_${c.name})${i < #iface.commands and "," or ""}
//% end
    );

    // ------------------------------------------------------------------
    // Commands to the core

    reg [15:0] index;
    reg [31:0] high;

    wire counts_up = command_set || command_code || command_param;

    always @(posedge clk) begin
        if (rst)
            index <= 16'd0;
        else if (command_index)
            index <= wb_dat_w[15:0];
        else if (counts_up)
            index <= index + 16'd1;
    end

    always @(posedge clk) begin
        if (rst)
            high <= 32'd0;
        else if (command_high)
            high <= wb_dat_w;
    end

    always @(posedge clk) begin
        if (rst) begin
            ctl_valid <= 1'b0;
            ctl_op    <= 4'd0;
            ctl_index <= 16'd0;
            ctl_data  <= 64'd0;
        end else begin
            ctl_valid <= 1'b1;
            ctl_index <= index;
            if (command_set) begin
                ctl_op   <= OP_SET;
                ctl_data <= {32'd0, wb_dat_w};
            end else if (command_code) begin
                ctl_op   <= OP_CODE;
                ctl_data <= {high, wb_dat_w};
            end else if (command_param) begin
                ctl_op   <= OP_PARAM;
                ctl_data <= {32'd0, wb_dat_w};
            end else if (command_op) begin
                ctl_op   <= wb_dat_w[3:0];
                ctl_data <= 64'd0;
            end else if (command_read) begin
                ctl_op   <= OP_READ;
                ctl_data <= {41'd0, wb_dat_w[22:0]};
            end else begin
                ctl_valid <= 1'b0;
                ctl_op    <= 4'd0;
                ctl_index <= 16'd0;
                ctl_data  <= 64'd0;
            end
        end
    end

    always @(posedge clk) begin
        if (rst || command_read)
            answered <= 1'b0;
        else if (debug_valid)
            answered <= 1'b1;
    end

    // ------------------------------------------------------------------
    // Window

    reg [29:0] address; // of the next word

    wire access = command_write || command_fetch;
    wire ask    = access && !busy;

    always @(posedge clk) begin
        if (rst)
            address <= 30'd0;
        else if (command_address)
            address <= wb_dat_w[31:2];
        else if (ask)
            address <= address + 30'd1;
    end

    always @(posedge clk) begin
        if (rst || command_address)
            lost <= 1'b0;
        else if (access && busy)
            lost <= 1'b1;
    end

    always @(posedge clk) begin
        if (rst || (win_valid && win_ready)) begin
            win_valid   <= 1'b0;
            win_write   <= 1'b0;
            win_address <= 30'd0;
            win_data    <= 32'd0;
        end else if (ask) begin
            win_valid   <= 1'b1;
            win_write   <= command_write;
            win_address <= address;
            win_data    <= command_write ? wb_dat_w : 32'd0;
        end
    end

    always @(posedge clk) begin
        if (rst || (waiting && read_valid))
            waiting <= 1'b0;
        else if (ask)
            waiting <= command_fetch;
    end

    always @(posedge clk) begin
        if (rst)
            word <= 32'd0;
        else if (waiting && read_valid)
            word <= read_data;
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_host_formal.vh"
`endif
endmodule

`default_nettype wire
