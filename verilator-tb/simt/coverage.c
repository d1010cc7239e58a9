/* coverage.c - what has retired: operations by the lanes that were active, and
 * computing ones by what their first operand was like.
 *
 * A lock-step run shows an operation right only for operands that came; the
 * report of the run says how many of them did.
 */
#include "env.h"

#include <inttypes.h>

enum { MASKS = 4, KINDS = 12 };

/* Sign, and magnitude as a number: zero, subnormal, below 1, below 2^31, more,
 * none.  Integers come by their bits. */
static int kind_of(uint32_t x) {
    uint32_t exp = x >> 23 & 0xff;
    int size = exp == 0     ? ((x & ones(23)) != 0)
               : exp < 127  ? 2
               : exp < 158  ? 3
               : exp < 0xff ? 4
                            : 5;
    return (x >> 31 ? KINDS / 2 : 0) + size;
}

static bool computes(int op) {
    enum isa_class c = isa_info(op)->class;
    return isa_has(op, 'a') && (c == ISA_CLASS_int || c == ISA_CLASS_mul ||
                                c == ISA_CLASS_f32 || c == ISA_CLASS_compare);
}

void simt_coverage_add(struct simt_stim *s, const struct isa_word *w,
                       uint32_t active, const uint32_t *a) {
    struct coverage *c = &s->coverage;
    uint32_t all = (uint32_t)ones(s->l.LANES);
    int mask = !active                        ? 0
               : active == all                ? 1
               : (active & (active - 1)) == 0 ? 2
                                              : 3;
    c->masks[w->op] |= (uint8_t)(1 << mask);
    if (computes(w->op))
        for (int lane = 0; lane < s->l.LANES; lane++)
            if (active >> lane & 1)
                c->kinds[w->op] |= (uint16_t)(1 << kind_of(a[lane]));
}

void simt_coverage_report(const struct simt_stim *s, struct text *t) {
    const struct coverage *c = &s->coverage;
    int ops = 0, seen = 0, masks = 0, operands = 0, kinds = 0;
    for (int op = 0; op < ISA_OPS; op++) {
        if (!isa_info(op)->text)
            continue;
        ops++;
        seen += c->masks[op] != 0;
        masks += __builtin_popcount(c->masks[op]);
        operands += computes(op) ? KINDS : 0;
        kinds += __builtin_popcount(c->kinds[op]);
    }
    text_printf(t, "operations\t%d of %d\n", seen, ops);
    text_printf(t, "with masks\t%d of %d\n", masks, MASKS * ops);
    text_printf(t, "with operands\t%d of %d\n", kinds, operands);
}
