//% use "ndp_nda_control_machine.v"
//% use "ndp_nda_control_formal.vh"
${header{title = "state machine of a rank's accelerator, at both ends of the channel", text = [[
The machine that gives the accelerator's commands, twice: near memory, and at the host,
which knows by it what the accelerator does.  Both see the same: packets, the host's
commands, what held the accelerator back, and the clock; the end near memory later.

Parameters: all sizes are generated; see the localparams.

Latency: a command is at the output after the edge that decides it.

See docs/blocks/nda_control.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_control (
${ports{reg = {"state_differs"}}}
);
${localparams("SPOT_W", "GROUP_W", "BANK_W", "ROW_W", "HELD_W")}
    localparam STATE_W  = ${STATE_W};
    localparam SEEN_W   = 13 + 5 * SPOT_W + GROUP_W + BANK_W + ROW_W; // what an end sees

    // ------------------------------------------------------------------
    // What both ends see: the one near memory DELAY edges later

    wire launched = launch_valid && launch_ready;

    wire [SEEN_W-1:0] sees = {launched, launch_op, launch_length, launch_base,
                              cmd_valid, cmd_kind, cmd_group, cmd_bank, cmd_row,
                              held_all, held_reads, held_writes, held_rows};
    wire [SEEN_W-1:0] sees_later;

    wire [STATE_W-1:0] host_state, host_before, near_state;

//% if L.DELAY > 0 then
    reg [${L.DELAY}*SEEN_W-1:0]  line;   // the newest lowest
    reg [${L.DELAY}*STATE_W-1:0] states; // of the host's end

    assign sees_later  = line[${L.DELAY}*SEEN_W-1 -: SEEN_W];
    assign host_before = states[${L.DELAY}*STATE_W-1 -: STATE_W];

    always @(posedge clk) begin
        if (rst) begin
            line   <= {${L.DELAY}*SEEN_W{1'b0}};
            states <= {${L.DELAY}*STATE_W{1'b0}}; // as reset makes them
        end else begin
            line   <= ${L.DELAY > 1 and "{line[" .. L.DELAY - 1 .. "*SEEN_W-1:0], sees}" or "sees"};
            states <= ${L.DELAY > 1 and "{states[" .. L.DELAY - 1 .. "*STATE_W-1:0], host_state}" or "host_state"};
        end
    end
//% else
    assign sees_later  = sees;
    assign host_before = host_state;
//% end

    wire                n_launched, n_valid, n_all, n_reads, n_writes;
    wire [2:0]          n_op, n_kind;
    wire [SPOT_W-1:0]   n_length;
    wire [4*SPOT_W-1:0] n_base;
    wire [GROUP_W-1:0]  n_group;
    wire [BANK_W-1:0]   n_bank;
    wire [ROW_W-1:0]    n_row;
    wire [1:0]          n_rows;

    assign {n_launched, n_op, n_length, n_base, n_valid, n_kind, n_group, n_bank, n_row,
            n_all, n_reads, n_writes, n_rows} = sees_later;

    // ------------------------------------------------------------------
    // The ends

    wire               near_ready, near_busy, near_drains, host_done;
    wire [HELD_W-1:0]  near_waits;
    wire               near_next, near_next_write, near_enabled, near_ahead;
    wire [BANK_W-1:0]  near_bank, near_ahead_bank;
    wire [ROW_W-1:0]   near_row, near_ahead_row;
    wire ${pad(range(L.COL_W), 13)} near_column;

//% for _, e in ipairs{{"near", "ndc"}, {"host", "seen"}} do
//%     local host = e[1] == "host"
//%     local function of(a, b) return host and a or b end
    ${prefix}ndp_nda_control_machine ${e[1]} (
        .clk           (clk),
        .rst           (rst),
        .launch_valid  (${of("launch_valid", "n_launched")}),
        .launch_ready  (${of("launch_ready", "near_ready")}),
        .launch_op     (${of("launch_op", "n_op")}),
        .launch_length (${of("launch_length", "n_length")}),
        .launch_base   (${of("launch_base", "n_base")}),
        .cmd_valid     (${of("cmd_valid", "n_valid")}),
        .cmd_kind      (${of("cmd_kind", "n_kind")}),
        .cmd_group     (${of("cmd_group", "n_group")}),
        .cmd_bank      (${of("cmd_bank", "n_bank")}),
        .cmd_row       (${of("cmd_row", "n_row")}),
        .held_all      (${of("held_all", "n_all")}),
        .held_reads    (${of("held_reads", "n_reads")}),
        .held_writes   (${of("held_writes", "n_writes")}),
        .held_rows     (${of("held_rows", "n_rows")}),
        .next_valid    (${of("next_valid", "near_next")}),
        .next_write    (${of("next_write", "near_next_write")}),
        .next_enabled  (${of("next_enabled", "near_enabled")}),
        .next_bank     (${of("next_bank", "near_bank")}),
        .next_row      (${of("next_row", "near_row")}),
        .next_column   (${of("next_column", "near_column")}),
        .next_ahead    (${of("next_ahead", "near_ahead")}),
        .ahead_bank    (${of("next_ahead_bank", "near_ahead_bank")}),
        .ahead_row     (${of("next_ahead_row", "near_ahead_row")}),
        .own_valid     (${e[2]}_valid),
        .own_kind      (${e[2]}_kind),
        .own_bank      (${e[2]}_bank),
        .own_row       (${e[2]}_row),
        .own_column    (${e[2]}_column),
        .busy          (${of("state_busy", "near_busy")}),
        .drains        (${of("state_drains", "near_drains")}),
        .waits         (${of("state_waits", "near_waits")}),
        .done          (${of("host_done", "state_done")}),
        .state         (${e[1]}_state)
    );

//% end
    assign next_group       = next_valid ? ${L.GROUP_W}'d${L.GROUPS - 1} : {GROUP_W{1'b0}};
    assign next_ahead_group = next_ahead ? ${L.GROUP_W}'d${L.GROUPS - 1} : {GROUP_W{1'b0}};

    always @(posedge clk) begin
        if (rst)
            state_differs <= 1'b0;
        else
            state_differs <= near_state != host_before;
    end

    wire unused = &{1'b0, near_ready, near_busy, near_drains, near_waits, host_done, near_next,
                    near_next_write, near_enabled, near_bank, near_row, near_column, near_ahead,
                    near_ahead_bank, near_ahead_row};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_control_formal.vh"
`endif
endmodule

`default_nettype wire
