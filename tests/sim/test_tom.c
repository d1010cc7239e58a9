/* test_tom.c - the composition `tom`: traffic by hand, decisions, mappings, and
 * the books of whole kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "ref.h"
#include "tests/common/scratch.h"
#include "sim/system/tom.h"
#include "sim/system/tom_state.h"
#include "sim/trace/offset_share.h"

#include <string.h>

/* ------------------------------------------------------------------ kernels */

/* One buffer, doubled in place: n lines a warp, 512 KB apart, so that bits 7 to
 * 17 of a lane's addresses stay.  The block is the loop. */
static const char scale_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry scale(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nmov.u32 %r3, 0;\n"
    "L: ld.global.f32 %f1, [%rd3];\nadd.f32 %f2, %f1, %f1;\n"
    "st.global.f32 [%rd3], %f2;\nadd.s64 %rd3, %rd3, 524288;\n"
    "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n"
    "ret;\n}\n";
static const char scale_yml[] =
    "ptx: scale.ptx\nsizes:\n  small: {n: 8}\n  few: {n: 1}\n"
    "grid: [1]\nblock: [32]\nbuffers:\n"
    "  p: {type: f32, count: 131072 * n, align: 1048576, fill: i, "
    "check: {expect: 'i % 131072 < 32 ? 2 * i : i'}}\n"
    "arguments: [p, n]\n";

/* The same after a store to another line, which a barrier keeps out of the
 * block; and each line is stored to twice. */
static const char twice_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nmov.u32 %r3, 0;\nmov.f32 %f1, 0f00000000;\n"
    "st.global.f32 [%rd3+128], %f1;\nbar.sync 0;\n"
    "L: ld.global.f32 %f1, [%rd3];\nst.global.f32 [%rd3], %f1;\n"
    "add.f32 %f2, %f1, %f1;\nst.global.f32 [%rd3], %f2;\n"
    "add.s64 %rd3, %rd3, 524288;\nadd.s32 %r3, %r3, 1;\n"
    "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\nret;\n}\n";
static const char twice_yml[] =
    "ptx: twice.ptx\nsizes:\n  small: {n: 8}\ngrid: [1]\nblock: [32]\n"
    "buffers:\n  p: {type: f32, count: 131072 * n, align: 1048576, fill: i, "
    "check: {expect: 'i % 131072 < 32 ? 2 * i : i > 63 ? i : 0'}}\n"
    "arguments: [p, n]\n";

/* Sums: each warp reads n whole lines of its own, one after another. */
static const char sum_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry sum(.param .u64 p, .param .u64 q, .param .u32 n) {\n"
    ".reg .b64 %rd<10>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd5, [q];\n"
    "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmov.u32 %r4, %ctaid.x;\n"
    "mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r6, %r4, %r5, %r2;\n"
    "shr.u32 %r7, %r6, 5;\nand.b32 %r8, %r6, 31;\n"
    "mul.lo.u32 %r7, %r7, %r1;\nmul.wide.u32 %rd2, %r7, 128;\n"
    "mul.wide.u32 %rd6, %r8, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "add.s64 %rd3, %rd3, %rd6;\nmov.u32 %r3, 0;\nmov.f32 %f1, 0f00000000;\n"
    "L: ld.global.f32 %f2, [%rd3];\nadd.f32 %f1, %f1, %f2;\n"
    "add.s64 %rd3, %rd3, 128;\nadd.s32 %r3, %r3, 1;\n"
    "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n"
    "mul.wide.u32 %rd7, %r6, 4;\nadd.s64 %rd8, %rd5, %rd7;\n"
    "st.global.f32 [%rd8], %f1;\nret;\n}\n";
static const char sum_yml[] =
    "ptx: sum.ptx\nsizes:\n  small: {n: 32, ctas: 32}\n"
    "  long: {n: 4096, ctas: 1}\n  many: {n: 32, ctas: 256}\n"
    "grid: [ctas]\nblock: [256]\nbuffers:\n"
    "  p: {type: f32, count: 256 * n * ctas, align: 4096, fill: 1}\n"
    "  q: {type: f32, count: 256 * ctas, check: {expect: n}}\n"
    "arguments: [p, q, n]\n";

/* Lines first, first + step, ... below last are doubled: a count by three
 * registers. */
static const char part_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry part(.param .u64 p, .param .u32 first, "
    ".param .u32 last, .param .u32 step) {\n"
    ".reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r3, [first];\n"
    "ld.param.u32 %r1, [last];\nld.param.u32 %r4, [step];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\n"
    "mul.wide.u32 %rd4, %r3, 524288;\nmul.wide.u32 %rd5, %r4, 524288;\n"
    "add.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd3, %rd3, %rd4;\nbar.sync 0;\n"
    "L: ld.global.f32 %f1, [%rd3];\nadd.f32 %f2, %f1, %f1;\n"
    "st.global.f32 [%rd3], %f2;\nadd.s64 %rd3, %rd3, %rd5;\n"
    "add.s32 %r3, %r3, %r4;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n"
    "ret;\n}\n";
static const char part_yml[] =
    "ptx: part.ptx\nsizes:\n  small: {first: 3, last: 35, step: 2}\n"
    "  few: {first: 3, last: 11, step: 2}\n"
    "grid: [1]\nblock: [32]\nbuffers:\n"
    "  p: {type: f32, count: 131072 * last, align: 1048576, fill: i, check: "
    "{expect: 'i % 131072 < 32 && i / 131072 >= first && "
    "(i / 131072 - first) % step == 0 ? 2 * i : i'}}\n"
    "arguments: [p, first, last, step]\n";

struct job {
    struct scratch files;
    struct diag d;
    struct run *run;
    struct tom_settings *s;
    struct tom_result *r;
};

static void job_begin(struct job *j, const char *path, const char *size,
                      bool placed) {
    struct run_options o = {.size = size, .reference = ref_find};
    struct ptx_candidate_options place;
    j->s = tom_preset.create();
    j->s->placed = placed;
    if (tom_preset.place(j->s, &place))
        o.place = &place;
    j->run = run_open(path, &o, &j->d);
    if (!j->run) {
        print_error("%s\n", diag_captured(&j->d));
        fail();
    }
}

/* A kernel of this file, with its texts written out. */
static void job_text(struct job *j, const char *ptx_name, const char *ptx,
                     const char *yml, const char *size) {
    *j = (struct job){.r = NULL};
    scratch_open(&j->files);
    scratch_text(&j->files, ptx_name, ptx);
    job_begin(j, scratch_text(&j->files, "k.yml", yml), size, false);
}

/* The same with what makes conditions placed in it. */
static void job_placed(struct job *j, const char *ptx_name, const char *ptx,
                       const char *yml, const char *size) {
    *j = (struct job){.r = NULL};
    scratch_open(&j->files);
    scratch_text(&j->files, ptx_name, ptx);
    job_begin(j, scratch_text(&j->files, "k.yml", yml), size, true);
}

static void job_file(struct job *j, const char *path) {
    *j = (struct job){.r = NULL};
    scratch_open(&j->files);
    job_begin(j, path, NULL, false);
}

static const struct tom_result *job_run(struct job *j) {
    struct run_verdict v;
    struct system_job job = {.stream = run_stream(j->run),
                             .run = j->run,
                             .path = "k",
                             .diag = &j->d};
    assert_true(tom_preset.check(j->s, &j->d));
    j->r = tom_preset.run(j->s, &job);
    assert_non_null(j->r);
    run_verdict(j->run, &v);
    assert_int_equal(v.result, RUN_RIGHT);
    return j->r;
}

static void job_end(struct job *j) {
    tom_preset.destroy_result(j->r);
    free(j->s);
    run_close(j->run);
    scratch_close(&j->files);
    diag_free(&j->d);
}

static uint64_t sum_of(const struct pipe_stats *s) {
    uint64_t n = 0;
    for (int i = 0; i < TOM_STACKS; i++)
        n += pipe_amount(&s[i]);
    return n;
}

static uint64_t payload_of(const struct pipe_stats *s) {
    uint64_t n = 0;
    for (int i = 0; i < TOM_STACKS; i++)
        n += pipe_payload(&s[i]);
    return n;
}

/* ----------------------------------------------------------------- traffic */

/* Eight lines loaded, eight stored: 1 + 9 flits there, 8 + 1 back each. */
static void traffic_by_hand(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    j.s->mode = TOM_OFF;
    const struct tom_result *r = job_run(&j);
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    assert_int_equal(tx, 8 * (1 + 9));
    assert_int_equal(rx, 8 * (8 + 1));
    assert_int_equal(cross, 0);
    assert_int_equal(payload_of(r->tx), 8 * (4 + 4 + 128));
    assert_int_equal(payload_of(r->rx), 8 * (128 + 1));
    assert_int_equal(tom_offloaded(r), 0);
    assert_int_equal(r->reasons[1], 1); /* off */
    assert_int_equal(r->stack_instructions, 0);
    uint64_t memory = 0;
    for (int s = 0; s < TOM_STACKS; s++)
        memory += r->memory_bytes[s];
    assert_int_equal(memory, 8 * 256);
    job_end(&j);
}

/* A second pass over the same line is the L1's; over another core's, the
 * L2's. */
static void caches_filter(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
    j.s->mode = TOM_OFF;
    const struct tom_result *r = job_run(&j);
    /* every line once: 256 warps of 32 lines */
    assert_int_equal(r->l1.loads, 8192);
    assert_int_equal(r->l1.load_hits, 0);
    uint64_t loads = 0;
    for (int s = 0; s < TOM_STACKS; s++)
        loads += r->tx[s].amount[TOM_LOAD];
    assert_int_equal(loads, 8192);
    job_end(&j);
    job_file(&j, "kernels/heartwall/heartwall.yml");
    j.s->mode = TOM_OFF;
    r = job_run(&j);
    loads = 0;
    for (int s = 0; s < TOM_STACKS; s++)
        loads += r->tx[s].amount[TOM_LOAD];
    assert_true(r->l1.load_hits > 0 && r->l2.load_hits > 0);
    assert_int_equal(loads, r->l2.load_misses);
    assert_int_equal(r->l2.loads, r->l1.load_misses);
    job_end(&j);
}

static const struct ptx_candidate *only_candidate(const struct run *run,
                                                  struct tom_plan **plan) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    struct tom_settings *s = tom_preset.create();
    struct config c;
    tom_configure(s, &c);
    free(s);
    *plan = tom_plan_create(run_module(run), &o, &c);
    const struct tom_function *f =
        tom_plan_kernel(*plan, run_module(run)->functions[0]->name);
    assert_int_equal(f->n, 1);
    return f->list[0].c;
}

/* One warp, no line twice, one stack: what the formulas of section 3.1.1 say,
 * with eight iterations and all loads missing; headers and the lines written
 * are the packets' own. */
static void savings_are_the_formulas(void **state) {
    (void)state;
    struct job off, on;
    struct tom_plan *plan;
    job_text(&off, "scale.ptx", scale_ptx, scale_yml, NULL);
    off.s->mode = TOM_OFF;
    const struct tom_result *a = job_run(&off);
    job_text(&on, "scale.ptx", scale_ptx, scale_yml, NULL);
    on.s->mode = TOM_UNCONTROLLED;
    on.s->map = TOM_ORACLE;
    const struct tom_result *b = job_run(&on);
    const struct ptx_candidate *c = only_candidate(on.run, &plan);
    int64_t in = c->words_in, out = c->words_out, n = 8;
    assert_int_equal(tom_offloaded(b), 1);
    /* in bytes */
    int64_t bw_tx = 4 * (in * 32 - (n + n * (32 + 1)));
    int64_t bw_rx = 4 * (out * 32 - n * 32) - n;
    assert_true(bw_tx < 0 && bw_rx < 0);
    assert_int_equal((int64_t)(payload_of(b->tx) - payload_of(a->tx)),
                     bw_tx + PIPE_FLIT);
    assert_int_equal((int64_t)(payload_of(b->rx) - payload_of(a->rx)),
                     bw_rx + PIPE_FLIT + 4 * n);
    /* in flits, where an address and an acknowledgement take a whole one */
    assert_int_equal((int64_t)(sum_of(b->tx) - sum_of(a->tx)),
                     1 + 8 * in - (n + n * 9));
    assert_int_equal((int64_t)(sum_of(b->rx) - sum_of(a->rx)),
                     1 + 8 * out + n - (8 * n + n));
    uint64_t tx, rx, cross;
    tom_flits_by(b, &tx, &rx, &cross);
    assert_int_equal(cross, 0);
    assert_int_equal(b->invalidated, n);
    assert_int_equal(b->released, 1);
    assert_true(b->stack_instructions >= 7 * 8);
    tom_plan_free(plan);
    job_end(&off);
    job_end(&on);
}

/* With the baseline mapping the lines of the block lie on several stacks; what
 * is not at home goes between stacks, each line as from the GPU. */
static void remote_lines_cross(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    const struct tom_result *r = job_run(&j);
    uint64_t address = 0, remote = 0, tx, rx, cross;
    struct run_verdict v;
    run_verdict(j.run, &v);
    address = v.buffers[0].address;
    for (uint64_t i = 0; i < 8; i++)
        remote +=
            tom_map_baseline(address + 524288 * i) != tom_map_baseline(address);
    tom_flits_by(r, &tx, &rx, &cross);
    assert_true(remote > 0);
    assert_int_equal(cross, remote * (1 + 8 + 9 + 1));
    job_end(&j);
}

/* A line written twice is sent once, and the packet waits for the store that
 * is on its way: that takes longer than the decision. */
static void writes_are_drained_and_told_once(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "twice.ptx", twice_ptx, twice_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    j.s->map = TOM_ORACLE;
    const struct tom_result *r = job_run(&j);
    assert_int_equal(tom_offloaded(r), 1);
    assert_int_equal(r->invalidated, 8);
    assert_true(r->flush_cycles > 0);
    job_end(&j);
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    assert_int_equal(job_run(&j)->flush_cycles, 0);
    job_end(&j);
}

/* Coherence for nothing: no packet waits, no line is told or thrown out, and
 * what goes back is the header and the live-outs. */
static void coherence_can_be_free(void **state) {
    (void)state;
    uint64_t rx[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct job j;
        job_text(&j, "twice.ptx", twice_ptx, twice_yml, NULL);
        j.s->mode = TOM_UNCONTROLLED;
        j.s->map = TOM_ORACLE;
        j.s->coherent = i;
        const struct tom_result *r = job_run(&j);
        assert_int_equal(tom_offloaded(r), 1);
        assert_int_equal(r->invalidated, i ? 0 : 8);
        assert_int_equal(r->flush_cycles > 0, !i);
        rx[i] = sum_of(r->rx);
        job_end(&j);
    }
    assert_int_equal(rx[0], rx[1] + 8);
}

/* Two blocks of one stack, one after the other: only with free coherence does
 * the second find what the first has loaded. */
static void free_coherence_keeps_the_stacks_cache(void **state) {
    (void)state;
    uint64_t hits[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct job j;
        job_file(&j, "kernels/heartwall/heartwall.yml");
        j.s->mode = TOM_UNCONTROLLED;
        j.s->coherent = i;
        hits[i] = job_run(&j)->stack_l1.load_hits;
        job_end(&j);
    }
    assert_true(hits[1] > hits[0]);
}

/* Under the baseline mapping the block's lines lie on several stacks, and yet
 * nothing travels but what the main cores do themselves: here nothing. */
static void ideal_blocks_travel_for_nothing(void **state) {
    (void)state;
    struct job j;
    uint64_t memory = 0, tx, rx, cross;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    j.s->ideal = 1;
    const struct tom_result *r = job_run(&j);
    tom_flits_by(r, &tx, &rx, &cross);
    assert_int_equal(tom_offloaded(r), 1);
    assert_int_equal(r->released, 1);
    assert_int_equal(tx + rx + cross, 0);
    assert_int_equal(r->invalidated, 0);
    for (int s = 0; s < TOM_STACKS; s++)
        memory += r->memory_bytes[s];
    assert_int_equal(memory, 8 * 256);
    job_end(&j);
}

/* Links that are never free refuse nothing that would not take them. */
static void ideal_blocks_are_not_refused_for_links(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
    j.s->link = 1;
    j.s->window = 64;
    j.s->ideal = 1;
    const struct tom_result *r = job_run(&j);
    assert_int_equal(r->reasons[4] + r->reasons[5], 0);
    assert_true(tom_offloaded(r) > 0);
    job_end(&j);
}

/* ------------------------------------------------------------------ energy */

/* Eight lines loaded and stored, 512 KB apart: 80 flits there and 72 back, a
 * row for each line, and 256 bytes through its buffer. */
static void energy_by_hand(void **state) {
    (void)state;
    struct job j;
    struct tom_energy e;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    j.s->mode = TOM_OFF;
    const struct tom_result *r = job_run(&j);
    tom_energy(r, &e);
    assert_float_equal(e.links_moved, 2.0 * 128 * (80 + 72), 1e-3);
    assert_float_equal(e.rows, 8 * 11800.0, 1e-3);
    assert_float_equal(e.rows_in_order, 8 * 11800.0, 1e-3);
    assert_float_equal(e.buffers, 4.0 * 8 * 8 * 256, 1e-3);
    /* what links could have moved: eight of 80 GB/s and twelve of 40 */
    double could = (8 * 80 + 12 * 40) * 8e9 / 1.4e9 / 8 * (double)r->cycles;
    assert_float_equal(e.links_moved / 2 + e.links_idle / 1.5, could, 1);
    job_end(&j);
}

/* Lines of a stack are numbered without a gap: by the baseline mapping, and by
 * two bits in the middle of the number. */
static void lines_are_numbered_by_stack(void **state) {
    (void)state;
    for (uint32_t bit = 0; bit <= 16; bit += bit ? 1 : 7) {
        struct tom_map m = {.bit = bit, .n = 1};
        uint64_t next[TOM_STACKS] = {0};
        m.ranges[0] = (struct tom_range){0, 1 << 22, bit > 0};
        for (uint64_t a = 0; a < 1 << 22; a += CACHE_LINE) {
            uint32_t s = tom_map_stack(&m, a);
            assert_int_equal(tom_map_line(&m, a), next[s]);
            next[s]++;
        }
    }
}

/* --------------------------------------------------------------- decisions */

static void conditions_decide(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, "few");
    j.s->mode = TOM_UNCONTROLLED;
    const struct tom_result *r = job_run(&j);
    assert_int_equal(tom_offloaded(r), 0);
    assert_int_equal(r->reasons[3], 1);
    assert_int_equal(r->instances, 1);
    assert_int_equal(r->paying, 0);
    job_end(&j);
}

/* With what makes the condition placed: the loop leaves if it pays, and not
 * otherwise; without, there is no candidate. */
static void placed_conditions_decide(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "part.ptx", part_ptx, part_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    const struct tom_result *r = job_run(&j);
    assert_int_equal(r->candidates, 0);
    uint64_t plain = r->main_instructions;
    job_end(&j);
    job_placed(&j, "part.ptx", part_ptx, part_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    r = job_run(&j);
    assert_int_equal(r->candidates, 1);
    assert_int_equal(r->instances, 1);
    assert_int_equal(tom_offloaded(r), 1);
    /* a difference and a product more, and the loop is away */
    assert_int_equal(r->main_instructions, plain + 2 - 16 * 7);
    assert_int_equal(r->stack_instructions, 16 * 7);
    job_end(&j);
    job_placed(&j, "part.ptx", part_ptx, part_yml, "few");
    j.s->mode = TOM_UNCONTROLLED;
    r = job_run(&j);
    assert_int_equal(r->instances, 1);
    assert_int_equal(r->reasons[3], 1); /* the condition does not hold */
    assert_int_equal(tom_offloaded(r), 0);
    job_end(&j);
}

/* A block that only loads costs TX; with a TX link that is never free it is
 * refused, and only when controlled. */
static void busy_links_refuse(void **state) {
    (void)state;
    uint64_t busy[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct job j;
        job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
        j.s->mode = i ? TOM_UNCONTROLLED : TOM_CONTROLLED;
        j.s->link = 1;
        j.s->window = 64;
        const struct tom_result *r = job_run(&j);
        busy[i] = r->reasons[4];
        assert_int_equal(r->instances, 256);
        if (i)
            assert_int_equal(tom_offloaded(r), 256);
        assert_true(r->tx_busy[0] > 0);
        job_end(&j);
    }
    assert_true(busy[0] > 0);
    assert_int_equal(busy[1], 0);
}

/* A wide link refuses nothing for being busy. */
static void free_links_do_not(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
    j.s->link = 50000;
    j.s->limit = 64;
    j.s->whole = 8;
    const struct tom_result *r = job_run(&j);
    assert_int_equal(r->reasons[4] + r->reasons[5], 0);
    assert_true(tom_offloaded(r) > 0);
    job_end(&j);
}

/* What a stack's memory answers to its own core does not wait behind lines that
 * wait for the link to the GPU: with a link of a tenth the blocks of a cycle
 * are nearly as many (ideal blocks, which take no link themselves). */
static void blocks_do_not_wait_for_the_link(void **state) {
    (void)state;
    double rate[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct job j;
        job_text(&j, "sum.ptx", sum_ptx, sum_yml, "many");
        j.s->cores = 4;
        j.s->whole = 8;
        j.s->issue = 1;
        j.s->ideal = true;
        j.s->link = i ? 4 : 40;
        const struct tom_result *r = job_run(&j);
        assert_int_equal(r->instances, 2048);
        rate[i] = (double)tom_offloaded(r) / (double)r->cycles;
        job_end(&j);
    }
    assert_true(rate[1] > rate[0] * 2 / 3);
}

/* GPU-wide: eight cores together keep to what one stack holds. */
static void pending_keeps_to_the_limit(void **state) {
    (void)state;
    for (uint32_t limit = 8; limit <= 32; limit *= 2) {
        for (uint32_t mode = TOM_CONTROLLED; mode <= TOM_UNCONTROLLED; mode++) {
            struct job j;
            uint32_t peak = 0;
            job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
            j.s->mode = mode;
            j.s->limit = limit;
            const struct tom_result *r = job_run(&j);
            assert_int_equal(r->limit, limit / 8);
            for (int s = 0; s < TOM_STACKS; s++)
                peak = r->pending_peak[s] > peak ? r->pending_peak[s] : peak;
            if (mode == TOM_CONTROLLED) {
                assert_int_equal(peak, limit / 8);
                assert_true(r->reasons[6] > 0);
            } else {
                assert_true(peak > limit / 8);
                assert_int_equal(r->reasons[6], 0);
            }
            job_end(&j);
        }
    }
}

/* A second warp at the probe waits, or is refused. */
static void probes_are_one_at_a_time(void **state) {
    (void)state;
    for (uint32_t refuse = 0; refuse < 2; refuse++) {
        struct job j;
        job_file(&j, "kernels/raytrace/raytrace.yml");
        j.s->mode = TOM_UNCONTROLLED;
        j.s->refuse = refuse;
        const struct tom_result *r = job_run(&j);
        assert_true(r->probes > 0);
        if (refuse) {
            assert_true(r->reasons[7] > 0);
        } else {
            assert_int_equal(r->reasons[7], 0);
            /* some make no access, which nobody knows before */
            assert_int_equal(tom_offloaded(r) + r->reasons[8], r->paying);
            assert_int_equal(tom_offloaded(r), r->with_access);
        }
        assert_int_equal(r->released, tom_offloaded(r));
        job_end(&j);
    }
}

/* A warp asks while another is probed, to be refused, and the engine is free
 * when its turn comes: then it is probed all the same. */
static void asking_meanwhile_may_be_probed(void **state) {
    (void)state;
    struct job j;
    job_file(&j, "kernels/bfs/bfs.yml");
    j.s->refuse = 1;
    j.s->cores = j.s->whole = 1;
    const struct tom_result *r = job_run(&j);
    assert_true(r->probes > 0 && r->reasons[7] > 0);
    assert_int_equal(r->released, tom_offloaded(r));
    job_end(&j);
}

/* ---------------------------------------------------------------- mappings */

/* A warp's 32 lines in a row fill 4 KB: bits 12:13 are the lowest pair that
 * keeps it on one stack. */
static void strides_name_their_bit(void **state) {
    (void)state;
    struct job j;
    job_text(&j, "sum.ptx", sum_ptx, sum_yml, NULL);
    j.s->mode = TOM_UNCONTROLLED;
    j.s->map = TOM_LEARNED;
    j.s->learn = 100; /* 10 % */
    const struct tom_result *r = job_run(&j);
    assert_int_equal(r->map_bit, 12);
    assert_int_equal(r->learned_from, 25);
    for (int i = 0; i < 4; i++)
        assert_int_equal(r->choice[i], 12);
    assert_int_equal(r->single[12 - TOM_FIRST_BIT], 256);
    assert_int_equal(r->single[0], 0);
    assert_int_equal(r->single[TOM_MAPS], 0);
    assert_int_equal(r->single_run, 256);
    assert_int_equal(r->lines, 8192);
    assert_int_equal(r->home[12 - TOM_FIRST_BIT], 8192);
    assert_int_equal(r->home[0], 8192 / 4); /* every fourth line */
    assert_int_equal(r->home[TOM_MAPS], 8192 / 4);
    assert_int_equal(r->ranges, 2);
    assert_int_equal(r->ranges_learned, 1); /* q is not in the block */
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    assert_int_equal(cross, 0);
    job_end(&j);
}

static const char *const kernels[] = {
    "kernels/bfs/bfs.yml",
    "kernels/kmeans/kmeans.yml",
    "kernels/cfd/cfd.yml",
    "kernels/heartwall/heartwall.yml",
    "kernels/libor/libor.yml",
    "kernels/raytrace/raytrace.yml",
    "kernels/fwt/fwt.yml",
    "kernels/reduce/reduce.yml",
    "kernels/scalarprod/scalarprod.yml",
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* The analyzer's choice is the one that arithmetic over all instances makes. */
static void analyzer_and_arithmetic_agree(void **state) {
    (void)state;
    int learned = 0;
    for (int i = 0; i < N_KERNELS; i++) {
        struct job j;
        job_file(&j, kernels[i]);
        j.s->mode = TOM_OFF;
        j.s->map = TOM_ORACLE;
        const struct tom_result *r = job_run(&j);
        assert_int_equal(r->map_bit, r->choice[3]);
        learned += r->map_bit != 0;
        job_end(&j);
    }
    assert_true(learned >= 5);
}

static void ranges_are_found(void **state) {
    (void)state;
    struct tom_map m = {
        .n = 2,
        .bit = 10,
        .ranges = {{0x1000, 0x100, true}, {0x2000, 0x80, false}}};
    assert_null(tom_map_range(&m, 0xfff));
    assert_ptr_equal(tom_map_range(&m, 0x1000), &m.ranges[0]);
    assert_ptr_equal(tom_map_range(&m, 0x10ff), &m.ranges[0]);
    assert_null(tom_map_range(&m, 0x1100));
    assert_ptr_equal(tom_map_range(&m, 0x207f), &m.ranges[1]);
    assert_null(tom_map_range(&m, 0x2080));
    assert_int_equal(tom_map_stack(&m, 0x1080), 0); /* bits 11:10 */
    assert_int_equal(tom_map_baseline(0x1080), 1 ^ 2);
    assert_int_equal(tom_map_stack(&m, 0x2000), tom_map_baseline(0x2000));
}

/* ------------------------------------------------------------------- books */

static void check_books(const struct tom_result *r) {
    uint64_t answers = 0, tx = 0, rx = 0, blocks = 0;
    for (int i = 0; i < TOM_REASONS; i++)
        answers += r->reasons[i];
    assert_int_equal(answers, r->instances);
    assert_int_equal(r->released, tom_offloaded(r));
    assert_int_equal(r->reasons[2], 0); /* every instance has an entry */
    assert_int_equal(r->dropped, 0);
    assert_true(tom_offloaded(r) <= r->paying);
    for (int s = 0; s < TOM_STACKS; s++) {
        blocks += r->blocks[s];
        tx += r->tx[s].amount[TOM_LOAD];
        rx += r->rx[s].amount[TOM_LOAD];
        if (r->settings.mode == TOM_CONTROLLED)
            assert_true(r->pending_peak[s] <= r->limit);
    }
    assert_int_equal(blocks, tom_offloaded(r));
    assert_int_equal(rx, 8 * tx); /* a line for each address */
    assert_int_equal(tx, r->l2.load_misses);
}

/* Answers, releases and flits add up on whole kernels in every mode. */
static void books(void **state) {
    (void)state;
    for (int i = 0; i < N_KERNELS; i++)
        for (uint32_t mode = TOM_OFF; mode <= TOM_UNCONTROLLED; mode++)
            for (uint32_t map = TOM_BASELINE; map <= TOM_LEARNED; map++) {
                struct job j;
                job_file(&j, kernels[i]);
                j.s->mode = mode;
                j.s->map = map;
                j.s->cores = 2 + mode;
                const struct tom_result *r = job_run(&j);
                check_books(r);
                if (mode == TOM_UNCONTROLLED)
                    assert_int_equal(tom_offloaded(r), r->with_access);
                job_end(&j);
            }
}

/* Time and traffic to the last cycle and flit, at the defaults and with
 * everything narrow.  Whoever changes them changes the pages of figures. */
static void figures_stay(void **state) {
    (void)state;
    static const struct {
        const char *path;
        enum { AS_IS, NARROW, NO_L2 } how;
        uint32_t mode;
        uint64_t cycles, flits, bytes;
    } cases[] = {
        {"fwt/fwt", AS_IS, TOM_CONTROLLED, 8615, 15120, 196608},
        {"fwt/fwt", NARROW, TOM_UNCONTROLLED, 190804, 16000, 196608},
        {"bfs/bfs", AS_IS, TOM_UNCONTROLLED, 46018, 21166, 196480},
        {"bfs/bfs", NARROW, TOM_UNCONTROLLED, 310895, 20887, 189312},
        {"hist/hist", AS_IS, TOM_CONTROLLED, 2116, 1119, 16256},
        {"bfs/bfs", NO_L2, TOM_CONTROLLED, 66940, 14551, 140416},
        {"raytrace/raytrace", NO_L2, TOM_CONTROLLED, 11596, 1710, 19968},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct job j;
        char path[64];
        uint64_t bytes = 0;
        snprintf(path, sizeof path, "kernels/%s.yml", cases[i].path);
        job_file(&j, path);
        j.s->mode = cases[i].mode;
        if (cases[i].how == NARROW) {
            j.s->issue = 1;
            j.s->mshrs = j.s->internal = 3;
            j.s->link = 6;
            j.s->cross = 4;
        } else if (cases[i].how == NO_L2) {
            j.s->cores = 2;
            j.s->l2 = 0;
        }
        const struct tom_result *r = job_run(&j);
        for (int s = 0; s < TOM_STACKS; s++)
            bytes += r->memory_bytes[s];
        assert_int_equal(r->cycles, cases[i].cycles);
        assert_int_equal(tom_flits(r), cases[i].flits);
        assert_int_equal(bytes, cases[i].bytes);
        job_end(&j);
    }
}

static char *json_of(const char *path) {
    struct job j;
    json_t *o = json_object();
    job_file(&j, path);
    j.s->map = TOM_LEARNED;
    tom_json(job_run(&j), o);
    char *text = json_dumps(o, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(o);
    job_end(&j);
    return text;
}

static void twice_is_the_same(void **state) {
    (void)state;
    for (int i = 0; i < N_KERNELS; i++) {
        char *a = json_of(kernels[i]), *b = json_of(kernels[i]);
        assert_string_equal(a, b);
        assert_non_null(strstr(a, "\"pending_limit\":6"));
        free(a);
        free(b);
    }
}

/* ---------------------------------------------------------- smaller things */

/* In scale every access is a fixed stride; in bfs the neighbours are not. */
static void offsets_are_told_apart(void **state) {
    (void)state;
    struct job j;
    struct offset_share_count c;
    job_text(&j, "scale.ptx", scale_ptx, scale_yml, NULL);
    const struct tom_result *r = job_run(&j);
    assert_true(offset_share_candidate(r->offsets, 0, &c));
    assert_false(offset_share_candidate(r->offsets, 1, &c));
    assert_int_equal(c.accesses, 16);
    assert_int_equal(c.fixed, 16);
    assert_int_equal(offset_class_of(&c), OFFSET_ALL);
    job_end(&j);
    job_file(&j, "kernels/bfs/bfs.yml");
    r = job_run(&j);
    assert_true(offset_share_candidate(r->offsets, 0, &c));
    assert_true(c.fixed > 0 && c.fixed < c.accesses);
    job_end(&j);
    c = (struct offset_share_count){.accesses = 100};
    static const uint64_t fixed[] = {100, 99, 75, 74, 50, 49, 25, 24, 1, 0};
    static const enum offset_class wanted[] = {
        OFFSET_ALL, OFFSET_75, OFFSET_75, OFFSET_50, OFFSET_50,
        OFFSET_25,  OFFSET_25, OFFSET_0,  OFFSET_0,  OFFSET_NONE};
    for (int i = 0; i < 10; i++) {
        c.fixed = fixed[i];
        assert_int_equal(offset_class_of(&c), wanted[i]);
    }
}

static void refused(const char *name, const char *value, const char *words) {
    struct diag d = {0};
    struct tom_settings *s = tom_preset.create();
    bool ok = tom_preset.take(s, name, value, &d) && tom_preset.check(s, &d);
    char *text = diag_captured(&d);
    assert_false(ok);
    assert_non_null(strstr(text, words));
    free(text);
    free(s);
    diag_free(&d);
}

static void options_are_checked(void **state) {
    (void)state;
    refused("mode", "sometimes", "off|controlled|uncontrolled");
    refused("cores", "65", "64");
    refused("learn", "0", "'0'");
    refused("l1", "1000", "'--l1' is 1000 bytes");
    refused("window", "1000", "expected a power of two");
    refused("busy-off", "95", "expected at most 90");
    refused("coherence", "none", "told|free");
    refused("ideal", "maybe", "no|yes");
    refused("whole", "4", "at least the 8 cores");
    refused("l2", "4096", "less than a set");
    refused("issue", "0", "'0'");
    refused("issue", "5", "4");
}

/* No more than so many intervals begin in a cycle. */
static void intervals_fill_a_cycle(void **state) {
    (void)state;
    struct tom_settings s = {0};
    for (s.issue = 1; s.issue <= 4; s.issue++) {
        assert_true(tom_interval(&s) * s.issue >= CORE_CYCLE);
        assert_true(tom_interval(&s) * (s.issue - 1) < CORE_CYCLE);
    }
}

static enum stream_result ended(struct stream *s, struct stream_event *e) {
    (void)s;
    (void)e;
    return STREAM_END;
}

static void traces_have_no_candidates(void **state) {
    (void)state;
    static const struct stream_ops ops = {ended, NULL};
    struct stream empty = {&ops};
    struct diag d = {0};
    struct system_job job = {
        .stream = &empty, .run = NULL, .path = "t.ndpt", .diag = &d};
    struct tom_settings *s = tom_preset.create();
    assert_null(tom_preset.run(s, &job));
    char *text = diag_captured(&d);
    assert_non_null(strstr(text, "t.ndpt: candidates for offloading"));
    free(text);
    s->mode = TOM_OFF;
    struct tom_result *r = tom_preset.run(s, &job);
    assert_non_null(r);
    assert_int_equal(r->cycles, 0);
    tom_preset.destroy_result(r);
    free(s);
    diag_free(&d);
}

/* The options' defaults are the preset's: the controllers are what `ndpgen
 * --preset tom` emits, but for the limit after reset, of which each machine has
 * its slice. */
static void the_preset_is_the_controller(void **state) {
    (void)state;
    struct diag d = {0};
    struct config preset, c;
    struct tom_settings *s = tom_preset.create();
    assert_true(config_preset(&preset, "tom", &d));
    tom_configure(s, &c);
    assert_int_equal(c.offload_limit, 6);
    c.offload_limit = preset.offload_limit;
    assert_true(iface_hash(&offload_iface, &c) ==
                iface_hash(&offload_iface, &preset));
    s->cores = s->whole;
    tom_configure(s, &c);
    assert_true(iface_hash(&offload_iface, &c) ==
                iface_hash(&offload_iface, &preset));
    free(s);
    diag_free(&d);
}

/* Of a job that is told to stop. */
struct watch {
    uint64_t asked, done, total; /* done, total: the last */
};

/* False, as after Ctrl-C, at the second question. */
static bool once(const struct system_job *job, uint64_t done, uint64_t total) {
    struct watch *w = job->ctx;
    w->done = done;
    w->total = total;
    return ++w->asked < 2;
}

static const struct tom_result *job_stop(struct job *j, struct watch *w) {
    struct system_job job = {.stream = run_stream(j->run),
                             .run = j->run,
                             .path = "k",
                             .diag = &j->d,
                             .go_on = once,
                             .ctx = w};
    *w = (struct watch){.asked = 0};
    j->r = tom_preset.run(j->s, &job);
    assert_non_null(j->r);
    assert_int_equal(w->asked, 2);
    assert_int_equal(j->r->cycles, TOM_ASK_EVERY);
    assert_int_equal(j->r->ctas, w->done);
    assert_true(w->done < w->total);
    return j->r;
}

/* Between launches and within one, whether the stream has ended (a learned
 * mapping) or not. */
static void stops_when_told_to(void **state) {
    (void)state;
    for (uint32_t map = TOM_BASELINE; map <= TOM_LEARNED; map++)
        for (uint32_t mode = TOM_OFF; mode <= TOM_UNCONTROLLED; mode++) {
            struct watch w;
            struct job j;
            job_file(&j, "kernels/bfs/bfs.yml");
            j.s->map = map;
            j.s->mode = mode;
            assert_true(job_stop(&j, &w)->launches > 0);
            job_end(&j);
        }
}

/* All CTAs have begun, and their blocks are on the stacks. */
static void stops_at_the_end_too(void **state) {
    (void)state;
    for (uint32_t mode = TOM_OFF; mode <= TOM_UNCONTROLLED; mode++) {
        struct watch w;
        struct job j;
        job_text(&j, "sum.ptx", sum_ptx, sum_yml, "long");
        j.s->mode = mode;
        assert_int_equal(job_stop(&j, &w)->ctas, 0);
        assert_int_equal(w.total, 1);
        assert_int_equal(j.r->released, 0);
        assert_int_equal(tom_offloaded(j.r) > 0, mode != TOM_OFF);
        job_end(&j);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_by_hand),
        cmocka_unit_test(caches_filter),
        cmocka_unit_test(savings_are_the_formulas),
        cmocka_unit_test(remote_lines_cross),
        cmocka_unit_test(writes_are_drained_and_told_once),
        cmocka_unit_test(coherence_can_be_free),
        cmocka_unit_test(free_coherence_keeps_the_stacks_cache),
        cmocka_unit_test(ideal_blocks_travel_for_nothing),
        cmocka_unit_test(ideal_blocks_are_not_refused_for_links),
        cmocka_unit_test(energy_by_hand),
        cmocka_unit_test(lines_are_numbered_by_stack),
        cmocka_unit_test(conditions_decide),
        cmocka_unit_test(placed_conditions_decide),
        cmocka_unit_test(the_preset_is_the_controller),
        cmocka_unit_test(stops_when_told_to),
        cmocka_unit_test(stops_at_the_end_too),
        cmocka_unit_test(busy_links_refuse),
        cmocka_unit_test(free_links_do_not),
        cmocka_unit_test(blocks_do_not_wait_for_the_link),
        cmocka_unit_test(pending_keeps_to_the_limit),
        cmocka_unit_test(probes_are_one_at_a_time),
        cmocka_unit_test(asking_meanwhile_may_be_probed),
        cmocka_unit_test(strides_name_their_bit),
        cmocka_unit_test(analyzer_and_arithmetic_agree),
        cmocka_unit_test(ranges_are_found),
        cmocka_unit_test(books),
        cmocka_unit_test(figures_stay),
        cmocka_unit_test(twice_is_the_same),
        cmocka_unit_test(offsets_are_told_apart),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(intervals_fill_a_cycle),
        cmocka_unit_test(traces_have_no_candidates),
    };
    return cmocka_run_group_tests_name("tom", tests, NULL, NULL);
}
