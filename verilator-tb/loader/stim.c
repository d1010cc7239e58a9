/* stim.c - stimulus of what loads tables of blocks: software that writes entries and
 * the map, and cores that run or do not.
 *
 * The environment keeps every word that software has written.  An entry must be the
 * last of them, in their order, at the index that software has counted, on the edge
 * of its command and no other.
 *
 * random    phases with other shares of words, entries, indices and settings
 * directed  whole entries one after the other, entries cut short, a core that runs
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/loader.h"

#include <inttypes.h>
#include <string.h>

enum { RUNNING = 1, HISTORY = 64, ENTRY_WORDS = 512 / 64 };

/* What the surroundings are like for a while. */
struct tune {
    int software;        /* percent of the edges with a free bus */
    int whole;           /* of the entries: all their words are written */
    int index, settings; /* before an entry */
    int running;         /* of the edges: a core runs */
};

struct loader_stim {
    struct stim base;
    struct loader_local size;
    struct tune tune;
    int left;  /* edges of this phase */
    int words; /* of the entry, still to come before it is loaded */
    uint32_t history[HISTORY];
    uint64_t written; /* words since reset */
    uint64_t index;
    uint64_t entries, refused;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 0, 0, 0},  {100, 100, 50, 0, 0}, {100, 0, 20, 0, 0},
        {100, 50, 0, 0, 100}, {50, 100, 0, 50, 30},
    };
    struct loader_stim *s = (struct loader_stim *)base;

    s->tune = script[base->now / 400 % (sizeof script / sizeof *script)];
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 50, 10, 0};
    struct loader_stim *s = (struct loader_stim *)base;
    struct rng *r = &base->rng;

    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.software = rates[rng_below(r, 4)],
                            .whole = rates[rng_below(r, 5)],
                            .index = rates[rng_below(r, 5)],
                            .settings = rates[rng_below(r, 5)],
                            .running = rates[rng_below(r, 5)]};
    s->left = rng_range(r, 50, 500);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct loader_stim *)base)->size = loader_local(c);
    base->reset_every = 3000;
    base->wishbone = 60;
}

static void reset(struct stim *base) {
    struct loader_stim *s = (struct loader_stim *)base;

    s->written = s->index = 0;
    s->words = 0;
}

/* The next access: a setting, an index, a word, or the entry. */
static void drive_software(struct loader_stim *s) {
    struct master *m = &s->base.master;
    struct rng *r = &s->base.rng;

    if (rng_below(r, 3000) == 0)
        master_clear(m);
    if (!master_idle(m) || !rng_percent(r, s->tune.software))
        return;
    if (s->words > 0) {
        s->words--;
        master_command(m, LOADER_COM_word, (uint32_t)rng_next(r));
        return;
    }
    master_command(m, LOADER_COM_load, (uint32_t)rng_next(r));
    s->words = rng_percent(r, s->tune.whole)
                   ? s->size.WORDS
                   : rng_range(r, 0, 2 * s->size.WORDS);
    if (rng_percent(r, s->tune.index))
        master_command(m, LOADER_COM_index,
                       rng_percent(r, 30) ? 255 : (uint32_t)rng_next(r));
    if (rng_percent(r, s->tune.settings))
        master_set(m, LOADER_SET_map_bit, (uint32_t)rng_next(r));
    if (rng_percent(r, s->tune.settings))
        master_set(m, LOADER_SET_learned, rng_below(r, 2));
}

static void drive(struct stim *base, void *ports) {
    struct loader_stim *s = (struct loader_stim *)base;
    struct loader_in *in = ports;
    uint64_t others = rng_below(&base->rng, 3); /* idle, done, faulted */

    base->master.status[LOADER_STA_entries] = (uint32_t)s->size.ENTRIES;
    drive_software(s);
    in->core_state = rng_percent(&base->rng, s->tune.running) ? RUNNING
                     : others == 0                            ? 0
                                                              : others + 1;
}

/* --- watching ------------------------------------------------------------- */

/* The last words that were written; zero before the first. */
static void entry_of(const struct loader_stim *s, uint64_t *entry) {
    uint64_t n = (uint64_t)s->size.WORDS;

    memset(entry, 0, ENTRY_WORDS * sizeof *entry);
    for (uint64_t bit = 0; bit < (uint64_t)s->size.ENTRY_W; bit++) {
        uint64_t ago = n - bit / 32; /* 1: the last word */
        if (ago <= s->written)
            entry[bit / 64] |=
                (uint64_t)(s->history[(s->written - ago) % HISTORY] >>
                               bit % 32 &
                           1)
                << bit % 64;
    }
}

static const char *check_entry(struct loader_stim *s,
                               const struct loader_out *o) {
    uint64_t entry[ENTRY_WORDS];

    entry_of(s, entry);
    if (o->load_index != s->index % (uint64_t)s->size.ENTRIES)
        return stim_complain(
            &s->base, "an entry has index %" PRIu64 ", expected %" PRIu64,
            o->load_index, s->index % (uint64_t)s->size.ENTRIES);
    if (o->load_stores != (s->base.master.value & 1))
        return stim_complain(&s->base, "an entry %s",
                             o->load_stores ? "stores" : "does not store");
    if (memcmp(entry, o->load_entry, sizeof entry) != 0)
        return stim_complain(&s->base,
                             "an entry is not the words written last");
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct loader_stim *s = (struct loader_stim *)base;
    const struct loader_in *in = in_ports;
    const struct loader_out *o = after_ports;
    struct master *m = &base->master;
    bool asked = m->commanded == LOADER_COM_load;
    bool loads = asked && in->core_state != RUNNING;
    const char *wrong = NULL;

    (void)before_ports;
    if (o->load_valid != loads)
        wrong = stim_complain(base, "an entry is %s",
                              loads ? "not loaded" : "loaded unasked");
    else if (loads)
        wrong = check_entry(s, o);
    if (!wrong && (o->map_learned != m->setting[LOADER_SET_learned] ||
                   o->map_bit != m->setting[LOADER_SET_map_bit]))
        wrong = stim_complain(base,
                              "the map is %" PRIu64 " with bit %" PRIu64
                              ", another one than the settings",
                              o->map_learned, o->map_bit);
    if (m->commanded == LOADER_COM_index)
        s->index = m->value % 256;
    if (m->commanded == LOADER_COM_word)
        s->history[s->written++ % HISTORY] = m->value;
    if (loads)
        s->index = (s->index + 1) % 256;
    m->count[LOADER_CNT_loaded] += loads;
    m->count[LOADER_CNT_refused] += asked && !loads;
    s->entries += loads;
    s->refused += asked && !loads;
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct loader_stim *s = (const struct loader_stim *)base;

    text_printf(t, "entries\t%" PRIu64 "\nrefused\t%" PRIu64 "\n", s->entries,
                s->refused);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class loader_stim = {
    .size = sizeof(struct loader_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
