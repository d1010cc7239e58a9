//% use "ndp_dies_unpack_formal.vh"
//% local N, E = L.DONE_PACK, L.DONE_W + 1
${header{title = "near-bank unit over the cut: a packet's completions, one by one", text = [[
Gives the completions of packets as they come, one on an edge and the oldest first: the
first of a packet on the edge on which it comes, if no older one is left.

Handshake: nothing can be refused on either side.  A packet of n comes n edges after
the one before it at the earliest, so there is always room for it.

Latency: none for the first of a packet.]]}}
`default_nettype none

module ${prefix}ndp_dies_unpack (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    input  wire        beat,       // a packet comes
    input  wire ${pad(range(L.TSV_W), 6)} data,       // ... as ndp_dies_pack shows it

    output wire        done_valid, // a completion
    output wire ${pad(range(L.DONE_W), 6)} done_word   // {ticket, tag, warp}
);
${localparams("DONE_W")}
    localparam N      = ${N};          // completions of a packet
    localparam E      = DONE_W + 1; // bits of one: {word, there}

    reg  [(N-1)*E-1:0] left;  // older than what comes
    wire [N*E-1:0]     fresh = data[N*E-1:0] & {N*E{beat}};
    reg  [N*E-1:0]     all;   // what is left, and what comes behind it

    integer i;

    always @* begin
        all = fresh;
        for (i = 0; i < N - 1; i = i + 1)
            if (left[i*E])
                all = fresh << ((i + 1) * E);
        all = all | {{E{1'b0}}, left};
    end

    assign done_valid = all[0];
    assign done_word  = all[E-1:1];

    always @(posedge clk) begin
        if (rst)
            left <= {(N-1)*E{1'b0}};
        else
            left <= all[N*E-1:E];
    end
//% if N * E < L.TSV_W then

    wire unused_data = &{1'b0, data[${L.TSV_W - 1}:${N * E}]};
//% end

`ifdef FORMAL
`include "${prefix}ndp_dies_unpack_formal.vh"
`endif
endmodule

`default_nettype wire
