//% use "ndp_lsu_rmw_gate_formal.vh"
${header{title = "read-modify-write unit: who begins", text = [[
In turn a warp's access goes on to the hybrid unit, or an ask is taken, which begins
when the hybrid unit has none; nobody goes on while an own access is under way.

    access, ask -> in turn -> hybrid, or taken
    done -> the hybrid unit has none

Latency: an edge to hybrid_valid or ask_ready; access_ready an edge after the transfer
there.

See docs/blocks/lsu_rmw.md, The gate.]]}}
`default_nettype none

module ${prefix}ndp_lsu_rmw_gate (
    input  wire clk,
    input  wire rst,
    input  wire idle,         // no own access is under way
    input  wire down,         // a request is on its way to the own banks
    input  wire ask_valid,    // an ask
    output reg  ask_ready,    // taken
    input  wire access_valid, // an access
    output reg  access_ready, // taken
    output reg  hybrid_valid, // it is there for the hybrid unit
    input  wire hybrid_ready, // taken there
    input  wire done_valid    // an access has ended there
);
    localparam COUNT_W = ${L.WARP_W + 1}; // bits of a number of accesses, one a warp

    reg [COUNT_W-1:0] count; // accesses that the hybrid unit has
    reg               last;  // the last one that was chosen was an ask

    wire none  = count == {{COUNT_W-1{1'b0}}, done_valid};
    wire free  = idle && !hybrid_valid && !access_ready && !ask_ready;
    wire asks  = free && ask_valid && (!access_valid || !last);
    wire opens = free && access_valid && !asks;
    wire takes = asks && none && !down;
    wire goes  = hybrid_valid && hybrid_ready;

    always @(posedge clk) begin
        if (rst) begin
            ask_ready    <= 1'b0;
            access_ready <= 1'b0;
        end else begin
            ask_ready    <= takes;
            access_ready <= goes;
        end
    end

    always @(posedge clk) begin
        if (rst)
            hybrid_valid <= 1'b0;
        else if (opens)
            hybrid_valid <= 1'b1;
        else if (goes)
            hybrid_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (rst)
            count <= {COUNT_W{1'b0}};
        else
            count <= count + {{COUNT_W-1{1'b0}}, goes} - {{COUNT_W-1{1'b0}}, done_valid};
    end

    always @(posedge clk) begin
        if (rst)
            last <= 1'b0;
        else if (takes)
            last <= 1'b1;
        else if (opens)
            last <= 1'b0;
    end

`ifdef FORMAL
`include "${prefix}ndp_lsu_rmw_gate_formal.vh"
`endif
endmodule

`default_nettype wire
