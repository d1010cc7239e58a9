/* stim.c - stimulus of the map of addresses into DRAM.
 *
 * Every place that comes out is given back a while later; what comes then must
 * be the address that was asked for.  Whether it is shared is held against the
 * address alone, and the bank against the partition.
 *
 * random    addresses of all kinds, places of addresses and places by chance
 * directed  each address bit alone and beside all the others, then the borders
 *           of the partition, then the host's part in no order
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/dram_map.h"

#include <inttypes.h>
#include <string.h>

enum { KEPT = 64, SCATTERED = 1024 };

/* An answer whose address is known. */
struct known {
    uint64_t address;
    struct dram_map_out place;
};

struct dram_map_stim {
    struct stim base;
    struct dram_map_local size;
    uint64_t script; /* edges of the directed mode */
    struct known kept[KEPT];
    int n_kept; /* places kept so far, at most KEPT */
    bool given; /* the place on this edge is of kept address `expected` */
    uint64_t expected;
    uint64_t asked, returned;
    int percent_ask, percent_back, left;
};

static uint64_t random_address(struct dram_map_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t a = rng_next(r);
    int top = s->size.SLOT_W;
    a &= ones(s->size.ADDR_W);
    if (top > 0 && rng_percent(r, 40)) /* in or near the shared part */
        a |= ones(top - (top > 1 && rng_percent(r, 30)))
             << (s->size.ADDR_W - top);
    return a & ones(s->size.ADDR_W);
}

static uint64_t directed_address(struct dram_map_stim *s) {
    int w = s->size.ADDR_W;
    uint64_t n = s->script++ % (uint64_t)(2 * w + 8 + SCATTERED);
    uint64_t border =
        (uint64_t)((s->size.GROUPS * s->size.BANKS) - s->size.RESERVED)
        << (w - s->size.SLOT_W);
    if (n < (uint64_t)w)
        return bit((int)n);
    if (n < 2 * (uint64_t)w)
        return ones(w) & ~bit((int)n - w);
    n -= 2 * (uint64_t)w;
    if (n < 8)
        return (border + (n - 4) * 64) & ones(w);
    return rng_mix(n) & ones(w - s->size.SLOT_W); /* below the shared part */
}

static void random_place(struct dram_map_stim *s, struct dram_map_in *in) {
    uint64_t n = s->base.now * 4, v[] = {rng_mix(n + 1), rng_mix(n + 3)};
    int at = 0;
    in->back_channel = bits_take(v, &at, s->size.CHANNEL_W);
    in->back_rank = bits_take(v, &at, s->size.RANK_W);
    in->back_group = bits_take(v, &at, s->size.GROUP_W);
    in->back_bank = bits_take(v, &at, s->size.BANK_W);
    in->back_row = bits_take(v, &at, s->size.ROW_W);
    in->back_column = bits_take(v, &at, s->size.COL_W);
    in->back_offset = bits_take(v, &at, s->size.OFFSET_W);
}

static void give_back(struct dram_map_stim *s, struct dram_map_in *in) {
    const struct known *k =
        &s->kept[rng_below(&s->base.rng, (uint32_t)s->n_kept)];
    s->given = true;
    s->expected = k->address;
    in->back_channel = k->place.place_channel;
    in->back_rank = k->place.place_rank;
    in->back_group = k->place.place_group;
    in->back_bank = k->place.place_bank;
    in->back_row = k->place.place_row;
    in->back_column = k->place.place_column;
    in->back_offset = k->place.place_offset;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct dram_map_stim *s = (struct dram_map_stim *)base;
    s->size = dram_map_local(c);
    s->percent_ask = s->percent_back = 100;
    base->reset_every = 2000;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 70, 20, 0};
    struct dram_map_stim *s = (struct dram_map_stim *)base;
    if (s->left-- > 0)
        return;
    s->percent_ask = rates[rng_below(&base->rng, 5)];
    s->percent_back = rates[rng_below(&base->rng, 5)];
    s->left = rng_range(&base->rng, 20, 300);
}

static void drive(struct stim *base, void *ports) {
    struct dram_map_stim *s = (struct dram_map_stim *)base;
    struct dram_map_in *in = ports;
    bool directed = strcmp(base->mode->name, "directed") == 0;
    in->ask_valid = rng_percent(&base->rng, s->percent_ask);
    in->ask_address = directed ? directed_address(s) : random_address(s);
    in->back_valid = rng_percent(&base->rng, s->percent_back);
    s->given = false;
    if (s->n_kept && in->back_valid &&
        (directed || rng_percent(&base->rng, 70)))
        give_back(s, in);
    else
        random_place(s, in);
}

static const char *check_place(struct dram_map_stim *s, uint64_t address,
                               const struct dram_map_out *out) {
    int banks = s->size.GROUPS * s->size.BANKS;
    uint64_t first = (uint64_t)(banks - s->size.RESERVED);
    uint64_t slot = out->place_group << s->size.BA_W | out->place_bank;
    uint64_t top = address >> (s->size.ADDR_W - s->size.SLOT_W);
    bool shared = s->size.RESERVED && top >= first;
    struct known *k = &s->kept[rng_below(&s->base.rng, KEPT)];
    if (s->n_kept < KEPT)
        k = &s->kept[s->n_kept++];
    *k = (struct known){address, *out};
    s->asked++;
    if (out->place_shared != shared)
        return stim_complain(&s->base, "address %" PRIx64 " is %sshared",
                             address, shared ? "not " : "");
    if (s->size.RESERVED && (slot >= first) != shared)
        return stim_complain(&s->base,
                             "address %" PRIx64 " lies in bank %" PRIu64,
                             address, slot);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct dram_map_stim *s = (struct dram_map_stim *)base;
    const struct dram_map_in *in = in_ports;
    const struct dram_map_out *after = after_ports;
    const char *wrong = NULL;
    (void)before_ports;
    if (after->place_valid != in->ask_valid ||
        after->found_valid != in->back_valid)
        return "an answer comes without being asked for, or not";
    if (in->ask_valid)
        wrong = check_place(s, in->ask_address, after);
    if (!wrong && in->back_valid && s->given) {
        s->returned++;
        if (after->found_address != s->expected)
            wrong = stim_complain(
                base, "the place of address %" PRIx64 " comes back as %" PRIx64,
                s->expected, after->found_address);
    }
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct dram_map_stim *s = (const struct dram_map_stim *)base;
    text_printf(t, "addresses\t%" PRIu64 "\n", s->asked);
    text_printf(t, "returned\t%" PRIu64 "\n", s->returned);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed"};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class dram_map_stim = {
    .size = sizeof(struct dram_map_stim),
    .modes = modes,
    .open = open,
    .drive = drive,
    .watch = watch,
    .report = report,
};
