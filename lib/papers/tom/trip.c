/* trip.c - "at least so many iterations" as a condition on one
 * register (TOM, section 3.1.3), or on a value made of two or three.
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
    /* the sign of a register is not known: it goes towards the bound, or the
     * loop would not end */
    if (t->step_reg >= 0)
        return lt ? UPWARDS : gt ? DOWNWARDS : NOWHERE;
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

/* Registers that the count depends on. */
static int deciding(const struct ptx_trip *t) {
    return !t->start_known + !t->bound_known + (t->step_reg >= 0);
}

int ptx_trip_register(const struct ptx_function *f, const struct ptx_trip *t,
                      const char **why) {
    *why = NULL;
    if (t->kind != PTX_TRIP_ENTRY)
        *why = "trip count unknown";
    else if (direction(t) == NOWHERE)
        *why = "trip count: test and step do not go together";
    else if (!t->bound_known && t->bound_reg < 0)
        *why = "trip count depends on a special register";
    else if (deciding(t) > 2)
        *why = "trip count depends on three registers";
    else if (deciding(t) > 1)
        *why = "trip count depends on two registers";
    else if (t->step_reg >= 0)
        *why = "trip count depends on the step alone";
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
        .sum = {-1, -1, -1, 0},
        .compare = t->start_known == up ? PTX_COMPARE_GE : PTX_COMPARE_LE,
        .threshold = (uint32_t)limit,
        .is_signed = !t->is_unsigned};
    return true;
}

/* ----------------------------------------------- values of several registers
 */

bool ptx_trip_several(const struct ptx_function *f, const struct ptx_trip *t) {
    return t->kind == PTX_TRIP_ENTRY && direction(t) != NOWHERE &&
           deciding(t) > 1 && ptx_type_bits(t->type) == 32 &&
           (t->start_known || is_word(f, t->counter)) &&
           (t->bound_known ||
            (t->bound_reg >= 0 && is_word(f, t->bound_reg))) &&
           (t->step_reg < 0 || is_word(f, t->step_reg));
}

/* How often the step, from the start, is in the value that the n-th test
 * sees. */
static int64_t steps(const struct ptx_trip *t, int64_t passes) {
    return ptx_add_clamped(t->plus_times, ptx_mul_clamped(passes - 1, t->step));
}

static bool is_signed_word(int64_t v) {
    return v >= INT32_MIN && v <= INT32_MAX;
}

/* bound - start, less the way to the last test that must pass, is positive
 * upwards.  The difference is signed whatever the comparison: a count of 2^31
 * or more is taken for none. */
bool ptx_trip_sum(const struct ptx_trip *t, int64_t count,
                  struct ptx_condition *out) {
    int64_t passes = t->tests_first ? count : count - 1;
    bool up = direction(t) == UPWARDS, by_reg = t->step_reg >= 0;
    int64_t strict = t->relation != PTX_REL_LE && t->relation != PTX_REL_GE;
    int64_t least = t->plus, times = by_reg ? steps(t, passes) : 0;
    bool turned = t->bound_known; /* the bound is a constant: start, negated */
    if (passes < 1)
        return false;
    if (!by_reg)
        least = ptx_add_clamped(least, ptx_mul_clamped(passes - 1, t->step));
    least += up ? strict : -strict;
    if (t->start_known)
        least = ptx_add_clamped(least, seen(t, t->start));
    if (turned)
        least = ptx_add_clamped(seen(t, t->bound), -least);
    if (!is_signed_word(least) || !is_signed_word(times))
        return false;
    *out = (struct ptx_condition){
        .reg = PTX_TO_PLACE,
        .sum = {.plus = turned ? t->counter : t->bound_reg,
                .minus = turned || t->start_known ? -1 : t->counter,
                .step = times ? t->step_reg : -1,
                .times = turned ? times : -times},
        .compare = up != turned ? PTX_COMPARE_GE : PTX_COMPARE_LE,
        .threshold = (uint32_t)least,
        .is_signed = true};
    if (out->sum.minus < 0 && out->sum.step < 0) {
        out->reg = out->sum.plus;
        out->sum = (struct ptx_sum){-1, -1, -1, 0};
    }
    return true;
}

int64_t ptx_trip_of_sum(const struct ptx_trip *t, const struct ptx_sum *sum,
                        int64_t count) {
    int64_t times = t->bound_known ? sum->times : -sum->times;
    int64_t passes = t->tests_first ? count : count - 1;
    struct ptx_condition c;
    if (t->step_reg >= 0 && (times - t->plus_times) % t->step)
        return -1;
    if (t->step_reg >= 0)
        passes = (times - t->plus_times) / t->step + 1;
    int64_t found = t->tests_first ? passes : passes + 1;
    return found >= count && ptx_trip_sum(t, found, &c) &&
                   c.sum.plus == sum->plus && c.sum.minus == sum->minus &&
                   c.sum.step == sum->step && c.sum.times == sum->times
               ? found
               : -1;
}
