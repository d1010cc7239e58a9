//% use "ndp_offload_queue.v"
//% use "ndp_ram.v"
//% use "ndp_offload_lowest.v"
//% use "ndp_offload_sender_formal.vh"
//% local function w(n) return pad(range(n), 8) end
//% local JOB_W = L.WARP_W + L.INDEX_W + L.LANES + L.STACK_W + 1
//% local SAVED = L.SAVE_ROWS * L.ROW_FLITS
//% local WORDS = math.max(SAVED, 2) -- an address needs one bit
//% local BEAT_W = clog2(L.ROW_FLITS)
//% local long = L.ROW_FLITS > 1
//% local spare = L.FLIT_W - L.HEAD_W
//% local names = { "WARPS", "STACK_W", "WARP_W", "INDEX_W", "REGS", "REG_W", "COUNT_W",
//%     "LANES", "FLIT_W", "PC_W", "ROW_W" }
//% if long then names[#names + 1] = "ROW_FLITS" end
${header{title = "offload controller: packet engine", text = [[
Sends the request packet of each offloaded block: a header, then the live-in
registers in ascending order, ROW_FLITS flits each.  It also saves the live-in
registers of a block that is to be probed; the packet of such a block is made
from the saved ones.  One block at a time; a save goes before the next packet.

States:
    IDLE     take a save or a job
    FLUSH    the L1 cache drains the warp's writes
    FETCH    read the packet half of the metadata
    OPEN     it is there
    HEAD     the header to the link
    PICK     the next register
    READ     request its row from the register file
    WAIT     for the row
    STORE    a flit of the row into the memory of saved ones
    RESTORE  a flit out of it
    SEND     a flit to the link
    END      the packet is sent, or the registers are saved

Handshake: push has no refusal, there is a place for the job of every warp.
fetch has the metadata to itself.]]}}
`default_nettype none

module ${prefix}ndp_offload_sender (
    input  wire          clk,            // clock
    input  wire          rst,            // synchronous reset, active high

    // jobs
    input  wire          offer,          // a block may be offloaded
    input  wire          push,           // it is
    input  wire ${w(JOB_W)} job,            // {saved, stack, mask, index, warp}
    input  wire          save,           // registers are to be saved
    input  wire ${w(L.WARP_W)} save_warp,      // of this warp
    input  wire ${w(L.INDEX_W)} save_index,     // for this candidate
    output wire          save_done,      // they are saved
    output wire          saved_sent,     // a packet of saved ones is sent

    // metadata
    output wire          fetch,          // read the packet half
    output reg  ${w(L.INDEX_W)} fetch_index,    // of this entry
    input  wire ${w(L.PACKET_W)} packet,         // it, after that edge

    // flush: to the L1 cache
    output wire          flush_valid,    // drain the pending writes
    input  wire          flush_ready,    // all are drained
    output wire ${w(L.WARP_W)} flush_warp,     // warp that goes

    // reg_read: row requests to the register file
    output wire          reg_read_valid, // a row is requested
    input  wire          reg_read_ready, // taken
    output wire ${w(L.WARP_W)} reg_read_warp,  // warp
    output wire ${w(L.REG_W)} reg_read_reg,   // register
    input  wire          reg_data_valid, // the row comes
    input  wire ${w(L.ROW_W)} reg_data_row,   // row

    // tx: packets to the links
    output wire          tx_valid,       // a flit
    input  wire          tx_ready,       // taken
    output wire ${w(L.STACK_W)} tx_stack,       // destination
    output wire          tx_head,        // first flit of a packet
    output wire          tx_last,        // last flit of a packet
    output wire ${w(L.FLIT_W)} tx_data,        // flit
    output wire          reg_sent        // a register's last flit is taken
);
${localparams(table.unpack(names))}

    localparam JOB_W = WARP_W + INDEX_W + LANES + STACK_W + 1;

    localparam [3:0] IDLE    = 4'd0;
    localparam [3:0] FLUSH   = 4'd1;
    localparam [3:0] FETCH   = 4'd2;
    localparam [3:0] OPEN    = 4'd3;
    localparam [3:0] HEAD    = 4'd4;
    localparam [3:0] PICK    = 4'd5;
    localparam [3:0] READ    = 4'd6;
    localparam [3:0] WAIT    = 4'd7;
    localparam [3:0] STORE   = 4'd8;
    localparam [3:0] RESTORE = 4'd9;
    localparam [3:0] SEND    = 4'd10;
    localparam [3:0] END     = 4'd11;

    reg [3:0] state;

    // ------------------------------------------------------------------
    // Jobs

    wire               job_valid;
    wire               job_saved;
    wire [STACK_W-1:0] job_stack;
    wire [LANES-1:0]   job_mask;
    wire [INDEX_W-1:0] job_index;
    wire [WARP_W-1:0]  job_warp;

    ${prefix}ndp_offload_queue #(
        .WIDTH (JOB_W),
        .DEPTH (WARPS)
    ) jobs (
        .clk       (clk),
        .rst       (rst),
        .offer     (offer),
        .push      (push),
        .in_word   (job),
        .pop       (state == IDLE && !save),
        .out_valid (job_valid),
        .out_word  ({job_saved, job_stack, job_mask, job_index, job_warp})
    );

    reg               saving;   // registers are saved, no packet is sent
    reg               restores; // the packet is made from saved ones
    reg [STACK_W-1:0] stack;
    reg [LANES-1:0]   mask;
    reg [WARP_W-1:0]  warp;

    always @(posedge clk) begin
        if (state == IDLE) begin
            saving      <= save;
            restores    <= job_saved && !save;
            stack       <= job_stack;
            mask        <= job_mask;
            fetch_index <= save ? save_index : job_index;
            warp        <= save ? save_warp : job_warp;
        end
    end

    // ------------------------------------------------------------------
    // Metadata of the job

    wire [COUNT_W-1:0] packet_n_in;
    wire [PC_W-1:0]    packet_begin;
    wire [PC_W-1:0]    packet_end;
    wire [REGS-1:0]    packet_in;
    wire [REGS-1:0]    unused_out; // for the receiver

    assign {unused_out, packet_in, packet_end, packet_begin, packet_n_in} =
        packet;

    reg [COUNT_W-1:0] n_in;
    reg [PC_W-1:0]    begin_pc;
    reg [PC_W-1:0]    end_pc;

    always @(posedge clk) begin
        if (state == OPEN) begin
            n_in     <= packet_n_in;
            begin_pc <= packet_begin;
            end_pc   <= packet_end;
        end
    end

    // ------------------------------------------------------------------
    // Registers to go

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
            left      <= packet_in;
            none_left <= packet_in == {REGS{1'b0}};
        end else if (state == PICK) begin
            left      <= rest;
            none_left <= !others;
        end
    end

    always @(posedge clk) begin
        if (state == PICK)
            register <= lowest_reg;
    end

    // ------------------------------------------------------------------
    // Row

    wire flit_sent = state == SEND && tx_ready;
    wire last_flit; // it is the row's last
//% if long then
    wire flit_done = flit_sent || state == STORE;

    localparam BEAT_W = ${BEAT_W};
    localparam [BEAT_W-1:0] LAST = ROW_FLITS[BEAT_W-1:0] - 1'b1;

    reg [BEAT_W-1:0] beat; // flits of the row that are done

    assign last_flit = beat == LAST;

    always @(posedge clk) begin
        if (state == PICK)
            beat <= {BEAT_W{1'b0}};
        else if (flit_done)
            beat <= beat + 1'b1;
    end
//% else

    assign last_flit = 1'b1;
//% end

    reg [ROW_W-1:0] row; // its flits that are not done, lowest first

    always @(posedge clk) begin
        if (state == WAIT)
            row <= reg_data_row;
//% if long then
        else if (flit_done)
            row <= {{FLIT_W{1'b0}}, row[ROW_W-1:FLIT_W]};
//% end
    end

    // ------------------------------------------------------------------
    // Saved rows

    localparam SAVED_W = ${clog2(WORDS)};

    reg  [SAVED_W-1:0] saved_at; // next flit to store or to restore
    wire [FLIT_W-1:0]  restored;

    always @(posedge clk) begin
        if (state == OPEN)
            saved_at <= {SAVED_W{1'b0}};
        else if (state == STORE || state == RESTORE)
            saved_at <= saved_at + 1'b1;
    end

    ${prefix}ndp_ram #(
        .WIDTH     (FLIT_W),
        .WORDS     (${WORDS}),
        .ADDRESS_W (SAVED_W)
    ) saved (
        .clk     (clk),
        .wr_en   (state == STORE),
        .wr_addr (saved_at),
        .wr_data (row[FLIT_W-1:0]),
        .rd_en   (state == RESTORE),
        .rd_addr (saved_at),
        .rd_data (restored)
    );

    // ------------------------------------------------------------------
    // State

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
            IDLE:    if (save)
                         state <= FETCH;
                     else if (job_valid)
                         state <= FLUSH;
            FLUSH:   if (flush_ready)
                         state <= FETCH;
            FETCH:   state <= OPEN;
            OPEN:    state <= saving ? PICK : HEAD;
            HEAD:    if (tx_ready)
                         state <= none_left ? END : PICK;
            PICK:    if (none_left)
                         state <= END;
                     else
                         state <= restores ? RESTORE : READ;
            READ:    if (reg_read_ready)
                         state <= WAIT;
            WAIT:    if (reg_data_valid)
                         state <= saving ? STORE : SEND;
            STORE:   if (last_flit)
                         state <= none_left ? END : PICK;
            RESTORE: state <= SEND;
            SEND:    if (tx_ready)
                         state <= last_flit ? (none_left ? END : PICK)
                                            : (restores ? RESTORE : SEND);
            default: state <= IDLE;
            endcase
        end
    end

    assign save_done  = state == END && saving;
    assign saved_sent = state == END && restores;
    assign fetch      = state == FETCH;

    // ------------------------------------------------------------------
    // Outputs

    assign flush_valid    = state == FLUSH;
    assign flush_warp     = flush_valid ? warp : {WARP_W{1'b0}};
    assign reg_read_valid = state == READ;
    assign reg_read_warp  = reg_read_valid ? warp : {WARP_W{1'b0}};
    assign reg_read_reg   = reg_read_valid ? register : {REG_W{1'b0}};

    wire [FLIT_W-1:0] header = {${spare > 0 and spare .. "'d0, " or ""}n_in, mask, end_pc, begin_pc,
                                fetch_index, warp};

    assign tx_valid = state == HEAD || state == SEND;
    assign tx_stack = tx_valid ? stack : {STACK_W{1'b0}};
    assign tx_head  = state == HEAD;
    assign tx_last  = tx_valid && none_left && (tx_head || last_flit);
    assign tx_data  = tx_head  ? header :
                      tx_valid ? (restores ? restored : row[FLIT_W-1:0])
                               : {FLIT_W{1'b0}};
    assign reg_sent = flit_sent && last_flit;

`ifdef FORMAL
`include "${prefix}ndp_offload_sender_formal.vh"
`endif
endmodule

`default_nettype wire
