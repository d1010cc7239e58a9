/* env.h - what the files of this stimulus share: the own banks' memory, and who
 * wants something of it. */
#ifndef NDP_STIM_LSU_REMOTE_ENV_H
#define NDP_STIM_LSU_REMOTE_ENV_H

#include "base/bits.h"
#include "blocks/lsu_remote.h"
#include "kit/stim.h"
#include "kit/toggle.h"

enum {
    LANES = 32,
    BYTES = 32, /* of a sector */
    WORDS = BYTES / 4,
    SECTORS = 12, /* of the memory that are used, */
    GONE = 1      /* of which the last ones are not there */
};

enum { OP_LOAD, OP_STORE, OP_ADD, OP_CAS = 11 };

/* What other cores ask for; beyond these an atomic by its op. */
enum kind { ANY, LOADS, WHOLE_WORDS, PARTS, ATOMICS, CLOG, KINDS };

struct tune {
    int kind, op;      /* op: of ATOMICS, 0: any */
    int few;           /* sectors that are used */
    int own, holds;    /* percent of the edges with one to offer */
    int messages;      /* percent of the own core's plain requests */
    int reqs, far;     /* percent of the edges with one to offer */
    int answers, gots; /* ... if there is one to give */
    int faults;        /* percent of answers */
    int high, low;     /* longest times that down is taken, and not */
    int send_high, send_low;
};

struct sector {
    uint64_t at; /* its number at its core */
    uint8_t is[BYTES];
};

enum who { NOBODY, OWN, OTHER, CHANGE };

/* What goes down. */
struct down {
    bool near, store;
    uint64_t unit, warp, reg, id, address, strobe;
    uint32_t data[WORDS];
    int sector; /* in the memory; of a message -1 */
};

/* What the own core has given, and has not seen at down. */
struct own {
    bool has;
    struct down d;
    bool held;  /* taken while it held a sector */
    bool holds; /* of the one who holds */
    uint64_t since;
};

/* What another core has given, and has not been answered. */
struct request {
    int op;
    uint64_t id, strobe;
    uint32_t compare;
    uint8_t byte[BYTES];
    int sector;
};

enum phase { FRESH, LOADING, LOADED, STORING };

struct other {
    bool has;
    struct request r;
    enum phase phase; /* of a change, as it went down */
    uint32_t old;     /* of an atomic: the word that it found */
};

/* A transaction under way, by its id. */
struct slot {
    enum who who;
    bool taken;  /* down, so that it can be answered */
    uint64_t id; /* that its asker gave */
    bool fault;
    uint32_t data[WORDS];
};

/* The own core's read-modify-write unit. */
enum hold { FREE, HOLD_LOAD, HOLD_WAIT, HOLD_THINK, HOLD_STORE, HOLD_KEPT };

struct holder {
    enum hold step;
    int sector;
    uint64_t id;
    bool down; /* the load went down, and no store has */
    bool fault;
    uint32_t loaded[WORDS]; /* as the answer has it */
    uint8_t was[BYTES];     /* of the sector when the load went down */
};

/* A request for another core, and its answer. */
struct far {
    bool part;
    uint64_t core, at; /* of a sector at its core */
    int op;
    uint64_t id, strobe;
    uint32_t compare;
    uint32_t data[WORDS];
};

struct reply {
    uint64_t id, since;
    bool fault;
    uint32_t data[WORDS];
};

struct lsu_remote_stim {
    struct stim base;
    struct lsu_remote_local size;
    struct tune tune;
    int left;  /* edges of this phase */
    int turn;  /* of the directed phases */
    int first; /* sector of the phase */
    struct sector memory[SECTORS];
    struct toggle down, send;

    uint64_t ids; /* of the own core that are under way */
    struct down offer;
    bool offered, offer_holds;
    struct request asks;
    bool asked;
    struct far away;
    bool wants_away;

    struct own own;
    struct other other;
    struct holder holder;
    struct slot slot[LANES];
    struct down shown; /* what is at down, and for whom */
    enum who shown_for;
    int given; /* the slot that is answered on this edge, -1: none */

    struct far sent; /* at send */
    uint64_t sents;  /* ids that other cores have */
    int owed;
    struct reply came[LANES]; /* answers of other cores, the oldest first */
    int cames;

    bool was_full; /* no slot was free before the edge before this */
    int overtaken_own, overtaken_other;
    int quiet; /* edges on which something could have gone down */
    uint64_t owns, holds, directs, changes, fars;
};

/* oracle.c: bytes, and what they have to become. */

void lsur_new_memory(struct lsu_remote_stim *s);
uint64_t lsur_unit_of(const struct lsu_remote_stim *s, int sector);
uint32_t lsur_word(const uint8_t *b);
bool lsur_is_direct(const struct lsu_remote_stim *s, const struct request *r);
/* What must go down for a request of another core, but for the id; a change
 * stores with what the memory has at this time. */
struct down lsur_down_of(struct lsu_remote_stim *s, bool store);
/* A transaction goes down: the slot's answer, and the memory's bytes. */
void lsur_carry_out(struct lsu_remote_stim *s, const struct down *d);
/* The sector of the whole memory, by the bytes of chunks. */
uint64_t lsur_whole(const struct lsu_remote_stim *s, uint64_t core,
                    uint64_t at);

/* judge.c: what comes out, held against what must. */

const char *lsur_watch(struct stim *base, const void *in, const void *before,
                       const void *after);

#endif
