//% output("formal/ndp_router_formal.vh")
${header{title = "what is proved of ndp_router", text = [[
Of the way of a flit that comes from the north (the others are instances of the
same module): a packet leaves at its node and nowhere else, every hop brings it
nearer, and the second dimension only comes when the first one is done, so that no
packet turns back from it.]]}}
`ifdef FORMAL_NDP_ROUTER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

//% local order = L.BOTH == 1 and "n_in_vc[" .. (L.LANES == 2 and 1 or 0) .. "]" or "1'b" .. L.COLUMNS_FIRST
    wire f_columns = ${order}; // x before y

    wire f_east   = n_route == 3'd2;
    wire f_west   = n_route == 3'd4;
    wire f_north  = n_route == 3'd1;
    wire f_south  = n_route == 3'd3;
    wire f_across = f_east || f_west;
    wire f_along  = f_north || f_south;

    reg f_went_across = 1'b0; // the flit on the edge before

    always @(posedge clk) f_went_across <= f_across;

    always @* if (f_past) begin
        p_node: assert ((n_route == 3'd0) == (n_in_x == at_x && n_in_y == at_y));
        p_side: assert (n_route == 3'd0 || f_across || f_along);
        p_east: assert (!f_east || n_in_x > at_x);
        p_west: assert (!f_west || n_in_x < at_x);
        p_south: assert (!f_south || n_in_y > at_y);
        p_north: assert (!f_north || n_in_y < at_y);
        p_order: assert (f_columns ? !f_along || n_in_x == at_x
                                   : !f_across || n_in_y == at_y);
        c_along: cover (f_went_across && f_along);
        c_node: cover (f_went_across && n_route == 3'd0);
    end
`endif
