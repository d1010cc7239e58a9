//% use "ndp_ram.v"
//% use "ndp_ram_parts.v"
//% local N, A, P = L.LANES, L.ALUS, L.PASSES
//% local ONE = L.MERGE == 0 and P > 1 -- a pass at a time
//% local OFFERS = L.OFFERS == 1
//% local SAME = ONE and A == 1 and L.SECTOR == 4 -- one word at a time is all there is
//% local AT = pad(range(L.TICKET_W), 6)
${header{title = "SIMT core: results of accesses", text = [[
A row of words for each ticket.  A response brings a sector, the engine the words of
a pass, one of them an edge; each lane's word is chosen by its address, cut out and
extended.

    response, words -> 1 -> choose, cut -> 2 -> row

Latency: a row is written on the second edge after the one with the response or the
words, before anything that is selected meanwhile can read it.]]}}
`default_nettype none

module ${prefix}ndp_simt_rows (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // the engine begins with an access
    input  wire        note,       // of a ticket
    input  wire ${AT} note_of,    // which
    input  wire ${pad(range(N), 6)} note_lanes, // active lanes
    input  wire ${range(N * L.SECTOR_W)} note_places, // their bytes within a sector
    input  wire [2:0]  note_type,  // what is loaded, as in the operation

    // a response for a row
    input  wire        answer,     //
    input  wire ${AT} answer_of,  // of this ticket
    input  wire ${range(8 * L.SECTOR)} sector,     // what was loaded
    input  wire ${pad(range(N), 6)} lanes,      // after the edge: lanes that it is for

    // words of a pass; not with a response for a row
    input  wire        put,        //
    input  wire ${AT} put_of,     // of this ticket
    input  wire ${pad(range(N), 6)} put_lanes,  // lanes that they are for
    input  wire ${range(32 * A)} put_words,  // a lane in 32 bits

//% if OFFERS then
    input  wire ${pad(range(N), 6)} port_lanes, // active lanes of the last ticket, which is put only

//% end
    // return
    input  wire        rd_en,      // read
    input  wire ${AT} rd_of,      // the row of this ticket
//% if ONE then
    input  wire ${pad(range(L.PASS_W), 6)} rd_pass,    // this pass of it
//% end
    output wire ${pad(range(32 * (ONE and A or N)), 6)} row,        // after the edge
    output wire ${pad(range(N), 6)} row_lanes   // and its active lanes
);
${SAME and localparams("LANES", "ALUS", "SECTOR_W", "TICKETS", "TICKET_W") or localparams("LANES", "ALUS", "SECTOR", "SECTOR_W", "TICKETS", "TICKET_W")}

    localparam [2:0] U8  = ${hex(3, isa.op.ldg_u8.code % 8)};
    localparam [2:0] S8  = ${hex(3, isa.op.ldg_s8.code % 8)};
    localparam [2:0] U16 = ${hex(3, isa.op.ldg_u16.code % 8)};
    localparam [2:0] S16 = ${hex(3, isa.op.ldg_s16.code % 8)};

    // ------------------------------------------------------------------
    // What the engine notes

    localparam PLACES_W = 3 + ${N} * SECTOR_W;

    wire [PLACES_W-1:0] places_1; // of stage 1

    ${prefix}ndp_ram #(
        .WIDTH     (PLACES_W),
        .WORDS     (TICKETS),
        .ADDRESS_W (TICKET_W)
    ) places (
        .clk     (clk),
        .wr_en   (note),
        .wr_addr (note_of),
        .wr_data ({note_type, note_places}),
        .rd_en   (answer || put),
        .rd_addr (answer ? answer_of : put_of),
        .rd_data (places_1)
    );

//% if OFFERS then
    wire [LANES-1:0] noted_lanes;

//% end
    ${prefix}ndp_ram #(
        .WIDTH     (LANES),
        .WORDS     (TICKETS),
        .ADDRESS_W (TICKET_W)
    ) actives (
        .clk     (clk),
        .wr_en   (note),
        .wr_addr (note_of),
        .wr_data (note_lanes),
        .rd_en   (rd_en),
        .rd_addr (rd_of),
        .rd_data (${OFFERS and "noted_lanes" or "row_lanes"})
    );
//% if OFFERS then

    reg rd_port; // the last ticket was read

    always @(posedge clk) begin
        if (rd_en)
            rd_port <= rd_of == {TICKET_W{1'b1}};
    end

    assign row_lanes = rd_port ? port_lanes : noted_lanes;
//% end

    // ------------------------------------------------------------------
    // Stage 1

    reg                valid_1;
    reg                answer_1; // of a response
    reg [TICKET_W-1:0] of_1;
    reg [LANES-1:0]    lanes_1;  // of words
//% if SAME then
    reg [31:0]         word_1;   // of either
//% else
    reg [8*SECTOR-1:0] sector_1;
    reg [32*ALUS-1:0]  words_1;
//% end

    always @(posedge clk) begin
        if (rst)
            valid_1 <= 1'b0;
        else
            valid_1 <= answer || put;
    end

    always @(posedge clk) begin
        answer_1 <= answer;
        of_1     <= answer ? answer_of : put_of;
        lanes_1  <= put_lanes;
//% if SAME then
        word_1   <= answer ? sector : put_words;
//% else
        if (answer)
            sector_1 <= sector;
        if (put)
            words_1 <= put_words;
//% end
    end

    // ------------------------------------------------------------------
    // Choose and cut, lane by lane

    wire [2:0]          form    = places_1[PLACES_W-1:PLACES_W-3];
//% if OFFERS then
    wire                noted   = of_1 != {TICKET_W{1'b1}}; // else words as they are
    wire                is_byte = noted && (form == U8 || form == S8);
    wire                is_half = noted && (form == U16 || form == S16);
//% else
    wire                is_byte = form == U8 || form == S8;
    wire                is_half = form == U16 || form == S16;
//% end
    wire                signs   = form == S8 || form == S16;
//% if ONE then
    // the pass of the lanes, and these within it
    wire [LANES-1:0]  who_1 = answer_1 ? lanes : lanes_1;
    reg  [${L.PASS_W - 1}:0]        pass_1;
    reg  [ALUS-1:0]   part_1;

    integer k;

    always @* begin
        pass_1 = ${L.PASS_W}'d0;
        part_1 = {ALUS{1'b0}};
        for (k = 0; k < ${P}; k = k + 1) begin
            part_1 = part_1 | who_1[k*ALUS +: ALUS];
            if (who_1[k*ALUS +: ALUS] != {ALUS{1'b0}})
                pass_1 = pass_1 | k[${L.PASS_W - 1}:0];
        end
    end

    wire [ALUS*SECTOR_W-1:0] places_of = places_1[pass_1*ALUS*SECTOR_W +: ALUS*SECTOR_W];
    wire [32*ALUS-1:0]       cut;

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            wire [SECTOR_W-1:0] place = places_of[i*SECTOR_W +: SECTOR_W];
//% if SAME then
            wire [31:0] word   = word_1;
//% else
//%     if WORD_W > 0 then
            wire [31:0] loaded = sector_1[place[SECTOR_W-1:2]*32 +: 32];
//%     else
            wire [31:0] loaded = sector_1;
//%     end
            wire [31:0] word   = answer_1 ? loaded : words_1[i*32 +: 32];
//% end
            wire [15:0] upper  = place[1] ? word[31:16] : word[15:0];
            wire [7:0]  low    = place[0] ? upper[15:8] : upper[7:0];

            assign cut[i*32 +: 32] =
                is_byte ? {{24{signs && low[7]}}, low} :
                is_half ? {{16{signs && upper[15]}}, upper} : word;
        end
    endgenerate

    // ------------------------------------------------------------------
    // Stage 2

    reg [ALUS-1:0]     part_2;
    reg [${L.PASS_W - 1}:0]          pass_2;
    reg [TICKET_W-1:0] of_2;
    reg [32*ALUS-1:0]  cut_2;

    always @(posedge clk) begin
        if (rst)
            part_2 <= {ALUS{1'b0}};
        else
            part_2 <= part_1 & {ALUS{valid_1}};
    end

    always @(posedge clk) begin
        of_2   <= of_1;
        pass_2 <= pass_1;
        cut_2  <= cut;
    end

    ${prefix}ndp_ram_parts #(
        .PARTS     (ALUS),
        .PART_W    (32),
        .WORDS     (${L.TICKETS * P}),
        .ADDRESS_W (${clog2(L.TICKETS * P)})
    ) rows (
        .clk     (clk),
        .wr_en   (part_2),
        .wr_addr ({of_2, pass_2}),
        .wr_data (cut_2),
        .rd_en   (rd_en),
        .rd_addr ({rd_of, rd_pass}),
        .rd_data (row)
    );
//% else
    wire [32*LANES-1:0] cut;

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            wire [SECTOR_W-1:0] place = places_1[i*SECTOR_W +: SECTOR_W];
//% if WORD_W > 0 then
            wire [31:0] loaded = sector_1[place[SECTOR_W-1:2]*32 +: 32];
//% else
            wire [31:0] loaded = sector_1;
//% end
            wire [31:0] word   = answer_1 ? loaded
                                          : words_1[(i%ALUS)*32 +: 32];
            wire [15:0] upper  = place[1] ? word[31:16] : word[15:0];
            wire [7:0]  low  = place[0] ? upper[15:8] : upper[7:0];

            assign cut[i*32 +: 32] =
                is_byte ? {{24{signs && low[7]}}, low} :
                is_half ? {{16{signs && upper[15]}}, upper} : word;
        end
    endgenerate

    // ------------------------------------------------------------------
    // Stage 2

    reg [LANES-1:0]    lanes_2;
    reg [TICKET_W-1:0] of_2;
    reg [32*LANES-1:0] cut_2;

    always @(posedge clk) begin
        if (rst)
            lanes_2 <= {LANES{1'b0}};
        else
            lanes_2 <= (answer_1 ? lanes : lanes_1) & {LANES{valid_1}};
    end

    always @(posedge clk) begin
        of_2  <= of_1;
        cut_2 <= cut;
    end

    ${prefix}ndp_ram_parts #(
        .PARTS     (LANES),
        .PART_W    (32),
        .WORDS     (TICKETS),
        .ADDRESS_W (TICKET_W)
    ) rows (
        .clk     (clk),
        .wr_en   (lanes_2),
        .wr_addr (of_2),
        .wr_data (cut_2),
        .rd_en   (rd_en),
        .rd_addr (rd_of),
        .rd_data (row)
    );
//% end
endmodule

`default_nettype wire
