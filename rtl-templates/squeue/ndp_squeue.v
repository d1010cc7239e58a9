//% use "ndp_regs.v"
//% use "ndp_packet_unpack.v"
//% use "ndp_squeue_admit.v"
//% use "ndp_squeue_places.v"
//% use "ndp_squeue_fetch.v"
//% use "ndp_squeue_work.v"
${header{title = "service queue of a node", text = [[
Takes ComputePackets, lets their loads be made, computes when all operands are there,
stores, and answers; what it has no room for goes on to the core that sent it.

    come -> ndp_packet_unpack -> ndp_squeue_admit -> load
    mark -> ndp_squeue_places -> ndp_squeue_fetch -> fetch
    data -> ndp_squeue_work -> store, ans

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; mark and data cannot
be refused.  Fields are zero while valid is low.

Latency: see docs/blocks/squeue.md.]]}}
`default_nettype none

module ${prefix}ndp_squeue (
${ports()}
);
${localparams("PLACES", "PLACE_W", "USED_W", "SLOT_W", "SOURCE_W", "WORK_W")}

    wire [USED_W-1:0] places; // setting

    wire count_packets;
    wire count_full;
    wire count_unable;
    wire count_strays;
    wire count_answers;

    // ------------------------------------------------------------------
    // The chain that has come

    wire got_valid;
    wire got_ready;
//% local fields = {}
//% for _, f in ipairs(record.packet.list) do if f.name ~= "compute" and f.name ~= "masked" then
//%     fields[#fields + 1] = f
    wire ${pad(range(f.width), 7)} got_${f.name};
//% end end
    wire ${pad(range(L.MASK_W), 7)} got_mask;

    ${prefix}ndp_packet_unpack unpack (
        .clk            (clk),
        .rst            (rst),
        .come_valid     (come_valid),
        .come_ready     (come_ready),
        .come_last      (come_last),
        .come_data      (come_data),
        .got_valid      (got_valid),
        .got_ready      (got_ready),
//% for _, f in ipairs(fields) do
        .${pad("got_" .. f.name, 14)} (got_${f.name}),
//% end
        .got_mask       (got_mask)
    );

    wire unused = &{1'b0, got_wave, got_node};

    // ------------------------------------------------------------------
    // Admitting

    wire [PLACES-1:0]   taken;
    wire                keep;
    wire [PLACES-1:0]   keep_bit;
    wire [PLACE_W-1:0]  keep_place;
    wire [SOURCE_W-1:0] keep_source;
    wire [WORK_W-1:0]   keep_work;
    wire                free;
    wire [PLACE_W-1:0]  free_place;

    ${prefix}ndp_squeue_admit admit (
        .clk            (clk),
        .rst            (rst),
        .places         (places),
        .got_valid      (got_valid),
        .got_ready      (got_ready),
//% for _, f in ipairs(fields) do if f.name ~= "wave" and f.name ~= "node" then
        .${pad("got_" .. f.name, 14)} (got_${f.name}),
//% end end
        .got_mask       (got_mask),
//% for _, p in ipairs(iface.ports) do if p.name:find("^load_") then
        .${pad(p.name, 14)} (${p.name}),
//% end end
        .taken          (taken),
        .free           (free),
        .keep           (keep),
        .keep_bit       (keep_bit),
        .keep_place     (keep_place),
        .keep_source    (keep_source),
        .keep_work      (keep_work),
        .count_packets  (count_packets),
        .count_full     (count_full),
        .count_unable   (count_unable)
    );

    // ------------------------------------------------------------------
    // Places and what is in them

    wire               ready_valid;
    wire               ready_pop;
    wire [PLACE_W-1:0] ready_place;

    ${prefix}ndp_squeue_places status (
        .clk          (clk),
        .rst          (rst),
        .taken        (taken),
        .keep         (keep),
        .keep_bit     (keep_bit),
        .keep_two     (${field("source", "keep_source", "two")}),
        .free         (free),
        .free_place   (free_place),
        .mark_valid   (mark_valid),
        .mark_place   (mark_place),
        .mark_second  (mark_second),
        .ready_valid  (ready_valid),
        .ready_pop    (ready_pop),
        .ready_place  (ready_place),
        .count_strays (count_strays)
    );

    // ------------------------------------------------------------------
    // Fetching, computing

    wire               slot_full;
    wire [SLOT_W-1:0]  slot;
    wire [PLACE_W-1:0] slot_place;
    wire               start;
    wire               slot_two;
    wire [SLOT_W-1:0]  fill_slot;
    wire               fill_done;

    ${prefix}ndp_squeue_fetch fetch (
        .clk           (clk),
        .rst           (rst),
        .keep          (keep),
        .keep_place    (keep_place),
        .keep_source   (keep_source),
        .ready_valid   (ready_valid),
        .ready_pop     (ready_pop),
        .ready_place   (ready_place),
//% for _, p in ipairs(iface.ports) do if p.name:find("^fetch_") then
        .${pad(p.name, 13)} (${p.name}),
//% end end
        .fill_slot     (fill_slot),
        .fill_two      (slot_two),
        .fill_done     (fill_done),
        .slot_full     (slot_full),
        .slot          (slot),
        .slot_place    (slot_place),
        .start         (start),
        .free          (free),
        .free_place    (free_place)
    );

    ${prefix}ndp_squeue_work work (
        .clk           (clk),
        .rst           (rst),
        .keep          (keep),
        .keep_place    (keep_place),
        .keep_work     (keep_work),
        .data_valid    (data_valid),
        .data_data     (data_data),
        .fill_slot     (fill_slot),
        .fill_two      (slot_two),
        .fill_done     (fill_done),
        .slot_full     (slot_full),
        .slot          (slot),
        .slot_place    (slot_place),
        .core_busy     (core_busy),
//% for _, p in ipairs(iface.ports) do if p.name:find("^store_") or p.name:find("^ans_") then
        .${pad(p.name, 13)} (${p.name}),
//% end end
        .start         (start),
        .free          (free)
    );

    assign count_answers = free;

    // ------------------------------------------------------------------
    // Registers

    ${prefix}ndp_squeue_regs regs (
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
        .places        (places),
${count_ports(13)}
    );
${checks()}
endmodule

`default_nettype wire
