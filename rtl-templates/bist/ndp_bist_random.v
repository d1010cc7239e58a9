${header{title = "random bits for free inputs", text = [[
A xorshift generator of 32 bits, spread over all inputs: bit b of slice s of 32 is
the exclusive-or of its bits b, b + 1 and b + s + 2 (modulo 32).  From seed 0 all
bits stay 0.

Latency: the bits of the seed show after the edge with begins, the next ones after
each edge with step.

See docs/blocks/bist.md.]]}}
`default_nettype none

module ${prefix}ndp_bist_random (
    input  wire        clk,    // clock
    input  wire        rst,    // synchronous reset, active high
    input  wire        begins, // take the seed
    input  wire [31:0] seed,
    input  wire        step,   // the next bits
    output wire ${pad(range(L.IN_W), 6)} random
);
    reg [31:0] x;

    wire [31:0] x_13 = x    ^ {x[18:0], 13'd0};
    wire [31:0] x_17 = x_13 ^ {17'd0, x_13[31:17]};
    wire [31:0] x_5  = x_17 ^ {x_17[26:0], 5'd0};

    always @(posedge clk) begin
        if (rst)
            x <= 32'd0;
        else if (begins)
            x <= seed;
        else if (step)
            x <= x_5;
    end

    wire [31:0] pair = x ^ {x[0], x[31:1]};

//% for s = 0, ceil_div(L.IN_W, 32) - 1 do
//%     local lo, hi = 32 * s, math.min(32 * s + 31, L.IN_W - 1)
//%     local n = (s + 2) % 32
    wire [31:0] slice_${s} = pair ^ {x[${n - 1}:0], x[31:${n}]};
//% end
//% for s = 0, ceil_div(L.IN_W, 32) - 1 do
//%     local lo, hi = 32 * s, math.min(32 * s + 31, L.IN_W - 1)
//%     local to = L.IN_W == 1 and "random" or "random[" .. (hi == lo and hi or hi .. ":" .. lo) .. "]"
//%     local w = hi - lo

    assign ${to} = slice_${s}[${w == 0 and 0 or w .. ":0"}];
//%     if w < 31 then
    wire unused = &{1'b0, slice_${s}[31:${w + 1}]};
//%     end
//% end
endmodule

`default_nettype wire
