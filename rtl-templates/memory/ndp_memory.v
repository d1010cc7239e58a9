//% use "ndp_ram.v"
//% use "ndp_memory_word.v"
//% use "ndp_memory_formal.vh"
//% local WORDS_A = L.SECTOR // 4 -- words of a sector
//% local P2 = L.BYTE_W - 2       -- bits of a word's place in its sector
//% local PLACE_W = L.SECTOR_W + P2
//% local widths = {"SECTORS", "SECTOR_W", "SADDR_W", "SECTOR", "DATA_W", "ID_W"}
//% if L.LATENCY > 2 then -- as a ring of slots
//%     widths[#widths + 1] = "LATENCY"
//%     widths[#widths + 1] = "SLOT_W"
//% end
//% widths[#widths + 1] = "GAP_W"
//% widths[#widths + 1] = "ANSWER_W"
${header{title = "memory with a latency and a bandwidth", text = [[
A block RAM that answers requests for sectors after a fixed number of cycles,
carries out atomics on words, and has a window for the host.

    req --------------+
                      +-> read -> change, write back -> delay -> rsp
    win -> held word -+            +-> read

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; responses and
words that were read cannot be refused.  Fields are zero while valid is low.

Latency: a request that is taken on edge t is answered after edge t+LATENCY; a
word of the window is read after edge t+2 at the earliest.

See docs/blocks/memory.md.]]}}
`default_nettype none

module ${prefix}ndp_memory (
${ports{reg = {"read_valid", "read_data"}}}
);
${localparams(table.unpack(widths))}

    localparam PLACE_W  = ${pad(PLACE_W .. ";", 5)} // bits of a word's number

    localparam [GAP_W-1:0] GAP_LOAD  = ${L.INTERVAL - 1}; // after a load
    localparam [GAP_W-1:0] GAP_WRITE = ${math.max(L.INTERVAL - 1, 1)}; // after all else

    // ------------------------------------------------------------------
    // What begins on this edge

    reg              held;      // a word of the window
    reg              held_write;
    reg              held_there; // within the memory
    reg [PLACE_W-1:0] held_place; // where in it
    reg [31:0]       held_data;
    reg [GAP_W-1:0]  gap;       // edges until the next access may begin

    wire idle     = gap == {GAP_W{1'b0}};
    wire take_req = req_valid && req_ready;
    wire take_win = win_valid && win_ready;
    wire serve    = held && idle; // the window's word begins

    assign req_ready = !held && idle;
    assign win_ready = !held;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (take_win)
            held <= 1'b1;
        else if (serve)
            held <= 1'b0;
    end

    always @(posedge clk) begin
        if (take_win) begin
            held_write <= win_write;
            held_there <= win_address[29:PLACE_W] == ${30 - PLACE_W}'d0;
            held_place <= win_address[PLACE_W-1:0];
            held_data  <= win_data;
        end
    end

    always @(posedge clk) begin
        if (rst)
            gap <= {GAP_W{1'b0}};
        else if (take_req)
            gap <= req_op == 4'd0 ? GAP_LOAD : GAP_WRITE;
        else if (serve)
            gap <= ${L.GAP_W}'d1;
        else if (!idle)
            gap <= gap - 1'b1;
    end

    // ------------------------------------------------------------------
    // What began on the edge before

    reg               begun;    // a request
    reg               begun_win; // a word of the window
    reg               begun_write; // which is written
    reg               begun_there; // within the memory
    reg [3:0]         begun_op;
    reg [ID_W-1:0]    begun_id;
    reg [SECTOR_W-1:0] begun_sector;
    reg [SECTOR-1:0]  begun_strobe;
    reg [DATA_W-1:0]  begun_data;
    reg [31:0]        begun_compare;

    wire [SECTOR_W-1:0] sector = take_req ? req_address[SECTOR_W-1:0]
                                          : held_place${P2 > 0 and "[PLACE_W-1:" .. P2 .. "]" or ""};
    wire [SECTOR-1:0]  held_strobe = ${WORDS_A == 1 and "4'hf" or "{" .. L.SECTOR - 4 .. "'d0, 4'hf} << {held_place[" .. P2 - 1 .. ":0], 2'b00}"};

    always @(posedge clk) begin
        if (rst) begin
            begun     <= 1'b0;
            begun_win <= 1'b0;
        end else begin
            begun     <= take_req;
            begun_win <= serve;
        end
    end

    always @(posedge clk) begin
        if (take_req || serve) begin
            begun_write   <= held_write;
            begun_there   <= take_req ? req_address[SADDR_W-1:SECTOR_W] ==
                                        ${L.SADDR_W - L.SECTOR_W}'d0 : held_there;
            begun_op      <= req_op;
            begun_id      <= req_id;
            begun_sector  <= sector;
            begun_strobe  <= take_req ? req_strobe : held_strobe;
            begun_data    <= take_req ? req_data : {${WORDS_A}{held_data}};
            begun_compare <= req_compare;
        end
    end

    // ------------------------------------------------------------------
    // Change and write back

    wire is_load   = begun_op == 4'd0;
    wire is_store  = begun_op == 4'd1;
    wire is_atomic = !is_load && !is_store && begun_op <= 4'd11;

    wire [DATA_W-1:0] old; // the sector

//% if WORDS_A == 1 then
    wire [31:0] old_word  = old; // the only one; without a strobe nothing is written
    wire [31:0] data_word = begun_data;
    wire [31:0] new_word;
    wire        keeps; // there is none

//% else
    reg  [31:0] old_word;  // that the strobe names
    reg  [31:0] data_word;
    wire [31:0] new_word;
    wire        keeps; // there is none

    always @* begin
        old_word  = 32'd0;
        data_word = 32'd0;
//% for w = 0, WORDS_A - 1 do
        if (begun_strobe[${4 * w}]) begin
            old_word  = old_word | old[${32 * w + 31}:${32 * w}];
            data_word = data_word | begun_data[${32 * w + 31}:${32 * w}];
        end
//% end
    end

//% end
    ${prefix}ndp_memory_word change (
        .op      (begun_op),
        .old     (old_word),
        .data    (data_word),
        .compare (begun_compare),
        .keeps   (keeps),
        .value   (new_word)
    );

    wire changes = !rst && begun_there &&
                   ((begun && (is_store || (is_atomic && !keeps))) ||
                    (begun_win && begun_write));
    wire by_word = begun && is_atomic;

    wire [DATA_W-1:0] value = by_word ? {${WORDS_A}{new_word}} : begun_data;

    genvar i;
    generate
        for (i = 0; i < SECTOR; i = i + 1) begin : bytes
            ${prefix}ndp_ram #(
                .WIDTH     (8),
                .WORDS     (SECTORS),
                .ADDRESS_W (SECTOR_W)
            ) ram (
                .clk     (clk),
                .wr_en   (changes && begun_strobe[i]),
                .wr_addr (begun_sector),
                .wr_data (value[8*i +: 8]),
                .rd_en   (take_req || serve),
                .rd_addr (sector),
                .rd_data (old[8*i +: 8])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // Words for the host

    wire shows = begun_win && !begun_write;

    always @(posedge clk) begin
        if (rst || !shows) begin
            read_valid <= 1'b0;
            read_data  <= 32'd0;
        end else begin
            read_valid <= 1'b1;
            read_data  <= begun_there ? old_word : 32'd0;
        end
    end

    // ------------------------------------------------------------------
    // Delay: what is written on one edge is read LATENCY-1 edges later

    reg               shown;  // a response is at the output
    reg [DATA_W-1:0]  answer_data;

    integer b;

    always @* begin
        for (b = 0; b < SECTOR; b = b + 1)
            answer_data[8*b +: 8] = old[8*b +: 8] &
                {8{begun_there && (is_load || (is_atomic && begun_strobe[b]))}};
    end

//% if L.LATENCY == 2 then
    reg                filled; // one is between memory and output
    reg [ANSWER_W-1:0] between;
    reg [ANSWER_W-1:0] answer;

    always @(posedge clk) begin
        filled  <= !rst && begun;
        shown   <= !rst && filled;
        between <= {answer_data, !begun_there, begun_id};
        answer  <= between;
    end

//% else
    reg  [SLOT_W-1:0]   slot;   // that is written on this edge
    reg  [LATENCY-1:0]  filled; // slots with a response
    wire [ANSWER_W-1:0] answer;

    wire [SLOT_W-1:0] last_slot = ${L.SLOT_W}'d${L.LATENCY - 1};
    wire [SLOT_W-1:0] next_slot = slot == last_slot ? {SLOT_W{1'b0}}
                                                    : slot + 1'b1;

    always @(posedge clk) begin
        if (rst) begin
            slot   <= {SLOT_W{1'b0}};
            filled <= {LATENCY{1'b0}};
            shown  <= 1'b0;
        end else begin
            slot         <= next_slot;
            filled[slot] <= begun;
            shown        <= filled[next_slot];
        end
    end

    ${prefix}ndp_ram #(
        .WIDTH     (ANSWER_W),
        .WORDS     (LATENCY),
        .ADDRESS_W (SLOT_W)
    ) delay (
        .clk     (clk),
        .wr_en   (begun),
        .wr_addr (slot),
        .wr_data ({answer_data, !begun_there, begun_id}),
        .rd_en   (1'b1),
        .rd_addr (next_slot),
        .rd_data (answer)
    );

//% end
    assign rsp_valid = shown;
    assign {rsp_data, rsp_fault, rsp_id} = shown ? answer : {ANSWER_W{1'b0}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_memory_formal.vh"
`endif
endmodule

`default_nettype wire
