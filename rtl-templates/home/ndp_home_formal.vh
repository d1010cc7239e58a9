//% output("formal/ndp_home_formal.vh")
//% local ask, reply, tag = record.ask, record.reply, record.tag
${header{title = "what is proved of ndp_home", text = [[
The memory has as many requests of either kind as were given to it and not answered
(q_own, q_far).  Places in use are these and answers on their way, and never more
than there are, so no queue of answers overflows (its q_push).  A request that is
able goes after one of the other kind at most, with its fields and tag; packets are
the record's flits, to the tag's node.]]}}
`ifdef FORMAL_NDP_HOME
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the memory has, and what the queues of answers have

    reg [USED_W:0] f_own_at; // requests at the memory
    reg [USED_W:0] f_far_at;
    reg [USED_W:0] f_own_in; // answers in the queues
    reg [USED_W:0] f_far_in;

    wire f_given = mem_valid && mem_ready;
    wire f_mem_far = mem_id[${tag.far.lsb}];

    always @(posedge clk) begin
        if (rst) begin
            f_own_at <= 0;
            f_far_at <= 0;
            f_own_in <= 0;
            f_far_in <= 0;
        end else begin
            f_own_at <= f_own_at + (f_given && !f_mem_far) - to_own;
            f_far_at <= f_far_at + (f_given && f_mem_far) - to_far;
            f_own_in <= f_own_in + to_own - own_left;
            f_far_in <= f_far_in + to_far - far_sent;
        end
    end

    always @* if (f_past && !rst) begin
        q_own: assume (!to_own || f_own_at != 0);
        q_far: assume (!to_far || f_far_at != 0);
    end

    always @* if (f_past && !rst) begin
        p_own_used: assert (own_used == f_own_at + f_own_in + (mem_valid && !f_mem_far));
        p_far_used: assert (far_used == f_far_at + f_far_in + (mem_valid && f_mem_far));
        p_own_most: assert (own_used <= PLACES);
        p_far_most: assert (far_used <= PLACES);
        c_own_most: cover (own_used == PLACES && own_shown);
        c_far_most: cover (far_used == PLACES && there);
    end

    // ------------------------------------------------------------------
    // Turns: who was able while the other went goes next

    reg f_own_passed;
    reg f_far_passed;

    always @(posedge clk) begin
        f_own_passed <= !rst && (far_go ? own_able : f_own_passed && own_able && !own_go);
        f_far_passed <= !rst && (own_go ? far_able : f_far_passed && far_able && !far_go);
    end

    always @* if (f_past && !rst) begin
        p_one: assert (!(own_go && far_go));
        p_goes: assert ((own_go || far_go) == (open && (own_able || far_able)));
        p_own_turn: assert (!(f_own_passed && far_go));
        p_far_turn: assert (!(f_far_passed && own_go));
        c_both: cover (own_able && far_able && open);
    end

    // ------------------------------------------------------------------
    // What is at mem is what went

    reg               f_own_went;
    reg               f_far_went;
    reg [${L.ASK_W - 1}:0] f_own_ask; // as the record has it, with node 0
    reg [${L.ASK_W - 1}:0] f_far_ask;

//% local at = {op = "asked_op", id = "asked_id", address = "asked_address", strobe = "asked_strobe",
//%             data = "asked_data", compare = "asked_compare"}
    always @(posedge clk) begin
        f_own_went <= !rst && own_go;
        f_far_went <= !rst && far_go;
        f_far_ask  <= come;
//% for _, f in ipairs(ask.list) do
        f_own_ask[${f.msb}:${f.lsb}] <= ${at[f.name] or "0"};
//% end
    end

    wire [${L.ASK_W - 1}:0] f_ask = f_far_went ? f_far_ask : f_own_ask;

    always @* if (f_past && !rst && (f_own_went || f_far_went)) begin
        p_valid: assert (mem_valid);
        p_tag: assert (mem_id == {f_ask[${ask.op.msb}:${ask.op.lsb}] != 4'd1, f_far_went,
                                  f_ask[${ask.node.msb}:${ask.node.lsb}], f_ask[${ask.id.msb}:${ask.id.lsb}]});
//% for _, f in ipairs(ask.list) do if f.lsb > ask.id.msb or f.name == "op" then
        p_${f.name}: assert (mem_${f.name} == f_ask[${f.msb}:${f.lsb}]);
//% end end
    end

    // ------------------------------------------------------------------
    // Packets

    reg [REPLY_N-1:0] f_sent;

    wire f_flit = send_ans_valid && send_ans_ready;

    always @(posedge clk) begin
        if (rst)
            f_sent <= 0;
        else if (f_flit)
            f_sent <= send_ans_last ? 0 : f_sent + 1'b1;
    end

    wire [${L.REPLY_FLITS * L.FLIT_W - 1}:0] f_reply = {far_reply[ANSWER_W-1:0], 4'd14};
    wire [31:0] f_bits = far_reply[FAR_W-1] ? ${reply.data.msb + 1} : ${reply.fault.msb + 1};

    always @* if (f_past && !rst) begin
        p_send: assert (send_ans_valid == far_there && !send_ans_order);
        if (send_ans_valid) begin
            p_place: assert (send_ans_x < WIDTH &&
                             send_ans_y * WIDTH + send_ans_x == far_reply[FAR_W-2:ANSWER_W]);
            p_last: assert (send_ans_last == ((f_sent + 1) * FLIT_W >= f_bits));
            p_inside: assert (f_sent * FLIT_W < f_bits);
//% for k = 0, L.REPLY_FLITS - 1 do
            if (f_sent == ${k}) begin
                p_flit_${k}: assert (send_ans_data == f_reply[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}]);
            end
//% end
        end
        p_back: assert (back_valid == own_there && (back_valid || {back_id, back_fault, back_data} == 0));
        c_bare: cover (f_flit && send_ans_last && !far_reply[FAR_W-1]);
        c_data: cover (f_flit && send_ans_last && far_reply[FAR_W-1]);
    end

    // nodes beyond the mesh ask nothing
    always @* q_node: assume (rsp_node < WIDTH * HEIGHT);
`endif
