// ndp_toy.v - the toy block; the test puts the configuration's hash and sizes in
// the place of the words between @ signs, and makes faults by editing lines.

`default_nettype none

module ndp_toy (
    input  wire               clk,
    input  wire               rst,
    input  wire               in_bit,
    input  wire [7:0]         in_byte,
    input  wire [8:0]         in_nine,
    input  wire [15:0]        in_half,
    input  wire [31:0]        in_word,
    input  wire [32:0]        in_odd,
    input  wire [63:0]        in_long,
    input  wire [63:0]        in_thin,
    input  wire [@LONG@-1:0]  in_wide,
    output reg                out_bit,
    output reg  [7:0]         out_byte,
    output reg  [8:0]         out_nine,
    output reg  [15:0]        out_half,
    output reg  [31:0]        out_word,
    output reg  [32:0]        out_odd,
    output reg  [63:0]        out_long,
    output reg  [63:0]        out_thin,
    output reg  [@LONG@-1:0]  out_wide,
    input  wire               wb_cyc,
    input  wire               wb_stb,
    input  wire               wb_we,
    input  wire [2:0]         wb_adr,
    input  wire [31:0]        wb_dat_w,
    input  wire [3:0]         wb_sel,
    output reg  [31:0]        wb_dat_r,
    output reg                wb_ack
);
    reg [7:0]  spare;
    reg [@COUNTER_W@-1:0] bits;
    wire access = wb_cyc && wb_stb && !wb_ack;

    always @(posedge clk) begin
        out_bit  <= out_bit ^ in_bit;
        out_byte <= out_byte + in_byte;
        out_nine <= out_nine + in_nine;
        out_half <= out_half + in_half;
        out_word <= out_word + in_word;
        out_odd  <= out_odd + in_odd;
        out_long <= out_long + in_long;
        out_thin <= ~in_thin;
        out_wide <= out_wide ^ in_wide;
        if (rst) begin
            out_bit  <= 0;
            out_byte <= 0;
            out_nine <= 0;
            out_half <= 0;
            out_word <= 0;
            out_odd  <= 0;
            out_long <= 0;
            out_thin <= 0;
            out_wide <= 0;
        end
    end

    always @(posedge clk) begin
        wb_ack <= access;
        wb_dat_r <= 0;
        if (access && !wb_we)
            case (wb_adr)
                0: wb_dat_r <= 32'h@ID@;
                1: wb_dat_r <= 32'h@HASH_LO@;
                2: wb_dat_r <= 32'h@HASH_HI@;
                4: wb_dat_r <= spare;
                5: wb_dat_r <= bits;
                default: wb_dat_r <= 0;
            endcase
        if (access && wb_we && wb_adr == 4 && wb_sel[0])
            spare <= wb_dat_w[7:0];
        if (access && wb_we && wb_adr == 3 && wb_sel[0] && wb_dat_w[0])
            bits <= 0;
        else if (in_bit && !(&bits))
            bits <= bits + 1;
        if (rst) begin
            wb_ack <= 0;
            wb_dat_r <= 0;
            spare <= 8'h5a;
            bits <= 0;
        end
    end
endmodule

`default_nettype wire
