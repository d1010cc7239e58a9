/* test_gate.c - the golden model of the gate, edge by edge as
 * docs/blocks/gate.md has it: what each message becomes, at the paper's sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/gate.h"
#include "gate/gate.h"

#include <string.h>

enum { HERE = 17, CORE = 41 }; /* nodes (1,2) and (1,5) */
enum { LOAD, BRING, STORE, RESULT, BITS, BACK };

/* Lines of 128 bytes go round the memory nodes: the fifth and sixth. */
enum { AT_46 = 5 * 128, AT_48 = 6 * 128 };

struct unit {
    struct golden *g;
    struct gate_local l;
    struct gate_in in;
    const struct gate_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u) {
    struct config c;
    config_defaults(&c);
    memset(u, 0, sizeof *u);
    u->l = gate_local(&c);
    u->g = golden_create(&gate_golden, &c);
    u->in.at_node = HERE;
    u->in.ask_ready = u->in.reply_ready = u->in.come_ready = u->in.want_ready =
        u->in.ans_ready = u->in.result_ready = 1;
    u->out = golden_cycle(u->g, true, &u->in);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* A head by its fields, in the order of the note. */
struct head {
    uint64_t kind, back, number, second, type, address, mask;
};

static void lay(const struct unit *u, struct head h, uint64_t *flit) {
    int at = 1;
    memset(flit, 0, 4 * sizeof *flit);
    bits_put(flit, &at, 3, h.kind);
    bits_put(flit, &at, u->l.NODE_W, h.back);
    bits_put(flit, &at, 7, h.number);
    bits_put(flit, &at, 1, h.second);
    bits_put(flit, &at, 3, h.type);
    bits_put(flit, &at, u->l.ADDR_W, h.address);
    bits_put(flit, &at, u->l.MASK_W, h.mask);
    assert_int_equal(at, u->l.HEAD_W);
}

#define assert_ask(u, h, ends, to)                                             \
    do {                                                                       \
        uint64_t flit_[4];                                                     \
        lay(u, h, flit_);                                                      \
        assert_int_equal((u)->out->ask_valid, 1);                              \
        assert_int_equal((u)->out->ask_last, ends);                            \
        assert_int_equal((u)->out->ask_x, (to) % 8);                           \
        assert_int_equal((u)->out->ask_y, (to) / 8);                           \
        assert_memory_equal((u)->out->ask_data, flit_, sizeof flit_);          \
    } while (0)
#define assert_reply(u, h, ends, to)                                           \
    do {                                                                       \
        uint64_t flit_[4];                                                     \
        lay(u, h, flit_);                                                      \
        assert_int_equal((u)->out->reply_valid, 1);                            \
        assert_int_equal((u)->out->reply_last, ends);                          \
        assert_int_equal((u)->out->reply_x, (to) % 8);                         \
        assert_int_equal((u)->out->reply_y, (to) / 8);                         \
        assert_memory_equal((u)->out->reply_data, flit_, sizeof flit_);        \
    } while (0)

/* A word of a packet that comes, and the edge on which it is used. */
static void give_request(struct unit *u, const uint64_t *flit, bool last) {
    assert_int_equal(u->out->asked_ready, 1);
    u->in.asked_valid = 1;
    u->in.asked_last = last;
    memcpy(u->in.asked_data, flit, sizeof u->in.asked_data);
    edge(u);
    u->in.asked_valid = 0;
    assert_int_equal(u->out->asked_ready, 0);
}

static void give_answer(struct unit *u, const uint64_t *flit, bool last) {
    assert_int_equal(u->out->replied_ready, 1);
    u->in.replied_valid = 1;
    u->in.replied_last = last;
    memcpy(u->in.replied_data, flit, sizeof u->in.replied_data);
    edge(u);
    u->in.replied_valid = 0;
    assert_int_equal(u->out->replied_ready, 0);
}

static void test_load(void **state) {
    struct unit u;
    uint64_t flit[4];
    (void)state;
    open_unit(&u);
    u.in.load_valid = 1;
    u.in.load_place = 95;
    u.in.load_second = 1;
    u.in.load_address = AT_46 + 4;
    u.in.load_type = 2;
    u.in.load_mask = 0xff;
    assert_int_equal(u.out->load_ready, 1);
    edge(&u);
    u.in.load_valid = 0;
    edge(&u);
    assert_int_equal(u.out->ask_valid, 0);
    edge(&u);
    struct head h = {LOAD, HERE, 95, 1, 2, AT_46 + 4, 0xff};
    assert_ask(&u, h, 1, 46);
    edge(&u);
    assert_int_equal(u.out->ask_valid, 0);
    /* its operand: a head and four beats */
    lay(&u, (struct head){.kind = LOAD, .number = 95, .second = 1}, flit);
    give_answer(&u, flit, false);
    edge(&u);
    for (int i = 0; i < u.l.BEATS; i++) {
        uint64_t beat[4] = {(uint64_t)i + 1, 2, 3, 4};
        give_answer(&u, beat, i == 3);
        assert_int_equal(u.out->mark_valid, 0);
        edge(&u);
    }
    assert_int_equal(u.out->mark_valid, 1);
    assert_int_equal(u.out->mark_place, 95);
    assert_int_equal(u.out->mark_second, 1);
    u.in.fetch_valid = 1;
    u.in.fetch_place = 95;
    u.in.fetch_second = 1;
    edge(&u);
    u.in.fetch_valid = 0;
    assert_int_equal(u.out->mark_valid, 0);
    assert_int_equal(u.out->fetch_ready, 0);
    assert_int_equal(u.out->data_valid, 0);
    for (int i = 0; i < u.l.BEATS; i++) {
        edge(&u);
        assert_int_equal(u.out->data_valid, 1);
        assert_int_equal(u.out->data_data[0], i + 1);
        assert_int_equal(u.out->data_data[3], 4);
    }
    assert_int_equal(u.out->fetch_ready, 1);
    edge(&u);
    assert_int_equal(u.out->data_valid, 0);
    close_unit(&u);
}

/* A result of four beats, then the acknowledgement that says whose it is; the
 * memory node answers that core. */
static void test_store(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.store_valid = 1;
    u.in.store_address = AT_48;
    u.in.store_mask = 0x81;
    for (int i = 0; i < u.l.BEATS; i++) {
        assert_int_equal(u.out->store_ready, 1);
        u.in.store_last = i == 3;
        u.in.store_data[0] = (uint64_t)i + 7;
        edge(&u);
    }
    u.in.store_valid = 0;
    assert_int_equal(u.out->store_ready, 0);
    u.in.give_valid = u.in.give_last = 1;
    u.in.give_core = CORE;
    u.in.give_entry = 9;
    u.in.give_kind = GATE_ACK;
    edge(&u);
    u.in.give_valid = 0;
    edge(&u); /* at the output of the queue */
    edge(&u); /* the store is named */
    assert_int_equal(u.out->ask_valid, 0);
    edge(&u);
    struct head h = {STORE, CORE, 9, 0, 0, AT_48, 0x81818181};
    assert_ask(&u, h, 0, 48);
    for (int i = 0; i < u.l.BEATS; i++) {
        edge(&u);
        assert_int_equal(u.out->ask_valid, 1);
        assert_int_equal(u.out->ask_last, i == 3);
        assert_int_equal(u.out->ask_data[0], i + 7);
    }
    assert_int_equal(u.out->store_ready, 1);
    edge(&u);
    assert_int_equal(u.out->ask_valid, 0);
    assert_int_equal(u.out->reply_valid, 0);
    close_unit(&u);
}

/* What comes to a memory node: a load for somebody's place, then a store. */
static void test_memory(void **state) {
    struct unit u;
    uint64_t flit[4];
    (void)state;
    open_unit(&u);
    lay(&u, (struct head){LOAD, CORE, 3, 1, 1, AT_46, 0xf}, flit);
    give_request(&u, flit, true);
    edge(&u);
    assert_int_equal(u.out->want_valid, 1);
    assert_int_equal(u.out->want_store, 0);
    assert_int_equal(u.out->want_last, 1);
    assert_int_equal(u.out->want_address, AT_46);
    assert_int_equal(u.out->want_mask, 0xf);
    edge(&u);
    assert_int_equal(u.out->want_valid, 0);
    u.in.bring_valid = 1;
    u.in.bring_data[0] = 5;
    edge(&u); /* the first beat is taken, */
    u.in.bring_data[0] = 6;
    edge(&u); /* is the oldest one */
    assert_int_equal(u.out->reply_valid, 0);
    u.in.bring_data[0] = 7;
    edge(&u);
    struct head first = {.kind = LOAD, .number = 3, .second = 1};
    assert_reply(&u, first, 0, CORE);
    assert_int_equal(u.out->bring_ready, 0); /* two behind the oldest */
    u.in.bring_data[0] = 8;
    u.in.bring_last = 1;
    for (int i = 0; i < u.l.BEATS; i++) {
        edge(&u);
        u.in.bring_valid = i < 1;
        assert_int_equal(u.out->reply_valid, 1);
        assert_int_equal(u.out->reply_data[0], i + 5);
        assert_int_equal(u.out->reply_last, i == 3);
    }
    edge(&u);
    assert_int_equal(u.out->reply_valid, 0);
    lay(&u, (struct head){STORE, CORE, 8, 0, 0, AT_48, 1}, flit);
    give_request(&u, flit, false);
    edge(&u);
    assert_int_equal(u.out->want_valid, 0);
    for (int i = 0; i < u.l.BEATS; i++) {
        uint64_t beat[4] = {(uint64_t)i + 1};
        give_request(&u, beat, i == 3);
        assert_int_equal(u.out->want_valid, 1);
        assert_int_equal(u.out->want_store, 1);
        assert_int_equal(u.out->want_last, i == 3);
        assert_int_equal(u.out->want_data[0], i + 1);
        edge(&u);
    }
    edge(&u);
    assert_int_equal(u.out->reply_valid, 0);
    u.in.bring_valid = u.in.bring_last = 1;
    edge(&u);
    u.in.bring_valid = 0;
    edge(&u);
    edge(&u);
    struct head h = {.kind = STORE, .number = 8};
    assert_reply(&u, h, 1, CORE);
    close_unit(&u);
}

/* A load that there is no room for goes back to its core, whose gate asks for
 * it and gives it to core and offload queue. */
static void test_back(void **state) {
    struct unit u;
    uint64_t flit[4];
    (void)state;
    open_unit(&u);
    u.in.load_valid = u.in.load_away = 1;
    u.in.load_core = CORE;
    u.in.load_entry = 47;
    u.in.load_address = AT_48;
    u.in.load_mask = 3;
    edge(&u);
    u.in.load_valid = 0;
    edge(&u);
    edge(&u);
    struct head h = {.kind = BACK, .number = 47, .address = AT_48, .mask = 3};
    assert_reply(&u, h, 1, CORE);
    assert_int_equal(u.out->ask_valid, 0);
    edge(&u);
    h.number = 11;
    lay(&u, h, flit);
    give_answer(&u, flit, true);
    edge(&u); /* the head is used, */
    edge(&u); /* enters the queue, */
    edge(&u); /* is its oldest */
    assert_int_equal(u.out->ask_valid, 0);
    edge(&u);
    h.kind = BRING;
    h.back = HERE;
    assert_ask(&u, h, 1, 48);
    for (int i = 0; i < 4; i++) { /* once */
        edge(&u);
        assert_int_equal(u.out->ask_valid, 0);
    }
    lay(&u, (struct head){.kind = BRING, .number = 11}, flit);
    give_answer(&u, flit, false);
    edge(&u);
    for (int i = 0; i < u.l.BEATS; i++) {
        uint64_t beat[4] = {(uint64_t)i + 1};
        give_answer(&u, beat, i == 3);
        assert_int_equal(u.out->result_valid, 1);
        assert_int_equal(u.out->result_loaded, 1);
        assert_int_equal(u.out->result_entry, 11);
        assert_int_equal(u.out->result_last, i == 3);
        assert_int_equal(u.out->result_data[0], i + 1);
        assert_int_equal(u.out->ans_valid, 0);
        edge(&u);
    }
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_kind, GATE_LOADED);
    assert_int_equal(u.out->ans_entry, 11);
    edge(&u);
    assert_int_equal(u.out->ans_valid, 0);
    close_unit(&u);
}

/* The bits of a comparison, from one end to the other. */
static void test_bits(void **state) {
    struct unit u;
    uint64_t flit[4];
    (void)state;
    open_unit(&u);
    u.in.give_valid = u.in.give_last = 1;
    u.in.give_core = CORE;
    u.in.give_entry = 2;
    u.in.give_kind = GATE_BITMAP;
    u.in.give_bits = 0x1234;
    edge(&u);
    u.in.give_valid = 0;
    edge(&u);
    edge(&u);
    struct head h = {.kind = BITS, .number = 2, .mask = 0x1234};
    assert_reply(&u, h, 1, CORE);
    lay(&u, h, flit);
    give_answer(&u, flit, true);
    edge(&u);
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_kind, GATE_BITMAP);
    assert_int_equal(u.out->ans_bits, 0x1234);
    close_unit(&u);
}

/* ComputePackets go through as they are, in either direction. */
static void test_compute(void **state) {
    struct unit u;
    uint64_t flit[4] = {0x10f1, 2, 3, 4};
    (void)state;
    open_unit(&u);
    give_request(&u, flit, true);
    assert_int_equal(u.out->come_valid, 1);
    assert_int_equal(u.out->come_last, 1);
    assert_memory_equal(u.out->come_data, flit, sizeof flit);
    edge(&u);
    assert_int_equal(u.out->come_valid, 0);
    u.in.pack_valid = u.in.pack_last = 1;
    u.in.pack_node = CORE;
    memcpy(u.in.pack_data, flit, sizeof flit);
    edge(&u);
    u.in.pack_valid = 0;
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->ask_valid, 1);
    assert_int_equal(u.out->ask_x, 1);
    assert_int_equal(u.out->ask_y, 5);
    assert_memory_equal(u.out->ask_data, flit, sizeof flit);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),   cmocka_unit_test(test_store),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_back),
        cmocka_unit_test(test_bits),   cmocka_unit_test(test_compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
