//% use "ndp_packet_pack_formal.vh"
//% local r = record.packet
${header{title = "chains as ComputePackets", text = [[
Lays the fields of an offload chain that its pattern uses into a packet, and sends
it flit by flit, with a mask of lanes behind it unless all take part.

    chain -> fields -> register of flits -> send

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: a chain that is taken on edge t is at send after edge t; the next one can
be taken on the edge after its last flit has been.

See docs/blocks/packet.md.]]}}
`default_nettype none

module ${prefix}ndp_packet_pack (
    input  wire ${pad("", 8)}clk,              // clock
    input  wire ${pad("", 8)}rst,              // synchronous reset, active high

    // chain: chains to be packed
    input  wire ${pad("", 8)}chain_valid,      // a chain
    output wire ${pad("", 8)}chain_ready,      // taken
//% local pins = {
//%     {"pattern", 4, "pattern of Table 1, 1 to 9"},
//%     {"f", 4, "operation f, or comparison h"}, {"g", 4, "operation g"},
//%     {"type", 3, "type of the data"},
//%     {"f_reversed", 1, "f or h has its operands the other way round"},
//%     {"g_reversed", 1, "g(i, b), not g(b, i)"},
//%     {"fused", 1, "f and g are one multiply-add"},
//%     {"core", L.NODE_W, "node that offloads"}, {"wave", L.WAVE_W, "its wavefront"},
//%     {"entry", L.ENTRY_W, "entry of its offload queue"},
//%     {"node", L.NODE_W, "meet node, where the packet goes"},
//%     {"imm", 32, "immediate"}, {"a", L.ADDR_W, "address of the first load"},
//%     {"b", L.ADDR_W, "address of the second load"},
//%     {"c", L.ADDR_W, "address of the store"}, {"mask", L.MASK_W, "lanes that take part"} }
//% for _, p in ipairs(pins) do
    input  wire ${pad(range(p[2]), 8)}${pad("chain_" .. p[1] .. ",", 17)} // ${p[3]}
//% end

    // send: their packets, flit by flit
    output wire ${pad("", 8)}send_valid,       // a flit
    input  wire ${pad("", 8)}send_ready,       // taken
    output wire ${pad("", 8)}send_last,        // last of its packet
    output wire ${pad(range(L.NODE_W), 8)}send_node,        // node where the packet goes
    output wire ${pad(range(L.FLIT_W), 8)}send_data         // data
);
${localparams("NODE_W", "MASK_W", "FLIT_W", "PACKET_W", "HEAD_FLITS", "MOST_FLITS", "COUNT_W")}

    // ------------------------------------------------------------------
    // What the pattern uses, bit n for pattern n

    wire [15:0] use_a = 16'h03fe;
    wire [15:0] use_b = ${hex(16, L.HAS_B)};
    wire [15:0] use_c = ${hex(16, L.HAS_C)};
    wire [15:0] use_i = ${hex(16, L.HAS_I)};
    wire [15:0] use_f = ${hex(16, L.HAS_F)};
    wire [15:0] use_g = ${hex(16, L.HAS_G)};

    wire has_a = use_a[chain_pattern];
    wire has_b = use_b[chain_pattern];
    wire has_c = use_c[chain_pattern];
    wire has_i = use_i[chain_pattern];
    wire has_f = use_f[chain_pattern];
    wire has_g = use_g[chain_pattern];

    // ------------------------------------------------------------------
    // The packet

    wire masked = chain_mask != {MASK_W{1'b1}};

//% local gate = {f = "has_f", f_reversed = "has_f", g = "has_g", g_reversed = "has_g",
//%               fused = "has_g", imm = "has_i", a = "has_a", b = "has_b", c = "has_c"}
//% local from = {compute = "1'b1", masked = "masked"}
    wire [PACKET_W-1:0] packet = {
//% for i = #r.list, 1, -1 do
//%     local f = r.list[i]
//%     local value = from[f.name] or "chain_" .. f.name
//%     if gate[f.name] and f.width > 1 then
//%         value = "{" .. f.width .. "{" .. gate[f.name] .. "}} & " .. value
//%     elseif gate[f.name] then
//%         value = gate[f.name] .. " & " .. value
//%     end
        ${value}${i > 1 and "," or ""}
//% end
    };

//% local head, mask = L.HEAD_FLITS * L.FLIT_W - L.PACKET_W, L.MASK_FLITS * L.FLIT_W - L.MASK_W
//% local zeros = function(n) return n > 0 and "{" .. n .. "{1'b0}}, " or "" end
    wire [MOST_FLITS*FLIT_W-1:0] all_flits = {
        ${zeros(mask)}masked ? chain_mask : {MASK_W{1'b0}},
        ${zeros(head)}packet
    };

    // ------------------------------------------------------------------
    // Its flits, those that have gone shifted out

    reg [MOST_FLITS*FLIT_W-1:0] flits;
    reg [COUNT_W-1:0]           left; // flits
    reg [NODE_W-1:0]            goes; // the packet's meet node

    wire take = chain_valid && chain_ready;
    wire sent = send_valid && send_ready;
    wire idle = left == {COUNT_W{1'b0}};

    always @(posedge clk) begin
        if (rst)
            left <= {COUNT_W{1'b0}};
        else if (take)
            left <= masked ? MOST_FLITS[COUNT_W-1:0] : HEAD_FLITS[COUNT_W-1:0];
        else if (sent)
            left <= left - 1'b1;
    end

    always @(posedge clk) begin
        if (take) begin
            flits <= all_flits;
            goes  <= chain_node;
        end else if (sent) begin
            flits <= flits >> FLIT_W;
        end
    end

    assign chain_ready = idle;
    assign send_valid  = !idle;
    assign send_last   = left == {{COUNT_W-1{1'b0}}, 1'b1};
    assign send_node   = idle ? {NODE_W{1'b0}} : goes;
    assign send_data   = idle ? {FLIT_W{1'b0}} : flits[FLIT_W-1:0];

`ifdef FORMAL
`include "${prefix}ndp_packet_pack_formal.vh"
`endif
endmodule

`default_nettype wire
