//% use "ndp_regs.v"
//% use "ndp_oqueue_build.v"
//% use "ndp_oqueue_entries.v"
${header{title = "offload queue of a core", text = [[
Takes the tagged instructions of offload chains, makes ComputePackets of those that
a node of the mesh can compute, lets the loads of the others go one by one, and says
when a chain that has left is complete.

    op -> ndp_oqueue_build -> send, load, meet, said
                 | entries
    ans -> ndp_oqueue_entries -> done

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; said, meet and met
cannot be refused.  Fields are zero while valid is low.

Latency: with an answer to meet on the edge after it, a packet is at send four edges
after its chain's last instruction was taken; an answer that is taken on edge t is at
done after edge t+1.

See docs/blocks/oqueue.md.]]}}
`default_nettype none

module ${prefix}ndp_oqueue (
${ports()}
);
${localparams("WAVE_W", "ENTRY_W", "ENTRIES", "MASK_W")}

    wire [1:0]         mode; // setting
    wire [ENTRIES-1:0] free;
    wire [ENTRIES-1:0] free_take;
    wire [ENTRIES-1:0] free_back;
    wire               waits;
    wire [ENTRY_W-1:0] entry;
    wire [WAVE_W-1:0]  wave;
    wire [MASK_W-1:0]  mask;
    wire               two;

    wire count_begun;
    wire count_hits;
    wire count_full;
    wire count_misfits;
    wire count_unmet;
    wire count_packets = waits;
    wire count_masked;
    wire count_ends;
    wire count_locals;
    wire count_strays;

    ${prefix}ndp_oqueue_build build (
        .clk           (clk),
        .rst           (rst),
        .mode          (mode),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if not n:find("^wb_") and not n:find("^ans_") and not n:find("^done_") then
        .${pad(n, 13)} (${n}),
//%     end
//% end
        .free          (free),
        .free_take     (free_take),
        .free_back     (free_back),
        .waits         (waits),
        .entry         (entry),
        .wave          (wave),
        .mask          (mask),
        .two           (two),
        .count_begun   (count_begun),
        .count_hits    (count_hits),
        .count_full    (count_full),
        .count_misfits (count_misfits),
        .count_unmet   (count_unmet),
        .count_masked  (count_masked)
    );

    ${prefix}ndp_oqueue_entries entries (
        .clk          (clk),
        .rst          (rst),
        .free         (free),
        .free_take    (free_take),
        .free_back    (free_back),
        .waits        (waits),
        .entry        (entry),
        .wave         (wave),
        .mask         (mask),
        .two          (two),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if n:find("^ans_") or n:find("^done_") then
        .${pad(n, 12)} (${n}),
//%     end
//% end
        .count_ends   (count_ends),
        .count_locals (count_locals),
        .count_strays (count_strays)
    );

    // ------------------------------------------------------------------
    // Registers

    ${prefix}ndp_oqueue_regs regs (
        .clk           (clk),
        .rst           (rst),
        .wb_cyc        (wb_cyc),
        .wb_stb        (wb_stb),
        .wb_we         (wb_we),
        .wb_adr        (wb_adr),
        .wb_dat_w      (wb_dat_w),
        .wb_sel        (wb_sel),
        .wb_dat_r      (wb_dat_r),
        .wb_ack        (wb_ack),
        .mode          (mode),
${count_ports(13)}
    );
${checks()}
endmodule

`default_nettype wire
