//% output("formal/ndp_window_formal.vh")
//% local ask, reply = record.ask, record.reply
//% -- where a home stands, by arithmetic or as a row of choices
//% local function stands(home)
//%     if L.PLACED == 0 then return home end
//%     local text = "0"
//%     for i, n in ipairs(P["mesh.memory_nodes"]) do text = home .. " == " .. i - 1 .. " ? " .. n .. " : " .. text end
//%     return text
//% end
//% local mapped = L.MAPPED == 1 and ", nor does the map during an access (q_map)," or ""
${header{title = "what is proved of ndp_window", text = [[
The node does not change (q_at)]] .. mapped .. [[ and an access stands until it is taken (q_stands).
One is taken when its packet has gone and its answer has come, and no other way; the
flits are the record's, to the node of the address; what is read is the answer's
word.]]}}
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

    always @* q_map: assume (!f_stands || phase == IDLE || (map_learned == f_learned && map_bit == f_lowest));
//% end

`ifdef FORMAL_NDP_WINDOW
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg        f_stood; // an access was not taken on the edge before
    reg        f_write;
    reg [29:0] f_word;
    reg [31:0] f_value;

    always @(posedge clk) begin
        f_stood <= !rst && win_valid && !win_ready;
        {f_write, f_word, f_value} <= {win_write, win_address, win_data};
    end

    always @* if (f_past && !rst && f_stood) begin
        q_stands: assume (win_valid && {win_write, win_address, win_data} == {f_write, f_word, f_value});
    end

    // ------------------------------------------------------------------
    // Packets that went and answers that came, since the last access was taken

    reg f_went;
    reg f_came;

    always @(posedge clk) begin
        if (rst || win_ready) begin
            f_went <= 1'b0;
            f_came <= 1'b0;
        end else begin
            f_went <= f_went || sent;
            f_came <= f_came || (phase == WAIT && there);
        end
    end

    // ------------------------------------------------------------------
    // The packet, by arithmetic

//% if L.MAPPED == 1 then
${fragment("ndp_map_formal.inc", {sector = "(win_address / " .. L.SECTOR // 4 .. ")"})}
//% else
    wire [31:0] f_chunk = win_address / ${L.CHUNK // 4};
    wire [31:0] f_home  = f_chunk % ${L.HOMES};
//% end
    wire [31:0] f_node  = ${stands("f_home")};
//% if L.MAPPED == 0 then
    wire [31:0] f_there = (f_chunk / ${L.HOMES} * ${L.CHUNK // 4} + win_address % ${L.CHUNK // 4}) / ${L.SECTOR // 4};
//% end
    wire [31:0] f_place = win_address % ${L.SECTOR // 4};

    reg [${L.STORE_FLITS * L.FLIT_W - 1}:0] f_ask;

    always @* begin
        f_ask = 0;
        f_ask[${ask.kind.msb}:${ask.kind.lsb}] = 7;
        f_ask[${ask.op.msb}:${ask.op.lsb}] = win_write;
        f_ask[${ask.node.msb}:${ask.node.lsb}] = at_node;
        f_ask[${ask.address.msb}:${ask.address.lsb}] = f_there[LADDR_W-1:0];
        if (win_write) begin
            f_ask[${ask.strobe.msb}:${ask.strobe.lsb}] = 4'd15 << 4 * f_place;
            f_ask[${ask.data.msb}:${ask.data.lsb}] = {${L.SECTOR // 4}{win_data}};
        end
    end

    wire [31:0] f_bits = win_write ? ${ask.data.msb + 1} : ${ask.address.msb + 1};
    reg  [7:0]  f_sent;

    always @(posedge clk) begin
        if (rst)
            f_sent <= 0;
        else if (send_req_valid && send_req_ready)
            f_sent <= send_req_last ? 0 : f_sent + 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_taken: assert (!win_ready || (win_valid && f_went && f_came));
        p_once: assert (!(send_req_valid && f_went));
        p_under_way: assert (!send_req_valid || win_valid);
        if (send_req_valid) begin
            p_place: assert (send_req_y * WIDTH + send_req_x == f_node && send_req_x < WIDTH);
            p_last: assert (send_req_last == ((f_sent + 1) * FLIT_W >= f_bits));
            p_inside: assert (f_sent * FLIT_W < f_bits);
//% for k = 0, L.STORE_FLITS - 1 do
            if (f_sent == ${k}) begin
                p_flit_${k}: assert (send_req_data == f_ask[${(k + 1) * L.FLIT_W - 1}:${k * L.FLIT_W}]);
            end
//% end
        end
        c_write: cover (win_ready && win_write);
        c_read: cover (win_ready && !win_write && read_data != 0);
    end

    // ------------------------------------------------------------------
    // The answer that ended on the edge before

    reg                f_ended;
    reg [31:0]         f_read;

    wire [DATA_W-1:0]  f_loaded = loaded >> 32 * f_place;

    always @(posedge clk) begin
        f_ended <= !rst && ends;
        f_read  <= fault ? 0 : f_loaded[31:0];
    end

    always @* if (f_past && !rst) begin
        p_ready: assert (win_ready == f_ended);
        p_reads: assert (read_valid == (f_ended && !win_write));
        p_read: assert (read_data == (read_valid ? f_read : 0));
    end
`endif
