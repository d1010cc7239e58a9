/* memory.c - golden model of the memory with a latency and a bandwidth.
 *
 * Written from docs/blocks/memory.md.
 */
#include "memory.h"

#include "base/bits.h"
#include "blocks/memory.h"
#include "frame/model.h"
#include "word.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SECTOR = 32, STORE = 1, CAS = 11 };

struct answer {
    bool valid, fault;
    uint64_t id;
    uint64_t data[MAX_SECTOR / 8];
};

/* What was begun on the edge before. */
struct access {
    enum { NOTHING, REQUEST, WINDOW } kind;
    struct memory_in in;
};

struct memory {
    struct golden base;
    struct memory_local l;
    uint8_t *bytes;
    struct answer *delay; /* LATENCY of them, by the edge on which they show */
    uint64_t now;
    struct access begun;
    bool held;
    struct memory_in word; /* that is held */
    int gap;
    int under_way;
    bool was_load;    /* a load was taken on the edge before */
    uint64_t written; /* sector that was last written, on edge wrote */
    uint64_t wrote;
    struct memory_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct memory *m = (struct memory *)g;

    m->l = memory_local(c);
    m->bytes = xcalloc((size_t)m->l.WORDS, 4);
    m->delay = xcalloc((size_t)m->l.LATENCY, sizeof *m->delay);
}

static void close(struct golden *g) {
    struct memory *m = (struct memory *)g;

    free(m->bytes);
    free(m->delay);
}

static void reset(struct golden *g) {
    struct memory *m = (struct memory *)g;

    memset(m->delay, 0, (size_t)m->l.LATENCY * sizeof *m->delay);
    m->begun.kind = NOTHING;
    m->held = false;
    m->gap = 0;
    m->under_way = 0;
    m->was_load = false;
    m->wrote = 0;
    m->now = 2; /* so that wrote = 0 is long ago */
    m->out.req_ready = 1;
    m->out.win_ready = 1;
}

static uint32_t get_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static void put_word(uint8_t *b, uint32_t word) {
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(word >> (8 * i));
}

/* --- what an access does -------------------------------------------------- */

static uint32_t atomic(struct memory *m, int op, uint32_t old, uint32_t data,
                       uint32_t compare) {
    if (op >= 3 && op <= 4)
        hit_if(m, (old ^ data) >> 31, MEMORY_COV_signs);
    hit_if(m, op == CAS && old == compare, MEMORY_COV_swapped);
    hit_if(m, op == CAS && old != compare, MEMORY_COV_kept);
    return memory_word(op, old, data, compare);
}

static uint8_t byte_of(const uint64_t *wide, int i) {
    return (uint8_t)(wide[i / 8] >> (8 * (i % 8)));
}

static void put_byte(uint64_t *wide, int i, uint8_t byte) {
    wide[i / 8] |= (uint64_t)byte << (8 * (i % 8));
}

static void change(struct memory *m, const struct memory_in *in, uint8_t *b,
                   struct answer *a) {
    int op = (int)in->req_op;

    for (int i = 0; i < m->l.SECTOR; i++) {
        bool strobe = in->req_strobe >> i & 1;
        uint8_t old = b[i];

        if (op == STORE && strobe)
            b[i] = byte_of(in->req_data, i);
        if (op == 0 || (op > STORE && op <= CAS && strobe))
            put_byte(a->data, i, old);
    }
    if (op <= STORE || op > CAS)
        return;
    int at = in->req_strobe ? __builtin_ctzll(in->req_strobe) : 0;
    uint32_t data = (uint32_t)(in->req_data[at / 8] >> (8 * (at % 8)));
    put_word(b + at,
             atomic(m, op, get_word(b + at), data, (uint32_t)in->req_compare));
}

static bool writes(const struct memory_in *in) {
    return in->req_op >= STORE && in->req_op <= CAS;
}

static void serve_request(struct memory *m, const struct memory_in *in) {
    struct answer *a = &m->delay[(m->now + (uint64_t)m->l.LATENCY - 1) %
                                 (uint64_t)m->l.LATENCY];

    memset(a, 0, sizeof *a);
    a->valid = true;
    a->id = in->req_id;
    a->fault = in->req_address >= (uint64_t)m->l.SECTORS;
    hit_if(m, a->fault, MEMORY_COV_beyond);
    hit_if(m, in->req_op > CAS, MEMORY_COV_other_op);
    if (a->fault)
        return;
    if (writes(in)) {
        m->written = in->req_address;
        m->wrote = m->now;
    }
    change(m, in, m->bytes + in->req_address * (uint64_t)m->l.SECTOR, a);
}

static void serve_window(struct memory *m, const struct memory_in *in) {
    bool there = in->win_address < (uint64_t)m->l.WORDS;
    uint8_t *b = m->bytes + (there ? in->win_address * 4 : 0);

    hit_if(m, !there, MEMORY_COV_window_beyond);
    if (!in->win_write) {
        m->out.read_valid = 1;
        m->out.read_data = there ? get_word(b) : 0;
    } else if (there) {
        put_word(b, (uint32_t)in->win_data);
    }
}

/* --- an edge -------------------------------------------------------------- */

static void begin(struct memory *m, const struct memory_in *in) {
    bool load = in->req_op == 0;

    if (in->req_valid && m->out.req_ready) {
        int gap = m->l.INTERVAL - 1;

        hit_if(m, load && m->was_load, MEMORY_COV_load_after_load);
        hit_if(m,
               load && m->written == in->req_address && m->wrote + 1 == m->now,
               MEMORY_COV_load_after_write);
        hit_if(m,
               in->req_op == STORE && in->req_strobe % 16 != 0 &&
                   in->req_strobe % 16 != 15,
               MEMORY_COV_some_bytes);
        m->begun.kind = REQUEST;
        m->begun.in = *in;
        m->gap = gap == 0 && !load ? 1 : gap;
        m->was_load = load;
        m->under_way++;
        return;
    }
    hit_if(m, in->req_valid && m->gap > 0, MEMORY_COV_gap);
    hit_if(m, in->req_valid && m->gap == 0, MEMORY_COV_window_first);
    hit_if(m, m->held && m->gap > 0, MEMORY_COV_window_waits);
    m->was_load = false;
    if (m->held && m->gap == 0) {
        m->begun.kind = WINDOW;
        m->begun.in = m->word;
        m->held = false;
        m->gap = 1;
        return;
    }
    m->gap -= m->gap > 0;
}

static void show(struct memory *m) {
    struct answer *a = &m->delay[m->now % (uint64_t)m->l.LATENCY];

    m->out.rsp_valid = a->valid;
    m->out.rsp_id = a->id;
    m->out.rsp_fault = a->fault;
    memcpy(m->out.rsp_data, a->data, sizeof m->out.rsp_data);
    m->under_way -= a->valid;
    memset(a, 0, sizeof *a);
    m->out.req_ready = !m->held && m->gap == 0;
    m->out.win_ready = !m->held;
}

static void edge(struct golden *g, const void *ports) {
    struct memory *m = (struct memory *)g;
    const struct memory_in *in = ports;
    bool take = in->win_valid && m->out.win_ready;
    struct access done = m->begun;

    m->out.read_valid = 0;
    m->out.read_data = 0;
    m->begun.kind = NOTHING;
    if (done.kind == REQUEST)
        serve_request(m, &done.in);
    else if (done.kind == WINDOW)
        serve_window(m, &done.in);
    begin(m, in);
    hit_if(m, in->win_valid && !take, MEMORY_COV_window_refused);
    if (take) {
        m->held = true;
        m->word = *in;
    }
    hit_if(m, m->under_way >= (m->l.LATENCY + 1) / 2 && m->l.INTERVAL == 1,
           MEMORY_COV_full);
    show(m);
    m->now++;
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct memory *m = (const struct memory *)g;
    const struct memory_in *in = ports;
    bool comes = in->req_valid | in->win_valid;
    bool shows = m->out.rsp_valid | m->out.read_valid;
    bool waits = m->begun.kind != NOTHING || m->held || m->gap || m->was_load;

    return comes || shows || waits || m->under_way ? 0 : UINT64_MAX;
}

static void slept(struct golden *g, uint64_t edges) {
    ((struct memory *)g)->now += edges;
}

static int reach(struct golden *g, bool write, uint64_t word, uint32_t *data) {
    struct memory *m = (struct memory *)g;

    if (word >= (uint64_t)m->l.WORDS)
        return -1;
    if (write)
        put_word(m->bytes + 4 * word, *data);
    else
        *data = get_word(m->bytes + 4 * word);
    return 0;
}

const struct golden_class memory_golden = {
    .iface = &memory_iface,
    MODEL_STRUCT(struct memory),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
    .reach = reach,
};
