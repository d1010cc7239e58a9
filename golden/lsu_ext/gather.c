/* gather.c - strided messages of the golden load-store extension. */
#include "gather.h"

#include "base/bits.h"

#include <string.h>

void gather_reset(struct gatherer *g, const struct lsu_ext_local *l) {
    memset(g, 0, sizeof *g);
    g->told = l->GATHERS - 1; /* place 0 comes first */
}

void gather_take(struct gatherer *g, const struct strided *s) {
    g->front = *s;
    g->left = s->mask;
    g->state = GATHER_WORDS;
}

static int lowest(uint64_t set) {
    return __builtin_ctzll(set);
}

static void find_words(struct gatherer *g, const struct lsu_ext_local *l) {
    const struct strided *s = &g->front;
    int lead = s->mask ? lowest(s->mask) : 0;
    uint64_t step = s->step;

    if (step >> (l->STEP_W - 1) & 1)
        step |= ~ones(l->STEP_W);
    for (int i = 0; i < l->LANES; i++)
        g->word[i] = (s->word + step * (uint64_t)(i - lead)) & ones(l->AT_W);
}

static int unit_of(const struct lsu_ext_local *l, uint64_t word) {
    uint64_t line = (uint64_t)l->LINE / 4;

    return (int)(word / line % (uint64_t)l->UNITS);
}

static uint64_t sector_of(const struct lsu_ext_local *l, uint64_t word) {
    uint64_t line = (uint64_t)l->LINE / 4;
    uint64_t own = word / line / (uint64_t)l->UNITS * line + word % line;

    return own / (uint64_t)l->WORDS;
}

int gather_room(const struct gatherer *g, const struct lsu_ext_local *l) {
    for (int k = 0; k < l->GATHERS; k++)
        if (!g->place[k].taken)
            return k;
    return -1;
}

static void claim(struct gatherer *g, const struct lsu_ext_local *l, int k) {
    g->here = k;
    g->place[k] = (struct gather_place){.taken = true,
                                        .warp = g->front.warp,
                                        .reg = g->front.reg,
                                        .mask = g->front.mask};
    for (int i = 0; i < l->LANES; i++)
        g->place[k].at[i] = (int)(g->word[i] % (uint64_t)l->WORDS);
}

static void next_request(struct gatherer *g, const struct lsu_ext_local *l) {
    struct gather_place *p = &g->place[g->here];
    uint64_t words = (uint64_t)l->WORDS;
    uint64_t sector = g->word[lowest(g->left)] / words;

    g->lead = lowest(g->left);
    g->unit = unit_of(l, sector * words);
    g->sector = sector_of(l, sector * words);
    g->asks = true;
    for (int i = 0; i < l->LANES; i++)
        if (g->left >> i & 1 && g->word[i] / words == sector) {
            p->waits |= bit(i);
            p->lead[i] = g->lead;
            g->left &= ~bit(i);
        }
}

struct gather_events gather_edge(struct gatherer *g,
                                 const struct lsu_ext_local *l, int room,
                                 bool taken) {
    struct gather_events e = {0};

    switch (g->state) {
    case GATHER_IDLE:
        break;
    case GATHER_WORDS:
        find_words(g, l);
        e.no_place = room < 0;
        if (room >= 0) {
            claim(g, l, room);
            g->state = GATHER_ASK;
        }
        break;
    case GATHER_ASK:
        for (int k = 0; k < l->GATHERS; k++)
            e.behind |= k != g->here && g->place[k].waits;
        if (g->asks && !taken)
            break;
        int unit = g->unit;
        bool was = g->asks;
        g->asks = false;
        if (g->left) {
            next_request(g, l);
            e.units = was && g->unit != unit;
        } else {
            g->place[g->here].cut = true;
            g->state = GATHER_IDLE;
        }
        break;
    }
    return e;
}

void gather_sector(struct gatherer *g, const struct lsu_ext_local *l, int place,
                   int lead, bool fault, const uint64_t *data) {
    struct gather_place *p = &g->place[place % l->GATHERS];

    for (int i = 0; i < l->LANES; i++)
        if (p->waits >> i & 1 && p->lead[i] == lead) {
            p->waits &= ~bit(i);
            p->lane[i] = bits_lane(data, p->at[i]);
            p->fault |= fault;
        }
}

int gather_whole(const struct gatherer *g, const struct lsu_ext_local *l) {
    for (int i = 1; i <= l->GATHERS; i++) {
        int k = (g->told + i) % l->GATHERS;
        if (g->place[k].taken && g->place[k].cut && !g->place[k].waits)
            return k;
    }
    return -1;
}
