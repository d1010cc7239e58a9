/* board.c - see board.h. */
#include "board.h"

#include "base/array.h"
#include "base/bits.h"
#include "blocks/bist.h"

#include <stdlib.h>
#include <string.h>

/* Edges to wait before the first look, and at most, between two looks. */
enum { FIRST_WAIT = 64, LONGEST_WAIT = 1 << 22 };

/* Edges of a pass beyond its length. */
enum { PASS_EDGES = 5 };

static uint32_t setting(enum bist_setting s) {
    return REG_FIRST + (uint32_t)s;
}

static uint32_t status(enum bist_status s) {
    return (uint32_t)iface_first_status(&bist_iface) + (uint32_t)s;
}

static uint32_t command(enum bist_command c) {
    return (uint32_t)iface_first_command(&bist_iface) + (uint32_t)c;
}

/* --- accesses ------------------------------------------------------------- */

struct accesses {
    struct ndp_access *list;
    int n, cap;
};

static void add(struct accesses *a, enum ndp_access_kind kind, uint32_t address,
                uint32_t data) {
    if (a->n == a->cap) {
        a->cap = a->cap ? 2 * a->cap : 64;
        a->list = xrealloc(a->list, (size_t)a->cap * sizeof *a->list);
    }
    a->list[a->n++] = (struct ndp_access){kind, address, data};
}

static void write_to(struct accesses *a, uint32_t address, uint32_t data) {
    add(a, NDP_WRITE, address, data);
}

static void read_from(struct accesses *a, uint32_t address) {
    add(a, NDP_READ, address, 0);
}

/* Carry them out; the list is empty but keeps the answers. */
static bool go(struct board *b, struct accesses *a) {
    int n = a->n;
    a->n = 0;
    if (!b->port->class->run(b->port, a->list, n, &b->why))
        return false;
    for (int i = 0; i < n; i++)
        if (a->list[i].kind == NDP_UNKNOWN) {
            text_printf(&b->why, "register %u has bits that are not known",
                        (unsigned)a->list[i].address);
            return false;
        }
    return true;
}

static void add_row(struct accesses *a, uint32_t address,
                    const struct flat_row *row, int bits) {
    for (int at = 0; at < bits; at += 32)
        write_to(a, address, (uint32_t)bits_get(row->w, at, 32));
}

/* --- what is there -------------------------------------------------------- */

static bool look(struct board *b) {
    struct accesses a = {0};
    const struct flat *f = &b->flat;
    read_from(&a, REG_ID);
    read_from(&a, status(BIST_STA_in_bits));
    read_from(&a, status(BIST_STA_out_bits));
    read_from(&a, status(BIST_STA_window));
    bool ok = go(b, &a);
    if (ok && a.list[0].data != iface_id(&bist_iface)) {
        text_printf(&b->why, "the device is no bist: its id is %08x",
                    (unsigned)a.list[0].data);
        ok = false;
    } else if (ok && (a.list[1].data != (uint32_t)f->in_bits ||
                      a.list[2].data != (uint32_t)f->out_bits)) {
        text_printf(&b->why,
                    "the device plays to a block with %u bits of inputs and %u "
                    "of outputs, '%s' of this configuration has %d and %d",
                    (unsigned)a.list[1].data, (unsigned)a.list[2].data,
                    f->design->iface->name, f->in_bits, f->out_bits);
        ok = false;
    }
    if (ok)
        b->words = (int)a.list[3].data;
    free(a.list);
    return ok;
}

/* Once more from the line on, if it is the line that failed. */
static bool recover(struct board *b) {
    do {
        if (b->port && !b->port->line_failed)
            return false;
        b->port = b->way.open(b->way.ctx, &b->why);
        if (!b->port)
            return false;
        text_free(&b->why);
        b->is_loaded = false;
    } while (!look(b));
    return true;
}

bool board_open(struct board *b, const struct board_way *way,
                const struct flat *f) {
    *b = (struct board){.way = *way, .flat = *f};
    return recover(b);
}

void board_close(struct board *b) {
    text_free(&b->why);
}

/* --- windows -------------------------------------------------------------- */

void board_take(struct board *b, const struct window *w) {
    b->window = w;
    b->is_loaded = false;
}

static bool load(struct board *b) {
    const struct window *w = b->window;
    struct accesses a = {0};
    int bits = b->flat.in_bits + 1;
    write_to(&a, command(BIST_COM_stop), 1);
    write_to(&a, command(BIST_COM_index), 0);
    for (int i = 0; i < w->n; i++)
        add_row(&a, command(BIST_COM_piece), &w->words[i], bits);
    add_row(&a, command(BIST_COM_free), &w->mask, bits);
    write_to(&a, setting(BIST_SET_last), (uint32_t)w->n - 1);
    write_to(&a, setting(BIST_SET_again), (uint32_t)w->again);
    write_to(&a, setting(BIST_SET_seed), w->seed);
    b->is_loaded = go(b, &a);
    free(a.list);
    return b->is_loaded;
}

struct run {
    uint64_t length, passes;
    uint32_t expected;
    struct board_end *end;
    struct flat_row *outputs;
};

static bool start(struct board *b, const struct run *r) {
    struct accesses a = {0};
    write_to(&a, setting(BIST_SET_length), (uint32_t)r->length);
    write_to(&a, setting(BIST_SET_expected), r->expected);
    write_to(&a, command(BIST_COM_run), (uint32_t)r->passes);
    bool ok = go(b, &a);
    free(a.list);
    return ok;
}

/* Look until it is not busy, after about as many edges as it takes. */
static bool await(struct board *b, const struct run *r) {
    struct accesses a = {0};
    uint64_t edges = r->passes * (r->length + PASS_EDGES), wait = FIRST_WAIT;
    bool ok, busy = true;
    do {
        if (edges > wait)
            wait = edges < LONGEST_WAIT ? edges : LONGEST_WAIT;
        edges -= edges < wait ? edges : wait;
        add(&a, NDP_IDLE, 0, (uint32_t)wait);
        read_from(&a, status(BIST_STA_state));
        read_from(&a, status(BIST_STA_left));
        read_from(&a, status(BIST_STA_signature));
        ok = go(b, &a);
        if (ok) {
            busy = a.list[1].data & 1;
            r->end->differs = a.list[1].data >> 1 & 1;
            r->end->left = a.list[2].data;
            r->end->signature = a.list[3].data;
        }
    } while (ok && busy);
    free(a.list);
    return ok;
}

static bool fetch(struct board *b, const struct run *r) {
    struct accesses a = {0};
    int bits = b->flat.out_bits;
    if (!r->outputs)
        return true;
    for (int at = 0; at < bits; at += 32) {
        if (at > 0)
            write_to(&a, command(BIST_COM_next), 1);
        read_from(&a, status(BIST_STA_outputs));
    }
    bool ok = go(b, &a);
    memset(r->outputs, 0, sizeof *r->outputs);
    for (int at = 0; ok && at < bits; at += 32)
        bits_or(r->outputs->w, at, 32, a.list[at / 32 * 2].data);
    free(a.list);
    return ok;
}

bool board_run(struct board *b, uint64_t length, uint64_t passes,
               uint32_t expected, struct board_end *end,
               struct flat_row *outputs) {
    struct run r = {length, passes, expected, end, outputs};
    while (!((b->is_loaded || load(b)) && start(b, &r) && await(b, &r) &&
             fetch(b, &r)))
        if (!recover(b))
            return false;
    return true;
}
