//% output("formal/ndp_fma_operands_formal.vh")
${header{title = "what is proved of ndp_fma_operands", text = [[
Stated once more in other words: floats as numbers that order like their bits, and
the place of each part in the sum by its exponent.]]}}
`ifdef FORMAL_NDP_FMA_OPERANDS
    localparam [30:0] F_INF   = 31'h7f800000;
    localparam [30:0] F_LEAST = 31'h00800000; // normal

    wire f_mul = kind == 2'd1;
    wire f_add = kind == 2'd2;

    // Magnitudes as they count: one for what is not a factor, none for no addend.
    wire [30:0] f_b = f_add ? 31'h3f800000 : b[30:0];
    wire [30:0] f_c = f_mul ? 31'd0 : c[30:0];
    wire        f_s = f_add ? a[31] : a[31] ^ b[31]; // sign of the product

    wire f_a_zero = a[30:0] == 0 || (ftz && a[30:0] < F_LEAST);
    wire f_b_zero = f_b == 0 || (ftz && f_b < F_LEAST);
    wire f_c_zero = f_c == 0 || (ftz && f_c < F_LEAST);
    wire f_p_zero = f_a_zero || f_b_zero;
    wire f_p_inf  = a[30:0] == F_INF || f_b == F_INF;
    wire f_differ = !f_mul && f_s != c[31];

    wire f_nan = a[30:0] > F_INF || f_b > F_INF || f_c > F_INF ||
                 (f_p_inf && f_p_zero) || (f_p_inf && f_c == F_INF && f_differ);

    always @* begin
        p_nan: assert (nan == f_nan);
        p_infinite: assert (f_nan || inf == (f_p_inf || f_c == F_INF));
        p_inf_sign: assert (f_nan || !inf || neg == (f_p_inf ? f_s : c[31]));
        p_inf_plain: assert (!inf || !sub);
        p_sign: assert (nan || inf || (neg == f_s && sub == f_differ));
        p_zero_sign: assert (zero_neg == (f_differ ? rounding == 2'd2 : f_s));
    end

    // ------------------------------------------------------------------
    // Significands and exponents of numbers

    wire [7:0] f_ea = a[30:23] == 0 ? 8'd1 : a[30:23];
    wire [7:0] f_eb = f_b[30:23] == 0 ? 8'd1 : f_b[30:23];
    wire [7:0] f_ec = f_c[30:23] == 0 ? 8'd1 : f_c[30:23];

    wire [31:0] f_ep = f_ea + f_eb; // 100 above the leftmost place

    always @* if (!nan && !inf) begin
        p_factor: assert (f_p_zero || (sig_a != 0 && sig_b != 0));
        p_nothing: assert (!f_p_zero || sig_b == 0);
        p_addend: assert ((sig_c == 0) == f_c_zero);
        p_bits_a: assert (f_p_zero || sig_a == {a[30:23] != 0, a[22:0]});
        p_bits_b: assert (f_p_zero || sig_b == {f_b[30:23] != 0, f_b[22:0]});
        p_bits_c: assert (f_c_zero || sig_c == {f_c[30:23] != 0, f_c[22:0]});

        // the leftmost place: never below the addend, nor a product too high
        p_least: assert (top >= 1 && top >= f_ec);
        p_product: assert (f_p_zero || top + 100 >= f_ep);
        // both in their places, or the product is below all that matters
        p_exact: assert (f_p_zero || top + 100 == f_ep ||
                         (top == f_ec && distance == 0));
        p_placed: assert (distance == 80 ? f_ec + 80 <= top
                                         : top - distance == f_ec);
        p_range: assert (distance <= 80);
        // what is lost of an addend needs a product that is far above it
        p_ahead: assert (distance <= 52 || (sig_a[23] || sig_b[23]));
    end

    always @* begin
        c_nan: cover (f_nan && a[30:0] < F_INF && f_b < F_INF);
        c_above: cover (!nan && !inf && !f_p_zero && top + 100 > f_ep);
        c_below: cover (!nan && !inf && distance == 80);
        c_between: cover (!nan && !inf && distance == 79);
    end
`endif
