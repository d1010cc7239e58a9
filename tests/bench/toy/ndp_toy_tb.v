// ndp_toy_tb.v - the wrapper that ndpgen would emit for the toy block.

`default_nettype none

module ndp_toy_tb;
    reg clk, rst;
    reg in_bit;
    reg [7:0] in_byte;
    reg [8:0] in_nine;
    reg [15:0] in_half;
    reg [31:0] in_word;
    reg [32:0] in_odd;
    reg [63:0] in_long, in_thin;
    reg [@LONG@-1:0] in_wide;
    wire out_bit;
    wire [7:0] out_byte;
    wire [8:0] out_nine;
    wire [15:0] out_half;
    wire [31:0] out_word;
    wire [32:0] out_odd;
    wire [63:0] out_long, out_thin;
    wire [@LONG@-1:0] out_wide;
    reg wb_cyc, wb_stb, wb_we;
    reg [2:0] wb_adr;
    reg [31:0] wb_dat_w;
    reg [3:0] wb_sel;
    wire [31:0] wb_dat_r;
    wire wb_ack;

    ndp_toy dut (
        .clk(clk), .rst(rst), .in_bit(in_bit), .in_byte(in_byte),
        .in_nine(in_nine), .in_half(in_half), .in_word(in_word),
        .in_odd(in_odd), .in_long(in_long), .in_thin(in_thin),
        .in_wide(in_wide), .out_bit(out_bit), .out_byte(out_byte),
        .out_nine(out_nine), .out_half(out_half), .out_word(out_word),
        .out_odd(out_odd), .out_long(out_long), .out_thin(out_thin),
        .out_wide(out_wide), .wb_cyc(wb_cyc), .wb_stb(wb_stb),
        .wb_we(wb_we), .wb_adr(wb_adr), .wb_dat_w(wb_dat_w),
        .wb_sel(wb_sel), .wb_dat_r(wb_dat_r), .wb_ack(wb_ack)
    );
endmodule

`default_nettype wire
