/* away.c - see away.h. */
#include "away.h"

#include "base/bits.h"

/* splitmix64; as many small numbers as large ones, since words compare with
 * both. */
uint32_t away_poison(struct isa_away *a) {
    uint64_t x = a->seed += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (uint32_t)x >> (x >> 32 & 31);
}

static bool holds(const struct isa_block *b, uint32_t value) {
    bool ge = b->compare == ISA_COMPARE_GE;
    if (b->is_signed) {
        int32_t v = (int32_t)value, t = (int32_t)b->threshold;
        return ge ? v >= t : v <= t;
    }
    return ge ? value >= b->threshold : value <= b->threshold;
}

const struct isa_block *away_goes(struct isa_away *a, int pc, uint32_t mask,
                                  const struct away_state *s) {
    for (int i = 0; i < a->n; i++) {
        const struct isa_block *b = &a->blocks[i];
        if (b->ask != pc)
            continue;
        a->asked++;
        if (!a->always && b->cond_reg >= 0 &&
            !holds(b, s->r[b->cond_reg][__builtin_ctz(mask)]))
            return NULL;
        a->went++;
        if (a->went_of)
            a->went_of[i]++;
        return b;
    }
    return NULL;
}

static void poison_register(struct isa_away *a, uint32_t *r, uint32_t mask) {
    for (int lane = 0; lane < AWAY_LANES; lane++)
        if (mask >> lane & 1)
            r[lane] = away_poison(a);
}

static void poison_predicate(struct isa_away *a, uint32_t *p, uint32_t mask) {
    *p = (*p & ~mask) | (away_poison(a) & mask);
}

void away_leave(struct isa_away *a, const struct isa_block *b, uint32_t mask,
                struct away_state *there) {
    for (int i = 0; i < ISA_REGISTERS; i++)
        poison_register(a, there->r[i], b->in & bit(i) ? ~mask : UINT32_MAX);
    for (int i = 0; i < ISA_TRUE; i++)
        poison_predicate(a, &there->p[i],
                         b->pred_in >> i & 1 ? ~mask : UINT32_MAX);
}

void away_return(struct isa_away *a, const struct isa_block *b, uint32_t mask,
                 const struct isa_touch *writes, const struct away_state *there,
                 struct away_state *here) {
    for (int i = 0; i < ISA_REGISTERS; i++) {
        if (b->out & bit(i)) {
            for (int lane = 0; lane < AWAY_LANES; lane++)
                if (mask >> lane & 1)
                    here->r[i][lane] = there->r[i][lane];
        } else if (a->forget && writes->writes & bit(i)) {
            poison_register(a, here->r[i], mask);
        }
    }
    for (int i = 0; i < ISA_TRUE; i++) {
        if (b->pred_out >> i & 1)
            here->p[i] = (here->p[i] & ~mask) | (there->p[i] & mask);
        else if (a->forget && writes->pred_writes >> i & 1)
            poison_predicate(a, &here->p[i], mask);
    }
}
