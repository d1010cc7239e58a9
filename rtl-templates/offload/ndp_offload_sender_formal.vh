//% output("formal/ndp_offload_sender_formal.vh")
//% local JOB_W = L.WARP_W + L.INDEX_W + L.LANES + L.STACK_W + 1
//% local set = {}
//% for r = 0, L.REGS - 1 do set[#set + 1] = "packet_in[" .. r .. "]" end
${header{title = "what is proved of ndp_offload_sender", text = [[
Packets are whole: the first flit and only it is a head, the last one follows
after ROW_FLITS flits for each live-in register.  Registers go in ascending
order, each once; any bit of a row is sent as the register file gave it, or as
it was saved.  The queue of jobs does not overflow.]]}}
`ifdef FORMAL_NDP_OFFLOAD_SENDER
`define NDP_OFFLOAD_SENDER_CONTRACT assume
`else
`define NDP_OFFLOAD_SENDER_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // Jobs that are pushed and not begun
    reg  [7:0] f_jobs;
    wire       f_begun = state == IDLE && !save && job_valid;

    always @(posedge clk) f_jobs <= rst ? 0 : f_jobs + push - f_begun;

    always @* if (f_past && !rst) begin
        q_offer: `NDP_OFFLOAD_SENDER_CONTRACT (!push || offer);
        q_room: `NDP_OFFLOAD_SENDER_CONTRACT (!offer || f_jobs < WARPS);
    end

`ifdef FORMAL_NDP_OFFLOAD_SENDER
    // ------------------------------------------------------------------
    // Framing, from the ports

    reg       f_packet; // a packet has begun and not ended
    reg [7:0] f_left;   // flits to come of what is under way

    wire       f_flit  = tx_valid && tx_ready;
    wire [7:0] f_total = ${L.ROW_FLITS} * (
        ${joined(set, " +", 0)});

    always @(posedge clk) begin
        if (rst) begin
            f_packet <= 1'b0;
        end else if (f_flit) begin
            f_packet <= !tx_last;
            f_left   <= f_left - !tx_head;
        end
        if (state == OPEN)
            f_left <= f_total;
        if (state == STORE)
            f_left <= f_left - 1;
    end

    always @* if (f_past && !rst) begin
        p_head: assert (!tx_valid || tx_head == !f_packet);
        p_last: assert (!tx_valid || tx_last == (f_left == !tx_head));
        p_zero: assert (tx_valid || {tx_stack, tx_head, tx_last, tx_data} == 0);
        p_whole: assert (!(state == END) || (f_left == 0 && !f_packet));
        p_jobs: assert (f_jobs <= WARPS && !(job_valid && f_jobs == 0));
    end

    // ------------------------------------------------------------------
    // Any bit of a row; any flit that is saved

    (* anyconst *) reg [${clog2(L.ROW_W) - 1}:0] f_bit;
    (* anyconst *) reg [SAVED_W-1:0] f_slot;

    wire [31:0] f_at = f_bit / FLIT_W; // flit of the row that has it

    reg        f_value; // the bit of the row
    reg        f_kept;  // it of the flit in f_slot
    reg        f_has;   // f_slot has been written
    reg [31:0] f_beat;  // flits of the row that are done

    always @(posedge clk) begin
        if (state == PICK)
            f_beat <= 0;
        else if ((f_flit && !tx_head) || state == STORE)
            f_beat <= f_beat + 1;
        if (state == WAIT)
            f_value <= reg_data_row[f_bit];
        if (state == STORE && saved_at == f_slot)
            f_kept <= row[f_bit % FLIT_W];
        f_has <= !rst && (f_has || (state == STORE && saved_at == f_slot));
    end

    reg f_restored; // the flit to be sent is the one from f_slot

    always @(posedge clk)
        if (state == RESTORE)
            f_restored <= saved_at == f_slot;

    always @* if (f_past && !rst) begin
        p_row: assert (!(state == SEND && !restores && f_beat == f_at) ||
                       tx_data[f_bit % FLIT_W] == f_value);
        p_store: assert (!(state == STORE && f_beat == f_at) ||
                         row[f_bit % FLIT_W] == f_value);
        p_saved: assert (!(state == SEND && restores && f_restored && f_has) ||
                         tx_data[f_bit % FLIT_W] == f_kept);
    end

    // ------------------------------------------------------------------
    // Order of the registers: any one

    (* anyconst *) reg [REG_W-1:0] f_reg;

    reg f_wanted; // it is a live-in and has not been picked

    always @(posedge clk) begin
        if (rst)
            f_wanted <= 1'b0;
        else if (state == OPEN)
            f_wanted <= packet_in[f_reg];
        else if (state == PICK && !none_left && lowest_reg == f_reg)
            f_wanted <= 1'b0;
    end

    always @* if (f_past && !rst) begin
        p_picked: assert (!(state == PICK && !none_left && lowest_reg == f_reg) ||
                          f_wanted);
        p_ascending: assert (!(state == PICK && !none_left && lowest_reg > f_reg) ||
                             !f_wanted);
        p_all: assert (state != END || !f_wanted);
        p_named: assert (!reg_read_valid || reg_read_reg == register);
    end

    always @* if (f_past && !rst) begin
        c_packet: cover (f_flit && tx_last && !tx_head && f_value);
        c_header_only: cover (f_flit && tx_last && tx_head);
        c_saved: cover (save_done && f_kept);
        c_restored: cover (f_flit && restores && !tx_head);
    end
`endif
