//% local launch = {
//%     { "entry", L.TAG_W, "pc of a warp's first instruction" },
//%     { "ctas_x", 32, "CTAs of the grid" },
//%     { "ctas_y", 16, "" },
//%     { "ctas_z", 16, "" },
//%     { "tids_x", 11, "threads of a CTA" },
//%     { "tids_y", 11, "" },
//%     { "tids_z", 11, "" },
//%     { "threads", L.THREADS_W, "their product" },
//%     { "cta_warps", L.BORN_W, "warps of a CTA" },
//%     { "resident", L.SLOTS_W, "CTAs that may be resident" },
//%     { "shared_bytes", 32, "shared memory of a CTA" },
//%     { "bound", 32, "first unmapped address" },
//%     { "patience", 32, "edges without a commit, 0: any" },
//%     { "first_cta", 8, "CTAs before the first one" },
//%     { "cta_step", 8, "CTAs from one that is taken to the next" },
//% }
${header{title = "front end: the host's commands", text = [[
Launch registers and the state of a launch.

Handshake: a command is taken on every edge with ctl_valid; one that comes at a
wrong time is passed over.

Latency: a command has its effect after its edge.

See docs/blocks/frontend.md, Commands.]]}}
`default_nettype none

module ${prefix}ndp_frontend_host (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // commands
    input  wire        ctl_valid,    // a command
    input  wire [3:0]  ctl_op,       // which
    input  wire [15:0] ctl_index,    // launch register or word
    input  wire [31:0] ctl_data,     // data; of code, the low half

    // what they do
    output wire        clear,        // as rst, but memories and registers stay
    output wire        code_write,   // write a word of the code
    output wire        param_write,  // write a parameter
    output wire        start,        // a launch begins
//% for _, r in ipairs(launch) do
    output reg  ${pad(range(r[2]), 6)} ${pad(r[1] .. ",", 13)}${r[3] ~= "" and " // " .. r[3] or " //"}
//% end

    // the core
    input  wire        quiet,        // nothing is under way
    input  wire        faulted,      // a fault has happened
    input  wire        finished,     // nothing is left of the launch
    output wire        running,      // a launch is under way
    output wire [1:0]  state,        // 0 idle, 1 running, 2 done, 3 faulted
    output reg         halt,         // no warp is to be selected
    output reg  [31:0] now           // edges of the launch
);
${localparams("CODE", "PARAMS")}

    localparam [3:0] SET    = 4'd0;
    localparam [3:0] WORD   = 4'd1;
    localparam [3:0] PARAM  = 4'd2;
    localparam [3:0] START  = 4'd3;
    localparam [3:0] HALT   = 4'd4;
    localparam [3:0] RESUME = 4'd5;
    localparam [3:0] CLEAR  = 4'd8;

    localparam [1:0] IDLE    = 2'd0;
    localparam [1:0] RUNNING = 2'd1;
    localparam [1:0] DONE    = 2'd2;
    localparam [1:0] FAULTED = 2'd3;

    reg [1:0] launch; // the state but for faults

    assign running = launch == RUNNING && !faulted;
    assign state   = faulted ? FAULTED : launch;

    wire reset = rst || clear;
    wire still = !running && quiet;

    // the last word is not the host's
    localparam [16:0] WORDS = CODE[16:0] - 17'd1;

    wire set = ctl_valid && ctl_op == SET && still;

    assign clear       = ctl_valid && ctl_op == CLEAR && quiet;
    assign start       = ctl_valid && ctl_op == START && launch != RUNNING &&
                         !faulted;
    assign code_write  = ctl_valid && ctl_op == WORD && still &&
                         {1'b0, ctl_index} < WORDS;
    assign param_write = ctl_valid && ctl_op == PARAM && still &&
                         {1'b0, ctl_index} < PARAMS[16:0];

    always @(posedge clk) begin
        if (rst) begin
//% for _, r in ipairs(launch) do
            ${pad(r[1], 12)} <= ${hex(r[2], 0)};
//% end
        end else if (set) begin
//% for i, r in ipairs(launch) do
            if (ctl_index == 16'd${i - 1})
                ${r[1]} <= ctl_data${r[2] < 32 and vec(r[2]) or ""};
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

    always @(posedge clk) begin
        if (reset)
            halt <= 1'b0;
        else if (ctl_valid && ctl_op == HALT)
            halt <= 1'b1;
        else if (ctl_valid && ctl_op == RESUME)
            halt <= 1'b0;
    end

    always @(posedge clk) begin
        if (reset || start)
            now <= 32'd0;
        else if (running)
            now <= now + 32'd1;
    end
endmodule

`default_nettype wire
