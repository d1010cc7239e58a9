//% local function w(n) return pad(range(n), 8) end
//% local reach = math.min(L.ADDR_W, 31 + L.STACK_W)
//% local spare = 31 + L.STACK_W - reach
${header{title = "offload controller: stack by the learned mapping", text = [[
The memory stack that an address lies in, if its page uses the learned mapping:
as many bits of the address as a stack's number has, from a bit on that software
sets.  There are zeros above the address.

Latency: none.

How: the setting comes as one bit for each position; a bit of the stack is an
AND with them and an OR.]]}}
`default_nettype none

module ${prefix}ndp_offload_map (
    input  wire ${w(reach)} address, // byte address, what of it can matter
    input  wire [31:0]   map_at,  // bit b: the mapping begins at bit b
    output wire ${w(L.STACK_W)} stack    // memory stack
);
${localparams("STACK_W")}

    wire [STACK_W+30:0] bits = ${spare > 0 and "{" .. spare .. "'d0, address}" or "address"};

//% for i = 0, L.STACK_W - 1 do
    assign stack${L.STACK_W > 1 and "[" .. i .. "]" or ""} = |(bits[${i} +: 32] & map_at);
//% end
endmodule

`default_nettype wire
