//% use "ndp_regs.v"
//% use "ndp_relay_formal.vh"
//% local state = { { "fault_cause", 4 }, { "fault_warp", L.WARP_W }, { "fault_pc", L.PC_W }, { "fault_address", 32 } }
//% local regs = {}
//% for _, p in ipairs(iface.ports) do
//%     if p.dir == "out" and not p.name:find("^wb_") then regs[#regs + 1] = p.name end
//% end
${header{title = "relay of a host's commands to one of several cores", text = [[
Commands go on to the relay behind, and to the core if it takes part; what the core
and those behind are doing goes back as if they were one.

    ctl -> next, core_ctl      core, rest -> all

Parameters: all sizes are generated; see the localparams.

Handshake: commands cannot be refused.

Latency: a command, and what a core is doing, is one edge on its way.

See docs/blocks/relay.md.]]}}
`default_nettype none

module ${prefix}ndp_relay (
${ports{reg = regs}}
);
    localparam [1:0] IDLE    = 2'd0;
    localparam [1:0] RUNNING = 2'd1;
    localparam [1:0] DONE    = 2'd2;
    localparam [1:0] FAULTED = 2'd3;

    // ------------------------------------------------------------------
    // Registers

    wire takes; // the core takes part

    wire [3:0]  status_core  = {core_quiet, core_halted, core_state};
//% local fill = 8 - L.WARP_W
    wire [11:0] status_fault = {${fill > 0 and fill .. "'d0, " or ""}core_fault_warp, core_fault_cause};
    wire        count_cycles = core_state == RUNNING;

    ${prefix}ndp_relay_regs regs (
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
        .takes                (takes),
//% for _, c in ipairs(iface.counters) do
        .${pad("count_" .. c.name, 20)} (count_${c.name}),
//% end
        .status_core          (status_core),
        .status_fault         (status_fault),
        .status_fault_pc      (core_fault_pc),
        .status_fault_address (core_fault_address)
    );

    // ------------------------------------------------------------------
    // Commands

    wire for_next = ctl_valid;
    wire for_core = ctl_valid && takes;

    always @(posedge clk) begin
//% for _, to in ipairs{ "next", "core_ctl" } do
        if (rst || !for_${to == "next" and "next" or "core"}) begin
            ${to}_valid <= 1'b0;
            ${to}_op    <= 4'd0;
            ${to}_index <= 16'd0;
            ${to}_data  <= 64'd0;
        end else begin
            ${to}_valid <= 1'b1;
            ${to}_op    <= ctl_op;
            ${to}_index <= ctl_index;
            ${to}_data  <= ctl_data;
        end
//% end
    end

    // ------------------------------------------------------------------
    // What the core and those behind are doing

    wire [1:0] own_state  = takes ? core_state : DONE;
    wire       own_fault  = own_state == FAULTED;
    wire       rest_fault = rest_state == FAULTED;
    wire       own_debug  = takes && core_debug_valid;

    always @(posedge clk) begin
        if (rst) begin
            all_state  <= IDLE;
            all_halted <= 1'b0;
            all_quiet  <= 1'b0;
        end else begin
            all_halted <= rest_halted && (core_halted || !takes);
            all_quiet  <= rest_quiet && (core_quiet || !takes);
            if (own_fault || rest_fault)
                all_state <= FAULTED;
            else if (own_state == RUNNING || rest_state == RUNNING)
                all_state <= RUNNING;
            else if (own_state == IDLE || rest_state == IDLE)
                all_state <= IDLE;
            else
                all_state <= DONE;
        end
    end

    always @(posedge clk) begin
        if (rst || !(own_fault || rest_fault)) begin
//% for _, f in ipairs(state) do
            ${pad("all_" .. f[1], 17)} <= ${f[2]}'d0;
//% end
        end else begin
//% for _, f in ipairs(state) do
            ${pad("all_" .. f[1], 17)} <= own_fault ? core_${f[1]} : rest_${f[1]};
//% end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            all_debug_valid <= 1'b0;
            all_debug_value <= 32'd0;
        end else begin
            all_debug_valid <= own_debug || rest_debug_valid;
            if (own_debug)
                all_debug_value <= core_debug_value;
            else if (rest_debug_valid)
                all_debug_value <= rest_debug_value;
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_relay_formal.vh"
`endif
endmodule

`default_nettype wire
