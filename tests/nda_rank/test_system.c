/* test_system.c - the accelerator of a rank as a system: where its parts are,
 * the edges of an operation by hand, and which times do not fit each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "structs.h"
#include "tests/common/diag_capture.h"

#include <string.h>

enum { AXPBYPCZ = 1, COPY = 3, ACT = 0, RD = 3, WR = 5, NONE = -1 };

static void test_structs(void **state) {
    struct config c;
    config_defaults(&c);
    struct design *d = design_make(&nda_rank_iface, &c);
    static const size_t in[] = {offsetof(struct rank_in, buffer),
                                offsetof(struct rank_in, control),
                                offsetof(struct rank_in, element)};
    static const size_t out[] = {offsetof(struct rank_out, buffer),
                                 offsetof(struct rank_out, control),
                                 offsetof(struct rank_out, element)};
    (void)state;
    assert_int_equal(d->in_size, sizeof(struct rank_in));
    assert_int_equal(d->out_size, sizeof(struct rank_out));
    assert_int_equal(system_n(d), NDA_RANK_N_INSTANCES);
    for (int i = 0; i < NDA_RANK_N_INSTANCES; i++) {
        assert_int_equal(system_instance(d, i)->in_offset, in[i]);
        assert_int_equal(system_instance(d, i)->out_offset, out[i]);
    }
    design_free(d);
}

/* --- an operation --------------------------------------------------------- */

struct rank {
    struct config c;
    struct nda_buffer_local l;
    struct golden *g;
    struct rank_in in;
    const struct rank_out *out;
    int now;           /* edges that have been */
    int came[3], left; /* edges on which words of reads come */
};

static void open(struct rank *r, int result) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.nda_control_result = result;
    r->l = nda_buffer_local(&r->c);
    r->g = golden_create(golden_find("nda_rank"), &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

/* An edge; the word of a read is one, two, .. in both halves, on the bus tCL
 * and a burst behind its command. */
static void edge(struct rank *r) {
    struct nda_buffer_in *in = &r->in.buffer;
    in->data_valid = 0;
    for (int i = 0; i < 3; i++)
        if (r->came[i] && r->came[i] == r->now) {
            in->data_valid = 1;
            in->data_data = 0x3f8000003f800000u + (uint64_t)i;
        }
    r->out = golden_cycle(r->g, false, &r->in);
    if (r->out->buffer.bank_valid && r->out->buffer.bank_kind == RD) {
        assert_true(r->left < 3);
        r->came[r->left++] = r->now + r->l.CL + r->l.BL;
    }
    r->now++;
}

/* The packet, on edge 0; of each operand a burst, all in one row. */
static void launch(struct rank *r, int op) {
    struct nda_buffer_in *in = &r->in.buffer;
    int w = r->l.SPOT_W;
    in->packet_valid = 1;
    in->packet_op = (uint64_t)op;
    in->packet_length = 1;
    in->packet_tag = 5;
    for (int k = 0; k < 4; k++) {
        bits_or(in->packet_base, k * w, w, 4 + (uint64_t)k);
        bits_or(in->packet_last, k * w, w, 4 + (uint64_t)k);
    }
    assert_true(r->out->buffer.packet_ready);
    edge(r);
    in->packet_valid = 0;
}

/* The next command for the bank is this, and shown after that edge. */
static void expect(struct rank *r, int kind, int column, int at) {
    do {
        edge(r);
        assert_true(r->now < 400);
    } while (!r->out->buffer.bank_valid);
    assert_int_equal(r->out->buffer.bank_kind, kind);
    assert_int_equal(r->out->buffer.bank_column, column);
    assert_int_equal(r->now - 1, at);
}

/* COPY: the machine has its packet after edge 1 and opens the row on edge 3; a
 * command is near memory two edges later, and at the bank on the edge after. */
static void test_copy(void **state) {
    struct rank r;
    (void)state;
    open(&r, 44);
    launch(&r, COPY);
    expect(&r, ACT, 0, 6);
    expect(&r, RD, 4, 6 + 16);
    expect(&r, WR, 5, 22 + 44);
    while (!r.out->buffer.store_valid)
        edge(&r);
    assert_int_equal(r.now - 1, 66 + 12);
    assert_false(r.out->buffer.store_mask);
    assert_int_equal(r.out->buffer.store_data, 0x3f8000003f800000u);
    while (!r.out->buffer.ended_valid) {
        edge(&r);
        assert_true(r.now < 400);
    }
    assert_int_equal(r.out->buffer.ended_tag, 5);
    assert_int_equal(r.out->buffer.ended_cause, 0);
    assert_false(r.out->buffer.wrong_late);
    golden_free(r.g);
}

/* Three operands of a word each, one step behind the other: the case in which
 * the element is the most behind.  With scalars of zero and words about one the
 * result is zero, and not masked. */
static void test_three_steps_of_a_word(void **state) {
    (void)state;
    for (int less = 0; less < 2; less++) {
        struct rank r;
        open(&r, less ? 34 : 44);
        launch(&r, AXPBYPCZ);
        while (!r.out->buffer.store_valid) {
            edge(&r);
            assert_true(r.now < 400);
        }
        assert_int_equal(r.left, 3);
        assert_int_equal(r.out->buffer.store_mask, less);
        assert_int_equal(r.out->buffer.wrong_late, less);
        golden_free(r.g);
    }
}

/* DOT of many batches, its operands in two banks and nobody beside it: no turn
 * of a row gives the element time, and it keeps up. */
static void test_long_dot_of_two_banks(void **state) {
    (void)state;
    enum { LENGTH = 40 * 128, DOT = 5 };
    struct rank r;
    uint64_t due[64] = {0};
    int reads = 0, last_read = 0;
    unsigned first = 0, last = 0;
    open(&r, 44);
    struct nda_buffer_in *in = &r.in.buffer;
    int w = r.l.SPOT_W;
    in->packet_valid = 1;
    in->packet_op = DOT;
    in->packet_length = LENGTH;
    bits_or(in->packet_base, w, w, UINT64_C(1) << (w - 1));
    for (int k = 0; k < 4; k++)
        bits_or(in->packet_last, k * w, w, (UINT64_C(1) << w) - 1);
    for (int now = 0; !r.out->buffer.ended_valid; now++) {
        in->data_valid = first != last && due[first % 64] == (uint64_t)now;
        first += (unsigned)in->data_valid;
        r.out = golden_cycle(r.g, false, &r.in);
        in->packet_valid = 0;
        assert_false(r.out->buffer.wrong_lost);
        if (r.out->buffer.bank_valid && r.out->buffer.bank_kind == RD) {
            due[last++ % 64] = (uint64_t)(now + r.l.CL + r.l.BL);
            last_read = now;
            reads++;
        }
        assert_true(now < 100000);
    }
    assert_int_equal(reads, 2 * LENGTH);
    assert_in_range(last_read, 2 * LENGTH * 6, 2 * LENGTH * 6 + 100);
    assert_int_equal(r.out->buffer.ended_cause, 0);
    golden_free(r.g);
}

/* --- times that do not fit ------------------------------------------------ */

static void refused(struct config *c, const char *says) {
    struct diag d = {0};
    assert_false(iface_check(&nda_rank_iface, c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, says));
    free(got);
    diag_free(&d);
}

static void test_times(void **state) {
    struct config c;
    (void)state;
    config_defaults(&c);
    c.nda_control_result = 43;
    refused(&c, "'nda_control.result' is too short for the element");
    config_defaults(&c);
    c.timing_ccdl = 5;
    c.timing_ccds = 4;
    refused(&c, "it falls behind with each word of a sum");
    config_defaults(&c);
    c.dram_column_bits = 8; /* a row is two batches, and no time to turn it */
    refused(&c, "it falls behind with each batch of a sum");
    config_defaults(&c);
    c.nda_control_write_buffer = 64;
    refused(&c, "must be equal");
    config_defaults(&c);
    c.nda_buffer_address_bits = 26;
    refused(&c, "'nda_buffer.address_bits' and 'nda_pe.address_bits'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_three_steps_of_a_word),
        cmocka_unit_test(test_long_dot_of_two_banks),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
