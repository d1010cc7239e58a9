/* test_nodes.c - chains of one core through the nodes that take part in them:
 * the core of the paper's second scenario, its meet node and three memory
 * nodes, each with all of its queues, joined by wires without a mesh.  What is
 * in memory at the end, and how many hops and flit-hops it took, by packets
 * that the nodes made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "structs.h"

#include <stdlib.h>
#include <string.h>

/* In the numbers of the mesh: the paper's core 15, its LLCs 5, 6 and 7, and the
 * node where the operands of the first two meet. */
enum { CORE = 17, MEET = 41, MEM_A = 46, MEM_B = 48, MEM_C = 60 };
enum { NODES = 64, LANES = 32, LINE = 128, WORDS = 8 * LINE, LONG = 2000 };
enum { A = 5 * LINE, B = 6 * LINE, C = 7 * LINE }; /* addresses */
enum { REQUEST, ANSWER, CLASSES };

struct moved {
    uint64_t last, data[4];
};

/* What goes somewhere, the oldest at head. */
struct way {
    struct moved word[256];
    unsigned head, tail;
};

struct stand {
    struct golden *g; /* NULL: nobody is there */
    struct node_in in;
    const struct node_out *out;
    struct way leaves[CLASSES]; /* of a packet that is not yet whole */
    struct way comes[CLASSES], brought;
    int beat; /* of a store */
};

struct world {
    struct stand at[NODES];
    bool slow; /* the memories take nothing */
    uint32_t memory[WORDS];
    int hops, flit_hops, flits; /* flits: of the core's requests */
    uint32_t got[2][LANES];     /* at the core: the result, or loads */
    int beats[2], ends, loads;
    struct oqueue_out said, ended, load; /* when there was one last */
};

static void push(struct way *w, const struct moved *m) {
    assert_true(w->tail - w->head < 256);
    w->word[w->tail++ % 256] = *m;
}

static struct moved pop(struct way *w) {
    assert_true(w->head != w->tail);
    return w->word[w->head++ % 256];
}

/* The oldest word stands there. */
static bool show(const struct way *w, uint64_t *last, uint64_t *data) {
    struct moved m = {0};
    bool there = w->head != w->tail;
    if (there)
        m = w->word[w->head % 256];
    *last = m.last;
    memcpy(data, m.data, sizeof m.data);
    return there;
}

static int distance(int a, int b) {
    return abs(a % 8 - b % 8) + abs(a / 8 - b / 8);
}

/* Packets arrive whole, as those of a mesh on one virtual channel. */
static void carry(struct world *w, int from, int to, int class,
                  const uint64_t *data, bool last) {
    struct way *leaves = &w->at[from].leaves[class];
    struct moved m = {.last = last};
    assert_non_null(w->at[to].g);
    memcpy(m.data, data, sizeof m.data);
    push(leaves, &m);
    w->flit_hops += distance(from, to);
    w->flits += from == CORE && class == REQUEST;
    if (!last)
        return;
    w->hops += distance(from, to);
    while (leaves->head != leaves->tail) {
        m = pop(leaves);
        push(&w->at[to].comes[class], &m);
    }
}

static void serve(struct world *w, struct stand *p, const struct gate_out *o) {
    uint32_t *word = &w->memory[o->want_address / 4];
    assert_true(o->want_address / 4 + LANES <= WORDS);
    for (int beat = 0; beat < LANES / 8 && !o->want_store; beat++) {
        struct moved m = {.last = beat + 1 == LANES / 8};
        for (int k = 0; k < 8; k++)
            bits_set_lane(m.data, k, word[8 * beat + k]);
        push(&p->brought, &m);
    }
    if (!o->want_store)
        return;
    for (int k = 0; k < 8; k++)
        if (o->want_mask >> (8 * p->beat + k) & 1)
            word[8 * p->beat + k] = bits_lane(o->want_data, k);
    p->beat = o->want_last ? 0 : p->beat + 1;
    if (o->want_last)
        push(&p->brought, &(struct moved){.last = true});
}

/* What stands on the wires of a node before the edge, and is taken on it. */
static void move(struct world *w, int n) {
    struct stand *p = &w->at[n];
    struct gate_in *in = &p->in.gate;
    const struct gate_out *o = &p->out->gate;
    int asked = (int)(8 * o->ask_y + o->ask_x);
    int replied = (int)(8 * o->reply_y + o->reply_x);
    if (in->asked_valid && o->asked_ready)
        pop(&p->comes[REQUEST]);
    if (in->replied_valid && o->replied_ready)
        pop(&p->comes[ANSWER]);
    if (in->bring_valid && o->bring_ready)
        pop(&p->brought);
    if (o->ask_valid)
        carry(w, n, asked, REQUEST, o->ask_data, o->ask_last);
    if (o->reply_valid)
        carry(w, n, replied, ANSWER, o->reply_data, o->reply_last);
    if (o->want_valid && in->want_ready)
        serve(w, p, o);
    if (o->result_valid) {
        uint64_t which = o->result_second;
        assert_int_equal(n, CORE);
        for (int k = 0; k < 8; k++)
            w->got[which][8 * w->beats[which] + k] =
                bits_lane(o->result_data, k);
        w->beats[which] = o->result_last ? 0 : w->beats[which] + 1;
    }
}

static void look(struct world *w) {
    const struct oqueue_out *o = &w->at[CORE].out->offload;
    if (o->said_valid)
        w->said = *o;
    if (o->load_valid) {
        w->load = *o;
        w->loads++;
    }
    if (o->done_valid) {
        w->ended = *o;
        w->ends++;
    }
}

static void edge(struct world *w) {
    for (int n = 0; n < NODES; n++) {
        struct stand *p = &w->at[n];
        struct gate_in *in = &p->in.gate;
        if (!p->g)
            continue;
        in->want_ready = !w->slow;
        in->asked_valid =
            show(&p->comes[REQUEST], &in->asked_last, in->asked_data);
        in->replied_valid =
            show(&p->comes[ANSWER], &in->replied_last, in->replied_data);
        in->bring_valid = show(&p->brought, &in->bring_last, in->bring_data);
    }
    for (int n = 0; n < NODES; n++)
        if (w->at[n].g)
            move(w, n);
    for (int n = 0; n < NODES; n++)
        if (w->at[n].g)
            w->at[n].out = golden_cycle(w->at[n].g, false, &w->at[n].in);
    look(w);
}

static uint32_t value(int word) {
    return (uint32_t)word * 2654435761u;
}

static struct world *open_world(int entries) {
    static const int there[] = {CORE, MEET, MEM_A, MEM_B, MEM_C};
    struct world *w = calloc(1, sizeof *w);
    struct config c;
    config_defaults(&c);
    c.omni_entries = entries;
    assert_non_null(w);
    for (int i = 0; i < WORDS; i++)
        w->memory[i] = value(i);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        struct stand *p = &w->at[there[i]];
        p->g = golden_create(golden_find("omni"), &c);
        p->in.offload.at_core = p->in.gate.at_node = (uint64_t)there[i];
        p->in.offload.load_ready = p->in.offload.done_ready = 1;
        p->in.gate.ask_ready = p->in.gate.reply_ready = 1;
        p->in.gate.result_ready = 1;
        p->out = golden_cycle(p->g, true, &p->in);
    }
    return w;
}

static void close_world(struct world *w) {
    for (int n = 0; n < NODES; n++)
        golden_free(w->at[n].g);
    free(w);
}

/* How many places the meet node's service queue may use. */
static void set_places(struct world *w, uint64_t places) {
    struct stand *p = &w->at[MEET];
    struct omni_in *in = &p->in.own;
    const struct design *d = golden_design(p->g);
    in->wb_cyc = in->wb_stb = in->wb_we = 1;
    in->wb_adr = (uint64_t)system_instance(d, OMNI_service)->region
                     << system_offset_bits(d) |
                 (REG_FIRST + SQUEUE_SET_places);
    in->wb_sel = 15;
    in->wb_dat_w = places;
    for (int i = 0; i < 8 && !p->out->own.wb_ack; i++)
        edge(w);
    assert_int_equal(p->out->own.wb_ack, 1);
    in->wb_cyc = in->wb_stb = in->wb_we = 0;
    edge(w);
}

/* An instruction of a chain, and what the core does with it. */
static uint64_t op(struct world *w, uint64_t tag, uint64_t kind, int address,
                   uint64_t mask, bool hit) {
    struct stand *p = &w->at[CORE];
    struct oqueue_in *in = &p->in.offload;
    for (int i = 0; i < 8 && !p->out->offload.op_ready; i++)
        edge(w);
    assert_int_equal(p->out->offload.op_ready, 1);
    w->said.said_valid = 0;
    in->op_valid = 1;
    in->op_tag = tag;
    in->op_kind = kind;
    in->op_address = (uint64_t)address;
    in->op_mem = (uint64_t)(address / LINE % 8);
    in->op_mask = mask;
    in->op_hit = hit;
    in->op_code = kind == OQUEUE_ALU ? OQUEUE_ADD : 0;
    in->op_type = OQUEUE_U32;
    edge(w);
    in->op_valid = 0;
    for (int i = 0; i < 20 && !w->said.said_valid; i++)
        edge(w);
    assert_int_equal(w->said.said_valid, 1);
    return w->said.said_what;
}

/* c = a + b leaves. */
static void leave(struct world *w, uint64_t mask) {
    assert_int_equal(op(w, 1, OQUEUE_LOAD, A, mask, false), OQUEUE_TAKEN);
    assert_int_equal(op(w, 2, OQUEUE_LOAD, B, mask, false), OQUEUE_TAKEN);
    assert_int_equal(op(w, 2, OQUEUE_ALU, 0, mask, false), OQUEUE_TAKEN);
    assert_int_equal(op(w, 3, OQUEUE_STORE, C, mask, false), OQUEUE_WAITS);
}

/* Until so many chains have ended, and a while longer. */
static void until(struct world *w, int ends) {
    for (int i = 0; i < LONG && w->ends < ends; i++)
        edge(w);
    assert_int_equal(w->ends, ends);
    for (int i = 0; i < 50; i++)
        edge(w);
    assert_int_equal(w->ends, ends);
}

/* c holds the sums in these lanes, and what it held before in the others. */
static void expect_sums(const struct world *w, uint64_t mask) {
    for (int i = 0; i < LANES; i++)
        assert_true(w->memory[C / 4 + i] ==
                    (mask >> i & 1 ? value(A / 4 + i) + value(B / 4 + i)
                                   : value(C / 4 + i)));
}

/* The paper's 30 hops and 78 flit-hops: 3 for the packet, 5 and 2 for each of
 * the loads there and back, 5 for the result, 8 for the acknowledgement. */
static void test_second_scenario(void **state) {
    struct world *w = open_world(48);
    (void)state;
    leave(w, ones(LANES));
    until(w, 1);
    assert_int_equal(w->ended.done_how, OQUEUE_ACK);
    expect_sums(w, ones(LANES));
    assert_int_equal(w->hops, 30);
    assert_int_equal(w->flit_hops, 78);
    assert_int_equal(w->loads, 0);
    close_world(w);
}

/* Both loads come back to the core, by way of the full queue: 3 hops there,
 * twice 3 back, then 8 and 5 there and back with data. */
static void test_full_far_queue(void **state) {
    struct world *w = open_world(48);
    (void)state;
    set_places(w, 0);
    leave(w, ones(LANES));
    until(w, 1);
    assert_int_equal(w->ended.done_how, OQUEUE_LOADED);
    assert_int_equal(w->ended.done_entry, w->said.said_entry);
    for (int i = 0; i < LANES; i++) {
        assert_true(w->got[0][i] == value(A / 4 + i));
        assert_true(w->got[1][i] == value(B / 4 + i));
    }
    expect_sums(w, 0); /* the core stores, not the queue */
    assert_int_equal(w->hops, 3 + 2 * 3 + 2 * (8 + 5));
    assert_int_equal(w->flit_hops, 3 + 2 * 3 + 6 * (8 + 5));
    /* with room again the next one is computed there */
    set_places(w, 96);
    leave(w, ones(LANES));
    until(w, 2);
    assert_int_equal(w->ended.done_how, OQUEUE_ACK);
    expect_sums(w, ones(LANES));
    close_world(w);
}

/* The mask goes as a flit of its own, and holds for what is stored. */
static void test_diverged_lanes(void **state) {
    static const uint64_t masks[] = {0x00ff00f1, 1, 0x80000000, 0x7fffffff};
    (void)state;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct world *w = open_world(48);
        leave(w, masks[i]);
        until(w, 1);
        assert_int_equal(w->ended.done_how, OQUEUE_ACK);
        assert_true(w->ended.done_mask == masks[i]);
        expect_sums(w, masks[i]);
        assert_int_equal(w->flits, 2);
        assert_int_equal(w->hops, 30);
        assert_int_equal(w->flit_hops, 78 + 3);
        close_world(w);
    }
}

/* Nothing leaves but the first load, on the edge behind the answer; no entry is
 * lost by that. */
static void test_hit_in_mid_chain(void **state) {
    struct world *w = open_world(4);
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(op(w, 1, OQUEUE_LOAD, A, ones(LANES), false),
                         OQUEUE_TAKEN);
        assert_int_equal(op(w, 2, OQUEUE_LOAD, B, ones(LANES), true),
                         OQUEUE_NORMAL);
        assert_int_equal(w->loads, i);
        edge(w);
        assert_int_equal(w->loads, i + 1);
        assert_int_equal(w->load.load_address, A);
        assert_int_equal(w->load.load_second, 0);
    }
    for (int i = 0; i < LONG; i++)
        edge(w);
    assert_int_equal(w->flits, 0);
    assert_int_equal(w->hops, 0);
    assert_int_equal(w->ends, 0);
    assert_int_equal(w->loads, 10);
    for (int i = 0; i < 4; i++) /* all four are free */
        leave(w, ones(LANES));
    until(w, 4);
    expect_sums(w, ones(LANES));
    close_world(w);
}

/* All entries wait for a slow memory: the next chain stays at its core, and is
 * taken when one has ended. */
static void test_no_free_entry(void **state) {
    struct world *w = open_world(2);
    (void)state;
    w->slow = true;
    leave(w, ones(LANES));
    leave(w, ones(LANES));
    for (int i = 0; i < LONG; i++)
        edge(w);
    assert_int_equal(op(w, 1, OQUEUE_LOAD, A, ones(LANES), false),
                     OQUEUE_NORMAL);
    assert_int_equal(w->loads, 0);
    assert_int_equal(w->flits, 2);
    assert_int_equal(w->ends, 0);
    w->slow = false;
    until(w, 2);
    leave(w, ones(LANES));
    until(w, 3);
    assert_int_equal(w->flits, 3);
    assert_int_equal(w->hops, 3 * 30);
    assert_int_equal(w->flit_hops, 3 * 78);
    close_world(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_scenario),
        cmocka_unit_test(test_full_far_queue),
        cmocka_unit_test(test_diverged_lanes),
        cmocka_unit_test(test_hit_in_mid_chain),
        cmocka_unit_test(test_no_free_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
