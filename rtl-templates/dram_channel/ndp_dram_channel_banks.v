//% use "ndp_dram_channel_timer.v"
//% use "ndp_timing_window.v"
//% local function timer(indent, scope, to, name, out, event)
//%     local t = timers[scope][to]
//%     local from = loads_of(t)
//%     local names, edges = {}, {}
//%     for _, k in ipairs(from) do
//%         names[#names + 1] = event(k)
//%         edges[#edges + 1] = timer_width(t) .. "'d" .. t[k]
//%     end
${indent}${prefix}ndp_dram_channel_timer #(
${indent}    .WIDTH  (${timer_width(t)}),
${indent}    .EVENTS (${#from}),
${indent}    .EDGES  ({${table.concat(edges, ", ")}})
${indent}) ${name} (
${indent}    .clk    (clk),
${indent}    .rst    (rst),
${indent}    .events ({${table.concat(names, ", ")}}),
${indent}    .ready  (${out})
${indent});
//% end
${header{title = "open rows and legal commands of the banks", text = [[
Keeps which row of each bank is open and, by timers of banks, bank groups and ranks,
which commands the timing rules allow.  One command a rank may come on an edge, the
host's or that of the accelerator there.

The row of an activation and its window begin an edge late: on that edge the rules allow
neither a command that needs the row nor another activation.

Parameters: all sizes and times are generated; see the localparams.

Latency: after the edge with a command everything knows of it.]]}}
`default_nettype none

module ${prefix}ndp_dram_channel_banks (
    input  wire        clk,       // clock
    input  wire        rst,       // synchronous reset, active high
    input  wire ${pad(range(L.PLACES), 6)} h_act,     // commands of the host, by bank
    input  wire ${pad(range(L.PLACES), 6)} h_pre,
    input  wire ${pad(range(L.PLACES), 6)} h_rd,
    input  wire ${pad(range(L.PLACES), 6)} h_wr,
    input  wire ${pad(range(L.RANKS), 6)} h_prea,    // by rank
    input  wire ${pad(range(L.RANKS), 6)} h_ref,
    input  wire ${pad(range(L.RANKS), 6)} h_rank,    // any command, by rank
    input  wire ${pad(range(L.PLACES), 6)} n_act,     // of accelerators, if the host has none for the rank
    input  wire ${pad(range(L.PLACES), 6)} n_pre,
    input  wire ${pad(range(L.PLACES), 6)} n_rd,
    input  wire ${pad(range(L.PLACES), 6)} n_wr,
    input  wire ${pad(range(L.PLACES), 6)} last_act,  // rows opened on the edge before
    input  wire ${pad(range(L.RANKS * L.ROW_W), 6)} last_row,  // and its row, by rank
    output reg  ${pad(range(L.PLACES), 6)} open,      // a row is open, by bank
    output reg  ${pad(range(L.PLACES * L.ROW_W), 6)} rows,      // which, the edge before left out
    output wire ${pad(range(L.PLACES), 6)} near_act,  // legal for the accelerators
    output wire ${pad(range(L.PLACES), 6)} near_pre,
    output wire ${pad(range(L.PLACES), 6)} near_rd,
    output wire ${pad(range(L.PLACES), 6)} near_wr,
    output wire ${pad(range(L.PLACES), 6)} can_rd,    // legal for the host, where it differs; a row is open
    output wire ${pad(range(L.PLACES), 6)} can_wr,
    output wire ${pad(range(L.RANKS), 6)} can_prea,
    output wire ${pad(range(L.RANKS), 6)} can_ref
);
${localparams("RANKS", "PLACES", "GROUPS", "BANKS", "SLOTS", "ROW_W")}
//% local unseen = unseen_commands{"h_rd", "h_wr", "h_ref", "n_rd", "n_wr"}
//% if #unseen > 0 then

    wire unused_commands = &{1'b0, ${table.concat(unseen, ", ")}};
//% end

    genvar r, g, b;

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : rank
//% -- A command in a part of the rank: what the host leaves alone is looked at last, as it is known last.
//% local function event(k, part)
//%     if k == "prea" or k == "ref" then return "h_" .. k .. "[r]" end
//%     return "(|h_" .. k .. "[" .. part .. "] || (!h_rank[r] && |n_" .. k .. "[" .. part .. "]))"
//% end
//% local function at_rank(k) return event(k, "r*SLOTS +: SLOTS") end
//% local function at_group(k) return event(k, "r*SLOTS + g*BANKS +: BANKS") end
//% local function at_bank(k) return event(k, "P +: 1") end
//% -- the host's commands in other ranks
//% local others = {}
//% for _, of in pairs(timers["other rank"]) do
//%     for from in pairs(of) do others[from] = true end
//% end
//% for _, k in ipairs(kinds) do
//%     if others[k] then
            wire [PLACES-1:0] others_${k} = h_${k} & ~({{(PLACES-SLOTS){1'b0}}, {SLOTS{1'b1}}} << r*SLOTS);
            wire              other_${k}  = |others_${k};
//%     end
//% end

            // of the rank
//% for _, to in ipairs(kinds) do
//%     if timers.rank[to] then
            wire rank_${to};
//%         timer("            ", "rank", to, "of_" .. to, "rank_" .. to, at_rank)
//%     end
//% end
            wire in_window;
            ${prefix}ndp_timing_window #(
                .COUNT (${window.count}),
                .EDGES (${window.cycles - 1}),
                .WIDTH (${clog2(window.cycles - 1)})
            ) of_window (
                .clk   (clk),
                .rst   (rst),
                .take  (|last_act[r*SLOTS +: SLOTS]),
                .ready (in_window)
            );

            // of the rank, for the host: its commands in other ranks besides
//% for _, to in ipairs{"rd", "wr"} do
//%     if timers.host[to] then
            wire host_${to};
//%         timer("            ", "host", to, "of_host_" .. to, "host_" .. to, function(k)
//%             return k:match("^other_") and k or at_rank(k)
//%         end)
//%     end
//% end

            assign can_prea[r] = rank_prea;
            assign can_ref[r]  = rank_ref;

            for (g = 0; g < GROUPS; g = g + 1) begin : group
                // of the bank group
//% for _, to in ipairs(kinds) do
//%     if timers.group[to] then
                wire group_${to};
//%         timer("                ", "group", to, "of_" .. to, "group_" .. to, at_group)
//%     end
//% end

                for (b = 0; b < BANKS; b = b + 1) begin : bank
                    localparam P = r * SLOTS + g * BANKS + b;

                    // of the bank
//% for _, to in ipairs(kinds) do
//%     if timers.bank[to] then
                    wire bank_${to};
//%         timer("                    ", "bank", to, "of_" .. to, "bank_" .. to, at_bank)
//%     end
//% end
//% for _, to in ipairs{"act", "pre", "rd", "wr"} do
//%     local terms = {}
//%     if timers.bank[to] then terms[#terms + 1] = "bank_" .. to end
//%     if timers.group[to] then terms[#terms + 1] = "group_" .. to end
//%     if timers.rank[to] then terms[#terms + 1] = "rank_" .. to end
//%     if to == "act" then terms[#terms + 1] = "in_window" end
                    assign near_${to}[P] = ${#terms > 0 and table.concat(terms, " && ") or "1'b1"};
//% end
//% for _, to in ipairs{"rd", "wr"} do
//%     local terms = {"open[P]"}
//%     for _, scope in ipairs{"bank", "group", "host"} do
//%         if timers[scope][to] then terms[#terms + 1] = scope .. "_" .. to end
//%     end
                    assign can_${to}[P] = ${table.concat(terms, " && ")};
//% end

                    // its row
                    always @(posedge clk) begin
                        if (rst)
                            open[P] <= 1'b0;
                        else if (${at_bank("act")})
                            open[P] <= 1'b1;
                        else if (${at_bank("pre")} || h_prea[r])
                            open[P] <= 1'b0;
                        if (last_act[P])
                            rows[P*ROW_W +: ROW_W] <= last_row[r*ROW_W +: ROW_W];
                    end
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
