//% use "ndp_packet_pack.v"
//% use "ndp_packet_unpack.v"
//% use "ndp_packet_formal.vh"
${header{title = "packer and unpacker of ComputePackets", text = [[
Both ends of an offload chain's way through a mesh: chains become packets, packets
become chains.

    chain -> ndp_packet_pack -> send
    got <- ndp_packet_unpack <- come

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: a chain that is taken on edge t is at send after edge t; the last flit that
comes on edge t is at got after edge t.

See docs/blocks/packet.md.]]}}
`default_nettype none

module ${prefix}ndp_packet (
${ports()}
);
//% local names = {"pattern", "f", "g", "type", "f_reversed", "g_reversed", "fused",
//%                "core", "wave", "entry", "node", "imm", "a", "b", "c", "mask"}
    ${prefix}ndp_packet_pack pack (
        .clk              (clk),
        .rst              (rst),
        .chain_valid      (chain_valid),
        .chain_ready      (chain_ready),
//% for _, n in ipairs(names) do
        .${pad("chain_" .. n, 16)} (chain_${n}),
//% end
        .send_valid       (send_valid),
        .send_ready       (send_ready),
        .send_last        (send_last),
        .send_node        (send_node),
        .send_data        (send_data)
    );

    ${prefix}ndp_packet_unpack unpack (
        .clk              (clk),
        .rst              (rst),
        .come_valid       (come_valid),
        .come_ready       (come_ready),
        .come_last        (come_last),
        .come_data        (come_data),
        .got_valid        (got_valid),
        .got_ready        (got_ready),
//% for i, n in ipairs(names) do
        .${pad("got_" .. n, 16)} (got_${n})${i < #names and "," or ""}
//% end
    );

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_packet_formal.vh"
`endif
endmodule

`default_nettype wire
