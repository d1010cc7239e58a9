//% use "ndp_offload_lowest.v"
//% use "ndp_offload_receiver_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local BEAT_W = clog2(L.ROW_FLITS)
//% local long = L.ROW_FLITS > 1
//% local names = { "WARP_W", "INDEX_W", "REGS", "REG_W", "LANES", "LINE_W", "LINES_W",
//%     "PC_W", "ROW_W" }
//% if long then names[#names + 1], names[#names + 2] = "ROW_FLITS", "FLIT_W" end
${header{title = "offload controller: acknowledgements", text = [[
Takes the acknowledgement packets of offloaded blocks apart: a header, the
live-out registers in ascending order, then the lines that the block has
written.  Registers go into the register file, lines are invalidated in the L1
cache, and then, not before, the warp goes on behind the block.

The acknowledgement of a warp that is not away (a stray one) is read to its end
and changes nothing.

States:
    IDLE     for a header
    LOOK     read the metadata, unless the packet engine does, and the warp
    OPEN     they are there
    NEXT     the next register, line, or the end
    ROW      flits of a register
    WRITE    it, into the register file
    LINE     a flit with a line
    INVAL    it, to the L1 cache
    RELEASE  the warp]]}}
`default_nettype none

module ${prefix}ndp_offload_receiver (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high

    // ack: acknowledgement packets
    input  wire          ack_valid,       // a flit
    output wire          ack_ready,       // taken
    input  wire ${w(L.FLIT_W)} ack_data,        // flit

    // metadata and the state of the warp
    input  wire          fetch,           // the packet engine reads the metadata
    output wire          look,            // read both
    output reg  ${w(L.INDEX_W)} look_index,      // of this entry
    output reg  ${w(L.WARP_W)} look_warp,       // and this warp
    input  wire ${w(L.PC_W)} packet_end,      // end pc, after that edge
    input  wire ${w(L.REGS)} packet_out,      // live-out registers
    input  wire          found,           // the warp was away

    // reg_write: live-out registers
    output wire          reg_write_valid, // a row
    input  wire          reg_write_ready, // taken
    output wire ${w(L.WARP_W)} reg_write_warp,  // warp
    output wire ${w(L.REG_W)} reg_write_reg,   // register
    output wire ${w(L.LANES)} reg_write_mask,  // lanes to write
    output wire ${w(L.ROW_W)} reg_write_row,   // the row

    // inval: lines that the block has written
    output wire          inval_valid,     // a line to invalidate
    input  wire          inval_ready,     // taken
    output wire ${w(L.LINE_W)} inval_line,      // its address over 128

    // release: warps that go on
    output wire          release_valid,   // the block of a warp is done
    input  wire          release_ready,   // taken
    output wire ${w(L.WARP_W)} release_warp,    // warp
    output wire ${w(L.PC_W)} release_pc,      // instruction after the block
    output wire          stray_end        // a stray acknowledgement ends
);
${localparams(table.unpack(names))}

    localparam [3:0] IDLE    = 4'd0;
    localparam [3:0] LOOK    = 4'd1;
    localparam [3:0] OPEN    = 4'd2;
    localparam [3:0] NEXT    = 4'd3;
    localparam [3:0] ROW     = 4'd4;
    localparam [3:0] WRITE   = 4'd5;
    localparam [3:0] LINE    = 4'd6;
    localparam [3:0] INVAL   = 4'd7;
    localparam [3:0] RELEASE = 4'd8;

    reg [3:0] state;
    reg       stray; // the warp is not away

    // ------------------------------------------------------------------
    // Header and metadata

    reg [LANES-1:0]   mask;
    reg [LINES_W-1:0] lines; // lines to come
    reg               lines_left; // there are some
    reg [PC_W-1:0]    end_pc;

    always @(posedge clk) begin
        if (state == IDLE)
            {mask, look_index, look_warp} <=
                ack_data[WARP_W+INDEX_W+LANES-1:0];
    end

    wire [LINES_W-1:0] ack_lines = ack_data[WARP_W+INDEX_W+LANES +: LINES_W];

    always @(posedge clk) begin
        if (state == IDLE) begin
            lines      <= ack_lines;
            lines_left <= ack_lines != {LINES_W{1'b0}};
        end else if (state == LINE && ack_valid) begin
            lines      <= lines - 1'b1;
            lines_left <= lines != {{(LINES_W-1){1'b0}}, 1'b1};
        end
    end

    always @(posedge clk) begin
        if (state == OPEN) begin
            end_pc <= packet_end;
            stray  <= !found;
        end
    end

    assign look = state == LOOK && !fetch;

    // ------------------------------------------------------------------
    // Registers to come

    reg  [REGS-1:0]  left; // not begun
    reg              none_left; // there are none of them
    reg  [REG_W-1:0] register;
    wire [REG_W-1:0] lowest_reg;
    wire [REGS-1:0]  rest;
    wire             others;

    ${prefix}ndp_offload_lowest #(
        .N       (REGS),
        .INDEX_W (REG_W)
    ) lowest (
        .set   (left),
        .index (lowest_reg),
        .rest  (rest),
        .more  (others)
    );

    always @(posedge clk) begin
        if (state == OPEN) begin
            left      <= packet_out;
            none_left <= packet_out == {REGS{1'b0}};
        end else if (state == NEXT) begin
            left      <= rest;
            none_left <= !others;
        end
    end

    always @(posedge clk) begin
        if (state == NEXT)
            register <= lowest_reg;
    end

    // ------------------------------------------------------------------
    // Row and line

    wire flit = state == ROW && ack_valid;
    wire last_flit; // it is the row's last
//% if long then

    localparam BEAT_W = ${BEAT_W};
    localparam [BEAT_W-1:0] LAST = ROW_FLITS[BEAT_W-1:0] - 1'b1;

    reg [BEAT_W-1:0] beat; // flits of the row that have come

    assign last_flit = beat == LAST;

    always @(posedge clk) begin
        if (state == NEXT)
            beat <= {BEAT_W{1'b0}};
        else if (flit)
            beat <= beat + 1'b1;
    end
//% else

    assign last_flit = 1'b1;
//% end

    reg [ROW_W-1:0] row; // lowest bits come first

    always @(posedge clk) begin
        if (flit)
            row <= ${long and "{ack_data, row[ROW_W-1:FLIT_W]}" or "ack_data"};
    end

    reg [LINE_W-1:0] line;

    always @(posedge clk) begin
        if (state == LINE)
            line <= ack_data[LINE_W-1:0];
    end

    // ------------------------------------------------------------------
    // State

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (ack_valid)
                         state <= LOOK;
            LOOK:    if (!fetch)
                         state <= OPEN;
            OPEN:    state <= NEXT;
            NEXT:    if (!none_left)
                         state <= ROW;
                     else if (lines_left)
                         state <= LINE;
                     else
                         state <= stray ? IDLE : RELEASE;
            ROW:     if (ack_valid && last_flit)
                         state <= stray ? NEXT : WRITE;
            WRITE:   if (reg_write_ready)
                         state <= NEXT;
            LINE:    if (ack_valid)
                         state <= stray ? NEXT : INVAL;
            INVAL:   if (inval_ready)
                         state <= NEXT;
            RELEASE: if (release_ready)
                         state <= IDLE;
            default: state <= IDLE;
            endcase
        end
    end

    // ------------------------------------------------------------------
    // Outputs

    assign ack_ready       = state == IDLE || state == ROW || state == LINE;
    assign reg_write_valid = state == WRITE;
    assign reg_write_warp  = reg_write_valid ? look_warp : {WARP_W{1'b0}};
    assign reg_write_reg   = reg_write_valid ? register : {REG_W{1'b0}};
    assign reg_write_mask  = reg_write_valid ? mask : {LANES{1'b0}};
    assign reg_write_row   = reg_write_valid ? row : {ROW_W{1'b0}};
    assign inval_valid     = state == INVAL;
    assign inval_line      = inval_valid ? line : {LINE_W{1'b0}};
    assign release_valid   = state == RELEASE;
    assign release_warp    = release_valid ? look_warp : {WARP_W{1'b0}};
    assign release_pc      = release_valid ? end_pc : {PC_W{1'b0}};
    assign stray_end       = state == NEXT && none_left && !lines_left && stray;

`ifdef FORMAL
`include "${prefix}ndp_offload_receiver_formal.vh"
`endif
endmodule

`default_nettype wire
