//% use "ndp_prefetch_reciprocal_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local GROUPS = ceil_div(L.SIZE_W, 4)
//% local MULT_W = held_divisor_w
//% local GROUP_W = MULT_W + 4
//% local QUOTIENT_W = math.min(L.SIZE_W + 1, L.ROW_W)
//% local PRODUCT_W = L.SIZE_W + L.PITCH_W + QUOTIENT_W
${header{title = "prefetcher: division by a reciprocal", text = [[
Row and column of a position in an image, by one multiplication.

With s = clog2(pitch), k = SIZE_W + s and m = ceil(2^k / pitch), the product of
position and m is y * 2^k + f, where y is the row, and x < t exactly when f <
t * m.  Here m and the bounds t * m come times 2^(PITCH_W - s), so that y stands
above bit SPAN = SIZE_W + PITCH_W whatever the pitch is.

f is not compared with a bound b: product - b is made beside the product, from
the same summands.  From bit SPAN on both are y, unless f < b: then the
difference has y - 1, as b is at most 2^SPAN.  One bit tells.

The multiplication is cut in two: groups of four bits of the position times m,
then the sum of the groups.

Latency: the results after two edges; bounds are taken after the first of them.
One division an edge.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_reciprocal (
    input  wire         clk,      // clock
    input  wire         rst,      // synchronous reset, active high
    input  wire         found,    // a division begins
    input  wire ${w(L.SIZE_W)} position, // bytes from the image's begin
    input  wire ${w(held_divisor_w)} divisor,  // m times 2^(PITCH_W - s)
    input  wire ${w(L.X_W)} x_lo,     // bounds along x
    input  wire ${w(L.X_W)} x_hi,     //
    input  wire ${w(L.X_W)} x_turn,   //
    input  wire ${w(L.X_W)} x_last,   //
    output reg          done,     // the division is done
    output wire ${w(L.ROW_W)} row,      // row
    output wire         lt_lo,    // the column is less than the bound
    output wire         lt_hi,    //
    output wire         lt_turn,  //
    output wire         lt_last   //
);
${localparams("SIZE_W", "PITCH_W")}

    localparam SPAN      = SIZE_W + PITCH_W;
    localparam GROUP_W   = ${GROUP_W}; // of m times four bits of the position
    localparam PRODUCT_W = ${PRODUCT_W}; // of it, rows have ROW_W bits at most

    // ------------------------------------------------------------------
    // First edge: groups of four bits

//% for g = 0, GROUPS - 1 do
    reg [GROUP_W-1:0] group_${g};
//% end
    reg               begun;

    always @(posedge clk) begin
//% for g = 0, GROUPS - 1 do
//%     local hi, lo = math.min(4 * g + 3, L.SIZE_W - 1), 4 * g
//%     local bits = hi == lo and lo or hi .. ":" .. lo
        group_${g} <= {4'd0, divisor} * {${GROUP_W - (hi - lo + 1)}'d0, position[${bits}]};
//% end
    end

    always @(posedge clk) begin
        if (rst) begin
            begun <= 1'b0;
            done  <= 1'b0;
        end else begin
            begun <= found;
            done  <= begun;
        end
    end

    // ------------------------------------------------------------------
    // Second edge: their sum, and the sum less each bound

//% for g = 0, GROUPS - 1 do
//%     local above = PRODUCT_W - GROUP_W - 4 * g
//%     local below = g > 0 and ", " .. 4 * g .. "'d0" or ""
//%     local text
//%     if above >= 0 then
//%         text = "{" .. (above > 0 and above .. "'d0, " or "") .. "group_" .. g .. below .. "}"
//%     else
//%         text = "{group_" .. g .. "[" .. GROUP_W - 1 + above .. ":0]" .. below .. "}"
//%     end
    wire [PRODUCT_W-1:0] summand_${g} = ${text};
//% end
//% local function sum(part)
//%     local s = {}
//%     for g = 0, GROUPS - 1 do s[g + 1] = "summand_" .. g .. part end
//%     for i = 4, #s, 3 do s[i] = "\n            " .. s[i] end
//%     return (table.concat(s, " + "):gsub(" \n", "\n"))
//% end

    reg [PRODUCT_W-1:0] product;
    reg [SPAN:0]        less_lo;
    reg [SPAN:0]        less_hi;
    reg [SPAN:0]        less_turn;
    reg [SPAN:0]        less_last;

    always @(posedge clk) begin
        product   <= ${sum("")};
//% for _, b in ipairs { "lo", "hi", "turn", "last" } do
        ${pad("less_" .. b, 9)} <= ${sum("[SPAN:0]")} - x_${b};
//% end
    end

    assign row     = ${fitted("product[PRODUCT_W-1:SPAN]", QUOTIENT_W, L.ROW_W)};
    assign lt_lo   = less_lo[SPAN] ^ product[SPAN];
    assign lt_hi   = less_hi[SPAN] ^ product[SPAN];
    assign lt_turn = less_turn[SPAN] ^ product[SPAN];
    assign lt_last = less_last[SPAN] ^ product[SPAN];

    // Below bit SPAN only the carry counts.
    wire unused = &{1'b0, product[SPAN-1:0], less_lo[SPAN-1:0],
                    less_hi[SPAN-1:0], less_turn[SPAN-1:0],
                    less_last[SPAN-1:0]};
//% for g = 0, GROUPS - 1 do
//%     local above = PRODUCT_W - GROUP_W - 4 * g
//%     if above < 0 then
    wire unused_${g} = &{1'b0, group_${g}[GROUP_W-1:${GROUP_W + above}]}; // beyond the product
//%     end
//% end

`ifdef FORMAL
`include "${prefix}ndp_prefetch_reciprocal_formal.vh"
`endif
endmodule

`default_nettype wire
