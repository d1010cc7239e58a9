//% use "ndp_dies_pack_formal.vh"
//% local N, E = L.DONE_PACK, L.DONE_W + 1
${header{title = "near-bank unit over the cut: completions in one packet", text = [[
Collects completions, one on an edge, while the wires are the other die's or somebody
else's, and shows them to the cut as one packet of one beat: ]] .. N .. [[ at most, each with a bit
that says that it is there, the oldest lowest.  Completions join the packet until it is
taken.

Handshake: a completion is taken while there is room, or on the edge that takes the
packet.  A packet of n has been collected on n edges since the one before it.

Latency: 1.]]}}
`default_nettype none

module ${prefix}ndp_dies_pack (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    input  wire        done_valid, // a completion
    input  wire ${pad(range(L.DONE_W), 6)} done_word,  // {ticket, tag, warp}
    output wire        done_taken, // it joins the packet

    output wire        valid,      // a packet, of one beat
    input  wire        ready,      // it is taken
    output wire ${pad(range(L.TSV_W), 6)} data        // beat
);
${localparams("DONE_W")}
    localparam N      = ${N};          // completions of a packet
    localparam E      = DONE_W + 1; // bits of one: {word, there}

    reg  [N-1:0]        there;
    reg  [N*DONE_W-1:0] words;
    wire                sent  = valid && ready;
    wire [N-1:0]        stays = there & {N{!sent}};
    wire [N-1:0]        joins = {stays[N-2:0], 1'b1} & ~stays & {N{done_taken}};

    assign valid      = there[0];
    assign done_taken = done_valid && (sent || !there[N-1]);

    always @(posedge clk) begin
        if (rst)
            there <= {N{1'b0}};
        else
            there <= stays | joins;
    end

    genvar i;

    generate
        for (i = 0; i < N; i = i + 1) begin : entry
            always @(posedge clk) begin
                if (joins[i])
                    words[i*DONE_W +: DONE_W] <= done_word;
            end

            assign data[i*E +: E] = {words[i*DONE_W +: DONE_W] & {DONE_W{there[i]}}, there[i]};
        end
    endgenerate
//% if N * E < L.TSV_W then

    assign data[${L.TSV_W - 1}:${N * E}] = ${L.TSV_W - N * E}'d0;
//% end

`ifdef FORMAL
`include "${prefix}ndp_dies_pack_formal.vh"
`endif
endmodule

`default_nettype wire
