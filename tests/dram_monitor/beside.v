// beside.v - a monitor beside a controller: what broke a rule, and nothing of it known.
//
// The controller here is dram_channel with 2 ranks of 4 groups of 4 banks; to watch one
// of yours, put it in its place, with its own requests.  +edges=N runs for so long.
`timescale 1ns / 1ps
`default_nettype none

module beside;
    reg clk = 1'b0;
    reg rst = 1'b1;

    always #5 clk = !clk;

    // ------------------------------------------------------------------
    // Requests of a host and of two accelerators, in phases with other mixes

    reg        req_valid = 1'b0, req_write, req_rank;
    wire       req_ready;
    reg  [1:0] req_group, req_bank;
    reg  [7:0] req_row;
    reg  [3:0] req_column;
    reg  [1:0] nda_valid = 2'b0, nda_write;
    wire [1:0] nda_taken;
    reg  [3:0] nda_group, nda_bank, places;
    reg  [7:0] nda_column;
    reg  [3:0] send; // of sixteen edges: with a request, with a burst
    reg  [3:0] near;
    reg  [1:0] writes;
    integer    left = 0, seed = 1, r;

    always @(posedge clk) begin
        left <= left == 0 ? 800 : left - 1;
        if (left == 0) begin
            send   <= $random(seed) | 4'd1;
            near   <= $random(seed);
            writes <= $random(seed);
            places <= $random(seed);
        end
        if (!rst && (!req_valid || req_ready)) begin
            req_valid  <= ($random(seed) & 15) < {28'b0, send};
            req_write  <= ($random(seed) & 3) < {30'b0, writes};
            req_rank   <= $random(seed);
            req_group  <= $random(seed) & places[1:0];
            req_bank   <= $random(seed) & places[3:2];
            req_row    <= $random(seed) & 1;
            req_column <= $random(seed);
        end
        for (r = 0; r < 2; r = r + 1)
            if (!rst && (!nda_valid[r] || nda_taken[r])) begin
                nda_valid[r]        <= ($random(seed) & 15) < {28'b0, near};
                nda_write[r]        <= ($random(seed) & 3) < {30'b0, writes};
                nda_group[r*2 +: 2] <= $random(seed) & places[1:0];
                nda_bank[r*2 +: 2]  <= $random(seed) & places[3:2];
                nda_column[r*4 +: 4] <= $random(seed);
            end
    end

    // ------------------------------------------------------------------
    // The controller

    wire        cmd_valid, cmd_rank;
    wire [2:0]  cmd_kind;
    wire [1:0]  cmd_group, cmd_bank;
    wire [7:0]  cmd_row;
    wire [1:0]  ndc_valid;
    wire [5:0]  ndc_kind;
    wire [3:0]  ndc_group, ndc_bank;
    wire [15:0] ndc_row;

    ndp_dram_channel channel (
        .clk(clk), .rst(rst), .req_valid(req_valid), .req_ready(req_ready),
        .req_write(req_write), .req_urgent(1'b0), .req_id(4'd0), .req_rank(req_rank), .req_group(req_group),
        .req_bank(req_bank), .req_row(req_row), .req_column(req_column),
        .next0_valid(nda_valid[0]), .next0_write(nda_write[0]), .next0_enabled(1'b1),
        .next0_group(nda_group[1:0]), .next0_bank(nda_bank[1:0]), .next0_row(8'd0),
        .next0_column(nda_column[3:0]), .next0_ahead(1'b0),
        .next1_valid(nda_valid[1]), .next1_write(nda_write[1]), .next1_enabled(1'b1),
        .next1_group(nda_group[3:2]), .next1_bank(nda_bank[3:2]), .next1_row(8'd0),
        .next1_column(nda_column[7:4]), .next1_ahead(1'b0),
        .nda_taken(nda_taken), .cmd_valid(cmd_valid), .cmd_kind(cmd_kind),
        .cmd_rank(cmd_rank), .cmd_group(cmd_group), .cmd_bank(cmd_bank), .cmd_row(cmd_row),
        .ndc_valid(ndc_valid), .ndc_kind(ndc_kind), .ndc_group(ndc_group),
        .ndc_bank(ndc_bank), .ndc_row(ndc_row),
        .next2_valid(1'b0), .next3_valid(1'b0), .wb_cyc(1'b0), .wb_stb(1'b0));

    // ------------------------------------------------------------------
    // The monitor

    wire        broken_valid, broken_near, broken_rank;
    wire [38:0] broken_rules;
    wire [5:0]  broken_rule;
    wire [2:0]  broken_kind;
    wire [1:0]  broken_group, broken_bank, late_ranks;
    wire [31:0] total_commands, total_broken;

    ndp_dram_monitor monitor (
        .clk(clk), .rst(rst), .cmd_valid(cmd_valid), .cmd_kind(cmd_kind),
        .cmd_rank(cmd_rank), .cmd_group(cmd_group), .cmd_bank(cmd_bank), .cmd_row(cmd_row),
        .ndc_valid(ndc_valid), .ndc_kind(ndc_kind), .ndc_group(ndc_group),
        .ndc_bank(ndc_bank), .ndc_row(ndc_row), .broken_valid(broken_valid),
        .broken_rules(broken_rules), .broken_rule(broken_rule), .broken_near(broken_near),
        .broken_kind(broken_kind), .broken_rank(broken_rank), .broken_group(broken_group),
        .broken_bank(broken_bank), .total_commands(total_commands),
        .total_broken(total_broken), .late_ranks(late_ranks));

    reg [38:0] all_rules = 39'd0;
    reg [1:0]  late      = 2'd0;

    always @(posedge clk) if (!rst) begin
        if (broken_valid && all_rules == 39'd0)
            $display("rule %0d: %0s kind %0d rank %0d group %0d bank %0d at %0t", broken_rule,
                broken_near ? "accelerator" : "host", broken_kind, broken_rank, broken_group,
                broken_bank, $time);
        all_rules <= all_rules | broken_rules;
        late      <= late | late_ranks;
    end

    // ------------------------------------------------------------------
    // How long, and what was seen

    integer edges, i;

    initial begin
        if (!$value$plusargs("edges=%d", edges))
            edges = 20000;
        repeat (2) @(negedge clk);
        rst = 1'b0;
        repeat (edges) @(negedge clk);
        $display("commands %0d broken %0d late %b", total_commands, total_broken, late);
        for (i = 0; i < 39; i = i + 1)
            if (all_rules[i])
                $display("broke %0d", i);
        $finish;
    end
endmodule

`default_nettype wire
