//% use "ndp_dram_monitor_age.v"
//% use "ndp_dram_monitor_wires_formal.vh"
//% local cl, cwl, bl = P["timing.cl"], P["timing.cwl"], P["timing.bl"]
//% local rtrs, turn = P["timing.rtrs"], P["timing.turn"]
//% local widest = math.max(rtrs, turn)
//% -- slot 0 of the calendar: the earliest begin of a burst that can still matter
//% local first = math.min(cl, cwl) - (bl + widest) + 1
//% local n = math.max(cl, cwl) - first -- slots
//% local idle_wires = n == 0 and #other_ages == 0 -- there is nothing to keep
//% local function w(n) return pad(range(n), 8) end
//% -- any burst of `which` that begins from `before` edges before a burst with that
//% -- latency to `after` edges behind it
//% local function around(which, latency, before, after)
//%     local low = math.max(0, latency - first - before)
//%     local high = math.min(n - 1, latency - first + after)
//%     if low > high then return nil end
//%     return "|" .. which .. "[" .. high .. ":" .. low .. "]"
//% end
//% local function either(...)
//%     local terms, given = {}, {...}
//%     for i = 1, select("#", ...) do terms[#terms + 1] = given[i] end
//%     return #terms > 0 and "(" .. table.concat(terms, " || ") .. ")" or "1'b0"
//% end
${header{title = "rules of the channel's wires", text = [[
Which rules between ranks the host's command breaks on this edge, and whether its burst
and another one meet on the data bus, or come nearer than they may.  The accelerators'
commands use no wire of the channel.

The data bus is a calendar: a bit for each rank and each of the next edges on which a
read burst of it begins, and likewise a write burst.  A slot is an edge, the lowest the
earliest that matters.

Parameters: all sizes and times are generated; see the localparams.

Latency: none; after the edge with a command the calendar knows of it.]]}}
`default_nettype none

module ${prefix}ndp_dram_monitor_wires (
    input  wire          clk,     // clock
    input  wire          rst,     // synchronous reset, active high
    input  wire          h_valid, // the host's command
    input  wire [2:0]    h_kind,
    input  wire ${w(L.RANK_W)} h_rank,
    output wire ${w(L.CHECKS)} h_broken // what it breaks, by number
);
//% if not idle_wires then
${localparams("RANKS")}
//% end

//% for code, k in ipairs(kinds) do
    wire ${pad("h_" .. k, 6)} = h_valid && h_kind == 3'd${code - 1};
//% end
    wire h_reads  = h_rd || h_rda;
    wire h_writes = h_wr || h_wra;

//% if not idle_wires then
    wire [RANKS-1:0] h_at = ${L.RA_W > 0 and "{{(RANKS-1){1'b0}}, 1'b1} << h_rank" or "1'b1"};

    genvar r;

//% end
    // ------------------------------------------------------------------
    // Edges since the last command of a set

//% for _, age in ipairs(other_ages) do
//%     local W, count = age.width, L.RANKS
    wire [${count * W - 1}:0] ${age.name};

    generate
        for (r = 0; r < ${count}; r = r + 1) begin : each_${age.name}
            ${prefix}ndp_dram_monitor_age #(
                .MOST  (${age.most}),
                .WIDTH (${W})
            ) since (
                .clk     (clk),
                .rst     (rst),
                .happens (${any("h", age.from)} && h_at[r]),
                .age     (${age.name}[r*${W} +: ${W}])
            );
        end
    endgenerate

//% end
    // ------------------------------------------------------------------
    // The data bus

//% if n > 0 then
    wire [${L.RANKS * n - 1}:0] reads, writes; // calendars, by rank

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : each_rank
            reg [${n - 1}:0] of_reads, of_writes;
//%     for _, of in ipairs{{name = "reads", latency = cl}, {name = "writes", latency = cwl}} do
//%         local at = of.latency - first - 1 -- slot of its burst on the next edge

            always @(posedge clk) begin
                if (rst) begin
                    of_${of.name} <= ${number(n, 0)};
                end else begin
                    of_${of.name} <= of_${of.name} >> 1;
//%         if at >= 0 then
                    if (h_${of.name} && h_at[r])
                        of_${of.name}[${at}] <= 1'b1;
//%         end
                end
            end
//%     end

            assign reads[r*${n} +: ${n}]  = of_reads;
            assign writes[r*${n} +: ${n}] = of_writes;
        end
    endgenerate

    reg [${n - 1}:0] own_reads, own_writes, others; // of the command's rank; of the other ones
    integer k;

    always @* begin
        own_reads  = ${number(n, 0)};
        own_writes = ${number(n, 0)};
        others     = ${number(n, 0)};
        for (k = 0; k < RANKS; k = k + 1) begin
            if (h_at[k]) begin
                own_reads  = reads[k*${n} +: ${n}];
                own_writes = writes[k*${n} +: ${n}];
            end else begin
                others = others | reads[k*${n} +: ${n}] | writes[k*${n} +: ${n}];
            end
        end
    end

    wire read_meets = ${either(
        around("others", cl, bl + rtrs - 1, bl + rtrs - 1),
        around("own_reads", cl, bl - 1, bl - 1),
        around("own_writes", cl, bl - 1, bl + turn - 1))};
    wire write_meets = ${either(
        around("others", cwl, bl + rtrs - 1, bl + rtrs - 1),
        around("own_reads", cwl, bl + turn - 1, bl - 1),
        around("own_writes", cwl, bl - 1, bl - 1))};
//% else
    wire read_meets  = 1'b0;
    wire write_meets = 1'b0;
//% end

    // ------------------------------------------------------------------
    // What is broken

//% for _, r in ipairs(rules) do
//%     if r.age and r.scope == "other rank" then
//%         local W, name = r.age.width, r.age.name
    wire [RANKS-1:0] ${r.name}; // ranks that are too near

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : each_of_${r.name}
            assign ${r.name}[r] = !h_at[r] && ${name}[r*${W} +: ${W}] < ${number(W, r.cycles)};
        end
    endgenerate

    assign h_broken[${r.number}] = ${any("h", r.to)} && |${r.name};
//%     else
    assign h_broken[${r.number}] = 1'b0; // ${r.name}
//%     end
//% end
    assign h_broken[${check_no.data}] = (h_reads && read_meets) || (h_writes && write_meets); // data
    assign h_broken[${check_no.refresh}:${check_no.closed}] = ${number(check_no.refresh - check_no.closed + 1, 0)};

//% local idle = {"h_act, h_pre, h_prea, h_ref"}
//% if n > 0 then idle[#idle + 1] = "own_reads, own_writes, others" end
//% if idle_wires then idle[#idle + 1] = "clk, rst" end
//% if L.RA_W == 0 or idle_wires then idle[#idle + 1] = "h_rank" end
    wire unused = &{1'b0, ${table.concat(idle, ", ")}};

`ifdef FORMAL
`include "${prefix}ndp_dram_monitor_wires_formal.vh"
`endif
endmodule

`default_nettype wire
