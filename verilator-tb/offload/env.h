/* env.h - what the files of the offload controller's stimulus
 * share.
 *
 * The environment plays the warps with their register files, the L1 cache, the
 * memory stacks behind their links, the driver and software at the register
 * port, with real data.  It keeps what a request may lead to from the words of
 * docs/blocks/offload.md, apart from the model: which answers are justified,
 * what the packet of a warp must hold flit by flit, what an acknowledgement
 * must write.  An answer's edge of decision cannot be seen, so a reason that
 * depends on it must have been true at some edge between the request and its
 * answer.
 */
#ifndef NDP_STIM_OFFLOAD_ENV_H
#define NDP_STIM_OFFLOAD_ENV_H

#include "base/bits.h"
#include "blocks/offload.h"
#include "kit/stim.h"
#include "kit/toggle.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OFF_WARPS = 64,
    OFF_ENTERED = 4, /* edges that a request is followed for by its warp */
    OFF_STACKS = 16,
    OFF_ENTRIES = 256,
    OFF_REGS = 128,
    OFF_LANES = 32,
    OFF_ORDER = 128 /* offloads between answer and packet, and more */
};

enum off_setting { MODE_OFF, MODE_CONTROLLED, MODE_UNCONTROLLED };

enum off_reason {
    REASON_OFFLOAD,
    REASON_OFF,
    REASON_ENTRY,
    REASON_COND,
    REASON_TX,
    REASON_RX,
    REASON_FULL,
    REASON_SAVE,
    REASON_ADDRESS,
    N_REASONS
};

/* One bit a register. */
struct off_set {
    uint64_t word[OFF_REGS / 64];
};

static inline bool off_has(const struct off_set *s, int reg) {
    return bits_test(s->word, reg);
}

static inline void off_add(struct off_set *s, int reg) {
    bits_set(s->word, reg);
}

static inline void off_drop(struct off_set *s, int reg) {
    if (reg >= 0)
        bits_clear(s->word, reg);
}

static inline int off_count(const struct off_set *s) {
    return __builtin_popcountll(s->word[0]) + __builtin_popcountll(s->word[1]);
}

/* The lowest register, -1: none. */
static inline int off_lowest(const struct off_set *s) {
    if (s->word[0])
        return __builtin_ctzll(s->word[0]);
    return s->word[1] ? 64 + __builtin_ctzll(s->word[1]) : -1;
}

/* A metadata entry; its number of live-ins is counted from live_in. */
struct off_entry {
    bool valid, tag_tx, tag_rx, mem_first, cond, is_signed;
    int cond_reg, compare;
    uint32_t threshold;
    uint32_t begin_pc, end_pc;
    struct off_set live_in, live_out;
};

/* What a warp is about to ask, and how it goes on after that. */
struct off_ask {
    int warp;
    uint32_t key, mask;
    uint64_t address;
    bool learned;
    /* if it is sent to look for its first access */
    bool none, first_learned;
    uint64_t first;
    int run; /* cycles until it finds it */
    /* if it is offloaded */
    int work; /* cycles until the acknowledgement may come */
    int lines;
    bool all_lanes; /* the acknowledgement writes the request's lanes; else
                     * any */
    /* value of the condition register in the lowest lane, if wanted */
    bool has_value;
    uint32_t value;
};

enum off_state { WARP_IDLE, WARP_ASKED, WARP_AWAY };
enum off_probe { PROBE_NONE, PROBE_RUNNING, PROBE_BACK };
enum off_packet { PACKET_NONE, PACKET_FLUSHED, PACKET_SENDING, PACKET_SENT };

struct off_warp {
    /* first what is looked at on every edge */
    enum off_state state;
    enum off_packet packet;
    bool acked;        /* its acknowledgement has begun */
    uint64_t due;      /* edge from which the acknowledgement may come */
    uint64_t reserved; /* for a stray acknowledgement, up to this edge */
    struct off_ask ask;
    const struct off_entry *entry; /* NULL: no entry was found */
    int index;
    uint64_t since;  /* edge of the accept */
    uint64_t window; /* edge from which the decision may have been made */
    int mode;        /* that it carries, -1: not yet known */
    bool needs, has_value, held;
    bool clean; /* nothing has held up requests since before its accept */
    bool shown; /* its answer has been seen */
    enum off_probe probe;
    bool lost; /* another warp's registers were saved in place of its own */
    struct off_set save_left; /* registers not yet read for a probe */
    int stack;                /* of its packet or answer, -1: not yet known */
    uint32_t limit_low, limit_high;
    uint64_t released[OFF_STACKS]; /* s->released at the accept */
    bool early; /* it was released before its answer was taken */
};

enum off_port {
    PORT_ANS,
    PORT_OPER,
    PORT_PROBE,
    PORT_FLUSH,
    PORT_READ,
    PORT_TX,
    PORT_ACK, /* flits that are let through: a valid */
    PORT_WRITE,
    PORT_INVAL,
    PORT_RELEASE,
    N_PORTS
};

/* How the surroundings behave; percentages unless said otherwise. */
struct off_tune {
    const char *name;
    int ask;           /* cycles in which a request is offered */
    int high[N_PORTS]; /* longest time that a port is ready, cycles */
    int low[N_PORTS];  /* and not ready; 0: always ready */
    int value_latency; /* longest, beyond the cycle it takes at least */
    int row_latency;
    int run;      /* longest way to the first access, cycles */
    int work;     /* longest work of a stack */
    int lines;    /* most lines of an acknowledgement */
    int stray;    /* of 1000 cycles: an acknowledgement nobody waits for */
    int wishbone; /* of 1000 cycles: an access */
    int settings; /* of 10000 cycles: software changes a setting */
    int full;     /* of the link phases: the stack is full */
    int warps;    /* that take part; 0: all */
    int unknown;  /* keys without an entry */
    int partial;  /* masks that are not full */
    int learned;  /* pages */
    int none;     /* probed blocks without an access */
    /* entries that are made for it */
    int valid, cond, mem_first, saver, regs; /* regs: most live-ins */
};

/* A row that is being read for the unit. */
struct off_reader {
    bool busy;
    int delay, warp, reg;
};

/* Values of condition registers on their way, in order. */
struct off_value {
    uint32_t data;
    uint64_t due;
    int warp;
};

/* An acknowledgement: being sent, and being worked off by the unit. */
struct off_ack {
    int warp, index, lines;
    uint32_t mask;
    bool stray;
    bool headed;            /* the header has been taken */
    struct off_set to_send; /* live-outs whose row is not complete */
    int beat;
    struct off_set to_write; /* live-outs still to be seen */
    int sent_lines, line;    /* lines sent, and seen */
    uint32_t row[OFF_REGS][OFF_LANES];
    uint64_t address[256];
};

/* A link's monitor, counted anew from the words of the note. */
struct off_monitor {
    uint8_t *history; /* of the last WINDOW edges, by edge modulo WINDOW */
    int total;
    bool busy;
    int percent; /* how often other traffic uses the link */
};

struct off_stim;

/* Where requests come from: random, a script, a kernel. */
struct off_mode {
    struct stim_mode base;
    /* The next request of a warp that can ask (off_can_ask); false: none. */
    bool (*next)(struct off_stim *s, struct off_ask *a);
    /* A warp was released, or refused: may be NULL. */
    void (*done)(struct off_stim *s, int warp, bool offloaded);
};

/* Of a system that has a controller this is the begin: base is the system's. */
struct off_stim {
    struct stim base;
    const struct design *design; /* the controller's, with its registers */
    struct master *master;
    struct offload_local size;
    struct off_tune tune;

    bool ready;    /* load_ready as it stands */
    bool tx_valid; /* a flit waits, for this stack */
    int tx_stack;
    bool tx_ready; /* in this cycle */

    uint32_t *regs; /* of all warps: lanes by register by warp */
    uint32_t *kept; /* as they were when their warp was sent to look */
    struct off_entry entry[OFF_ENTRIES];
    struct off_entry next_entry; /* on the load port */
    int load_at;                 /* entry being loaded, -1: none */
    bool still; /* nothing may begin: the driver loads entries */
    struct off_warp warp[OFF_WARPS];

    bool offering;
    struct off_ask offer;
    struct toggle toggle[N_PORTS];

    int operands[OFF_WARPS]; /* warps whose value is wanted, in order */
    unsigned operand_head, n_operands;
    struct off_value values[OFF_WARPS];
    unsigned value_head, n_values;

    int prober; /* warp that looks for its first access, -1 */
    uint64_t prober_due;
    uint64_t probed[OFF_WARPS]; /* last edge at which a warp may have held the
                                 * probe engine */

    struct off_reader reader;
    int sender; /* warp whose packet is under way, -1 */
    struct off_set to_send;
    int flit;      /* of the present row; -1: the header is to come */
    bool row_read; /* the present row has been asked for */
    /* offloads in the order of their answers, and of their packets */
    uint8_t order[2][OFF_ORDER];
    uint64_t ordered[2];

    struct off_ack ack[2];
    int sending;    /* ack being sent, -1 */
    int working;    /* ack being worked off, -1 */
    bool ack_valid; /* a flit is offered */
    uint64_t ack_flit[1024 / 64];
    int wanted_stray; /* the mode asks for so many */
    uint64_t quiet;   /* edge from which all has come to rest */

    struct off_monitor monitor[2][OFF_STACKS]; /* TX, RX */
    uint64_t
        *part_from;   /* first edges of the last PARTS sub-windows, by turn */
    int part;         /* the present one */
    int link_left;    /* cycles of the present utilisation */
    int rx_stack;     /* link from which a flit comes in this cycle, -1 */
    bool fixed_links; /* the mode sets percent and full itself */
    bool wants_lines; /* a replay keeps what its instances access */
    /* Of a system that has more to say: whether a request may be made now, and
     * how one is changed that has been made up.  May be NULL. */
    bool (*admits)(const struct off_stim *s);
    void (*adjust)(struct off_stim *s, struct off_ask *a);
    uint64_t full;
    uint64_t busy_edge[2][OFF_STACKS], free_edge[2][OFF_STACKS];
    uint64_t full_edge[OFF_STACKS], room_edge[OFF_STACKS];

    uint64_t map_edge;       /* last change of map_bit */
    uint64_t sent;           /* warps that wait for an acknowledgement */
    int pending[OFF_STACKS]; /* answered, not released */
    uint64_t released[OFF_STACKS];
    int asked;                /* requests without an answer */
    bool clean;               /* nothing holds requests up */
    int entered[OFF_ENTERED]; /* warp accepted on an edge, by its low bits */

    uint64_t last_move; /* edge of the last transfer of any kind */
    uint64_t patience;
    int looked; /* warp that the age check looked at last */

    uint64_t asks, reasons[N_REASONS], releases, probes, strays, flits[2];
    uint64_t rows_checked, latency_most, latency_checked;
    uint64_t streak, streak_most;
};

/* --- stim.c ------------------------------------------------------- */

/* Derive what the controller's design fixes, and free that. */
void off_open(struct off_stim *s, const struct design *d, struct master *m);
void off_close(struct off_stim *s);
void off_reset(struct off_stim *s);
void off_drive(struct off_stim *s, struct offload_in *in);
const char *off_watch(struct off_stim *s, const struct offload_in *in,
                      const struct offload_out *before,
                      const struct offload_out *after);
void off_report(const struct off_stim *s, struct text *t);

static inline const struct off_mode *off_mode_of(const struct off_stim *s) {
    return (const struct off_mode *)s->base.mode;
}

/* Nothing is under way and no warp is away. */
bool off_idle(const struct off_stim *s);

static inline uint32_t *off_reg(const struct off_stim *s, uint32_t *of,
                                int warp, int reg) {
    return of + (size_t)(warp * s->size.REGS + reg) * (size_t)s->size.LANES;
}

static inline bool off_ready(struct off_stim *s, enum off_port p) {
    return toggle_step(&s->toggle[p], &s->base.rng, s->tune.high[p],
                       s->tune.low[p]);
}

/* --- ask.c: requests, operands, probes, answers -------------- */

void off_ask_reset(struct off_stim *s);
void off_ask_drive(struct off_stim *s, struct offload_in *in);
const char *off_ask_watch(struct off_stim *s, const struct offload_in *in,
                          const struct offload_out *before,
                          const struct offload_out *after);
bool off_can_ask(const struct off_stim *s, int warp);

/* --- judge.c: what an answer may be -------------------------- */

/* The entry that a key means, NULL: none; its index is left in *index. */
const struct off_entry *off_lookup(const struct off_stim *s, uint32_t key,
                                   int *index);
bool off_compare(const struct off_entry *e, uint32_t value);
/* Is this request, once decided, sent to look for its first access if nothing
 * else is? */
bool off_may_probe(const struct off_stim *s, const struct off_warp *w);
int off_stack(const struct off_stim *s, uint64_t address, bool learned);
/* The warp of a packet or an answer goes to this stack: NULL, or why not. */
const char *off_check_stack(struct off_stim *s, struct off_warp *w, int stack);
/* An answer: NULL, or why it is not justified. */
const char *off_judge(struct off_stim *s, int warp, int reason, int stack);

/* --- send.c: rows, flushes, request packets ------------------ */

void off_send_reset(struct off_stim *s);
void off_send_drive(struct off_stim *s, struct offload_in *in);
const char *off_send_watch(struct off_stim *s, const struct offload_in *in,
                           const struct offload_out *before);
/* An offload was answered (which 0), or its packet began (1): NULL, or a
 * complaint if the two orders differ. */
const char *off_in_order(struct off_stim *s, int which, int warp);

/* --- ack.c: acknowledgements and releases -------------------- */

void off_ack_reset(struct off_stim *s);
void off_ack_drive(struct off_stim *s, struct offload_in *in);
const char *off_ack_watch(struct off_stim *s, const struct offload_in *in,
                          const struct offload_out *before);

/* --- links.c: links, monitors, metadata table ---------------- */

void off_links_open(struct off_stim *s);
void off_links_close(struct off_stim *s);
void off_links_reset(struct off_stim *s);
void off_links_drive(struct off_stim *s, struct offload_in *in);
const char *off_links_watch(struct off_stim *s, const struct offload_in *in,
                            const struct offload_out *before,
                            const struct offload_out *after);
/* Load an entry; false: the port is taken.  Only if off_idle. */
bool off_load(struct off_stim *s, int index, const struct off_entry *e);
void off_load_drive(struct off_stim *s, struct offload_in *in);
void off_load_watch(struct off_stim *s, const struct offload_in *in,
                    const struct offload_out *before);

/* --- modes --------------------------------------------------------------- */

extern const struct off_mode off_random;
extern const struct off_mode off_directed;
extern const struct off_mode off_run;

/* In a replay: the run, and the lines that the instance accesses which the warp
 * has asked for last (only with s->wants_lines before it opens). */
const struct cand *off_run_cand(const struct off_stim *s);
const uint64_t *off_run_lines(const struct off_stim *s, int warp, int *n);

/* Surroundings that hold nothing up. */
extern const struct off_tune off_light;

/* How a request that has just been made up goes on, by the tune. */
void off_fate(struct off_stim *s, struct off_ask *a);
/* An entry by the tune. */
void off_random_entry(struct off_stim *s, struct off_entry *e);

static inline uint32_t off_lane_mask(const struct off_stim *s) {
    return (uint32_t)ones(s->size.LANES);
}

#endif
