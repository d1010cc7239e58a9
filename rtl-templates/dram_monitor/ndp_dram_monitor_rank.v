//% use "ndp_dram_monitor_age.v"
//% use "ndp_dram_monitor_rank_formal.vh"
//% local late = 9 * P["timing.refi"]
//% local LATE_W = clog2(late + 2)
//% local places = {bank = L.SLOTS, group = L.GROUPS, rank = 1}
//% local function w(n) return pad(range(n), 8) end
//% local function each(n) return pad("[" .. n - 1 .. ":0]", 8) end
//% local function slot(s)
//%     local parts = {}
//%     if L.BG_W > 0 then parts[#parts + 1] = s .. "_group" end
//%     if L.BA_W > 0 then parts[#parts + 1] = s .. "_bank" end
//%     return #parts == 2 and "{" .. table.concat(parts, ", ") .. "}" or parts[1]
//% end
//% local function at(s, scope)
//%     return ({bank = s .. "_slot", group = s .. "_group"})[scope]
//% end
//% -- the commands of h and n are at one place
//% local function meet(scope)
//%     if places[scope] == 1 then return "" end
//%     return " && " .. at("h", scope) .. " == " .. at("n", scope)
//% end
//% -- such a command of either, at place s
//% local function happens(age, n)
//%     local terms = {}
//%     for i, who in ipairs{"h", "n"} do
//%         local here = age.scope == "bank" and "_at[s]" or "_at_group[s]"
//%         terms[i] = any(who, age.from) .. (n > 1 and " && " .. who .. here or "")
//%         if n > 1 then terms[i] = "(" .. terms[i] .. ")" end
//%     end
//%     return table.concat(terms, " || ")
//% end
${header{title = "rules of one rank", text = [[
Which rules of a bank, a bank group or the rank the commands to a rank break on this
edge, the host's (h) and its accelerator's (n), which comes behind it; and those of open
rows and refreshes.

Ages count edges since the last command of a set, for each bank, each group or the
rank; a rule is broken if the age is less than it asks for.

Parameters: all sizes and times are generated; see the localparams.

Latency: none; after the edge with a command the ages know of it.]]}}
`default_nettype none

module ${prefix}ndp_dram_monitor_rank (
    input  wire          clk,     // clock
    input  wire          rst,     // synchronous reset, active high
    input  wire          h_valid, // the host's command
    input  wire [2:0]    h_kind,
    input  wire ${w(L.GROUP_W)} h_group,
    input  wire ${w(L.BANK_W)} h_bank,
    input  wire ${w(L.ROW_W)} h_row,
    input  wire          n_valid, // the accelerator's
    input  wire [2:0]    n_kind,
    input  wire ${w(L.GROUP_W)} n_group,
    input  wire ${w(L.BANK_W)} n_bank,
    input  wire ${w(L.ROW_W)} n_row,
    input  wire          begun,   // a command on this edge or before, in any rank
    output wire ${w(L.CHECKS)} h_broken, // what it breaks, by number
    output wire ${w(L.CHECKS)} n_broken,
    output wire          late     // a refresh on this edge would come too late
);
${localparams("SLOTS", "ROW_W")}

//% for code, k in ipairs(kinds) do
//%     for _, s in ipairs{"h", "n"} do
    wire ${pad(s .. "_" .. k, 6)} = ${s}_valid && ${s}_kind == 3'd${code - 1};
//%     end
//% end

//% if L.SLOT_W > 0 then
    wire [${L.SLOT_W - 1}:0] h_slot = ${slot("h")}; // bank of the rank
    wire [${L.SLOT_W - 1}:0] n_slot = ${slot("n")};
//% end
    wire [SLOTS-1:0] h_at = ${L.SLOT_W > 0 and "{{(SLOTS-1){1'b0}}, 1'b1} << h_slot" or "1'b1"};
    wire [SLOTS-1:0] n_at = ${L.SLOT_W > 0 and "{{(SLOTS-1){1'b0}}, 1'b1} << n_slot" or "1'b1"};

//% if L.GROUPS > 1 then
    wire [${L.GROUPS - 1}:0] h_at_group = ${number(L.GROUPS, 1)} << h_group;
    wire [${L.GROUPS - 1}:0] n_at_group = ${number(L.GROUPS, 1)} << n_group;
//% end

    // ------------------------------------------------------------------
    // Edges since the last command of a set

    genvar s;

//% for _, age in ipairs(rank_ages) do
//%     local n, W = places[age.scope], age.width
    wire [${n * W - 1}:0] ${age.name};

    generate
        for (s = 0; s < ${n}; s = s + 1) begin : each_${age.name}
            ${prefix}ndp_dram_monitor_age #(
                .MOST  (${age.most}),
                .WIDTH (${W})
            ) since (
                .clk     (clk),
                .rst     (rst),
                .happens (${happens(age, n)}),
                .age     (${age.name}[s*${W} +: ${W}])
            );
        end
    endgenerate

//% end
//% for _, r in ipairs(rules) do
//%     if r.count > 1 and places[r.scope] == 1 and r.cycles > 0 then
//%         local W = age_width(r.cycles)
//%         local rest = (r.count - 1) * W
    // the last ${r.count}, the latest lowest
    reg  [${r.count * W - 1}:0] ${r.name};
    wire [${r.count * W - 1}:0] ${r.name}_host = ${any("h", r.from)} ? {${r.name}[${rest - 1}:0], ${number(W, 0)}} : ${r.name};
    wire [${r.count * W - 1}:0] ${r.name}_both = ${any("n", r.from)} ? {${r.name}_host[${rest - 1}:0], ${number(W, 0)}} : ${r.name}_host;

    generate
        for (s = 0; s < ${r.count}; s = s + 1) begin : each_${r.name}
            always @(posedge clk) begin
                if (rst)
                    ${r.name}[s*${W} +: ${W}] <= ${number(W, r.cycles)};
                else if (${r.name}_both[s*${W} +: ${W}] == ${number(W, r.cycles)})
                    ${r.name}[s*${W} +: ${W}] <= ${number(W, r.cycles)};
                else
                    ${r.name}[s*${W} +: ${W}] <= ${r.name}_both[s*${W} +: ${W}] + 1'b1;
            end
        end
    endgenerate

//% end
//% end
    // ------------------------------------------------------------------
    // Open rows

    wire h_column = h_rd || h_rda || h_wr || h_wra;
    wire n_column = n_rd || n_rda || n_wr || n_wra;

    reg  [SLOTS-1:0]       open;
    reg  [SLOTS*ROW_W-1:0] rows;

    // as the host's command leaves them, and the accelerator's
    wire [SLOTS-1:0] h_shut    = h_prea ? {SLOTS{1'b1}} : h_pre || h_rda || h_wra ? h_at : {SLOTS{1'b0}};
    wire [SLOTS-1:0] n_shut    = n_prea ? {SLOTS{1'b1}} : n_pre || n_rda || n_wra ? n_at : {SLOTS{1'b0}};
    wire [SLOTS-1:0] open_host = (open & ~h_shut) | ({SLOTS{h_act}} & h_at);
    wire [SLOTS-1:0] open_both = (open_host & ~n_shut) | ({SLOTS{n_act}} & n_at);

    wire [ROW_W-1:0] h_open_row = ${field("rows", L.ROW_W, L.SLOTS, "h_slot")};
    wire [ROW_W-1:0] n_open_row = h_act${meet("bank")} ? h_row : ${field("rows", L.ROW_W, L.SLOTS, "n_slot")};

    always @(posedge clk) begin
        if (rst)
            open <= {SLOTS{1'b0}};
        else
            open <= open_both;
    end

    generate
        for (s = 0; s < SLOTS; s = s + 1) begin : each_row
            always @(posedge clk) begin
                if (n_act && n_at[s])
                    rows[s*ROW_W +: ROW_W] <= n_row;
                else if (h_act && h_at[s])
                    rows[s*ROW_W +: ROW_W] <= h_row;
            end
        end
    endgenerate

    // ------------------------------------------------------------------
    // Refresh

//% if late > 0 then
    localparam [${LATE_W - 1}:0] LATE = ${number(LATE_W, late + 1)};

    reg [${LATE_W - 1}:0] unrefreshed; // edges since the last refresh, or the first command

    assign late = unrefreshed == LATE;

    always @(posedge clk) begin
        if (rst)
            unrefreshed <= ${number(LATE_W, 0)};
        else if (h_ref || n_ref)
            unrefreshed <= ${number(LATE_W, 1)};
        else if (begun && !late)
            unrefreshed <= unrefreshed + 1'b1;
    end
//% else
    assign late = 1'b0;
//% end

    // ------------------------------------------------------------------
    // What is broken

//% for _, r in ipairs(rules) do
//%     local n = places[r.scope]
//%     local i, h, here = r.number, any("h", r.to), any("n", r.to)
//%     if not n or r.cycles < 1 then
    assign h_broken[${i}] = 1'b0; // ${r.name}
    assign n_broken[${i}] = 1'b0;
//%     elseif r.count > 1 then
//%         local W = age_width(r.cycles)
    assign h_broken[${i}] = ${h} && ${r.name}[${r.count * W - 1}:${(r.count - 1) * W}] != ${number(W, r.cycles)}; // ${r.name}
    assign n_broken[${i}] = ${here} && ${r.name}_host[${r.count * W - 1}:${(r.count - 1) * W}] != ${number(W, r.cycles)};
//%     elseif r.cycles == 1 then
    assign h_broken[${i}] = 1'b0; // ${r.name}
    assign n_broken[${i}] = ${here} && ${any("h", r.from)}${meet(r.scope)};
//%     else
//%         local age, W = r.age.name, r.age.width
//%         local less = r.cycles == r.age.most and " != " or " < "
    assign h_broken[${i}] = ${h} && ${field(age, W, n, at("h", r.scope))}${less}${number(W, r.cycles)}; // ${r.name}
    assign n_broken[${i}] = ${here} && (${field(age, W, n, at("n", r.scope))}${less}${number(W, r.cycles)} ||
                          (${any("h", r.from)}${meet(r.scope)}));
//%     end
//% end
    assign h_broken[${check_no.data}] = 1'b0; // data
    assign n_broken[${check_no.data}] = 1'b0;
    assign h_broken[${check_no.closed}] = h_column && !(|(open & h_at)); // closed
    assign n_broken[${check_no.closed}] = n_column && !(|(open_host & n_at));
    assign h_broken[${check_no.row}] = h_column && |(open & h_at) && h_row != h_open_row; // row
    assign n_broken[${check_no.row}] = n_column && |(open_host & n_at) && n_row != n_open_row;
    assign h_broken[${check_no.open}] = (h_act && |(open & h_at)) || (h_ref && |open); // open
    assign n_broken[${check_no.open}] = (n_act && |(open_host & n_at)) || (n_ref && |open_host);
    assign h_broken[${check_no.refresh}] = h_ref && late; // refresh
    assign n_broken[${check_no.refresh}] = n_ref && late && !h_ref;

//% local idle = {}
//% if late == 0 then idle[#idle + 1] = "begun" end
//% if L.BG_W == 0 then idle[#idle + 1] = "h_group, n_group" end
//% if L.BA_W == 0 then idle[#idle + 1] = "h_bank, n_bank" end
//% if #idle > 0 then
    wire unused = &{1'b0, ${table.concat(idle, ", ")}};

//% end
`ifdef FORMAL
`include "${prefix}ndp_dram_monitor_rank_formal.vh"
`endif
endmodule

`default_nettype wire
