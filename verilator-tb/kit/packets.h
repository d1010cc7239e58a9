/* packets.h - packets of a mesh in stimuli: what each flit holds, and those
 * that are under way, in order.
 *
 * A flit's number makes its data; the lowest bits say where it came from, so
 * that whoever sees it come out knows which order it must keep.
 */
#ifndef NDP_KIT_PACKETS_H
#define NDP_KIT_PACKETS_H

#include "base/array.h"
#include "base/bits.h"
#include "rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FLIT_DATA = 256 / 64 };

/* A flit that has been sent. */
struct sent {
    uint64_t number;
    uint64_t when; /* the edge on which it was taken */
    int x, y;      /* where its packet goes */
    int vc;
    bool first, last;
};

/* Flits in order: v[head] to v[n - 1]; zero-initialise. */
struct sent_list {
    struct sent *v;
    int head, n, cap;
};

static inline void sent_put(struct sent_list *l, struct sent s) {
    if (l->head > 32 && l->head > l->n / 2) {
        l->n -= l->head;
        memmove(l->v, l->v + l->head, (size_t)l->n * sizeof *l->v);
        l->head = 0;
    }
    l->v = array_room(l->v, l->n, &l->cap, sizeof *l->v);
    l->v[l->n++] = s;
}

static inline struct sent *sent_oldest(const struct sent_list *l) {
    return l->head == l->n ? NULL : &l->v[l->head];
}

static inline void sent_drop(struct sent_list *l) {
    l->head++;
}

static inline void sent_clear(struct sent_list *l) {
    l->head = l->n = 0;
}

static inline void sent_free(struct sent_list *l) {
    free(l->v);
}

/* The source of a flit stands in its lowest bits, hidden by the others, so that
 * none of them stays as it is. */
static inline uint64_t sent_source(const uint64_t *w, int source_bits) {
    return (w[0] ^ rng_mix(w[0] >> source_bits)) & ones(source_bits);
}

/* Data of the flit of that number, which came from `source`, a number of so
 * many bits. */
static inline void sent_data(uint64_t number, unsigned source, int source_bits,
                             int width, uint64_t *w) {
    for (int at = 0; at < width; at += 64) {
        int bits = width - at < 64 ? width - at : 64;
        w[at / 64] =
            rng_mix(number * FLIT_DATA + (uint64_t)at / 64) & ones(bits);
    }
    w[0] &= ~ones(source_bits);
    w[0] |= (source ^ rng_mix(w[0] >> source_bits)) & ones(source_bits);
}

#endif
