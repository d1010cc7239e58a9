//% use "ndp_regs.v"
//% use "ndp_ram.v"
//% use "ndp_bist_random.v"
//% use "ndp_bist_fold.v"
//% use "ndp_bist_formal.vh"
//% local PIECES = L.PIECES
${header{title = "stimulus and signature of a block under test", text = [[
Plays words of a memory to all inputs of a block, one an edge, and folds all its
outputs after every edge into a signature.

    words -> word -> xor -> stim -> block under test -> resp -> seen -> signature
    random -> mask --^                                           `--> outputs

A word has all inputs in its lower bits and the reset of the block above them.

Parameters: all sizes are generated; see the localparams.

Handshake: none but Wishbone's.

Latency: the first stimulus shows two edges after the command `run`; a pass of n
edges takes n + 5.

Contract: no word is played before it was written.

See docs/blocks/bist.md.]]}}
`default_nettype none

module ${prefix}ndp_bist (
${ports{reg = {"stim_rst", "stim_bits"}}}
);
${localparams("IN_W", "OUT_W", "WINDOW", "ADDR_W", "WORD_W", "SHOWN_W")}

    localparam [31:0] BEGIN_SIGNATURE = 32'hffff_ffff;

    // ------------------------------------------------------------------
    // Registers

//% for _, c in ipairs(iface.commands) do
    wire command_${pad(c.name .. ";", 6)} // ${c.doc}
//% end

//% for _, s in ipairs(iface.settings) do
    wire ${pad(range(s.width), 6)} ${pad(s.name .. ";", 9)} // ${s.doc}
//% end

    reg             busy;
    reg             differs;
    reg [31:0]      left;
    reg [31:0]      signature;
    reg [OUT_W-1:0] seen;
    reg             playing;

    wire [1:0]         status_state   = {differs, busy};
    wire [SHOWN_W-1:0] status_outputs = seen[SHOWN_W-1:0];

    ${prefix}ndp_bist_regs regs (
        .clk              (clk),
        .rst              (rst),
        .wb_cyc           (wb_cyc),
        .wb_stb           (wb_stb),
        .wb_we            (wb_we),
        .wb_adr           (wb_adr),
        .wb_dat_w         (wb_dat_w),
        .wb_sel           (wb_sel),
        .wb_dat_r         (wb_dat_r),
        .wb_ack           (wb_ack),
//% for _, s in ipairs(iface.settings) do
        .${pad(s.name, 16)} (${s.name}),
//% end
        .count_edges      (playing),
        .status_state     (status_state),
        .status_left      (left),
        .status_signature (signature),
        .status_outputs   (status_outputs),
        .status_in_bits   (IN_W[9:0]),
        .status_out_bits  (OUT_W[9:0]),
        .status_window    (WINDOW[12:0]),
//% for i, c in ipairs(iface.commands) do
        .${pad("command_" .. c.name, 16)} (command_${c.name})${i < #iface.commands and "," or ""}
//% end
    );

    assign show_busy    = busy;
    assign show_differs = differs;

    // ------------------------------------------------------------------
    // A word or a mask in the making, piece by piece

    reg [ADDR_W-1:0] index;
    reg [WORD_W-1:0] hand;
    reg              storing; // it is whole, and a word

    wire taken = (command_piece || command_free) && !busy;
//% if PIECES == 1 then
    wire whole = 1'b1;

    always @(posedge clk) begin
        if (rst)
            hand <= {WORD_W{1'b0}};
        else if (taken)
            hand <= wb_dat_w[${L.WORD_W - 1}:0];
    end
//% else
//% local PIECE_W = clog2(PIECES)

    reg [${PIECE_W - 1}:0] piece;

    wire whole = piece == ${PIECE_W}'d${PIECES - 1};

    always @(posedge clk) begin
        if (rst || command_index && !busy)
            piece <= ${PIECE_W}'d0;
        else if (taken)
            piece <= whole ? ${PIECE_W}'d0 : piece + ${PIECE_W}'d1;
    end

//%     for i = 0, PIECES - 1 do
//%         local hi = math.min(32 * i + 31, L.WORD_W - 1)
//%         local bits = hi == 32 * i and hi or hi .. ":" .. 32 * i
    always @(posedge clk) begin
        if (rst)
            hand[${bits}] <= ${hi - 32 * i + 1}'d0;
        else if (taken && piece == ${PIECE_W}'d${i})
            hand[${bits}] <= wb_dat_w[${hi == 32 * i and 0 or hi - 32 * i .. ":0"}];
    end

//%     end
//% end
    always @(posedge clk) begin
        if (rst)
            storing <= 1'b0;
        else
            storing <= taken && whole && command_piece;
    end

    always @(posedge clk) begin
        if (rst)
            index <= {ADDR_W{1'b0}};
        else if (command_index && !busy)
            index <= wb_dat_w[ADDR_W-1:0];
        else if (storing)
            index <= index + {{ADDR_W-1{1'b0}}, 1'b1};
    end

    // ------------------------------------------------------------------
    // Runs of passes

    reg fetching;
    reg fetched;
    reg shown;   // an edge was played, and its outputs show
    reg folding; // they are in seen
    reg ending;  // and the signature has them all

    wire wrong   = signature != expected;
    wire is_last = left == 32'd1;
    wire over    = ending && (wrong || is_last);
    wire begins  = command_run && !busy || ending && !over;

    always @(posedge clk) begin
        if (rst || command_stop)
            busy <= 1'b0;
        else if (over)
            busy <= 1'b0;
        else if (command_run)
            busy <= 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            differs <= 1'b0;
        else if (command_run && !busy)
            differs <= 1'b0;
        else if (ending && wrong && !command_stop)
            differs <= 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            left <= 32'd0;
        else if (command_run && !busy)
            left <= wb_dat_w;
        else if (ending && !wrong && !command_stop)
            left <= left - 32'd1;
    end

    // ------------------------------------------------------------------
    // A pass: words

    reg  [ADDR_W-1:0] at;
    reg  [31:0]       togo; // words to fetch
    wire [WORD_W-1:0] word;

    always @(posedge clk) begin
        if (rst) begin
            at   <= {ADDR_W{1'b0}};
            togo <= 32'd0;
        end else if (begins && !command_stop) begin
            at   <= {ADDR_W{1'b0}};
            togo <= length;
        end else if (fetching && !command_stop) begin
            at   <= at == last ? again : at + {{ADDR_W-1{1'b0}}, 1'b1};
            togo <= togo - 32'd1;
        end
    end

    always @(posedge clk) begin
        if (rst || command_stop) begin
            fetching <= 1'b0;
            fetched  <= 1'b0;
            playing  <= 1'b0;
            shown    <= 1'b0;
            folding  <= 1'b0;
            ending   <= 1'b0;
        end else begin
            fetching <= begins || fetching && togo != 32'd1;
            fetched  <= fetching;
            playing  <= fetched;
            shown    <= playing;
            folding  <= shown;
            ending   <= folding && !shown;
        end
    end

    ${prefix}ndp_ram #(
        .WIDTH     (WORD_W),
        .WORDS     (WINDOW),
        .ADDRESS_W (ADDR_W)
    ) window (
        .clk     (clk),
        .wr_en   (storing && !rst), // reset leaves the words as they are
        .wr_addr (index),
        .wr_data (hand),
        .rd_en   (fetching),
        .rd_addr (at),
        .rd_data (word)
    );

    // ------------------------------------------------------------------
    // Stimulus, with its free bits

    wire [IN_W-1:0] random;

    ${prefix}ndp_bist_random source (
        .clk    (clk),
        .rst    (rst),
        .begins (begins && !command_stop),
        .seed   (seed),
        .step   (fetched && !command_stop),
        .random (random)
    );

    always @(posedge clk) begin
        if (rst || command_stop || !fetched) begin
            stim_rst  <= 1'b1;
            stim_bits <= {IN_W{1'b0}};
        end else begin
            stim_rst  <= word[IN_W];
            stim_bits <= word[IN_W-1:0] ^ (random & hand[IN_W-1:0]);
        end
    end

    // ------------------------------------------------------------------
    // Outputs and their signature

    wire [31:0] fold;

    ${prefix}ndp_bist_fold folder (
        .bits (seen),
        .fold (fold)
    );

    always @(posedge clk) begin
        if (rst)
            seen <= {OUT_W{1'b0}};
        else if (shown && !command_stop)
            seen <= resp_bits;
        else if (command_next && !busy)
            seen <= ${L.OUT_W > 32 and "{32'd0, seen[OUT_W-1:32]}" or "{OUT_W{1'b0}}"};
    end

    always @(posedge clk) begin
        if (rst)
            signature <= 32'd0;
        else if (begins && !command_stop)
            signature <= BEGIN_SIGNATURE;
        else if (folding && !command_stop)
            signature <= {signature[30:0], 1'b0} ^ (signature[31] ? 32'h04c1_1db7 : 32'd0) ^ fold;
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_bist_formal.vh"
`endif
endmodule

`default_nettype wire
