//% output("formal/ndp_relay_formal.vh")
${header{title = "what is proved of ndp_relay", text = [[
What came on the edge before goes on unaltered, to the core only if it took part.
The state of all is faulted if one is, else running if one is, else idle if one is,
and done only if all are; a core that takes no part counts for none of that.  A
fault and an answer are the nearest core's.]]}}
`ifdef FORMAL_NDP_RELAY
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg         f_rst;
    reg         f_valid;
    reg         f_takes;
    reg [83:0]  f_ctl;
    reg [1:0]   f_core, f_rest;
    reg [2:0]   f_core_rests, f_rest_rests; // halted, quiet, an answer
    reg [${36 + L.WARP_W + L.PC_W - 1}:0] f_core_fault, f_rest_fault;
    reg [31:0]  f_core_value, f_rest_value, f_value;

    wire [${36 + L.WARP_W + L.PC_W - 1}:0] f_all_fault =
        {all_fault_cause, all_fault_warp, all_fault_pc, all_fault_address};

    always @(posedge clk) begin
        f_rst        <= rst;
        f_valid      <= ctl_valid;
        f_takes      <= takes;
        f_ctl        <= {ctl_op, ctl_index, ctl_data};
        f_core       <= core_state;
        f_rest       <= rest_state;
        f_core_rests <= {core_halted, core_quiet, core_debug_valid};
        f_rest_rests <= {rest_halted, rest_quiet, rest_debug_valid};
        f_core_fault <= {core_fault_cause, core_fault_warp, core_fault_pc, core_fault_address};
        f_rest_fault <= {rest_fault_cause, rest_fault_warp, rest_fault_pc, rest_fault_address};
        f_core_value <= core_debug_value;
        f_rest_value <= rest_debug_value;
        f_value      <= all_debug_value;
    end

    always @* if (f_past && !f_rst) begin
        p_next: assert (next_valid == f_valid &&
                        {next_op, next_index, next_data} == (f_valid ? f_ctl : 0));
        p_core: assert (core_ctl_valid == (f_valid && f_takes) &&
                        {core_ctl_op, core_ctl_index, core_ctl_data} == (f_valid && f_takes ? f_ctl : 0));
        p_faulted: assert ((all_state == 3) == ((f_takes && f_core == 3) || f_rest == 3));
        p_done: assert ((all_state == 2) == ((!f_takes || f_core == 2) && f_rest == 2));
        p_running: assert (!((f_takes && f_core == 1) || f_rest == 1) || all_state == 1 || all_state == 3);
        p_idle: assert (all_state != 0 || (f_takes && f_core == 0) || f_rest == 0);
        p_still: assert (all_state != 1 || (f_takes && f_core == 1) || f_rest == 1);
        p_halted: assert (all_halted == ((!f_takes || f_core_rests[2]) && f_rest_rests[2]));
        p_quiet: assert (all_quiet == ((!f_takes || f_core_rests[1]) && f_rest_rests[1]));
        p_fault: assert (f_all_fault == (f_takes && f_core == 3 ? f_core_fault :
                                         f_rest == 3            ? f_rest_fault : 0));
        p_answer: assert (all_debug_valid == ((f_takes && f_core_rests[0]) || f_rest_rests[0]));
        p_value: assert (all_debug_value == (f_takes && f_core_rests[0] ? f_core_value :
                                             f_rest_rests[0]            ? f_rest_value : f_value));
        c_done: cover (all_state == 2 && f_takes);
        c_out: cover (f_valid && !f_takes);
    end

    always @* if (f_past && f_rst) begin
        p_reset: assert ({next_valid, core_ctl_valid, all_state, all_halted, all_quiet, f_all_fault,
                          all_debug_valid, all_debug_value} == 0 && takes);
    end
`endif
