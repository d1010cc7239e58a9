/* test_blocks.c - the blocks that ndpcc --assemble --blocks lists (TOM), run
 * elsewhere on the untimed machine (golden/isa/away.h): with all poisoned that
 * does not go there or come back, every workload of the paper must leave the
 * bytes that it leaves without.
 *
 * And each register or predicate that is missing from the table must show, or
 * this proves nothing.  Prints, by kernel, the blocks, their words, the rows of
 * registers in and out, how many begin with an access, how many went, how often
 * the address of a question was that of the block's first access, and what the
 * instructions in front of blocks cost.
 */
#include "isa/away.h"
#include "papers/tom/candidate.h"
#include "sim/run/device.h"

#include "ref.h"
#include "tests/common/diag_capture.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct workload {
    const char *path;
    /* Blocks of its module: as it is, with conditions placed, and with registers
     * counted by names, too; how many of the last some warp comes to. */
    int blocks, placed, names, went;
};

static const struct workload workloads[] = {
    {"kernels/backprop/backprop.yml", 0, 0, 1, 1},
    {"kernels/bfs/bfs.yml", 2, 2, 4, 4},
    {"kernels/kmeans/kmeans.yml", 3, 3, 3, 3},
    {"kernels/cfd/cfd.yml", 1, 1, 1, 1},
    {"tests/isa/blocks/heartwall.yml", 3, 5, 5, 5},
    {"tests/isa/blocks/libor.yml", 11, 14, 14, 14},
    {"kernels/raytrace/raytrace.yml", 1, 1, 1, 1},
    {"kernels/fwt/fwt.yml", 1, 1, 1, 1},
    {"tests/isa/blocks/scalarprod.yml", 0, 1, 1, 1},
    {"kernels/reduce/reduce.yml", 1, 2, 3, 2}, /* the third in reduce_global */
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* A description, its code, and what it left. */
struct trial {
    const char *path, *size;
    struct ptx_candidate_options candidates;
    bool placed;
    struct code_options code;
    struct arena arena;
    struct diag diag;
    struct run *source; /* whose module the image is of */
    struct isa_image *image;
    uint64_t sums[64];
    uint64_t instructions, alone; /* of the last run; where every block stays */
};

static struct run *open_run(struct trial *t) {
    struct run_options o = {.size = t->size,
                            .reference = ref_find,
                            .place = t->placed ? &t->candidates : NULL};
    struct run *r = run_open(t->path, &o, &t->diag);
    if (!r) {
        diag_flush(&t->diag, stdout);
        fail_msg("%s", t->path);
    }
    return r;
}

static bool execute(void *ctx, const struct isa_launch *l,
                    const struct isa_memory *m, struct isa_run *r) {
    struct isa_launch away = *l;
    away.away = ctx;
    return isa_execute(&away, m, r);
}

/* Whether it comes to its end; what it leaves. */
static bool leave(struct trial *t, struct isa_away *away, uint64_t limit,
                  uint64_t *sums) {
    struct run *r = open_run(t);
    struct run_device device = {.code = t->image,
                                .registers = t->code.registers,
                                .limit = limit,
                                .execute = execute,
                                .ctx = away};
    struct run_verdict v;
    bool ok = run_on_device(r, &device);
    run_verdict(r, &v);
    for (int i = 0; i < v.n_buffers; i++)
        sums[i] = v.buffers[i].checksum;
    t->instructions = device.warp_instructions;
    run_close(r);
    return ok && v.result == RUN_RIGHT;
}

static void assemble(struct trial *t) {
    t->source = open_run(t);
    t->image = code_generate(&t->arena, run_module(t->source), NULL, &t->code,
                             &t->diag);
    if (!t->image) {
        diag_flush(&t->diag, stdout);
        fail_msg("%s was refused", t->path);
    }
}

static void open_with(struct trial *t, const char *path, bool placed,
                      int registers, struct ptx_candidate_options candidates) {
    *t = (struct trial){.path = path,
                        .size = "small",
                        .candidates = candidates,
                        .placed = placed,
                        .code = {.registers = registers}};
    t->code.blocks = &t->candidates;
    assemble(t);
    assert_true(leave(t, NULL, 0, t->sums));
    t->alone = t->instructions;
}

static void open_trial(struct trial *t, const char *path, bool placed) {
    open_with(t, path, placed, 64, ptx_candidate_defaults());
}

static void close_trial(struct trial *t) {
    run_close(t->source);
    arena_free(&t->arena);
    diag_free(&t->diag);
}

static struct isa_away away_of(const struct trial *t) {
    return (struct isa_away){
        .blocks = t->image->blocks, .n = t->image->n_blocks, .always = true};
}

static void check(struct trial *t, struct isa_away *away) {
    uint64_t sums[64] = {0};
    if (!leave(t, away, 0, sums) || memcmp(sums, t->sums, sizeof sums) != 0)
        fail_msg("%s%s: other bytes with blocks elsewhere", t->path,
                 t->placed ? ", placed" : "");
}

/* Without blocks, what it executes. */
static uint64_t instructions_plain(const struct trial *t) {
    struct trial plain = *t;
    uint64_t sums[64];
    plain.arena = (struct arena){0};
    plain.code.blocks = NULL;
    assemble(&plain);
    leave(&plain, NULL, 0, sums);
    run_close(plain.source);
    arena_free(&plain.arena);
    return plain.instructions;
}

static int rows(uint64_t registers, uint8_t predicates) {
    return __builtin_popcountll(registers) + __builtin_popcount(predicates);
}

static void show(struct trial *t, const struct isa_away *a, uint64_t before) {
    int words = 0, in = 0, out = 0, direct = 0;
    for (int i = 0; i < a->n; i++) {
        const struct isa_block *b = &a->blocks[i];
        words += b->end - b->begin;
        in += rows(b->in, b->pred_in);
        out += rows(b->out, b->pred_out);
        direct += b->ask == b->begin;
    }
    print_message(
        "%-34s %s %2d blocks %5d words %3d in %3d out %2d direct %6llu went "
        "%6llu same %4llu other %4llu none %8llu + %llu instructions\n",
        t->path,
        !t->placed                               ? "plain "
        : t->candidates.count == PTX_COUNT_NAMES ? "names "
                                                 : "placed",
        a->n, words, in, out, direct, (unsigned long long)a->went,
        (unsigned long long)a->same, (unsigned long long)a->other,
        (unsigned long long)a->none, (unsigned long long)before,
        (unsigned long long)(t->alone - before));
}

static void run_elsewhere(struct trial *t, int want, int want_went) {
    uint64_t went_of[32] = {0};
    int went = 0;
    uint64_t before = instructions_plain(t);
    struct isa_away a = away_of(t);
    a.went_of = went_of;
    assert_int_equal(a.n, want);
    check(t, &a);
    show(t, &a, before);
    for (int i = 0; i < a.n; i++)
        went += went_of[i] > 0;
    assert_int_equal(went, want_went);
    assert_int_equal(a.other, 0);
    a.forget = true;
    check(t, &a);
    a.always = false;
    check(t, &a);
}

/* As the compiler finds them; with conditions placed; registers by names. */
static void every_workload(void **state) {
    (void)state;
    struct ptx_candidate_options by_name = ptx_candidate_defaults();
    by_name.count = PTX_COUNT_NAMES;
    for (int i = 0; i < WORKLOADS; i++) {
        const struct workload *w = &workloads[i];
        struct trial t;
        open_trial(&t, w->path, false);
        run_elsewhere(&t, w->blocks, w->blocks);
        close_trial(&t);
        open_trial(&t, w->path, true);
        run_elsewhere(&t, w->placed, w->placed);
        close_trial(&t);
        open_with(&t, w->path, true, 64, by_name);
        run_elsewhere(&t, w->names, w->went);
        close_trial(&t);
    }
}

/* --- what is missing shows ------------------------------------------------ */

/* The n-th bit of a block's table, or false: it has fewer. */
static bool drop_bit(struct isa_block *b, int n) {
    for (int r = 0; r < ISA_REGISTERS; r++)
        if (b->in >> r & 1 && n-- == 0)
            return b->in &= ~((uint64_t)1 << r), true;
    for (int r = 0; r < ISA_REGISTERS; r++)
        if (b->out >> r & 1 && n-- == 0)
            return b->out &= ~((uint64_t)1 << r), true;
    for (int p = 0; p < ISA_TRUE; p++)
        if (b->pred_in >> p & 1 && n-- == 0)
            return b->pred_in &= (uint8_t) ~(1u << p), true;
    for (int p = 0; p < ISA_TRUE; p++)
        if (b->pred_out >> p & 1 && n-- == 0)
            return b->pred_out &= (uint8_t) ~(1u << p), true;
    return false;
}

/* Bits of block n, and how many of them change nothing when they are missing. */
static void try_bits(struct trial *t, int n, int *bits, int *unseen) {
    struct isa_block list[32];
    for (int bit = 0;; bit++) {
        uint64_t sums[64] = {0};
        struct isa_away a = away_of(t);
        memcpy(list, a.blocks, (size_t)a.n * sizeof *list);
        a.blocks = list;
        a.forget = true;
        if (!drop_bit(&list[n], bit))
            return;
        bool right = leave(t, &a, 4 * t->alone + 10000, sums) &&
                     memcmp(sums, t->sums, sizeof sums) == 0;
        if (right)
            print_message("%s: block of word %d, bit %d: unseen\n", t->path,
                          list[n].begin, bit);
        *unseen += right;
        ++*bits;
    }
}

static void every_bit(void **state) {
    (void)state;
    for (int i = 0; i < WORKLOADS; i++) {
        struct trial t;
        int bits = 0, unseen = 0;
        open_trial(&t, workloads[i].path, true);
        for (int n = 0; n < t.image->n_blocks; n++)
            try_bits(&t, n, &bits, &unseen);
        print_message("%-34s %3d bits, %d unseen\n", t.path, bits, unseen);
        assert_int_equal(unseen, 0);
        close_trial(&t);
    }
}

/* --- where everything pays ------------------------------------------------ */

static bool has_textures(const struct ptx_module *m) {
    for (int i = 0; i < m->n_functions; i++)
        for (int pc = 0; pc < m->functions[i]->n_instructions; pc++)
            if (m->functions[i]->instructions[pc].form->opc == OPC_texture)
                return true;
    return false;
}

/* Every kernel there is, with candidates wherever one may be, for machines with
 * few registers and with many. */
static void every_kernel(void **state) {
    (void)state;
    struct ptx_candidate_options greedy = ptx_candidate_defaults();
    glob_t found;
    uint64_t went = 0, same = 0, asked = 0;
    int blocks = 0, predicates = 0, direct = 0;
    greedy.miss = (struct ptx_ratio){1, 1};
    greedy.coal_ld = greedy.coal_st = (struct ptx_ratio){PTX_RATIO_MAX, 1};
    assert_int_equal(glob("kernels/*/*.yml", 0, NULL, &found), 0);
    for (size_t i = 0; i < 2 * found.gl_pathc; i++) {
        struct trial t = {.path = found.gl_pathv[i / 2], .size = "small"};
        struct run *r = open_run(&t);
        bool textured = has_textures(run_module(r));
        run_close(r);
        if (textured)
            continue;
        open_with(&t, found.gl_pathv[i / 2], true, i % 2 ? 64 : 16, greedy);
        struct isa_away a = away_of(&t);
        a.forget = true;
        check(&t, &a);
        blocks += a.n;
        for (int k = 0; k < a.n; k++) {
            predicates += (a.blocks[k].pred_in | a.blocks[k].pred_out) != 0;
            direct += a.blocks[k].ask == a.blocks[k].begin;
        }
        went += a.went, same += a.same, asked += a.same + a.other;
        close_trial(&t);
    }
    print_message(
        "%d blocks, %d with predicates, %d begin with an access; %llu "
        "went, %llu of %llu addresses right\n",
        blocks, predicates, direct, (unsigned long long)went,
        (unsigned long long)same, (unsigned long long)asked);
    assert_true(blocks > 2000 && predicates > 20 && direct > 1000);
    assert_true(same > asked - asked / 20);
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload),
        cmocka_unit_test(every_bit),
        cmocka_unit_test(every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
