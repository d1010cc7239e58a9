/* test_system.c - three words of a kernel over both dies, by hand: a row is
 * loaded from the banks into a near register, computed there, and stored, and
 * nothing but instructions and messages crosses.  Then the same with a lane
 * off: the load is a strided message, the store crosses as data; and words of
 * another core.
 *
 *     ldg.b32 r1, [r0]
 *     mad     r2, r1, 3, r1 {near}
 *     stg.b32 [r0+-8*4], r2
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "frame/golden.h"
#include "iface/opclass.h"
#include "iface/system.h"
#include "isa/isa.h"
#include "structs.h"

#include <string.h>

enum { WARP = 3, LANES = 8, ALL = 0xff, PATIENCE = 600, FIRST = 0x140 };
enum { INSTR, DOWN, REQUEST, UP, DONE_UP, LSU_DOWN, LSU_UP, KINDS = 8 };

struct core {
    struct golden *g;
    struct core_in in;
    struct core_out out;
    int beats[KINDS], packets[KINDS], commits, near_commits, faults, aways;
    uint64_t age;
};

static void edge(struct core *b, bool rst) {
    b->out = *(const struct core_out *)golden_cycle(b->g, rst, &b->in);
    const struct dies_out *o = &b->out.unit;
    b->beats[o->tsv_kind] += o->tsv_valid;
    b->packets[o->tsv_kind] += o->tsv_valid && o->tsv_last;
    b->commits += o->commit_valid;
    b->near_commits += o->commit_valid && o->commit_near;
    b->faults += b->out.far.fault_valid;
    b->age++;
}

static void forget(struct core *b) {
    memset(b->beats, 0, sizeof b->beats);
    memset(b->packets, 0, sizeof b->packets);
}

static void write_code(struct core *b, uint64_t tag, const char *line) {
    struct isa_word w;
    struct isa_error e;
    uint64_t word;
    assert_true(isa_parse(line, strlen(line), NULL, NULL, &w, &e));
    assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
    b->in.far.code_valid = b->in.pipes.code_valid = 1;
    b->in.far.code_tag = b->in.pipes.code_tag = tag;
    b->in.far.code_word = b->in.pipes.code_word = word;
    edge(b, false);
    b->in.far.code_valid = b->in.pipes.code_valid = 0;
}

static uint64_t reg(int r) {
    return 1 << 6 | (uint64_t)r; /* valid, kind 0; four bits of register */
}

static void issue(struct core *b, uint64_t tag, uint64_t op, uint64_t hint,
                  uint64_t mask, uint64_t dst, uint64_t src0, uint64_t src1,
                  uint64_t src2) {
    struct dies_in *in = &b->in.unit;
    for (int i = 0; !(b->out.unit.issue_ready >> WARP & 1); i++) {
        assert_true(i < PATIENCE);
        edge(b, false);
    }
    in->issue_valid = 1;
    in->issue_warp = WARP;
    in->issue_tag = tag;
    in->issue_op = op;
    in->issue_hint = hint;
    in->issue_mask = mask;
    in->issue_dst = dst;
    in->issue_src0 = src0;
    in->issue_src1 = src1;
    in->issue_src2 = src2;
    edge(b, false);
    in->issue_valid = 0;
}

/* Edges until the instruction commits. */
static int finish(struct core *b) {
    int commits = b->commits, i = 0;
    for (; b->commits == commits; i++) {
        assert_true(i < PATIENCE);
        edge(b, false);
    }
    return i;
}

static void host_writes(struct core *b, uint64_t word, uint32_t value) {
    b->in.banks.win_valid = b->in.banks.win_write = 1;
    b->in.banks.win_address = word;
    b->in.banks.win_data = value;
    while (!b->out.banks.win_ready)
        edge(b, false);
    edge(b, false);
    b->in.banks.win_valid = 0;
    while (!b->out.banks.win_ready)
        edge(b, false);
}

static uint32_t host_reads(struct core *b, uint64_t word) {
    b->in.banks.win_valid = 1;
    b->in.banks.win_write = 0;
    b->in.banks.win_address = word;
    while (!b->out.banks.win_ready)
        edge(b, false);
    edge(b, false);
    b->in.banks.win_valid = 0;
    for (int i = 0; !b->out.banks.read_valid; i++) {
        assert_true(i < PATIENCE);
        edge(b, false);
    }
    return (uint32_t)b->out.banks.read_data;
}

/* The warp's register 0 is written as a front end does when one begins: lane l
 * has address first + 4l. */
static void begin_warp(struct core *b, uint32_t first) {
    struct lsu_rmw_in *in = &b->in.rmw;
    write_code(b, 9, "nop");
    in->init_valid = 1;
    in->init_warp = WARP;
    in->init_reg = 0;
    in->init_mask = ALL;
    for (uint32_t l = 0; l < LANES; l++)
        bits_set_lane(in->init_row, (int)l, first + 4 * l);
    for (int i = 0; !b->out.rmw.init_ready; i++) {
        assert_true(i < PATIENCE);
        edge(b, false);
    }
    edge(b, false);
    in->init_valid = 0;
    issue(b, 9, OPC_fence, 0, ALL, reg(0), 0, 0, 0);
    finish(b);
}

/* Memory of this core, 2: lines of 16 words, of units 0 and 1 in turn; chunks
 * of 32 words, of cores in turn.  So byte 0x140 is word 16 at this core, of
 * unit 1, as is warp 3. */
static void open_core(struct core *b) {
    struct config c;
    struct diag d = {0};
    memset(b, 0, sizeof *b);
    assert_true(config_preset(&c, "backend_small", &d));
    diag_free(&d);
    b->g = golden_create(golden_find("backend"), &c);
    b->in.hybrid.at_core = b->in.rmw.at_core = 2;
    b->in.hybrid.away_ready = 1;
    edge(b, true);
    for (int i = 0; i < 1000 && !(b->out.unit.issue_ready >> WARP & 1); i++)
        edge(b, false);
    assert_true(b->out.unit.issue_ready >> WARP & 1);
    write_code(b, 0, "ldg.b32 r1, [r0+0]");
    write_code(b, 1, "mad r2, r1, 3, r1 {near}");
    write_code(b, 2, "stg.b32 [r0+0], r2");
    write_code(b, 3, "add r3, r2, 0 {far}");
    write_code(b, 4, "atg.add r4, [r0], r3");
    write_code(b, 5, "ldg.u8 r5, [r0+1]");
    write_code(b, 6, "stg.b16 [r0+2], r4");
    for (uint32_t l = 0; l < LANES; l++)
        host_writes(b, 16 + l, 100 + 10 * l);
    begin_warp(b, FIRST);
    forget(b);
}

static int load(struct core *b, uint64_t mask) {
    issue(b, 0, OPC_ld_global, 0, mask, reg(1), reg(0), 0, 0);
    return finish(b);
}

static int multiply(struct core *b) {
    issue(b, 1, OPC_int, 2, ALL, reg(2), reg(1), 0, reg(1));
    return finish(b);
}

static int store(struct core *b, uint64_t mask) {
    issue(b, 2, OPC_st_global, 0, mask, 0, reg(0), reg(2), 0);
    return finish(b);
}

/* Each access is a message of as many beats as its header has, and an end;
 * registers do not move, the instruction of the base die does not cross. */
static void test_stays_near(void **state) {
    struct core b;
    (void)state;
    open_core(&b);
    int loaded = load(&b, ALL);
    assert_int_equal(b.packets[LSU_DOWN], 1);
    assert_int_equal(b.packets[LSU_UP], 1);
    assert_int_equal(b.beats[LSU_DOWN], 3); /* a header of 45 bits */
    assert_int_equal(b.beats[LSU_UP], 1);
    assert_int_equal(b.packets[INSTR] + b.packets[DONE_UP], 0);
    multiply(&b);
    assert_int_equal(b.near_commits, 1);
    assert_int_equal(b.packets[INSTR], 1);
    assert_int_equal(b.packets[DONE_UP], 1);
    int stored = store(&b, ALL);
    assert_int_equal(b.packets[LSU_DOWN], 2);
    assert_int_equal(b.packets[LSU_UP], 2);
    assert_int_equal(b.packets[DOWN] + b.packets[UP] + b.packets[REQUEST], 0);
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(host_reads(&b, 16 + l), 4 * (100 + 10 * l));
    assert_int_equal(b.faults, 0);
    print_message("load %d, store %d edges\n", loaded, stored);
    golden_free(b.g);
}

/* A lane is off: the load is a message with its mask.  Of the store each sector
 * is a transaction, and what is stored comes up first. */
static void test_lane_off(void **state) {
    struct core b;
    (void)state;
    open_core(&b);
    load(&b, ALL);
    multiply(&b);
    forget(&b);
    int loaded = load(&b, 0x7f);
    int sectors = LANES / 2;
    assert_int_equal(b.packets[LSU_DOWN], 1);
    assert_int_equal(b.packets[LSU_UP], 1);
    assert_int_equal(b.beats[LSU_UP], 1);
    assert_int_equal(b.beats[LSU_DOWN], 3 + 1);
    forget(&b);
    int stored = store(&b, 0x7f);
    assert_int_equal(b.packets[LSU_DOWN], 1 + sectors);
    assert_int_equal(b.beats[LSU_DOWN], 3 + sectors * (3 + 4));
    assert_int_equal(b.beats[LSU_UP], 1 + 16 + sectors);
    for (uint32_t l = 0; l < LANES - 1; l++)
        assert_int_equal(host_reads(&b, 16 + l), 4 * (100 + 10 * l));
    assert_int_equal(host_reads(&b, 16 + 7), 170); /* it was off */
    print_message("load %d, store %d edges\n", loaded, stored);
    golden_free(b.g);
}

/* What was loaded near is used far: it comes up once, as a register does. */
static void test_used_far(void **state) {
    struct core b;
    (void)state;
    open_core(&b);
    load(&b, ALL);
    multiply(&b);
    assert_int_equal(b.packets[UP], 0);
    issue(&b, 3, OPC_int, 1, ALL, reg(3), reg(2), 0, 0);
    finish(&b);
    assert_int_equal(b.packets[UP], 1);
    assert_int_equal(b.packets[DOWN], 0);
    golden_free(b.g);
}

static int change(struct core *b, uint64_t tag, uint64_t mask, uint64_t dst,
                  uint64_t data) {
    issue(b, tag, OPC_atomic, 0, mask, dst, reg(0), 0, data);
    return finish(b);
}

/* Atomics and parts of words: each sector is loaded, and stored if it changed;
 * results are far, and rows move for nobody. */
static void test_changes(void **state) {
    struct core b;
    (void)state;
    open_core(&b);
    load(&b, ALL);
    multiply(&b);
    issue(&b, 3, OPC_int, 1, ALL, reg(3), reg(2), 0, 0); /* 4 w, far */
    finish(&b);
    forget(&b);
    int added = change(&b, 4, ALL, reg(4), reg(3));
    int sectors = LANES / 2;
    assert_int_equal(b.packets[LSU_DOWN], 2 * sectors);
    assert_int_equal(b.packets[LSU_UP], 2 * sectors);
    assert_int_equal(b.packets[DOWN] + b.packets[UP], 0);
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(host_reads(&b, 16 + l), 5 * (100 + 10 * l));
    /* the old word, as a half of the new one; a lane is off */
    change(&b, 6, 0xfe, 0, reg(4));
    assert_int_equal(host_reads(&b, 16), 500);
    for (uint32_t l = 1; l < LANES; l++) {
        uint32_t w = 100 + 10 * l;
        assert_int_equal(host_reads(&b, 16 + l), w << 16 | 5 * w);
    }
    forget(&b);
    int part = change(&b, 5, ALL, reg(5), 0);
    assert_int_equal(b.packets[LSU_DOWN], sectors); /* nothing is stored */
    change(&b, 4, ALL, 0, reg(5));
    for (uint32_t l = 1; l < LANES; l++) {
        uint32_t w = 100 + 10 * l;
        assert_int_equal(host_reads(&b, 16 + l),
                         (w << 16 | 5 * w) + (5 * w >> 8));
    }
    assert_int_equal(b.faults, 0);
    print_message("atomic %d, bytes %d edges\n", added, part);
    golden_free(b.g);
}

/* Words of another core: this one asks for its sectors, and answers come in
 * again. */
static void test_other_core(void **state) {
    struct core b;
    int sent = 0, told = 0;
    uint64_t ids[LANES];
    (void)state;
    open_core(&b);
    begin_warp(&b, FIRST + 128);
    issue(&b, 0, OPC_ld_global, 0, ALL, reg(1), reg(0), 0, 0);
    for (int i = 0; told < LANES / 2; i++) {
        const struct lsu_hybrid_out *o = &b.out.hybrid;
        assert_true(i < PATIENCE);
        if (o->away_valid) {
            assert_int_equal(o->away_core, 3);
            assert_int_equal(o->away_store, 0);
            assert_int_equal(o->away_address, (16 + 2 * sent) / 2);
            ids[sent++] = o->away_id;
        }
        bool taken = b.in.link.other_valid && b.out.link.other_ready;
        told += taken;
        b.in.link.other_valid = told < sent && told < LANES / 2;
        if (b.in.link.other_valid) {
            b.in.link.other_id = ids[told];
            bits_set_lane(b.in.link.other_data, 0, 7 + 2 * (uint32_t)told);
            bits_set_lane(b.in.link.other_data, 1, 8 + 2 * (uint32_t)told);
        }
        edge(&b, false);
    }
    b.in.link.other_valid = 0;
    finish(&b);
    assert_int_equal(sent, LANES / 2);
    multiply(&b);
    begin_warp(&b, FIRST);
    store(&b, ALL);
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(host_reads(&b, 16 + l), 4 * (7 + l));
    golden_free(b.g);
}

/* An atomic of words of another core: a request a lane, with the lane as id,
 * whose answers come as those of transactions do, the last lane's first. */
static void test_changes_elsewhere(void **state) {
    const uint32_t sectors = (FIRST + 128) / 8;
    uint64_t ids[LANES];
    (void)state;
    for (int fault = 0; fault < 2; fault++) {
        struct core b;
        int sent = 0, told = 0;
        open_core(&b);
        begin_warp(&b, FIRST + 128);
        forget(&b);
        issue(&b, 4, OPC_atomic, 0, ALL, reg(4), reg(0), 0, reg(0));
        for (int i = 0; told < LANES; i++) {
            const struct lsu_rmw_out *o = &b.out.rmw;
            uint32_t l = (uint32_t)sent;
            assert_true(i < PATIENCE);
            assert_int_equal(o->hold_stores, 0);
            b.in.rmw.away_ready = i % 3 == 0;
            if (o->away_valid && b.in.rmw.away_ready) {
                assert_int_equal(o->away_op, LSU_RMW_ADD);
                assert_int_equal(o->away_id, l);
                assert_int_equal(o->away_address, sectors + l / 2);
                assert_int_equal(o->away_strobe, l % 2 ? 0xf0 : 0x0f);
                assert_int_equal(bits_lane(o->away_data, (int)l % 2),
                                 FIRST + 128 + 4 * l);
                assert_int_equal(bits_lane(o->away_data, (int)(l + 1) % 2), 0);
                ids[sent++] = o->away_id;
            }
            told += b.in.link.other_valid && b.out.link.other_ready;
            b.in.link.other_valid = sent == LANES && told < LANES;
            if (b.in.link.other_valid) {
                uint64_t id = ids[LANES - 1 - told];
                b.in.link.other_id = id;
                b.in.link.other_fault = fault && id == 5;
                bits_set_lane(b.in.link.other_data, (int)id % 2,
                              1000 + (uint32_t)id);
                bits_set_lane(b.in.link.other_data, (int)(id + 1) % 2, 0);
            }
            edge(&b, false);
        }
        b.in.link.other_valid = 0;
        finish(&b);
        assert_int_equal(b.beats[LSU_DOWN] + b.beats[LSU_UP], 0);
        assert_int_equal(b.faults, fault);
        begin_warp(&b, FIRST);
        change(&b, 4, ALL, 0, reg(4)); /* what stood there, to own words */
        for (uint32_t l = 0; l < LANES; l++)
            assert_int_equal(host_reads(&b, 16 + l),
                             100 + 10 * l + (fault && l == 5 ? 0 : 1000 + l));
        golden_free(b.g);
    }
}

/* Beyond the banks: the access ends, and says so. */
static void test_beyond(void **state) {
    struct core b;
    (void)state;
    open_core(&b);
    begin_warp(&b, 0x10000 + FIRST);
    load(&b, ALL);
    assert_int_equal(b.faults, 1);
    begin_warp(&b, 0x10000 + FIRST);
    store(&b, 0x0f);
    assert_int_equal(b.faults, 2);
    begin_warp(&b, FIRST + 2); /* misaligned: nothing goes out */
    forget(&b);
    load(&b, ALL);
    assert_int_equal(b.faults, 3);
    assert_int_equal(b.beats[LSU_DOWN], 0);
    golden_free(b.g);
}

static void test_structs(void **state) {
    struct config c;
    struct diag diag = {0};
    (void)state;
    assert_true(config_preset(&c, "backend_small", &diag));
    struct design *d = design_make(&backend_iface, &c);
    assert_int_equal(d->in_size, sizeof(struct core_in));
    assert_int_equal(d->out_size, sizeof(struct core_out));
    assert_int_equal(system_n(d), 8);
    assert_int_equal(system_instance(d, BACKEND_far)->in_offset,
                     offsetof(struct core_in, far));
    assert_int_equal(system_instance(d, BACKEND_banks)->out_offset,
                     offsetof(struct core_out, banks));
    design_free(d);
    diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_stays_near),
        cmocka_unit_test(test_lane_off),
        cmocka_unit_test(test_used_far),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_other_core),
        cmocka_unit_test(test_changes_elsewhere),
        cmocka_unit_test(test_beyond),
    };
    return cmocka_run_group_tests_name("test_system", tests, NULL, NULL);
}
