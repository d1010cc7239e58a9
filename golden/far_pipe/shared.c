/* shared.c - shared memory of a core, an access after the other. */
#include "shared.h"

#include "base/arena.h"
#include "base/bits.h"
#include "isa/alu.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

/* A cover point of the model has happened. */
static void hit(struct smem *s, bool happens, int point) {
    if (happens)
        s->covers[point]++;
}

/* --- operations ----------------------------------------------------------- */

bool smem_is(int op) {
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

static int bank_of(const struct smem *s, int lane) {
    return (int)(s->access.at[lane] / 4 % (uint32_t)s->size.alus);
}

/* Where a lane's bytes are. */
static uint8_t *place_of(struct smem *s, int lane) {
    uint64_t words = (uint64_t)s->size.words;
    uint64_t first = s->window.base * (uint64_t)s->size.alus;
    uint64_t word = (first + s->access.at[lane] / 4) % words;

    return &s->bytes[4 * word + s->access.at[lane] % 4];
}

static uint32_t read_lane(struct smem *s, int lane) {
    const uint8_t *p = place_of(s, lane);
    int op = s->access.op;
    uint32_t v = 0, bytes = access_bytes(op);

    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << 8 * i;
    if (op == ISA_lds_s8 || op == ISA_lds_s16)
        v = (uint32_t)bits_signed(v, 8 * (int)bytes);
    return v;
}

static void write_lane(struct smem *s, int lane, uint32_t v) {
    uint8_t *p = place_of(s, lane);

    for (uint32_t i = 0; i < access_bytes(s->access.op); i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* --- what goes wrong ------------------------------------------------------ */

static bool is_odd(const struct smem *s, int lane) {
    return s->access.at[lane] % access_bytes(s->access.op) != 0;
}

static bool is_off(const struct smem *s, int lane) {
    return s->access.at[lane] / (4 * (uint32_t)s->size.alus) >= s->window.rows;
}

/* The lowest lane that goes wrong, -1: none. */
static int wrong_lane(const struct smem *s) {
    for (int l = 0; l < s->size.lanes; l++)
        if ((s->todo >> l & 1) && (is_odd(s, l) || is_off(s, l)))
            return l;
    return -1;
}

static struct smem_fault fault_of(struct smem *s, int lane) {
    bool odd = is_odd(s, lane);

    hit(s, odd, s->points->odd);
    hit(s, !odd, s->points->off);
    return (struct smem_fault){true, odd, s->access.at[lane]};
}

/* --- passes --------------------------------------------------------------- */

/* What has been read goes into the register file. */
static void put_words(struct smem *s, uint32_t *row) {
    for (int l = 0; l < s->size.lanes; l++)
        if (row && (s->puts >> l & 1))
            row[l] = s->put[l];
    s->puts = 0;
}

/* Of each bank the lowest lane to do; loads take along who wants its word. */
static uint64_t pick(struct smem *s, uint64_t lanes) {
    int winner[SMEM_LANES];
    uint64_t picked = 0;
    bool load = is_load(s->access.op);

    for (int b = 0; b < s->size.alus; b++)
        winner[b] = -1;
    for (int l = 0; l < s->size.lanes; l++) {
        int b = bank_of(s, l);
        if (!(lanes >> l & 1))
            continue;
        bool wins = winner[b] < 0;
        if (wins)
            winner[b] = l;
        bool same = s->access.at[l] / 4 == s->access.at[winner[b]] / 4;
        if (wins || (same && load))
            picked |= bit(l);
        hit(s, !wins && same && load, s->points->same);
    }
    return picked;
}

static void work_atomic(struct smem *s, uint64_t lanes, uint32_t *row) {
    const struct smem_access *a = &s->access;
    int l = 0;

    if (lanes == 0)
        return;
    while (!(lanes >> l & 1))
        l++;
    if (!s->read) {
        s->put[l] = read_lane(s, l);
        s->puts = bit(l);
        s->read = true;
        return;
    }
    uint32_t v = alu_atomic(a->op, s->put[l], a->compare[l], a->data[l]);
    hit(s, a->op == ISA_ats_cas && s->put[l] != a->compare[l], s->points->kept);
    hit(s, true, s->points->atomic);
    hit(s, (lanes & ~bit(l)) != 0, s->points->conflict);
    write_lane(s, l, v);
    put_words(s, row);
    s->read = false;
    s->todo &= ~bit(l);
}

static void work_access(struct smem *s, uint64_t lanes, uint32_t *row) {
    bool load = is_load(s->access.op);
    uint64_t picked = pick(s, lanes);

    put_words(s, row);
    for (int l = 0; l < s->size.lanes; l++)
        if (picked >> l & 1) {
            if (load)
                s->put[l] = read_lane(s, l);
            else
                write_lane(s, l, s->access.data[l]);
        }
    s->puts = load ? picked : 0;
    s->todo &= ~picked;
    hit(s, picked && load, s->points->load);
    hit(s, picked && !load, s->points->store);
    hit(s, picked && access_bytes(s->access.op) < 4, s->points->part);
    hit(s, (lanes & ~picked) != 0, s->points->conflict);
}

/* An edge of an access whose passes are all there. */
static void work(struct smem *s, uint32_t *row, bool taken) {
    uint64_t of_pass = ones(s->size.alus) << s->pass * s->size.alus;

    if (s->puts && taken) {
        hit(s, true, s->points->still);
        return;
    }
    if (s->pass == s->size.passes) {
        put_words(s, row);
    } else {
        uint64_t lanes = s->todo & of_pass;
        hit(s, lanes == 0, s->points->empty);
        if (is_atomic(s->access.op))
            work_atomic(s, lanes, row);
        else
            work_access(s, lanes, row);
        s->pass += !(s->todo & of_pass);
    }
    s->ended = s->pass == s->size.passes && !s->puts;
}

/* --- of the model --------------------------------------------------------- */

void smem_open(struct smem *s, struct smem_size size, uint64_t warps,
               const struct smem_points *points, uint64_t *covers) {
    *s = (struct smem){.size = size, .points = points, .covers = covers};
    s->bytes = xcalloc((size_t)size.words + 1, 4);
    s->windows = xcalloc((size_t)warps, sizeof *s->windows);
}

void smem_close(struct smem *s) {
    free(s->bytes);
    free(s->windows);
}

void smem_reset(struct smem *s) {
    *s = (struct smem){.size = s->size,
                       .points = s->points,
                       .covers = s->covers,
                       .bytes = s->bytes,
                       .windows = s->windows};
}

void smem_window(struct smem *s, uint64_t warp, struct smem_window w) {
    s->windows[warp] = w;
}

bool smem_free(const struct smem *s) {
    return !s->busy;
}

bool smem_more(const struct smem *s) {
    return s->busy && s->age < s->size.passes;
}

void smem_begin(struct smem *s, const struct smem_access *a, uint32_t number) {
    s->busy = true;
    s->age = s->pass = 0;
    s->access = *a;
    for (int l = 0; l < s->size.lanes && !is_atomic(a->op); l++)
        s->access.at[l] += number;
    s->window = s->windows[a->warp];
    s->todo = a->active;
    s->puts = 0;
    s->read = false;
}

struct smem_fault smem_edge(struct smem *s, uint32_t *row, bool taken) {
    struct smem_fault none = {0};

    if (!s->busy || s->ended)
        return none;
    if (s->age++ < s->size.passes + 2)
        return none;
    int wrong = s->age == s->size.passes + 3 ? wrong_lane(s) : -1;
    if (wrong >= 0) {
        s->ended = true;
        return fault_of(s, wrong);
    }
    work(s, row, taken);
    return none;
}

void smem_told(struct smem *s) {
    s->ended = s->busy = false;
}
