/* flit.h - flits in the models of the mesh: handed on by their address, so that
 * one is written where it is sent and read where it arrives. */
#ifndef NDP_GOLDEN_FLIT_H
#define NDP_GOLDEN_FLIT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { FLIT_WORDS = 256 / 64, FLIT_BLOCK = 64 };

struct flit {
    uint64_t data[FLIT_WORDS];
    uint16_t x, y; /* where its packet goes */
    uint8_t vc;
    bool last;         /* of its packet */
    uint8_t side;      /* in a router: where it leaves */
    struct flit *next; /* of the free ones */
};

struct flit_block {
    struct flit_block *next;
    struct flit flit[FLIT_BLOCK];
};

/* Zero-initialise. */
struct flit_pool {
    struct flit *free;
    struct flit_block *blocks;
};

static inline void flit_drop(struct flit_pool *p, struct flit *f) {
    f->next = p->free;
    p->free = f;
}

/* All flits are free again. */
static inline void flit_drop_all(struct flit_pool *p) {
    p->free = NULL;
    for (struct flit_block *b = p->blocks; b; b = b->next)
        for (int i = 0; i < FLIT_BLOCK; i++)
            flit_drop(p, &b->flit[i]);
}

static inline struct flit *flit_copy(struct flit_pool *p,
                                     const struct flit *of) {
    if (!p->free) {
        struct flit_block *b = xcalloc(1, sizeof *b);
        b->next = p->blocks;
        p->blocks = b;
        for (int i = 0; i < FLIT_BLOCK; i++)
            flit_drop(p, &b->flit[i]);
    }
    struct flit *f = p->free;
    p->free = f->next;
    *f = *of;
    return f;
}

static inline void flit_pool_free(struct flit_pool *p) {
    for (struct flit_block *b = p->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

#endif
