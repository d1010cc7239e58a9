//% output("formal/ndp_nda_control_formal.vh")
${header{title = "what is proved of ndp_nda_control", text = [[
The end near memory is in the state in which the one at the host was DELAY edges before,
on every edge, whatever comes in; and gives the same commands.]]}}
`ifdef FORMAL_NDP_NDA_CONTROL
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        p_same: assert (near_state == host_before);
        p_never: assert (!state_differs);
//% if L.DELAY == 0 then
        p_commands: assert ({ndc_valid, ndc_kind, ndc_bank, ndc_row, ndc_column} ==
                            {seen_valid, seen_kind, seen_bank, seen_row, seen_column});
//% end

        c_reads: cover (ndc_valid && ndc_kind == 3'd3);
    end
`endif
