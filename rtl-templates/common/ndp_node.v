${header{title = "where a node stands in a mesh", text = [[
Node n stands at column n mod WIDTH, row n / WIDTH.

Parameters:
    WIDTH   columns, 2 or more
    HEIGHT  rows, 2 or more

Latency: none; combinational.]]}}
`default_nettype none

module ${prefix}ndp_node #(
    parameter WIDTH  = 4,
    parameter HEIGHT = 4
) (
    input  wire [$clog2(WIDTH*HEIGHT)-1:0] node, // a node of the mesh
    output wire [$clog2(WIDTH)-1:0]        x,    // its column
    output reg  [$clog2(HEIGHT)-1:0]       y     // its row
);
    localparam NODE_W = $clog2(WIDTH * HEIGHT);
    localparam X_W    = $clog2(WIDTH);
    localparam Y_W    = $clog2(HEIGHT);

    integer i;

    reg [NODE_W-1:0] begins; // node that a row begins with
    reg [NODE_W-1:0] first;  // that of the node's row

    always @* begin
        begins = {NODE_W{1'b0}};
        first  = {NODE_W{1'b0}};
        y      = {Y_W{1'b0}};
        for (i = 1; i < HEIGHT; i = i + 1) begin
            begins = begins + WIDTH[NODE_W-1:0];
            if (node >= begins) begin
                first = begins;
                y     = i[Y_W-1:0];
            end
        end
    end

    wire [NODE_W-1:0] column = node - first;

    assign x = column[X_W-1:0];

    wire unused = &{1'b0, column[NODE_W-1:X_W]};
endmodule

`default_nettype wire
