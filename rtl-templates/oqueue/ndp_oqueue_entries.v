//% use "ndp_ram.v"
//% use "ndp_oqueue_entries_formal.vh"
//% local N = 1 << L.ENTRY_W
${header{title = "status entries of an offload queue", text = [[
Which entries are free, which wait for answers, and what answers do to them.

    ans -> stage -> done
              |  -> load is present, entry becomes free

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: an answer that is taken on edge t is at done after edge t+1 at the earliest;
one answer on every second edge.

See docs/blocks/oqueue.md.]]}}
`default_nettype none

module ${prefix}ndp_oqueue_entries (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // entries, told by the builder
    output wire ${pad(range(L.ENTRIES), 6)} free,         // bit i: entry i is free
    input  wire ${pad(range(L.ENTRIES), 6)} free_take,    // becomes busy
    input  wire ${pad(range(L.ENTRIES), 6)} free_back,    // becomes free
    input  wire        waits,        // one begins to wait for answers,
    input  wire ${pad(range(L.ENTRY_W), 6)} entry,        // this one
    input  wire ${pad(range(L.WAVE_W), 6)} wave,         // with this wavefront,
    input  wire ${pad(range(L.MASK_W), 6)} mask,         // these lanes,
    input  wire        two,          // and two loads

    // ans: answers to packets
    input  wire        ans_valid,    // an answer
    output wire        ans_ready,    // taken
    input  wire ${pad(range(L.ENTRY_W), 6)} ans_entry,    // entry
    input  wire [1:0]  ans_kind,     // what came
    input  wire        ans_second,   // the second load
    input  wire ${pad(range(L.MASK_W), 6)} ans_bits,     // of a bitmap

    // done: chains that have ended
    output reg         done_valid,   // a chain
    input  wire        done_ready,   // taken
    output reg  ${pad(range(L.WAVE_W), 6)} done_wave,    // wavefront
    output reg  ${pad(range(L.ENTRY_W), 6)} done_entry,   // entry
    output reg  [1:0]  done_how,     // how
    output reg  ${pad(range(L.MASK_W), 6)} done_mask,    // lanes that took part
    output reg  ${pad(range(L.MASK_W), 6)} done_bits,    // of a bitmap

    // what is counted
    output wire        count_ends,   // an entry becomes free
    output wire        count_locals, // because loads came back
    output wire        count_strays  // an answer to no entry that waits
);
${localparams("WAVE_W", "ENTRY_W", "ENTRIES", "MASK_W", "STATUS_W")}

    localparam [1:0] BITMAP = 2'd2; // kinds
    localparam [1:0] LOADED = 2'd3;

    reg [ENTRIES-1:0] busy;
    reg [ENTRIES-1:0] waiting;
    reg [ENTRIES-1:0] has_a;    // the first load came back
    reg [ENTRIES-1:0] has_b;    // the second one

    assign free = ~busy;

    // ------------------------------------------------------------------
    // The answer in the stage, and its entry's status

    reg               valid;
    reg               waited; // its entry did
    reg [ENTRY_W-1:0] at;
    reg [ENTRIES-1:0] at_bit;
    reg [1:0]         kind;
    reg               second;
    reg [MASK_W-1:0]  bits;

    wire [ENTRIES-1:0] ans_bit =
        ${L.ENTRIES == N and "" or "ans_entry >= " .. L.ENTRY_W .. "'d" .. L.ENTRIES .. " ? {ENTRIES{1'b0}} : "}{{ENTRIES-1{1'b0}}, 1'b1} << ans_entry;

    wire take = ans_valid && ans_ready;

    assign ans_ready = !valid;

    wire [STATUS_W-1:0] status;

    ${prefix}ndp_ram #(
        .WIDTH     (STATUS_W),
        .WORDS     (${N}),
        .ADDRESS_W (ENTRY_W)
    ) statuses (
        .clk     (clk),
        .wr_en   (waits),
        .wr_addr (entry),
        .wr_data ({mask, wave, two}),
        .rd_en   (take),
        .rd_addr (ans_entry),
        .rd_data (status)
    );

    wire              at_two  = status[${record.status.two.lsb}];
    wire [WAVE_W-1:0] at_wave = status[${record.status.wave.msb}:${record.status.wave.lsb}];
    wire [MASK_W-1:0] at_mask = status[${record.status.mask.msb}:${record.status.mask.lsb}];

    // ------------------------------------------------------------------
    // What it does

    wire other  = |(at_bit & (second ? has_a : has_b)); // the other load is there
    wire stray  = valid && !waited;
    wire part   = valid && waited && kind == LOADED && at_two && !other;
    wire room   = !done_valid || done_ready;
    wire ends   = valid && waited && !part && room;

    wire [ENTRIES-1:0] end_bit  = ends ? at_bit : {ENTRIES{1'b0}};
    wire [ENTRIES-1:0] part_bit = part ? at_bit : {ENTRIES{1'b0}};
    wire [ENTRIES-1:0] wait_bit = waits ? {{ENTRIES-1{1'b0}}, 1'b1} << entry :
                                          {ENTRIES{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            busy    <= {ENTRIES{1'b0}};
            waiting <= {ENTRIES{1'b0}};
            has_a   <= {ENTRIES{1'b0}};
            has_b   <= {ENTRIES{1'b0}};
        end else begin
            busy    <= (busy | free_take) & ~free_back & ~end_bit;
            waiting <= (waiting | wait_bit) & ~end_bit;
            has_a   <= (has_a | (second ? {ENTRIES{1'b0}} : part_bit)) & ~end_bit;
            has_b   <= (has_b | (second ? part_bit : {ENTRIES{1'b0}})) & ~end_bit;
        end
    end

    always @(posedge clk) begin
        if (rst)
            valid <= 1'b0;
        else
            valid <= take || (valid && !stray && !part && !ends);
        if (take) begin
            waited <= |(waiting & ans_bit);
            at     <= ans_entry;
            at_bit <= ans_bit;
            kind   <= ans_kind;
            second <= ans_second;
            bits   <= ans_bits;
        end
    end

    always @(posedge clk) begin
        if (rst || (room && !ends)) begin
            done_valid <= 1'b0;
            done_wave  <= {WAVE_W{1'b0}};
            done_entry <= {ENTRY_W{1'b0}};
            done_how   <= 2'd0;
            done_mask  <= {MASK_W{1'b0}};
            done_bits  <= {MASK_W{1'b0}};
        end else if (ends) begin
            done_valid <= 1'b1;
            done_wave  <= at_wave;
            done_entry <= at;
            done_how   <= kind;
            done_mask  <= at_mask;
            done_bits  <= kind == BITMAP ? bits & at_mask : {MASK_W{1'b0}};
        end
    end

    assign count_ends   = ends;
    assign count_locals = ends && kind == LOADED;
    assign count_strays = stray;

`ifdef FORMAL
`include "${prefix}ndp_oqueue_entries_formal.vh"
`endif
endmodule

`default_nettype wire
