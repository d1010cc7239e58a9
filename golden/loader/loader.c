/* loader.c - golden model of the tables of blocks that move, and of the map of
 * addresses.
 *
 * Written from docs/blocks/loader.md.
 */
#include "loader.h"

#include "base/bits.h"
#include "blocks/loader.h"
#include "frame/model.h"

#include <string.h>

enum { RUNNING = 1, MAX_WORDS = 16 };

struct loader {
    struct golden base;
    struct loader_local l;
    uint32_t word[MAX_WORDS]; /* the entry, lowest first */
    uint64_t index;
    bool follows; /* an entry was loaded since the last index */
    struct loader_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct loader *)g)->l = loader_local(c);
}

static void show_entry(struct loader *n, uint32_t stores) {
    n->out.load_valid = 1;
    n->out.load_index = n->index & ones(n->l.INDEX_W);
    n->out.load_stores = stores & 1;
    for (int i = 0; i < n->l.WORDS; i++) {
        int left = n->l.ENTRY_W - 32 * i;
        uint64_t bits = n->word[i] & ones(left < 32 ? left : 32);
        n->out.load_entry[i / 2] |= bits << i % 2 * 32;
    }
}

static void load(struct loader *n, bool running, uint32_t stores) {
    hit_if(n, running, LOADER_COV_refused);
    hit_if(n, !running, LOADER_COV_loaded);
    hit_if(n, !running && n->follows, LOADER_COV_loaded_again);
    hit_if(n, !running && stores & 1, LOADER_COV_stores);
    event_if(&n->base, running, LOADER_CNT_refused);
    event_if(&n->base, !running, LOADER_CNT_loaded);
    if (running)
        return;
    show_entry(n, stores);
    n->index = (n->index + 1) & 255;
    n->follows = true;
}

static void edge(struct golden *g, const void *ports) {
    struct loader *n = (struct loader *)g;
    const struct loader_in *in = ports;
    uint32_t data = (uint32_t)in->wb_dat_w;
    int last = n->l.WORDS - 1;

    n->out.load_valid = n->out.load_index = n->out.load_stores = 0;
    memset(n->out.load_entry, 0, sizeof n->out.load_entry);
    n->base.regs.status[LOADER_STA_entries] = (uint32_t)n->l.ENTRIES;
    n->out.map_learned = n->base.regs.setting[LOADER_SET_learned];
    n->out.map_bit = n->base.regs.setting[LOADER_SET_map_bit];
    switch (n->base.regs.command) {
    case LOADER_COM_index:
        n->index = data & 255;
        n->follows = false;
        break;
    case LOADER_COM_word:
        memmove(n->word, n->word + 1, (size_t)last * sizeof *n->word);
        n->word[last] = data;
        break;
    case LOADER_COM_load:
        load(n, (in->core_state & 3) == RUNNING, data);
        break;
    }
}

static void written(struct golden *g, int setting, uint32_t before) {
    struct loader *n = (struct loader *)g;

    hit_if(n,
           setting == LOADER_SET_learned &&
               n->base.regs.setting[setting] != before,
           LOADER_COV_learned);
}

static void reset(struct golden *g) {
    struct loader *n = (struct loader *)g;

    memset(n->word, 0, sizeof n->word);
    n->index = 0;
    n->follows = false;
    n->out.map_bit = 7;
}

const struct golden_class loader_golden = {
    .iface = &loader_iface,
    MODEL_STRUCT(struct loader),
    .open = open,
    .reset = reset,
    .edge = edge,
    .written = written,
    .still = true,
};
