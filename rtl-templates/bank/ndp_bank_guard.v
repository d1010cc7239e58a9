//% use "ndp_timer.v"
//% use "ndp_timing_window.v"
//% use "ndp_bank_guard_formal.vh"
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
//% local function w(n) return pad(range(n), 8) end
//% local function each(n) return pad("[" .. n - 1 .. ":0]", 8) end
${header{title = "timing guard of a bank", text = [[
Keeps which row is open in each row buffer and, by timers of each row buffer and of the
bank, which commands its times allow.  One command may come on an edge.

Parameters: all sizes and times are generated; see the localparams.

Latency: after the edge with a command everything knows of it.]]}}
`default_nettype none

module ${prefix}ndp_bank_guard (
    input  wire          clk,       // clock
    input  wire          rst,       // synchronous reset, active high
    input  wire          do_act,    // commands
    input  wire          do_pre,
    input  wire          do_prea,
    input  wire          do_rd,
    input  wire          do_wr,
    input  wire          do_ref,
    input  wire ${w(L.BUFFER_W)} do_buffer, // of which row buffer
    input  wire ${w(L.ROW_W)} do_row,    // of which row
    output reg  ${each(L.OPEN)} open,      // a row is open, by row buffer
    output reg  ${each(L.OPEN * L.ROW_W)} rows,      // which
    output wire ${each(L.OPEN)} can_act,   // what the times allow, by row buffer
    output wire ${each(L.OPEN)} can_pre,
    output wire ${each(L.OPEN)} can_rd,
    output wire ${each(L.OPEN)} can_wr,
    output wire          can_prea,
    output wire          can_ref
);
${localparams("OPEN", "ROW_W")}
//% local unseen = unseen_commands{"rd", "wr", "ref"}
//% if #unseen > 0 then

    wire unused_commands = &{1'b0, ${table.concat(unseen, ", ")}};
//% end

    wire [OPEN-1:0] at = ${L.SLOT_W > 0 and "{{(OPEN-1){1'b0}}, 1'b1} << do_buffer" or "1'b1"};

    // ------------------------------------------------------------------
    // The bank as a whole

//% for _, to in ipairs(kinds) do
//%     if timers.bank[to] then
    wire bank_${to};
//%         timer("    ", "bank", to, "of_" .. to, "bank_" .. to, function(k) return "do_" .. k end)
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
        .take  (do_act),
        .ready (in_window)
    );

    assign can_prea = bank_prea;
    assign can_ref  = bank_ref;

    // ------------------------------------------------------------------
    // Each row buffer

    genvar s;

    generate
        for (s = 0; s < OPEN; s = s + 1) begin : buffer
//% for _, to in ipairs(kinds) do
//%     if timers.buffer[to] then
            wire buffer_${to};
//%         timer("            ", "buffer", to, "of_" .. to, "buffer_" .. to, function(k) return "(do_" .. k .. " && at[s])" end)
//%     end
//% end
//% for _, to in ipairs{"act", "pre", "rd", "wr"} do
//%     local terms = {}
//%     if timers.buffer[to] then terms[#terms + 1] = "buffer_" .. to end
//%     if timers.bank[to] then terms[#terms + 1] = "bank_" .. to end
//%     if to == "act" then terms[#terms + 1] = "in_window" end
            assign can_${to}[s] = ${#terms > 0 and table.concat(terms, " && ") or "1'b1"};
//% end

            always @(posedge clk) begin
                if (rst)
                    open[s] <= 1'b0;
                else
                    open[s] <= (do_act && at[s]) || (open[s] && !(do_pre && at[s]) && !do_prea);
                if (do_act && at[s])
                    rows[s*ROW_W +: ROW_W] <= do_row;
            end
        end
    endgenerate

//% if L.SLOT_W == 0 then
    wire unused = &{1'b0, do_buffer};

//% end
`ifdef FORMAL
`include "${prefix}ndp_bank_guard_formal.vh"
`endif
endmodule

`default_nettype wire
