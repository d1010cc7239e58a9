//% use "ndp_ram.v"
//% local by_pc = L.BY_PC == 1
//% local names = { "INDEX_W", "ENTRIES", "COUNT_W", "VERDICT_W", "PACKET_W", "ENTRY_W" }
//% if by_pc then names[#names + 1] = "PC_W" end
//% local function w(n) return pad(range(n), 8) end
${header{title = "offload controller: metadata table", text = [[
What the compiler says about each candidate block, in two memories: the verdict
half is read once for each request, the packet half for each packet in either
direction.  The number of live-in registers is in both.

After reset an initialiser writes zero into one entry of both memories an edge;
a zero entry is not valid.

Handshake: load_ready stays high once all entries are written; a load writes on
its edge.  verdict and packet show the entry after the edge with their read, and
keep it.  The driver does not load an entry that is read on the same edge.]]}}
`default_nettype none

module ${prefix}ndp_offload_table (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high

    // load: entries from the driver
    input  wire          load_valid,    // an entry
    output reg           load_ready,    // the table is initialised
    input  wire ${w(L.INDEX_W)} load_index,    // its number
    input  wire ${w(L.ENTRY_W)} load_entry,    // packet half above verdict half
//% if by_pc then

    // every write, of the driver and of the initialiser
    output wire          write,         // an entry is written
    output wire ${w(L.INDEX_W)} write_index,   // its number
    output wire          write_valid,   // it exists
    output wire ${w(L.PC_W)} write_pc,      // its begin pc
//% end

    // decisions
    input  wire          verdict_read,  // read the verdict half
    input  wire ${w(L.INDEX_W)} verdict_index, // of this entry
    output wire ${w(L.VERDICT_W)} verdict,       // it

    // packets
    input  wire          packet_read,   // read the packet half
    input  wire ${w(L.INDEX_W)} packet_index,  // of this entry
    output wire ${w(L.PACKET_W)} packet         // it
);
${localparams(table.unpack(names))}

    reg [INDEX_W-1:0] init_index; // next entry to be written with zero

    always @(posedge clk) begin
        if (rst) begin
            init_index <= {INDEX_W{1'b0}};
            load_ready <= 1'b0;
        end else begin
            init_index <= init_index + 1'b1;
            load_ready <= load_ready || &init_index;
        end
    end

//% if not by_pc then
    wire               write;
    wire [INDEX_W-1:0] write_index;
//% end
    wire [ENTRY_W-1:0] entry;

    assign write       = !rst && (load_valid || !load_ready);
    assign write_index = load_ready ? load_index : init_index;
    assign entry       = load_ready ? load_entry : {ENTRY_W{1'b0}};
//% if by_pc then
    assign write_valid = entry[0];
    assign write_pc    = entry[VERDICT_W +: PC_W];
//% end

    ${prefix}ndp_ram #(
        .WIDTH     (VERDICT_W),
        .WORDS     (ENTRIES),
        .ADDRESS_W (INDEX_W)
    ) verdicts (
        .clk     (clk),
        .wr_en   (write),
        .wr_addr (write_index),
        .wr_data (entry[VERDICT_W-1:0]),
        .rd_en   (verdict_read),
        .rd_addr (verdict_index),
        .rd_data (verdict)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (PACKET_W),
        .WORDS     (ENTRIES),
        .ADDRESS_W (INDEX_W)
    ) packets (
        .clk     (clk),
        .wr_en   (write),
        .wr_addr (write_index),
        .wr_data (entry[ENTRY_W-1:VERDICT_W-COUNT_W]),
        .rd_en   (packet_read),
        .rd_addr (packet_index),
        .rd_data (packet)
    );
endmodule

`default_nettype wire
