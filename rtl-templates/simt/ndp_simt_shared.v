//% use "ndp_ram_parts.v"
//% local A = L.ALUS
//% local BW = clog2(BANK_WORDS)
${header{title = "SIMT core: shared memory", text = [[
A bank for each lane of a pass.  In each bank the lowest lane of those that ask for
it wins; lanes that load the same word go with it.

Latency: who goes is logic only; loaded words stand after the edge, stores are
written on it.]]}}
`default_nettype none

module ${prefix}ndp_simt_shared (
    input  wire        clk,       // clock

    // lanes of a pass
    input  wire ${pad(vec(A), 6)} ask,       // those that ask
    input  wire ${range(32 * A)} at,        // addresses, a lane in 32 bits
    input  wire ${range(32 * A)} data,      // what they store
    input  wire        is_byte,   // of a byte each
    input  wire        is_half,   // of a half word each
    input  wire ${pad(range(BW), 6)} base,      // where their CTA's part of a bank begins
    output wire ${pad(vec(A), 6)} wins,      // those that win
    output reg  ${pad(vec(A), 6)} goes,      // those with the word of the winner
    output wire ${pad(vec(A * math.max(ALU_W, 1)), 6)} banks,     // the bank of each

    input  wire        read,      // winners' words are loaded
    input  wire        write,     // winners' data are stored
    input  wire        write_word, // by ask's only lane: new_word, instead
    input  wire [31:0] new_word,  // after a read of the same lane
    output wire ${pad(range(32 * A), 6)} words      // of each bank, as last loaded
);
${localparams("ALUS")}

    localparam ROWS  = ${BANK_WORDS}; // words of a bank
    localparam ROW_W = ${BW};

    // Of each lane: bank, word within it, strobes and data in their places
    wire [ALUS*ROW_W-1:0] rows;
    wire [ALUS*4-1:0]     strobes;
    wire [ALUS*32-1:0]    puts;

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            wire [1:0] place = at[i*32 +: 2];

//% if ALU_W > 0 then
            assign banks[i*${ALU_W} +: ${ALU_W}] = at[i*32+2 +: ${ALU_W}];
//% else
            assign banks = 1'b0;
//% end
            assign rows[i*ROW_W +: ROW_W] = at[i*32+${2 + ALU_W} +: ROW_W];
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
    // Bank by bank

    wire [ALUS*ALUS-1:0]  winners; // of each bank, a bit a lane
    wire [ALUS*ROW_W-1:0] chosen;  // of each bank, the winner's word

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : bank
            reg [ALUS-1:0]  asks;
            reg [ROW_W-1:0] row;
            reg [3:0]       strobe;
            reg [31:0]      put;

            wire [ALUS-1:0] first = asks & (~asks + 1'b1);

            integer k;

            always @* begin
                for (k = 0; k < ALUS; k = k + 1)
                    asks[k] = ask[k]${ALU_W > 0 and " && banks[k*" .. ALU_W .. " +: " .. ALU_W .. "] == i[" .. ALU_W - 1 .. ":0]" or ""};
            end

            always @* begin
                row    = {ROW_W{1'b0}};
                strobe = 4'd0;
                put    = 32'd0;
                for (k = 0; k < ALUS; k = k + 1)
                    if (first[k]) begin
                        row    = row | rows[k*ROW_W +: ROW_W];
                        strobe = strobe | strobes[k*4 +: 4];
                        put    = put | puts[k*32 +: 32];
                    end
            end

            assign winners[i*ALUS +: ALUS] = first;
            assign chosen[i*ROW_W +: ROW_W] = row;

            wire [3:0] parts = strobe & {4{write || write_word}};

            ${prefix}ndp_ram_parts #(
                .PARTS     (4),
                .PART_W    (8),
                .WORDS     (ROWS),
                .ADDRESS_W (ROW_W)
            ) memory (
                .clk     (clk),
                .wr_en   (parts),
                .wr_addr (base + row),
                .wr_data (write_word ? new_word : put),
                .rd_en   (read),
                .rd_addr (base + row),
                .rd_data (words[i*32 +: 32])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // Who goes

    reg [ALUS-1:0] any;

    integer b, l;

    always @* begin
        any = {ALUS{1'b0}};
        for (b = 0; b < ALUS; b = b + 1)
            any = any | winners[b*ALUS +: ALUS];
    end

    assign wins = any;

    always @* begin
        for (l = 0; l < ALUS; l = l + 1)
            goes[l] = ask[l] && rows[l*ROW_W +: ROW_W] ==
                      chosen[${ALU_W > 0 and "banks[l*" .. ALU_W .. " +: " .. ALU_W .. "]*ROW_W" or "0"} +: ROW_W];
    end
endmodule

`default_nettype wire
