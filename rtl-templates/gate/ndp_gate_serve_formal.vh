//% output("formal/ndp_gate_serve_formal.vh")
${header{title = "what is proved of ndp_gate_serve", text = [[
Of packets, the store and the loads of this node one at a time has its head at want, as it
was, until the memory has taken it; each source that has one waits for two heads of the
others at most.  A store's beats are those of its own source.  Nothing is asked of the
memory without room for what it brings, and that is either an answer or an operand of this
node's, whose place is that of the load.  That a source which offers a head keeps it is its
contract (q_).]]}}
`ifdef FORMAL_NDP_GATE_SERVE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [1:0]        f_far;   // heads of others, while this one offers: a packet,
    reg [1:0]        f_store; // a store of this node,
    reg [1:0]        f_load;  // a load
    reg              f_waits; // a head waited, and was not asked
    reg [HEAD_W-1:0] f_head;
    reg              f_taken_load; // one was taken on the edge before:
    reg              f_taken_store;
    reg [HEAD_W-1:0] f_load_head;
    reg [HEAD_W-1:0] f_store_head;
    reg              f_own_load; // it offers, and was not taken
    reg              f_own_store;

    always @(posedge clk) begin
        if (rst) begin
            f_far   <= 2'd0;
            f_store <= 2'd0;
            f_load  <= 2'd0;
        end else begin
            f_far   <= !is_head || takes_far ? 2'd0 : f_far + takes;
            f_store <= !own_store || take_store ? 2'd0 : f_store + takes;
            f_load  <= !own_load || take_load ? 2'd0 : f_load + takes;
        end
        f_waits       <= waits && !asks && !rst;
        f_head        <= head;
        f_taken_load  <= take_load && !rst;
        f_taken_store <= take_store && !rst;
        f_load_head   <= load_head;
        f_store_head  <= store_head;
        f_own_load    <= own_load && !take_load && !rst;
        f_own_store   <= own_store && !take_store && !rst;
    end

    // an operand of this node's: loads that were asked, and have no last beat
    reg [7:0] f_asked;

    always @(posedge clk) begin
        if (rst)
            f_asked <= 8'd0;
        else
            f_asked <= f_asked + (asks && of_load) - (own_take && own_ends);
    end

    always @* if (f_past && !rst) begin
        q_load: assume (!f_own_load || own_load);
        q_store: assume (!f_own_store || own_store);
        q_own: assume (!own_take || own_valid);
        q_take: assume (!take || offer);
    end

    always @* if (f_past && !rst) begin
        p_one: assert (takes_far + take_store + take_load <= 1);
        p_free: assert (!takes || !waits || asks);
        p_kept: assert (!f_waits || (waits && head == f_head));
        p_load: assert (!f_taken_load || (waits && of_load && head == f_load_head));
        p_store: assert (!f_taken_store || (waits && of_store && head == f_store_head));
        p_whose: assert (!(of_load && of_store));
        p_far: assert (f_far <= 2'd2);
        p_own_store: assert (f_store <= 2'd2);
        p_own_load: assert (f_load <= 2'd2);
        p_beat: assert (!take_beat || (of_store && own_beat && want_store));
        p_packet: assert (!(wanted && want_store && !of_store) || (is_beat && uses));
        p_room: assert (!asks || room);
        p_apart: assert (!(own_valid && offer));
        c_own: cover (own_take && own_ends);
        c_three: cover (is_head && own_store && own_load && takes);
        c_twice: cover (f_asked == 8'd2);
    end
`endif
