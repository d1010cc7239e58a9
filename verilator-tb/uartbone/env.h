/* env.h - what the files of the surroundings share: a host that gives commands
 * on a serial line, and a slave on the bus.
 *
 * The host executes each command on its own copy of the memory as soon as it
 * makes it up, and so knows in advance which accesses, resets and bytes must
 * follow, in which order, and behind which of the bytes that it sends.
 */
#ifndef NDP_STIM_UARTBONE_ENV_H
#define NDP_STIM_UARTBONE_ENV_H

#include "stim.h"

#include "blocks/uartbone.h"
#include "line.h"

enum { MEMORY = 1024, EVENTS = 4096, BUFFER = 2048 };
enum { WRITE_NEXT = 1, READ_NEXT, WRITE_SAME, READ_SAME }; /* commands */
enum { FRAMING = 1, OVERRUN = 2, SILENT = 4 };             /* of control */
enum { OWN = 1 << 29, OWN_ID = 0x4e445001 };

/* What must happen next; a byte of unknown value where nobody can know it. */
enum expected_kind { AN_ACCESS, A_RESET, A_BYTE, ANY_BYTE };

struct expected {
    enum expected_kind kind;
    bool write;
    uint32_t address, data; /* of an access of the bus; a byte's value */
    uint64_t needs;         /* bytes of the host that have arrived before */
};

/* How a batch of commands goes wrong. */
enum plan {
    PLAN_NONE,
    PLAN_FRAMING, /* a stop bit of zero */
    PLAN_BREAK,   /* the line is low for long */
    PLAN_SILENCE, /* the host stops in a command */
    PLAN_STUCK,   /* a slave does not acknowledge, until the time-out */
    PLAN_CUT,     /* the same, until the host sends a break */
    PLAN_PUSH,    /* too many bytes while an answer goes out */
    PLAN_JAM,     /* too many bytes while a slave does not acknowledge */
    PLANS
};

/* What the surroundings are like for a batch. */
struct tune {
    int skew;    /* the host's bits are longer, in 1/10000 */
    int ringing; /* percent of the edges at the begin of a bit */
    int glitch;  /* percent of the bytes: a glitch before */
    int pause;   /* percent of the bytes: a silence before */
    int late;    /* longest time of an acknowledge */
    int stray;   /* percent of the edges: an acknowledge of nothing */
    int commands;
    enum plan plan;
};

struct uartbone_stim {
    struct stim base;
    struct uartbone_local size;
    bool unkept; /* the time-out leaves no time for commands */
    struct tune tune;
    bool directed;
    uint64_t batches;

    /* the host */
    struct sender sender;
    uint8_t buffer[BUFFER]; /* made up, not yet sent: from at to n */
    int at, n;
    uint64_t made_up, sent, arrived; /* bytes, since the host began */
    struct {
        uint64_t edge[4];
        unsigned head, tail;
    } coming; /* edges on which bytes arrive */
    struct expected event[EVENTS];
    unsigned head, tail;
    uint32_t shadow[MEMORY];
    uint32_t sum;
    bool sum_known;
    unsigned faults;
    int commands;  /* of this batch */
    bool over;     /* all of this batch are made up */
    bool awaiting; /* the plan's command is made up */
    bool halted;   /* nothing more is sent */
    bool delayed;  /* there was a pause or a glitch before the next byte */
    /* bytes after which something goes wrong; none: UINT64_MAX */
    uint64_t bad_at, break_at, stop_at, push_until;
    uint64_t fails_at; /* the edge on which the bridge fails, or UINT64_MAX */
    unsigned fault;    /* that it finds then */

    /* the bus */
    uint32_t memory[MEMORY];
    bool access;       /* under way */
    uint32_t address;  /* of it */
    bool never;        /* the next access is not acknowledged */
    bool stuck;        /* nor is this one */
    int wait;          /* edges until it is acknowledged */
    uint64_t began_at; /* the edge after which it stood there */
    uint64_t moved_at, came_at; /* last edges of progress, of an arrival */

    struct reader reader;
    struct expected reads; /* the byte that comes in */
    bool reset_shown;
    int reset_edges;

    uint64_t n_commands, n_accesses, n_bytes, n_answers, n_sums, n_given_up;
    uint64_t n_faults[PLANS];
};

static inline uint32_t *word_at(uint32_t *memory, uint32_t address) {
    return &memory[rng_mix(address) % MEMORY];
}

static inline const struct expected *expects(const struct uartbone_stim *s) {
    return s->head == s->tail ? NULL : &s->event[s->head % EVENTS];
}

/* The time-out in edges. */
static inline uint64_t time_out(const struct uartbone_stim *s) {
    return (uint64_t)1 << s->size.TIMEOUT_W;
}

/* host.c */

/* All as after a reset of the bridge. */
void host_reset(struct uartbone_stim *s);
/* The line on the next edge. */
bool host_drive(struct uartbone_stim *s);
/* The bridge has failed and forgotten all; so does the host. */
void host_fails(struct uartbone_stim *s, unsigned fault);
/* The access that nobody acknowledges has begun. */
void host_stuck(struct uartbone_stim *s);

#endif
