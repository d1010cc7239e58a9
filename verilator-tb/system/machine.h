/* machine.h - the surroundings of any machine with a host port: software on its
 * register port.  Of `system`, `banked`, `cluster`, `chained`,
 * `mpu_core` and `mpu_mesh`. */
#ifndef NDP_STIM_SYSTEM_MACHINE_H
#define NDP_STIM_SYSTEM_MACHINE_H

#include "base/array.h"
#include "blocks/host.h"
#include "kit/stim.h"
#include "programs.h"
#include "simt/env.h"
#include "zeroes.h"

extern const struct stim_mode *const machine_modes[];

void machine_open(struct stim *s, const struct config *c);
void machine_close(struct stim *s);
void machine_reset(struct stim *s);
void machine_drive(struct stim *s, void *in);
const char *machine_watch(struct stim *s, const void *in, const void *before,
                          const void *after);
void machine_report(struct stim *s, struct text *t);

enum { MOST_CORES = 16, MOST_OTHERS = 64 };

enum action_kind {
    COMMAND,      /* of the host, with data */
    WAIT_END,     /* until the launch has ended, as it must */
    WAIT_QUIET,   /* no request under way */
    WAIT_IDLE,    /* the core's state is idle */
    WAIT_HALTED,  /* or ended */
    TAKE,         /* only core data takes commands, -1: all; command: a relay */
    MODE,         /* of all offload queues or controllers: data */
    LOADER,       /* a command of the loader, with data */
    MAP,          /* data: lowest bit of the map, 0: the baseline */
    WAIT_ANSWER,  /* to data, which is read again until it comes */
    PAUSE,        /* so many edges */
    EXPECT_RESULT /* memory is what the untimed machine leaves */
};

struct action {
    enum action_kind kind;
    int command;
    uint32_t data;
};

struct machine {
    struct stim base;
    struct master host, relay[MOST_CORES];
    struct master other[MOST_OTHERS]; /* of them: settings alone are known */
    int others;
    struct master *queue[MOST_CORES]; /* offload queues */
    int queues;
    size_t host_in, host_out, relay_in[MOST_CORES]; /* in the structs */
    struct master *loader; /* of a machine with memory stacks */
    int stacks;            /* cores of these, the last ones */
    int cores;             /* behind relays; 0: one, without */
    bool bare;             /* a core that lets nobody look into it */
    struct zeroes zeroes;  /* what such a core runs first */
    bool zeroed;
    bool again; /* behind each reset, as it has written the DRAM die's alone */
    struct host_local host_size;
    struct simt_local core_size;
    uint32_t words;   /* of memory */
    uint32_t sector;  /* its words */
    void *next_in;    /* inputs of the next edge, as far as outputs give them */
    uint32_t *memory; /* that the machine must hold */
    ARRAY(struct action) actions;
    int done, waited;
    int turn;

    struct launch launch;
    const struct program *program;
    uint32_t threads, ctas, n; /* n: words */
    bool launched;

    /* the machine before the edge */
    bool seen;
    struct host_in core; /* as the host port is shown it */
    bool answered, asks, writes, waits;
    uint32_t word, next_word, at, data;
    uint64_t launches, faults, written, fetched, halts;
};

/* Of a machine whose memory counts edges from there, the reset that it begins
 * with. */
#define MACHINE_STIM_FROM_RESET(edges)                                         \
    {                                                                          \
        .first_reset = edges, .size = sizeof(struct machine),                  \
        .modes = machine_modes, .open = machine_open, .close = machine_close,  \
        .reset = machine_reset, .drive = machine_drive,                        \
        .watch = machine_watch, .report = machine_report,                      \
    }
#define MACHINE_STIM MACHINE_STIM_FROM_RESET(0)

#endif
