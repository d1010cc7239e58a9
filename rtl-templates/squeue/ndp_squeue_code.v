${header{title = "operations of a service queue", text = [[
What the lanes' arithmetic, which is the SIMT core's, has to do for an operation or
comparison of a chain.

how says what its second operand is: 0 y, 1 y with its sign turned, 2 the sign alone,
3 all but the sign, 4 ones, 5 zero, 6 the sign of x in all bits, and x turned by it.

Latency: none; combinational.]]}}
`default_nettype none

module ${prefix}ndp_squeue_code (
    input  wire [3:0] code,    // operation, or comparison
    input  wire [2:0] kind,    // type of the data
    input  wire       compare, // it is a comparison
    input  wire       copy,    // there is no operation
    input  wire       fused,   // it is a multiply-add
    output reg  [7:0] op,      // operation of the arithmetic
    output reg  [2:0] how,     // its second operand
    output wire       invert,  // of a comparison: the opposite
    output wire       never,   // of a comparison: false, before that
    output wire       is_mul,  // the multiplier's
    output wire       is_fma   // the multiply-add's
);
    wire f32   = kind == 3'd0;
    wire signs = kind == 3'd1 || kind == 3'd3 || kind == 3'd5;

    always @* begin
        op  = ${op "or"};
        how = 3'd0;
        if (compare) begin
            case (code)
//% local names = {"eq", "ne", "lt", "le", "gt", "ge"}
//% for i, n in ipairs(names) do
//%     local s = i > 2 and "s" or ""
//%     local u = i > 2 and "u" or ""
            4'd${i - 1}:  op = f32 ? ${op("fset" .. n)} : signs ? ${op("set" .. n .. s)} : ${op("set" .. n .. u)};
//% end
//% for i, n in ipairs(names) do
//%     local s = i > 2 and "s" or ""
//%     local u = i > 2 and "u" or ""
            ${pad("4'd" .. i + 5 .. ":", 6)} op = f32 ? ${op("fset" .. n .. "u")} : signs ? ${op("set" .. n .. s)} : ${op("set" .. n .. u)};
//% end
            default: op = ${op "fsetnan"};
            endcase
        end else if (copy) begin
            how = 3'd5;
        end else if (fused) begin
            op = f32 ? ${op "ffma"} : ${op "mad"};
        end else begin
            case (code)
            4'd1:  op = f32 ? ${op "fadd"} : ${op "add"};
            4'd2:  begin
                op  = f32 ? ${op "fadd"} : ${op "sub"};
                how = f32 ? 3'd1 : 3'd0;
            end
            4'd3:  op = f32 ? ${op "fmul"} : ${op "mul"};
            4'd5:  op = f32 ? ${op "fmin"} : signs ? ${op "mins"} : ${op "minu"};
            4'd6:  op = f32 ? ${op "fmax"} : signs ? ${op "maxs"} : ${op "maxu"};
            4'd7:  op = ${op "and"};
            4'd8:  op = ${op "or"};
            4'd9:  op = ${op "xor"};
            4'd10: op = ${op "shl"};
            4'd11: op = signs ? ${op "sar"} : ${op "shr"};
            4'd12: begin
                op  = f32 ? ${op "xor"} : ${op "rsub"};
                how = f32 ? 3'd2 : 3'd5;
            end
            4'd13: begin
                op  = f32 ? ${op "and"} : signs ? ${op "sub"} : ${op "or"};
                how = f32 ? 3'd3 : signs ? 3'd6 : 3'd5;
            end
            default: begin
                op  = ${op "xor"};
                how = 3'd4;
            end
            endcase
        end
    end

    assign invert = compare && code == 4'd12;            // NUM
    assign never  = compare && code >= 4'd12 && !f32;    // nothing is NaN
    assign is_mul = op == ${op "mul"} || op == ${op "mad"};
    assign is_fma = op == ${op "fadd"} || op == ${op "fmul"} || op == ${op "ffma"};
endmodule

`default_nettype wire
