/* trip.c - "at least so many iterations" as a condition on one
 * register (TOM, section 3.1.3).
 *
 * A loop of trip.c goes on while counter + plus + i step <relation> bound, for
 * i = 0, 1, ...; it makes n iterations at least if that holds for the first
 * n' of them, n' = n if the test comes first and n - 1 if the work does.
 * Since the value moves one way, the last of these decides.  A test for
 * "not equal" is read as the order that the step goes in: if the value has not
 * reached the bound yet, it has not met it either.
 */
#include "parts.h"

enum direction { NOWHERE, UPWARDS, DOWNWARDS };

static enum direction direction(const struct ptx_trip *t) {
    bool lt = t->relation == PTX_REL_LT || t->relation == PTX_REL_LE;
    bool gt = t->relation == PTX_REL_GT || t->relation == PTX_REL_GE;
    bool ne = t->relation == PTX_REL_NE;
    if (t->step > 0 && (lt || ne))
        return UPWARDS;
    if (t->step < 0 && (gt || ne))
        return DOWNWARDS;
    return NOWHERE;
}

static bool is_word(const struct ptx_function *f, int reg) {
    const struct ptx_register *r = f->registers[reg];
    return r->kind == PTX_ROW && ptx_type_bits(r->type) == 32;
}

int ptx_trip_register(const struct ptx_function *f, const struct ptx_trip *t,
                      const char **why) {
    *why = NULL;
    if (t->kind != PTX_TRIP_ENTRY)
        *why = "trip count unknown";
    else if (direction(t) == NOWHERE)
        *why = "trip count: test and step do not go together";
    else if (!t->start_known && !t->bound_known)
        *why = t->bound_reg >= 0 ? "trip count depends on two registers"
                                 : "trip count depends on a special register";
    else if (!t->bound_known && t->bound_reg < 0)
        *why = "trip count depends on a special register";
    if (*why)
        return -1;
    int reg = t->start_known ? t->bound_reg : t->counter;
    if (ptx_type_bits(t->type) == 32 && is_word(f, reg))
        return reg;
    *why = "trip count depends on a register that is not of 32 bits";
    return -1;
}

/* A constant as the comparison sees it. */
static int64_t seen(const struct ptx_trip *t, int64_t v) {
    return t->is_unsigned ? (int64_t)(uint32_t)v : (int64_t)(int32_t)v;
}

/* An unsigned counter that starts from a register must not wrap round on its
 * way to the first test: the condition would need a second bound. */
static bool wraps_first(const struct ptx_trip *t) {
    return t->is_unsigned && !t->start_known &&
           (t->step > 0 ? t->plus < 0 : t->plus > 0);
}

bool ptx_trip_condition(const struct ptx_trip *t, int reg, int64_t count,
                        struct ptx_condition *out) {
    int64_t passes = t->tests_first ? count : count - 1;
    bool up = direction(t) == UPWARDS;
    int64_t strict = t->relation != PTX_REL_LE && t->relation != PTX_REL_GE;
    int64_t way = ptx_mul_clamped(passes - 1, t->step), limit;
    if (passes < 1 || wraps_first(t))
        return false;
    if (t->start_known) { /* the bound lies behind the last value */
        limit = ptx_add_clamped(seen(t, t->start + t->plus), way);
        limit += up ? strict : -strict;
    } else { /* the start lies that far before the bound */
        limit = ptx_add_clamped(seen(t, t->bound), -way);
        limit = ptx_add_clamped(limit, -t->plus) - (up ? strict : -strict);
    }
    if (t->is_unsigned ? limit < 0 || limit > UINT32_MAX
                       : limit < INT32_MIN || limit > INT32_MAX)
        return false;
    *out = (struct ptx_condition){
        .reg = reg,
        .compare = t->start_known == up ? PTX_COMPARE_GE : PTX_COMPARE_LE,
        .threshold = (uint32_t)limit,
        .is_signed = !t->is_unsigned};
    return true;
}
