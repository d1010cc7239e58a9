${header{title = "what an atomic makes of a word", text = [[
The new value of a word under an atomic operation, or that it has none.

Latency: none; a function of its inputs.

See docs/blocks/memory.md.]]}}
`default_nettype none

module ${prefix}ndp_memory_word (
    input  wire [3:0]  op,      // 2 add, 3 mins, ..., 11 cas
    input  wire [31:0] old,     // word as it stands
    input  wire [31:0] data,    // operand
    input  wire [31:0] compare, // of cas
    output reg         keeps,   // the word stays as it is, and value is anything
    output wire [31:0] value    // word as it becomes
);
    // One adder: the sum, or what is less
    wire        adds  = op == 4'd2;
    wire [32:0] sum   = {1'b0, old} + {1'b0, data ^ {32{!adds}}} + {32'd0, !adds};
    wire        signs = op == 4'd3 || op == 4'd4; // mins, maxs; 5 and 6 minu, maxu
    wire        less  = !sum[32] ^ (signs && old[31] != data[31]);
    reg [31:0]  mixed;

    always @* begin
        case (op)
        4'd3, 4'd5: keeps = less;
        4'd4, 4'd6: keeps = !less;
        4'd11:      keeps = old != compare;
        default:    keeps = 1'b0;
        endcase
    end

    always @* begin
        case (op)
        4'd7:    mixed = old & data;
        4'd8:    mixed = old | data;
        4'd9:    mixed = old ^ data;
        default: mixed = data;
        endcase
    end

    assign value = adds ? sum[31:0] : mixed;
endmodule

`default_nettype wire
