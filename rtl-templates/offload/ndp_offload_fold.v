//% use "ndp_offload_fold_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local groups = ceil_div(L.LINE_W, L.STACK_W)
//% local spare = groups * L.STACK_W - L.LINE_W
${header{title = "offload controller: stack by the baseline mapping", text = [[
The memory stack that an address lies in, if its page does not use the learned
mapping: the address of the 128-byte line is cut into groups of as many bits as
a stack's number has, the last one filled with zeros, and all are XORed.
Consecutive lines lie in different stacks, and the higher bits change which.

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_offload_fold (
    input  wire ${w(L.LINE_W)} line, // address of the line, over 128
    output reg  ${w(L.STACK_W)} stack // memory stack
);
${localparams("STACK_W")}

    localparam GROUPS = ${groups};

    wire [GROUPS*STACK_W-1:0] bits = ${spare > 0 and "{" .. spare .. "'d0, line}" or "line"};
    integer                   g;

    always @* begin
        stack = {STACK_W{1'b0}};
        for (g = 0; g < GROUPS; g = g + 1)
            stack = stack ^ bits[g*STACK_W +: STACK_W];
    end

`ifdef FORMAL
`include "${prefix}ndp_offload_fold_formal.vh"
`endif
endmodule

`default_nettype wire
