//% use "ndp_dies_beats_formal.vh"
//% local AT_W = math.max(1, clog2(math.max(L.INSTR_BEATS, L.DONE_BEATS)))
${header{title = "near-bank unit over the cut: a packet in beats", text = [[
Shows a packet to the cut beat by beat, its highest part first, and tells when the
last one is taken.

Parameters:
    BEATS  beats of a packet

Handshake: the packet stands still from valid to left.

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_dies_beats #(
    parameter BEATS = 1 // of a packet
) (
    input  wire clk, // clock
    input  wire rst, // synchronous reset, active high

    input  wire [BEATS*${L.TSV_W}-1:0] packet, // zeros above
    input  wire valid, // there is one, and so a beat

    input  wire ready, // the beat is taken
    output wire last,  // it is the last
    output reg  ${range(L.TSV_W)} data, // beat
    output wire left   // the last beat is taken
);
${localparams("TSV_W")}
    localparam AT_W = ${AT_W}; // bits of a beat's number

    localparam [AT_W-1:0] LAST = BEATS[AT_W-1:0] - 1'b1;

    reg [AT_W-1:0] at; // beats that have been taken
    integer        i;

    assign last = at == LAST;
    assign left = valid && ready && last;

    always @(posedge clk) begin
        if (rst || left)
            at <= {AT_W{1'b0}};
        else if (valid && ready)
            at <= at + 1'b1;
    end

    always @* begin
        data = {TSV_W{1'b0}};
        for (i = 0; i < BEATS; i = i + 1)
            if (at == i[AT_W-1:0])
                data = data | packet[(BEATS-1-i)*TSV_W +: TSV_W];
    end

`ifdef FORMAL
`include "${prefix}ndp_dies_beats_formal.vh"
`endif
endmodule

`default_nettype wire
