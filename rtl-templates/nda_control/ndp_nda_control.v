//% use "ndp_nda_control_machine.v"
//% use "ndp_nda_control_formal.vh"
${header{title = "state machine of a rank's accelerator, at both ends of the channel", text = [[
The machine that gives the accelerator's commands, twice: near memory, and at the host,
which knows by it what the accelerator does.  Both see the same: packets, the host's
commands, its two wires, and the clock.

Parameters: all sizes are generated; see the localparams.

Latency: a command is at the output after the edge that decides it.

See docs/blocks/nda_control.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_control (
${ports{reg = {"state_differs"}}}
);
    localparam STATE_W = ${STATE_W};

    wire               near_ready;
    wire               near_busy;
    wire               near_drains;
    wire ${pad(range(L.HELD_W), 13)} near_waits;
    wire               near_done;
    wire [STATE_W-1:0] near_state;
    wire [STATE_W-1:0] host_state;

//% for _, e in ipairs{{"near", "ndc"}, {"host", "seen"}} do
//%     local host = e[1] == "host"
    ${prefix}ndp_nda_control_machine ${e[1]} (
        .clk           (clk),
        .rst           (rst),
        .launch_valid  (launch_valid),
        .launch_ready  (${host and "launch_ready" or "near_ready"}),
        .launch_op     (launch_op),
        .launch_length (launch_length),
        .launch_base   (launch_base),
        .cmd_valid     (cmd_valid),
        .cmd_kind      (cmd_kind),
        .cmd_group     (cmd_group),
        .cmd_bank      (cmd_bank),
        .cmd_row       (cmd_row),
        .held_writes   (held_writes),
        .held_all      (held_all),
        .own_valid     (${e[2]}_valid),
        .own_kind      (${e[2]}_kind),
        .own_row       (${e[2]}_row),
        .own_column    (${e[2]}_column),
        .busy          (${host and "state_busy" or "near_busy"}),
        .drains        (${host and "state_drains" or "near_drains"}),
        .waits         (${host and "state_waits" or "near_waits"}),
        .done          (${host and "state_done" or "near_done"}),
        .state         (${e[1]}_state)
    );

//% end
    always @(posedge clk) begin
        if (rst)
            state_differs <= 1'b0;
        else
            state_differs <= near_state != host_state;
    end

    wire unused = &{1'b0, near_ready, near_busy, near_drains, near_waits, near_done};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_control_formal.vh"
`endif
endmodule

`default_nettype wire
