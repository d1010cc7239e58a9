/* test_prefetch.c - the golden prefetcher against its note, sentence by
 * sentence, and against an enumeration of the walk: every prefetch address must
 * be the address that the same thread demands next.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prefetch/prefetch.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, RECIPROCAL = 0, ITERATIVE = 1, POW2 = 2 };

/* ------------------------------------------------------------------- bench */

struct bench {
    struct config config;
    struct prefetch_local l;
    struct golden *g;
    struct prefetch_in in;
    struct prefetch_out out; /* after the last edge */
};

static void bench_open(struct bench *b, int divider) {
    memset(b, 0, sizeof *b);
    config_defaults(&b->config);
    b->config.prefetch_divider = divider;
    b->config.prefetch_address_bits = 40;
    b->l = prefetch_local(&b->config);
    b->g = golden_create(&prefetch_golden, &b->config);
    b->out = *(const struct prefetch_out *)golden_cycle(b->g, true, NULL);
    b->in.mem_ready = 1;
}

static void bench_close(struct bench *b) {
    golden_free(b->g);
}

/* One edge; requests last one edge, mem_ready stays. */
static void edge(struct bench *b) {
    b->out = *(const struct prefetch_out *)golden_cycle(b->g, false, &b->in);
    b->in.demand_valid = b->in.fill_valid = b->in.load_valid = 0;
}

static void edges(struct bench *b, int n) {
    while (n-- > 0)
        edge(b);
}

static void demand(struct bench *b, uint64_t id, uint64_t address) {
    b->in.demand_valid = 1;
    b->in.demand_id = id;
    b->in.demand_address = address;
    edge(b);
}

static void fill(struct bench *b, uint64_t address) {
    b->in.fill_valid = 1;
    b->in.fill_line = address / LINE;
    edge(b);
}

static uint32_t counter(const struct bench *b, int which) {
    return golden_counter(b->g, which);
}

#define COUNT(b, name) counter(b, PREFETCH_CNT_##name)

static void load(struct bench *b, uint64_t index,
                 const struct prefetch_walk *w) {
    uint64_t entry[PREFETCH_ENTRY_WORDS];
    assert_null(prefetch_entry(golden_design(b->g), w, entry));
    memcpy(b->in.load_entry, entry, sizeof entry);
    b->in.load_index = index;
    b->in.load_valid = 1;
    edge(b);
}

/* That entry, and no other. */
static void load_only(struct bench *b, uint64_t index,
                      const struct prefetch_walk *w) {
    for (int i = 0; i < b->l.IMAGES; i++) {
        memset(b->in.load_entry, 0, sizeof b->in.load_entry);
        b->in.load_index = (uint64_t)i;
        b->in.load_valid = 1;
        edge(b);
    }
    load(b, index, w);
}

/* Registers over the bus: two edges an access. */
static void write_enable(struct bench *b, uint32_t value) {
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 1;
    b->in.wb_adr = REG_FIRST + PREFETCH_SET_enable;
    b->in.wb_dat_w = value;
    b->in.wb_sel = 15;
    edge(b);
    assert_int_equal(b->out.wb_ack, 1);
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 0;
    edge(b);
}

/* A grey image of 1024 x 64 bytes at 1 MiB, blocks of 128 x 8, all of it: every
 * step is a line. */
static const struct prefetch_walk plain = {.start = 1 << 20,
                                           .size = 1024 * 64,
                                           .pitch = 1024,
                                           .block_x = 128,
                                           .block_y = 8,
                                           .x_hi = 1024,
                                           .y_hi = 64};

static uint64_t at(uint64_t x, uint64_t y) {
    return plain.start + y * plain.pitch + x;
}

static void open_plain(struct bench *b, int divider) {
    bench_open(b, divider);
    load(b, 0, &plain);
    edges(b, 4);
}

/* --------------------------------------------------------------- directed */

/* A demand is at mem two edges after its accept, its prefetch four edges after
 * the decision, which is 2 + DIV_EDGES after the accept. */
static void latencies(void **state) {
    (void)state;
    for (int divider = 0; divider < 3; divider++) {
        struct bench b;
        open_plain(&b, divider);
        int d = 2 + b.l.DIV_EDGES;
        assert_int_equal(b.l.DIV_EDGES, divider == ITERATIVE ? b.l.SIZE_W : 2);
        demand(&b, 7, at(3, 5)); /* edge a */
        assert_int_equal(b.out.mem_valid, 0);
        edge(&b);
        assert_int_equal(b.out.mem_valid, 0);
        edge(&b); /* a + 2 */
        assert_int_equal(b.out.mem_valid, 1);
        assert_int_equal(b.out.mem_prefetch, 0);
        assert_int_equal(b.out.mem_id, 7);
        assert_int_equal(b.out.mem_address, at(3, 5));
        for (int i = 3; i < d + 4; i++) {
            edge(&b);
            assert_int_equal(b.out.mem_valid, 0);
            assert_int_equal(b.out.mem_address | b.out.mem_id, 0);
        }
        edge(&b); /* d + 4 */
        assert_int_equal(b.out.mem_valid, 1);
        assert_int_equal(b.out.mem_prefetch, 1);
        assert_int_equal(b.out.mem_id, 0);
        assert_int_equal(b.out.mem_address, at(131, 5));
        bench_close(&b);
    }
}

/* When each counter moves. */
static void counters_and_their_edges(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, RECIPROCAL);
    demand(&b, 0, at(0, 0));
    assert_int_equal(COUNT(&b, demands), 1);
    assert_int_equal(COUNT(&b, known), 0);
    edge(&b); /* a + 1 */
    assert_int_equal(COUNT(&b, known), 1);
    edges(&b, 4); /* d + 1 = a + 5 */
    assert_int_equal(COUNT(&b, issued), 0);
    edge(&b);
    assert_int_equal(COUNT(&b, issued), 1);
    fill(&b, at(128, 0));
    assert_int_equal(COUNT(&b, fills), 1);
    demand(&b, 0, at(896, 60)); /* the last block of all */
    edges(&b, 3);
    assert_int_equal(COUNT(&b, ended), 0);
    edge(&b); /* d */
    assert_int_equal(COUNT(&b, ended), 1);
    demand(&b, 0, plain.start - 1);
    demand(&b, 0, plain.start + plain.size);
    edges(&b, 10);
    assert_int_equal(COUNT(&b, demands), 4);
    assert_int_equal(COUNT(&b, known), 2);
    bench_close(&b);
}

static void parts_are_kept(void **state) {
    (void)state;
    struct prefetch_walk w = plain;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    w.x_lo = 256;
    w.x_hi = 768;
    w.y_lo = 16;
    w.y_hi = 32;
    load(&b, 0, &w);
    static const struct {
        uint64_t x, y;
        bool inside;
    } cases[] = {{255, 16, false}, {256, 16, true},  {767, 31, true},
                 {768, 31, false}, {300, 15, false}, {300, 32, false}};
    uint32_t outside = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        demand(&b, 0, at(cases[i].x, cases[i].y));
        edges(&b, 10);
        outside += !cases[i].inside;
        assert_int_equal(COUNT(&b, outside), outside);
    }
    bench_close(&b);
}

/* The next prefetch at mem; 0: none within n edges. */
static uint64_t prefetch_within(struct bench *b, int n) {
    for (; n > 0; n--) {
        edge(b);
        if (b->out.mem_valid && b->out.mem_prefetch)
            return b->out.mem_address;
    }
    return 0;
}

static void first_image_wins(void **state) {
    (void)state;
    struct prefetch_walk wide = plain;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    wide.block_x = 256;
    load(&b, 2, &plain);
    load(&b, 1, &wide); /* the same image again */
    demand(&b, 0, at(0, 0));
    assert_int_equal(prefetch_within(&b, 12), at(256, 0));
    bench_close(&b);
}

/* From the last block of a row of blocks: exact goes to the first of the next,
 * the paper's formula a row too far. */
static void strides_at_the_boundary(void **state) {
    (void)state;
    for (int printed = 0; printed < 2; printed++) {
        struct prefetch_walk w = plain;
        struct bench b;
        bench_open(&b, RECIPROCAL);
        w.printed = printed;
        load(&b, 0, &w);
        demand(&b, 0, at(900, 3));
        assert_int_equal(prefetch_within(&b, 12), at(4, printed ? 12 : 11));
        bench_close(&b);
    }
}

static void repeated_rows(void **state) {
    (void)state;
    struct prefetch_walk w = plain;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    w.block_y = 0;
    load(&b, 0, &w);
    demand(&b, 0, at(900, 63));
    assert_int_equal(prefetch_within(&b, 12), at(4, 63));
    demand(&b, 0, at(4, 63));
    assert_int_equal(prefetch_within(&b, 12), at(132, 63));
    bench_close(&b);
}

/* ------------------------------------------------------- lines in flight */

static void duplicates(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, RECIPROCAL);
    demand(&b, 0, at(0, 0));
    demand(&b, 1, at(1, 0)); /* its line is put in flight as this looks */
    demand(&b, 2, at(2, 0)); /* its line is in flight */
    edges(&b, 12);
    assert_int_equal(COUNT(&b, issued), 1);
    assert_int_equal(COUNT(&b, duplicate), 2);
    fill(&b, at(128, 0));
    demand(&b, 3, at(3, 0));
    edges(&b, 12);
    assert_int_equal(COUNT(&b, issued), 2);
    bench_close(&b);
}

/* Blocks of half a line: the first half's prefetch is the second's demand. */
static void own_line(void **state) {
    (void)state;
    struct prefetch_walk w = plain;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    w.block_x = 64;
    load(&b, 0, &w);
    demand(&b, 0, at(0, 0));
    edges(&b, 12);
    assert_int_equal(COUNT(&b, duplicate), 1);
    demand(&b, 0, at(64, 0));
    assert_int_equal(prefetch_within(&b, 12), at(128, 0));
    bench_close(&b);
}

/* The look is on edge d + 1 = a + 5.  A fill on that edge comes too late for
 * it, one on the edge before does not. */
static void fills_and_looks(void **state) {
    (void)state;
    for (int when = 4; when <= 5; when++) {
        struct bench b;
        open_plain(&b, RECIPROCAL);
        demand(&b, 0, at(0, 0));
        edges(&b, 12);
        demand(&b, 0, at(1, 0)); /* edge a */
        edges(&b, when - 1);
        fill(&b, at(128, 0)); /* edge a + when */
        edges(&b, 12);
        assert_int_equal(COUNT(&b, duplicate), when == 5);
        assert_int_equal(COUNT(&b, issued), when == 5 ? 1 : 2);
        bench_close(&b);
    }
}

/* All places taken: dropped, and a place that is freed on the filter's own edge
 * (a + 6) comes too late. */
static void full(void **state) {
    (void)state;
    for (int when = 5; when <= 6; when++) {
        struct bench b;
        open_plain(&b, RECIPROCAL);
        for (int i = 0; i < b.l.FLIGHT; i++) {
            demand(&b, 0, at(0, (uint64_t)i));
            edges(&b, 10);
        }
        assert_int_equal(COUNT(&b, issued), b.l.FLIGHT);
        demand(&b, 0, at(0, 40));
        edges(&b, when - 1);
        fill(&b, at(128, 0));
        edges(&b, 12);
        assert_int_equal(COUNT(&b, full), when == 6);
        fill(&b, at(128, 63)); /* was never asked for */
        demand(&b, 0, at(0, 41));
        edges(&b, 12);
        assert_int_equal(COUNT(&b, issued), b.l.FLIGHT + 1);
        bench_close(&b);
    }
}

/* A demand on every edge: no prefetch gets to M, so one waits at the queue's
 * output and QUEUE behind it; what comes then is dropped. */
static void no_room(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, RECIPROCAL);
    for (int i = 0; i < b.l.QUEUE + 4; i++)
        demand(&b, 0, at(0, (uint64_t)i));
    for (int i = 0; i < 8; i++)
        demand(&b, 0, 0);
    assert_int_equal(COUNT(&b, issued), 1 + b.l.QUEUE);
    assert_int_equal(COUNT(&b, no_room), 3);
    for (uint64_t i = 0; i < 1 + (uint64_t)b.l.QUEUE; i++)
        assert_int_equal(prefetch_within(&b, 3), at(128, i));
    assert_int_equal(prefetch_within(&b, 12), 0);
    bench_close(&b);
}

/* ------------------------------------------------------------------ demands */

/* With the cache shut: M, the queue's output register and four words. */
static void demands_wait(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    b.in.mem_ready = 0;
    uint64_t taken = 0;
    for (int i = 0; i < 12; i++) {
        bool ready = b.out.demand_ready;
        demand(&b, taken, 0x1000 + taken);
        taken += ready;
    }
    assert_int_equal(taken, 6);
    assert_int_equal(COUNT(&b, demands), 6);
    assert_int_equal(COUNT(&b, demand_blocked), 6);
    b.in.mem_ready = 1;
    for (uint64_t i = 0; i < 6; i++) {
        assert_int_equal(b.out.mem_valid, 1);
        assert_int_equal(b.out.mem_id, i);
        assert_int_equal(b.out.mem_address, 0x1000 + i);
        edge(&b);
    }
    assert_int_equal(b.out.mem_valid, 0);
    bench_close(&b);
}

static void a_demand_an_edge(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, RECIPROCAL);
    for (uint64_t i = 0; i < 100; i++) {
        assert_int_equal(b.out.demand_ready, 1);
        demand(&b, i, at(8 * i % 1024, 0));
        if (i >= 2) { /* never a prefetch in between */
            assert_int_equal(b.out.mem_prefetch, 0);
            assert_int_equal(b.out.mem_id, i - 2);
        }
    }
    edges(&b, 40);
    assert_int_equal(COUNT(&b, demand_blocked), 0);
    assert_int_equal(COUNT(&b, known), 100);
    bench_close(&b);
}

static void iterative_skips(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, ITERATIVE);
    int n = b.l.SIZE_W;
    demand(&b, 0, at(0, 0)); /* begins */
    demand(&b, 0, at(0, 1)); /* skipped */
    edges(&b, n - 3);
    demand(&b, 0, at(0, 2)); /* n - 1 edges after: skipped */
    demand(&b, 0, at(0, 3)); /* n edges after: begins */
    edges(&b, 100);
    assert_int_equal(COUNT(&b, skipped), 2);
    assert_int_equal(COUNT(&b, issued), 2);
    assert_int_equal(COUNT(&b, demands), 4);
    bench_close(&b);
}

static void enabling(void **state) {
    (void)state;
    struct bench b;
    open_plain(&b, RECIPROCAL);
    write_enable(&b, 0);
    demand(&b, 9, at(0, 0));
    edges(&b, 2);
    assert_int_equal(b.out.mem_id, 9); /* demands pass all the same */
    edges(&b, 10);
    assert_int_equal(COUNT(&b, demands), 1);
    assert_int_equal(COUNT(&b, known), 0);
    write_enable(&b, 1);
    demand(&b, 9, at(0, 0));
    assert_int_equal(prefetch_within(&b, 12), at(128, 0));
    golden_cycle(b.g, true, NULL); /* reset forgets the table */
    demand(&b, 9, at(0, 0));
    edges(&b, 12);
    assert_int_equal(COUNT(&b, demands), 1);
    assert_int_equal(COUNT(&b, known), 0);
    bench_close(&b);
}

/* ----------------------------------------------- enumeration of the walk */

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % n;
}

/* A part of an image in elements, and blocks of threads over it. */
struct field {
    uint64_t start, element, pitch; /* pitch in bytes */
    uint64_t width, height;
    uint64_t bw, bh, x0, x1, y0, y1;
    bool along_y;
};

static uint64_t element_at(const struct field *f, uint64_t x, uint64_t y) {
    return f->start + y * f->pitch + x * f->element;
}

static struct prefetch_walk walk_over(const struct field *f) {
    return (struct prefetch_walk){.start = f->start,
                                  .size = f->pitch * f->height,
                                  .pitch = f->pitch,
                                  .along_y = f->along_y,
                                  .block_x = f->bw * f->element,
                                  .block_y = f->bh,
                                  .x_lo = f->x0 * f->element,
                                  .x_hi = f->x1 * f->element,
                                  .y_lo = f->y0,
                                  .y_hi = f->y1};
}

/* What thread (tx, ty) demands, in the order of the blocks; how many. */
static size_t demands_of(const struct field *f, uint64_t tx, uint64_t ty,
                         uint64_t *out) {
    uint64_t nx = (f->x1 - f->x0 + f->bw - 1) / f->bw;
    uint64_t ny = (f->y1 - f->y0 + f->bh - 1) / f->bh;
    size_t n = 0;
    for (uint64_t i = 0; i < nx * ny; i++) {
        uint64_t bx = f->along_y ? i / ny : i % nx;
        uint64_t by = f->along_y ? i % ny : i / nx;
        uint64_t x = f->x0 + bx * f->bw + tx, y = f->y0 + by * f->bh + ty;
        if (x < f->x1 && y < f->y1)
            out[n++] = element_at(f, x, y);
    }
    return n;
}

/* One demand, long enough apart from others; what it was answered with. */
static void check_step(struct bench *b, uint64_t address, bool last,
                       uint64_t next) {
    uint32_t ended = COUNT(b, ended), duplicate = COUNT(b, duplicate);
    demand(b, 1, address);
    uint64_t got = prefetch_within(b, b->l.DIV_EDGES + 8);
    if (got)
        fill(b, got);
    if (last) {
        assert_int_equal(got, 0);
        assert_int_equal(COUNT(b, ended), ended + 1);
    } else if (next / LINE == address / LINE) {
        assert_int_equal(got, 0);
        assert_int_equal(COUNT(b, duplicate), duplicate + 1);
    } else {
        assert_int_equal(got, next);
    }
}

static void check_field(struct bench *b, const struct field *f) {
    struct prefetch_walk w = walk_over(f);
    uint64_t *list =
        calloc((f->x1 - f->x0) * (f->y1 - f->y0) + 1, sizeof *list);
    edges(b, 40);
    load_only(b, below((uint64_t)b->l.IMAGES), &w);
    for (int k = 0; k < 12; k++) {
        /* the corners, and some between */
        uint64_t tx = k & 1 ? f->bw - 1 : k < 4 ? 0 : below(f->bw);
        uint64_t ty = k & 2 ? f->bh - 1 : k < 4 ? 0 : below(f->bh);
        size_t n = demands_of(f, tx, ty, list);
        for (size_t i = 0; i < n; i++)
            check_step(b, list[i], i + 1 == n, i + 1 < n ? list[i + 1] : 0);
    }
    free(list);
}

enum allocation { ROWS, COLUMNS, TILES };

/* A field of random size in the given allocation; part of parts. */
static struct field random_field(enum allocation how, uint64_t element,
                                 bool pow2) {
    uint64_t parts = 1 + below(4), part = below(parts);
    struct field f = {.element = element,
                      .width = 1 + below(90),
                      .height = 1 + below(40),
                      .bw = 1 + below(12),
                      .bh = 1 + below(6),
                      .along_y = how == COLUMNS};
    f.pitch = f.width * element + below(3) * below(20);
    while (pow2 && (f.pitch & (f.pitch - 1)))
        f.pitch++;
    f.start = (UINT64_C(1) << 39) + below(1 << 20) * 16;
    f.x1 = f.width;
    f.y1 = f.height;
    uint64_t band_y = (f.height + parts - 1) / parts;
    uint64_t band_x = (f.width + parts - 1) / parts;
    if (how != COLUMNS) {
        f.y0 = part * band_y < f.height ? part * band_y : f.height - 1;
        f.y1 = f.y0 + band_y < f.height ? f.y0 + band_y : f.height;
    }
    if (how != ROWS) {
        f.x0 = part * band_x < f.width ? part * band_x : f.width - 1;
        f.x1 = f.x0 + band_x < f.width ? f.x0 + band_x : f.width;
    }
    return f;
}

static void enumerate(int divider) {
    struct bench b;
    bench_open(&b, divider);
    for (int round = 0; round < 10; round++)
        for (uint64_t element = 1; element <= 16; element++)
            for (int how = ROWS; how <= TILES; how++) {
                struct field f = random_field((enum allocation)how, element,
                                              divider == POW2);
                check_field(&b, &f);
            }
    for (int c = PREFETCH_COV_base_x; c <= PREFETCH_COV_walk_end; c++)
        assert_true(golden_covers(b.g)[c] > 0);
    bench_close(&b);
}

static void enumeration_reciprocal(void **state) {
    (void)state;
    seed = 1;
    enumerate(RECIPROCAL);
}

static void enumeration_iterative(void **state) {
    (void)state;
    seed = 2;
    enumerate(ITERATIVE);
}

static void enumeration_pow2(void **state) {
    (void)state;
    seed = 3;
    enumerate(POW2);
}

/* Kernel set's image: 512 floats, blocks of 32 x 8, the third of 16 bands, and
 * a width of which the block is no divisor. */
static void enumeration_of_the_kernels(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, RECIPROCAL);
    for (uint64_t width = 500; width <= 512; width += 3) {
        struct field f = {.start = 0x1000000,
                          .element = 4,
                          .pitch = 4 * width,
                          .width = width,
                          .height = 384,
                          .bw = 32,
                          .bh = 8,
                          .x1 = width,
                          .y0 = 48,
                          .y1 = 72};
        check_field(&b, &f);
    }
    bench_close(&b);
}

/* Every pitch and position of a small table: row and column by the note's
 * reciprocal, through the bounds of a part of one element. */
static void every_pitch(void **state) {
    (void)state;
    struct bench b;
    memset(&b, 0, sizeof b);
    config_defaults(&b.config);
    b.config.prefetch_size_bits = 8;
    b.config.prefetch_pitch_bits = 7;
    b.config.prefetch_row_bits = 9;
    b.l = prefetch_local(&b.config);
    b.g = golden_create(&prefetch_golden, &b.config);
    b.in.mem_ready = 1;
    edge(&b);
    for (uint64_t pitch = 1; pitch <= 128; pitch++) {
        uint64_t x = below(pitch), rows = 255 / pitch, y = below(rows);
        struct prefetch_walk w = {.size = pitch * rows,
                                  .pitch = pitch,
                                  .block_x = 1,
                                  .block_y = 1,
                                  .x_lo = x,
                                  .x_hi = x + 1,
                                  .y_lo = y,
                                  .y_hi = y + 1};
        edges(&b, 8);
        load(&b, 0, &w);
        uint32_t known = COUNT(&b, known), ended = COUNT(&b, ended);
        uint32_t outside = COUNT(&b, outside);
        for (uint64_t p = 0; p < w.size; p++)
            demand(&b, 0, p);
        edges(&b, 8);
        assert_int_equal(COUNT(&b, known), known + w.size);
        assert_int_equal(COUNT(&b, ended), ended + 1); /* that element */
        assert_int_equal(COUNT(&b, outside), outside + w.size - 1);
    }
    bench_close(&b);
}

/* ------------------------------------------------------------ under a load */

/* What a bystander knows. */
struct watch {
    uint64_t sent[64], id[64]; /* demands on their way, a ring */
    uint64_t head, n;
    uint64_t flight[128]; /* lines of prefetches that left mem, not filled */
    size_t n_flight;
};

static void watch_request(struct watch *w, const struct prefetch_out *out) {
    if (!out->mem_prefetch) {
        assert_true(w->n > 0);
        assert_int_equal(out->mem_address, w->sent[w->head % 64]);
        assert_int_equal(out->mem_id, w->id[w->head % 64]);
        w->head++;
        w->n--;
        return;
    }
    for (size_t i = 0; i < w->n_flight; i++)
        assert_true(w->flight[i] != out->mem_address / LINE);
    assert_true(w->n_flight < 128);
    w->flight[w->n_flight++] = out->mem_address / LINE;
}

static void random_inputs(struct bench *b, struct watch *w, uint64_t burst) {
    b->in.mem_ready = below(8) != 0 || burst == 1;
    if (burst == 2)
        b->in.mem_ready = below(8) == 0;
    if (below(burst == 0 ? 3 : 20) != 0) {
        b->in.demand_valid = 1;
        b->in.demand_id = below(256);
        b->in.demand_address = at(below(70) * 16, below(66)) - 16;
    }
    if (w->n_flight && below(burst == 1 ? 2 : 12) == 0) {
        size_t i = below(w->n_flight);
        b->in.fill_valid = 1;
        b->in.fill_line = w->flight[i];
        w->flight[i] = w->flight[--w->n_flight];
    }
}

static void one_random_edge(struct bench *b, struct watch *w, uint64_t burst) {
    random_inputs(b, w, burst);
    if (b->out.mem_valid && b->in.mem_ready)
        watch_request(w, &b->out);
    if (b->in.demand_valid && b->out.demand_ready) {
        w->sent[(w->head + w->n) % 64] = b->in.demand_address;
        w->id[(w->head + w->n++) % 64] = b->in.demand_id;
    }
    edge(b);
    if (!b->out.mem_valid)
        assert_int_equal(
            b->out.mem_address | b->out.mem_id | b->out.mem_prefetch, 0);
}

static void random_load(void **state) {
    (void)state;
    struct prefetch_walk over = plain;
    struct watch w = {0};
    struct bench b;
    seed = 4;
    open_plain(&b, RECIPROCAL);
    over.start += 1024 * 32;
    over.along_y = true;
    load(&b, 1, &over);
    for (int i = 0; i < 400000; i++)
        one_random_edge(&b, &w, (uint64_t)(i / 1000) % 3);
    b.in.mem_ready = 1;
    for (int i = 0; i < 200; i++) {
        if (b.out.mem_valid)
            watch_request(&w, &b.out);
        edge(&b);
    }
    assert_int_equal(w.n, 0);
    assert_true(prefetch_is_idle(b.g));
    /* every analysis ends in one way */
    assert_int_equal(COUNT(&b, known),
                     COUNT(&b, outside) + COUNT(&b, ended) + COUNT(&b, issued) +
                         COUNT(&b, duplicate) + COUNT(&b, full) +
                         COUNT(&b, no_room));
    assert_true(COUNT(&b, full) > 100 && COUNT(&b, no_room) > 100 &&
                COUNT(&b, duplicate) > 100 && COUNT(&b, issued) > 1000);
    bench_close(&b);
}

static void entries_that_do_not_fit(void **state) {
    (void)state;
    struct config c;
    uint64_t e[PREFETCH_ENTRY_WORDS];
    config_defaults(&c);
    struct design *d = design_make(&prefetch_iface, &c);
    struct prefetch_walk w = plain;
    assert_null(prefetch_entry(d, &w, e));
    w.start = UINT64_C(1) << 32;
    assert_non_null(prefetch_entry(d, &w, e));
    w = plain;
    w.size = 1 << 22;
    assert_non_null(prefetch_entry(d, &w, e));
    w = plain;
    w.x_hi = 1025;
    assert_non_null(prefetch_entry(d, &w, e));
    w = plain;
    w.pitch = 0;
    assert_non_null(prefetch_entry(d, &w, e));
    w = plain;
    w.block_x = 0;
    assert_non_null(prefetch_entry(d, &w, e));
    w = plain;
    w.block_y = 0; /* the same rows again, along x only */
    assert_null(prefetch_entry(d, &w, e));
    w.along_y = true;
    assert_non_null(prefetch_entry(d, &w, e));
    design_free(d);
    c.prefetch_divider = POW2;
    d = design_make(&prefetch_iface, &c);
    w = plain;
    assert_null(prefetch_entry(d, &w, e));
    w.pitch = 1000;
    w.x_hi = 1000;
    assert_non_null(prefetch_entry(d, &w, e));
    design_free(d);
}

/* The first fields of an entry, by hand: valid, axis, start, size, base. */
static void entry_layout(void **state) {
    (void)state;
    struct config c;
    uint64_t e[PREFETCH_ENTRY_WORDS];
    config_defaults(&c); /* 32 address bits, 22 of size */
    struct design *d = design_make(&prefetch_iface, &c);
    assert_null(prefetch_entry(d, &plain, e));
    assert_int_equal(e[0] & 3, 1);
    assert_int_equal(e[0] >> 2 & 0xffffffff, plain.start);
    assert_int_equal(e[0] >> 34 & 0x3fffff, plain.size);
    assert_int_equal((e[0] >> 56 | e[1] << 8) & 0x7fffff, 128);
    /* modified: 8 rows less 7 blocks */
    assert_int_equal(e[1] >> 15 & 0x7fffff, 8 * 1024 - 7 * 128);
    design_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies),
        cmocka_unit_test(counters_and_their_edges),
        cmocka_unit_test(parts_are_kept),
        cmocka_unit_test(first_image_wins),
        cmocka_unit_test(strides_at_the_boundary),
        cmocka_unit_test(repeated_rows),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(own_line),
        cmocka_unit_test(fills_and_looks),
        cmocka_unit_test(full),
        cmocka_unit_test(no_room),
        cmocka_unit_test(demands_wait),
        cmocka_unit_test(a_demand_an_edge),
        cmocka_unit_test(iterative_skips),
        cmocka_unit_test(enabling),
        cmocka_unit_test(enumeration_reciprocal),
        cmocka_unit_test(enumeration_iterative),
        cmocka_unit_test(enumeration_pow2),
        cmocka_unit_test(enumeration_of_the_kernels),
        cmocka_unit_test(every_pitch),
        cmocka_unit_test(random_load),
        cmocka_unit_test(entries_that_do_not_fit),
        cmocka_unit_test(entry_layout),
    };
    return cmocka_run_group_tests_name("prefetch", tests, NULL, NULL);
}
