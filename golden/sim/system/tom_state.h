/* tom_state.h - settings, result and machine of the composition `tom`; private
 * to tom*.c and their tests.
 */
#ifndef NDP_SYSTEM_TOM_STATE_H
#define NDP_SYSTEM_TOM_STATE_H

#include "core.h"
#include "pipe.h"
#include "rows.h"
#include "system.h"
#include "tom_map.h"
#include "tom_plan.h"

enum tom_mode { TOM_OFF, TOM_CONTROLLED, TOM_UNCONTROLLED };
enum tom_mapping { TOM_BASELINE, TOM_LEARNED, TOM_ORACLE };

enum {
    TOM_MAX_CORES = 64,
    TOM_MAX_WARPS = 64,         /* of a core, and of a stack's slice */
    TOM_MAX_STACK_WARPS = 4096, /* of a stack of the whole machine */
    TOM_REASONS = 9,            /* answers of the controller, as ans_reason */
    TOM_CLOCK = 1400,           /* MHz */
    TOM_CTAS = 8,               /* resident on a core */
    TOM_SHARED = 49152,         /* bytes of shared memory of a core */
    TOM_LATENCY_L2 = 60,
    TOM_LATENCY_LINK = 50, /* with that, 200 cycles and more to memory (4.2) */
    TOM_LATENCY_CROSS = 50,
    TOM_LATENCY_DRAM = 100,
    TOM_BACKLOG = 64,     /* flits at a link's entrance: a core sends no more */
    TOM_VAULTS = 16,      /* of a stack of the whole machine (Table 1) */
    TOM_BANKS = 16,       /* of a vault */
    TOM_ROW = 4096,       /* bytes */
    TOM_VAULT_QUEUE = 32, /* accesses that a vault reorders */
    TOM_ASK_EVERY = 1 << 14, /* cycles between two questions whether to go on */
};

/* What travels links and memories: a request and its answer count as the same
 * kind. */
enum tom_traffic {
    TOM_LOAD,   /* addresses; lines */
    TOM_STORE,  /* addresses and data; acknowledgements */
    TOM_ATOMIC, /* addresses and data; data */
    TOM_BLOCK,  /* offloaded blocks: live-ins; live-outs and written lines */
    TOM_TRAFFICS
};
_Static_assert((int)TOM_TRAFFICS <= (int)PIPE_KINDS, "kinds of packets");

struct tom_settings {
    uint32_t mode, map;
    uint32_t learn;  /* instances to learn from, in a thousandth of all */
    uint32_t names;  /* registers of candidates count by name */
    uint32_t placed; /* conditions on values that are placed, too */
    uint32_t refuse; /* while a warp is probed: ask and be refused; not wait */
    /* Caches are coherent at no cost: no flush, no empty L1 of a stack, no
     * lines in an acknowledgement (4.4.2). */
    uint32_t coherent;
    /* Packets of blocks take no link, caches are coherent at no cost, and a
     * block's accesses are all to its own stack (Figure 2). */
    uint32_t ideal;
    uint32_t cores, whole, warps, limit;
    uint32_t issue; /* instructions of a core in a cycle */
    uint32_t l1, ways, mshrs, l2;
    uint32_t link, cross, internal; /* GB/s */
    uint32_t window, busy_on, busy_off;
};

/* The run's report. */
struct tom_result {
    struct tom_settings settings;
    uint64_t cycles, launches, ctas;
    double seconds;
    uint64_t main_instructions, stack_instructions;
    struct cache_stats l1, l2, stack_l1; /* all cores together */
    struct pipe_stats tx[TOM_STACKS], rx[TOM_STACKS];
    struct pipe_stats cross[TOM_STACKS][TOM_STACKS]; /* from, to */
    uint64_t memory_bytes[TOM_STACKS];
    struct rows_stats rows[TOM_STACKS];
    /* Cycles in which the monitor said busy. */
    uint64_t tx_busy[TOM_STACKS], rx_busy[TOM_STACKS];
    uint64_t tx_moves[TOM_STACKS], rx_moves[TOM_STACKS];
    uint64_t reasons[TOM_REASONS];
    uint64_t released, probes, invalidated;
    uint64_t flush_cycles; /* that packets waited for stores, over all cores */
    uint64_t lines_beyond; /* written lines that an acknowledgement's header
                            * could not count */
    uint64_t blocks[TOM_STACKS];       /* that went to each */
    uint32_t pending_peak[TOM_STACKS]; /* GPU-wide */
    uint32_t limit;                    /* of a stack, as scaled */
    /* Candidates and instances. */
    uint64_t candidates, dropped;
    uint64_t instances, paying; /* the condition holds, or there is none */
    uint64_t with_access;       /* of the paying */
    uint32_t map_bit;           /* that it ran with; 0: baseline */
    uint64_t learned_from;
    int ranges, ranges_learned;
    uint64_t single[TOM_MAPS + 1];      /* the baseline is the last */
    uint64_t lines, home[TOM_MAPS + 1]; /* see tom_map.h */
    uint64_t single_run;                /* under the mapping it ran with */
    uint32_t choice[4];                 /* after 0.1, 0.5, 1 and 100 % */
    struct offset_share *offsets;
};

extern const double tom_choices[4];

/* In pJ, at the prices of section 5.1, which has none for cores and caches. */
struct tom_energy {
    double links_moved, links_idle;
    double rows, rows_in_order; /* activations: FR-FCFS, and in order */
    double buffers;             /* bits through row buffers */
};
void tom_energy(const struct tom_result *r, struct tom_energy *e);

/* Flits of all links together; of TX, RX and cross links. */
uint64_t tom_flits(const struct tom_result *r);
void tom_flits_by(const struct tom_result *r, uint64_t *tx, uint64_t *rx,
                  uint64_t *cross);
uint64_t tom_offloaded(const struct tom_result *r);

/* A CTA with the instances of its warps. */
struct tom_cta {
    struct cta *cta;
    const struct tom_function *function; /* NULL: no candidates known */
    uint32_t *first; /* instance of each warp, n_warps + 1 */
    struct tom_instances instances;
    struct tom_cta *next;
};
void tom_cta_free(struct tom_cta *c);

/* ------------------------------------------------------------------ tokens */

/* What a message is for, as it travels links and memories. */
enum tom_what {
    TOM_MSG_LINE = TOM_LOAD,     /* number: of the line */
    TOM_MSG_STORE = TOM_STORE,   /* number: main core: epoch; stack: slot */
    TOM_MSG_ATOMIC = TOM_ATOMIC, /* number: as core_atomic wants it */
    TOM_MSG_JOB,                 /* a block's last flit; number: slot */
    TOM_MSG_ACK /* an acknowledgement's last flit; number: slot */
};

struct tom_message {
    enum tom_what what;
    bool from_stack;  /* who: a stack; else a main core */
    uint32_t who;     /* that waits for the answer */
    uint32_t sectors; /* how many */
    uint64_t number;
};

static inline uint64_t tom_token(const struct tom_message *m) {
    return (m->number & ((UINT64_C(1) << 44) - 1)) | (uint64_t)m->what << 44 |
           (uint64_t)m->who << 48 | (uint64_t)m->from_stack << 56 |
           (uint64_t)m->sectors << 57;
}

static inline struct tom_message tom_message(uint64_t token) {
    return (struct tom_message){
        .what = (enum tom_what)(token >> 44 & 15),
        .from_stack = token >> 56 & 1,
        .who = token >> 48 & 0xff,
        .sectors = token >> 57 & 7,
        .number = token & ((UINT64_C(1) << 44) - 1),
    };
}

/* What a core sends (see core_hooks.send). */
struct tom_message tom_access(enum stream_access what, uint32_t sectors,
                              uint64_t number);

/* The packet of a request, and of its answer. */
struct pipe_packet tom_request(const struct tom_message *m);
struct pipe_packet tom_answer(const struct tom_message *m);

/* ----------------------------------------------------------------- machine */

struct tom_main;  /* a main core with its controller */
struct tom_stack; /* a stack */

/* An offloaded block on its way, by main core and slot. */
struct tom_job {
    const struct cta_warp *code;
    const struct tom_instance *instance;
    const struct tom_candidate *candidate;
    uint32_t core, slot;
    ARRAY(uint64_t) lines; /* numbers of lines that it has written */
};

struct tom_machine {
    const struct tom_settings *settings;
    const struct cta_reader *reader;
    struct config config;      /* of the controllers */
    const struct tom_map *map; /* of the run */
    uint64_t cycle;
    struct tom_main *cores[TOM_MAX_CORES];
    struct tom_stack *stacks[TOM_STACKS];
    struct pipe *tx[TOM_STACKS], *rx[TOM_STACKS];
    struct pipe *cross[TOM_STACKS][TOM_STACKS]; /* from, to */
    struct cache *l2;                           /* NULL: none */
    uint64_t *l2_tokens;
    struct pipe *l2_hits; /* answers of the L2 as they become due */
    struct rows *rows[TOM_STACKS];
    struct tom_job jobs[TOM_MAX_CORES][TOM_MAX_WARPS];
    uint32_t pending[TOM_STACKS]; /* GPU-wide */
    uint32_t limit;               /* of a stack */
    struct tom_result *result;
};

struct cache_config tom_l1(const struct tom_settings *s); /* of all cores */
/* What `ndpgen --preset tom` emits. */
void tom_defaults(struct config *c);
/* The same as the options change it: the controllers, the learned mapping
 * apart. */
void tom_configure(const struct tom_settings *s, struct config *c);
uint32_t tom_limit(const struct tom_settings *s); /* warps of a stack, scaled */

/* Between two issues of a core that is not scaled (core_config.interval);
 * rounded up, as a cycle has no more of them than that. */
static inline uint64_t tom_interval(const struct tom_settings *s) {
    return (CORE_CYCLE + s->issue - 1) / s->issue;
}

/* Whether caches are coherent at no cost. */
static inline bool tom_coherent(const struct tom_settings *s) {
    return s->coherent || s->ideal;
}

/* tom_machine.c: links, L2, and all of it together.  NULL: no such cache. */
struct tom_machine *tom_machine_create(const struct tom_settings *s,
                                       const struct cta_reader *reader,
                                       const struct tom_map *map,
                                       struct tom_result *result);
void tom_machine_free(struct tom_machine *m);

struct tom_supply {
    void *ctx;
    /* The launch's next CTA; NULL: none left. */
    struct tom_cta *(*next)(void *ctx);
    /* Asked every TOM_ASK_EVERY cycles; done: CTAs that have ended so far. */
    bool (*go_on)(void *ctx, uint64_t done);
};
/* False: go_on said so, and the machine stands as it was then; collect what
 * there is and free it. */
bool tom_machine_launch(struct tom_machine *m, const struct tom_function *f,
                        const struct tom_supply *supply);
void tom_machine_collect(struct tom_machine *m);

/* A request for the address is sent to the memory of a stack. */
void tom_machine_touch(struct tom_machine *m, uint32_t stack, uint64_t address);

/* tom_main.c */
struct tom_main *tom_main_create(struct tom_machine *m, uint32_t index);
void tom_main_free(struct tom_main *c);
void tom_main_kernel(struct tom_main *c, const struct tom_function *f);
bool tom_main_fits(const struct tom_main *c, const struct cta *cta);
void tom_main_start(struct tom_main *c, struct tom_cta *cta); /* takes it */
bool tom_main_idle(const struct tom_main *c);
void tom_main_step(struct tom_main *c);
void tom_main_answer(struct tom_main *c, const struct tom_message *msg);
struct core *tom_main_core(struct tom_main *c);
uint64_t tom_main_ctas(const struct tom_main *c);

/* tom_control.c: the controller of a main core, one edge. */
struct tom_control;
struct tom_control *tom_control_create(struct tom_machine *m, uint32_t index);
void tom_control_free(struct tom_control *k);
void tom_control_load(struct tom_control *k, const struct tom_function *f);
void tom_control_step(struct tom_control *k, uint32_t link_tx,
                      uint32_t link_rx);
void tom_control_busy(const struct tom_control *k, uint32_t *tx, uint32_t *rx);
bool tom_control_idle(const struct tom_control *k);
int tom_control_pending(const struct tom_control *k, int stack);
struct tom_control *tom_main_control(struct tom_main *c);

/* The core's side of the controller's channels. */

/* A warp that asks now, if any: true with its slot. */
bool tom_main_wants(struct tom_main *c, uint32_t *slot);
const struct tom_instance *tom_main_instance(const struct tom_main *c,
                                             uint32_t slot);
const struct tom_candidate *tom_main_candidate(const struct tom_main *c,
                                               uint32_t slot);
const struct cta_warp *tom_main_code(const struct tom_main *c, uint32_t slot);
void tom_main_asked(struct tom_main *c, uint32_t slot);
void tom_main_answered(struct tom_main *c, uint32_t slot, bool offload);
void tom_main_probe(struct tom_main *c, uint32_t slot);
bool tom_main_first(const struct tom_main *c, uint32_t slot);
void tom_main_release(struct tom_main *c, uint32_t slot);
bool tom_main_flushed(struct tom_main *c, bool begin);

/* A block's acknowledgement has arrived. */
void tom_control_ack(struct tom_control *k, uint32_t slot);

/* tom_stack.c */
struct tom_stack *tom_stack_create(struct tom_machine *m, uint32_t index);
void tom_stack_free(struct tom_stack *s);
void tom_stack_step(struct tom_stack *s);
struct core *tom_stack_core(struct tom_stack *s);
struct pipe *tom_stack_memory(struct tom_stack *s);
void tom_stack_kernel(struct tom_stack *s);
/* A block is there, whole. */
void tom_stack_arrive(struct tom_stack *s, struct tom_job *j);

/* tom_report.c */
void tom_page(const void *result, FILE *out);
void tom_heading(FILE *out);
void tom_row(const void *result, FILE *out);
void tom_json(const void *result, json_t *into);

#endif
