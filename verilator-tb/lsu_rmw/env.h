/* env.h - what the files of this stimulus share: the own core's memory and
 * some of other cores, twice, and who uses it. */
#ifndef NDP_STIM_LSU_RMW_ENV_H
#define NDP_STIM_LSU_RMW_ENV_H

#include "base/bits.h"
#include "blocks/lsu_rmw.h"
#include "kit/stim.h"
#include "kit/toggle.h"

enum {
    LANES = 32,
    SECTOR = 32,   /* bytes */
    IN_A_ROW = 20, /* sectors of the memory that follow one another */
    SECTORS = 56,  /* of the own memory that are used */
    PLACES = 80,   /* and of all */
    FARS = PLACES - SECTORS,
    ROW_WORDS = LANES / 2,
    SENDS = 4,    /* requests of an access of the hybrid unit, at most */
    ACCESSES = 9, /* that it has, at most */
    DUE = 40,
};

enum shape {
    ONE_WORD,   /* the same for all */
    ONE_SECTOR, /* anywhere in it */
    FEW,        /* in a few sectors */
    ROW,        /* one behind the other */
    EACH_ALONE, /* a sector each */
    BORDER,     /* some are another core's */
    REMOTE,     /* all are */
    FAR_WORD,   /* all are one of them */
    NOBODY,     /* no active lane */
    SHAPES
};

struct tune {
    int shape, op;      /* SHAPES, 12: any of them */
    int asks, accesses; /* percent of the edges with one to offer */
    int most;           /* accesses that the hybrid unit takes */
    int inits;          /* ... of rows */
    int answers;        /* percent of the edges, if there is one to give */
    int faults;         /* percent of sectors and of stores */
    int high, low;      /* longest times that outputs are taken, and not */
    int rows;           /* percent of the edges on which a row is taken */
};

/* A sector, as it is and as it has to be. */
struct sector {
    uint64_t at;    /* of the own core: its number there */
    uint64_t whole; /* its number in the whole memory */
    uint8_t is[SECTOR];
    uint8_t must[SECTOR];
    bool gone;           /* loads of this ask have a fault */
    uint64_t lanes;      /* of the ask that is under way */
    uint64_t changed;    /* words that it changes */
    bool loaded, stored; /* has been */
};

struct ask {
    int op, bytes;
    bool extend, result;
    uint64_t size, warp, reg, mask;
    uint64_t byte[LANES]; /* addresses */
    uint32_t data[LANES], compare[LANES];
};

struct row {
    uint64_t warp, reg, mask;
    uint32_t lane[LANES];
};

/* What went down, in order. */
struct request {
    bool own, near, store;
    uint64_t unit, warp, reg, id, address, strobe;
    uint32_t data[SECTOR / 4];
    int sector; /* in the memory */
};

/* A lane's request that another core has taken. */
struct errand {
    int lane, sector, op;
    uint64_t strobe;
    uint8_t data[SECTOR];
    uint32_t compare;
};

struct access {
    bool busy;
    struct request send[SENDS];
    int sends, next, open;
    bool near, fault;
    uint64_t warp;
};

/* The hybrid unit: of its accesses one after the other sends, and all wait for
 * their answers. */
struct hybrid {
    struct access access[ACCESSES];
    int count;     /* that are busy */
    int front;     /* who sends, -1: nobody */
    bool shows;    /* its next request has been shown */
    int by[LANES]; /* whose the transaction with an id is, -1: it is free */
    int ends;      /* whose end is told on this edge, -1 */
};

struct lsu_rmw_stim {
    struct stim base;
    struct lsu_rmw_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed phases */
    uint64_t core;
    struct sector memory[PLACES]; /* those of other cores last */
    struct toggle down, away, take;

    struct ask offer;
    bool offered, wants_access, wants_init;
    struct row init;
    struct hybrid hybrid;

    struct ask now; /* the ask under way */
    bool busy;
    bool fault, store_fault; /* it has to end with; an answer had */
    uint32_t result[LANES];
    uint64_t served;             /* lanes whose sector was loaded */
    uint64_t remote, sent, told; /* other cores have, were asked, answered */
    bool row_gone;               /* its row has been taken */
    bool row_there;              /* a row is shown, since an edge; */

    struct request due[DUE]; /* that wait in the memory, the oldest first */
    int dues;
    struct errand errand[LANES]; /* that wait at other cores, as taken */
    int errands;
    struct request passing; /* of the hybrid unit, on its way down */
    bool passes;
    bool holds; /* the row that is shown is the front end's */
    int overtaken_ask, overtaken_access;
    int quiet; /* edges in which nothing held the unit up */
    int idle;  /* edges in which an access could have begun */
    uint64_t asks, accesses, rows, aways;
};

/* oracle.c: bytes, and what they have to become. */

uint64_t env_core_of(const struct lsu_rmw_stim *s, uint64_t byte);
uint64_t env_unit_of(const struct lsu_rmw_stim *s, uint64_t byte);
/* The byte of the whole memory where a sector of the own core begins. */
uint64_t env_byte_of(const struct lsu_rmw_stim *s, uint64_t at);
/* Of a byte: the sector, -1: none that is used. */
int env_find(const struct lsu_rmw_stim *s, uint64_t byte);
/* Other sectors, with what they hold. */
void env_new_memory(struct lsu_rmw_stim *s);
/* The ask s->now begins: what memory and row have to become. */
void env_foresee(struct lsu_rmw_stim *s);
/* Of a word that stands at the byte. */
uint32_t env_word(const uint8_t *b);
/* What has to go away for the lane of s->now. */
struct errand env_errand(const struct lsu_rmw_stim *s, int lane);
/* Another core carries it out; what it answers. */
void env_carry_out(struct lsu_rmw_stim *s, const struct errand *e,
                   uint8_t *answer);

#endif
