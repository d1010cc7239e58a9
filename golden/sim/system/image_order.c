/* image_order.c - CTAs from the reader to the SMs.
 *
 * Round robin takes them from the reader one at a time.  The patterns need the
 * last SM's first CTA at the start, so they keep a whole launch, sorted into
 * one list an SM.
 */
#include "image_order.h"

#include "prefetch/image_driver.h"

#include "base/array.h"

#include <stdlib.h>

struct list {
    ARRAY(struct cta *) ctas;
    int next;
};

struct cta_supply {
    struct cta_reader *reader;
    enum cta_order order;
    uint32_t sms;
    struct cta *ahead;  /* the reader's next */
    struct list *lists; /* of the SMs */
    uint32_t launch;    /* its id */
    uint64_t left;      /* in the lists */
};

struct cta_supply *cta_supply_create(struct cta_reader *r, enum cta_order order,
                                     uint32_t sms) {
    struct cta_supply *s = xcalloc(1, sizeof *s);
    s->reader = r;
    s->order = order;
    s->sms = sms;
    s->lists = xcalloc(sms, sizeof *s->lists);
    s->ahead = cta_read(r);
    return s;
}

void cta_supply_free(struct cta_supply *s) {
    if (!s)
        return;
    for (uint32_t i = 0; i < s->sms; i++) {
        struct list *l = &s->lists[i];
        while (l->next < l->ctas.n)
            cta_free(l->ctas.v[l->next++]);
        array_free(&l->ctas);
    }
    cta_free(s->ahead);
    free(s->lists);
    free(s);
}

/* ---------------------------------------------------------------- patterns */

static uint32_t share(uint32_t n, uint32_t parts) {
    return n / parts + (n % parts != 0);
}

static uint32_t sm_of(const struct cta_supply *s, const struct cta *c) {
    const uint32_t *g = c->launch.grid;
    uint32_t at[3], down = image_driver_tiles_down(s->sms);
    stream_cta(&c->launch, c->id, at);
    if (s->order == ORDER_ROW)
        return at[1] / share(g[1], s->sms);
    if (s->order == ORDER_COLUMN)
        return at[0] / share(g[0], s->sms);
    uint32_t across = s->sms / down;
    return at[1] / share(g[1], down) * across + at[0] / share(g[0], across);
}

static int by_column(const void *a, const void *b) {
    const struct cta *const *p = a, *const *q = b;
    uint32_t m[3], n[3];
    stream_cta(&(*p)->launch, (*p)->id, m);
    stream_cta(&(*q)->launch, (*q)->id, n);
    if (m[0] != n[0])
        return m[0] < n[0] ? -1 : 1;
    return (*p)->id < (*q)->id ? -1 : 1;
}

/* The whole launch into the lists.  CTAs come in the order of their index,
 * which is the walk of all patterns but the column's. */
static void sort_launch(struct cta_supply *s) {
    for (uint32_t i = 0; i < s->sms; i++)
        s->lists[i].ctas.n = s->lists[i].next = 0;
    while (s->ahead && s->ahead->launch.id == s->launch) {
        *array_push(&s->lists[sm_of(s, s->ahead)].ctas) = s->ahead;
        s->left++;
        s->ahead = cta_read(s->reader);
    }
    for (uint32_t i = 0; i < s->sms && s->order == ORDER_COLUMN; i++)
        array_sort(&s->lists[i].ctas, by_column);
}

/* --------------------------------------------------------------- supplying */

static bool ahead_belongs(const struct cta_supply *s) {
    return s->ahead && s->ahead->launch.id == s->launch;
}

const struct cta *cta_supply_launch(struct cta_supply *s) {
    if (!s->ahead)
        return NULL;
    s->launch = s->ahead->launch.id;
    if (s->order == ORDER_RR)
        return s->ahead;
    sort_launch(s);
    for (uint32_t i = 0; i < s->sms; i++)
        if (s->lists[i].ctas.n)
            return s->lists[i].ctas.v[0];
    return NULL;
}

const struct cta *cta_supply_peek(const struct cta_supply *s, uint32_t sm) {
    const struct list *l = &s->lists[sm];
    if (s->order == ORDER_RR)
        return ahead_belongs(s) ? s->ahead : NULL;
    return l->next < l->ctas.n ? l->ctas.v[l->next] : NULL;
}

struct cta *cta_supply_take(struct cta_supply *s, uint32_t sm) {
    struct list *l = &s->lists[sm];
    struct cta *c = s->ahead;
    if (s->order == ORDER_RR) {
        s->ahead = cta_read(s->reader);
        return c;
    }
    s->left--;
    return l->ctas.v[l->next++];
}

bool cta_supply_more(const struct cta_supply *s) {
    return s->order == ORDER_RR ? ahead_belongs(s) : s->left > 0;
}
