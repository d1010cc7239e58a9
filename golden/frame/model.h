/* model.h - how a golden model is written: what every one of them has, once.
 *
 * A model's struct begins with struct golden, and holds the block's out struct:
 *
 *     struct emn {
 *         struct golden base;
 *         struct emn_local l;
 *         ...
 *         struct emn_out out;
 *     };
 *
 *     const struct golden_class emn_golden = {
 *         .iface = &emn_iface,
 *         MODEL_STRUCT(struct emn),
 *         .open = open,
 *         .reset = reset,
 *         .edge = edge,
 *     };
 *
 * The frame (golden.c) creates it, keeps counts of cover points, and carries
 * the register block: a model reads base.regs.setting[...] as it stands before
 * the edge and the command that is given on it (base.regs.command), and says in
 * base.events which counters count, in base.regs.status[...] what statuses
 * read.  Whatever is not listed here is the model's own.
 *
 * A model that says when it rests is not stepped by a composite while it does.
 *
 * Private to golden/ and to tests that make models.
 */
#ifndef NDP_GOLDEN_MODEL_H
#define NDP_GOLDEN_MODEL_H

#include "golden.h"
#include "regs.h"

struct golden_class {
    const struct iface *iface;
    size_t size; /* of the model's struct */
    size_t out;  /* where the block's out struct lies in it */
    /* Derive what the configuration fixes.  All of the struct is zero. */
    void (*open)(struct golden *g, const struct config *c);
    /* Free what open has taken; may be NULL. */
    void (*close)(struct golden *g);
    /* An edge with rst, and create: all state but the registers.  The outputs
     * are zero; set those that are not. */
    void (*reset)(struct golden *g);
    /* An edge without rst. */
    void (*edge)(struct golden *g, const void *in);
    /* Software has written a setting on this edge; before: its old value.  May
     * be NULL. */
    void (*written)(struct golden *g, int setting, uint32_t before);
    /* For how many edges from now on the model sleeps, as long as its inputs
     * stay as they were on the last edge, in: an edge would change nothing of
     * it but what slept makes good.  0: it is awake.  NULL: it always is, or
     * for ever, with still. */
    uint64_t (*rest)(const struct golden *g, const void *in);
    /* Whether it sleeps is found by a trial: an edge without new inputs has
     * left its struct, what state gives besides and its cover points as they
     * were. What lies elsewhere may change only together with those. */
    bool still;
    void *(*state)(const struct golden *g, int n,
                   size_t *size); /* NULL: over */
    const char *unseen; /* an input that it does not look at while it sleeps */
    /* So many of these edges have passed.  NULL: nothing is to be made good. */
    void (*slept)(struct golden *g, uint64_t edges);
    /* Of a memory, while nothing is under way: read or write a word at once, by
     * its number as a window has it.  Which of the parts that take turns for
     * themselves would have carried it out, from 0 on; -1: there is no such
     * word.  NULL: it is no memory. */
    int (*reach)(struct golden *g, bool write, uint64_t word, uint32_t *data);
    /* Of register files, between edges: a row of a warp, a word a lane; of a
     * predicate a bit a lane in the first.  NULL: there are none. */
    void (*row)(const struct golden *g, uint64_t warp, uint64_t reg,
                uint32_t *lanes);
    /* In place of reset, edge and the register block, for models that are made
     * of others: the outputs after the edge. */
    const void *(*cycle)(struct golden *g, bool rst, const void *in);
    const void *(*step)(struct golden *g, bool rst, const void *in);
    const uint64_t *(*covers)(const struct golden *g); /* NULL: the frame's */
};

#define MODEL_STRUCT(type) .size = sizeof(type), .out = offsetof(type, out)

struct golden {
    const struct golden_class *class;
    struct design *design;
    struct regs regs;
    uint64_t events;  /* counters that count on this edge, bit i: counter i */
    uint64_t *covers; /* counts, by cover point */
    int cleared;      /* cover point of cleared counters, -1: none */
};

/* As a model's rest and slept, with the register block, which stays awake for
 * an access and goes on counting what counted on the last edge. */
uint64_t golden_rest(const struct golden *g, const void *in);
void golden_slept(struct golden *g, uint64_t edges);

/* A cover point has happened; n is the model. */
#define hit_if(n, happens, cover)                                              \
    do {                                                                       \
        if (happens)                                                           \
            (n)->base.covers[cover]++;                                         \
    } while (0)

/* A counter counts on this edge; e has a member events. */
#define event_if(e, happens, counter)                                          \
    ((e)->events |= (uint64_t)(happens) << (counter))

#endif
