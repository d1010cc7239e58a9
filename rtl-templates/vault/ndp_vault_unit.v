//% use "ndp_bank.v"
//% use "ndp_lowest.v"
//% use "ndp_queue.v"
//% use "ndp_ram.v"
//% use "ndp_ram_parts.v"
//% use "ndp_round_robin.v"
//% use "ndp_vault_line.v"
//% use "ndp_vault_unit_formal.vh"
//% local TURNS = L.BANKS + 2
//% local function w(n) return pad(range(n), 9) end
${header{title = "banks of a near-bank unit and their memory", text = [[
Requests wait in places while their bank decides when their burst moves; a line keeps
them until it would have crossed the bank's wires.  Then they take turns at the memory,
with requests beyond it and the host's words.

Parameters: all sizes and times are generated; see the localparams.

Latency: what is chosen on an edge is carried out on the next one, and shown after that.]]}}
`default_nettype none

module ${prefix}ndp_vault_unit (
    input  wire           clk,         // clock
    input  wire           rst,         // synchronous reset, active high

    // requests, as at the port
    input  wire           mem_valid,
    output wire           mem_ready,
    input  wire           mem_store,
    input  wire ${w(L.ID_W)} mem_id,
    input  wire ${w(L.OWN_W)} mem_address,
    input  wire ${w(L.WORDS)} mem_strobe,
    input  wire ${w(L.DATA_W)} mem_data,

    // responses
    output reg            rsp_valid,
    output reg  ${w(L.ID_W)} rsp_id,
    output reg            rsp_fault,
    output wire ${w(L.DATA_W)} rsp_data,

    // the host's word: its fields stay until the edge after its turn
    input  wire           win,         // there is one for this unit
    output wire           win_goes,    // its turn
    input  wire           win_write,
    input  wire           win_there,   // within the memory
    input  wire ${w(L.INDEX_W)} win_sector,
    input  wire ${w(L.WORD_W)} win_word,    // in its sector
    input  wire [31:0]    win_data,
    output wire ${w(L.DATA_W)} read,        // the sector that was read last

    // commands, by bank
    output wire ${w(L.BANKS)} cmd_valid,
    output wire ${w(L.BANKS * 3)} cmd_kind,
    output wire ${w(L.BANKS * L.BUFFER_W)} cmd_buffer,
    output wire ${w(L.BANKS * L.ROW_W)} cmd_row,
    output wire ${w(L.BANKS * L.COL_W)} cmd_column
);
${localparams("BANKS", "BANK_W", "BUFFER_W", "ROW_W", "COL_W", "HAVE_W", "INDEX_W", "SECTORS", "ID_W", "WORDS",
              "DATA_W", "PLACES", "PLACE_W", "BANK_ID_W", "KEPT_W")}

    localparam [2:0] RD = 3'd3; // kinds of commands
    localparam [2:0] WR = 3'd5;

    // ------------------------------------------------------------------
    // Entry

    reg               e_valid;
    reg               e_beyond; // the memory
    reg               e_store;
    reg [ID_W-1:0]    e_id;
    reg [INDEX_W-1:0] e_sector;
    reg [WORDS-1:0]   e_strobe;
    reg [DATA_W-1:0]  e_data;

    wire [BANKS-1:0]  room; // of its bank, by bank
    wire [BANK_W-1:0] e_bank = e_sector[COL_W +: BANK_W];

    reg  [PLACES-1:0]  used;  // places
    wire [PLACES-1:0]  first; // of those that are free
    wire [PLACE_W-1:0] place;

    wire goes     = e_valid && !e_beyond && room[e_bank] && used != {PLACES{1'b1}};
    wire far_goes; // beyond the memory
    wire takes    = mem_valid && mem_ready;

    assign mem_ready = !e_valid || goes;

    always @(posedge clk) begin
        if (rst)
            e_valid <= 1'b0;
        else if (takes)
            e_valid <= 1'b1;
        else if (goes || far_goes)
            e_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (takes) begin
//% if L.OWN_W > L.INDEX_W then
            e_beyond <= mem_address[${L.OWN_W - 1}:INDEX_W] != ${L.OWN_W - L.INDEX_W}'d0;
//% else
            e_beyond <= 1'b0; // every address is one of a sector
//% end
            e_store  <= mem_store;
            e_id     <= mem_id;
            e_sector <= mem_address[INDEX_W-1:0];
            e_strobe <= mem_strobe;
            e_data   <= mem_data;
        end
    end

    // ------------------------------------------------------------------
    // Places

    ${prefix}ndp_lowest #(
        .N       (PLACES),
        .INDEX_W (PLACE_W)
    ) free (
        .set   (~used),
        .first (first),
        .index (place)
    );

    wire               serves; // a bank's request is chosen
    reg  [PLACE_W-1:0] served; // its place, else zero

    always @(posedge clk) begin
        if (rst)
            used <= {PLACES{1'b0}};
        else
            used <= (used | (first & {PLACES{goes}})) &
                    ~({{(PLACES-1){1'b0}}, serves} << served);
    end

    wire [KEPT_W-1:0]  kept; // the request that was chosen on the edge before
    wire               k_store;
    wire [ID_W-1:0]    k_id;
    wire [INDEX_W-1:0] k_sector;
    wire [WORDS-1:0]   k_strobe;
    wire [DATA_W-1:0]  k_data;

    assign {k_data, k_strobe, k_sector, k_id, k_store} = kept;

    ${prefix}ndp_ram #(
        .WIDTH     (KEPT_W),
        .WORDS     (PLACES),
        .ADDRESS_W (PLACE_W)
    ) places (
        .clk     (clk),
        .wr_en   (goes),
        .wr_addr (place),
        .wr_data ({e_data, e_strobe, e_sector, e_id, e_store}),
        .rd_en   (serves),
        .rd_addr (served),
        .rd_data (kept)
    );

    // ------------------------------------------------------------------
    // Banks: their data are due some edges after a column command

    wire [BANKS*BANK_ID_W-1:0] ids;   // of their commands: places
    wire [BANKS-1:0]           due;   // a place enters the queue
    wire [BANKS*PLACE_W-1:0]   due_place;
    wire [BANKS-1:0]           shows; // a request may respond
    wire [BANKS-1:0]           pops;
    wire [BANKS*PLACE_W-1:0]   shown; // its place

    wire [ROW_W-1:0] e_row = ${L.ROW_W > L.HAVE_W and "{" .. L.ROW_W - L.HAVE_W .. "'d0, e_sector[INDEX_W-1 -: HAVE_W]}"
                               or "e_sector[INDEX_W-1 -: HAVE_W]"};

    genvar b;

    generate
        for (b = 0; b < BANKS; b = b + 1) begin : side
            wire has_room; // always: a place is in one queue

            ${prefix}ndp_bank bank (
                .clk        (clk),
                .rst        (rst),
                .req_valid  (goes && e_bank == b),
                .req_ready  (room[b]),
                .req_write  (e_store),
                .req_id     (${L.BANK_ID_W > L.PLACE_W and "{" .. L.BANK_ID_W - L.PLACE_W .. "'d0, place}" or "place"}),
                .req_row    (e_row),
                .req_column (e_sector[COL_W-1:0]),
                .cmd_valid  (cmd_valid[b]),
                .cmd_kind   (cmd_kind[3*b +: 3]),
                .cmd_buffer (cmd_buffer[b*BUFFER_W +: BUFFER_W]),
                .cmd_row    (cmd_row[b*ROW_W +: ROW_W]),
                .cmd_column (cmd_column[b*COL_W +: COL_W]),
                .cmd_id     (ids[b*BANK_ID_W +: BANK_ID_W])
            );

            ${prefix}ndp_vault_line line (
                .clk       (clk),
                .rst       (rst),
                .reads     (cmd_valid[b] && cmd_kind[3*b +: 3] == RD),
                .writes    (cmd_valid[b] && cmd_kind[3*b +: 3] == WR),
                .place     (ids[b*BANK_ID_W +: PLACE_W]),
                .due       (due[b]),
                .due_place (due_place[b*PLACE_W +: PLACE_W])
            );

            ${prefix}ndp_queue #(
                .WIDTH (PLACE_W),
                .DEPTH (PLACES)
            ) queue (
                .clk       (clk),
                .rst       (rst),
                .push      (due[b]),
                .in_word   (due_place[b*PLACE_W +: PLACE_W]),
                .can_push  (has_room),
                .pop       (pops[b]),
                .out_valid (shows[b]),
                .out_word  (shown[b*PLACE_W +: PLACE_W])
            );

            wire unused = &{1'b0, has_room${L.BANK_ID_W > L.PLACE_W and ", ids[b*BANK_ID_W+PLACE_W +: BANK_ID_W-PLACE_W]" or ""}};
        end
    endgenerate

    // ------------------------------------------------------------------
    // Turns

    wire [${TURNS - 1}:0] wants = {win, e_valid && e_beyond, shows};
    wire [${TURNS - 1}:0] chosen;
    wire [${clog2(TURNS) - 1}:0] who; // the bits of chosen are used instead

    ${prefix}ndp_round_robin #(
        .N       (${TURNS}),
        .INDEX_W (${clog2(TURNS)})
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (wants),
        .take    (wants != ${TURNS}'d0),
        .chosen  (chosen),
        .index   (who)
    );

    assign pops     = chosen[BANKS-1:0];
    assign far_goes = chosen[BANKS];
    assign win_goes = chosen[BANKS+1];
    assign serves   = pops != {BANKS{1'b0}};

    integer k;

    always @* begin
        served = {PLACE_W{1'b0}};
        for (k = 0; k < BANKS; k = k + 1)
            if (pops[k])
                served = served | shown[k*PLACE_W +: PLACE_W];
    end

    wire unused = &{1'b0, who};

    reg s_bank; // what was chosen on the edge before
    reg s_far;
    reg s_win;

    always @(posedge clk) begin
        s_bank <= !rst && serves;
        s_far  <= !rst && far_goes;
        s_win  <= !rst && win_goes;
    end

    // ------------------------------------------------------------------
    // Memory

    wire [WORDS-1:0] strobe = (k_strobe & {WORDS{s_bank && k_store}}) |
                              ({{(WORDS-1){1'b0}}, s_win && win_write && win_there} << win_word);

    ${prefix}ndp_ram_parts #(
        .PARTS     (WORDS),
        .PART_W    (32),
        .WORDS     (SECTORS),
        .ADDRESS_W (INDEX_W)
    ) memory (
        .clk     (clk),
        .wr_en   (strobe & {WORDS{!rst}}),
        .wr_addr (s_win ? win_sector : k_sector),
        .wr_data (s_win ? {WORDS{win_data}} : k_data),
        .rd_en   ((s_bank && !k_store) || (s_win && !win_write)),
        .rd_addr (s_win ? win_sector : k_sector),
        .rd_data (read)
    );

    // ------------------------------------------------------------------
    // Responses

    reg r_load; // the response is a load's

    always @(posedge clk) begin
        if (rst || !(s_bank || s_far)) begin
            rsp_valid <= 1'b0;
            rsp_id    <= {ID_W{1'b0}};
            rsp_fault <= 1'b0;
            r_load    <= 1'b0;
        end else begin
            rsp_valid <= 1'b1;
            rsp_id    <= s_far ? e_id : k_id; // of the entry's request, which may leave on this edge
            rsp_fault <= s_far;
            r_load    <= s_bank && !k_store;
        end
    end

    assign rsp_data = r_load ? read : {DATA_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_vault_unit_formal.vh"
`endif
endmodule

`default_nettype wire
