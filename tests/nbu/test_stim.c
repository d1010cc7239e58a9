/* test_stim.c - the environment of the near-bank unit notices what model
 * and RTL agree on.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs; each lie must be caught by the check that is there for it.  A model
 * that only writes down what it is issued shows that a replayed run is what the
 * executor executed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nbu/nbu.h"
#include "nbu/stim.h"

#include "papers/analysis.h"
#include "sim/run/run.h"

#include "blocks/nbu.h"
#include "tests/common/temp.h"

#define LIAR_BLOCK nbu
#include "tests/common/stim_liar.h"

static const char small[] = "--target nbu --preset small --cycles 200000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target nbu --preset small --cycles 60000 "
                      "--stim directed");
    expect_green("--target nbu --cycles 20000 --stim replay --kernel "
                 "kernels/axpy/axpy.ptx",
                 "moves_down\t");
}

static void wrong_row(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_write_row[1] ^= (uint64_t)1 << 40;
}

static void wrong_predicate(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (o->far_write_pred)
        o->far_write_row[0] ^= 1;
}

static void test_wrong_data(void **state) {
    (void)state;
    expect_caught(wrong_row, small, " moved down is not what");
    expect_caught(wrong_predicate, small, "the predicate moved up is not what");
}

/* The unit believes that a row was written, the register file never saw it. */
static void lost_write(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_write_valid = 0;
}

static void test_stale_operand(void **state) {
    (void)state;
    expect_caught(lost_write, small, " near: expected ");
}

/* Asked for another warp's row. */
static void wrong_read(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (o->far_read_valid)
        o->far_read_warp ^= 1;
}

static void test_wrong_row_read(void **state) {
    (void)state;
    expect_caught(wrong_read, small, " moved down is not what");
}

static void lost_commit(struct liar *l, struct nbu_out *o) {
    if (o->commit_valid && l->told++ == 20)
        o->commit_valid = o->commit_near = o->commit_warp = o->commit_tag = 0;
}

static void repeated_commit(struct liar *l, struct nbu_out *o) {
    if (!o->commit_valid && l->last.commit_valid) {
        o->commit_valid = 1;
        o->commit_warp = l->last.commit_warp;
        o->commit_tag = l->last.commit_tag;
        o->commit_near = l->last.commit_near;
    }
}

static void side_of_commit(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->commit_near ^= o->commit_valid;
}

static void test_commits(void **state) {
    (void)state;
    expect_caught(lost_commit,
                  "--target nbu --preset small --cycles 60000 --stim directed",
                  " waits for its commit since ");
    expect_caught(repeated_commit, small, "but no such instruction completed");
    expect_caught(side_of_commit, small, "but no such instruction completed");
}

static void altered_tag(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->far_exec_tag ^= o->far_exec_valid;
}

static void altered_mask(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_exec_mask ^= o->near_exec_valid;
}

static void altered_ticket(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_exec_ticket ^= o->near_exec_valid;
}

static void repeated_delivery(struct liar *l, struct nbu_out *o) {
    if (o->far_exec_valid || !l->last.far_exec_valid)
        return;
    o->far_exec_valid = 1;
    o->far_exec_warp = l->last.far_exec_warp;
    o->far_exec_tag = l->last.far_exec_tag;
}

static void test_deliveries(void **state) {
    (void)state;
    expect_caught(altered_tag, small, "other fields than accepted");
    expect_caught(altered_mask, small, "other fields than accepted");
    expect_caught(altered_ticket, small, "does not fit its destination");
    expect_caught(repeated_delivery, small, "but no instruction of it waits");
}

/* What was decided near shows at the far port. */
/* A port shows nothing. */
#define HIDE(o, port)                                                          \
    ((o)->port##_valid = (o)->port##_warp = (o)->port##_tag = (o)->port##_op = \
         (o)->port##_mask = (o)->port##_dst = (o)->port##_src0 =               \
             (o)->port##_src1 = (o)->port##_src2 = (o)->port##_guard =         \
                 (o)->port##_ticket = 0)

static void wrong_side(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (!o->near_exec_valid || o->far_exec_valid)
        return;
    o->far_exec_valid = 1;
    o->far_exec_warp = o->near_exec_warp;
    o->far_exec_tag = o->near_exec_tag;
    o->far_exec_op = o->near_exec_op;
    o->far_exec_mask = o->near_exec_mask;
    o->far_exec_dst = o->near_exec_dst;
    o->far_exec_src0 = o->near_exec_src0;
    o->far_exec_src1 = o->near_exec_src1;
    o->far_exec_src2 = o->near_exec_src2;
    o->far_exec_guard = o->near_exec_guard;
    o->far_exec_ticket = o->near_exec_ticket;
    HIDE(o, near_exec);
}

static void test_wrong_side(void **state) {
    (void)state;
    expect_caught(wrong_side,
                  "--target nbu --preset small --cycles 200000 --stim replay "
                  "--kernel kernels/axpy/axpy.ptx --set nbu.registers=64",
                  "delivered far against the policy");
}

static void lost_beat(struct liar *l, struct nbu_out *o) {
    if (!o->lsu_near_valid || l->told++ != 9)
        return;
    o->lsu_near_valid = o->lsu_near_last = 0;
    memset(o->lsu_near_data, 0, sizeof o->lsu_near_data);
}

static void altered_beat(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->lsu_far_data[0] ^= o->lsu_far_valid << 15;
}

static void altered_last(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->lsu_far_last ^= o->lsu_far_valid;
}

static void test_load_store_traffic(void **state) {
    (void)state;
    expect_caught(lost_beat, small, "load-store beat down");
    expect_caught(altered_beat, small, "load-store beat up: expected ");
    expect_caught(altered_last, small, "load-store beat up: expected last ");
}

static void wrong_count(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->wb_dat_r += o->wb_ack;
}

static void silent_port(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->wb_ack = o->wb_dat_r = 0;
}

static void test_register_port(void **state) {
    (void)state;
    expect_caught(wrong_count, small, "register '");
    expect_counters_caught(small);
    expect_caught(silent_port, small, "no acknowledge for register ");
}

/* Nothing is ever ready: said long before the run is over, and by name. */
static void never_ready(struct liar *l, struct nbu_out *o) {
    (void)l;
    HIDE(o, far_exec);
    HIDE(o, near_exec);
}

static void test_stall(void **state) {
    (void)state;
    expect_caught(never_ready, small, " waits for its delivery since ");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target nbu --stim replay --kernel none.ptx",
                   "cannot read 'none.ptx'");
    expect_refused("--target nbu --stim replay --kernel README.md",
                   "README.md:");
    expect_refused("--target nbu --preset small --stim replay --kernel "
                   "kernels/conv/conv.ptx",
                   "register");
    expect_refused("--target nbu --stim dance",
                   "unknown stimulus 'dance', expected 'random', 'directed' or "
                   "'replay'");
}

/* --- replay of a run ------------------------------------------------------ */

enum { MOST = 1 << 14, MOST_WARPS = 1 << 9, SLOTS = 64 };

/* A packet as the unit is issued it. */
struct issued {
    int launch, cta, warp; /* expected; warp: hardware warp if recorded */
    uint64_t edge, op, hint, mask, dst;
};

struct list {
    struct issued item[MOST];
    int n;
};

/* What the unit accepts, written down by the first of the two models. */
static struct list recorded;
static const struct liar *recorder;

static void record(struct liar *l, struct nbu_out *o) {
    const struct nbu_in *in = &l->in;
    (void)o;
    if (!recorder)
        recorder = l;
    if (l != recorder || !in->issue_valid ||
        !(l->last.issue_ready >> in->issue_warp & 1))
        return;
    assert_true(recorded.n < MOST);
    recorded.item[recorded.n++] = (struct issued){0,
                                                  0,
                                                  (int)in->issue_warp,
                                                  l->edge,
                                                  in->issue_op,
                                                  in->issue_hint,
                                                  in->issue_mask,
                                                  in->issue_dst & 63};
}

static void no_reference(struct ref_run *run) {
    (void)run;
}

static void (*find_reference(const char *name))(struct ref_run *) {
    (void)name;
    return no_reference;
}

static void add_packets(struct list *all, const struct stream_event *e,
                        const struct nbu_packet *p, int n, uint32_t mask) {
    for (int k = 0; k < n && mask; k++) {
        if (p[k].pc != (int)e->insn->pc)
            continue;
        assert_true(all->n < MOST);
        all->item[all->n++] =
            (struct issued){(int)e->launch->id,
                            (int)e->cta,
                            (int)e->warp,
                            0,
                            p[k].op,
                            p[k].hint,
                            mask,
                            p[k].dst.valid ? p[k].dst.reg : 0};
    }
}

/* What the executor says, lowered instruction by instruction. */
static void expect_stream(struct list *all, const char *path, uint32_t lanes) {
    struct run_options options = {.reference = find_reference};
    struct diag d = {0};
    struct arena arena = {0};
    struct run *r = run_open(path, &options, &d);
    struct stream_event e;
    struct nbu_packet *p = NULL;
    int n = 0;
    all->n = 0;
    assert_non_null(r);
    while (stream_next(run_stream(r), &e) == STREAM_EVENT) {
        const struct ptx_module *m = run_module(r);
        if (e.kind == STREAM_INSTRUCTION) {
            add_packets(all, &e, p, n, e.active & lanes);
            continue;
        }
        free(p);
        for (int f = 0; f < m->n_functions; f++)
            if (strcmp(m->functions[f]->name, e.launch->kernel) == 0)
                assert_true(ptx_stream(m->functions[f],
                                       ptx_analyse(&arena, m->functions[f]), 64,
                                       &p, &n, &d));
    }
    assert_int_equal(run_state(r), EXEC_FINISHED);
    free(p);
    run_close(r);
    arena_free(&arena);
    diag_free(&d);
}

/* A list cut into the packets of one warp each. */
struct cut {
    struct issued *item[MOST_WARPS];
    int length[MOST_WARPS], n;
    bool used[MOST_WARPS];
};

static int by_warp(const void *a, const void *b) {
    const struct issued *x = *(const struct issued *const *)a;
    const struct issued *y = *(const struct issued *const *)b;
    if (x->launch != y->launch)
        return x->launch - y->launch;
    if (x->cta != y->cta)
        return x->cta - y->cta;
    if (x->warp != y->warp)
        return x->warp - y->warp;
    return x < y ? -1 : x > y;
}

/* Sorted by launch, CTA and warp, otherwise in order. */
static void sort_list(struct list *all) {
    struct issued **at = calloc(MOST, sizeof *at), *copy;
    copy = calloc(MOST, sizeof *copy);
    for (int n = 0; n < all->n; n++)
        at[n] = &all->item[n];
    qsort(at, (size_t)all->n, sizeof *at, by_warp);
    for (int n = 0; n < all->n; n++)
        copy[n] = *at[n];
    memcpy(all->item, copy, sizeof all->item);
    free(copy);
    free(at);
}

static void cut_list(struct list *all, struct cut *c) {
    memset(c, 0, sizeof *c);
    sort_list(all);
    for (int n = 0; n < all->n; n++) {
        struct issued *x = &all->item[n];
        if (n == 0 || x->launch != x[-1].launch || x->cta != x[-1].cta ||
            x->warp != x[-1].warp) {
            assert_true(c->n < MOST_WARPS);
            c->item[c->n++] = x;
        }
        c->length[c->n - 1]++;
    }
}

static bool same(const struct issued *a, const struct issued *b, int n) {
    for (int k = 0; k < n; k++)
        if (a[k].op != b[k].op || a[k].hint != b[k].hint ||
            a[k].mask != b[k].mask || a[k].dst != b[k].dst)
            return false;
    return true;
}

/* The warp of the executor that begins here on this hardware warp: its packets
 * follow each other, whole and in order. */
static int find_warp(struct cut *c, const struct issued *got, int left) {
    for (int w = 0; w < c->n; w++)
        if (!c->used[w] && c->length[w] <= left &&
            same(c->item[w], got, c->length[w])) {
            c->used[w] = true;
            return w;
        }
    fail_msg("hardware warp %d, edge %d: not the start of any warp", got->warp,
             (int)got->edge);
    return -1;
}

/* Of the hardware warps, that which goes on with a new warp first. */
static int first_slot(const struct cut *slots, const int at[SLOTS]) {
    int first = -1;
    for (int w = 0; w < slots->n; w++)
        if (at[w] < slots->length[w] &&
            (first < 0 ||
             slots->item[w][at[w]].edge < slots->item[first][at[first]].edge))
            first = w;
    return first;
}

/* Every warp of the stream was issued once, on one hardware warp, in order; no
 * launch began before the one before it was over. */
static void compare_streams(struct list *wanted, struct list *got) {
    static struct cut warps, slots;
    int at[SLOTS] = {0}, launch = 0, w;
    uint64_t end = 0, over = 0; /* of this launch, of those before */
    assert_int_equal(got->n, wanted->n);
    cut_list(wanted, &warps);
    cut_list(got, &slots);
    while ((w = first_slot(&slots, at)) >= 0) {
        const struct issued *start = &slots.item[w][at[w]];
        int which = find_warp(&warps, start, slots.length[w] - at[w]);
        int length = warps.length[which];
        if (warps.item[which]->launch != launch) {
            launch = warps.item[which]->launch;
            over = end;
        }
        assert_true(start->edge > over);
        if (start[length - 1].edge > end)
            end = start[length - 1].edge;
        at[w] += length;
    }
    for (w = 0; w < warps.n; w++)
        assert_true(warps.used[w]);
}

static void expect_replay(const char *path, const char *more, uint32_t lanes,
                          const char *says) {
    static struct list wanted;
    char words[200];
    snprintf(words, sizeof words, "--target nbu --stim replay --run %s %s",
             path, more);
    recorded.n = 0;
    recorder = NULL;
    lie = record;
    lie_after = 0;
    struct printed p = run_liar(lie, words);
    lie_after = 2000;
    expect_run(p, 0, says);
    expect_stream(&wanted, path, lanes);
    compare_streams(&wanted, &recorded);
}

/* Packets, masks and order are the executor's, over launches and kernels, with
 * more CTAs than fit and with a reset between kernels. */
static void test_run_is_what_executes(void **state) {
    (void)state;
    expect_replay("kernels/axpy/axpy.yml", "", UINT32_MAX,
                  "instructions\t1280\n");
    expect_replay("kernels/axpy/axpy.yml", "--set nbu.warps=9", UINT32_MAX,
                  "end\twhole\n");
    expect_replay("kernels/kmeans/kmeans.yml", "", UINT32_MAX, "launches\t2\n");
    expect_replay("kernels/nw/nw.yml", "--set nbu.policy=far", UINT32_MAX,
                  "ctas\t9\n");
}

/* Fewer lanes than a warp of the executor has: the lowest ones, and nothing
 * where none of them is active. */
static void test_run_on_fewer_lanes(void **state) {
    (void)state;
    expect_replay("kernels/nw/nw.yml", "--set nbu.lanes=4", 15, "end\twhole\n");
    lie = NULL;
    struct printed p =
        run_liar(lie, "--target nbu --stim replay --run kernels/nw/nw.yml "
                      "--set nbu.lanes=4");
    assert_null(strstr(p.text, "skipped\t0\n"));
    free(p.text);
}

static void test_run_again_and_again(void **state) {
    (void)state;
    lie = NULL;
    struct printed p = run_liar(
        lie, "--target nbu --stim replay --run kernels/kmeans/kmeans.yml "
             "--cycles 40000");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.text, "end\tcycles\n"));
    assert_non_null(strstr(p.text, "passes\t2\n"));
    assert_non_null(strstr(p.text, "cycles 40000,"));
    free(p.text);
    expect_green("--target nbu --stim replay --run "
                 "kernels/axpy/axpy.yml --json",
                 "\"end\": \"whole\"");
}

/* A description that ends with these lines; %s is the folder of the project. */
static void expect_bad_run(const char *lines, const char *more,
                           const char *says) {
    char path[TEMP_MAX], folder[1000], words[TEMP_MAX + 200];
    temp_pattern(path);
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    assert_non_null(getcwd(folder, sizeof folder));
    fprintf(f, "ptx: %s/kernels/axpy/axpy.ptx\nkernel: axpy\n%s", folder,
            lines);
    fclose(f);
    snprintf(words, sizeof words, "--target nbu --stim replay --run %s %s",
             path, more);
    lie = NULL;
    struct printed p = run_liar(lie, words);
    remove(path);
    if (p.status != 2 || !strstr(p.text, says) || strstr(p.text, "mismatch"))
        fail_msg("expected status 2 and '%s', got %d and:\n%s", says, p.status,
                 p.text);
    free(p.text);
}

#define AXPY_OF(n, have)                                                       \
    "grid: [4]\nblock: [256]\nbuffers:\n"                                      \
    "  x: {type: f32, count: " have "}\n"                                      \
    "  y: {type: f32, count: " have "}\n"                                      \
    "arguments: [" n ", 2, x, y]\n"

static void test_broken_runs(void **state) {
    (void)state;
    expect_refused("--target nbu --stim replay --run none.yml",
                   "cannot read 'none.yml'");
    expect_bad_run("grid: [4\n", "", "error: ");
    expect_bad_run("block: [256]\n", "", "'grid' is missing");
    expect_bad_run(AXPY_OF("1000", "1000"), "--set nbu.warps=4",
                   "kernel 'axpy' has 8 warps a block, expected at most 4 "
                   "('nbu.warps')");
    expect_bad_run(AXPY_OF("1000", "1000"), "--set nbu.registers=16",
                   "physical registers, expected at most 16");
    /* found only when the kernel executes, after thousands of cycles */
    expect_bad_run(AXPY_OF("1000", "900"), "", "outside any buffer");
    expect_bad_run(AXPY_OF("1000", "1000"), "--size huge", "'huge'");
    expect_bad_run("", "--kernel kernels/axpy/axpy.ptx",
                   "expected '--kernel' or '--run', found both");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_wrong_data),
        cmocka_unit_test(test_stale_operand),
        cmocka_unit_test(test_wrong_row_read),
        cmocka_unit_test(test_commits),
        cmocka_unit_test(test_deliveries),
        cmocka_unit_test(test_wrong_side),
        cmocka_unit_test(test_load_store_traffic),
        cmocka_unit_test(test_register_port),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_run_is_what_executes),
        cmocka_unit_test(test_run_on_fewer_lanes),
        cmocka_unit_test(test_run_again_and_again),
        cmocka_unit_test(test_broken_runs),
    };
    return cmocka_run_group_tests_name("test_stim_nbu", tests, NULL, NULL);
}
