//% output("formal/ndp_nbu_formal.vh")
//% local operands = { "src0", "src1", "src2", "guard", "dst" }
//% local MOVE_W = L.REG_W + 4
//% local class = { ld_global = 12, st_global = 13, ld_shared = 14, st_shared = 15 }
${header{title = "what is proved of ndp_nbu", text = [[
Around the unit stand the front end, two pipelines and two register files, as
free as the contract leaves them.  For any warp and any row of it a monitor on
the ports knows which register file holds the current value: it follows
deliveries, completions, and the rows that are read and written.

    An instruction is delivered only when every register that it reads is
    current where it has to be and no write of it is under way.
    What is delivered is what was accepted, once; what completes was delivered.
    A row that is written is the row that was read, bit for bit.

The proof has two halves, each of which takes for granted what the other shows.
Control (slots, track, decide) acts lawfully (a_*) as long as Transport (queues,
movers, bus, landing, update) has delivered and answered lawfully (b_*); what
Transport does on an edge depends on acts of earlier edges only, so the two
carry each other from edge to edge.  With neither half chosen everything is
there, and the contracts of all modules inside are checked.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_NBU
`ifdef FORMAL_CONTROL
`define NDP_NBU_ACTS assert
`define NDP_NBU_TRANSPORTS assume
`endif
`ifdef FORMAL_TRANSPORT
`define NDP_NBU_ACTS assume
`define NDP_NBU_TRANSPORTS assert
`endif

    localparam REGS     = ${L.REGS};
    localparam TICKET_W = ${L.TICKET_W};
    localparam MOVE_W   = ${MOVE_W}; // {up, kind, epoch, register}
    localparam DST_AT   = WARP_W + TAG_W + OP_W + LANES + 4 * OPERAND_W;

    integer f_i;
    integer f_j;

    // ------------------------------------------------------------------
    // Any row: register f_reg of warp f_warp.  If it is the upper row of a
    // pair, instructions and the track table name its lower one.

    (* anyconst *) reg [WARP_W-1:0] f_warp;
    (* anyconst *) reg [REG_W-1:0]  f_reg;
    (* anyconst *) reg [1:0]        f_kind; // of the register it belongs to

    wire             f_half = f_kind == 1 && f_reg[0];
    wire [REG_W-1:0] f_name = {f_reg[REG_W-1:1], f_reg[0] && !f_half};

    always @* assume (f_warp < WARPS);

    // Contract of the front end: pairs are even, a register has one kind.
//% for _, o in ipairs(operands) do
    always @* if (issue_valid && issue_${o}[OPERAND_W-1]) begin
        assume (issue_${o}[REG_W +: 2] != 1 || !issue_${o}[0]);
        if (issue_warp == f_warp &&
            issue_${o}[1 +: REG_W-1] == f_reg[REG_W-1:1]) begin
            assume ((issue_${o}[REG_W +: 2] == 1) == (f_kind == 1));
            assume (issue_${o}[0 +: REG_W] != f_name ||
                    issue_${o}[REG_W +: 2] == f_kind);
        end
    end
//% end

    // ------------------------------------------------------------------
    // What Control has asked of Transport, for each warp

    reg                      f_init;   // the table is initialised
    reg [WARPS-1:0]          f_to_far; // an instruction is on its way
    reg [WARPS-1:0]          f_to_near;
    reg [WARPS*INSTR_W-1:0]  f_packet; // the last one
    reg [5*WARPS-1:0]        f_todo;   // moves that have not been made
    reg [5*WARPS*MOVE_W-1:0] f_list;

    wire [4:0]         f_wanted = moves[5*MOVE_W +: 5];
    wire [INSTR_W-1:0] f_far_packet = {
        far_exec_ticket, far_exec_dst, far_exec_guard, far_exec_src2,
        far_exec_src1, far_exec_src0, far_exec_mask, far_exec_op, far_exec_tag,
        far_exec_warp
    };
    wire [INSTR_W-1:0] f_near_packet = {
        near_exec_ticket, near_exec_dst, near_exec_guard, near_exec_src2,
        near_exec_src1, near_exec_src0, near_exec_mask, near_exec_op,
        near_exec_tag, near_exec_warp
    };

    // The first move up, or down, that the warp of the update waits for
    reg [4:0]        f_first;
    reg [MOVE_W-1:0] f_move;

    always @* begin
        f_first = 5'd0;
        f_move  = {MOVE_W{1'b0}};
        for (f_i = 4; f_i >= 0; f_i = f_i - 1)
            if (f_todo[5*update_warp + f_i] &&
                f_list[(5*update_warp + f_i)*MOVE_W + MOVE_W-1] == up_taken) begin
                f_first = 5'd1 << f_i;
                f_move  = f_list[(5*update_warp + f_i)*MOVE_W +: MOVE_W];
            end
    end

    always @(posedge clk) begin
        if (rst) begin
            f_init    <= 1'b0;
            f_to_far  <= 0;
            f_to_near <= 0;
            f_todo    <= 0;
        end else begin
            if (init_last)
                f_init <= 1'b1;
            if (far_taken)
                f_to_far[far_exec_warp] <= 1'b0;
            if (near_taken)
                f_to_near[near_exec_warp] <= 1'b0;
            if (act_go) begin
                f_packet[act_warp*INSTR_W +: INSTR_W] <= packet;
                if (act_near)
                    f_to_near[act_warp] <= 1'b1;
                else
                    f_to_far[act_warp] <= 1'b1;
            end
            if (update_move)
                f_todo[5*update_warp +: 5] <= f_todo[5*update_warp +: 5] &
                                              ~f_first;
            if (act_move) begin
                f_todo[5*act_warp +: 5] <= f_wanted;
                f_list[5*act_warp*MOVE_W +: 5*MOVE_W] <= moves[0 +: 5*MOVE_W];
            end
        end
    end

    // ------------------------------------------------------------------
    // A write of the row's register, from the act to the update

    localparam [1:0] NO_WRITE = 0; // of the register is under way
    localparam [1:0] SENT     = 1; // it is on its way to a pipeline
    localparam [1:0] RUNS     = 2; // it executes
    localparam [1:0] DONE     = 3; // it has completed, the table does not know

    reg [1:0] f_write;
    reg       f_runs_near;
    reg       f_to; // its ticket: it writes the near copy
    reg       f_epoch;

    wire f_goes_mine = act_go && act_warp == f_warp &&
                       packet[DST_AT + OPERAND_W-1] &&
                       packet[DST_AT +: REG_W] == f_name;
//% for _, side in ipairs{ "far", "near" } do
    wire f_${side}_mine = ${side}_taken && ${side}_exec_warp == f_warp &&
                      ${side}_exec_dst[OPERAND_W-1] &&
                      ${side}_exec_dst[0 +: REG_W] == f_name;
    wire f_${side}_ends = ${side}_done_valid && ${side}_done_ready &&
                      ${side}_done_warp == f_warp &&
                      ${side}_done_ticket[TICKET_W-1] &&
                      ${side}_done_ticket[0 +: REG_W] == f_name;
//% end
    wire f_retires = update_write && !update_move && update_warp == f_warp &&
                     update_reg == f_name;

    always @(posedge clk) begin
        if (rst) begin
            f_write <= NO_WRITE;
        end else begin
            if (f_retires)
                f_write <= NO_WRITE;
            if (f_far_ends || f_near_ends)
                f_write <= DONE;
            if (f_far_mine || f_near_mine) begin
                f_write     <= RUNS;
                f_runs_near <= f_near_mine;
            end
            if (f_goes_mine) begin
                f_write <= SENT;
                {f_to, f_epoch} <= packet[DST_AT + OPERAND_W + REG_W +: 2];
            end
        end
    end

    // Contract of the pipelines.  Of other rows they may say what they like.
    reg f_ran_far; // a completion needs a delivery
    reg f_ran_near;

    always @(posedge clk) begin
        if (rst) begin
            f_ran_far  <= 1'b0;
            f_ran_near <= 1'b0;
        end else begin
            if (far_taken)
                f_ran_far <= 1'b1;
            if (near_taken)
                f_ran_near <= 1'b1;
        end
    end

    always @* begin
        assume (!far_done_valid || (f_ran_far && far_done_warp < WARPS));
        assume (!near_done_valid || (f_ran_near && near_done_warp < WARPS));
        assume (!f_far_ends || (f_write == RUNS && !f_runs_near &&
                                far_done_ticket[REG_W +: 2] == {f_to, f_epoch}));
        assume (!f_near_ends || (f_write == RUNS && f_runs_near &&
                                 near_done_ticket[REG_W +: 2] == {f_to, f_epoch}));
    end

    // ------------------------------------------------------------------
    // A move of the row, from the act to the update

    reg f_moves;     // the row's warp waits for it
    reg f_moves_up;
    reg f_was_read;  // it has been read from the one register file
    reg f_was_moved; // and written into the other

    reg              f_mine;    // the list asked for now moves the row
    reg              f_mine_up;
    reg              f_foreign; // and by another name
    reg              f_twice;   // a register is in the list twice
    reg              f_odd;     // a pair has an odd name
    reg [MOVE_W-1:0] f_entry;

    always @* begin
        f_mine    = 1'b0;
        f_mine_up = 1'b0;
        f_foreign = 1'b0;
        f_twice   = 1'b0;
        f_odd     = 1'b0;
        f_entry   = {MOVE_W{1'b0}};
        for (f_i = 0; f_i < 5; f_i = f_i + 1) begin
            f_entry = moves[f_i*MOVE_W +: MOVE_W];
            if (f_wanted[f_i]) begin
                if (f_entry[REG_W+1 +: 2] == 1 && f_entry[0])
                    f_odd = 1'b1;
                if (f_entry[0 +: REG_W] == f_name) begin
                    f_mine    = 1'b1;
                    f_mine_up = f_entry[MOVE_W-1];
                    if ((f_entry[REG_W+1 +: 2] == 1) != (f_kind == 1))
                        f_foreign = 1'b1;
                end else if (f_entry[1 +: REG_W-1] == f_reg[REG_W-1:1] &&
                             (f_kind == 1 || f_entry[REG_W+1 +: 2] == 1)) begin
                    f_foreign = 1'b1;
                end
                for (f_j = 0; f_j < f_i; f_j = f_j + 1)
                    if (f_wanted[f_j] && moves[f_j*MOVE_W +: REG_W] ==
                                         f_entry[0 +: REG_W])
                        f_twice = 1'b1;
            end
        end
    end

//% for _, side in ipairs{ "far", "near" } do
    wire f_reads_${side} = ${side}_read_valid && ${side}_read_ready &&
                       ${side}_read_warp == f_warp && ${side}_read_reg == f_reg;
    wire f_writes_${side} = ${side}_write_valid && ${side}_write_ready &&
                        ${side}_write_warp == f_warp &&
                        ${side}_write_reg == f_reg;
//% end
    wire f_moved = update_move && update_warp == f_warp && update_reg == f_name;

    always @(posedge clk) begin
        if (rst) begin
            f_moves <= 1'b0;
        end else begin
            if (f_reads_far || f_reads_near)
                f_was_read <= 1'b1;
            if (f_writes_far || f_writes_near)
                f_was_moved <= 1'b1;
            if (f_moved)
                f_moves <= 1'b0;
            if (act_move && act_warp == f_warp && f_mine) begin
                f_moves     <= 1'b1;
                f_moves_up  <= f_mine_up;
                f_was_read  <= 1'b0;
                f_was_moved <= 1'b0;
            end
        end
    end

`ifdef NDP_NBU_ACTS
    // ------------------------------------------------------------------
    // Control acts lawfully: at most one instruction or list of moves of a
    // warp is with Transport, and no second write of a register.

    wire f_free = act_warp < WARPS && f_init && !f_to_far[act_warp] &&
                  !f_to_near[act_warp] && f_todo[5*act_warp +: 5] == 0;

    always @* if (f_past) begin
        a_go: `NDP_NBU_ACTS (!act_go || (f_free && !act_move &&
                             packet[0 +: WARP_W] == act_warp));
        a_move: `NDP_NBU_ACTS (!act_move || (f_free && f_wanted != 0 &&
                               moves[5*MOVE_W+5 +: WARP_W] == act_warp));
        a_list: `NDP_NBU_ACTS (!act_move || !(f_twice || f_odd));
        a_row: `NDP_NBU_ACTS (!(act_move && act_warp == f_warp) || !f_foreign);
        a_write: `NDP_NBU_ACTS (!f_goes_mine || f_write == NO_WRITE);
        a_ticket: `NDP_NBU_ACTS (!act_go ||
            (packet[DST_AT + OPERAND_W + TICKET_W-1] ==
             packet[DST_AT + OPERAND_W-1] &&
             (!packet[DST_AT + OPERAND_W-1] ||
              packet[DST_AT + OPERAND_W +: REG_W] ==
              packet[DST_AT +: REG_W])));
    end

    // ------------------------------------------------------------------
    // Transport delivers what it was given and answers what it was asked.

    always @* if (f_past) begin
//% for _, side in ipairs{ "far", "near" } do
        b_${side}: `NDP_NBU_TRANSPORTS (!${side}_exec_valid ||
            (${side}_exec_warp < WARPS && f_to_${side}[${side}_exec_warp]));
        b_${side}_same: `NDP_NBU_TRANSPORTS (!${side}_exec_valid ||
            f_${side}_packet == f_packet[${side}_exec_warp*INSTR_W +: INSTR_W]);
//% end
        b_update: `NDP_NBU_TRANSPORTS (!(update_write || update_move) ||
            (f_init && update_warp < WARPS && update_write));
        b_legal: `NDP_NBU_TRANSPORTS (!update_write || update_far ||
                                      update_near);
        b_moved: `NDP_NBU_TRANSPORTS (!update_move || (f_first != 0 &&
            {update_epoch, update_reg} == f_move[0 +: REG_W+1] &&
            update_far && update_near && move_warp == update_warp));
        b_retires: `NDP_NBU_TRANSPORTS (!f_retires || (f_write == DONE &&
            {update_far, update_near, update_epoch} ==
            {!f_to, f_to, f_epoch}));
        b_read_far: `NDP_NBU_TRANSPORTS (!f_reads_far || (f_moves &&
            !f_moves_up && !f_was_read));
        b_read_near: `NDP_NBU_TRANSPORTS (!f_reads_near || (f_moves &&
            f_moves_up && !f_was_read));
        b_write_near: `NDP_NBU_TRANSPORTS (!f_writes_near || (f_moves &&
            !f_moves_up && f_was_read && !f_was_moved));
        b_write_far: `NDP_NBU_TRANSPORTS (!f_writes_far || (f_moves &&
            f_moves_up && f_was_read && !f_was_moved));
        b_row: `NDP_NBU_TRANSPORTS (!f_moved || (f_moves && f_was_moved));
    end
`endif

`ifdef FORMAL_TRANSPORT
    // The table is not there: it becomes ready once.
    always @* if (f_past) begin
        assume (init_done == f_init);
        assume (!(init_last && f_init));
    end

    // Any bit of the row, between the register files
    (* anyconst *) reg [${clog2(L.ROW_W) - 1}:0] f_bit;

    reg f_waits; // the row has been asked for
    reg f_value;

    always @(posedge clk) begin
        if (rst) begin
            f_waits <= 1'b0;
        end else if (f_reads_far || f_reads_near) begin
            f_waits <= 1'b1;
        end else if (f_waits && (f_moves_up ? near_data_valid
                                            : far_data_valid)) begin
            f_waits <= 1'b0;
            f_value <= (f_moves_up ? near_data_row[f_bit]
                                   : far_data_row[f_bit]) &&
                       !(f_kind == 2 && f_bit >= LANES);
        end
    end

    always @* if (f_past) begin
        p_row_down: assert (!f_writes_near || near_write_row[f_bit] == f_value);
        p_row_up: assert (!f_writes_far || far_write_row[f_bit] == f_value);
    end

    always @* if (f_past) begin
        c_sent_far: cover (f_far_mine);
        c_sent_near: cover (f_near_mine);
        c_retired: cover (f_retires && f_to && f_runs_near);
        c_moved_up: cover (f_moved && f_moves_up);
        c_moved_down: cover (f_moved && !f_moves_up && f_half);
    end
`endif

`ifdef FORMAL_CONTROL
    // ------------------------------------------------------------------
    // The row's entry of the tables.  That lookups answer it is proved of
    // ndp_nbu_track; its contract is t_*.

    reg [2:0] f_track; // far, near, retired epoch
    reg       f_issued;
    reg [4:0] f_asked; // bit k: lookup k asked for it on the last edge
    reg [2:0] f_found;
    reg       f_found_issued;

    wire       f_hit  = update_write && update_warp == f_warp &&
                        update_reg == f_name;
    wire [2:0] f_next = f_hit ? {update_far, update_near, update_epoch}
                              : f_track;

    always @(posedge clk) begin
        if (rst) begin
            f_track  <= 3'b100;
            f_issued <= 1'b0;
            f_asked  <= 5'd0;
        end else begin
            f_track <= f_next;
            if (issued_write && act_warp == f_warp && issued_reg == f_name)
                f_issued <= issued_epoch;
            for (f_i = 0; f_i < 5; f_i = f_i + 1)
                f_asked[f_i] <= p1_valid && p1_warp == f_warp &&
                                lookup_regs[f_i*REG_W +: REG_W] == f_name;
        end
        f_found        <= f_next;
        f_found_issued <= f_issued;
    end

    always @* if (f_past) begin
        assume (init_done == f_init);
        assume (!(init_last && f_init));
//% for k = 0, 4 do
        assume (!f_asked[${k}] ||
                {found_far[${k}], found_near[${k}], found_retired[${k}],
                 found_issued[${k}]} == {f_found, f_found_issued});
//% end
        t_early: assert (f_init || !(p1_valid || issued_write));
        t_warp: assert ((!p1_valid || p1_warp < WARPS) &&
                        (!issued_write || act_warp < WARPS));
        t_issued: assert (!(p1_valid && issued_write) || p1_warp != act_warp);
    end

    // ------------------------------------------------------------------
    // Which register file holds the row's current value

    reg f_far_ok;
    reg f_near_ok;
    reg f_in_flight; // a row under way has it

    always @(posedge clk) begin
        if (rst) begin
            f_far_ok    <= 1'b1;
            f_near_ok   <= 1'b0;
            f_in_flight <= 1'b0;
        end else begin
            if (f_reads_far)
                f_in_flight <= f_far_ok;
            if (f_reads_near)
                f_in_flight <= f_near_ok;
            if (f_writes_near)
                f_near_ok <= f_in_flight;
            if (f_writes_far)
                f_far_ok <= f_in_flight;
            if (f_far_ends || f_near_ends) begin
                f_far_ok  <= !f_to;
                f_near_ok <= f_to;
            end
            if (f_far_mine || f_near_mine) begin
                f_far_ok    <= 1'b0;
                f_near_ok   <= 1'b0;
                f_in_flight <= 1'b0;
            end
        end
    end

    // ------------------------------------------------------------------
    // What the warp's front end issued last

    reg [INSTR_W-TICKET_W-1:0] f_instr;
    reg                        f_accepted; // and is not delivered yet

    always @(posedge clk) begin
        if (rst) begin
            f_accepted <= 1'b0;
        end else begin
            if ((far_taken && far_exec_warp == f_warp) ||
                (near_taken && near_exec_warp == f_warp))
                f_accepted <= 1'b0;
            if (accept && issue_warp == f_warp) begin
                f_accepted <= 1'b1;
                f_instr    <= {issue_dst, issue_guard, issue_src2, issue_src1,
                               issue_src0, issue_mask, issue_op, issue_tag,
                               issue_warp};
            end
        end
    end

    always @* if (f_past)
        p_accept: assert (!(accept && issue_warp == f_warp && f_accepted));

//% for _, side in ipairs{ "far", "near" } do
//%     local near = side == "near" and "1'b1" or "1'b0"
    // ------------------------------------------------------------------
    // Delivery to the ${side} pipeline: which operands are the row's register,
    // and where each has to be

    wire f_${side}_goes = ${side}_taken && ${side}_exec_warp == f_warp;
    wire f_${side}_global = ${side}_exec_op == ${class.ld_global} || ${side}_exec_op == ${class.st_global};
    wire f_${side}_shared = ${side}_exec_op == ${class.ld_shared} || ${side}_exec_op == ${class.st_shared};
    wire f_${side}_memory = f_${side}_global || f_${side}_shared;

    wire [4:0] f_${side}_uses = {
//%     for k = 5, 1, -1 do
        ${side}_exec_${operands[k]}[OPERAND_W-1] &&
            ${side}_exec_${operands[k]}[0 +: REG_W] == f_name${k > 1 and "," or ""}
//%     end
    };
    wire [4:0] f_${side}_at_near = {
        f_${side}_memory || ${near}, ${near}, f_${side}_memory || ${near},
        f_${side}_memory || ${near}, f_${side}_shared || (${near} && !f_${side}_global)
    };
    wire       f_${side}_partial = ${side}_exec_mask != {LANES{1'b1}} ||
                               ${side}_exec_guard[OPERAND_W-1];
    wire [4:0] f_${side}_reads = f_${side}_uses & {f_${side}_partial, 4'b1111};

    always @* if (f_past && f_${side}_goes) begin
        p_${side}_accepted: assert (f_accepted &&
            f_${side}_packet[0 +: INSTR_W-TICKET_W] == f_instr);
        p_${side}_settled: assert (f_${side}_uses == 0 || f_write == NO_WRITE ||
                              (f_write == SENT && f_${side}_uses[4]));
        p_${side}_current_far: assert (f_far_ok ||
                                  (f_${side}_reads & ~f_${side}_at_near) == 0);
        p_${side}_current_near: assert (f_near_ok ||
                                   (f_${side}_reads & f_${side}_at_near) == 0);
        p_${side}_ticket: assert (!f_${side}_uses[4] ||
                             ${side}_exec_ticket == {1'b1, f_${side}_at_near[4],
                                                 f_issued, f_name});
    end

//% end
    always @* if (f_past) begin
        p_somewhere: assert (f_track[2] || f_track[1]);
        p_pending: assert ((f_issued != f_track[0]) == (f_write != NO_WRITE));
        p_track_far: assert (!f_track[2] || f_far_ok || f_write >= RUNS);
        p_track_near: assert (!f_track[1] || f_near_ok || f_write >= RUNS);
    end

    always @* if (f_past) begin
        c_far: cover (f_far_goes && f_far_uses[0] && f_far_uses[4]);
        c_near: cover (f_near_goes && f_near_uses[0] && f_near_uses[4]);
        c_global: cover (f_far_goes && f_far_global && f_far_uses[1]);
        c_up: cover (f_moved && f_moves_up && f_track[0]);
        c_again: cover (f_far_goes && f_far_uses[0] && f_track == 3'b111);
    end
`endif
`endif
