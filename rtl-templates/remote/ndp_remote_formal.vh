//% output("formal/ndp_remote_formal.vh")
//% local ask, reply = record.ask, record.reply
//% -- where a home stands, by arithmetic or as a row of choices
//% local function stands(home)
//%     if L.PLACED == 0 then return home end
//%     local text = "0"
//%     for i, n in ipairs(P["mesh.memory_nodes"]) do text = home .. " == " .. i - 1 .. " ? " .. n .. " : " .. text end
//%     return text
//% end
//% local mapped = L.MAPPED == 1 and ", nor does the map while there is a request (q_map)" or ""
${header{title = "what is proved of ndp_remote", text = [[
The node does not change (q_at)]] .. mapped .. [[.  A request is at the way that its address says and
at no other, with its fields; a packet's flits are the record's, field by field, as
many as the op needs.  An answer of another node that is there goes on this edge or
the next, and what is at rsp is what was taken.]]}}
    reg f_stands = 1'b0; // here is what the node was on the edge before

    always @(posedge clk) f_stands <= 1'b1;

    always @* q_at: assume (!f_stands || at_node == here);
//% if L.MAPPED == 1 then
    reg       f_learned; // the map on the edge before
    reg [4:0] f_lowest;

    always @(posedge clk) begin
        f_learned <= map_learned;
        f_lowest  <= map_bit;
    end

    always @* q_map: assume (!f_stands || !shown || (map_learned == f_learned && map_bit == f_lowest));
//% end

`ifdef FORMAL_NDP_REMOTE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Requests: the node of an address, and the sector there, by arithmetic

//% if L.MAPPED == 1 then
${fragment("ndp_map_formal.inc", {sector = "address"})}
//% else
    wire [31:0] f_chunk = address / ${L.CHUNK // L.SECTOR};
    wire [31:0] f_home  = f_chunk % ${L.HOMES};
//% end
    wire [31:0] f_node  = ${stands("f_home")};
//% if L.MAPPED == 0 then
    wire [31:0] f_there = f_chunk / ${L.HOMES} * ${L.CHUNK // L.SECTOR} + address % ${L.CHUNK // L.SECTOR};
//% end

    // The packet that must go, and how many of its flits have gone.
    reg [${L.ASK_FLITS * L.FLIT_W - 1}:0] f_word;

    always @* begin
        f_word = 0;
//% local from = {compute = "0", kind = "7", op = "op", node = "at_node", id = "id", address = "f_there[LADDR_W-1:0]",
//%               strobe = "strobe", data = "data", compare = "compare"}
//% for _, f in ipairs(ask.list) do
        f_word[${f.msb}:${f.lsb}] = ${from[f.name]};
//% end
    end

    reg [ASK_N-1:0] f_sent;

    wire f_flit = send_req_valid && send_req_ready;

    always @(posedge clk) begin
        if (rst)
            f_sent <= 0;
        else if (f_flit)
            f_sent <= send_req_last ? 0 : f_sent + 1'b1;
    end

    wire [31:0] f_bits = op == 4'd0 ? ${ask.address.msb + 1} : op == 4'd11 ? ${ask.compare.msb + 1} : ${ask.data.msb + 1};

    always @* if (f_past && !rst) begin
        p_own: assert (own_valid == (shown && f_node == at_node));
        p_far: assert (send_req_valid == (shown && f_node != at_node));
        if (own_valid) begin
            p_fields: assert ({own_op, own_id, own_address, own_strobe, own_data, own_compare} ==
                              {op, id, f_there[LADDR_W-1:0], strobe, data, compare});
        end
        if (send_req_valid) begin
            p_place: assert (send_req_y * WIDTH + send_req_x == f_node && send_req_x < WIDTH);
            p_last: assert (send_req_last == ((f_sent + 1) * FLIT_W >= f_bits));
            p_inside: assert (f_sent * FLIT_W < f_bits);
//% for k = 0, L.ASK_FLITS - 1 do
            if (f_sent == ${k}) begin
                p_flit_${k}: assert (send_req_data == f_word[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}]);
            end
//% end
        end
        p_order: assert (!send_req_order);
        c_load: cover (f_flit && send_req_last && op == 4'd0);
        c_cas: cover (f_flit && send_req_last && op == 4'd11);
        c_own: cover (own_valid && own_ready);
    end

    // ------------------------------------------------------------------
    // Answers

    reg                         f_waited; // one of another node did not go on the edge before
    reg                         f_took;   // one was taken on it
    reg [ID_W-1:0]              f_id;
    reg                         f_fault;
    reg [DATA_W-1:0]            f_data;

    always @(posedge clk) begin
        f_waited <= !rst && there && !take_far;
        f_took   <= !rst && (take_back || take_far);
        if (take_back) begin
            {f_id, f_fault, f_data} <= {back_id, back_fault, back_data};
        end else begin
            f_id    <= come[${reply.id.msb}:${reply.id.lsb}];
            f_fault <= come[${reply.fault.lsb}];
            f_data  <= come[${reply.data.msb}:${reply.data.lsb}];
        end
    end

    always @* if (f_past && !rst) begin
        p_turn: assert (!(f_waited && there) || take_far);
        p_lost: assert (!f_waited || there);
        p_one: assert (!(take_back && take_far));
        p_rsp: assert (rsp_valid == f_took);
        p_same: assert (!rsp_valid || {rsp_id, rsp_fault, rsp_data} == {f_id, f_fault, f_data});
        p_zero: assert (rsp_valid || {rsp_id, rsp_fault, rsp_data} == 0);
        c_waited: cover (f_waited && take_far);
        c_back: cover (back_valid && !back_ready);
    end
`endif
