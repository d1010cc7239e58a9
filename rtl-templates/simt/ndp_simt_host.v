//% local W = L.WARPS
//% -- Of some it is enough to hold what they are compared with: the number of the
//% -- last one, minus the limit.  They are worked out as they come.
//% local launch = {
//%     { "entry", L.PC_W, "pc of a warp's first instruction" },
//%     { "cta_x_last", 32, "last CTA of the grid", -1 },
//%     { "cta_y_last", 16, "all ones: none", -1 },
//%     { "cta_z_last", 16, "", -1 },
//%     { "tid_x_last", 11, "last thread of a CTA", -1 },
//%     { "tid_y_last", 11, "", -1 },
//%     false, -- threads in z: only a special register shows them
//%     { "threads", clog2(W * L.LANES + 1), "their product" },
//%     { "cta_warps", clog2(W + 1), "warps of a CTA" },
//%     { "resident", clog2(L.CTAS + 1), "CTAs that may be resident" },
//%     { "shared_bytes", SHARED_W, "shared memory of a CTA" },
//%     { "limit_neg", 32, "minus the first unmapped address", 0 },
//%     { "silent_last", 32, "edges that may pass in silence, all ones: any", -1 },
//% }
//% if L.STEPS == 1 then
//%     launch[#launch + 1] = { "first_cta", 8, "CTAs before the first one" }
//%     launch[#launch + 1] = { "between_ctas", 8, "CTAs between two that are taken", -1 }
//% end
//% if L.AREAS == 1 then -- the grid in x and y: only special registers show it
//%     launch[2], launch[3] = false, false
//%     launch[#launch + 1] = { "cta_x_first", 32, "first CTA of the core's area" }
//%     launch[#launch + 1] = { "cta_y_first", 16, "" }
//%     launch[#launch + 1] = { "cta_x_last", 32, "last one, all ones: none", -1 }
//%     launch[#launch + 1] = { "cta_y_last", 16, "", -1 }
//%     launch[#launch + 1] = { "by_column", 1, "y fastest, not x" }
//% end
//% if L.MOVES == 1 then
//%     while #launch < 20 do launch[#launch + 1] = false end
//%     launch[21] = { "pace", 8, "edges between two instructions" }
//% end
//% local function value(r)
//%     local data = "ctl_data" .. (r[2] < 32 and vec(r[2]) or "")
//%     if r[4] == 0 then return r[2] .. "'d0 - " .. data end
//%     return r[4] and data .. " - " .. r[2] .. "'d1" or data
//% end
${header{title = "SIMT core: the host's commands", text = [[
Launch registers, the state of a launch, halt, single step and the values that the
host asks for.

Handshake: a command is taken on every edge with ctl_valid; one that comes at a
wrong time is passed over.

Latency: a command has its effect after its edge.  A value other than a register's
is there after it, too.]]}}
`default_nettype none

module ${prefix}ndp_simt_host (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // commands
    input  wire        ctl_valid,    // a command
    input  wire [3:0]  ctl_op,       // which
    input  wire [15:0] ctl_index,    // launch register, word or warp
    input  wire [31:0] ctl_data,     // data; of code, the low half

    // what they do
    output wire        clear,        // as rst, but memories and registers stay
    output wire        code_write,   // write a word of the code
    output wire        param_write,  // write a parameter
    output wire        set,          // write a launch register
    output wire        start,        // a launch begins
//% for _, r in ipairs(launch) do
//%     if r then
    output reg  ${pad(range(r[2]), 6)} ${pad(r[1] .. ",", 13)}${r[3] ~= "" and " // " .. r[3] or " //"}
//%     end
//% end

    // the core
    input  wire        quiet,        // no request is under way
    input  wire        piped,        // something is in the pipe
    input  wire        faulted,      // a fault has happened
    input  wire        finished,     // nothing is left of the launch
    input  wire ${pad(range(W), 6)} ready,        // warps that are ready
    output wire        running,      // a launch is under way
    output reg         halt,         // no warp is to be selected
    output reg         step_wait,    // but one instruction of
    output reg  ${pad(range(L.WARP_W), 6)} step_warp,    // this warp
    input  wire        step_taken,   // it has been selected

    // registers, read by way of the pipe
    output reg         read_wait,    // one is to be read
    output reg  ${pad(range(L.WARP_W), 6)} read_warp,    // of this warp
    output reg  ${pad(range(LANE_W), 6)} read_lane,    // and lane
    output reg  [5:0]  read_reg,     // its number
    input  wire        read_taken,   // it has been selected
    input  wire        read_valid,   // it is there
    input  wire [31:0] read_value,   //

    // the rest of a warp's state, at once
    output wire ${pad(range(L.WARP_W), 6)} look_warp,    // of this warp
    output wire [1:0]  look_what,    // 0 pc, 1 mask, 2 state and depth
    input  wire [31:0] look_value,   //

    // status
    output wire [1:0]  state,        // 0 idle, 1 running, 2 done, 3 faulted
    output wire        halted,       // halt is in force, the pipe empty
    output reg         debug_valid,  // debug_value is new
    output reg  [31:0] debug_value   //
);
${localparams("WARPS", "LANES", "REGS", "CODE", "PARAMS", "WARP_W")}

    localparam [3:0] SET    = 4'd0;
    localparam [3:0] WORD   = 4'd1;
    localparam [3:0] PARAM  = 4'd2;
    localparam [3:0] START  = 4'd3;
    localparam [3:0] HALT   = 4'd4;
    localparam [3:0] RESUME = 4'd5;
    localparam [3:0] STEP   = 4'd6;
    localparam [3:0] READ   = 4'd7;
    localparam [3:0] CLEAR  = 4'd8;

    localparam [1:0] IDLE    = 2'd0;
    localparam [1:0] RUNNING = 2'd1;
    localparam [1:0] DONE    = 2'd2;
    localparam [1:0] FAULTED = 2'd3;

    reg [1:0] launch; // the state but for faults

    assign running = launch == RUNNING && !faulted;
    assign state   = faulted ? FAULTED : launch;
    assign halted  = halt && !piped;

    wire reset = rst || clear;

    // ------------------------------------------------------------------
    // Commands

    assign set         = ctl_valid && ctl_op == SET && !running;

    assign clear       = ctl_valid && ctl_op == CLEAR && quiet;
    assign start       = ctl_valid && ctl_op == START && launch != RUNNING &&
                         !faulted;
    assign code_write  = ctl_valid && ctl_op == WORD && !running &&
                         {1'b0, ctl_index} < CODE[16:0];
    assign param_write = ctl_valid && ctl_op == PARAM && !running &&
                         {1'b0, ctl_index} < PARAMS[16:0];

    always @(posedge clk) begin
        if (rst) begin
//% for _, r in ipairs(launch) do
//%     if r then
            ${pad(r[1], 12)} <= ${r[4] == -1 and "{" .. r[2] .. "{1'b1}}" or hex(r[2], 0)};
//%     end
//% end
        end else if (set) begin
//% for i, r in ipairs(launch) do
//%     if r then
            if (ctl_index == 16'd${i - 1})
                ${r[1]} <= ${value(r)};
//%     end
//% end
        end
    end

    always @(posedge clk) begin
        if (reset)
            launch <= IDLE;
        else if (start)
            launch <= RUNNING;
        else if (running && finished)
            launch <= DONE;
    end

    wire resume = ctl_valid && ctl_op == RESUME;

    always @(posedge clk) begin
        if (reset)
            halt <= 1'b0;
        else if (ctl_valid && ctl_op == HALT)
            halt <= 1'b1;
        else if (resume)
            halt <= 1'b0;
    end

    wire steps = ctl_valid && ctl_op == STEP && halted && running &&
                {1'b0, ctl_index} < WARPS[16:0] && ready[ctl_index[WARP_W-1:0]];

    // a step whose warp has ended meanwhile must not hold the others for ever
    always @(posedge clk) begin
        if (reset || start || resume)
            step_wait <= 1'b0;
        else
            step_wait <= steps || (step_wait && !step_taken);
        if (steps)
            step_warp <= ctl_index[WARP_W-1:0];
    end

    // ------------------------------------------------------------------
    // Values

    wire [6:0] what = ctl_data[22:16];
    wire       read = ctl_valid && ctl_op == READ && halted &&
                      {1'b0, ctl_data[7:0]} < WARPS[8:0];
    wire       look = read && (what == 7'd64 || what == 7'd65 || what == 7'd66);
    wire       ask  = read && what < REGS[6:0] &&
                      {1'b0, ctl_data[15:8]} < LANES[8:0];

    assign look_warp = ctl_data[WARP_W-1:0];
    assign look_what = what[1:0];

    always @(posedge clk) begin
        if (reset)
            read_wait <= 1'b0;
        else
            read_wait <= ask || (read_wait && !read_taken);
        if (ask) begin
            read_warp <= ctl_data[WARP_W-1:0];
            read_lane <= ctl_data[${7 + LANE_W}:8];
            read_reg  <= what[5:0];
        end
    end

    always @(posedge clk) begin
        if (reset) begin
            debug_valid <= 1'b0;
            debug_value <= 32'd0;
        end else begin
            debug_valid <= look || read_valid;
            if (look)
                debug_value <= look_value;
            else if (read_valid)
                debug_value <= read_value;
        end
    end

    wire unused = &{1'b0, ctl_data[31:23]};
endmodule

`default_nettype wire
