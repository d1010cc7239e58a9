${header{title = "column and row of a node", text = [[
Node n stands at column n mod WIDTH and row n / WIDTH.

Handshake: none.

Latency: none; no registers.]]}}
`default_nettype none

module ${prefix}ndp_gate_where (
    input  wire ${pad(range(L.NODE_W), 6)} node, // its number
    output wire ${pad(range(L.X_W), 6)} x,    // column
    output wire ${pad(range(L.Y_W), 6)} y     // row
);
//% if L.WIDTH == 1 << L.X_W then
    assign {y, x} = node;
//% else
    reg ${pad(range(L.NODE_W), 6)} first; // node of the row
    reg ${pad(range(L.Y_W), 6)} row;

    always @* begin
        first = ${L.NODE_W}'d0;
        row   = ${L.Y_W}'d0;
//%     for r = 1, L.HEIGHT - 1 do
        if (node >= ${L.NODE_W}'d${r * L.WIDTH}) begin
            first = ${L.NODE_W}'d${r * L.WIDTH};
            row   = ${L.Y_W}'d${r};
        end
//%     end
    end

    wire ${range(L.NODE_W)} rest   = node - first;
    wire ${pad("", #range(L.NODE_W))} unused = &{1'b0, rest[${L.NODE_W - 1}:${L.X_W}]};

    assign x = rest[${L.X_W - 1}:0];
    assign y = row;
//% end
endmodule

`default_nettype wire
