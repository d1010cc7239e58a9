${header{title = "where a packet leaves a router", text = [[
One dimension after the other: with ]] ..
(L.BOTH == 1 and "the virtual channel's number goes the order, y first or x first"
 or L.COLUMNS_FIRST == 1 and "x first" or "y first") .. [[.

Sides: 0 the node itself, 1 north (y - 1), 2 east (x + 1), 3 south, 4 west.

Latency: none.

See docs/blocks/router.md.]]}}
`default_nettype none

module ${prefix}ndp_router_route (
    input  wire ${pad(range(L.X_W), 6)} at_x, // column of this router
    input  wire ${pad(range(L.Y_W), 6)} at_y, // its row
    input  wire ${pad(range(L.VC_W), 6)} vc,   // virtual channel of the packet
    input  wire ${pad(range(L.X_W), 6)} x,    // column where it goes
    input  wire ${pad(range(L.Y_W), 6)} y,    // its row
    output wire [2:0]  side  // where it leaves
);
    localparam [2:0] NODE  = 3'd0;
    localparam [2:0] NORTH = 3'd1;
    localparam [2:0] EAST  = 3'd2;
    localparam [2:0] SOUTH = 3'd3;
    localparam [2:0] WEST  = 3'd4;

    wire [2:0] across = x == at_x ? NODE : x > at_x ? EAST : WEST;
    wire [2:0] along  = y == at_y ? NODE : y > at_y ? SOUTH : NORTH;

//% if L.BOTH == 1 then
    wire columns_first = vc[${L.LANES == 2 and 1 or 0}]; // the order's bit

//% if L.LANES == 2 then
    wire unused = &{1'b0, vc[2], vc[0]}; // class and lane
//% else
    wire unused = &{1'b0, vc[1]}; // class
//% end

    assign side = columns_first ? (across != NODE ? across : along)
                                : (along != NODE ? along : across);
//% elseif L.COLUMNS_FIRST == 1 then
    wire unused = &{1'b0, vc}; // class and lane

    assign side = across != NODE ? across : along;
//% else
    wire unused = &{1'b0, vc}; // class and lane

    assign side = along != NODE ? along : across;
//% end
endmodule

`default_nettype wire
