//% use "ndp_uartbone_sum.v"
//% use "ndp_uartbone_commands_formal.vh"
${header{title = "commands of a serial line", text = [[
Takes bytes that make up commands, does the accesses that they ask for, on the bus
or to the bridge's own registers, and gives the bytes of the answers.

    bytes -> command -> length -> address -> data -> bus -> answer -> bytes

Parameters: all sizes are generated; see the localparams.

Handshake: take pops a byte (in_valid); send gives one to the transmitter, only
while send_free.  fail is high for the one cycle in which the line is given up:
whoever holds bytes drops them.

Latency: a byte may be taken every ninth edge, since the checksum is serial.

See docs/blocks/uartbone.md, Commands.]]}}
`default_nettype none

module ${prefix}ndp_uartbone_commands (
    input  wire             clk,       // clock
    input  wire             rst,       // synchronous reset, active high

    // bytes of the host
    input  wire             in_valid,  // a byte
    input  wire [7:0]       in_byte,   // the oldest
    output wire             take,      // it has been used

    // what happens on the line
    input  wire             arrives,   // a byte came
    input  wire             framing,   // a stop bit of zero
    input  wire             overrun,   // a byte was lost
    output wire             fail,      // drop all bytes that wait

    // bytes for the host
    input  wire             send_free, // a byte may go
    output wire             send,      // it goes
    output wire [7:0]       send_byte, // the byte

    // Wishbone master
    output reg              bus_cyc,   // an access, until it is acknowledged
    output wire             bus_stb,   // the same
    output reg              bus_we,    // it writes
    output reg  [${L.ADR_W - 1}:0]${pad("", 6 - #tostring(L.ADR_W - 1))} bus_adr,   // word
    output reg  [31:0]      bus_dat_w, // what is written
    output wire [3:0]       bus_sel,   // all bytes
    input  wire [31:0]      bus_dat_r, // what was read, with bus_ack
    input  wire             bus_ack,   // it is done

    output reg              device_rst // the host wants a reset
);
${localparams("CLOCKS", "ADR_W", "TIMEOUT_W")}

    localparam [2:0] COMMAND = 3'd0; // of state; those below BUS take bytes
    localparam [2:0] LENGTH  = 3'd1;
    localparam [2:0] ADDRESS = 3'd2; // ADDRESS and DATA count them
    localparam [2:0] DATA    = 3'd3;
    localparam [2:0] BUS     = 3'd4;
    localparam [2:0] ANSWER  = 3'd5;

    localparam [1:0] ID         = 2'd0; // own registers
    localparam [1:0] CONTROL    = 2'd1;
    localparam [1:0] TRANSCRIPT = 2'd2;

    localparam [31:0] ID_VALUE = 32'h4e445001;

    reg [2:0]  state;
    reg [1:0]  count;  // bytes of an address or a word
    reg [7:0]  length; // words that are left
    reg [31:0] word;

    wire take_command = take && state == COMMAND;
    wire take_length  = take && state == LENGTH;
    wire take_address = take && state == ADDRESS;
    wire take_data    = take && state == DATA;

    // ------------------------------------------------------------------
    // What goes wrong on the line

    reg [TIMEOUT_W:0] silence;
    reg [2:0]         faults;

    wire time_out = silence[TIMEOUT_W];
    wire control_written;

    assign fail = framing || overrun || time_out;

    always @(posedge clk) begin
        if (rst || time_out || arrives || state == COMMAND || state == ANSWER ||
            (state == BUS && bus_ack))
            silence <= {(TIMEOUT_W + 1){1'b0}};
        else
            silence <= silence + 1'b1;
    end

    always @(posedge clk) begin
        if (rst || control_written)
            faults <= 3'd0;
        else
            faults <= faults | {time_out, overrun, framing};
    end

    // ------------------------------------------------------------------
    // Transcript

    wire [31:0] sum;
    wire        stirring;

    ${prefix}ndp_uartbone_sum transcript (
        .clk       (clk),
        .rst       (rst),
        .begin_new (control_written),
        .give_up   (fail),
        .stir      (take || send),
        .stir_byte (state[2] ? send_byte : in_byte),
        .busy      (stirring),
        .sum       (sum)
    );

    // ------------------------------------------------------------------
    // What is done on this edge, one of them at most

    reg  own;    // the address is of an own register
    wire go      = !fail && !stirring;
    wire own_now = go && state == BUS && own;
    wire ask     = go && state == BUS && !own && !bus_cyc;
    wire acked   = !fail && bus_cyc && bus_ack;
    wire done    = own_now || acked;

    assign take      = go && in_valid && !state[2];
    assign send      = go && state == ANSWER && send_free;
    assign send_byte = word[31:24];

    // ------------------------------------------------------------------
    // The command: what the code asks for

    reg known;  // 1 to 4
    reg writes; // 1 and 3, else it reads
    reg counts; // 1 and 2: the address goes up

    always @(posedge clk) begin
        if (rst) begin
            known  <= 1'b0;
            writes <= 1'b0;
            counts <= 1'b0;
        end else if (take_command) begin
            known  <= in_byte[7:3] == 5'd0 && in_byte[2:0] != 3'd0 && in_byte[2:0] <= 3'd4;
            writes <= in_byte[0];
            counts <= in_byte[1] ^ in_byte[0];
        end
    end

    // ------------------------------------------------------------------
    // State and counts

    wire fourth = count == 2'd3;
    wire last   = length == 8'd1;

    always @(posedge clk) begin
        if (rst || fail)
            state <= COMMAND;
        else if (take_command)
            state <= LENGTH;
        else if (take_length)
            state <= ADDRESS;
        else if (take_address && fourth)
            state <= !known || length == 8'd0 ? COMMAND : writes ? DATA : BUS;
        else if (take_data && fourth)
            state <= BUS;
        else if (done)
            state <= !writes ? ANSWER : last ? COMMAND : DATA;
        else if (send && fourth)
            state <= last ? COMMAND : BUS;
    end

    always @(posedge clk) begin
        if (rst || fail)
            count <= 2'd0;
        else if (take_address || take_data || send)
            count <= count + 2'd1;
    end

    always @(posedge clk) begin
        if (rst)
            length <= 8'd0;
        else if (take_length)
            length <= in_byte;
        else if ((done && writes) || (send && fourth))
            length <= length - 8'd1;
    end

    // ------------------------------------------------------------------
    // Address.  Of its 30 bits the low ones and the highest, own, are held.  At most
    // 255 counts follow an address, so the low ones overflow once at most, and of
    // those between no more is asked than whether they pass that on: whether all are
    // ones.

//% local LOW_W = math.max(L.ADR_W, 8)
//% local between = 0
//% for i = LOW_W, 28 do between = between | 1 << i end
    localparam LOW_W = ${LOW_W};

    reg [LOW_W-1:0] low;

    wire [LOW_W:0] low_next = {1'b0, low} + 1'b1;
    wire           count_up = done && counts;

    always @(posedge clk) begin
        if (rst)
            low <= {LOW_W{1'b0}};
        else if (take_address)
            low <= ${LOW_W > 8 and "{low[LOW_W-9:0], in_byte}" or "in_byte"};
        else if (count_up)
            low <= low_next[LOW_W-1:0];
    end

//% if between ~= 0 then
    reg        ones;    // bits between low and own, as far as they came
    reg  [7:0] between; // bits of the byte that are none of these

    always @* begin
        case (count)
            2'd0:    between = ${hex(8, ~(between >> 24) & 255)};
            2'd1:    between = ${hex(8, ~(between >> 16) & 255)};
            2'd2:    between = ${hex(8, ~(between >> 8) & 255)};
            default: between = 8'hff;
        endcase
    end

    always @(posedge clk) begin
        if (rst)
            ones <= 1'b0;
        else if (take_address)
            ones <= (ones || count == 2'd0) && (in_byte | between) == 8'hff;
    end
//% else
    wire ones = 1'b1; // there is none between low and own
//% end

    always @(posedge clk) begin
        if (rst)
            own <= 1'b0;
        else if (take_address && count == 2'd0)
            own <= in_byte[5];
        else if (count_up && low_next[LOW_W] && ones)
            own <= !own;
    end

    // ------------------------------------------------------------------
    // Word.  What an answer shifts in at the bottom is never looked at.

    reg [31:0] value; // what is read

    always @* begin
        if (!own)
            value = bus_dat_r;
        else
            case (low[1:0])
                ID:         value = ID_VALUE;
                CONTROL:    value = {CLOCKS[15:0], 13'd0, faults};
                TRANSCRIPT: value = sum;
                default:    value = 32'd0;
            endcase
    end

    always @(posedge clk) begin
        if (rst)
            word <= 32'd0;
        else if (take_data || send)
            word <= {word[23:0], in_byte};
        else if (done && !writes)
            word <= value;
    end

    // ------------------------------------------------------------------
    // Bus

    assign bus_stb = bus_cyc;
    assign bus_sel = {4{bus_cyc}};

    always @(posedge clk) begin
        if (rst || fail || acked) begin
            bus_cyc   <= 1'b0;
            bus_we    <= 1'b0;
            bus_adr   <= {ADR_W{1'b0}};
            bus_dat_w <= 32'd0;
        end else if (ask) begin
            bus_cyc <= 1'b1;
            bus_we  <= writes;
            bus_adr <= low[ADR_W-1:0];
            if (writes)
                bus_dat_w <= word;
        end
    end

    // ------------------------------------------------------------------
    // Reset of the device, for eight edges

    reg [2:0] hold; // edges that follow

    assign control_written = own_now && writes && low[1:0] == CONTROL;

    always @(posedge clk) begin
        if (rst) begin
            device_rst <= 1'b0;
            hold       <= 3'd0;
        end else if (control_written && word[0]) begin
            device_rst <= 1'b1;
            hold       <= 3'd7;
        end else if (hold != 3'd0) begin
            hold       <= hold - 3'd1;
        end else begin
            device_rst <= 1'b0;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_uartbone_commands_formal.vh"
`endif
endmodule

`default_nettype wire
