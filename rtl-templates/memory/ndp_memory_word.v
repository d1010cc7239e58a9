${header{title = "what an atomic makes of a word", text = [[
The new value of a word under an atomic operation.

Latency: none; a function of its inputs.

See docs/blocks/memory.md.]]}}
`default_nettype none

module ${prefix}ndp_memory_word (
    input  wire [3:0]  op,      // 2 add, 3 mins, ..., 11 cas
    input  wire [31:0] old,     // word as it stands
    input  wire [31:0] data,    // operand
    input  wire [31:0] compare, // of cas
    output reg  [31:0] value    // word as it becomes
);
    // op: 3 mins, 4 maxs, 5 minu, 6 maxu
    wire        flip   = op == 4'd3 || op == 4'd4;
    wire        less   = {old[31] ^ flip, old[30:0]} < {data[31] ^ flip, data[30:0]};
    wire        lowest = op[0];
    wire [31:0] chosen = less == lowest ? old : data;

    always @* begin
        case (op)
        4'd2:    value = old + data;
        4'd7:    value = old & data;
        4'd8:    value = old | data;
        4'd9:    value = old ^ data;
        4'd10:   value = data;
        4'd11:   value = old == compare ? data : old;
        default: value = chosen;
        endcase
    end
endmodule

`default_nettype wire
