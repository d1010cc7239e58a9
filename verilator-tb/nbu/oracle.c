/* oracle.c - what registers must hold, in program order.
 *
 * s->truth is the contents of all registers if every instruction executed at
 * its accept, one after the other.  The expected operands are copied from it
 * then, and the result is computed and written to it.  The two register files
 * in s->rows change only as the hardware has it: a completion writes the side
 * its ticket names, a move writes the other.  A result mixes the operands with
 * a number that no other instruction has, so that old and new contents differ.
 */
#include "env.h"

#include "base/arena.h"

#include <string.h>

uint64_t *row_at(const struct nbu_stim *s, uint64_t *rows, int warp, int reg) {
    return rows + s->row_stride * (uint64_t)(warp * s->size.REGS + reg);
}

void oracle_open(struct nbu_stim *s) {
    size_t n = (size_t)(s->size.WARPS * s->size.REGS) * s->row_stride;
    s->rows[FAR] = xcalloc(n, sizeof(uint64_t));
    s->rows[NEAR] = xcalloc(n, sizeof(uint64_t));
    s->truth = xcalloc(n, sizeof(uint64_t));
    for (size_t i = 0; i < n; i++)
        s->rows[FAR][i] = rng_next(&s->base.rng);
}

/* After a reset the far copies are the valid ones; the near ones are made as
 * wrong as can be. */
void oracle_reset(struct nbu_stim *s) {
    size_t n = (size_t)(s->size.WARPS * s->size.REGS) * s->row_stride;
    memcpy(s->truth, s->rows[FAR], n * sizeof(uint64_t));
    for (size_t i = 0; i < n; i++)
        s->rows[NEAR][i] = ~s->rows[FAR][i];
}

static int rows_of(const struct operand *o) {
    return is_pair(o) ? 2 : 1;
}

/* The operand's rows out of the truth. */
static void recall(const struct nbu_stim *s, const struct instr *i,
                   enum slot slot, struct value *v) {
    const struct operand *o = &i->operand[slot];
    size_t size = (size_t)s->row_words * sizeof(uint64_t);
    for (int r = 0; o->valid && r < rows_of(o); r++)
        memcpy(v->word[r], row_at(s, s->truth, i->warp, o->reg + r), size);
}

/* Fold a source into the lanes of a result. */
static void mix_source(const struct nbu_stim *s, const struct operand *o,
                       const struct value *v, uint32_t *h) {
    const uint32_t k = 0x9e3779b1u;
    for (int lane = 0; lane < s->size.LANES; lane++) {
        uint32_t x = o->kind == NBU_PRED
                         ? (uint32_t)(v->word[0][0] >> lane & 1) + 1
                         : bits_lane(v->word[0], lane);
        h[lane] = (h[lane] ^ x) * k;
        h[lane] ^= h[lane] >> 15;
    }
    if (o->kind != NBU_PAIR)
        return;
    for (int lane = 0; lane < s->size.LANES; lane++)
        h[lane] = (h[lane] ^ bits_lane(v->word[1], lane)) * k;
}

/* Lay the lanes out as the destination's rows. */
static void shape_result(const struct nbu_stim *s, const struct operand *dst,
                         const uint32_t *h, struct value *v) {
    if (dst->kind == NBU_PRED) {
        v->word[0][0] = 0;
        for (int lane = 0; lane < s->size.LANES; lane++)
            v->word[0][0] |= (uint64_t)(h[lane] >> 31) << lane;
        return;
    }
    for (int lane = 0; lane < s->size.LANES; lane++)
        bits_set_lane(v->word[0], lane, h[lane]);
    for (int lane = 0; dst->kind == NBU_PAIR && lane < s->size.LANES; lane++)
        bits_set_lane(v->word[1], lane, ~h[lane] * 0x85ebca6bu);
}

/* Write the lanes of a value over a row, as the executors merge. */
static void merge(const struct nbu_stim *s, const struct operand *o,
                  const struct value *v, uint32_t lanes, int r, uint64_t *row) {
    if (o->kind == NBU_PRED) {
        row[0] = (row[0] & ~(uint64_t)lanes) | (v->word[0][0] & lanes);
        return;
    }
    if (lanes == s->lane_mask) {
        memcpy(row, v->word[r], (size_t)s->row_words * sizeof *row);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        bits_set_lane(row, lane, bits_lane(v->word[r], lane));
    }
}

static void write_result(struct nbu_stim *s, const struct flight *f,
                         uint64_t *rows) {
    const struct operand *dst = &f->instr.operand[DST];
    for (int r = 0; dst->valid && r < rows_of(dst); r++)
        merge(s, dst, &f->result, f->lanes, r,
              row_at(s, rows, f->instr.warp, dst->reg + r));
}

void oracle_accept(struct nbu_stim *s, struct warp *w, struct flight *f) {
    const struct instr *i = &f->instr;
    uint32_t h[32];
    for (int slot = DST; slot < N_SLOTS; slot++)
        recall(s, i, slot, &w->expected[slot]);
    f->lanes = i->mask;
    if (i->operand[GUARD].valid)
        f->lanes &= (uint32_t)w->expected[GUARD].word[0][0];
    s->nonce++;
    for (int lane = 0; lane < s->size.LANES; lane++)
        h[lane] = (uint32_t)(s->nonce * 64 + (uint64_t)lane) * 0x2c1b3c6du;
    for (int slot = SRC0; slot <= SRC2; slot++)
        if (i->operand[slot].valid)
            mix_source(s, &i->operand[slot], &w->expected[slot], h);
    if (i->operand[DST].valid)
        shape_result(s, &i->operand[DST], h, &f->result);
    write_result(s, f, s->truth);
}

void oracle_complete(struct nbu_stim *s, const struct flight *f) {
    write_result(s, f, s->rows[required_side(s, f, DST)]);
}

/* Memory accesses have operands that must lie on one side wherever they run
 * (docs/blocks/nbu.md, "Where its operands must be"), if there are two. */
enum side required_side(const struct nbu_stim *s, const struct flight *f,
                        enum slot slot) {
    if (s->far_set == ones(OPC_COUNT))
        return FAR;
    if (slot == GUARD)
        return f->side;
    switch (f->instr.op) {
    case OPC_ld_global:
    case OPC_st_global:
        return slot == SRC0 ? FAR : NEAR;
    case OPC_ld_shared:
    case OPC_st_shared:
        return NEAR;
    default:
        return f->side;
    }
}

static const char *slot_name(enum slot slot) {
    static const char *const names[] = {"destination", "source 0", "source 1",
                                        "source 2", "guard"};
    return names[slot];
}

static const char *wrong_row(struct nbu_stim *s, const struct flight *f,
                             enum slot slot, int r, const uint64_t *got,
                             const uint64_t *expected) {
    const struct operand *o = &f->instr.operand[slot];
    static const char *const sides[] = {"far", "near"};
    char where[96];
    int lane = 0;
    snprintf(where, sizeof where, "warp %d tag %u: %s, register %d, read %s",
             f->instr.warp, (unsigned)f->instr.tag, slot_name(slot), o->reg + r,
             sides[required_side(s, f, slot)]);
    if (o->kind == NBU_PRED)
        return stim_complain(&s->base, "%s: expected predicate %08x, got %08x",
                             where,
                             (unsigned)((uint32_t)expected[0] & s->lane_mask),
                             (unsigned)((uint32_t)got[0] & s->lane_mask));
    while (bits_lane(got, lane) == bits_lane(expected, lane))
        lane++;
    return stim_complain(&s->base, "%s: expected %08x in lane %d, got %08x",
                         where, (unsigned)bits_lane(expected, lane), lane,
                         (unsigned)bits_lane(got, lane));
}

static const char *check_operand(struct nbu_stim *s, const struct warp *w,
                                 const struct flight *f, enum slot slot) {
    const struct operand *o = &f->instr.operand[slot];
    uint64_t *rows = s->rows[required_side(s, f, slot)];
    size_t size = (size_t)s->row_words * sizeof(uint64_t);
    for (int r = 0; r < rows_of(o); r++) {
        const uint64_t *got = row_at(s, rows, f->instr.warp, o->reg + r);
        const uint64_t *expected = w->expected[slot].word[r];
        bool same = o->kind == NBU_PRED
                        ? !((got[0] ^ expected[0]) & s->lane_mask)
                        : memcmp(got, expected, size) == 0;
        s->checked++;
        if (!same)
            return wrong_row(s, f, slot, r, got, expected);
    }
    return NULL;
}

const char *oracle_deliver(struct nbu_stim *s, const struct warp *w,
                           const struct flight *f) {
    bool partial =
        f->instr.mask != s->lane_mask || f->instr.operand[GUARD].valid;
    for (int slot = DST; slot < N_SLOTS; slot++) {
        if (!f->instr.operand[slot].valid || (slot == DST && !partial))
            continue; /* a full write needs no old value */
        const char *wrong = check_operand(s, w, f, slot);
        if (wrong)
            return wrong;
    }
    return NULL;
}
