//% use "ndp_packet_unpack_formal.vh"
//% local r = record.packet
${header{title = "ComputePackets as chains", text = [[
Collects the flits of a ComputePacket, and of the mask behind it if there is one,
and shows the fields.

    come -> register of flits -> got

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.  Packets are whole and made by ndp_packet_pack.

Latency: the last flit comes on edge t, the chain is at got after edge t; the next
packet begins on the edge after it has been taken.

See docs/blocks/packet.md.]]}}
`default_nettype none

module ${prefix}ndp_packet_unpack (
    input  wire ${pad("", 8)}clk,              // clock
    input  wire ${pad("", 8)}rst,              // synchronous reset, active high

    // come: packets that have come, flit by flit
    input  wire ${pad("", 8)}come_valid,       // a flit
    output wire ${pad("", 8)}come_ready,       // taken
    input  wire ${pad("", 8)}come_last,        // last of its packet
    input  wire ${pad(range(L.FLIT_W), 8)}come_data,        // data

    // got: their chains
    output wire ${pad("", 8)}got_valid,        // a chain
    input  wire ${pad("", 8)}got_ready,        // taken
//% for _, f in ipairs(r.list) do if f.name ~= "compute" and f.name ~= "masked" then
    output wire ${pad(range(f.width), 8)}${pad("got_" .. f.name .. ",", 17)} // ${f.doc}
//% end end
    output wire ${pad(range(L.MASK_W), 8)}got_mask          // lanes that take part
);
${localparams("FLIT_W", "MASK_W", "PACKET_W", "HEAD_FLITS", "MOST_FLITS", "COUNT_W")}

    reg [MOST_FLITS*FLIT_W-1:0] flits;
    reg [COUNT_W-1:0]           count; // that have come
    reg                         whole; // the packet is there

    wire take = come_valid && come_ready;

    always @(posedge clk) begin
        if (rst || (got_valid && got_ready)) begin
            count <= {COUNT_W{1'b0}};
            whole <= 1'b0;
        end else if (take) begin
            count <= count + 1'b1;
            whole <= come_last;
        end
    end

    integer i;

    always @(posedge clk) begin
        for (i = 0; i < MOST_FLITS; i = i + 1)
            if (take && count == i[COUNT_W-1:0])
                flits[i*FLIT_W +: FLIT_W] <= come_data;
    end

    wire [PACKET_W-1:0] packet = whole ? flits[PACKET_W-1:0] : {PACKET_W{1'b0}};
    wire                masked = packet[${r.masked.lsb}];

    assign come_ready = !whole;
    assign got_valid  = whole;
//% for _, f in ipairs(r.list) do if f.name ~= "compute" and f.name ~= "masked" then
    assign ${pad("got_" .. f.name, 14)} = packet[${f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb}];
//% end end
    assign ${pad("got_mask", 14)} = masked ? flits[HEAD_FLITS*FLIT_W +: MASK_W] : {MASK_W{whole}};

    wire unused = &{1'b0, packet[${r.compute.lsb}], flits};

`ifdef FORMAL
`include "${prefix}ndp_packet_unpack_formal.vh"
`endif
endmodule

`default_nettype wire
