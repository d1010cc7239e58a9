//% use "ndp_ram.v"
//% use "ndp_vc_buffer_formal.vh"
${header{title = "input buffer of a link with virtual channels", text = [[
Keeps the words of each virtual channel in a ring of its own; all rings lie in one
memory, which may be a block RAM.  A tag of a few bits goes with each word, and
that of each channel's oldest word can be seen while it waits.

Parameters:
    WIDTH   bits of a word, 1 or more
    TAG_W   bits of a tag, 1 or more
    VCS     virtual channels, 2 or more
    VC_W    bits of a channel's number, clog2(VCS)
    DEPTH   words that each holds, a power of two, 2 or more

Handshake:
    push    the word enters on this edge; its sender must have had a credit
    take    one-hot or zero: the oldest word of that channel leaves, which must
            be there; word shows it from this edge on until the next one leaves

Latency: a word that comes on edge t waits after it.  One in and one out a cycle.

waiting is a function of registers; tags is zero where nothing waits.]]}}
`default_nettype none

module ${prefix}ndp_vc_buffer #(
    parameter WIDTH = 16,
    parameter TAG_W = 2,
    parameter VCS   = 2,
    parameter VC_W  = 1,
    parameter DEPTH = 4
) (
    input  wire                 clk,      // clock
    input  wire                 rst,      // synchronous reset, active high
    input  wire                 push,     // a word comes
    input  wire [VC_W-1:0]      push_vc,  // its virtual channel
    input  wire [TAG_W-1:0]     push_tag, // its tag
    input  wire [WIDTH-1:0]     push_word,// the word
    input  wire [VCS-1:0]       take,     // whose oldest word leaves
    input  wire [VC_W-1:0]      take_vc,  // the same as a number
    output wire [VCS-1:0]       waiting,  // bit v: v has a word
    output wire [VCS*TAG_W-1:0] tags,     // tag of each one's oldest word
    output wire [WIDTH-1:0]     word      // the word that left last
);
    localparam PLACE_W = $clog2(DEPTH);

    wire [VCS*PLACE_W-1:0] heads; // the oldest word of each
    wire [VCS*PLACE_W-1:0] tails; // the place of its next one

    genvar v;
    generate
        for (v = 0; v < VCS; v = v + 1) begin : ring
            reg [PLACE_W-1:0] head;
            reg [PLACE_W-1:0] tail;
            reg [PLACE_W:0]   count;
            reg [TAG_W-1:0]   kept [0:DEPTH-1];

            wire comes = push && push_vc == v[VC_W-1:0];

            assign heads[v*PLACE_W +: PLACE_W] = head;
            assign tails[v*PLACE_W +: PLACE_W] = tail;
            assign waiting[v]                  = count != 0;
            assign tags[v*TAG_W +: TAG_W]      = waiting[v] ? kept[head]
                                                            : {TAG_W{1'b0}};

            always @(posedge clk) begin
                if (rst) begin
                    head  <= {PLACE_W{1'b0}};
                    tail  <= {PLACE_W{1'b0}};
                    count <= {(PLACE_W+1){1'b0}};
                end else begin
                    if (take[v])
                        head <= head + 1'b1;
                    if (comes)
                        tail <= tail + 1'b1;
                    if (comes && !take[v])
                        count <= count + 1'b1;
                    else if (take[v] && !comes)
                        count <= count - 1'b1;
                end
            end

            always @(posedge clk) begin
                if (comes)
                    kept[tail] <= push_tag;
            end
        end
    endgenerate

    ${prefix}ndp_ram #(
        .WIDTH     (WIDTH),
        .WORDS     (VCS * DEPTH),
        .ADDRESS_W (VC_W + PLACE_W)
    ) store (
        .clk     (clk),
        .wr_en   (push),
        .wr_addr ({push_vc, tails[push_vc*PLACE_W +: PLACE_W]}),
        .wr_data (push_word),
        .rd_en   (|take),
        .rd_addr ({take_vc, heads[take_vc*PLACE_W +: PLACE_W]}),
        .rd_data (word)
    );

`ifdef FORMAL
`include "${prefix}ndp_vc_buffer_formal.vh"
`endif
endmodule

`default_nettype wire
