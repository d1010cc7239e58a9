${header{title = "SIMT core: integer multiplication, conversion and shift, bit by bit", text = [[
One register, which an adder or a shift changes, and for products a second one below
it, in which a factor leaves on the right as the product's lower word comes in.

    step 0            takes the operands
    multiplication:   step 1 to 32    a bit of b each; c was in the register before
    popc, clz:        step 1 to 32    left, counted
    shift:            step 1 and on   by 1, as long as far
    conversion:       step 1          magnitude of an integer
                      step 1 to 34    a number to the right by its exponent
                      step 35         rounded to a whole number
                      step 36 to 66   left until its top one is on the left
                      step 67         rounded to 24 places

Latency: the result stands after the last step and stays as long as there is none.

See docs/blocks/simt.md, Pipe.]]}}
`default_nettype none

module ${prefix}ndp_simt_serial (
    input  wire        clk,       // clock

    // the operation and where it is; it stays from its first step to the result
    input  wire        active,    // the lane is; others do not delay a shift
    input  wire [9:0]  steps,     // where the operation is, see below
    input  wire [7:0]  op,        // operation
    input  wire [1:0]  rounding,  // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,       // a subnormal operand is zero
    input  wire        sat,       // frnd: clamped to 0 to 1
    input  wire [31:0] a,         // operands
    input  wire [31:0] b,         //
    input  wire [31:0] c,         //
    output wire        going,     // a shift is not at its end
    output reg  [31:0] value      // result
);
    localparam [7:0] MUL   = ${op "mul"};
    localparam [7:0] MULHU = ${op "mulhu"};
    localparam [7:0] MULHS = ${op "mulhs"};
    localparam [7:0] MAD   = ${op "mad"};
    localparam [7:0] SHL   = ${op "shl"};
    localparam [7:0] SHR   = ${op "shr"};
    localparam [7:0] SAR   = ${op "sar"};
    localparam [7:0] POPC  = ${op "popc"};
    localparam [7:0] CLZ   = ${op "clz"};
    localparam [7:0] CVTFS = ${op "cvtfs"};
    localparam [7:0] CVTFU = ${op "cvtfu"};
    localparam [7:0] CVTSF = ${op "cvtsf"};
    localparam [7:0] FRND  = ${op "frnd"};

    wire load     = steps[9]; // step 0
    wire multiply = steps[8]; // steps of a multiplication
    wire last     = steps[7]; // the last of them
    wire shift    = steps[6]; // steps of a shift
    wire tally    = steps[5]; // steps of popc and clz
    wire whole    = steps[4]; // steps of a conversion: an integer's magnitude,
    wire right    = steps[3]; // to the right,
    wire round    = steps[2]; // rounded to a whole number,
    wire left     = steps[1]; // to the left,
    wire finish   = steps[0]; // rounded to 24 places

    // ------------------------------------------------------------------
    // What it is

    wire is_left  = op == SHL;
    wire is_from  = op == CVTFS || op == CVTFU; // of an integer
    wire is_frnd  = op == FRND;
    wire is_shift = op == SHL || op == SHR || op == SAR;
    wire is_tally = op == POPC || op == CLZ;
    wire is_to    = !is_from && !is_shift && !is_tally && op != MUL &&
                    op != MULHU && op != MULHS && op != MAD;

    // A number: subnormal ones count as below it all
    wire       neg  = a[31] && op != CVTFU;
    wire [7:0] exp  = a[30:23];
    wire       low  = exp == 8'd0;
    wire       nan  = exp == 8'hff && a[22:0] != 23'd0;
    wire       big  = exp >= 8'd158; // 2^31 and more
    wire [7:0] past = 8'd158 - exp;  // places to the right, unless it is big

    // Results without work: of what is no number, too big, or whole already; and 1 of
    // what is clamped
    wire is_s    = op == CVTSF;
    wire is_u    = is_to && !is_s && !is_frnd;
    wire vast    = exp >= 8'd159; // 2^32 and more
    wire one     = is_frnd && sat && !neg && !nan && exp >= 8'd127;
    wire is_same = is_frnd && !nan && !sat && exp >= 8'd150;
    wire is_zero = (is_u && neg) || (is_frnd && sat && neg) ||
                   (nan && !(is_frnd && !sat)); // of a number
    wire settled = is_to && (nan || is_zero || (is_frnd ? one || is_same :
                                                is_s ? big : vast));

    wire most    = settled && !is_zero && !is_same; // the greatest value
    wire fill_31 = most && (is_u || (is_s && neg));
    wire fill_30 = most && (is_u || (is_s && !neg) || (is_frnd && nan));
    wire fill_29 = fill_30 || (most && one);

    // ------------------------------------------------------------------
    // Register, and what goes with it

    reg [31:0] acc;
    reg [31:0] under;  // multiplication: bits of b to come, of the product below
    reg [7:0]  count;  // places to go; exponent; bits counted
    reg        guard;  // the place below the register
    reg        sticky; // something below that

    wire away  = rounding[1] && rounding[0] != neg; // from zero

    // settled, as the steps after the first see it: the operands stay
    reg at_once;

    always @(posedge clk)
        at_once <= settled;

    // rounded up: to a whole number, to 24 places
    wire up_whole = rounding == 2'd0 ? guard && (sticky || acc[0])
                                     : away && (guard || sticky);
    wire up_24    = rounding == 2'd0 ? acc[7] && (acc[6:0] != 7'd0 || acc[8])
                                     : away && acc[7:0] != 8'd0;

    // the negative integer that a number becomes is the inverse of one less
    wire less = round && is_s && neg && !at_once;

    wire add  = (multiply && under[0]) || whole;
    wire turn = less || (whole && neg) ||
                (multiply && last && under[0] && op == MULHS);
    wire in   = (round && up_whole && !at_once) || (whole && neg) ||
                (multiply && last && under[0] && op == MULHS);

    wire [31:0] term = ((a & {32{add}}) ^ {32{turn}}) |
                       {23'd0, finish && is_from && up_24, 8'd0};
    wire [32:0] sum  = {1'b0, acc} + {1'b0, term} + {32'd0, in};

    // what comes in from the left: the carry, or the sign of a signed sum
    wire sign = (acc[31] ^ term[31]) ^ sum[32];
    wire top  = multiply ? (op == MULHS ? sign : sum[32])
                         : op == SAR && a[31];

    wire normal     = left && (is_from || is_frnd) && !at_once && !acc[31];
    wire goes_left  = (shift && is_left && going) || normal || tally;
    wire goes_right = multiply || (right && going) ||
                      (shift && !is_left && going);
    wire sums       = whole || round || finish;

    // What is loaded: a number's 24 places at the left, a whole operand, or what the
    // result is without any work: bit 31, bits 30 and 22 to 0, bits 29 to 23 of it
    wire one_24  = is_to && !settled;
    wire one_a   = is_shift || is_tally || is_same;
    wire one_c   = op == MAD;
    wire [31:0] first =
        ({!low, {23{!(low && ftz)}} & a[22:0], 8'd0} & {32{one_24}}) |
        (a & {32{one_a}}) | (c & {32{one_c}}) |
        {fill_31, fill_30, {7{fill_29}}, {23{fill_30}}};

    always @(posedge clk) begin
        if (load)
            acc <= first;
        else if (goes_left)
            acc <= {acc[30:0], 1'b0};
        else if (goes_right)
            acc <= {top, sum[31:1]};
        else if (sums)
            acc <= sum[31:0];
    end

    always @(posedge clk) begin
        if (load)
            under <= b;
        else if (multiply)
            under <= {sum[0], under[31:1]};
    end

    always @(posedge clk) begin
        if (load) begin
            guard  <= 1'b0;
            sticky <= 1'b0;
        end else if (right && going) begin
            guard  <= acc[0];
            sticky <= sticky || guard;
        end
    end

    // ------------------------------------------------------------------
    // Places to go, up to 34 or 32; then the exponent of what goes left

    reg seen; // clz: a one has gone

    always @(posedge clk)
        seen <= !load && (seen || acc[31]);

    wire [7:0] distance = b[31:5] != 27'd0 ? 8'd32 : {3'd0, b[4:0]};

    always @(posedge clk) begin
        if (load)
            count <= is_shift ? distance & {8{active}} :
                     is_to && !settled ? (past > 8'd34 ? 8'd34 : past) : 8'd0;
        else if (round)
            count <= 8'd158;
        else if (tally && (op == POPC ? acc[31] : !seen && !acc[31]))
            count <= count + 8'd1;
        else if (((shift || right) && going) || normal)
            count <= count - 8'd1;
        else if (finish && sum[32])
            count <= count + 8'd1;
    end

    assign going = count[5:0] != 6'd0;

    // ------------------------------------------------------------------
    // Result

    reg none; // the register is zero: rounding may leave no bit in it, too

    always @(posedge clk) begin
        if (finish)
            none <= !acc[31];
    end

    wire        is_low   = op == MUL || op == MAD;
    wire        is_float = is_from || (is_frnd && !at_once);
    wire [31:0] number   = {neg, {count, acc[30:8]} & {31{!none}}};
    wire [31:0] word     = acc ^ {32{is_s && neg && !at_once}};

    always @* begin
        if (is_low)
            value = under;
        else if (is_float)
            value = number;
        else if (is_tally)
            value = {24'd0, count};
        else
            value = word;
    end
endmodule

`default_nettype wire
