/* test_stim.c - the environment of a core's port on the banks notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bank_port/bank_port.h"
#include "bank_port/stim.h"
#include "base/bits.h"
#include "blocks/bank_port.h"

#define LIAR_BLOCK bank_port
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA struct bank_port_out late;
#include "tests/common/stim_liar.h"

static const char spaced[] = "--target bank_port --preset small --cycles 20000";
static const char small[] = "--target bank_port --preset small --cycles 20000 "
                            "--set bank_port.interval=1";
static const char wide[] = "--target bank_port --preset mpu --cycles 40000";

enum { ID_W = 3, OWN_W = 28, WORDS = 2 }; /* of preset small */

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "bank_port.units=4",   "bank_port.units=16",  "bank_port.sector=16",
        "bank_port.sector=32", "bank_port.line=8",    "bank_port.line=4096",
        "bank_port.id_bits=1", "bank_port.id_bits=6",
    };
    (void)state;
    expect_all_covers(spaced);
    expect_green(small, "mismatches 0");
    expect_all_covers(wide);
    expect_all_covers("--target bank_port --preset small --cycles 6000 "
                      "--stim directed");
    expect_all_covers("--target bank_port --preset mpu --cycles 12000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches 0");
    }
    expect_deterministic(small);
}

/* --- requests at the units ------------------------------------------------ */

/* Unit 0 shows a request, and not one of before the lies began. */
static bool shows(struct liar *l, const struct bank_port_out *o) {
    l->told |= !(l->last.mem_valid & 1) || (l->in.mem_ready & 1);
    return l->told && o->mem_valid & 1;
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct bank_port_out *o) {                \
        if (shows(l, o) && (when))                                             \
            o->field ^= (bits);                                                \
    }
LIE(other_id, true, mem_id[0], 7)
LIE(other_sector, true, mem_address[0], 1)
LIE(other_top, true, mem_address[0], bit(OWN_W - 1))
LIE(other_kind, true, mem_store, 1)
LIE(loads_for_stores, o->mem_store & 1, mem_store, 1)
LIE(other_words, o->mem_store & 1, mem_strobe[0], 2)
LIE(words_of_loads, !(o->mem_store & 1), mem_strobe[0], 2)
LIE(other_byte, o->mem_store & 1, mem_data[0], bit(63))
LIE(data_of_loads, !(o->mem_store & 1), mem_data[0], 1)
#undef LIE

static void nothing_at(struct bank_port_out *o, int unit) {
    o->mem_valid &= ~bit(unit);
    o->mem_store &= ~bit(unit);
    o->mem_id[0] &= ~(ones(ID_W) << unit * ID_W);
    o->mem_address[0] &= ~(ones(OWN_W) << unit * OWN_W);
    o->mem_strobe[0] &= ~(ones(WORDS) << unit * WORDS);
    o->mem_data[unit] = 0;
}

static void no_request(struct liar *l, struct bank_port_out *o) {
    if (shows(l, o))
        nothing_at(o, 0);
}

/* What is at unit 1 alone is shown at unit 0. */
static void wrong_unit(struct liar *l, struct bank_port_out *o) {
    l->told |= !l->last.mem_valid;
    if (!l->told || o->mem_valid != 2)
        return;
    o->mem_valid = 1;
    o->mem_store >>= 1;
    o->mem_id[0] >>= ID_W;
    o->mem_address[0] >>= OWN_W;
    o->mem_strobe[0] >>= WORDS;
    o->mem_data[0] = o->mem_data[1];
    o->mem_data[1] = 0;
}

/* A request that was taken is shown again. */
static void twice(struct liar *l, struct bank_port_out *o) {
    bool again = l->last.mem_valid == 1 && l->in.mem_ready & 1;
    if (!again || o->mem_valid)
        return;
    o->mem_valid = 1;
    o->mem_store = l->last.mem_store;
    memcpy(o->mem_id, l->last.mem_id, sizeof o->mem_id);
    memcpy(o->mem_address, l->last.mem_address, sizeof o->mem_address);
    memcpy(o->mem_strobe, l->last.mem_strobe, sizeof o->mem_strobe);
    memcpy(o->mem_data, l->last.mem_data, sizeof o->mem_data);
}

static void not_zero(struct liar *l, struct bank_port_out *o) {
    (void)l;
    if (!(o->mem_valid & 1))
        o->mem_data[0] = 1;
}

static bool waits(const struct liar *l) {
    return l->last.mem_valid & 1 && !(l->in.mem_ready & 1);
}

static void changes(struct liar *l, struct bank_port_out *o) {
    if (waits(l))
        o->mem_address[0] ^= 1;
}

static void taken_back(struct liar *l, struct bank_port_out *o) {
    if (waits(l))
        nothing_at(o, 0);
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_id, small, "unit 0: request ");
    expect_caught(other_sector, small, " is for sector ");
    expect_caught(other_top, small, " is for sector ");
    expect_caught(other_kind, small, "unit 0: request ");
    expect_caught(loads_for_stores, small, " is a load");
    expect_caught(other_words, small, " has the words ");
    expect_caught(words_of_loads, small, " has the words ");
    expect_caught(other_byte, small, "unit 0: byte 7 of request ");
    expect_caught(data_of_loads, small, "unit 0: byte 0 of request ");
    expect_caught(no_request, small, "could go, and does not");
    expect_caught(wrong_unit, small, " is one for unit 1");
    expect_caught(twice, small, ", which nobody makes");
    expect_caught(not_zero, small, "unit 0 shows something without a request");
    expect_caught(changes, small, "changes before it is taken");
    expect_caught(taken_back, small, "changes before it is taken");
}

/* --- responses ------------------------------------------------------------ */

static void other_data(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->rsp_data[0] ^= o->rsp_valid << 63;
}

static void other_response(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->rsp_id ^= o->rsp_valid * 7;
}

static void no_fault(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->rsp_fault = 0;
}

static void a_fault(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->rsp_fault = o->rsp_valid;
}

static void respond(struct bank_port_out *o, const struct bank_port_out *from) {
    o->rsp_valid = from->rsp_valid;
    o->rsp_id = from->rsp_id;
    o->rsp_fault = from->rsp_fault;
    memcpy(o->rsp_data, from->rsp_data, sizeof o->rsp_data);
}

static void no_response(struct liar *l, struct bank_port_out *o) {
    static const struct bank_port_out none;
    (void)l;
    respond(o, &none);
}

static void again(struct liar *l, struct bank_port_out *o) {
    if (l->last.rsp_valid && !o->rsp_valid)
        respond(o, &l->last);
}

/* An edge after its time, once there is none that stands before. */
static void late(struct liar *l, struct bank_port_out *o) {
    struct bank_port_out now = *o;
    if (l->told)
        respond(o, &l->late);
    l->told |= !now.rsp_valid;
    l->late = now;
}

static void not_zero_either(struct liar *l, struct bank_port_out *o) {
    (void)l;
    if (!o->rsp_valid)
        o->rsp_data[0] = 1;
}

static void test_responses(void **state) {
    (void)state;
    expect_caught(other_data, small, "byte 7 of the response to ");
    expect_caught(other_data, wide, "byte 7 of the response to ");
    expect_caught(other_response, small, "response to ");
    expect_caught(no_fault, small, " has no fault");
    expect_caught(a_fault, small, " has a fault");
    expect_caught(no_response, small, " has an answer, and no response");
    expect_caught(again, small, "a response to ");
    expect_caught(late, small, " has an answer, and no response");
    expect_caught(again, spaced, " comes before the gap is over");
    expect_caught(not_zero_either, small,
                  "'rsp_data' is not zero while there is nothing");
}

/* --- the core's handshake ------------------------------------------------- */

static void never_ready(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->req_ready = 0;
}

static void always_ready(struct liar *l, struct bank_port_out *o) {
    (void)l;
    o->req_ready = 1;
}

static void test_ready(void **state) {
    (void)state;
    expect_caught(never_ready, small, "refused, and there is room");
    expect_caught(always_ready, small, "taken, and there is no room");
}

/* --- what the model hears ------------------------------------------------- */

#define HEARS(name, what)                                                      \
    static void name(struct liar *l, bool rst, struct bank_port_in *in) {      \
        (void)rst;                                                             \
        if (l->edge > lie_after)                                               \
            what;                                                              \
    }
HEARS(deaf, in->req_valid = 0)
HEARS(other_op, in->req_op ^= in->req_op == 4 || in->req_op == 5)
HEARS(as_store, in->req_op = in->req_op > 11 ? 1 : in->req_op)
HEARS(as_load, in->req_op = in->req_op == 1 ? 0 : in->req_op)
HEARS(always_swaps, in->req_op = in->req_op == 11 ? 10 : in->req_op)
HEARS(no_signs, in->req_op += 2 * (in->req_op == 3 || in->req_op == 4))
HEARS(no_compare, in->req_compare ^= 1)
HEARS(one_strobe_less, in->req_strobe &= ~bit(5))
HEARS(all_strobes, in->req_strobe = in->req_op == 1 ? 255 : in->req_strobe)
HEARS(line_bit, in->req_address ^= 1)
HEARS(unit_bit, in->req_address ^= 4)
HEARS(top_bit, in->req_address ^= bit(28))
HEARS(next_id, in->req_id ^= 1)
HEARS(store_data, in->req_data[0] ^= bit(40))
HEARS(read_data, in->back_data[1] ^= bit(7))
HEARS(fault_heard, in->back_fault = 0)
HEARS(fault_made, in->back_fault |= in->back_valid & 1)
HEARS(no_back, in->back_valid &= ~bit(1))
HEARS(ready_heard, in->mem_ready |= 2)
HEARS(ready_unheard, in->mem_ready &= ~bit(1))
#undef HEARS

static void test_hears(void **state) {
    static const struct {
        void (*what)(struct liar *l, bool rst, struct bank_port_in *in);
        const char *says;
    } lies[] = {
        {deaf, "request "}, /* does not go, or leaves room */
        {other_op, ", expected "},
        {as_store, "unit "},
        {as_load, " is a load"},
        {always_swaps, ", expected "},
        {no_signs, ", expected "},
        {no_compare, ", expected "},
        {one_strobe_less, "unit "},
        {all_strobes, "unit "},
        {line_bit, " is for sector "},
        {unit_bit, " is one for unit "},
        {top_bit, " is for sector "},
        {next_id, "unit "},
        {store_data, ", expected "},
        {read_data, ", expected "},
        {fault_heard, " has no fault"},
        {fault_made, " has a fault"},
        {no_back, "request "}, /* no store of a change, or no response */
        {ready_heard, "changes before it is taken"},
        {ready_unheard, "unit 1: request "},
    };
    (void)state;
    for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n++) {
        hears = lies[n].what;
        expect_caught(NULL, small, lies[n].says);
    }
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target bank_port --set bank_port.units=3",
                   "bank_port.units");
    expect_refused("--target bank_port --set bank_port.id_bits=7",
                   "bank_port.id_bits");
    expect_refused("--target bank_port --set bank_port.sector=32 "
                   "--set bank_port.line=16",
                   "'bank_port.line' must be a sector");
}

static int begin(void **state) {
    (void)state;
    lie_after = 500;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_requests, begin),
        cmocka_unit_test_setup(test_responses, begin),
        cmocka_unit_test_setup(test_ready, begin),
        cmocka_unit_test_setup(test_hears, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests_name("test_stim", tests, NULL, NULL);
}
