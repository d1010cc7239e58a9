//% use "ndp_memory_word.v"
//% use "ndp_bank_port_change_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "what a change makes of a sector", text = [[
A store puts its bytes into the sector, an atomic changes one word of it.  The banks
write whole words, so each word that is touched is stored.

Latency: none; a function of its inputs.

See docs/blocks/bank_port.md.]]}}
`default_nettype none

module ${prefix}ndp_bank_port_change (
    input  wire [3:0]   op,      // 1 store, 2 to 11 atomics
    input  wire ${w(L.SECTOR)} strobe,  // bytes of a store, or the word of an atomic
    input  wire ${w(L.DATA_W)} data,    // their data
    input  wire [31:0]  compare, // of cas
    input  wire ${w(L.DATA_W)} sector,  // as it was read
    output wire ${w(L.WORDS)} words,   // that are written
    output wire ${w(L.DATA_W)} value,   // sector as it becomes
    output wire ${w(L.DATA_W)} former   // old word of an atomic in its place, else zero
);
    wire atomic = op != 4'd1;

    // ------------------------------------------------------------------
    // The word of an atomic

    reg  [31:0] old_word;
    reg  [31:0] data_word;
    wire [31:0] new_word;
    wire        keeps; // it stays as it is

    always @* begin
        old_word  = 32'd0;
        data_word = 32'd0;
//% for k = 0, L.WORDS - 1 do
        if (strobe[${4 * k}]) begin
            old_word  = old_word | sector[${32 * k + 31}:${32 * k}];
            data_word = data_word | data[${32 * k + 31}:${32 * k}];
        end
//% end
    end

    ${prefix}ndp_memory_word word (
        .op      (op),
        .old     (old_word),
        .data    (data_word),
        .compare (compare),
        .keeps   (keeps),
        .value   (new_word)
    );

    // ------------------------------------------------------------------
    // The sector

    wire [${L.DATA_W - 1}:0] becomes = atomic ? {${L.WORDS}{keeps ? old_word : new_word}} : data;

    genvar i;

    generate
        for (i = 0; i < ${L.SECTOR}; i = i + 1) begin : bytes
            assign value[8*i +: 8]  = strobe[i] ? becomes[8*i +: 8] : sector[8*i +: 8];
            assign former[8*i +: 8] = sector[8*i +: 8] & {8{strobe[i] && atomic}};
        end
        for (i = 0; i < ${L.WORDS}; i = i + 1) begin : touched
            assign words[i] = strobe[4*i +: 4] != 4'd0;
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_bank_port_change_formal.vh"
`endif
endmodule

`default_nettype wire
