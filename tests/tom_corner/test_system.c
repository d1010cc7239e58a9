/* test_system.c - the corner as a system: what joins its parts, in the model
 * and in what is emitted.
 *
 * Models of the parts, wired here by hand, must show what the composite shows;
 * the C header's bases must be where the parts' registers answer; what the
 * bench says must name the part.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analyzer/analyzer.h"
#include "base/bits.h"
#include "iface/system.h"
#include "kit/stim.h"
#include "offload/offload.h"
#include "output/emit.h"
#include "structs.h"
#include "tap/tap.h"
#include "tests/common/bench_run.h"
#include "tom_corner/stim.h"

#include <stdlib.h>
#include <string.h>

static struct config preset(const char *name) {
    struct config c;
    struct diag d = {0};
    assert_true(config_preset(&c, name, &d));
    diag_free(&d);
    return c;
}

static struct golden *model(const struct config *c) {
    return golden_create(golden_find("tom_corner"), c);
}

static void test_structs(void **state) {
    struct config c = preset("small");
    struct design *d = design_make(&tom_corner_iface, &c);
    static const size_t in[] = {offsetof(struct corner_in, controller),
                                offsetof(struct corner_in, learner),
                                offsetof(struct corner_in, tap)},
                        out[] = {offsetof(struct corner_out, controller),
                                 offsetof(struct corner_out, learner),
                                 offsetof(struct corner_out, tap)};
    (void)state;
    assert_int_equal(d->in_size, sizeof(struct corner_in));
    assert_int_equal(d->out_size, sizeof(struct corner_out));
    assert_int_equal(system_n(d), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(system_instance(d, i)->in_offset, in[i]);
        assert_int_equal(system_instance(d, i)->out_offset, out[i]);
    }
    design_free(d);
}

/* --- parts wired by hand -------------------------------------------------- */

struct parts {
    struct golden *controller, *learner, *tap;
    struct corner_in in;
    struct corner_out out; /* own: not modelled here */
    int offset_bits;
};

static void open_parts(struct parts *p, const struct config *c) {
    memset(p, 0, sizeof *p);
    p->controller = golden_create(&offload_golden, c);
    p->learner = golden_create(&analyzer_golden, c);
    p->tap = golden_create(&tap_golden, c);
    p->offset_bits = golden_design(p->controller)->address_bits;
}

static void close_parts(struct parts *p) {
    golden_free(p->controller);
    golden_free(p->learner);
    golden_free(p->tap);
}

#define SELECT(part, is, bits)                                                 \
    do {                                                                       \
        p->in.part.wb_cyc = own->wb_cyc && (is) && !ack;                       \
        p->in.part.wb_stb = own->wb_stb;                                       \
        p->in.part.wb_we = own->wb_we;                                         \
        p->in.part.wb_adr = own->wb_adr & ones(bits);                          \
        p->in.part.wb_dat_w = own->wb_dat_w;                                   \
        p->in.part.wb_sel = own->wb_sel;                                       \
    } while (0)

/* ack: of the whole, as it stands before the edge. */
static void wire_by_hand(struct parts *p, bool ack) {
    const struct tom_corner_in *own = &p->in.own;
    struct offload_in *c = &p->in.controller;
    struct analyzer_in *l = &p->in.learner;
    struct tap_in *t = &p->in.tap;
    const struct corner_out *o = &p->out;
    int learner_bits = golden_design(p->learner)->address_bits;
    uint64_t region = own->wb_adr >> p->offset_bits;
    uint64_t offset = own->wb_adr & ones(p->offset_bits);

    t->ans_valid = o->controller.ans_valid;
    t->ans_warp = o->controller.ans_warp;
    t->ans_offload = o->controller.ans_offload;
    t->ans_reason = o->controller.ans_reason;
    t->ans_stack = o->controller.ans_stack;
    c->ans_ready = o->tap.ans_ready;
    l->ev_valid = o->tap.ev_valid;
    l->ev_op = o->tap.ev_op;
    l->ev_warp = o->tap.ev_warp;
    l->ev_address = o->tap.ev_address;
    t->ev_ready = o->learner.ev_ready;
    SELECT(controller, region == 1, p->offset_bits);
    SELECT(learner, region == 2 && offset >> learner_bits == 0, learner_bits);
}

static void step_parts(struct parts *p, bool rst) {
    const struct corner_in *in = &p->in;
    p->out.controller = *(const struct offload_out *)golden_cycle(
        p->controller, rst, &in->controller);
    p->out.learner = *(const struct analyzer_out *)golden_cycle(p->learner, rst,
                                                                &in->learner);
    p->out.tap = *(const struct tap_out *)golden_cycle(p->tap, rst, &in->tap);
}

/* Traffic of the bench; only what is a port of the corner reaches the parts. */
static void compare(const char *name, const char *mode, int edges) {
    struct stim_options o = {.mode = mode, .seed = 5};
    struct config c = preset(name);
    struct diag d = {0};
    struct stim *s =
        stim_create(&tom_corner_stim, &tom_corner_iface, &c, &o, &d);
    struct golden *g = model(&c);
    struct parts p;
    struct corner_in in = {0};
    struct corner_out before = {0};
    uint64_t answers = 0, events = 0, accesses = 0;
    open_parts(&p, &c);
    for (int i = 0; i < edges; i++) {
        bool rst;
        stim_drive(s, &rst, &in);
        rst |= i == 0;
        p.in = in;
        wire_by_hand(&p, before.own.wb_ack);
        step_parts(&p, rst);
        struct corner_out after =
            *(const struct corner_out *)golden_cycle(g, rst, &in);
        system_inputs(s->design, &in, &before);
        assert_null(stim_watch(s, rst, &in, &before, &after));
        assert_memory_equal(&after.controller, &p.out.controller,
                            sizeof p.out.controller);
        assert_memory_equal(&after.learner, &p.out.learner,
                            sizeof p.out.learner);
        assert_memory_equal(&after.tap, &p.out.tap, sizeof p.out.tap);
        answers += p.out.controller.ans_valid;
        events += p.out.tap.ev_valid;
        accesses += p.out.controller.wb_ack | p.out.learner.wb_ack << 32;
        before = after;
    }
    assert_true(answers > 100 && events > 100 && (uint32_t)accesses > 10 &&
                accesses >> 32 > 10);
    close_parts(&p);
    golden_free(g);
    stim_free(s);
    diag_free(&d);
}

static void test_wired_by_hand(void **state) {
    (void)state;
    compare("small", "random", 60000);
    compare("tom", "random", 20000);
    compare("small", "directed", 20000);
}

/* --- address map ---------------------------------------------------------- */

static uint32_t access_at(struct golden *g, struct corner_in *in, bool write,
                          uint32_t adr, uint32_t data) {
    const struct corner_out *o;
    in->own.wb_cyc = in->own.wb_stb = 1;
    in->own.wb_we = write;
    in->own.wb_adr = adr;
    in->own.wb_dat_w = data;
    in->own.wb_sel = 15;
    o = golden_cycle(g, false, in);
    assert_int_equal(o->own.wb_ack, 1);
    uint32_t read = (uint32_t)o->own.wb_dat_r;
    /* a strobe in the cycle of the acknowledge is none, wherever it points */
    in->own.wb_adr ^= 32;
    o = golden_cycle(g, false, in);
    assert_int_equal(o->own.wb_ack, 0);
    assert_int_equal(o->own.wb_dat_r, 0);
    in->own.wb_cyc = in->own.wb_stb = in->own.wb_we = 0;
    golden_cycle(g, false, in);
    return read;
}

/* The emitted C header's word, which must be there. */
static uint32_t defined(const char *header, const char *name) {
    char line[128];
    snprintf(line, sizeof line, "#define %s ", name);
    const char *at = strstr(header, line);
    if (!at)
        fail_msg("no '%s' in the header", name);
    at += strlen(line);
    const char *bracket = strchr(at, '(');
    const char *end = strchr(at, '\n');
    return (uint32_t)strtoul(bracket && bracket < end ? bracket + 1 : at, NULL,
                             0);
}

static void emit(struct gen_files *f, const struct config *c) {
    struct design *d = design_make(&tom_corner_iface, c);
    struct gen_job job = {
        .design = d, .prefix = "", .command = "ndpgen --target tom_corner"};
    struct template_set set;
    struct diag diag = {0};
    assert_true(templates_load(&set, NULL, &diag));
    assert_true(emit_all(&job, &set, f, &diag));
    templates_free(&set);
    diag_free(&diag);
    design_free(d);
}

static const char *file(const struct gen_files *f, const char *path) {
    const struct gen_file *found = gen_files_find(f, path);
    if (!found)
        fail_msg("no file '%s'", path);
    return text_str(&found->text);
}

/* Each address belongs to the corner, to the part whose region it lies in, or
 * to nobody; its offset is that of the part alone. */
static void test_address_map(void **state) {
    struct config c = preset("small");
    struct golden *g = model(&c);
    struct gen_files f = {0};
    struct corner_in in = {0};
    (void)state;
    emit(&f, &c);
    const char *own = file(&f, "ndp_tom_corner.h"),
               *offload = file(&f, "ndp_offload.h"),
               *analyzer = file(&f, "ndp_analyzer.h");
    file(&f, "ndp_tap.h");
    uint32_t controller = defined(own, "NDP_TOM_CORNER_BASE_CONTROLLER"),
             learner = defined(own, "NDP_TOM_CORNER_BASE_LEARNER"),
             n_offload = defined(offload, "NDP_OFFLOAD_N_REGISTERS"),
             n_analyzer = defined(analyzer, "NDP_ANALYZER_N_REGISTERS"),
             n_own = defined(own, "NDP_TOM_CORNER_N_REGISTERS");
    assert_true(n_own <= controller && controller + n_offload <= learner);
    assert_true(learner + n_analyzer <=
                1u << defined(own, "NDP_TOM_CORNER_WB_ADR_W"));

    golden_cycle(g, true, NULL);
    assert_int_equal(access_at(g, &in, false, 0, 0),
                     defined(own, "NDP_TOM_CORNER_ID"));
    assert_int_equal(access_at(g, &in, false, controller, 0),
                     defined(offload, "NDP_OFFLOAD_ID"));
    assert_int_equal(access_at(g, &in, false, learner, 0),
                     defined(analyzer, "NDP_ANALYZER_ID"));

    /* a setting is found under its own name, and changes no other word */
    uint32_t map_bit = controller + defined(offload, "NDP_OFFLOAD_ADR_MAP_BIT"),
             enable = learner + defined(analyzer, "NDP_ANALYZER_ADR_ENABLE");
    assert_int_equal(access_at(g, &in, false, map_bit, 0),
                     defined(offload, "NDP_OFFLOAD_MAP_BIT_RESET"));
    access_at(g, &in, true, map_bit, 11);
    access_at(g, &in, true, enable, 1);
    assert_int_equal(access_at(g, &in, false, map_bit, 0), 11);
    assert_int_equal(access_at(g, &in, false, enable, 0), 1);
    assert_int_equal(access_at(g, &in, false, map_bit - controller, 0), 0);
    assert_int_equal(access_at(g, &in, false, enable - learner, 0), 0);
    gen_files_free(&f);
    golden_free(g);
}

/* Where nobody is, zero is read, and nothing happens. */
static void test_empty_addresses(void **state) {
    struct config c = preset("small");
    struct design *d = design_make(&tom_corner_iface, &c);
    struct golden *g = model(&c);
    struct corner_in in = {0};
    int answered = 0, words = 1 << d->address_bits, all = 0;
    (void)state;
    golden_cycle(g, true, NULL);
    for (int adr = 0; adr < words; adr++) {
        int region = adr >> system_offset_bits(d);
        int offset = adr & ((1 << system_offset_bits(d)) - 1);
        const struct iface *b = &tom_corner_iface;
        if (region > 0)
            b = region == 1   ? &offload_iface
                : region == 2 ? &analyzer_iface
                              : NULL;
        bool is = b && offset < iface_n_registers(b);
        if (!is) {
            access_at(g, &in, true, (uint32_t)adr, 0xffffffff);
            assert_int_equal(access_at(g, &in, false, (uint32_t)adr, 0), 0);
        } else {
            answered += access_at(g, &in, false, (uint32_t)adr, 0) != 0;
        }
        all += is;
    }
    assert_int_equal(all, iface_n_registers(&tom_corner_iface) +
                              iface_n_registers(&offload_iface) +
                              iface_n_registers(&analyzer_iface));
    assert_true(answered >= 9); /* ids and hashes */
    golden_free(g);
    design_free(d);
}

/* --- what is emitted ------------------------------------------------------ */

static void expect_line(const char *text, const char *line) {
    if (!strstr(text, line))
        fail_msg("'%s' is missing", line);
}

static void test_emitted(void **state) {
    struct config c = preset("small");
    struct gen_files f = {0};
    (void)state;
    emit(&f, &c);
    const char *top = file(&f, "rtl/ndp_tom_corner.v");
    expect_line(top, "ndp_tom_corner_offload controller (");
    expect_line(top, ".ans_ready       (tap_ans_ready)");
    expect_line(top, "wire learner_region    = wb_adr[6:5] == 2'd2 && "
                     "wb_adr[4] == 1'd0;");
    expect_line(top, "controller.ans -> tap.ans\n    wire          "
                     "controller_ans_valid;");
    expect_line(top, "//     64    learner\n");
    const char *sheet = file(&f, "ndp_tom_corner.md");
    expect_line(sheet, "| 36 | `mode` | read, write |");
    expect_line(sheet, "| 68 | `enable` | read, write |");
    expect_line(sheet, "| `tap.events` | 3 | 29 | 87 |");
    expect_line(sheet, "controller -- ans --> tap");
    expect_line(sheet, "tap -- ev --> learner");
    expect_line(sheet, "| `controller` | `offload` | 32 |");
    const char *probe = file(&f, "tb/ndp_tom_corner_probe.v");
    expect_line(probe,
                "assign controller_ans_valid = dut.controller_ans_valid");
    expect_line(file(&f, "ndp_tom_corner.core"), "toplevel: ndp_tom_corner");
    expect_line(file(&f, "ndp_tom_corner.f"), "rtl/ndp_tom_corner_tap.v");
    gen_files_free(&f);
}

/* --- messages ------------------------------------------------------------- */

static const struct bench_block blocks[] = {
    {&tom_corner_iface, NULL, &tom_corner_stim},
    {NULL, NULL, NULL},
};

static const char small[] = "--target tom_corner --preset small --cycles 20000";

enum { LATE = 3000 };

static void answers_of_another(uint64_t edge, void *out, void *unknown) {
    struct corner_out *o = out;
    (void)unknown;
    if (edge > LATE && o->controller.ans_valid)
        o->controller.ans_warp ^= 1;
}

static void events_of_another(uint64_t edge, void *out, void *unknown) {
    struct corner_out *o = out;
    (void)unknown;
    if (edge > LATE && o->tap.ev_valid)
        o->tap.ev_address ^= 256;
}

static void deaf_learner(uint64_t edge, void *out, void *unknown) {
    (void)unknown;
    if (edge > LATE)
        ((struct corner_out *)out)->learner.ev_ready = 0;
}

static void mute_port(uint64_t edge, void *out, void *unknown) {
    (void)unknown;
    if (edge > LATE)
        ((struct corner_out *)out)->own.wb_ack = 0;
}

/* A difference is told with the path of its part, linked or not. */
static void test_paths(void **state) {
    const struct golden_class *honest = golden_find("tom_corner");
    (void)state;
    expect_run(run_bench(blocks, honest, NULL, small), 0, "mismatches 0");
    expect_run(run_bench(blocks, honest, answers_of_another, small), 1,
               "controller.ans_warp");
    expect_run(run_bench(blocks, honest, events_of_another, small), 1,
               "tap.ev_address");
    expect_run(run_bench(blocks, honest, deaf_learner, small), 1,
               "learner.ev_ready");
    expect_run(run_bench(blocks, honest, mute_port, small), 1, "wb_ack");
}

/* Parts of one core, or a message and no run. */
static void test_checks(void **state) {
    static const char *const sets[][2] = {
        {"tap.warps=9", "'tap.warps' is computed from 'offload.warps'"},
        {"analyzer.warps=9",
         "'analyzer.warps' is computed from 'offload.warps'"},
        {"tap.stacks=2", "set 'offload.stacks' instead"},
        {"tap.address_bits=30", "set 'analyzer.address_bits' instead"},
        /* a rule of a part */
        {"offload.busy_off=95", "offload.busy_off"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[160];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n][0]);
        expect_run(run_bench(blocks, golden_find("tom_corner"), NULL, words), 2,
                   sets[n][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_wired_by_hand),
        cmocka_unit_test(test_address_map),
        cmocka_unit_test(test_empty_addresses),
        cmocka_unit_test(test_emitted),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
