//% use "ndp_ram_parts.v"
//% use "ndp_far_pipe_banks_formal.vh"
//% local A = L.ALUS
//% local BW = L.BANK_W
${header{title = "pipeline of the base die: banks of shared memory", text = [[
A bank for each lane of a pass, as in the SIMT core.  In each bank the lowest lane of
those that ask for it wins; lanes that ask for the same word go with it.

Latency: who goes is logic only; words stand after the edge that reads them, and are
written on the edge that stores them.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_banks (
    input  wire        clk,     // clock

    // lanes of a pass
    input  wire ${pad(vec(A), 6)} ask,     // those that ask
    input  wire ${range(32 * A)} at,      // addresses, a lane in 32 bits
    input  wire ${range(32 * A)} data,    // what they store
    input  wire        is_byte, // of a byte each
    input  wire        is_half, // of a half word each
    input  wire ${pad(range(BW), 6)} base,    // row with which their window begins
    output reg  ${pad(vec(A), 6)} wins,    // those that win
    output reg  ${pad(vec(A), 6)} goes,    // those with the word of the winner

    input  wire        read,    // winners' words are read
    input  wire        write,   // winners' data are stored
    input  wire        change,  // new_word is, by ask's only lane
    input  wire [31:0] new_word, // after a read of the same lane
    output wire ${pad(range(32 * A), 6)} words    // of each bank, as last read
);
${localparams("ALUS", "BANK_W")}

    // Of each lane: row, bytes and data in their places
    wire [ALUS*BANK_W-1:0] rows;
    wire [ALUS*4-1:0]      strobes;
    wire [ALUS*32-1:0]     puts;

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            wire [1:0] place = at[i*32 +: 2];

            assign rows[i*BANK_W +: BANK_W] = at[i*32+${2 + ALU_W} +: BANK_W];
            assign strobes[i*4 +: 4] =
                is_byte ? 4'b0001 << place :
                is_half ? {{2{place[1]}}, {2{!place[1]}}} : 4'b1111;
            assign puts[i*32 +: 32] = is_byte ? {4{data[i*32 +: 8]}} :
                                      is_half ? {2{data[i*32 +: 16]}}
                                              : data[i*32 +: 32];
        end
    endgenerate

    wire unused = &{1'b0, at};

    // ------------------------------------------------------------------
    // Bank by bank: who asks, the lowest of them, and its row

    wire [ALUS*ALUS-1:0] firsts;  // a bit a lane
    wire [ALUS*ALUS-1:0] withs;   // lanes with that row

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : bank
            reg [ALUS-1:0]   asks;
            reg [ALUS-1:0]   same;
            reg [BANK_W-1:0] row;
            reg [3:0]        strobe;
            reg [31:0]       put;

            wire [ALUS-1:0] first = asks & (~asks + 1'b1);

            integer k;

            always @* begin
                for (k = 0; k < ALUS; k = k + 1)
                    asks[k] = ask[k]${ALU_W > 0 and " && at[k*32+2 +: " .. ALU_W .. "] == i[" .. ALU_W - 1 .. ":0]" or ""};
            end

            always @* begin
                row    = {BANK_W{1'b0}};
                strobe = 4'd0;
                put    = 32'd0;
                for (k = 0; k < ALUS; k = k + 1) begin
                    row    = row | (rows[k*BANK_W +: BANK_W] & {BANK_W{first[k]}});
                    strobe = strobe | (strobes[k*4 +: 4] & {4{first[k]}});
                    put    = put | (puts[k*32 +: 32] & {32{first[k]}});
                end
            end

            always @* begin
                for (k = 0; k < ALUS; k = k + 1)
                    same[k] = asks[k] && rows[k*BANK_W +: BANK_W] == row;
            end

            assign firsts[i*ALUS +: ALUS] = first;
            assign withs[i*ALUS +: ALUS]  = same;

            wire [BANK_W-1:0] word = base + row;

            ${prefix}ndp_ram_parts #(
                .PARTS     (4),
                .PART_W    (8),
                .WORDS     (${BANK_WORDS}),
                .ADDRESS_W (BANK_W)
            ) memory (
                .clk     (clk),
                .wr_en   (strobe & {4{write || change}}),
                .wr_addr (word),
                .wr_data (change ? new_word : put),
                .rd_en   (read),
                .rd_addr (word),
                .rd_data (words[i*32 +: 32])
            );
        end
    endgenerate

    integer b;

    always @* begin
        wins = {ALUS{1'b0}};
        goes = {ALUS{1'b0}};
        for (b = 0; b < ALUS; b = b + 1) begin
            wins = wins | firsts[b*ALUS +: ALUS];
            goes = goes | withs[b*ALUS +: ALUS];
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_banks_formal.vh"
`endif
endmodule

`default_nettype wire
