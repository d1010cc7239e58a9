/* test_entry.c - the function of the emitted C header that fills an
 * entry of the prefetcher's table, compiled and held against the golden
 * driver's, written apart from it: the same entries, the same refusals.
 */
#include "base/diag.h"
#include "output/emit.h"
#include "prefetch/prefetch.h"
#include "tests/common/scratch.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A walk a line in; its entry out, highest word first, or why there is none. */
static const char program[] =
    "#include \"ndp_prefetch.h\"\n"
    "#include <inttypes.h>\n"
    "#include <stdio.h>\n"
    "int main(void) {\n"
    "    struct ndp_prefetch_walk w;\n"
    "    uint32_t e[NDP_PREFETCH_ENTRY_WORDS];\n"
    "    uint64_t v[12];\n"
    "    for (;;) {\n"
    "        for (int i = 0; i < 12; i++)\n"
    "            if (scanf(\"%\" SCNu64, &v[i]) != 1)\n"
    "                return 0;\n"
    "        w.start = v[0]; w.size = v[1]; w.pitch = v[2];\n"
    "        w.x_lo = v[3]; w.x_hi = v[4]; w.y_lo = v[5]; w.y_hi = v[6];\n"
    "        w.block_w = v[7]; w.block_h = v[8]; w.element = v[9];\n"
    "        w.axis = (int)v[10]; w.printed = (int)v[11];\n"
    "        const char *problem = ndp_prefetch_entry(e, &w);\n"
    "        for (int i = NDP_PREFETCH_ENTRY_WORDS - 1; i >= 0; i--)\n"
    "            printf(\"%08\" PRIx32, e[i]);\n"
    "        printf(\" %s\\n\", problem ? problem : \"held\");\n"
    "    }\n"
    "}\n";

enum { MOST = 100000, LINE = 300 };

/* Walks of one configuration. */
struct trial {
    struct design *design;
    struct prefetch_walk *walk;
    uint64_t *element;
    int n;
};

static void trial_open(struct trial *t, int divider, int size_bits,
                       int pitch_bits) {
    *t = (struct trial){.walk = calloc(MOST, sizeof *t->walk),
                        .element = calloc(MOST, sizeof *t->element)};
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    c.prefetch_divider = divider;
    c.prefetch_size_bits = size_bits;
    c.prefetch_pitch_bits = pitch_bits;
    c.prefetch_row_bits = pitch_bits;
    assert_true(iface_check(&prefetch_iface, &c, &d));
    diag_free(&d);
    t->design = design_make(&prefetch_iface, &c);
}

/* block_x is in elements here. */
static void add(struct trial *t, struct prefetch_walk w, uint64_t element) {
    assert_true(t->n < MOST);
    w.block_x *= element;
    t->element[t->n] = element;
    t->walk[t->n++] = w;
}

/* ------------------------------------------------------------ the comparison
 */

static void write_header(const struct trial *t, struct scratch *s) {
    const struct gen_job job = {.design = t->design,
                                .prefix = "",
                                .command = "ndpgen --target prefetch"};
    struct template_set templates = {0};
    struct gen_files f = {0};
    struct diag d = {0};
    assert_true(templates_load(&templates, NULL, &d));
    assert_true(templates_render_output(&templates, &job, "header.h", &f, &d));
    const struct gen_file *header = gen_files_find(&f, "ndp_prefetch.h");
    assert_non_null(header);
    scratch_text(s, "ndp_prefetch.h", text_str(&header->text));
    gen_files_free(&f);
    templates_free(&templates);
    diag_free(&d);
}

static void write_walks(const struct trial *t, const char *path) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < t->n; i++) {
        const struct prefetch_walk *w = &t->walk[i];
        uint64_t e = t->element[i];
        const uint64_t v[] = {
            w->start,   w->size, w->pitch,   w->x_lo,
            w->x_hi,    w->y_lo, w->y_hi,    e ? w->block_x / e : 1,
            w->block_y, e,       w->along_y, w->printed};
        for (int k = 0; k < 12; k++)
            fprintf(f, "%" PRIu64 "%c", v[k], k < 11 ? ' ' : '\n');
    }
    fclose(f);
}

/* The line that the program should print. */
static bool golden_line(const struct trial *t, int i, char line[LINE]) {
    struct prefetch_local l = prefetch_local(&t->design->config);
    uint64_t e[PREFETCH_ENTRY_WORDS];
    const char *problem = prefetch_entry(t->design, &t->walk[i], e);
    int at = 0;
    for (int w = (l.ENTRY_W + 31) / 32 - 1; w >= 0; w--)
        at += snprintf(line + at, LINE - (size_t)at, "%08" PRIx32,
                       (uint32_t)(e[w / 2] >> 32 * (w % 2)));
    snprintf(line + at, LINE - (size_t)at, " %s\n", problem ? problem : "held");
    return !problem;
}

static void show_walk(const struct trial *t, int i, const char *got,
                      const char *wanted) {
    const struct prefetch_walk *w = &t->walk[i];
    fail_msg("start %#" PRIx64 " size %" PRIu64 " pitch %" PRIu64 " x %" PRIu64
             "..%" PRIu64 " y %" PRIu64 "..%" PRIu64 " block %" PRIu64
             " bytes x %" PRIu64 " axis %d printed %d:\n%sexpected\n%s",
             w->start, w->size, w->pitch, w->x_lo, w->x_hi, w->y_lo, w->y_hi,
             w->block_x, w->block_y, w->along_y, w->printed, got, wanted);
}

/* Compile, run, compare; how many walks were held. */
static int compare(struct trial *t) {
    struct scratch s;
    char command[600], got[LINE], wanted[LINE];
    const char *cc = getenv("CC");
    int held = 0;
    scratch_open(&s);
    write_header(t, &s);
    const char *source = scratch_text(&s, "main.c", program);
    const char *binary = scratch_file(&s, "main", NULL, 0);
    const char *walks = scratch_file(&s, "walks", NULL, 0);
    write_walks(t, walks);
    snprintf(command, sizeof command,
             "%s -std=c99 -O1 -Wall -Wextra -Wconversion -Werror -pedantic "
             "-fsanitize=undefined -fno-sanitize-recover=all %s -o %s",
             cc && *cc ? cc : "cc", source, binary);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s <%s", binary, walks);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    for (int i = 0; i < t->n; i++) {
        held += golden_line(t, i, wanted);
        if (!fgets(got, sizeof got, f))
            strcpy(got, "nothing\n");
        if (strcmp(got, wanted) != 0)
            show_walk(t, i, got, wanted);
    }
    assert_int_equal(pclose(f), 0);
    scratch_close(&s);
    free(t->walk);
    free(t->element);
    design_free(t->design);
    return held;
}

/* ------------------------------------------------------------------ the walks
 */

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return n ? (seed >> 24) % n : 0;
}

/* Around the edge of a field now and then. */
static uint64_t about(uint64_t most) {
    switch (below(12)) {
    case 0:
        return most + 1;
    case 1:
        return most;
    case 2:
        return 0;
    case 3:
        return most + below(most + 1);
    default:
        return below(most + 1);
    }
}

/* Odd widths and heights, parts that begin anywhere, blocks that do not divide
 * them, and a wrong number here and there. */
static void add_random(struct trial *t) {
    struct prefetch_local l = prefetch_local(&t->design->config);
    uint64_t element = UINT64_C(1) << below(5);
    uint64_t most = (UINT64_C(1) << l.PITCH_W) / element;
    struct prefetch_walk w = {.along_y = below(2), .printed = below(4) == 0};
    w.pitch = l.RECIPROCAL || l.ITERATIVE || below(4) == 0
                  ? about(most) * element
                  : UINT64_C(1) << below((uint64_t)l.PITCH_W + 1);
    uint64_t rows =
        w.pitch ? ((UINT64_C(1) << l.SIZE_W) - 1) / w.pitch : below(9);
    w.start =
        below(20) ? below(UINT64_C(1) << l.ADDR_W) : UINT64_C(1) << l.ADDR_W;
    w.size =
        below(20) ? w.pitch * below(rows + 1) : about(UINT64_C(1) << l.SIZE_W);
    w.x_lo = below(3) ? 0 : below(w.pitch + 1);
    w.x_hi = below(20) ? w.x_lo + below(w.pitch - w.x_lo + 1) : about(w.pitch);
    w.y_lo = below(3) ? 0 : below(rows + 1);
    w.y_hi = below(20) ? w.y_lo + below(rows - w.y_lo + 1) : about(rows);
    w.block_x = below(30) ? 1 + below(40) : about(1 << 20);
    w.block_y = below(6) ? 1 + below(20) : about(1 << 10);
    if (!w.along_y && below(5) == 0)
        w.block_y = 0;
    add(t, w, below(100) ? element : 0);
}

static void random_geometries(void **state) {
    (void)state;
    static const int sizes[][2] = {{22, 14}, {32, 16}, {8, 4}, {12, 12}};
    seed = 7;
    for (int divider = 0; divider < 3; divider++)
        for (int i = 0; i < 4; i++) {
            struct trial t;
            trial_open(&t, divider, sizes[i][0], sizes[i][1]);
            for (int n = 0; n < 20000; n++)
                add_random(&t);
            int held = compare(&t);
            assert_in_range(held, 500, 19500);
        }
}

/* Reciprocals: each pitch, at the paper's widths and the largest. */
static void every_pitch(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++) {
        struct trial t;
        trial_open(&t, 0, large ? 32 : 22, large ? 16 : 14);
        int n = 1 << (large ? 16 : 14);
        for (uint64_t pitch = 1; pitch <= (uint64_t)n; pitch++)
            add(&t,
                (struct prefetch_walk){.start = 64,
                                       .size = 50 * pitch,
                                       .pitch = pitch,
                                       .block_x = 3,
                                       .block_y = 4,
                                       .x_lo = pitch / 5,
                                       .x_hi = pitch - pitch / 7,
                                       .y_lo = 1,
                                       .y_hi = 50},
                1);
        assert_int_equal(compare(&t), n);
    }
}

/* What the hardware cannot hold, one by one, by the message. */
static void refusals(void **state) {
    (void)state;
    static const struct prefetch_walk good = {.start = 4096,
                                              .size = 1000 * 60,
                                              .pitch = 1000,
                                              .block_x = 32,
                                              .block_y = 8,
                                              .x_hi = 1000,
                                              .y_hi = 60};
    struct trial t;
    trial_open(&t, 0, 22, 14);
    struct prefetch_walk w = good;
    add(&t, w, 1);
    w.block_y = 0; /* the same rows again */
    add(&t, w, 1);
    w.along_y = true;
    add(&t, w, 1);
    w = good;
    w.block_x = UINT64_C(1) << 40;
    add(&t, w, 1 << 20);
    w = good;
    w.block_y = UINT64_C(1) << 50;
    add(&t, w, 1);
    w = good;
    w.pitch = UINT64_C(1) << 63;
    add(&t, w, 1);
    w = good;
    w.x_hi = 1001;
    add(&t, w, 1);
    w = good;
    w.start = UINT64_C(1) << 32;
    add(&t, w, 1);
    w = good;
    w.y_hi = 1 << 14;
    add(&t, w, 1);
    assert_int_equal(compare(&t), 2);
    trial_open(&t, 2, 22, 14);
    add(&t, good, 1); /* 1000 is no power of two */
    assert_int_equal(compare(&t), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_geometries),
        cmocka_unit_test(every_pitch),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("prefetch_entry", tests, NULL, NULL);
}
