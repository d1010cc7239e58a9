//% use "ndp_uartbone_sum_formal.vh"
${header{title = "checksum of what was said", text = [[
A CRC-32 (reflected polynomial 0xedb88320, begun with all ones, not inverted at
the end), one bit an edge: there is time between two bytes of a serial line, and
room is dear.

Handshake: a byte with stir is taken on that edge; only while not busy.  begin_new
only while not busy.  give_up ends what is under way, with the sum as it is.

Latency: busy for eight edges after that with stir; sum is that of the byte then.

See docs/blocks/uartbone.md, Commands.]]}}
`default_nettype none

module ${prefix}ndp_uartbone_sum (
    input  wire        clk,       // clock
    input  wire        rst,       // synchronous reset, active high
    input  wire        begin_new, // the sum of nothing
    input  wire        give_up,   // leave the byte that is under way
    input  wire        stir,      // a byte
    input  wire [7:0]  stir_byte, // the byte
    output wire        busy,      // with a byte
    output reg  [31:0] sum        // checksum
);
    localparam [31:0] POLYNOMIAL = 32'hedb88320;

    reg [3:0] step; // from 8 up, and zero after 15

    assign busy = step[3];

    always @(posedge clk) begin
        if (rst || give_up)
            step <= 4'd0;
        else if (busy)
            step <= step + 4'd1;
        else if (stir)
            step <= 4'd8;
    end

    always @(posedge clk) begin
        if (rst || begin_new)
            sum <= 32'hffffffff;
        else if (busy && !give_up)
            sum <= {1'b0, sum[31:1]} ^ (sum[0] ? POLYNOMIAL : 32'd0);
        else if (stir)
            sum[7:0] <= sum[7:0] ^ stir_byte;
    end

`ifdef FORMAL
`include "${prefix}ndp_uartbone_sum_formal.vh"
`endif
endmodule

`default_nettype wire
