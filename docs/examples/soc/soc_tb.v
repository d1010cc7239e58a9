// soc_tb.v - what a driver does with soc.v, told line by line (docs/soc.md).
//
// Ends with "soc: all right", or says what is not.  +wave=FILE draws the ports of the
// offload controller and of the bus; a cycle is 10 time units and begins with a rising
// edge.

`include "ndp_offload.vh"
`include "ndp_analyzer.vh"
`include "ndp_emn.vh"

`default_nettype none

module soc_tb;
    localparam OFFLOAD  = 14'h0000;
    localparam ANALYZER = 14'h1000;
    localparam EMN      = 14'h2000;
    localparam MAILBOX  = 14'h3000;
    localparam LANES    = `NDP_OFFLOAD_LANES;

    reg         clk = 1'b1;
    reg         rst = 1'b1;
    reg         cyc = 1'b0;
    reg         stb = 1'b0;
    reg         we = 1'b0;
    reg  [13:0] adr = 14'd0;
    reg  [31:0] dat_w = 32'd0;
    wire [31:0] dat_r;
    wire        ack;
    wire        irq;

    soc soc (
        .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(we), .adr(adr),
        .dat_w(dat_w), .sel(4'hf), .dat_r(dat_r), .ack(ack), .irq(irq)
    );

    always #5 clk = !clk;

    // for the waveform
    wire       ask_valid     = soc.controller.ask_valid;
    wire       ans_valid     = soc.controller.ans_valid;
    wire       ans_offload   = soc.controller.ans_offload;
    wire       tx_valid      = soc.controller.tx_valid;
    wire       reply_valid   = soc.controller.ack_valid;
    wire       write_valid   = soc.controller.reg_write_valid;
    wire       release_valid = soc.controller.release_valid;

    // ------------------------------------------------------------------
    // Bus

    integer    bad = 0;
    reg [31:0] got;

    task access(input writes, input [13:0] at, input [31:0] data);
        begin
            cyc   <= 1'b1;
            stb   <= 1'b1;
            we    <= writes;
            adr   <= at;
            dat_w <= data;
            @(posedge clk);
            while (!ack)
                @(posedge clk);
            got = dat_r;
            cyc   <= 1'b0;
            stb   <= 1'b0;
            we    <= 1'b0;
            @(posedge clk);
        end
    endtask

    task write(input [13:0] at, input [31:0] data);
        access(1'b1, at, data);
    endtask

    task read(input [13:0] at);
        access(1'b0, at, 32'd0);
    endtask

    task expect_word(input [8*40-1:0] what, input [31:0] value);
        begin
            $display("%0s: %0h", what, got);
            if (got !== value) begin
                $display("soc: error: %0s is %0h, expected %0h", what, got, value);
                bad = bad + 1;
            end
        end
    endtask

    // until bit 31 of a mailbox word is set
    task await(input [13:0] at);
        integer tries;
        begin
            tries = 0;
            read(at);
            while (!got[31] && tries < 100) begin
                read(at);
                tries = tries + 1;
            end
        end
    endtask

    // ------------------------------------------------------------------
    // Metadata: candidate 0 begins with an access, has register 2 as its input and
    // register 5 as its result, and pays only where register 3 is at least 4.

    reg [127:0] entry;

    task field(input integer lsb, input [31:0] value);
        entry = entry | ({96'd0, value} << lsb);
    endtask

    task make_entry;
        begin
            entry = 128'd0;
            field(`NDP_OFFLOAD_ENTRY_VALID_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_TAG_TX_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_TAG_RX_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_MEM_FIRST_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_COND_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_COND_REG_LSB, 3);
            field(`NDP_OFFLOAD_ENTRY_COND_COMPARE_LSB, 5);
            field(`NDP_OFFLOAD_ENTRY_THRESHOLD_LSB, 4);
            field(`NDP_OFFLOAD_ENTRY_N_IN_LSB, 1);
            field(`NDP_OFFLOAD_ENTRY_BEGIN_PC_LSB, 16);
            field(`NDP_OFFLOAD_ENTRY_END_PC_LSB, 40);
            field(`NDP_OFFLOAD_ENTRY_LIVE_IN_LSB, 1 << 2);
            field(`NDP_OFFLOAD_ENTRY_LIVE_OUT_LSB, 1 << 5);
        end
    endtask

    task set_register(input [7:0] warp, input [7:0] register, input [7:0] lane,
                      input [31:0] value);
        begin
            write(MAILBOX + 4 * 9, {8'd0, lane, register, warp});
            write(MAILBOX + 4 * 10, value);
        end
    endtask

    // warp 1 asks for candidate 0, whose first access goes to this address
    task ask(input [31:0] address);
        begin
            write(MAILBOX + 4 * 5, address);
            write(MAILBOX + 4 * 6, {8'd0, {LANES{1'b1}}, 8'd0, 8'd1});
            await(MAILBOX + 4 * 7);
        end
    endtask

    // ------------------------------------------------------------------
    // What happens

    integer        i;
    reg [8*1024:1] path;

    initial begin
        if ($value$plusargs("wave=%s", path)) begin
            $dumpfile(path);
            $dumpvars(1, soc_tb);
        end
        repeat (4) @(posedge clk);
        rst <= 1'b0;
        // the tables of the blocks are cleared, an entry an edge
        repeat (300) @(posedge clk);

        read(OFFLOAD);
        expect_word("id of offload", `NDP_OFFLOAD_ID);
        read(ANALYZER);
        expect_word("id of analyzer", `NDP_ANALYZER_ID);
        read(EMN);
        expect_word("id of emn", `NDP_EMN_ID);
        read(OFFLOAD + 4 * `NDP_OFFLOAD_ADR_HASH_LO);
        // the RTL and the header are of one configuration
        expect_word("hash, low word", `NDP_OFFLOAD_HASH & 64'hffffffff);

        make_entry;
        for (i = 0; i < 4; i = i + 1)
            write(MAILBOX + 4 * i, entry[32*i +: 32]);
        write(MAILBOX + 4 * 4, 0);
        for (i = 0; i < LANES; i = i + 1)
            set_register(1, 2, i, 100 + i);

        // register 3 is 2: too few to pay
        set_register(1, 3, 0, 2);
        ask(32'h0000_0180);
        expect_word("answer: 3, condition", 32'h8000_0300);

        // 9 is enough; line 3 lies on stack 3
        set_register(1, 3, 0, 9);
        ask(32'h0000_0180);
        expect_word("answer: offload to 3", 32'hc000_0003);
        await(MAILBOX + 4 * 8);
        expect_word("released: warp 1 at pc 28 hex", 32'h8001_0028);
        for (i = 0; i < LANES; i = i + 1) begin
            write(MAILBOX + 4 * 9, (i << 16) | (5 << 8) | 1);
            read(MAILBOX + 4 * 10);
            read(MAILBOX + 4 * 10);
            expect_word("register 5", 101 + i);
        end
        read(OFFLOAD + 4 * `NDP_OFFLOAD_ADR_ASKED);
        expect_word("asked", 2);
        read(OFFLOAD + 4 * `NDP_OFFLOAD_ADR_OFFLOADED);
        expect_word("offloaded", 1);
        read(OFFLOAD + 4 * `NDP_OFFLOAD_ADR_REFUSED_COND);
        expect_word("refused, condition", 1);

        // node 12 loads from memories 0 and 2, which are nodes 1 and 8
        write(MAILBOX + 4 * 11, {8'd0, 8'd2, 8'd0, 8'd12});
        await(MAILBOX + 4 * 12);
        expect_word("they meet at node 8", 32'hc000_0008);
        read(EMN + 4 * `NDP_EMN_ADR_LOOKUPS);
        expect_word("lookups", 1);

        // an instance of a candidate: begin, access, end; one is enough to learn
        write(ANALYZER + 4 * `NDP_ANALYZER_ADR_LEARN_INSTANCES, 1);
        write(ANALYZER + 4 * `NDP_ANALYZER_ADR_ENABLE, 1);
        for (i = 0; i < 3; i = i + 1) begin
            write(MAILBOX + 4 * 13, 32'h1000);
            write(MAILBOX + 4 * 14, i);
        end
        repeat (20) @(posedge clk);
        read(ANALYZER + 4 * `NDP_ANALYZER_ADR_INSTANCES);
        expect_word("instances", 1);
        got = {31'd0, irq};
        expect_word("interrupt", 1);

        if (bad == 0)
            $display("soc: all right");
        $finish;
    end
endmodule

`default_nettype wire
