//% output("formal/ndp_nda_control_formal.vh")
${header{title = "what is proved of ndp_nda_control", text = [[
Both ends are in the same state on every edge, whatever comes in.]]}}
`ifdef FORMAL_NDP_NDA_CONTROL
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        p_same: assert (near_state == host_state);
        p_never: assert (!state_differs);
        p_commands: assert ({ndc_valid, ndc_kind, ndc_row, ndc_column} ==
                            {seen_valid, seen_kind, seen_row, seen_column});
        p_busy: assert ({near_busy, near_drains, near_waits, near_done} ==
                        {state_busy, state_drains, state_waits, state_done});

        c_reads: cover (ndc_valid && ndc_kind == 3'd3);
    end
`endif
