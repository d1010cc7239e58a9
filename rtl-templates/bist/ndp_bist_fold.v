//% use "ndp_bist_fold_formal.vh"
//% local SLICES = ceil_div(L.OUT_W, 32)
${header{title = "outputs folded into 32 bits", text = [[
Bit b of slice s of 32 bits enters at places b, b + 1 and b + s + 2 (modulo 32).  No
two bits enter at the same three, so one, two or any odd number of changed bits
change the result.

Latency: none.

See docs/blocks/bist.md.]]}}
`default_nettype none

module ${prefix}ndp_bist_fold (
    input  wire ${range(L.OUT_W)} bits, // all outputs
    output wire [31:0] fold
);
//% for s = 0, SLICES - 1 do
//%     local lo, hi = 32 * s, math.min(32 * s + 31, L.OUT_W - 1)
//%     local short = 32 - (hi - lo + 1)
//%     local text = L.OUT_W == 1 and "bits" or "bits[" .. (hi == lo and hi or hi .. ":" .. lo) .. "]"
    wire [31:0] slice_${s} = ${short > 0 and "{" .. short .. "'d0, " .. text .. "}" or text};
//% end

//% local plain, turned = {}, {}
//% for s = 0, SLICES - 1 do
//%     local n = (s + 2) % 32
//%     plain[#plain + 1] = "slice_" .. s
//%     turned[#turned + 1] = string.format("{slice_%d[%d:0], slice_%d[31:%d]}", s, 31 - n, s, 32 - n)
//% end
    wire [31:0] plain = ${table.concat(plain, "\n        ^ ")};

    wire [31:0] turned = ${table.concat(turned, "\n        ^ ")};

    assign fold = plain ^ {plain[30:0], plain[31]} ^ turned;

`ifdef FORMAL
`include "${prefix}ndp_bist_fold_formal.vh"
`endif
endmodule

`default_nettype wire
