/* shared.c - shared memory of near-bank units: an access behind the other. */
#include "shared.h"

#include "base/arena.h"
#include "base/bits.h"
#include "isa/alu.h"
#include "isa/isa.h"

#include <stdlib.h>

/* A cover point of the model has happened. */
static void hit(struct nsm *s, bool happens, int point) {
    if (happens)
        s->covers[point]++;
}

/* --- operations ----------------------------------------------------------- */

bool nsm_is(int op) {
    return isa_info(op)->timing == ISA_TIMING_shared;
}

static bool is_atomic(int op) {
    return isa_info(op)->class == ISA_CLASS_atomic;
}

static bool is_load(int op) {
    return !is_atomic(op) && isa_has(op, 'd');
}

static uint32_t access_bytes(int op) {
    switch (op) {
    case ISA_lds_u8:
    case ISA_lds_s8:
    case ISA_sts_b8:
        return 1;
    case ISA_lds_u16:
    case ISA_lds_s16:
    case ISA_sts_b16:
        return 2;
    default:
        return 4;
    }
}

/* --- banks ---------------------------------------------------------------- */

/* Of all words of the memory. */
static uint64_t word_of(const struct nsm *s, int lane) {
    return (s->base + s->access.at[lane] / 4) % (uint64_t)s->size.words;
}

static int bank_of(const struct nsm *s, int lane) {
    return (int)(word_of(s, lane) % (uint64_t)s->size.lanes);
}

/* Where a lane's bytes are. */
static uint8_t *place_of(struct nsm *s, int lane) {
    return &s->bytes[4 * word_of(s, lane) + s->access.at[lane] % 4];
}

static uint32_t read_lane(struct nsm *s, int lane) {
    const uint8_t *p = place_of(s, lane);
    int op = s->access.op;
    uint32_t v = 0, bytes = access_bytes(op);

    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << 8 * i;
    if (op == ISA_lds_s8 || op == ISA_lds_s16)
        v = (uint32_t)bits_signed(v, 8 * (int)bytes);
    return v;
}

static void write_lane(struct nsm *s, int lane, uint32_t v) {
    uint8_t *p = place_of(s, lane);

    for (uint32_t i = 0; i < access_bytes(s->access.op); i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* --- what goes wrong ------------------------------------------------------ */

static bool is_odd(const struct nsm *s, int lane) {
    return s->access.at[lane] % access_bytes(s->access.op) != 0;
}

/* The lowest lane that goes wrong, -1: none. */
static int wrong_lane(const struct nsm *s, struct nsm_window w) {
    uint32_t row = 4 * (uint32_t)s->size.alus;

    for (int l = 0; l < s->size.lanes; l++)
        if ((s->todo >> l & 1) &&
            (is_odd(s, l) || s->access.at[l] / row >= w.rows))
            return l;
    return -1;
}

static struct nsm_fault fault_of(struct nsm *s, int lane) {
    const struct nsm_access *a = &s->access;
    bool odd = is_odd(s, lane);

    hit(s, odd, s->points->odd);
    hit(s, !odd, s->points->off);
    return (struct nsm_fault){true, odd, a->warp, a->tag, a->at[lane]};
}

/* --- lanes ---------------------------------------------------------------- */

/* Of each bank the lowest lane to do; loads take along who wants its word. */
static uint64_t pick(struct nsm *s) {
    int winner[NSM_LANES];
    uint64_t picked = 0;
    bool load = is_load(s->access.op);

    for (int b = 0; b < s->size.lanes; b++)
        winner[b] = -1;
    for (int l = 0; l < s->size.lanes; l++) {
        int b = bank_of(s, l);
        if (!(s->todo >> l & 1))
            continue;
        bool wins = winner[b] < 0;
        if (wins)
            winner[b] = l;
        bool same = word_of(s, l) == word_of(s, winner[b]);
        if (wins || (same && load))
            picked |= bit(l);
        hit(s, !wins && same && load, s->points->same);
    }
    return picked;
}

/* Words have been read, or none has; last: no lane is left. */
static void leave(struct nsm *s, uint64_t puts, bool last) {
    s->end = s->access;
    s->puts = puts;
    s->last = last && puts;
    s->ended = last && !puts;
    s->busy = !last;
}

/* A lane of an atomic is read. */
static void read_atomic(struct nsm *s) {
    uint64_t lead = s->todo & -s->todo;
    int l = 0;

    while (lead >> l > 1)
        l++;
    if (lead)
        s->put[l] = read_lane(s, l);
    leave(s, lead, !lead);
}

/* The lane that was read is written. */
static void write_atomic(struct nsm *s) {
    const struct nsm_access *a = &s->access;
    uint64_t lead = s->todo & -s->todo;
    int l = 0;

    while (lead >> l > 1)
        l++;
    write_lane(s, l, alu_atomic(a->op, s->put[l], a->compare[l], a->data[l]));
    hit(s, a->op == ISA_ats_cas && s->put[l] != a->compare[l], s->points->kept);
    hit(s, true, s->points->atomic);
    s->todo &= ~lead;
    hit(s, s->todo != 0, s->points->conflict);
    s->ended = !s->todo;
    s->busy = s->todo != 0;
}

static void work(struct nsm *s) {
    const struct nsm_access *a = &s->access;
    bool load = is_load(a->op);
    uint64_t picked = pick(s);

    for (int l = 0; l < s->size.lanes; l++)
        if (picked >> l & 1) {
            if (load)
                s->put[l] = read_lane(s, l);
            else
                write_lane(s, l, a->data[l]);
        }
    s->todo &= ~picked;
    hit(s, picked && load, s->points->load);
    hit(s, picked && !load, s->points->store);
    hit(s, picked && access_bytes(a->op) < 4, s->points->part);
    hit(s, s->todo != 0, s->points->conflict);
    leave(s, load ? picked : 0, !s->todo);
}

/* --- of the model --------------------------------------------------------- */

void nsm_open(struct nsm *s, struct nsm_size size, uint64_t warps,
              const struct nsm_points *points, uint64_t *covers) {
    *s = (struct nsm){.size = size, .points = points, .covers = covers};
    s->bytes = xcalloc((size_t)size.words + 1, 4);
    s->windows = xcalloc((size_t)warps, sizeof *s->windows);
}

void nsm_close(struct nsm *s) {
    free(s->bytes);
    free(s->windows);
}

void nsm_reset(struct nsm *s) {
    *s = (struct nsm){.size = s->size,
                      .points = s->points,
                      .covers = s->covers,
                      .bytes = s->bytes,
                      .windows = s->windows};
}

void nsm_window(struct nsm *s, uint64_t warp, struct nsm_window w) {
    s->windows[warp] = w;
}

bool nsm_free(const struct nsm *s) {
    return !s->busy;
}

void nsm_begin(struct nsm *s, const struct nsm_access *a) {
    struct nsm_window w = s->windows[a->warp];

    s->busy = true;
    s->checked = false;
    s->access = *a;
    s->todo = a->active;
    for (int l = 0; l < s->size.lanes && !is_atomic(a->op); l++)
        s->access.at[l] += a->number;
    s->base = w.base * (uint64_t)s->size.alus;
    s->wrong = wrong_lane(s, w);
}

struct nsm_fault nsm_edge(struct nsm *s, const bool *taken, bool told) {
    struct nsm_fault none = {0};
    bool still = s->puts && taken[s->end.unit];
    bool room = !still && !s->last && (!s->ended || told);
    bool second = s->busy && s->puts && is_atomic(s->access.op);

    hit(s, still, s->points->still);
    if (told)
        s->ended = false;
    if (s->puts && !still) {
        for (int l = 0; l < s->size.lanes; l++)
            if (s->end.row && (s->puts >> l & 1))
                s->end.row[l] = s->put[l];
        s->puts = 0;
        s->ended |= s->last;
        s->last = false;
    }
    if (!s->busy)
        return none;
    if (!s->checked) {
        s->checked = true;
        return none;
    }
    if (!room)
        return none;
    if (s->wrong >= 0) {
        leave(s, 0, true);
        return fault_of(s, s->wrong);
    }
    hit(s, s->access.active == 0, s->points->empty);
    if (second)
        write_atomic(s);
    else if (is_atomic(s->access.op))
        read_atomic(s);
    else
        work(s);
    return none;
}
