/* test_bist.c - the golden model of stimulus and signature, edge by edge as
 * docs/blocks/bist.md has it.
 *
 * Signatures are computed here bit by bit, from where the note says that each
 * output enters, and some by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bist/bist.h"
#include "blocks/bist.h"

#include <string.h>

enum { SLICES = 30, NO_LIMIT = 1 << 20 };

struct unit {
    struct golden *g;
    struct bist_local l;
    struct bist_in in;
    const struct bist_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void edges(struct unit *u, int n) {
    for (int i = 0; i < n; i++)
        edge(u);
}

static void open_unit(struct unit *u, int in_bits, int out_bits, int window) {
    struct config c;
    config_defaults(&c);
    c.bist_in_bits = in_bits;
    c.bist_out_bits = out_bits;
    c.bist_window = window;
    memset(u, 0, sizeof *u);
    u->l = bist_local(&c);
    u->g = golden_create(&bist_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static int setup(void **state) {
    static struct unit u;
    open_unit(&u, 64, 48, 256);
    *state = &u;
    return 0;
}

static int teardown(void **state) {
    close_unit(*state);
    return 0;
}

/* One edge, with a write on it. */
static void write_at(struct unit *u, int adr, uint32_t data, int sel) {
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 1;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = (uint64_t)sel;
    edge(u);
    assert_int_equal(u->out->wb_ack, 1);
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 0;
}

static void command(struct unit *u, int n, uint32_t data) {
    write_at(u, iface_first_command(&bist_iface) + n, data, 15);
}

/* The command, and the edge that ends its access. */
static void say(struct unit *u, int n, uint32_t data) {
    command(u, n, data);
    edge(u);
}

static void set(struct unit *u, int n, uint32_t data) {
    write_at(u, REG_FIRST + n, data, 15);
    edge(u);
}

/* One edge, with a read on it: what stood before it. */
static uint32_t read_now(struct unit *u, int adr) {
    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_adr = (uint64_t)adr;
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = 0;
    return (uint32_t)u->out->wb_dat_r;
}

static uint32_t status_now(struct unit *u, int n) {
    return read_now(u, iface_first_status(&bist_iface) + n);
}

static uint32_t status(struct unit *u, int n) {
    uint32_t value = status_now(u, n);
    edge(u);
    return value;
}

static uint32_t counted(struct unit *u) {
    return golden_counter(u->g, BIST_CNT_edges);
}

static uint64_t covered(const struct unit *u, enum bist_cover c) {
    return golden_covers(u->g)[c];
}

/* A word of which only the lowest piece, the one above and reset are not zero;
 * piece 1 may be where reset is. */
static void write_word(struct unit *u, uint32_t low, uint32_t high, bool rst) {
    for (int p = 0; p < u->l.PIECES; p++) {
        uint32_t data = p == 0 ? low : p == 1 ? high : 0;
        if (p == u->l.IN_W / 32)
            data = (data & ~(1u << u->l.IN_W % 32)) | (uint32_t)rst
                                                          << u->l.IN_W % 32;
        say(u, BIST_COM_piece, data);
    }
}

/* Words 0 to n - 1: word i has i + 1 in its lowest piece, the first reset. */
static void write_numbers(struct unit *u, int n) {
    say(u, BIST_COM_index, 0);
    for (int i = 0; i < n; i++)
        write_word(u, (uint32_t)i + 1, 0, i == 0);
    set(u, BIST_SET_last, (uint32_t)n - 1);
    set(u, BIST_SET_length, (uint32_t)n);
}

static void rests(struct unit *u) {
    assert_int_equal(u->out->stim_rst, 1);
    for (int i = 0; i < 15; i++)
        assert_true(u->out->stim_bits[i] == 0);
}

static void plays(struct unit *u, uint64_t bits, bool rst) {
    assert_int_equal(u->out->stim_rst, rst);
    assert_true(u->out->stim_bits[0] == bits);
}

/* Edges until no run is under way. */
static int wait(struct unit *u) {
    int n = 0;
    for (; u->out->show_busy; n++) {
        assert_true(n < NO_LIMIT);
        edge(u);
    }
    return n;
}

/* --- a second formulation ------------------------------------------------- */

struct signature {
    bool bit[32];
};

static void sign(struct signature *s, const uint64_t *outputs, int n) {
    static const int taps[] = {0, 1, 2, 4, 5, 7, 8, 10, 11, 12, 16, 22, 23, 26};
    bool top = s->bit[31];
    memmove(s->bit + 1, s->bit, 31 * sizeof *s->bit);
    s->bit[0] = false;
    for (int i = 0; i < 14; i++)
        s->bit[taps[i]] ^= top;
    for (int i = 0; i < n; i++) {
        if (!(outputs[i / 64] >> i % 64 & 1))
            continue;
        s->bit[i % 32] ^= true;
        s->bit[(i + 1) % 32] ^= true;
        s->bit[(i + i / 32 + 2) % 32] ^= true;
    }
}

static struct signature first_signature(void) {
    struct signature s;
    for (int i = 0; i < 32; i++)
        s.bit[i] = true;
    return s;
}

static uint32_t number(const struct signature *s) {
    uint32_t v = 0;
    for (int i = 0; i < 32; i++)
        v |= (uint32_t)s->bit[i] << i;
    return v;
}

/* Bits of a word that are free and not zero, at x. */
static uint64_t chance(uint32_t x, int i) {
    int b = i % 32, s = i / 32;
    return (x >> b ^ x >> (b + 1) % 32 ^ x >> (b + s + 2) % 32) & 1;
}

static uint64_t any(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * 0x2545f4914f6cdd1du;
}

static void any_outputs(struct unit *u, uint64_t *seed) {
    for (int i = 0; i < u->l.OUT_W; i++) {
        if (i % 64 == 0)
            u->in.resp_bits[i / 64] = any(seed);
        if (i == u->l.OUT_W - 1 && i % 64 != 63)
            u->in.resp_bits[i / 64] &= ((uint64_t)2 << i % 64) - 1;
    }
}

/* --- arithmetic ----------------------------------------------------------- */

/* The sequences that Marsaglia's paper and many after it print. */
static void random_sequence(void **state) {
    static const uint32_t of_one[] = {1u, 270369u, 67634689u, 2647435461u,
                                      307599695u};
    static const uint32_t of_paper[] = {2463534242u, 723471715u, 2497366906u,
                                        2064144800u};
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(bist_next(of_one[i]), of_one[i + 1]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(bist_next(of_paper[i]), of_paper[i + 1]);
    assert_int_equal(bist_next(0), 0);
}

/* It is linear, and its period 2^32 - 1: to the power of 2^32 it is itself, and
 * to none of (2^32 - 1) / p for a prime factor p the identity. */
typedef struct {
    uint32_t of[32]; /* what bit i becomes */
} linear;

static uint32_t apply(const linear *m, uint32_t v) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r ^= v >> i & 1 ? m->of[i] : 0;
    return r;
}

static linear power(const linear *m, uint32_t n) {
    linear r, square = *m, t;
    for (int i = 0; i < 32; i++)
        r.of[i] = 1u << i;
    for (; n; n >>= 1) {
        if (n & 1)
            for (int i = 0; i < 32; i++)
                r.of[i] = apply(&square, r.of[i]);
        for (int i = 0; i < 32; i++)
            t.of[i] = apply(&square, square.of[i]);
        square = t;
    }
    return r;
}

static bool is_identity(const linear *m) {
    for (int i = 0; i < 32; i++)
        if (m->of[i] != 1u << i)
            return false;
    return true;
}

static void has_full_period(const linear *m) {
    static const uint32_t primes[] = {3, 5, 17, 257, 65537};
    linear all = power(m, 0xffffffff);
    assert_true(is_identity(&all));
    for (int i = 0; i < 5; i++) {
        linear part = power(m, 0xffffffff / primes[i]);
        assert_false(is_identity(&part));
    }
}

static void periods(void **state) {
    linear next, step;
    (void)state;
    for (int i = 0; i < 32; i++) {
        next.of[i] = bist_next(1u << i);
        step.of[i] = bist_sign(1u << i, 0);
    }
    has_full_period(&next);
    has_full_period(&step); /* so no difference of one edge ever fades */
}

static void free_bits_by_hand(void **state) {
    (void)state;
    /* x = 1: bit 0 reaches the inputs b = 0, b + 1 = 32 and b + s + 2 = 32 */
    assert_int_equal(bist_free(1, 0), 1u | 1u << 31 | 1u << 30);
    assert_int_equal(bist_free(1, 1), 1u | 1u << 31 | 1u << 29);
    assert_int_equal(bist_free(1, 28), 1u | 1u << 31 | 1u << 2);
    assert_int_equal(bist_free(0, 5), 0);
    assert_int_equal(bist_free(0xffffffff, 5), 0xffffffff);
    for (int i = 0; i < 928; i++)
        assert_int_equal(bist_free(0x9abcdef1, i / 32) >> i % 32 & 1,
                         chance(0x9abcdef1, i));
}

static uint32_t fold_of(int output) {
    uint32_t slice[SLICES] = {0};
    slice[output / 32] = 1u << output % 32;
    return bist_fold(slice, 29);
}

static void folds_by_hand(void **state) {
    (void)state;
    assert_int_equal(fold_of(0), 0x7);
    assert_int_equal(fold_of(31), 0x80000003);
    assert_int_equal(fold_of(32), 0xb);
    assert_int_equal(fold_of(63), 0x80000005);
    assert_int_equal(fold_of(927), 0xa0000001);
    assert_int_equal(bist_fold((const uint32_t[]){0x80000001, 0x3}, 2),
                     /* F 80000002, rotated 5; G 6 and 18: 1e */
                     0x80000002 ^ 0x5 ^ 0x1e);
}

/* One or two wrong bits of an edge, or any odd number. */
static void what_a_fold_sees(void **state) {
    uint64_t seed = 99;
    (void)state;
    for (int i = 0; i < 928; i++) {
        uint32_t f = fold_of(i);
        assert_int_equal(__builtin_popcount(f), 3);
        for (int k = 0; k < i; k++)
            assert_true(fold_of(k) != f);
    }
    for (int n = 0; n < 1000; n++) {
        uint32_t slice[SLICES] = {0};
        int ones = 0;
        for (int i = 0; i < 29; i++) {
            slice[i] = (uint32_t)any(&seed);
            ones += __builtin_popcount(slice[i]);
        }
        assert_int_equal(__builtin_popcount(bist_fold(slice, 29)) % 2,
                         ones % 2);
    }
}

static void signatures_by_hand(void **state) {
    (void)state;
    assert_int_equal(bist_sign(0xffffffff, 0), 0xfb3ee249);
    assert_int_equal(bist_sign(0xfb3ee249, 0), 0xf2bcd925);
    assert_int_equal(bist_sign(0x7fffffff, 0), 0xfffffffe);
    assert_int_equal(bist_sign(0xffffffff, 7), 0xfb3ee24e);
    assert_int_equal(bist_sign(0, 7), 7);
}

/* --- after reset ---------------------------------------------------------- */

static void after_reset(void **state) {
    struct unit *u = *state;
    rests(u);
    assert_int_equal(u->out->show_busy | u->out->show_differs, 0);
    assert_int_equal(read_now(u, REG_FIRST + BIST_SET_last), 255);
    edge(u);
    assert_int_equal(read_now(u, REG_FIRST + BIST_SET_again), 0);
    edge(u);
    assert_int_equal(read_now(u, REG_FIRST + BIST_SET_length), 256);
    edge(u);
    assert_int_equal(read_now(u, REG_FIRST + BIST_SET_seed), 0);
    edge(u);
    assert_int_equal(read_now(u, REG_FIRST + BIST_SET_expected), 0);
    edge(u);
    for (int n = BIST_STA_state; n <= BIST_STA_outputs; n++)
        assert_int_equal(status(u, n), 0);
    assert_int_equal(status(u, BIST_STA_in_bits), 64);
    assert_int_equal(status(u, BIST_STA_out_bits), 48);
    assert_int_equal(status(u, BIST_STA_window), 256);
    u->in.resp_bits[0] = 0xffffffffffff; /* nobody plays: nobody looks */
    edges(u, 10);
    assert_int_equal(status(u, BIST_STA_outputs), 0);
    assert_int_equal(status(u, BIST_STA_signature), 0);
    rests(u);
}

/* --- loading -------------------------------------------------------------- */

/* Words 0 to n - 1 are played, and seen, from the edge after run's on. */
static void run_once(struct unit *u, int n) {
    set(u, BIST_SET_last, (uint32_t)n - 1);
    set(u, BIST_SET_length, (uint32_t)n);
    command(u, BIST_COM_run, 1);
    edge(u);
}

static void words_come_piece_by_piece(void **state) {
    struct unit *u = *state;
    assert_int_equal(u->l.PIECES, 3);
    say(u, BIST_COM_piece, 0x11111111);
    say(u, BIST_COM_piece, 0x22222222);
    say(u, BIST_COM_piece, 0xfffffffe); /* reset 0; the others are not there */
    say(u, BIST_COM_piece, 0x33333333);
    say(u, BIST_COM_piece, 0x44444444);
    say(u, BIST_COM_piece, 1);
    say(u, BIST_COM_piece, 0x55555555); /* a word that never gets whole, */
    say(u, BIST_COM_index, 2);          /* and one that begins anew */
    say(u, BIST_COM_piece, 0x66666666);
    say(u, BIST_COM_piece, 0x77777777);
    say(u, BIST_COM_piece, 0);
    assert_int_equal(covered(u, BIST_COV_stored), 3);
    run_once(u, 3);
    edge(u);
    say(u, BIST_COM_stop, 0);
    say(u, BIST_COM_index, 3); /* the mask is what hand holds: clear it */
    for (int i = 0; i < 3; i++)
        say(u, BIST_COM_free, 0);
    run_once(u, 3);
    rests(u);
    edge(u);
    plays(u, 0x2222222211111111, false);
    edge(u);
    plays(u, 0x4444444433333333, true);
    edge(u);
    plays(u, 0x7777777766666666, false);
    edge(u);
    rests(u);
}

/* The word is in the memory two edges after the write of its last piece. */
static void stored_on_the_edge_after(void **state) {
    struct unit *u = *state;
    say(u, BIST_COM_piece, 1);
    say(u, BIST_COM_piece, 0);
    command(u, BIST_COM_piece, 0);
    assert_int_equal(covered(u, BIST_COV_stored), 0);
    edge(u);
    assert_int_equal(covered(u, BIST_COV_stored), 1);
    edges(u, 5);
    assert_int_equal(covered(u, BIST_COV_stored), 1);
}

static void index_goes_around(void **state) {
    struct unit *u = *state;
    say(u, BIST_COM_index, 0xffffff01); /* its lowest 8 bits */
    write_word(u, 10, 0, false);
    say(u, BIST_COM_index, 255);
    write_word(u, 30, 0, false);
    assert_int_equal(covered(u, BIST_COV_index_around), 1);
    write_word(u, 20, 0, true); /* word 0 */
    run_once(u, 2);
    edge(u);
    plays(u, 20, true);
    edge(u);
    plays(u, 10, false);
}

static void free_stores_nothing(void **state) {
    struct unit *u = *state;
    write_numbers(u, 2);
    say(u, BIST_COM_index, 0);
    for (int i = 0; i < 7; i++)
        say(u, BIST_COM_free, 0);
    assert_int_equal(covered(u, BIST_COV_stored), 2);
    /* piece and free go up the same piece: this is the second and the third */
    say(u, BIST_COM_piece, 9);
    say(u, BIST_COM_piece, 0);
    assert_int_equal(covered(u, BIST_COV_stored), 3);
    run_once(u, 2);
    edge(u);
    plays(u, (uint64_t)9 << 32, false);
    edge(u);
    plays(u, 2, false);
}

static void some_bytes_are_no_command(void **state) {
    struct unit *u = *state;
    write_numbers(u, 2);
    for (int sel = 0; sel < 15; sel++) {
        write_at(u, iface_first_command(&bist_iface) + BIST_COM_run, 1, sel);
        edge(u);
        assert_int_equal(u->out->show_busy, 0);
    }
}

/* --- a pass --------------------------------------------------------------- */

/* What the note says of each edge, for a pass of three words. */
static void a_pass_edge_by_edge(void **state) {
    struct unit *u = *state;
    struct signature s = first_signature();
    static const uint64_t seen[] = {0x123456789abc, 0x0f0f0f0f0f0f,
                                    0x800000000001};
    uint32_t after[4];
    after[0] = number(&s);
    for (int i = 0; i < 3; i++) {
        sign(&s, &seen[i], 48);
        after[i + 1] = number(&s);
    }
    /* read on the n-th edge after run's, the first of which ends its access:
     * what stood before it */
    for (int n = 2; n <= 13; n++) {
        int folds = n <= 5 ? 0 : n >= 8 ? 3 : n - 5;
        write_numbers(u, 3);
        for (int i = 0; i < 3; i++)
            say(u, BIST_COM_free, 0);
        set(u, BIST_SET_expected, after[3]);
        u->in.resp_bits[0] = 0x5555;
        command(u, BIST_COM_run, 1);
        assert_int_equal(u->out->show_busy, 1);
        rests(u);
        for (int e = 1; e < 14; e++) {
            /* the outputs that word i leaves stand before edge i + 4 */
            u->in.resp_bits[0] = e >= 4 && e <= 6 ? seen[e - 4] : 0x5555;
            if (e == n)
                assert_int_equal(status_now(u, BIST_STA_signature),
                                 after[folds]);
            else
                edge(u);
            assert_int_equal(u->out->show_busy, e < 8);
            assert_int_equal(u->out->show_differs, 0);
            if (e >= 2 && e <= 4)
                plays(u, (uint64_t)e - 1, e == 2);
            else
                rests(u);
        }
        edge(u);
        assert_int_equal(status(u, BIST_STA_outputs), (uint32_t)seen[2]);
    }
    assert_int_equal(counted(u), 36);
}

static void latency_and_throughput(void **state) {
    struct unit *u = *state;
    static const int lengths[] = {1, 2, 3, 16, 255, 256, 257, 1000};
    write_numbers(u, 256);
    for (int i = 0; i < 8; i++) {
        struct signature s = first_signature();
        int n = lengths[i];
        for (int k = 0; k < n; k++)
            sign(&s, u->in.resp_bits, 48);
        set(u, BIST_SET_length, (uint32_t)n);
        set(u, BIST_SET_expected, number(&s));
        command(u, BIST_COM_run, 1);
        assert_int_equal(wait(u), n + 5);
        edge(u);
        command(u, BIST_COM_run, 3);
        assert_int_equal(wait(u), 3 * (n + 5));
        assert_int_equal(u->out->show_differs, 0);
        edge(u);
        assert_int_equal(status(u, BIST_STA_signature), number(&s));
        assert_int_equal(status(u, BIST_STA_left), 0);
    }
    assert_int_equal(counted(u), 4 * (1 + 2 + 3 + 16 + 255 + 256 + 257 + 1000));
    assert_int_equal(covered(u, BIST_COV_one_edge), 4);
    assert_int_equal(covered(u, BIST_COV_long_pass), 8);
    assert_int_equal(covered(u, BIST_COV_right), 16);
    assert_int_equal(covered(u, BIST_COV_several), 16);
}

/* The words that a pass plays, by their numbers. */
static void plays_words(struct unit *u, int last, int again, int length) {
    int at = 0;
    set(u, BIST_SET_last, (uint32_t)last);
    set(u, BIST_SET_again, (uint32_t)again);
    set(u, BIST_SET_length, (uint32_t)length);
    command(u, BIST_COM_run, 1);
    edge(u);
    for (int i = 0; i < length; i++) {
        edge(u);
        plays(u, (uint64_t)at + 1, at == 0);
        at = at == last ? again : (at + 1) % u->l.WINDOW;
    }
    edge(u);
    rests(u);
    wait(u);
    edge(u);
}

static void windows(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 31, 5, 16);
    write_numbers(&u, 16);
    say(&u, BIST_COM_free, 0);
    plays_words(&u, 15, 0, 16);
    plays_words(&u, 15, 0, 40);
    plays_words(&u, 4, 0, 5);
    assert_int_equal(covered(&u, BIST_COV_looped), 2);
    assert_int_equal(covered(&u, BIST_COV_resets), 2);
    plays_words(&u, 4, 3, 20); /* without reset between */
    assert_int_equal(covered(&u, BIST_COV_resets), 2);
    plays_words(&u, 4, 4, 20);
    plays_words(&u, 0, 0, 7);
    plays_words(&u, 0, 9, 30); /* from 9 around to 0 */
    plays_words(&u, 15, 15, 33);
    plays_words(&u, 3, 12, 50);
    close_unit(&u);
}

static void endless_passes(void **state) {
    struct unit *u = *state;
    write_numbers(u, 16);
    set(u, BIST_SET_length, 0); /* 2^32 */
    command(u, BIST_COM_run, 1);
    edges(u, 100000);
    assert_int_equal(u->out->show_busy, 1);
    assert_int_equal(counted(u), 100000 - 2);
    say(u, BIST_COM_stop, 0);
    assert_int_equal(u->out->show_busy, 0);
    /* passes without end, each right */
    set(u, BIST_SET_length, 1);
    set(u, BIST_SET_expected, 0xfb3ee249);
    command(u, BIST_COM_run, 0);
    edges(u, 6);
    assert_int_equal(status_now(u, BIST_STA_left), 0xffffffff);
    edges(u, 5);
    assert_int_equal(status_now(u, BIST_STA_left), 0xfffffffe);
    assert_int_equal(u->out->show_busy, 1);
    edges(u, 600);
    assert_int_equal(status_now(u, BIST_STA_left), 0xffffffff - 101);
}

/* --- free bits ------------------------------------------------------------ */

static void mask_and_random(int in_bits) {
    struct unit u;
    uint64_t seed = 5 + (uint64_t)in_bits;
    uint32_t mask[SLICES], word[SLICES];
    open_unit(&u, in_bits, 9, 16);
    for (int p = 0; p < u.l.PIECES; p++)
        say(&u, BIST_COM_piece, word[p] = (uint32_t)any(&seed));
    for (int p = 0; p < u.l.PIECES; p++)
        say(&u, BIST_COM_free, mask[p] = (uint32_t)any(&seed));
    mask[0] |= 1;
    say(&u, BIST_COM_index, 0);
    say(&u, BIST_COM_free, mask[0]);
    set(&u, BIST_SET_last, 0);
    set(&u, BIST_SET_length, 50);
    set(&u, BIST_SET_seed, 0xdeadbeef);
    for (int pass = 0; pass < 2; pass++) {
        uint32_t x = 0xdeadbeef;
        command(&u, BIST_COM_run, 1);
        edge(&u);
        for (int k = 0; k < 50; k++, x = bist_next(x)) {
            edge(&u);
            for (int i = 0; i < 960; i++) {
                uint64_t w = word[i / 32] >> i % 32 & 1;
                uint64_t m = mask[i / 32] >> i % 32 & 1;
                uint64_t wanted = i < in_bits ? w ^ (m & chance(x, i)) : 0;
                assert_int_equal(u.out->stim_bits[i / 64] >> i % 64 & 1,
                                 wanted);
            }
            /* reset is never free */
            assert_int_equal(u.out->stim_rst,
                             word[in_bits / 32] >> in_bits % 32 & 1);
        }
        edge(&u);
        rests(&u);
        wait(&u);
        edge(&u);
    }
    assert_true(covered(&u, BIST_COV_masked) > 0);
    close_unit(&u);
}

static void free_bits(void **state) {
    static const int bits[] = {1, 2, 31, 32, 33, 63, 64, 65, 100, 927, 928};
    (void)state;
    for (int i = 0; i < 11; i++)
        mask_and_random(bits[i]);
}

/* Every pass of a run begins with the seed, and with none nothing is free. */
static void every_pass_has_the_seed(void **state) {
    struct unit *u = *state;
    uint64_t first;
    write_numbers(u, 1);
    for (int i = 0; i < 3; i++)
        say(u, BIST_COM_free, 0xffffffff);
    set(u, BIST_SET_expected, 0xf2bcd925); /* two edges of zeros */
    set(u, BIST_SET_length, 2);
    set(u, BIST_SET_seed, 77);
    command(u, BIST_COM_run, 3);
    edges(u, 2);
    first = u->out->stim_bits[0];
    assert_true(first != 1);
    for (int pass = 0; pass < 2; pass++) {
        edge(u);
        assert_true(u->out->stim_bits[0] != first);
        edges(u, 6);
        assert_true(u->out->stim_bits[0] == first);
    }
    wait(u);
    assert_int_equal(u->out->show_differs, 0);
    set(u, BIST_SET_seed, 0);
    command(u, BIST_COM_run, 1);
    edges(u, 2);
    plays(u, 1, true);
    edge(u);
    plays(u, 1, true);
}

/* --- signatures ----------------------------------------------------------- */

static void signature_of(int out_bits) {
    struct unit u;
    struct signature s = first_signature();
    uint64_t seed = (uint64_t)out_bits * 3 + 1;
    open_unit(&u, 3, out_bits, 16);
    write_numbers(&u, 4);
    set(&u, BIST_SET_length, 60);
    command(&u, BIST_COM_run, 1);
    edges(&u, 3);
    for (int k = 0; k < 60; k++) {
        any_outputs(&u, &seed);
        sign(&s, u.in.resp_bits, out_bits);
        /* wires that are not there */
        if (out_bits % 64)
            u.in.resp_bits[out_bits / 64] |= ~(uint64_t)0 << out_bits % 64;
        edge(&u);
    }
    struct bist_in last = u.in;
    any_outputs(&u, &seed);
    assert_int_equal(wait(&u), 2);
    edge(&u);
    assert_int_equal(status(&u, BIST_STA_signature), number(&s));
    assert_int_equal(u.out->show_differs, 1);
    /* what the last edge left, slice by slice, and then nothing */
    for (int at = 0; at < out_bits + 64; at += 32) {
        uint32_t wanted = 0;
        for (int i = at; i < at + 32 && i < out_bits; i++)
            wanted |= (uint32_t)(last.resp_bits[i / 64] >> i % 64 & 1)
                      << (i - at);
        assert_int_equal(status(&u, BIST_STA_outputs), wanted);
        say(&u, BIST_COM_next, 0);
    }
    close_unit(&u);
}

static void signatures(void **state) {
    static const int bits[] = {1, 2, 31, 32, 33, 63, 64, 65, 100, 927, 928};
    (void)state;
    for (int i = 0; i < 11; i++)
        signature_of(bits[i]);
}

static void one_wrong_pass_ends_a_run(void **state) {
    struct unit *u = *state;
    write_numbers(u, 2);
    set(u, BIST_SET_expected, 0xf2bcd925);
    for (int wrong = 0; wrong < 3; wrong++) {
        command(u, BIST_COM_run, 5);
        assert_int_equal(u->out->show_differs, 0);
        edges(u, 7 * wrong + 4);
        u->in.resp_bits[0] = 1;
        edge(u);
        u->in.resp_bits[0] = 0;
        assert_int_equal(wait(u), 2);
        assert_int_equal(u->out->show_differs, 1);
        edge(u);
        assert_int_equal(status(u, BIST_STA_left), 5 - wrong);
        assert_int_equal(status(u, BIST_STA_state), 2);
        /* the second edge's fold enters as it is */
        assert_int_equal(status(u, BIST_STA_signature), 0xf2bcd925 ^ 7);
        rests(u);
    }
    assert_int_equal(covered(u, BIST_COV_first_wrong), 1);
    assert_int_equal(covered(u, BIST_COV_later_wrong), 2);
    command(u, BIST_COM_run, 5); /* forgets it */
    assert_int_equal(u->out->show_differs, 0);
    edges(u, 3);
    assert_int_equal(status_now(u, BIST_STA_state), 1);
}

/* The edge that compares takes the setting as it stands before it. */
static void expected_until_the_end(void **state) {
    struct unit *u = *state;
    write_numbers(u, 2);
    for (int late = 0; late < 2; late++) {
        set(u, BIST_SET_expected, 0);
        command(u, BIST_COM_run, 1);
        edges(u, 5 + late);
        write_at(u, REG_FIRST + BIST_SET_expected, 0xf2bcd925, 15);
        wait(u);
        assert_int_equal(u->out->show_differs, late);
        edge(u);
    }
}

/* --- commands in a run, stop, next ---------------------------------------- */

static void refused_in_a_run(void **state) {
    struct unit *u = *state;
    write_numbers(u, 2);
    say(u, BIST_COM_piece, 5); /* piece is 1 */
    set(u, BIST_SET_length, 100);
    command(u, BIST_COM_run, 9);
    edges(u, 7);
    say(u, BIST_COM_index, 7);
    for (int i = 0; i < 4; i++) {
        say(u, BIST_COM_piece, 0xffffffff);
        say(u, BIST_COM_free, 0xffffffff);
    }
    say(u, BIST_COM_next, 1);
    say(u, BIST_COM_run, 1);
    assert_int_equal(covered(u, BIST_COV_refused), 11);
    assert_int_equal(covered(u, BIST_COV_stored), 2);
    assert_int_equal(status(u, BIST_STA_left), 9);
    say(u, BIST_COM_stop, 0);
    assert_int_equal(covered(u, BIST_COV_refused), 11);
    say(u, BIST_COM_piece, 6);
    say(u, BIST_COM_piece, 0); /* whole: word 2, with 5 and 6 */
    assert_int_equal(covered(u, BIST_COV_stored), 3);
    run_once(u, 3);
    edge(u);
    plays(u, 1, true);
    edge(u);
    plays(u, 2, false);
    edge(u);
    plays(u, (uint64_t)6 << 32 | 5, false);
}

/* On the edge with the last compare a run is still under way. */
static void run_on_the_last_edge(void **state) {
    struct unit *u = *state;
    write_numbers(u, 1);
    command(u, BIST_COM_run, 1);
    edges(u, 5);
    command(u, BIST_COM_run, 1);
    assert_int_equal(u->out->show_busy, 0);
    assert_int_equal(u->out->show_differs, 1);
    assert_int_equal(covered(u, BIST_COV_refused), 1);
    edge(u);
    command(u, BIST_COM_run, 1);
    assert_int_equal(u->out->show_busy, 1);
    assert_int_equal(u->out->show_differs, 0);
}

/* Stop on the n-th edge of a run: nothing goes on, what is known stays. */
static void stop_on_each_edge(void **state) {
    struct unit *u = *state;
    uint64_t outputs[16] = {0};
    write_numbers(u, 4);
    for (int n = 2; n <= 9; n++) { /* the first edge ends the access */
        struct signature s = first_signature();
        uint32_t played = counted(u);
        int folds = n <= 5 ? 0 : n - 5 > 4 ? 4 : n - 5;
        command(u, BIST_COM_run, 3);
        for (int e = 1; e < n; e++) {
            u->in.resp_bits[0] = outputs[e] = (uint64_t)e * 0x10101010101;
            edge(u);
        }
        u->in.resp_bits[0] = 0xffff;
        command(u, BIST_COM_stop, 1);
        assert_int_equal(u->out->show_busy | u->out->show_differs, 0);
        rests(u);
        /* word i shows after edge i + 2 and is taken on the next one */
        assert_int_equal(counted(u) - played, n < 3 ? 0 : n > 6 ? 4 : n - 2);
        for (int i = 0; i < folds; i++)
            sign(&s, &outputs[i + 4], 48);
        edge(u);
        assert_int_equal(status(u, BIST_STA_signature), number(&s));
        assert_int_equal(status(u, BIST_STA_left), 3);
        if (n > 4)
            assert_int_equal(status(u, BIST_STA_outputs),
                             (uint32_t)outputs[n - 1 < 7 ? n - 1 : 7]);
        edges(u, 20);
        assert_int_equal(u->out->show_busy | u->out->show_differs, 0);
        rests(u);
        assert_int_equal(status(u, BIST_STA_signature), number(&s));
    }
    assert_int_equal(covered(u, BIST_COV_stopped), 8);
    /* once nothing goes on it stops nothing, and keeps what was found */
    command(u, BIST_COM_run, 3);
    wait(u);
    edge(u);
    say(u, BIST_COM_stop, 1);
    assert_int_equal(u->out->show_differs, 1);
    assert_int_equal(covered(u, BIST_COV_stopped), 8);
}

/* --- counters and reset --------------------------------------------------- */

static void counters_cleared(void **state) {
    struct unit *u = *state;
    write_numbers(u, 5);
    command(u, BIST_COM_run, 1);
    wait(u);
    edge(u);
    assert_int_equal(counted(u), 5);
    write_at(u, REG_CONTROL, 1, 1);
    edge(u);
    assert_int_equal(counted(u), 0);
    assert_int_equal(covered(u, BIST_COV_counters_cleared), 1);
}

static void reset_keeps_the_words(void **state) {
    struct unit *u = *state;
    write_numbers(u, 3);
    say(u, BIST_COM_free, 0xffffffff);
    set(u, BIST_SET_seed, 3);
    u->in.resp_bits[0] = 0xffff;
    for (int n = 0; n < 12; n++) {
        command(u, BIST_COM_run, 1);
        edges(u, n);
        u->out = golden_cycle(u->g, true, &u->in);
        rests(u);
        assert_int_equal(u->out->show_busy | u->out->show_differs, 0);
        assert_int_equal(u->out->wb_ack | u->out->wb_dat_r, 0);
        edges(u, 20);
        rests(u);
        for (int s = BIST_STA_state; s <= BIST_STA_outputs; s++)
            assert_int_equal(status(u, s), 0);
        assert_int_equal(counted(u), 0);
    }
    set(u, BIST_SET_seed, 3); /* the mask is zero: nothing is free */
    run_once(u, 3);
    for (uint64_t i = 1; i <= 3; i++) {
        edge(u);
        plays(u, i, i == 1);
    }
    /* piece and index are zero as well */
    wait(u);
    edge(u);
    write_word(u, 8, 0, false);
    run_once(u, 1);
    edge(u);
    plays(u, 8, false);
}

/* --- sizes ---------------------------------------------------------------- */

static void smallest_and_largest(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 1, 1, 16);
    assert_int_equal(u.l.PIECES, 1);
    say(&u, BIST_COM_piece, 0xffffffff);
    say(&u, BIST_COM_piece, 0xfffffffd);
    say(&u, BIST_COM_free, 0);
    u.in.resp_bits[0] = ~(uint64_t)0;
    run_once(&u, 2);
    edge(&u);
    plays(&u, 1, true);
    edge(&u);
    plays(&u, 1, false);
    wait(&u);
    edge(&u);
    assert_int_equal(status(&u, BIST_STA_outputs), 1);
    close_unit(&u);

    open_unit(&u, 928, 928, 4096);
    assert_int_equal(u.l.PIECES, 30);
    assert_int_equal(status(&u, BIST_STA_in_bits), 928);
    assert_int_equal(status(&u, BIST_STA_out_bits), 928);
    assert_int_equal(status(&u, BIST_STA_window), 4096);
    write_numbers(&u, 4096);
    say(&u, BIST_COM_index, 4095);
    for (int i = 0; i < 30; i++)
        say(&u, BIST_COM_piece, i < 29 ? 0x80000000u + (uint32_t)i : 1);
    for (int i = 0; i < 30; i++)
        say(&u, BIST_COM_free, 0);
    command(&u, BIST_COM_run, 1);
    edges(&u, 4096);
    plays(&u, 4095, false);
    edge(&u);
    plays(&u, 0x8000000180000000, true);
    assert_true(u.out->stim_bits[14] == 0x8000001c);
    wait(&u);
    close_unit(&u);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequence),
        cmocka_unit_test(periods),
        cmocka_unit_test(free_bits_by_hand),
        cmocka_unit_test(folds_by_hand),
        cmocka_unit_test(what_a_fold_sees),
        cmocka_unit_test(signatures_by_hand),
        TEST(after_reset),
        TEST(words_come_piece_by_piece),
        TEST(stored_on_the_edge_after),
        TEST(index_goes_around),
        TEST(free_stores_nothing),
        TEST(some_bytes_are_no_command),
        TEST(a_pass_edge_by_edge),
        TEST(latency_and_throughput),
        cmocka_unit_test(windows),
        TEST(endless_passes),
        cmocka_unit_test(free_bits),
        TEST(every_pass_has_the_seed),
        cmocka_unit_test(signatures),
        TEST(one_wrong_pass_ends_a_run),
        TEST(expected_until_the_end),
        TEST(refused_in_a_run),
        TEST(run_on_the_last_edge),
        TEST(stop_on_each_edge),
        TEST(counters_cleared),
        TEST(reset_keeps_the_words),
        cmocka_unit_test(smallest_and_largest),
    };
    return cmocka_run_group_tests_name("test_bist", tests, NULL, NULL);
}
