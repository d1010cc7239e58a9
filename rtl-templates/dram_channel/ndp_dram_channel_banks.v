//% use "ndp_timer.v"
//% use "ndp_timing_window.v"
//% local function timer(indent, scope, to, name, out, event)
//%     local t = timers[scope][to]
${indent}${prefix}ndp_timer #(
${indent}    .WIDTH (${timer_width(t)})
${indent}) ${name} (
${indent}    .clk   (clk),
${indent}    .rst   (rst),
${indent}    .load  (${load_of(t, event)}),
${indent}    .edges (${edges_of(t, event)}),
${indent}    .ready (${out})
${indent});
//% end
${header{title = "open rows and legal commands of the banks", text = [[
Keeps which row of each bank is open and, by timers of banks, bank groups and ranks,
which commands the timing rules allow.  One command a rank may come on an edge, the
host's or that of the accelerator there.

Parameters: all sizes and times are generated; see the localparams.

Latency: after the edge with a command everything knows of it.]]}}
`default_nettype none

module ${prefix}ndp_dram_channel_banks (
    input  wire        clk,       // clock
    input  wire        rst,       // synchronous reset, active high
    input  wire ${pad(range(L.RANKS), 6)} do_act,    // commands, by rank
    input  wire ${pad(range(L.RANKS), 6)} do_pre,
    input  wire ${pad(range(L.RANKS), 6)} do_prea,
    input  wire ${pad(range(L.RANKS), 6)} do_rd,
    input  wire ${pad(range(L.RANKS), 6)} do_wr,
    input  wire ${pad(range(L.RANKS), 6)} do_ref,
    input  wire ${pad(range(L.RANKS * L.SLOT_W), 6)} do_slot,   // their banks
    input  wire ${pad(range(L.RANKS * L.ROW_W), 6)} do_row,    // and rows
    input  wire ${pad(range(L.RANKS), 6)} host,      // the command is the host's
    output reg  ${pad(range(L.PLACES), 6)} open,      // a row is open, by bank
    output wire ${pad(range(L.PLACES), 6)} open_next, // after this edge
    output reg  ${pad(range(L.PLACES * L.ROW_W), 6)} rows,      // which
    output wire ${pad(range(L.PLACES * L.ROW_W), 6)} rows_next,
    output wire ${pad(range(L.PLACES), 6)} near_act,  // legal for the accelerators
    output wire ${pad(range(L.PLACES), 6)} near_pre,
    output wire ${pad(range(L.PLACES), 6)} near_rd,
    output wire ${pad(range(L.PLACES), 6)} near_wr,
    output wire ${pad(range(L.PLACES), 6)} can_rd,    // legal for the host, where it differs
    output wire ${pad(range(L.PLACES), 6)} can_wr,
    output wire ${pad(range(L.RANKS), 6)} can_prea,
    output wire ${pad(range(L.RANKS), 6)} can_ref
);
${localparams("RANKS", "GROUPS", "BANKS", "SLOTS", "SLOT_W", "ROW_W", "BG_W", "BA_W")}
//% local unseen = unseen_commands{"rd", "wr", "ref"}
//% local alone = true
//% for _ in pairs(timers["other rank"]) do alone = false end
//% if alone then unseen[#unseen + 1] = "host" end
//% if #unseen > 0 then

    wire unused_commands = &{1'b0, ${table.concat(unseen, ", ")}};
//% end

    genvar r, g, b;

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : rank
            wire [SLOT_W-1:0] slot     = do_slot[r*SLOT_W +: SLOT_W];
            wire [SLOTS-1:0]  at       = {{(SLOTS-1){1'b0}}, 1'b1} << slot;
            wire [GROUPS-1:0] at_group = {{(GROUPS-1){1'b0}}, 1'b1} << slot[BA_W +: BG_W];

//% -- the host's commands in other ranks
//% local others = {}
//% for _, of in pairs(timers["other rank"]) do
//%     for from in pairs(of) do others[from] = true end
//% end
//% for _, k in ipairs(kinds) do
//%     if others[k] then
            wire [RANKS-1:0]  host_${k}  = do_${k} & host & ~({{(RANKS-1){1'b0}}, 1'b1} << r);
            wire              other_${k} = |host_${k};
//%     end
//% end

            // of the rank
//% for _, to in ipairs(kinds) do
//%     if timers.rank[to] then
            wire rank_${to};
//%         timer("            ", "rank", to, "of_" .. to, "rank_" .. to, function(k) return "do_" .. k .. "[r]" end)
//%     end
//% end
            wire in_window;
            ${prefix}ndp_timing_window #(
                .COUNT (${window.count}),
                .EDGES (${window.cycles}),
                .WIDTH (${clog2(window.cycles)})
            ) of_window (
                .clk   (clk),
                .rst   (rst),
                .take  (do_act[r]),
                .ready (in_window)
            );

            // of the host, for its commands in other ranks
//% for _, to in ipairs(kinds) do
//%     if timers["other rank"][to] then
            wire host_may_${to};
//%         timer("            ", "other rank", to, "of_host_" .. to, "host_may_" .. to, function(k) return "other_" .. k end)
//%     end
//% end

            assign can_prea[r] = rank_prea;
            assign can_ref[r]  = rank_ref;

            for (g = 0; g < GROUPS; g = g + 1) begin : group
                // of the bank group
//% for _, to in ipairs(kinds) do
//%     if timers.group[to] then
                wire group_${to};
//%         timer("                ", "group", to, "of_" .. to, "group_" .. to, function(k) return "(do_" .. k .. "[r] && at_group[g])" end)
//%     end
//% end

                for (b = 0; b < BANKS; b = b + 1) begin : bank
                    localparam S = g * BANKS + b;
                    localparam P = r * SLOTS + S;

                    // of the bank
//% for _, to in ipairs(kinds) do
//%     if timers.bank[to] then
                    wire bank_${to};
//%         timer("                    ", "bank", to, "of_" .. to, "bank_" .. to, function(k) return "(do_" .. k .. "[r] && at[S])" end)
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
                    assign can_${to}[P] = near_${to}[P]${timers["other rank"][to] and " && host_may_" .. to or ""};
//% end

                    // its row
                    wire opens  = do_act[r] && at[S];
                    wire closes = (do_pre[r] && at[S]) || do_prea[r];

                    assign open_next[P] = opens || (open[P] && !closes);
                    assign rows_next[P*ROW_W +: ROW_W] =
                        opens ? do_row[r*ROW_W +: ROW_W] : rows[P*ROW_W +: ROW_W];
                end
            end
        end
    endgenerate

    always @(posedge clk) begin
        rows <= rows_next;
        if (rst)
            open <= {RANKS*SLOTS{1'b0}};
        else
            open <= open_next;
    end
endmodule

`default_nettype wire
