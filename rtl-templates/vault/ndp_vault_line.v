//% use "ndp_vault_line_formal.vh"
//% local read, write = L.READ_D - 4, L.WRITE_D - 4 -- edges in the line
//% local line = math.max(read, write)
//% local at_once = {}
//% if read == 0 then at_once[#at_once + 1] = "reads" end
//% if write == 0 then at_once[#at_once + 1] = "writes" end
${header{title = "bursts of a bank on their way", text = [[
Keeps the place of a request from its column command until its burst has crossed the
bank's wires, less what comes behind.  Those of one bank do so one at a time and in the
order of their commands, as the rules between reads and writes have it.

Parameters: all sizes and times are generated.

Latency: ]] .. read .. " edges of a read, " .. write .. [[ of a write.]]}}
`default_nettype none

module ${prefix}ndp_vault_line (
//% local w = pad(range(L.PLACE_W), 6)
    input  wire        clk,      // clock
    input  wire        rst,      // synchronous reset, active high
    input  wire        reads,    // a read command
    input  wire        writes,   // a write command
    input  wire ${w} place,    // of its request
    output wire        due,      // one comes
    output wire ${w} due_place // its place
);
//% if line == 0 then
    assign due       = reads || writes;
    assign due_place = place;

    wire unused = &{1'b0, clk, rst};

//% else
${localparams("PLACE_W")}

    // the stage that a command enters
//%     if read > 0 then
    localparam [${line - 1}:0] READ_AT = 1${read > 1 and " << " .. read - 1 or ""};
//%     end
//%     if write > 0 then
    localparam [${line - 1}:0] WRITE_AT = 1${write > 1 and " << " .. write - 1 or ""};
//%     end

    // stage i comes after i more edges
    reg [${line - 1}:0] there;
    reg [${line}*PLACE_W-1:0] at;

//%     local terms = {}
//%     if read > 0 then terms[1] = "{" .. line .. "{reads}} & READ_AT" end
//%     if write > 0 then terms[#terms + 1] = "{" .. line .. "{writes}} & WRITE_AT" end
    wire [${line - 1}:0] enters = ${#terms > 1 and "(" .. terms[1] .. ") | (" .. terms[2] .. ")" or terms[1]};

    // what stands behind the last stage is empty
    wire [${line}*PLACE_W-1:0] moves = at >> PLACE_W;

    integer i;

    always @(posedge clk) begin
        there <= rst ? ${line}'d0 : (there >> 1) | enters;
        for (i = 0; i < ${line}; i = i + 1)
            at[i*PLACE_W +: PLACE_W] <= enters[i] ? place : moves[i*PLACE_W +: PLACE_W];
    end

//%     if #at_once > 0 then
    assign due       = there[0] || ${at_once[1]};
    assign due_place = there[0] ? at[0 +: PLACE_W] : place;
//%     else
    assign due       = there[0];
    assign due_place = at[0 +: PLACE_W];
//%     end

//% end
`ifdef FORMAL
`include "${prefix}ndp_vault_line_formal.vh"
`endif
endmodule

`default_nettype wire
