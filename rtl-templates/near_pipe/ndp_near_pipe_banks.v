//% use "ndp_ram_parts.v"
//% local N = L.LANES
${header{title = "near-bank pipelines: banks of shared memory", text = [[
A bank for each lane of a warp.  The lanes that won a bank each are connected to it.

Latency: words stand after the edge that reads them, and are written on the edge that
stores them.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_banks (
    input  wire        clk,      // clock

    // lanes of an access
    input  wire ${pad(range(N), 6)} wins,     // those that won a bank each
    input  wire ${range(N * WORD_W)} places,   // words, of each lane
    input  wire ${pad(range(2 * N), 6)} bytes,    // bytes in them
    input  wire ${range(L.ROW_W)} data,     // what they store
    input  wire        is_byte,  // of a byte each
    input  wire        is_half,  // of a half word each

    input  wire        read,     // their words are read
    input  wire        write,    // their data are stored
    input  wire        change,   // new_word is, by the only one,
    input  wire [31:0] new_word, // after a read of the same lane
    output wire ${range(L.ROW_W)} words     // of each bank, as last read
);
${localparams("LANES")}

    localparam WORD_W = ${WORD_W}; // bits of a word's place
    localparam LANE_W = ${LANE_W}; // of them, the bank
    localparam BANK_ROW_W = ${WORD_W - LANE_W}; // the rest

    // Of each lane: bytes and data in their places
    wire [LANES*4-1:0]  strobes;
    wire [LANES*32-1:0] puts;

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            wire [1:0] place = bytes[i*2 +: 2];

            assign strobes[i*4 +: 4] =
                is_byte ? 4'b0001 << place :
                is_half ? {{2{place[1]}}, {2{!place[1]}}} : 4'b1111;
            assign puts[i*32 +: 32] = is_byte ? {4{data[i*32 +: 8]}} :
                                      is_half ? {2{data[i*32 +: 16]}}
                                              : data[i*32 +: 32];
        end

        for (i = 0; i < LANES; i = i + 1) begin : bank
            reg [LANES-1:0]      here;
            reg [BANK_ROW_W-1:0] row;
            reg [3:0]            strobe;
            reg [31:0]           put;

            integer k;

            always @* begin
                for (k = 0; k < LANES; k = k + 1)
                    here[k] = wins[k] && places[k*WORD_W +: LANE_W] == i[LANE_W-1:0];
            end

            always @* begin
                row    = {BANK_ROW_W{1'b0}};
                strobe = 4'd0;
                put    = 32'd0;
                for (k = 0; k < LANES; k = k + 1) begin
                    row    = row | (places[k*WORD_W+LANE_W +: BANK_ROW_W] & {BANK_ROW_W{here[k]}});
                    strobe = strobe | (strobes[k*4 +: 4] & {4{here[k]}});
                    put    = put | (puts[k*32 +: 32] & {32{here[k]}});
                end
            end

            ${prefix}ndp_ram_parts #(
                .PARTS     (4),
                .PART_W    (8),
                .WORDS     (${L.SHARED // L.LANES}),
                .ADDRESS_W (BANK_ROW_W)
            ) memory (
                .clk     (clk),
                .wr_en   (strobe & {4{write || change}}),
                .wr_addr (row),
                .wr_data (change ? new_word : put),
                .rd_en   (read),
                .rd_addr (row),
                .rd_data (words[i*32 +: 32])
            );
        end
    endgenerate
endmodule

`default_nettype wire
