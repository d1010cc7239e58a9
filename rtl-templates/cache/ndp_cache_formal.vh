//% output("formal/ndp_cache_formal.vh")
//% local N = 1 << L.ID_W
${header{title = "what is proved of ndp_cache", text = [[
Around it stand a core and a memory that carries requests out in order and answers them
in order.  An answer goes to a request that has none; those without an answer are held
here, wait for a line or are at the memory.  A load of a byte, any, returns what was
last stored there, unless an atomic came after that.  No line is both valid and in
flight when it is looked up, and a dead line does not enter.]]}}
`ifdef FORMAL_NDP_CACHE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The memory: what it has taken, the oldest lowest; the byte

    localparam F_MOST = ${L.MSHRS + L.PASSES};

    (* anyconst *) reg [SADDR_W-1:0] f_line;
    (* anyconst *) reg [${L.BYTE_W - 1}:0] f_byte;
    (* anyseq *)   reg [7:0] f_any; // what an atomic makes of the byte

    reg [7:0]                 f_memory;
    reg [F_MOST*MEM_ID_W-1:0] f_ids;
    reg [F_MOST*8-1:0]        f_bytes; // of the line, or anything
    reg [F_MOST-1:0]          f_of;    // it is a fetch of the line
    reg [3:0]                 f_n;

    wire       f_take = req_valid && req_ready;
    wire       f_here = req_address == f_line;
    wire [3:0] f_to   = f_n - back_valid; // place of a request that is taken
    integer    f_k;

    always @(posedge clk) begin
        if (rst) begin
            f_n <= 0;
        end else begin
            f_n <= f_n + f_take - back_valid;
            if (back_valid) begin
                f_ids   <= f_ids >> MEM_ID_W;
                f_bytes <= f_bytes >> 8;
                f_of    <= f_of >> 1;
            end
            for (f_k = 0; f_k < F_MOST; f_k = f_k + 1)
                if (f_take && f_to == f_k) begin
                    f_ids[f_k*MEM_ID_W +: MEM_ID_W] <= req_id;
                    f_bytes[f_k*8 +: 8]             <= f_memory;
                    f_of[f_k]                       <= f_here && req_op == 4'd0;
                end
            if (f_take && f_here && req_op != 4'd0 && (req_op != 4'd1 || req_strobe[f_byte]))
                f_memory <= req_op == 4'd1 ? req_data[8*f_byte +: 8] : f_any;
        end
    end

    always @* if (f_past && !rst) begin
        q_back: assume (!back_valid || (f_n != 0 && back_id == f_ids[MEM_ID_W-1:0]));
        q_byte: assume (!back_valid || !f_of[0] ||
                        (!back_fault && back_data[8*f_byte +: 8] == f_bytes[7:0]));
        p_room: assert (f_n <= F_MOST && (!f_take || f_to < F_MOST));
    end

    // ------------------------------------------------------------------
    // The core: ids that are in flight, and what a load of the byte must return

    reg [${N - 1}:0]   f_flight;
    reg [${N - 1}:0]   f_loads;  // it loads the byte, which is known
    reg [${8 * N - 1}:0] f_expect;
    reg [${L.ID_W + 1}:0] f_waits; // loads that wait for a line
    reg                f_known;
    reg [7:0]          f_truth;

    wire f_mem_here = take_mem && mem_address == f_line;

    always @(posedge clk) begin
        if (rst) begin
            f_flight <= 0;
            f_waits  <= 0;
            f_known  <= 1'b0;
        end else begin
            f_waits <= f_waits + (load_miss || load_merge) - (do_line && its_load);
            if (rsp_valid)
                f_flight[rsp_id] <= 1'b0;
            if (take_mem) begin
                f_flight[mem_id] <= 1'b1;
                f_loads[mem_id]  <= f_mem_here && mem_op == 4'd0 && f_known;
                f_expect[8*mem_id +: 8] <= f_truth;
            end
            if (f_mem_here && mem_op == 4'd1 && mem_strobe[f_byte]) begin
                f_known <= 1'b1;
                f_truth <= mem_data[8*f_byte +: 8];
            end else if (f_mem_here && mem_op > 4'd1) begin
                f_known <= 1'b0;
            end
        end
    end

`ifdef FEW_LINES
    // for p_load: lines of two tags
    always @* assume ({mem_address, pre_line, inval_line, f_line} ==
                      ({mem_address, pre_line, inval_line, f_line} & {4{${L.SADDR_W}'d3}}));
    always @* assume (f_byte == 0);
`endif

    // number of requests without an answer
    reg [${L.ID_W + 1}:0] f_count;

    always @(posedge clk) begin
        if (rst)
            f_count <= 0;
        else
            f_count <= f_count + take_mem - rsp_valid;
    end

    always @* if (f_past && !rst) begin
        q_id: assume (!mem_valid || !f_flight[mem_id]);
        p_id: assert (!rsp_valid || f_flight[rsp_id]);
        p_all: assert (f_count == r_held + f_waits + passes + rsp_valid);
        p_load: assert (!rsp_valid || !f_loads[rsp_id] ||
                        rsp_data[8*f_byte +: 8] == f_expect[8*rsp_id +: 8]);
        p_apart: assert (!(hit && met));
        p_dead: assert (!(enter && its_dead));
        p_zero: assert (rsp_valid || {rsp_data, rsp_fault, rsp_id} == 0);
        c_hit: cover (rsp_valid && f_loads[rsp_id] && from_line);
        c_late: cover (rsp_valid && f_loads[rsp_id] && !from_line);
        c_dead: cover (do_line && its_dead);
    end
`endif
