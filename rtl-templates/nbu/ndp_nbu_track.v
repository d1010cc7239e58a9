//% use "ndp_ram.v"
//% use "ndp_nbu_track_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "near-bank unit: register track table", text = [[
For each register of each warp, which register file holds a valid copy (far,
near), and whether a write of it is under way: the epoch that the last issued
write got (issued) against that of the last completed one (retired).

Five copies of both tables answer for the five operands of an instruction at
once.  They are block RAMs; a lookup that meets an update of its entry sees the
new value, by forwarding beside the RAM.

Latency: an entry asked for with lookup_valid is shown one edge later.

After reset the initialiser writes one entry an edge: a valid copy far, none
near, no write under way.  init_done rises with its last write; until then no
lookup, update or issue may come.]]}}
`default_nettype none

module ${prefix}ndp_nbu_track (
    input  wire         clk,           // clock
    input  wire         rst,           // synchronous reset, active high
    output wire         init_last,     // the last entry is being initialised
    output reg          init_done,     // all entries are initialised

    // lookup: five registers of one warp; register k has number k, from bit 0
    input  wire         lookup_valid,  // a lookup begins
    input  wire ${w(L.WARP_W)} lookup_warp,   // warp
    input  wire ${w(5 * L.REG_W)} lookup_regs,   // five registers
    output wire [4:0]   found_far,     // bit k: the far copy of k is valid
    output wire [4:0]   found_near,    // bit k: the near copy of k is valid
    output wire [4:0]   found_retired, // bit k: epoch of its last finished write
    output wire [4:0]   found_issued,  // bit k: epoch of its last issued write

    // update of the location and of the retired epoch
    input  wire         update_write,  // write an entry
    input  wire ${w(L.WARP_W)} update_warp,   // warp
    input  wire ${w(L.REG_W)} update_reg,    // register
    input  wire         update_far,    // the far copy is valid
    input  wire         update_near,   // the near copy is valid
    input  wire         update_epoch,  // retired epoch

    // issue of a write
    input  wire         issued_write,  // write an entry
    input  wire ${w(L.WARP_W)} issued_warp,   // warp
    input  wire ${w(L.REG_W)} issued_reg,    // register
    input  wire         issued_epoch   // its new epoch
);
${localparams("WARPS", "REGS", "WARP_W", "REG_W")}

    localparam ENTRY_W = WARP_W + REG_W; // entry {warp, register}
    localparam ENTRIES = WARPS * REGS;

    localparam [ENTRY_W-1:0] LAST = ENTRIES[ENTRY_W-1:0] - 1'b1;

    // ------------------------------------------------------------------
    // Initialiser

    reg [ENTRY_W-1:0] init_entry; // entry to be initialised next

    assign init_last = !init_done && init_entry == LAST;

    always @(posedge clk) begin
        if (rst) begin
            init_entry <= {ENTRY_W{1'b0}};
            init_done  <= 1'b0;
        end else if (!init_done) begin
            init_entry <= init_entry + 1'b1;
            init_done  <= init_last;
        end
    end

    // ------------------------------------------------------------------
    // Write ports, shared by all copies

    wire               track_en    = !init_done || update_write;
    wire [ENTRY_W-1:0] track_entry = init_done ? {update_warp, update_reg}
                                               : init_entry;
    wire [2:0]         track_data  = init_done ? {update_far, update_near,
                                                  update_epoch}
                                               : 3'b100;

    wire               issued_en    = !init_done || issued_write;
    wire [ENTRY_W-1:0] issued_entry = init_done ? {issued_warp, issued_reg}
                                                : init_entry;
    wire               issued_data  = init_done && issued_epoch;

    // What an update leaves behind for a lookup that met it.
    reg [2:0] forward_data;

    always @(posedge clk) begin
        forward_data <= {update_far, update_near, update_epoch};
    end

    // ------------------------------------------------------------------
    // Five copies.  The issued table needs no forwarding: only the
    // instruction in the pipeline can write entries of its warp.

    genvar k;

    generate
        for (k = 0; k < 5; k = k + 1) begin : operand
            wire [ENTRY_W-1:0] entry = {lookup_warp,
                                        lookup_regs[k*REG_W +: REG_W]};
            wire [2:0]         stored;
            reg                met; // an update wrote the entry while we read

            ${prefix}ndp_ram #(
                .WIDTH     (3),
                .WORDS     (ENTRIES),
                .ADDRESS_W (ENTRY_W)
            ) track (
                .clk     (clk),
                .wr_en   (track_en),
                .wr_addr (track_entry),
                .wr_data (track_data),
                .rd_en   (lookup_valid),
                .rd_addr (entry),
                .rd_data (stored)
            );

            ${prefix}ndp_ram #(
                .WIDTH     (1),
                .WORDS     (ENTRIES),
                .ADDRESS_W (ENTRY_W)
            ) issued (
                .clk     (clk),
                .wr_en   (issued_en),
                .wr_addr (issued_entry),
                .wr_data (issued_data),
                .rd_en   (lookup_valid),
                .rd_addr (entry),
                .rd_data (found_issued[k])
            );

            always @(posedge clk) begin
                met <= update_write && entry == {update_warp, update_reg};
            end

            assign {found_far[k], found_near[k], found_retired[k]} =
                met ? forward_data : stored;
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_nbu_track_formal.vh"
`endif
endmodule

`default_nettype wire
