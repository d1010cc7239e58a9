//% output("formal/ndp_emn_logic_formal.vh")
${header{title = "what is proved of ndp_emn_logic", text = [[
The comparators give, for every input, what the table of Algorithm 1 gives:
numbers outside the mesh and of other cores included.]]}}

    // Edges so far, until both answers are to a lookup after the first edge:
    // there is no reset, and the stages begin with anything.
    reg [2:0] f_age = 3'd0;

    wire f_past = f_age == 3'd${L.STAGES + 1};

    always @(posedge clk) if (!f_past) f_age <= f_age + 1'b1;

    wire f_found;
    wire ${range(L.NODE_W)} f_node;

    ${prefix}ndp_emn_table f_table (
        .clk   (clk),
        .core  (core),
        .mem0  (mem0),
        .mem1  (mem1),
        .found (f_found),
        .node  (f_node)
    );

    always @* if (f_past) begin
        p_found: assert (found == f_found);
        p_node: assert (!found || node == f_node);
    end

    always @* if (f_past) begin
        c_found: cover (found);
        c_none: cover (!found);
        c_last: cover (found && node == ${L.NODE_W}'d${math.max(table.unpack(P["mesh.memory_nodes"]))});
    end
