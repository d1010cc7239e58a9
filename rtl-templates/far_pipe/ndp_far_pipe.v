//% if not SPLIT then
${header{title = "pipeline of the base die beside a near-bank unit", text = [[
Executes what a near-bank unit keeps on the base die: a collector and lanes as those of
the near-bank pipelines, with the registers of all warps, and a desk for what never
goes near.

    exec, code -> entry -> unit, desk -> ended -> done, in turn
    read -> held -> file -> data
    write, init -> file, when nobody else has it
    desk -> access, ask ... ended, carried -> opens -> done

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; code, param, value,
ended, resolve, fault and data cannot be refused; write and init are taken no sooner
than an edge after they came.  Fields are zero while valid is low.

Latency: an instruction with n operands has its end at done after ]] .. L.PASSES + L.FMA_L + 4 .. [[ + n edges and more.

See docs/blocks/far_pipe.md.]]}}
${fragment("ndp_far_pipe_subcore.inc", {module = "ndp_far_pipe", ports = ports{
    reg = {"done_valid", "done_warp", "done_tag", "done_ticket", "data_valid", "write_ready", "init_ready"}}})}
//% else
//% use "ndp_round_robin.v"
//% use "ndp_far_pipe_queue.v"
//% use "ndp_far_pipe_keep.v"
//% use "ndp_far_pipe_choice.v"
//% use "ndp_far_pipe_subcore.v"
//% if HAS_SHARED then use "ndp_far_pipe_shared.v" end
//% use "ndp_far_pipe_formal.vh"
//% local queued = { "warp", "tag", "mask", "dst", "src0", "src1", "src2", "guard", "ticket" }
//% -- what a subcore has at its ports, where it is not what the block has there
//% local at = {
//%     read_ready = "reads_ready[s]", write_ready = "writes_ready[s]", init_ready = "inits_ready[s]",
//%     data_valid = "datas_valid[s]", data_row = "datas[s*ROW_W +: ROW_W]",
//%     done_valid = "dones_valid[s]", done_ready = "dones_ready[s]",
//%     access_valid = "accesses_valid[s]", access_ready = "accesses_ready[s]",
//%     ask_valid = "asks_valid[s]", ask_ready = "asks_ready[s]",
//% }
//% for _, f in ipairs{ "valid", "ready", table.unpack(queued) } do at["exec_" .. f] = "q_" .. f end
//% for _, g in ipairs{ "value", "read", "write", "init", "ended", "carried" } do
//%     local also = g == "read" and " && read_ready" or (g == "write" or g == "init") and " && !" .. g .. "_named" or ""
//%     at[g .. "_valid"] = g .. "_valid && " .. g .. "_warp[INDEX_W-1:0] == INDEX" .. also
//%     at[g .. "_warp"] = g .. "_warp[CORE_WARP_W-1:INDEX_W]"
//% end
//% local gives = {} -- what it shows and the block does not, as it is
//% for _, p in ipairs(of_subcore()) do
//%     if p.dir == "out" and not at[p.name] then
//%         gives[#gives + 1] = p
//%         at[p.name] = "s_" .. p.name
//%     end
//% end
//% local S = HAS_SHARED and "TELLERS" or "SUBCORES" -- who tells completions
//% local W = HAS_SHARED and "TELLER_W" or "INDEX_W"
//% local shared_at = {} -- a field of each subcore
//% for _, p in ipairs(at_shared()) do
//%     if p.name:find("^want") or p.name == "m_takes" or p.name == "busy" then shared_at[#shared_at + 1] = p end
//% end
//% local widths = { warp = L.WARP_W, tag = L.TAG_W, mask = L.LANES, ticket = L.TICKET_W }
${header{title = "pipeline of the base die beside a near-bank unit", text = [[
Several subcores, which know nothing of each other: each executes what a near-bank unit
keeps on the base die of its share of the warps.  They share the ports.

    exec -> queue of its subcore -> subcore -> done, in turn
                                            -> kept -> resolve, fault, in turn
                                            -> the chosen one's at access, ask]] .. (HAS_SHARED and [[

    subcore's dispatch -> shared memory -> file of the subcore, done]] or "") .. [[


Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; code, param, value,
ended, resolve, fault and data cannot be refused; write and init are taken no sooner
than an edge after they came.  Fields are zero while valid is low.

Latency: an instruction with n operands has its end at done after ]] .. L.PASSES + L.FMA_L + 6 .. [[ + n edges and more.

See docs/blocks/far_pipe.md, Subcores.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe (
${ports{reg = {"done_valid", "done_warp", "done_tag", "done_ticket", "resolve_valid", "resolve_warp", "resolve_tag",
    "resolve_lanes", "fault_valid", "fault_cause", "fault_warp", "fault_tag", "fault_address", "data_row"}}}
);
${localparams("SUBCORES", "LANES", "CORE_WARP_W", "TAG_W", "REG_W", "TICKET_W", "ROW_W", "SUBCORE_FAULTS")}

    // Widths of what is shown
    localparam INDEX_W   = ${clog2(L.SUBCORES)}; // bits of a subcore's number, a warp's lowest ones
//% if HAS_SHARED then
    localparam TELLERS   = ${L.SUBCORES + 1}; // who tells completions: subcores, shared memory
    localparam TELLER_W  = ${clog2(L.SUBCORES + 1)};
//% end
    localparam DONE_W    = CORE_WARP_W + TAG_W + TICKET_W;
    localparam RESOLVE_W = CORE_WARP_W + TAG_W + LANES;
    localparam FAULT_W   = 4 + CORE_WARP_W + TAG_W + 32;
    localparam ACCESS_W  = 1 + CORE_WARP_W + REG_W + LANES + 30 * LANES;
    localparam ASK_W     = 8 + CORE_WARP_W + REG_W + LANES + 3 * ROW_W;

    // ------------------------------------------------------------------
    // The subcores and their queues.  A row does not get past an instruction that has its
    // register, as that would find the row written too early: it is hidden meanwhile.

    wire [SUBCORES-1:0]           full; // its queue is
    wire [SUBCORES-1:0]           reads_ready;
    wire [SUBCORES-1:0]           writes_ready;
    wire [SUBCORES-1:0]           inits_ready;
    wire [SUBCORES-1:0]           datas_valid;
    wire [SUBCORES*ROW_W-1:0]     datas;
    wire ${pad("[" .. S .. "-1:0]", 24)} dones_valid;
    wire ${pad("[" .. S .. "-1:0]", 24)} dones_ready;
    wire ${pad("[" .. S .. "*DONE_W-1:0]", 24)} dones;
    wire [SUBCORES-1:0]           resolves_come;
    wire [SUBCORES-1:0]           resolves; // one is kept, or comes
    wire [SUBCORES-1:0]           resolves_chosen;
    wire [SUBCORES*RESOLVE_W-1:0] resolves_first;
    wire [SUBCORES-1:0]           faults_come;
    wire [SUBCORES-1:0]           faults; // some are kept, or one comes
    wire [SUBCORES-1:0]           faults_chosen;
    wire [SUBCORES*FAULT_W-1:0]   faults_first;
    wire [SUBCORES-1:0]           accesses_valid;
    wire [SUBCORES-1:0]           accesses_ready;
    wire [SUBCORES*ACCESS_W-1:0]  accesses;
    wire [SUBCORES-1:0]           asks_valid;
    wire [SUBCORES-1:0]           asks_ready;
    wire [SUBCORES*ASK_W-1:0]     asks;
//% if HAS_SHARED then

    // At shared memory: a field of each subcore, but for what comes back
//%     for _, p in ipairs(shared_at) do
    wire ${pad(range(L.SUBCORES * (p.name == "want_warp" and L.CORE_WARP_W or p.width)), 24)} ${p.name};
//%     end
    wire                          m_waits;
    wire [SUBCORES-1:0]           m_serves;
    wire [SUBCORES-1:0]           m_puts;
    wire ${pad(range(L.PLACE_W), 24)} m_at;
    wire [LANES-1:0]              m_lanes;
    wire [ROW_W-1:0]              m_words;
//% end

    genvar s;

    generate
        for (s = 0; s < SUBCORES; s = s + 1) begin : subcore
            localparam [INDEX_W-1:0] INDEX = s[INDEX_W-1:0];

            wire        q_valid; // the first instruction of the queue
            wire        q_ready;
//% for _, f in ipairs(queued) do
            wire ${pad(range(widths[f] or L.OPERAND_W), 6)} q_${f};
//% end
            wire        write_named; // the queue has the register
            wire        init_named;

            ${prefix}ndp_far_pipe_queue queue (
                .clk         (clk),
                .rst         (rst),
                .put         (exec_valid && exec_ready && exec_warp[INDEX_W-1:0] == INDEX),
                .full        (full[s]),
//% for _, f in ipairs(queued) do
                .${pad("put_" .. f, 11)} (${f == "warp" and "exec_warp[CORE_WARP_W-1:INDEX_W]" or "exec_" .. f}),
//% end
//% for _, f in ipairs{ "valid", "ready", table.unpack(queued) } do
                .${pad("exec_" .. f, 11)} (q_${f}),
//% end
                .write_warp  (write_warp[CORE_WARP_W-1:INDEX_W]),
                .write_reg   (write_reg),
                .write_named (write_named),
                .init_warp   (init_warp[CORE_WARP_W-1:INDEX_W]),
                .init_reg    (init_reg),
                .init_named  (init_named)
            );

//% for _, p in ipairs(gives) do
            wire ${pad(range(p.width), 8)} s_${p.name};
//% end
//% if HAS_SHARED then
            wire ${pad(range(L.WARP_W), 8)} s_want_warp;
//% end

            ${prefix}ndp_far_pipe_subcore core (
                .clk            (clk),
                .rst            (rst),
//% local list = of_subcore()
//% for i, p in ipairs(list) do
                .${pad(p.name, 14)} (${at[p.name] or p.name})${(i < #list or HAS_SHARED) and "," or ""}
//% end
//% if HAS_SHARED then
//%     for _, p in ipairs(shared_at) do
//%         local field = p.width == 1 and "[s]" or "[s*" .. p.width .. " +: " .. p.width .. "]"
                .${pad(p.name, 14)} (${p.name == "want_warp" and "s_want_warp" or p.name .. field}),
//%     end
                .m_waits        (m_waits && m_serves[s]),
                .m_puts         (m_puts[s]),
                .m_at           (m_at),
                .m_lanes        (m_lanes),
                .m_words        (m_words)
//% end
            );
//% if HAS_SHARED then

            assign want_warp[s*CORE_WARP_W +: CORE_WARP_W] = {s_want_warp, INDEX};
//% end

            // What it shows, with the warp's number in the block
            wire [INDEX_W-1:0] a_index = INDEX & {INDEX_W{accesses_valid[s]}};
            wire [INDEX_W-1:0] k_index = INDEX & {INDEX_W{asks_valid[s]}};

            assign dones[s*DONE_W +: DONE_W] = {s_done_warp, INDEX, s_done_tag, s_done_ticket};
            assign accesses[s*ACCESS_W +: ACCESS_W] =
                {s_access_store, s_access_warp, a_index, s_access_reg, s_access_mask, s_access_address};
            assign asks[s*ASK_W +: ASK_W] =
                {s_ask_op, s_ask_size, s_ask_signed, s_ask_warp, k_index, s_ask_reg, s_ask_result, s_ask_mask,
                 s_ask_address, s_ask_data, s_ask_compare};

            // What cannot be refused
            assign resolves_come[s] = s_resolve_valid;
            assign faults_come[s]   = s_fault_valid;

            ${prefix}ndp_far_pipe_keep #(
                .WIDTH (RESOLVE_W),
                .DEPTH (1)
            ) kept_resolve (
                .clk   (clk),
                .rst   (rst),
                .comes (s_resolve_valid),
                .come  ({s_resolve_warp, INDEX, s_resolve_tag, s_resolve_lanes}),
                .valid (resolves[s]),
                .first (resolves_first[s*RESOLVE_W +: RESOLVE_W]),
                .goes  (resolves_chosen[s])
            );

            ${prefix}ndp_far_pipe_keep #(
                .WIDTH (FAULT_W),
                .DEPTH (SUBCORE_FAULTS)
            ) kept_faults (
                .clk   (clk),
                .rst   (rst),
                .comes (s_fault_valid),
                .come  ({s_fault_cause, s_fault_warp, INDEX, s_fault_tag, s_fault_address}),
                .valid (faults[s]),
                .first (faults_first[s*FAULT_W +: FAULT_W]),
                .goes  (faults_chosen[s])
            );
        end
    endgenerate

    assign exec_ready    = full == {SUBCORES{1'b0}};
    assign read_ready    = reads_ready == {SUBCORES{1'b1}};
    assign write_ready   = writes_ready != {SUBCORES{1'b0}};
    assign init_ready    = inits_ready != {SUBCORES{1'b0}};
    assign carried_ready = 1'b1;
    assign data_valid    = datas_valid != {SUBCORES{1'b0}};

    integer i;

    always @* begin
        data_row = {ROW_W{1'b0}};
        for (i = 0; i < SUBCORES; i = i + 1)
            data_row = data_row | datas[i*ROW_W +: ROW_W];
    end

    // ------------------------------------------------------------------
    // Completions, in turn; none before what its instruction resolves, or its fault, which
    // its subcore has shown by then

    wire ${pad("[" .. S .. "-1:0]", 14)} dones_may = dones_valid & ${HAS_SHARED and "{1'b1, ~resolves & ~faults}" or "~resolves & ~faults"};
    wire ${pad("[" .. S .. "-1:0]", 14)} dones_chosen;
    wire ${pad("[" .. W .. "-1:0]", 14)} done_who;
    wire                done_moves = !done_valid || done_ready;
    wire                done_comes = done_moves && dones_may != {${S}{1'b0}};

    assign dones_ready = dones_chosen & {${S}{done_moves}};

    ${prefix}ndp_round_robin #(
        .N       (${S}),
        .INDEX_W (${W})
    ) done_turn (
        .clk     (clk),
        .rst     (rst),
        .request (dones_may),
        .take    (done_comes),
        .chosen  (dones_chosen),
        .index   (done_who)
    );

    always @(posedge clk) begin
        if (rst) begin
            done_valid                         <= 1'b0;
            {done_warp, done_tag, done_ticket} <= {DONE_W{1'b0}};
        end else if (done_moves) begin
            done_valid <= done_comes;
            {done_warp, done_tag, done_ticket} <=
                dones[done_who*DONE_W +: DONE_W] & {DONE_W{done_comes}};
        end
    end

    // ------------------------------------------------------------------
    // Resolves and faults, in turn

    wire                resolve_comes = resolves != {SUBCORES{1'b0}};
    wire [INDEX_W-1:0]  resolve_who;
    wire                fault_comes = faults != {SUBCORES{1'b0}};
    wire [INDEX_W-1:0]  fault_who;

//% for _, g in ipairs{ "resolve", "fault" } do
    ${prefix}ndp_round_robin #(
        .N       (SUBCORES),
        .INDEX_W (INDEX_W)
    ) ${g}_turn (
        .clk     (clk),
        .rst     (rst),
        .request (${g}s),
        .take    (${g}_comes),
        .chosen  (${g}s_chosen),
        .index   (${g}_who)
    );

//% end
    always @(posedge clk) begin
        if (rst) begin
            resolve_valid                              <= 1'b0;
            {resolve_warp, resolve_tag, resolve_lanes} <= {RESOLVE_W{1'b0}};
        end else begin
            resolve_valid <= resolve_comes;
            {resolve_warp, resolve_tag, resolve_lanes} <=
                resolves_first[resolve_who*RESOLVE_W +: RESOLVE_W] & {RESOLVE_W{resolve_comes}};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            fault_valid                                         <= 1'b0;
            {fault_cause, fault_warp, fault_tag, fault_address} <= {FAULT_W{1'b0}};
        end else begin
            fault_valid <= fault_comes;
            {fault_cause, fault_warp, fault_tag, fault_address} <=
                faults_first[fault_who*FAULT_W +: FAULT_W] & {FAULT_W{fault_comes}};
        end
    end

    // ------------------------------------------------------------------
    // Accesses: the ports show what the chosen subcores do

    wire [SUBCORES-1:0] accesses_chosen;
    wire [INDEX_W-1:0]  access_who;
    wire [SUBCORES-1:0] asks_chosen;
    wire [INDEX_W-1:0]  ask_who;

    assign accesses_ready = accesses_chosen & {SUBCORES{access_ready}};
    assign asks_ready     = asks_chosen & {SUBCORES{ask_ready}};

//% for _, c in ipairs{ { "access", "accesses" }, { "ask", "asks" } } do
    ${prefix}ndp_far_pipe_choice ${c[1]}_choice (
        .clk    (clk),
        .rst    (rst),
        .shows  (${c[2]}_valid),
        .ready  (${c[1]}_ready),
        .chosen (${c[2]}_chosen),
        .index  (${c[1]}_who)
    );

//% end
    assign access_valid = accesses_valid[access_who];
    assign {access_store, access_warp, access_reg, access_mask, access_address} =
        accesses[access_who*ACCESS_W +: ACCESS_W];

    assign ask_valid = asks_valid[ask_who];
    assign {ask_op, ask_size, ask_signed, ask_warp, ask_reg, ask_result, ask_mask, ask_address, ask_data,
            ask_compare} = asks[ask_who*ASK_W +: ASK_W];

    // ------------------------------------------------------------------
    // ${HAS_SHARED and "Shared memory" or "No shared memory"}

//% if HAS_SHARED then
    ${prefix}ndp_far_pipe_shared shared (
        .clk           (clk),
        .rst           (rst),
//%     for _, p in ipairs(shared_at) do
//%         local name = p.name == "m_takes" and "gives" or p.name == "busy" and "taken" or p.name
        .${pad(name, 13)} (${p.name}),
//%     end
        .window_valid  (window_valid),
        .window_warp   (window_warp),
        .window_base   (window_base),
        .window_rows   (window_rows),
        .waits         (m_waits),
        .serves        (m_serves),
        .puts          (m_puts),
        .put_at        (m_at),
        .put_lanes     (m_lanes),
        .put_words     (m_words),
        .fault_valid   (shared_fault_valid),
        .fault_warp    (shared_fault_warp),
        .fault_tag     (shared_fault_tag),
        .fault_odd     (shared_fault_odd),
        .fault_address (shared_fault_address),
        .ended         (dones_valid[SUBCORES]),
        .told          (dones_ready[SUBCORES]),
        .end_warp      (dones[SUBCORES*DONE_W+TAG_W+TICKET_W +: CORE_WARP_W]),
        .end_tag       (dones[SUBCORES*DONE_W+TICKET_W +: TAG_W]),
        .end_ticket    (dones[SUBCORES*DONE_W +: TICKET_W])
    );

    wire unused = &{1'b0, exec_op, write_pred, resolves_come, faults_come};
//% else
    assign shared_fault_valid   = 1'b0;
    assign shared_fault_warp    = {CORE_WARP_W{1'b0}};
    assign shared_fault_tag     = {TAG_W{1'b0}};
    assign shared_fault_odd     = 1'b0;
    assign shared_fault_address = 32'd0;

    wire unused = &{1'b0, exec_op, write_pred, resolves_come, faults_come,
                    window_valid, window_warp, window_base, window_rows};
//% end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_far_pipe_formal.vh"
`endif
endmodule

`default_nettype wire
//% end
