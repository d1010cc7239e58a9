/* operands.c - system rows, their colours and parts; an allocator and a check
 * of operands (Chopim, section III-A).
 */
#include "operands.h"

#include "base/bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct place nowhere;

/* --- layout --------------------------------------------------------------- */

/* Bits [from, to) of an address's place, without the partition. */
static uint64_t masked(const struct dram_layout *l, uint64_t address, int from,
                       int to) {
    uint64_t word = 0;
    for (int i = from; i < to; i++)
        word |= (uint64_t)__builtin_parityll(address & l->map.there[i])
                << (i - from);
    return word;
}

/* {channel, rank} of an address: the partition leaves both alone. */
static int rank_of(const struct dram_layout *l, uint64_t address) {
    return (int)masked(l, address, l->map.at[DRAM_RANK_BITS], l->map.n);
}

static int position(const int *list, int n, int value) {
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return i;
    return -1;
}

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* All XORs of what the address bits [from, to) make of channel and rank, the
 * least first. */
static int span(const struct dram_layout *l, int from, int to, int *list) {
    int n = 1;
    list[0] = 0;
    for (int i = from; i < to; i++) {
        int made = rank_of(l, bit(i));
        for (int k = 0, old = n; k < old; k++)
            if (position(list, old, list[k] ^ made) < 0)
                list[n++] = list[k] ^ made;
    }
    qsort(list, (size_t)n, sizeof *list, by_value);
    return n;
}

/* Column, row, bank and bank group: what the walk goes by. */
static uint64_t walk_key(const struct dram_layout *l, uint64_t offset) {
    return masked(l, offset, 0, l->map.at[DRAM_RANK_BITS]);
}

struct keyed {
    uint64_t key;
    uint32_t burst;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void order_part(struct dram_layout *l, int part, struct keyed *room) {
    int n = 0;
    for (uint64_t o = 0; o < dram_layout_row_bytes(l);
         o += bit(DRAM_OFFSET_BITS))
        if (rank_of(l, o) == l->part[part])
            room[n++] = (struct keyed){walk_key(l, o),
                                       (uint32_t)(o >> DRAM_OFFSET_BITS)};
    if (n != l->bursts)
        BUG("%d bursts of a part, expected %d", n, l->bursts);
    qsort(room, (size_t)n, sizeof *room, by_key);
    for (int k = 0; k < n; k++)
        l->order[part * l->bursts + k] = room[k].burst;
}

void dram_layout_make(const struct config *c, struct dram_layout *l) {
    memset(l, 0, sizeof *l);
    dram_map_make(c, &l->map);
    l->row_bits = dram_map_address_bits(&l->map) - l->map.width[DRAM_ROW];
    l->rows = bit(l->map.width[DRAM_ROW]);
    if (l->map.reserved)
        l->first = l->rows / (uint64_t)l->map.slots *
                   (uint64_t)(l->map.slots - l->map.reserved);
    l->colours =
        span(l, l->row_bits, dram_map_address_bits(&l->map), l->colour);
    l->parts = span(l, DRAM_OFFSET_BITS, l->row_bits, l->part);
    l->bursts = (int)(bit(l->row_bits - DRAM_OFFSET_BITS) / (uint64_t)l->parts);
    l->order = xcalloc((size_t)l->parts * (size_t)l->bursts, sizeof *l->order);
    struct keyed *room = xcalloc((size_t)l->bursts, sizeof *room);
    for (int p = 0; p < l->parts; p++)
        order_part(l, p, room);
    free(room);
}

void dram_layout_free(struct dram_layout *l) {
    free(l->order);
    l->order = NULL;
}

int dram_layout_colour(const struct dram_layout *l, uint64_t row) {
    return position(l->colour, l->colours, rank_of(l, row << l->row_bits));
}

int dram_layout_part(const struct dram_layout *l, uint64_t row, int channel,
                     int rank) {
    int here = channel << l->map.width[DRAM_RANK_BITS] | rank;
    return position(l->part, l->parts, here ^ rank_of(l, row << l->row_bits));
}

uint64_t dram_layout_burst(const struct dram_layout *l, uint64_t row, int part,
                           int k) {
    return row << l->row_bits | (uint64_t)l->order[part * l->bursts + k]
                                    << DRAM_OFFSET_BITS;
}

/* --- operands ------------------------------------------------------------- */

void dram_operand_free(struct dram_operand *o) {
    free(o->rows);
    *o = (struct dram_operand){0};
}

static bool whole(const char *name, const char *what, uint64_t n,
                  struct diag *d) {
    if (n % bit(DRAM_OFFSET_BITS) == 0)
        return true;
    diag_error(d, nowhere,
               "operand '%s': %s 0x%" PRIx64
               " is no multiple of %d, a burst of the memory",
               name, what, n, 1 << DRAM_OFFSET_BITS);
    return false;
}

bool dram_operand_at(const struct dram_layout *l, const char *name,
                     uint64_t address, uint64_t bytes, struct dram_operand *o,
                     struct diag *d) {
    uint64_t all = bit(dram_map_address_bits(&l->map));
    *o = (struct dram_operand){.name = name, .bytes = bytes};
    if (bytes == 0) {
        diag_error(d, nowhere, "operand '%s' has no bytes", name);
        return false;
    }
    if (address >= all || bytes > all - address) {
        diag_error(d, nowhere,
                   "operand '%s': 0x%" PRIx64 " bytes from 0x%" PRIx64
                   " on end above the memory's last byte, 0x%" PRIx64,
                   name, bytes, address, all - 1);
        return false;
    }
    bool base = whole(name, "address", address, d);
    if (!whole(name, "length", bytes, d) || !base)
        return false;
    uint64_t first = address >> l->row_bits;
    o->offset = address & ones(l->row_bits);
    o->n_rows =
        (int)((address + bytes - 1) / dram_layout_row_bytes(l) - first + 1);
    o->rows = xcalloc((size_t)o->n_rows, sizeof *o->rows);
    for (int i = 0; i < o->n_rows; i++)
        o->rows[i] = first + (uint64_t)i;
    return true;
}

/* "0x123 in channel 1, rank 0" */
static void add_byte(const struct dram_layout *l, uint64_t row, uint64_t offset,
                     struct text *out) {
    uint64_t address = row << l->row_bits | offset;
    struct dram_place p = dram_map_place(&l->map, address);
    text_printf(out, "0x%" PRIx64 " in channel %d, rank %d", address,
                p.part[DRAM_CHANNEL_BITS], p.part[DRAM_RANK_BITS]);
}

static bool shared_only(const struct dram_layout *l,
                        const struct dram_operand *o, struct diag *d) {
    for (int i = 0; i < o->n_rows; i++)
        if (o->rows[i] < l->first) {
            diag_error(d, nowhere,
                       "operand '%s': the host alone has 0x%" PRIx64
                       ", expected addresses from 0x%" PRIx64
                       " on, whose banks are shared ('dram_map.reserved')",
                       o->name, o->rows[i] << l->row_bits | (i ? 0 : o->offset),
                       l->first << l->row_bits);
            return false;
        }
    return true;
}

/* Offsets of both are equal: colours decide. */
static bool same_colours(const struct dram_layout *l,
                         const struct dram_operand *a,
                         const struct dram_operand *b, struct diag *d) {
    for (int i = 0; i < a->n_rows; i++) {
        uint64_t offset = i ? 0 : a->offset;
        int of_a = dram_layout_colour(l, a->rows[i]);
        int of_b = dram_layout_colour(l, b->rows[i]);
        if (of_a == of_b)
            continue;
        struct text t = {0};
        text_printf(&t,
                    "operands '%s' and '%s' are in two ranks: byte 0x%" PRIx64
                    " of '%s' is ",
                    a->name, b->name,
                    i ? ((uint64_t)i << l->row_bits) - a->offset : 0, a->name);
        add_byte(l, a->rows[i], offset, &t);
        text_printf(&t, ", of '%s' ", b->name);
        add_byte(l, b->rows[i], offset, &t);
        diag_error(d, nowhere, "%s: system rows of colours %d and %d",
                   text_str(&t), of_a, of_b);
        text_free(&t);
        return false;
    }
    return true;
}

static bool is_same(const struct dram_operand *a,
                    const struct dram_operand *b) {
    return a->offset == b->offset && a->bytes == b->bytes &&
           memcmp(a->rows, b->rows, (size_t)a->n_rows * sizeof *a->rows) == 0;
}

/* Bytes [from, to) of the i-th system row. */
static void extent(const struct dram_layout *l, const struct dram_operand *o,
                   int i, uint64_t *from, uint64_t *to) {
    uint64_t end = o->offset + o->bytes;
    *from = i ? 0 : o->offset;
    *to = i == o->n_rows - 1 ? end - ((uint64_t)i << l->row_bits)
                             : dram_layout_row_bytes(l);
}

static bool apart(const struct dram_layout *l, const struct dram_operand *a,
                  const struct dram_operand *b, struct diag *d) {
    for (int i = 0; i < a->n_rows; i++)
        for (int k = 0; k < b->n_rows; k++) {
            uint64_t from, to, from_b, to_b;
            if (a->rows[i] != b->rows[k])
                continue;
            extent(l, a, i, &from, &to);
            extent(l, b, k, &from_b, &to_b);
            from = from > from_b ? from : from_b;
            to = to < to_b ? to : to_b;
            if (from >= to)
                continue;
            diag_error(d, nowhere,
                       "operands '%s' and '%s' overlap from 0x%" PRIx64
                       " on, expected none or all of each other",
                       a->name, b->name, a->rows[i] << l->row_bits | from);
            return false;
        }
    return true;
}

static bool pair_aligned(const struct dram_layout *l,
                         const struct dram_operand *a,
                         const struct dram_operand *b, struct diag *d) {
    if (a->bytes != b->bytes) {
        diag_error(d, nowhere,
                   "operand '%s' has 0x%" PRIx64 " bytes, expected 0x%" PRIx64
                   " as '%s'",
                   b->name, b->bytes, a->bytes, a->name);
        return false;
    }
    if (a->offset != b->offset) {
        diag_error(
            d, nowhere,
            "operand '%s' begins 0x%" PRIx64
            " bytes into a system row, expected 0x%" PRIx64
            " as '%s': elements of one number would lie in other columns "
            "or ranks",
            b->name, b->offset, a->offset, a->name);
        return false;
    }
    return same_colours(l, a, b, d);
}

bool dram_operands_aligned(const struct dram_layout *l,
                           const struct dram_operand *o, int n,
                           struct diag *d) {
    int before = d->errors;
    for (int i = 0; i < n; i++)
        if (shared_only(l, &o[i], d) && i > 0)
            pair_aligned(l, &o[0], &o[i], d);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (!is_same(&o[i], &o[k]))
                apart(l, &o[i], &o[k], d);
    return d->errors == before;
}

/* --- the allocator -------------------------------------------------------- */

struct dram_heap {
    const struct dram_layout *l;
    /* by system row, from the first that can be had */
    unsigned char *used, *colour;
    uint64_t n;
};

struct dram_heap *dram_heap_create(const struct dram_layout *l) {
    struct dram_heap *h = xcalloc(1, sizeof *h);
    h->l = l;
    h->n = l->rows - l->first;
    h->used = xcalloc((size_t)h->n, 1);
    h->colour = xcalloc((size_t)h->n, 1);
    for (uint64_t i = 0; i < h->n; i++)
        h->colour[i] = (unsigned char)dram_layout_colour(l, l->first + i);
    return h;
}

void dram_heap_free(struct dram_heap *h) {
    if (!h)
        return;
    free(h->used);
    free(h->colour);
    free(h);
}

/* A free system row of a colour, whose top address bits name the slot. */
static bool is_free(const struct dram_heap *h, uint64_t i, int colour,
                    int slot) {
    uint64_t each = h->l->rows / (uint64_t)h->l->map.slots;
    return !h->used[i] && h->colour[i] == colour &&
           (slot < 0 || (h->n - 1 - i) / each == (uint64_t)slot);
}

static uint64_t free_rows(const struct dram_heap *h, int colour, int slot) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < h->n; i++)
        n += is_free(h, i, colour, slot);
    return n;
}

static int roomiest(const struct dram_heap *h, int slot) {
    uint64_t most = 0;
    int best = 0;
    for (int i = 0; i < h->l->colours; i++) {
        uint64_t n = free_rows(h, i, slot);
        if (n > most) {
            most = n;
            best = i;
        }
    }
    return best;
}

static void take_rows(struct dram_heap *h, int colour, int slot,
                      struct dram_operand *o) {
    int got = 0;
    o->rows = xcalloc((size_t)o->n_rows, sizeof *o->rows);
    for (uint64_t i = h->n; i-- > 0 && got < o->n_rows;) {
        if (!is_free(h, i, colour, slot))
            continue;
        h->used[i] = 1;
        o->rows[got++] = h->l->first + i;
    }
}

bool dram_heap_take(struct dram_heap *h, const char *name, uint64_t bytes,
                    int colour, int slot, struct dram_operand *o,
                    struct diag *d) {
    uint64_t size = dram_layout_row_bytes(h->l), there;
    *o = (struct dram_operand){.name = name, .bytes = bytes};
    if (bytes == 0) {
        diag_error(d, nowhere, "operand '%s' has no bytes", name);
        return false;
    }
    if (!whole(name, "length", bytes, d))
        return false;
    if (colour >= h->l->colours) {
        diag_error(d, nowhere, "colour %d, expected 0 to %d", colour,
                   h->l->colours - 1);
        return false;
    }
    if (colour < 0)
        colour = roomiest(h, slot);
    there = free_rows(h, colour, slot);
    if ((bytes - 1) / size >= there) {
        diag_error(d, nowhere,
                   "operand '%s' takes %" PRIu64
                   " system rows, but of colour %d only %" PRIu64 " are free",
                   name, (bytes - 1) / size + 1, colour, there);
        return false;
    }
    o->n_rows = (int)((bytes - 1) / size + 1);
    take_rows(h, colour, slot, o);
    return true;
}

void dram_heap_give(struct dram_heap *h, struct dram_operand *o) {
    for (int i = 0; i < o->n_rows; i++)
        h->used[o->rows[i] - h->l->first] = 0;
    dram_operand_free(o);
}
