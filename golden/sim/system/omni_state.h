/* omni_state.h - settings, result and machine of the composition `omni`;
 * private to omni*.c and their tests.
 *
 *   omni.c          options, launches, the loop
 *   omni_plan.c     chains in the streams of warps
 *   omni_core.c     a core: its warps, its chains, its L1
 *   omni_service.c  a node's service queue
 *   omni_memory.c   a memory node: L2 and DRAM
 *   omni_net.c      messages as packets of flits on the golden mesh
 *   omni_report.c   page, row, JSON
 *
 * On each cycle messages that have come are handed to who they are for, then
 * memory nodes, service queues and cores step, then flits leave and the mesh
 * has its edge.
 */
#ifndef NDP_SYSTEM_OMNI_STATE_H
#define NDP_SYSTEM_OMNI_STATE_H

#include "base/arena.h"
#include "core.h"
#include "mesh/net.h"
#include "omni_plan.h"
#include "pipe.h"
#include "system.h"

enum omni_mode {
    OMNI_OFF,
    OMNI_LLC, /* memory nodes compute */
    OMNI_ALL  /* every node does */
};

/* How a node's messages to itself travel. */
enum omni_loop {
    OMNI_BYPASS, /* beside the mesh, in a cycle */
    OMNI_ROUTER  /* through its network interface and router */
};

enum {
    OMNI_CTAS = 8,       /* resident on a core */
    OMNI_SHARED = 49152, /* bytes of shared memory of a core */
    OMNI_LATENCY_L2 = 30,
    OMNI_LATENCY_DRAM = 100,
    OMNI_BUILD = 4,       /* from a chain's last op to its packet (oqueue.md) */
    OMNI_ALU = 8,         /* cycles of a service queue's ALU */
    OMNI_BACKLOG = 8,     /* packets of a core that wait for the mesh */
    OMNI_WAITING = 16,    /* requests at a memory node; more stay in the mesh */
    OMNI_LINE_FLITS = 5,  /* a line of 128 bytes and its head */
    OMNI_CUT_EVERY = 500, /* cycles between two reductions of a window */
    OMNI_ASK_EVERY = 1 << 12 /* cycles between two questions to go on */
};

struct omni_settings {
    uint32_t mode, split, loop, scheduler;
    uint32_t warps, l1, ways, mshrs, l2, entries, places;
    uint32_t window;    /* packets in flight of a core, at first; 0: no limit */
    uint32_t bandwidth; /* GB/s, of all memory nodes */
    uint32_t clock;     /* MHz */
    uint32_t channels;  /* virtual, of requests, and of answers */
    uint32_t width, height;
    struct int_list memory_nodes;
};

/* Why a chain stayed on its core. */
enum omni_why {
    OMNI_WENT,
    OMNI_HIT,    /* a load's line is in the L1, or on its way there */
    OMNI_FULL,   /* no entry of the offload queue */
    OMNI_WINDOW, /* as many in flight as the window allows */
    OMNI_UNMET,  /* no node that computes */
    OMNI_WHYS
};

/* Kinds of messages. */
enum omni_kind {
    OMNI_LOAD,    /* a line is asked for */
    OMNI_STORE,   /* written sectors */
    OMNI_ATOMIC,  /* operands */
    OMNI_COMPUTE, /* a chain */
    OMNI_LINE,
    OMNI_STORED, /* also acknowledges the chain that has stored */
    OMNI_RESULT, /* of an atomic */
    OMNI_ANSWER, /* of a chain without a store: bitmap or data */
    OMNI_KINDS
};

struct omni_result {
    struct omni_settings settings;
    uint64_t cycles, launches, ctas;
    uint64_t instructions;         /* of warps, on cores */
    uint64_t far;                  /* ... that went in chains */
    uint64_t chains;               /* executions of chains, with accesses */
    uint64_t why[OMNI_WHYS];       /* what became of them */
    uint64_t packets;              /* of chains; one for each line */
    uint64_t returned;             /* ... whose loads were sent back */
    uint64_t at_memory;            /* ... that met at a memory node */
    uint64_t sent[OMNI_KINDS];     /* messages, those of a node to itself too */
    uint64_t flits[OMNI_KINDS];    /* that crossed the mesh */
    uint64_t hops[OMNI_KINDS];     /* messages times links */
    uint64_t weighted[OMNI_KINDS]; /* flits times links */
    uint64_t links;                /* the same, counted on the links */
    uint64_t loads, load_cycles;   /* of cores, there and back */
    uint64_t chain_cycles;         /* packet to answer, of those that went */
    uint32_t places_peak;
    struct cache_stats l1, l2;
    uint64_t dram_bytes;
};

/* ---------------------------------------------------------------- messages */

struct omni_job;

struct omni_message {
    enum omni_kind kind;
    int from, to, back;    /* nodes; back: of a request, who gets its answer */
    uint64_t address;      /* of a line */
    uint32_t sectors;      /* of a store or an atomic */
    uint64_t number;       /* the asking core's: line, slot or atomic */
    struct omni_job *job;  /* NULL: not of a chain */
    uint32_t left;         /* flits that have not been sent */
    uint64_t since, ready; /* cycle of the request; not sent before */
    struct omni_message *next; /* of the free ones */
};

/* A chain's packet, from its core to its answer. */
struct omni_job {
    int core, meet; /* nodes */
    uint32_t slot;
    bool kept; /* the service queue has a place for it */
    bool has_store;
    uint32_t ops;    /* of the ALU */
    uint32_t answer; /* flits */
    uint32_t n_loads, come;
    struct cta_line load[2], store;
    uint64_t since;
    struct omni_job *next; /* of the free ones */
};

/* Messages that wait, oldest first; zero-initialise. */
struct omni_queue {
    struct omni_message **v;
    uint32_t head, n, cap;
};
void omni_push(struct omni_queue *q, struct omni_message *m);
struct omni_message *omni_pop(struct omni_queue *q); /* not empty */
static inline struct omni_message *omni_oldest(const struct omni_queue *q) {
    return q->n ? q->v[q->head] : NULL;
}

/* ------------------------------------------------------------------ machine */

struct omni_core;
struct omni_memory;
struct omni_service;

struct omni_node {
    struct omni_core *core;       /* NULL: a memory node */
    struct omni_memory *memory;   /* NULL: a core */
    struct omni_service *service; /* NULL: does not compute */
    struct omni_queue out[NOC_CLASSES];
    struct omni_queue here; /* for the node itself, on the next cycle */
    struct flit flit[NOC_CLASSES];
};

struct omni_machine {
    const struct omni_settings *settings;
    const struct system_job *job;
    struct config config; /* of the mesh */
    struct cta_reader *reader;
    struct omni_plan *plan;
    struct net *net;
    int width, nodes, memories;
    struct omni_node *node;
    struct omni_node **core; /* those with one, in order */
    uint32_t cores, turn;    /* turn: that is asked first for room */
    uint64_t cycle, epoch;
    uint64_t under_way; /* messages */
    struct omni_result *result;
    struct arena arena; /* of messages and jobs */
    struct omni_message *free_message;
    struct omni_job *free_job;
};

/* A message, or a job, all zero; they belong to the machine. */
struct omni_message *omni_new_message(struct omni_machine *m);
void omni_drop_message(struct omni_machine *m, struct omni_message *msg);
struct omni_job *omni_new_job(struct omni_machine *m);
void omni_drop_job(struct omni_machine *m, struct omni_job *job);

/* The memory node of an address: lines are interleaved (Table 2). */
int omni_home(const struct omni_machine *m, uint64_t address);

/* omni_net.c.  omni_send takes a copy; its kind, nodes and what goes with them
 * are set, flits follow from the kind.  omni_deliver: what came on this cycle;
 * omni_leave: flits into the mesh, and its edge. */
void omni_send(struct omni_machine *m, const struct omni_message *msg);
void omni_deliver(struct omni_machine *m);
void omni_leave(struct omni_machine *m);
uint32_t omni_waiting(const struct omni_machine *m, int node, int class);

/* omni_memory.c.  take: a request has come; room: another may. */
struct omni_memory *omni_memory_create(struct omni_machine *m, int node);
void omni_memory_free(struct omni_memory *k);
bool omni_memory_room(const struct omni_memory *k);
void omni_memory_take(struct omni_memory *k, const struct omni_message *msg);
void omni_memory_step(struct omni_memory *k);
void omni_memory_kernel(struct omni_memory *k); /* empty caches */
void omni_memory_collect(struct omni_memory *k);

/* omni_service.c.  take: a chain has come; line: one of its operands; step:
 * busy: the core uses the ALU on this cycle. */
struct omni_service *omni_service_create(struct omni_machine *m, int node);
void omni_service_free(struct omni_service *s);
void omni_service_take(struct omni_service *s, struct omni_job *job);
void omni_service_line(struct omni_service *s, struct omni_job *job);
void omni_service_step(struct omni_service *s, bool busy);

/* omni_core.c.  take: an answer has come. */
struct omni_core *omni_core_create(struct omni_machine *m, int node);
void omni_core_free(struct omni_core *c);
bool omni_core_fits(const struct omni_core *c, const struct cta *cta);
void omni_core_start(struct omni_core *c, struct cta *cta);
bool omni_core_idle(const struct omni_core *c);
void omni_core_take(struct omni_core *c, const struct omni_message *msg);
bool omni_core_step(struct omni_core *c); /* true: it issued an instruction */
void omni_core_kernel(struct omni_core *c);
void omni_core_collect(struct omni_core *c);

/* omni_report.c */
uint64_t omni_sum(const uint64_t *by_kind);
void omni_page(const void *result, FILE *out);
void omni_heading(FILE *out);
void omni_row(const void *result, FILE *out);
void omni_json(const void *result, json_t *into);

#endif
