//% use "ndp_ram.v"
//% use("ndp_fma_" .. Pname["fma.form"] .. ".v")
//% local P_W = #range(32)
//% local function r(w) return pad(range(w), P_W) end
${header{title = "processing element: one half of a word", text = [[
A fused multiply-add with its half of buffer, scratchpad and sums.  All of its control
comes from outside, where it is there once for both halves.

Parameters: all sizes are generated.

Latency: a result stands ]] .. L.LATENCY .. [[ edges after its operation, that of the operation counted.

See docs/blocks/nda_pe.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe_lane (
    input  wire ${r(1)} clk,           // clock
//% if L.ITERATIVE == 1 then
    input  wire ${r(1)} rst,           // synchronous reset, active high
    input  wire ${r(1)} compute,       // an operation
    output wire ${r(1)} ready,         // taken
    output wire ${r(1)} finished,      // its result stands
//% end
    input  wire ${r(32)} word,          // that is held
    input  wire ${r(32)} scalar,        // a, b or c of the operation
    input  wire ${r(1)} fold,          // left + right
    input  wire ${r(1)} added,         // else: what is in the target is added
    input  wire ${r(3)} factor,        // factor
    input  wire ${r(1)} to_sums,       // the target are the sums
    input  wire ${r(1)} stands,        // a result stands
    input  wire ${r(32)} left,          // sum of half 0
    input  wire ${r(32)} right,         // sum of half 1
    input  wire ${r(1)} write,         // write the buffer
    input  wire ${r(1)} write_move,    // with the word held
    input  wire ${r(1)} write_clear,   // with zero
    input  wire ${r(1)} write_pad,     // write the scratchpad
    input  wire ${r(L.INDEX_W)} write_index,   // which word
    input  wire ${r(1)} read,          // read the buffer
    input  wire ${r(1)} read_pad,      // read the scratchpad
    input  wire ${r(L.INDEX_W)} read_index,    // which word
    input  wire ${r(1)} sum_write,     // the sum becomes the result
    input  wire ${r(1)} sum_begin,     // the sum begins
    input  wire ${r(32)} sum_from,      // with this
    output wire ${r(32)} buffered,      // word of the buffer
    output reg  ${r(32)} sum,           // sum
    output wire ${r(32)} result         // result that stands
);
    localparam [2:0] SELF      = 3'd3;
    localparam [2:0] BUFFERED  = 3'd4;
    localparam [2:0] SCRATCHED = 3'd5;

    localparam [1:0] FMA = 2'd0;
    localparam [1:0] MUL = 2'd1;
    localparam [1:0] ADD = 2'd2;

    wire [31:0] scratched;

    ${prefix}ndp_ram #(
        .WIDTH     (32),
        .WORDS     (${L.BATCH}),
        .ADDRESS_W (${L.INDEX_W})
    ) buffer (
        .clk     (clk),
        .wr_en   (write),
        .wr_addr (write_index),
        .wr_data (write_clear ? 32'd0 : write_move ? word : result),
        .rd_en   (read),
        .rd_addr (read_index),
        .rd_data (buffered)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (32),
        .WORDS     (${L.BATCH}),
        .ADDRESS_W (${L.INDEX_W})
    ) scratchpad (
        .clk     (clk),
        .wr_en   (write_pad),
        .wr_addr (write_index),
        .wr_data (word),
        .rd_en   (read_pad),
        .rd_addr (read_index),
        .rd_data (scratched)
    );

    // ------------------------------------------------------------------
    // Arithmetic

    reg [31:0] times;

    always @* begin
        case (factor)
            SELF:      times = word;
            BUFFERED:  times = buffered;
            SCRATCHED: times = scratched;
            default:   times = scalar;
        endcase
    end

    wire [1:0]  kind   = fold ? ADD : added ? FMA : MUL;
    wire [31:0] running = stands ? result : sum;
    wire [31:0] addend = fold ? right : to_sums ? running : buffered;

    ${prefix}ndp_fma_${Pname["fma.form"]} fma (
        .clk      (clk),
//% if L.ITERATIVE == 1 then
        .rst      (rst),
        .start    (compute),
        .ready    (ready),
        .done     (finished),
//% end
        .kind     (kind),
        .rounding (2'd0), // to nearest, ties to even
        .ftz      (1'b0), // subnormals are numbers
        .sat      (1'b0),
        .a        (fold ? left : word),
        .b        (times),
        .c        (addend),
        .result   (result)
    );

    always @(posedge clk) begin
        if (sum_begin)
            sum <= sum_from;
        else if (sum_write)
            sum <= result;
    end
endmodule

`default_nettype wire
