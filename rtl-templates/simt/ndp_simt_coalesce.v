//% local N, S = L.LANES, L.SECTOR
${header{title = "SIMT core: one request out of many lanes", text = (L.MERGE == 0 and [[
The bytes that a lane stores in a sector; no other lane goes with it.

]] or [[
The lanes whose address lies in the sector of the leading lane, the bytes that they
store there, of two lanes at one byte those of the higher one.

]]) .. [[
Latency: none, logic only.]]}}
`default_nettype none

//% if L.MERGE == 0 then
module ${prefix}ndp_simt_coalesce (
    input  wire        stores,  // data go along
    input  wire        is_byte, // of a byte
    input  wire        is_half, // of a half word
    input  wire ${pad(range(L.SECTOR_W), 6)} place,   // where in its sector
    input  wire [31:0] c,       // data
    output wire ${pad(range(S), 6)} strobe,  // bytes with data
    output reg  ${pad(range(8 * S), 6)} data     // data, zero elsewhere
);
${localparams("SECTOR")}

    wire [31:0] word  = is_byte ? {4{c[7:0]}} : is_half ? {2{c[15:0]}} : c;
    wire [3:0]  bytes = {4{stores}} & (is_byte ? 4'b0001 << place[1:0] :
                                       is_half ? {{2{place[1]}}, {2{!place[1]}}}
                                               : 4'b1111);

//% if WORD_W > 0 then
    assign strobe = ${wide("bytes", 4, S)} << {place[${L.SECTOR_W - 1}:2], 2'b00};
//% else
    assign strobe = bytes;
//% end

    integer k;

    always @* begin
        for (k = 0; k < SECTOR; k = k + 1)
            data[k*8 +: 8] = word[k%4*8 +: 8] & {8{strobe[k]}};
    end
endmodule
//% else
module ${prefix}ndp_simt_coalesce (
    input  wire ${pad(range(N), 6)} todo,    // lanes to do
    input  wire ${pad(range(N), 6)} leader,  // the lowest of them
    input  wire ${pad(range(L.SADDR_W), 6)} sector,  // its sector
    input  wire        alone,   // it goes alone
    input  wire        stores,  // data go along
    input  wire        is_byte, // of a byte each
    input  wire        is_half, // of a half word each
    input  wire ${range(32 * N)} a,       // addresses, a lane in 32 bits
    input  wire ${range(32 * N)} c,       // data
    output reg  ${pad(range(N), 6)} group,   // lanes that go
    output reg  ${pad(range(S), 6)} strobe,  // bytes with data
    output reg  ${pad(range(8 * S), 6)} data     // data, zero elsewhere
);
${localparams("LANES", "SECTOR", "SECTOR_W")}

    integer i, k;

    always @* begin
        for (i = 0; i < LANES; i = i + 1)
            group[i] = todo[i] && (alone ? leader[i]
                                         : a[i*32+SECTOR_W +: ${L.SADDR_W}] == sector);
    end

    // A lane's data, at every place where they could stand
    reg [32*LANES-1:0] words;
    reg [4*LANES-1:0]  bytes;

    always @* begin
        for (i = 0; i < LANES; i = i + 1) begin
            words[i*32 +: 32] = is_byte ? {4{c[i*32 +: 8]}} :
                                is_half ? {2{c[i*32 +: 16]}} : c[i*32 +: 32];
            bytes[i*4 +: 4] = is_byte ? 4'b0001 << a[i*32 +: 2] :
                              is_half ? {{2{a[i*32+1]}}, {2{!a[i*32+1]}}}
                                      : 4'b1111;
        end
    end

    always @* begin
        strobe = {SECTOR{1'b0}};
        data   = {SECTOR{8'd0}};
        for (k = 0; k < SECTOR; k = k + 1)
            for (i = 0; i < LANES; i = i + 1)
//% if WORD_W > 0 then
                if (stores && group[i] && bytes[i*4+k%4] &&
                    a[i*32+2 +: ${WORD_W}] == k[${L.SECTOR_W - 1}:2]) begin
//% else
                if (stores && group[i] && bytes[i*4+k%4]) begin
//% end
                    strobe[k]      = 1'b1;
                    data[k*8 +: 8] = words[i*32+k%4*8 +: 8];
                end
    end
endmodule
//% end

`default_nettype wire
