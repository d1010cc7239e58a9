/* map.c - the address map: masks out of a configuration, their rank over GF(2),
 * the inverse by elimination, and the bank partition.
 */
#include "map.h"

#include "base/bits.h"
#include "iface/iface.h"

#include <string.h>

const char *dram_part_name(enum dram_part p) {
    static const char *const names[] = {"column", "row",  "bank",
                                        "group",  "rank", "channel"};
    return names[p];
}

static void lay_out(const struct config *c, struct dram_map *m) {
    const int width[DRAM_PARTS] = {[DRAM_COLUMN] = c->dram_column_bits,
                                   [DRAM_ROW] = c->dram_row_bits,
                                   [DRAM_BANK_BITS] = clog2(c->dram_banks),
                                   [DRAM_GROUP_BITS] = clog2(c->dram_groups),
                                   [DRAM_RANK_BITS] = clog2(c->dram_ranks),
                                   [DRAM_CHANNEL_BITS] =
                                       clog2(c->dram_channels)};
    memset(m, 0, sizeof *m);
    for (int p = 0; p < DRAM_PARTS; p++) {
        m->at[p] = m->n;
        m->width[p] = width[p];
        m->n += width[p];
    }
    m->slots = c->dram_groups * c->dram_banks;
    m->reserved = c->dram_map_reserved;
}

static const struct mask_list *masks_of(const struct config *c,
                                        enum dram_part p) {
    const struct mask_list *const all[] = {
        &c->dram_map_column, &c->dram_map_row,  &c->dram_map_bank,
        &c->dram_map_group,  &c->dram_map_rank, &c->dram_map_channel};
    return all[p];
}

/* --- masks ---------------------------------------------------------------- */

/* Fields from the top of the address, two letters each: "rorababgcoch". */
static void plain_masks(const char *order, struct dram_map *m) {
    static const char letters[DRAM_PARTS][3] = {"co", "ro", "ba",
                                                "bg", "ra", "ch"};
    int bit_at = DRAM_OFFSET_BITS;
    for (size_t i = strlen(order); i >= 2; i -= 2)
        for (int p = 0; p < DRAM_PARTS; p++)
            if (memcmp(order + i - 2, letters[p], 2) == 0)
                for (int k = 0; k < m->width[p]; k++)
                    m->there[m->at[p] + k] = bit(bit_at++);
}

static bool read_masks(const struct config *c, struct dram_map *m) {
    struct text order = {0};
    config_value(c, config_find("dram_map.order"), &order);
    bool plain = c->dram_map_order != 0;
    if (plain)
        plain_masks(text_str(&order), m);
    text_free(&order);
    for (int p = 0; p < DRAM_PARTS && !plain; p++) {
        const struct mask_list *list = masks_of(c, p);
        if (list->n != m->width[p])
            return false;
        memcpy(&m->there[m->at[p]], list->v,
               (size_t)list->n * sizeof list->v[0]);
    }
    return true;
}

/* Solve for the address bits: row i says that the address bits of left[i] make
 * what the bits of the word of right[i] make.  The bit of the word that the
 * others make up, with them in *others; -1: none, and then m->back is the
 * inverse. */
static int solve(struct dram_map *m, uint64_t *others) {
    uint64_t left[DRAM_MOST_BITS], right[DRAM_MOST_BITS];
    int of[DRAM_MOST_BITS]; /* row that an address bit was solved with */
    for (int i = 0; i < m->n; i++) {
        left[i] = m->there[i] >> DRAM_OFFSET_BITS;
        right[i] = bit(i);
    }
    for (int i = 0; i < m->n; i++) {
        if (left[i] == 0) {
            *others = right[i] & ~bit(i);
            return i;
        }
        int pivot = 0;
        while (!(left[i] >> pivot & 1))
            pivot++;
        of[i] = pivot;
        for (int k = 0; k < m->n; k++)
            if (k != i && left[k] >> pivot & 1) {
                left[k] ^= left[i];
                right[k] ^= right[i];
            }
    }
    for (int i = 0; i < m->n; i++)
        m->back[of[i]] = right[i];
    return -1;
}

void dram_map_make(const struct config *c, struct dram_map *m) {
    uint64_t others;
    lay_out(c, m);
    if (!read_masks(c, m) || solve(m, &others) >= 0)
        BUG("an address map that was not checked");
}

/* --- checks --------------------------------------------------------------- */

static void add_bits(uint64_t mask, struct text *out) {
    const char *separator = "";
    for (int n = 0; n < 64; n++)
        if (mask >> n & 1) {
            text_printf(out, "%s%d", separator, n);
            separator = "^";
        }
}

/* "'dram_map.bank' mask 1 (18^22)" for a bit of the word. */
static void add_mask(const struct dram_map *m, int n, struct text *out) {
    int p = DRAM_PARTS - 1;
    while (m->at[p] > n || m->width[p] == 0)
        p--;
    text_printf(out, "'dram_map.%s' mask %d (", dram_part_name(p),
                n - m->at[p]);
    add_bits(m->there[n], out);
    text_addc(out, ')');
}

static void check_number(const struct config *c, const struct dram_map *m,
                         enum dram_part p, struct diag *d) {
    static const char *const keys[] = {"column_bits", "row_bits", "banks",
                                       "groups",      "ranks",    "channels"};
    const struct mask_list *list = masks_of(c, p);
    if (list->n != m->width[p])
        config_error(d,
                     "'dram_map.%s' has %d masks, expected %d for 'dram.%s'; "
                     "'dram_map.order' has maps that fit any size",
                     dram_part_name(p), list->n, m->width[p], keys[p]);
    for (int i = 0; i < list->n; i++) {
        uint64_t outside = list->v[i] & ~(ones(m->n) << DRAM_OFFSET_BITS);
        struct text bits = {0};
        add_bits(outside, &bits);
        if (outside)
            config_error(d,
                         "'dram_map.%s' mask %d has address bit %s, expected "
                         "bits %d to %d: below is the burst, above nothing",
                         dram_part_name(p), i, text_str(&bits),
                         DRAM_OFFSET_BITS, m->n + DRAM_OFFSET_BITS - 1);
        text_free(&bits);
    }
}

static void check_rank(struct dram_map *m, struct diag *d) {
    uint64_t others;
    int n = solve(m, &others);
    if (n < 0)
        return;
    struct text t = {0};
    const char *separator = " is ";
    add_mask(m, n, &t);
    for (int i = 0; i < m->n; i++)
        if (others >> i & 1) {
            text_add(&t, separator);
            add_mask(m, i, &t);
            separator = " ^ ";
        }
    config_error(d, "%s: no bijection, two addresses would share a place",
                 text_str(&t));
    text_free(&t);
}

/* The row's top bits, which are swapped with the bank, must be the top of the
 * address and nothing else. */
static void check_partition(const struct dram_map *m, struct diag *d) {
    int bits = clog2(m->slots);
    if (m->reserved >= m->slots) {
        config_error(d,
                     "'dram_map.reserved' is %d, expected fewer than the %d "
                     "banks of a rank ('dram.groups', 'dram.banks')",
                     m->reserved, m->slots);
        return;
    }
    if (m->width[DRAM_ROW] < bits) {
        config_error(d,
                     "'dram.row_bits' is %d, expected %d or more to swap with "
                     "the bank, or 'dram_map.reserved' = 0",
                     m->width[DRAM_ROW], bits);
        return;
    }
    int row = m->at[DRAM_ROW] + m->width[DRAM_ROW] - bits;
    uint64_t top = ones(bits) << (m->n + DRAM_OFFSET_BITS - bits);
    for (int i = 0; i < m->n; i++) {
        bool swapped = i >= row && i < row + bits;
        uint64_t expected =
            swapped ? bit(m->n + DRAM_OFFSET_BITS - bits + i - row) : 0;
        if (swapped ? m->there[i] == expected : !(m->there[i] & top))
            continue;
        struct text t = {0};
        add_mask(m, i, &t);
        if (swapped)
            config_error(d,
                         "%s: expected address bit %d alone, as the row's top "
                         "bits are swapped with the bank; or "
                         "'dram_map.reserved' = 0",
                         text_str(&t),
                         m->n + DRAM_OFFSET_BITS - bits + i - row);
        else
            config_error(d,
                         "%s: expected none of the top %d address bits, as "
                         "these tell which part is shared; or "
                         "'dram_map.reserved' = 0",
                         text_str(&t), bits);
        text_free(&t);
    }
}

bool dram_map_check(const struct config *c, struct diag *d) {
    struct dram_map m;
    int before = d->errors;
    lay_out(c, &m);
    if (m.n + DRAM_OFFSET_BITS > 48)
        config_error(d,
                     "an address of %d bits, expected 48 at most: fewer "
                     "'dram.row_bits' or 'dram.column_bits'",
                     m.n + DRAM_OFFSET_BITS);
    for (int p = 0; p < DRAM_PARTS && c->dram_map_order == 0; p++)
        check_number(c, &m, p, d);
    if (d->errors > before)
        return false;
    read_masks(c, &m);
    check_rank(&m, d);
    if (d->errors == before && m.reserved)
        check_partition(&m, d);
    return d->errors == before;
}

/* --- there and back ------------------------------------------------------- */

static int parity(uint64_t v) {
    return __builtin_parityll(v);
}

/* Exchange bank and the row's top bits of a word, if one of them and not the
 * other belongs to shared data; the same again undoes it. */
static uint64_t partition(const struct dram_map *m, uint64_t word,
                          bool *shared) {
    int bits = clog2(m->slots), slot_at = m->at[DRAM_BANK_BITS];
    int top_at = m->at[DRAM_ROW] + m->width[DRAM_ROW] - bits;
    int first = m->slots - m->reserved;
    *shared = false;
    if (!m->reserved)
        return word;
    int slot = (int)(word >> slot_at & ones(bits));
    int top = (int)(word >> top_at & ones(bits));
    *shared = slot >= first;
    if ((slot >= first) == (top >= first))
        return word;
    *shared = top >= first;
    word &= ~(ones(bits) << slot_at | ones(bits) << top_at);
    return word | (uint64_t)top << slot_at | (uint64_t)slot << top_at;
}

struct dram_place dram_map_place(const struct dram_map *m, uint64_t address) {
    struct dram_place p = {.offset = (int)(address & ones(DRAM_OFFSET_BITS))};
    uint64_t word = 0;
    for (int i = 0; i < m->n; i++)
        word |= (uint64_t)parity(address & m->there[i]) << i;
    word = partition(m, word, &p.shared);
    for (int i = 0; i < DRAM_PARTS; i++)
        p.part[i] = (int)(word >> m->at[i] & ones(m->width[i]));
    return p;
}

uint64_t dram_map_address(const struct dram_map *m,
                          const struct dram_place *p) {
    uint64_t word = 0, address = 0;
    bool shared;
    for (int i = 0; i < DRAM_PARTS; i++)
        word |= ((uint64_t)p->part[i] & ones(m->width[i])) << m->at[i];
    word = partition(m, word, &shared);
    for (int i = 0; i < m->n; i++)
        address |= (uint64_t)parity(word & m->back[i]) << i;
    return address << DRAM_OFFSET_BITS |
           ((uint64_t)p->offset & ones(DRAM_OFFSET_BITS));
}
