/* shrink.c - the smallest program that still fails.
 *
 * Statements first, in halves, quarters and so on to single ones (Zeller and
 * Hildebrandt, "Simplifying and isolating failure-inducing input", 2002); then
 * conditions and loops give way to their bodies; then the launch, guards,
 * numbers and data.  All of it again while something has gone.
 */
#include "private.h"

#include "base/array.h"

#include <string.h>

typedef ARRAY(struct fuzz_statement *) statements;

struct shrinker {
    struct fuzz_program *p;
    fuzz_fails *fails;
    void *ctx;
    int left;
    struct fuzz_shrunk done;
    statements all; /* those there are, in the order of the text */
};

/* What was changed stays if the program still fails. */
static bool keep(struct shrinker *s) {
    if (s->left <= 0)
        return false;
    s->left--;
    s->done.tries++;
    bool ok = s->fails(s->ctx, s->p);
    s->done.kept += ok;
    return ok;
}

static void collect_one(void *ctx, struct fuzz_statement *s) {
    *array_push((statements *)ctx) = s;
}

static void collect(struct shrinker *s) {
    s->all.n = 0;
    fuzz_each(&s->p->list, collect_one, &s->all);
}

static void set_off(struct shrinker *s, int from, int n, bool off) {
    for (int i = from; i < from + n && i < s->all.n; i++)
        s->all.v[i]->off = off;
}

/* Leave out parts of n statements each, from the end on. */
static bool drop_parts(struct shrinker *s, int n) {
    bool any = false;
    collect(s);
    for (int from = (s->all.n - 1) / n * n; from >= 0; from -= n) {
        if (from >= s->all.n)
            continue;
        set_off(s, from, n, true);
        if (keep(s)) {
            any = true;
            collect(s);
        } else {
            set_off(s, from, n, false);
        }
    }
    return any;
}

static bool drop(struct shrinker *s) {
    bool any = false;
    collect(s);
    for (int n = s->all.n; n > 0; n /= 2)
        while (drop_parts(s, n))
            any = true;
    return any;
}

/* Try the statement as it is now; else as it was. */
static bool try_statement(struct shrinker *s, struct fuzz_statement *x,
                          const struct fuzz_statement *before) {
    if (keep(s))
        return true;
    *x = *before;
    return false;
}

/* A condition or a loop becomes its body. */
static bool unwrap(struct shrinker *s) {
    bool any = false;
    collect(s);
    for (int i = 0; i < s->all.n; i++) {
        struct fuzz_statement *x = s->all.v[i], before = *x;
        if (x->shape != FUZZ_IF && x->shape != FUZZ_LOOP)
            continue;
        x->shape = FUZZ_ALL; /* both sides, one after the other */
        if (!try_statement(s, x, &before) && before.other.n) {
            x->shape = FUZZ_ALL;
            x->other.n = 0;
            if (!try_statement(s, x, &before)) {
                x->shape = FUZZ_ALL;
                x->body.n = 0;
                if (!try_statement(s, x, &before)) {
                    x->other.n = 0;
                    try_statement(s, x, &before);
                }
            }
        }
        any |= x->shape != before.shape || x->other.n != before.other.n;
    }
    return any;
}

static bool smaller(struct shrinker *s, uint32_t *n, uint32_t to) {
    uint32_t before = *n;
    if (to == before)
        return false;
    *n = to;
    if (keep(s))
        return true;
    *n = before;
    return false;
}

/* To the least, then by halves, then by one. */
static bool reduce(struct shrinker *s, uint32_t *n, uint32_t least) {
    uint32_t before = *n;
    if (!smaller(s, n, least)) {
        while (*n / 2 > least && smaller(s, n, *n / 2))
            ;
        if (*n > least)
            smaller(s, n, *n - 1);
    }
    return *n != before;
}

static bool shrink_launch(struct shrinker *s) {
    bool any = false;
    for (int k = 2; k >= 0; k--)
        any |= reduce(s, &s->p->grid[k], 1);
    for (int k = 2; k >= 0; k--)
        any |= reduce(s, &s->p->block[k], 1);
    return any;
}

/* A source becomes a number, a number a simpler one. */
static bool simplify_operand(struct shrinker *s, struct fuzz_operand *o) {
    struct fuzz_operand before = *o;
    uint64_t one = fuzz_pool(o->kind) == 'f' ? 0x3f800000 : 1;
    uint64_t steps[] = {0, one, before.number & 0xff, before.number & 0xffff,
                        before.number & 0xffff0000};
    if (!fuzz_takes_number(o->kind))
        return false;
    int n = before.is_number ? 5 : 2;
    for (int i = 0; i < n; i++) {
        if (before.is_number && steps[i] == before.number)
            return false; /* as simple as that already */
        o->is_number = true;
        o->number = steps[i];
        if (keep(s))
            return true;
        *o = before;
    }
    return false;
}

static bool simplify(struct shrinker *s) {
    bool any = false;
    collect(s);
    for (int i = 0; i < s->all.n; i++) {
        struct fuzz_statement *x = s->all.v[i], before = *x;
        if (x->shape == FUZZ_LEAF && x->guard >= 0) {
            x->guard = -1;
            any |= try_statement(s, x, &before);
            before = *x;
        }
        if (x->shape == FUZZ_LOOP) {
            x->trip_by = 0;
            any |= before.trip_by && try_statement(s, x, &before);
            any |= reduce(s, &x->trips, 1);
        }
        for (int k = 0; k < x->n_operands; k++)
            any |= simplify_operand(s, &x->operands[k]);
    }
    return any;
}

/* Zeros in ever smaller parts. */
static bool simplify_data(struct shrinker *s) {
    bool any = false;
    uint8_t before[FUZZ_IN_BYTES];
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        uint32_t all = s->p->bytes[b];
        for (uint32_t n = all; n >= (all > 256 ? 64 : 4); n /= 2)
            for (uint32_t at = 0; at < all; at += n) {
                uint8_t *to = s->p->data[b] + at;
                uint32_t len = n < all - at ? n : all - at, k;
                uint8_t *old = len > sizeof before ? xmalloc(len) : before;
                for (k = 0; k < len && to[k] == 0; k++)
                    ;
                if (k < len) {
                    memcpy(old, to, len);
                    memset(to, 0, len);
                    if (keep(s))
                        any = true;
                    else
                        memcpy(to, old, len);
                }
                if (old != before)
                    free(old);
            }
    }
    for (int i = 0; i < FUZZ_PARAMS; i++)
        any |= s->p->params[i] && smaller(s, &s->p->params[i], 0);
    return any;
}

struct fuzz_shrunk fuzz_shrink(struct fuzz_program *p, fuzz_fails *fails,
                               void *ctx, int tries) {
    struct shrinker s = {
        .p = p, .fails = fails, .ctx = ctx, .left = tries ? tries : 5000};
    bool any;
    do {
        any = drop(&s);
        any |= unwrap(&s);
        any |= shrink_launch(&s);
        any |= simplify(&s);
    } while (any && s.left > 0);
    simplify_data(&s);
    array_free(&s.all);
    return s.done;
}
