//% use "ndp_row_merge_formal.vh"
${header{title = "rows of two for one register file", text = [[
Rows of two go to a register file, in turn if both are there; the one that is shown
stands until it is taken.  Its source is told then.

    init -+
    load -+-> row

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; init and load are taken
no sooner than two edges after they came.  Fields are zero while valid is low.

Latency: an edge; ready of a row's source an edge after the row was taken.

See docs/blocks/row_merge.md.]]}}
`default_nettype none

module ${prefix}ndp_row_merge (
${ports{reg = {"init_ready", "load_ready", "row_valid", "row_warp", "row_reg", "row_mask", "row_row"}}}
);
${localparams("LANES", "WARP_W", "REG_W", "ROW_W")}

    reg of_load; // the row is load's, or the last one was

    wire init_wants = init_valid && !init_ready;
    wire load_wants = load_valid && !load_ready;
    wire takes_init = !row_valid && init_wants && !(load_wants && !of_load);
    wire takes_load = !row_valid && load_wants && !takes_init;
    wire takes      = takes_init || takes_load;
    wire leaves     = row_valid && row_ready;

    always @(posedge clk) begin
        if (rst) begin
            row_valid  <= 1'b0;
            of_load    <= 1'b1;
            init_ready <= 1'b0;
            load_ready <= 1'b0;
        end else begin
            row_valid  <= takes || (row_valid && !row_ready);
            init_ready <= leaves && !of_load;
            load_ready <= leaves && of_load;
            if (takes)
                of_load <= takes_load;
        end
    end

    always @(posedge clk) begin
        if (rst || leaves) begin
            row_warp <= {WARP_W{1'b0}};
            row_reg  <= {REG_W{1'b0}};
            row_mask <= {LANES{1'b0}};
            row_row  <= {ROW_W{1'b0}};
        end else if (takes) begin
            row_warp <= takes_load ? load_warp : init_warp;
            row_reg  <= takes_load ? load_reg : init_reg;
            row_mask <= takes_load ? load_mask : init_mask;
            row_row  <= takes_load ? load_data : init_row;
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_row_merge_formal.vh"
`endif
endmodule

`default_nettype wire
