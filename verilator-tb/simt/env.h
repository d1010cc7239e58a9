/* env.h - what the files of the SIMT core's surroundings share.
 *
 *   stim.c      the edge: who drives what, and who looks at what
 *   host.c      commands: loads a launch, starts it, halts, steps, reads,
 * clears memory.c    memory with answers in any order; also the oracle's own
 *   oracle.c    the same launch without time, at the pace of the retirement
 *               port: every result, mask, path, fault and the memory left
 *   chains.c    who computes offload chains, at random: offers, news, results
 *   blocks.c    who takes warps away at marks and sends others, at random
 *   coverage.c  which operations have retired, on what
 *   words.c     putting words together, one by one or out of text
 *   random.c    launches that are made up; directed.c those that are written
 *
 * Programs terminate and have no races that show: a warp has regions of global
 * and shared memory of its own, in which its lanes may alias, regions of others
 * are read between two barriers, and words of many are changed only by one
 * atomic operation each that commutes; what such an atomic returns is taken as
 * it comes.  Registers, predicates and shared words are written before they are
 * read.
 */
#ifndef NDP_STIM_SIMT_ENV_H
#define NDP_STIM_SIMT_ENV_H

#include "stim.h"

#include "base/array.h"
#include "base/bits.h"
#include "blocks/simt.h"
#include "isa/isa.h"
#include "kit/toggle.h"

enum {
    ENV_WARPS = 64,
    ENV_LANES = 32,
    ENV_REQUESTS = 64,
    ENV_PARAMS = 16,
    ENV_PATHS = 2 * 64 + 2,
    ENV_CHAIN = 6,   /* words of a chain that is computed elsewhere */
    ENV_OFFERS = 16, /* words that retired, and are not offered, or so */
    ENV_PIECES = 32,
    ENV_LOOKS = 8,   /* registers that are looked at, at a time */
    ENV_BLOCK = 4096 /* bytes of a page of memory */
};

enum { SET, CODE, PARAM, START, HALT, RESUME, STEP, READ, CLEAR };
enum { IDLE, RUNNING, DONE, FAULTED };

enum {
    AT_ENTRY,
    AT_GRID,
    AT_BLOCK = 4,
    AT_THREADS = 7,
    AT_WARPS,
    AT_RESIDENT,
    AT_SHARED,
    AT_END,
    AT_WATCHDOG,
    AT_FIRST_CTA, /* with dispatch by step */
    AT_CTA_STEP,
    AT_AREA,          /* with dispatch by area: its first CTA, x and y */
    AT_AREA_END = 17, /* behind its last one, x and y */
    AT_BY_COLUMN = 19,
    AT_PACE, /* with blocks moved */
    N_REGS
};

enum cause {
    C_NONE,
    C_ILLEGAL,
    C_MISALIGNED,
    C_UNMAPPED,
    C_STACK,
    C_NO_JOIN,
    C_BARRIER,
    C_TRAP,
    C_MEMORY,
    C_WATCHDOG
};

/* What the surroundings are like for a launch. */
struct tune {
    int high, low; /* longest times that memory takes requests, and not */
    int answer;    /* percent of the edges on which it answers, if it can */
    int shuffle;   /* percent of the answers that are not the oldest */
    int halt;      /* of 10000 edges of a launch: it is halted */
    int noise;     /* of 1000 edges: a command that is passed over */
    int refuse;    /* of 1000 answers: no such sector */
    bool silent;   /* no answers while it runs */
    int clear;     /* of 10000 edges: a try to clear */
    int guests;    /* of 1000 edges: a warp of another core comes */
};

/* Words that a warp may pass over and another core's warp may carry out: a block.
 * mark: the marked word, the first one or the one before it. */
struct piece {
    int mark, from, to;
};

struct launch {
    ARRAY(uint64_t) code;
    uint32_t reg[N_REGS];
    uint32_t params[ENV_PARAMS];
    uint32_t many[2];     /* global words that all threads change: from, to */
    uint32_t shared_many; /* bytes of a CTA from here on are such words */
    uint32_t region;      /* bytes that a warp has from r1 on; 0: not known */
    struct piece piece[ENV_PIECES]; /* with blocks moved */
    int pieces;
    uint32_t guests;       /* where the regions of guests begin, by warp, */
    uint32_t guest_region; /* their bytes, */
    uint32_t guest_lane;   /* and those of a lane, 0: all have all of it */
    uint64_t seed;         /* of what memory holds */
    struct tune tune;
};

/* --- memory --------------------------------------------------------------- */

struct simt_memory {
    uint8_t **page; /* NULL: as the seed has it */
    ARRAY(uint32_t) there;
    uint64_t seed;
};

struct answer {
    uint32_t id;
    uint32_t address;
    uint64_t data[4];
};

/* --- oracle --------------------------------------------------------------- */

struct path {
    int pc, join; /* join -1: none */
    int depth;
    uint32_t mask;
};

/* A result that is still to come. */
struct owed {
    bool used, any; /* any: taken as it comes */
    bool put;       /* of a chain that was computed elsewhere */
    int pc;
    uint32_t active;
    uint32_t value[ENV_LANES];
};

/* An instruction of which some passes have retired. */
struct step {
    struct isa_word w;
    int pass;
    uint32_t active;
    bool any; /* values are taken as they come */
    bool offered;
    int kind;
    uint32_t value[ENV_LANES];
};

/* What an offer must show; any: the operand is not known. */
struct offered {
    int pc;
    uint32_t active;
    bool any_a, any_b;
    uint32_t a[ENV_LANES], b[ENV_LANES];
};

/* What one showed. */
struct shown {
    int pc;
    uint64_t code;
    uint32_t mask, a, b;
    bool in_row, same_a, same_b;
};

struct omen {
    int cause;
    int pc;
    uint32_t address;
};

struct shadow_warp {
    bool there, fenced;
    bool at_membar;   /* its last instruction was one */
    bool unshown;     /* and 'fenced' has not been high since */
    int slot, number; /* of the CTA */
    int n;
    struct path path[ENV_PATHS];
    uint32_t live;
    int bars;
    struct step step;
    struct omen omen; /* an access that must fault */
    bool alone;       /* it carries its chain out by itself */
    bool builds;      /* its next word is offered, whatever it is */
    bool chained;     /* its chain's last word retired, no news yet */
    bool guest;       /* it comes from another core, or will */
    int end;          /* where it stops then */
    /* words of its chain: a word retires and is offered, in any order */
    struct offered offered[ENV_OFFERS];
    struct shown shown[ENV_OFFERS];
    uint32_t n_offered, n_shown; /* of the launch; both: they were compared */
    int made_from; /* first word of the chain that was computed elsewhere */
    uint32_t made[ENV_CHAIN][ENV_LANES]; /* its results, word by word */
    struct owed owed_pred;
    int owed_d; /* the predicate of that */
    uint32_t p[8];
    uint32_t known_p[8];           /* lanes in which p holds something */
    uint32_t known[ISA_REGISTERS]; /* lanes in which r holds something */
    uint32_t r[ISA_REGISTERS][ENV_LANES];
    struct owed owed[ISA_REGISTERS];
    int return_pass;
};

struct oracle {
    ARRAY(struct isa_word) code;
    ARRAY(bool) legal;
    uint32_t ctas, begun;     /* of the grid, that this core takes */
    uint32_t first, step;     /* the first of these, and from one to the next */
    uint32_t low[2], size[2]; /* of the rectangle whose CTAs are counted */
    int initing;              /* warp of which passes have come, -1 */
    int init_pass, next_warp; /* next_warp: of the CTA that begins */
    int slot;
    uint32_t at[32][3]; /* CTA of a slot */
    uint8_t *shared;    /* all of it */
    uint32_t kept[ISA_REGISTERS][ENV_LANES];
    struct simt_memory memory;
    struct shadow_warp warp[ENV_WARPS];
    /* what the counters of the launch must be */
    uint64_t issued, returned, diverged, requests, conflicts, barriers;
    uint64_t instructions; /* since create */
};

/* --- chains --------------------------------------------------------------- */

struct chain_word {
    struct isa_word w;
    int pc;
    uint32_t mask, a, b;
    bool in_row, same_a, same_b;
};

enum chain_state {
    NO_CHAIN,
    ASKS,    /* a word was taken, more must come */
    DECIDES, /* the last one was taken */
    AWAY,    /* it is computed, some time */
    BRINGS,  /* its results are put */
    SETTLES, /* ... a predicate is written */
    GOES     /* its warp goes on */
};

/* What is known of the chain of a warp. */
struct chain {
    enum chain_state state;
    int delay; /* edges before the next thing happens */
    int waits; /* edges for which the core has not done its part */
    bool held; /* it is the one that is built */
    int n;
    int known;   /* words of these, from the first on, that are understood */
    bool longer; /* more words than fit came */
    uint32_t mask;
    struct chain_word word[ENV_CHAIN];
    uint8_t writer[ISA_REGISTERS]; /* word that wrote r, from 1 on */
    uint32_t value[ENV_CHAIN][ENV_LANES];
    int computed;        /* so many words are */
    int result, results; /* words whose results are put: from, to */
    int pass;
    int pc; /* where the warp goes on */
    bool alone;
};

/* News, as they are given on an edge. */
enum news { NO_NEWS, FREES, GOES_ON };

struct binder {
    struct rng rng; /* of its own: without it all else is as it was */
    struct toggle ready;
    struct chain chain[ENV_WARPS];
    enum news news;
    int news_of;   /* warp */
    int putting;   /* warp whose result is put, or -1 */
    bool stands;   /* a pass that was not taken yet */
    char bad[128]; /* a complaint, before its edge */
    bool faulted;
    bool shown; /* an offer is */
    uint64_t away, back, alone;
};

/* --- blocks --------------------------------------------------------------- */

enum block_state {
    AT_HOME,
    CHOOSES, /* a marked word was taken */
    LEFT,    /* registers are put and looked at */
    RETURNS, /* the warp goes on */
    OPENS,   /* a guest's registers will be put */
    FILLS,   /* they are */
    COMES,   /* it is spawned */
    VISITS,  /* it runs */
    STAYED   /* its registers are looked at */
};

struct block {
    enum block_state state;
    int delay; /* edges before the next thing happens */
    int waits; /* edges for which the core has not done its part */
    struct piece piece;
    int puts, looks; /* still to do; of a guest: so many are */
    int looking;     /* looks under way */
    bool settles;    /* what was put may not be there yet */
    bool alone;
    uint32_t mask; /* its lanes */
};

struct look {
    int warp, n;
    bool pred;
};

/* What is put, pass by pass. */
struct delivery {
    int warp; /* -1: nothing */
    bool pred;
    int d, pc, pass;
    uint32_t mask;
    uint32_t value[ENV_LANES];
};

struct broker {
    struct rng rng;
    struct toggle ready, over;
    struct block block[ENV_WARPS];
    struct delivery put;
    bool put_stands, look_stands;     /* what was not taken yet */
    struct look asked[ENV_LOOKS + 1]; /* the first one is answered next */
    int asks, pass;                   /* so many; passes of the first */
    int goes, comes;                  /* warps, on this edge, or -1 */
    bool faulted;
    int selected; /* edges since an instruction left F, at least */
    uint64_t stayed, left, came, looked;
};

/* --- coverage ------------------------------------------------------------- */

struct coverage { /* by operation */
    uint8_t masks[ISA_OPS];
    uint16_t kinds[ISA_OPS];
};

/* --- host ----------------------------------------------------------------- */

struct command {
    uint8_t op;
    uint16_t index;
    uint64_t data;
};

enum host_state { H_LOAD, H_RUN, H_CLEAR };

struct host {
    enum host_state state;
    ARRAY(struct command) commands;
    int sent;
    int gap; /* percent of edges without a command while loading */
    /* the core, as it is before the next edge */
    int core;
    bool halted, quiet;
    bool halt;     /* in force */
    bool stood;    /* halted was seen since */
    int stand;     /* edges for which it stays */
    bool brief;    /* it may be over before it shows */
    int stood_for; /* edges since something could move */
    int halt_for;  /* edges since the command */
    int steps;     /* that may issue */
    bool asked;    /* a read is under way */
    bool ask_late; /* one was when a fault came */
    int ask_warp, ask_lane, ask_what, ask_for;
    uint32_t ask_value; /* of a register, when it was asked for */
    int silent_for;     /* edges of running, without a retirement */
    uint32_t watchdog;
    bool ever_halted;
    bool prepared; /* with blocks moved: all but the start was sent, */
    bool ended;    /* the launch is over, */
    int linger;    /* and so long guests may come */
    bool mixed;    /* some were there when it started, or ended */
    uint64_t looks_before;
    uint64_t edges; /* of this launch */
    uint64_t launches, faults, stepped, reads, clears;
};

struct simt_stim {
    struct stim base;
    struct simt_local l;
    struct config config;
    struct launch launch;
    struct host host;
    struct oracle oracle;
    struct coverage coverage;
    struct simt_memory memory;
    struct toggle ready;
    ARRAY(struct answer) pending;
    uint64_t ids; /* in use */
    struct binder binder;
    struct broker broker;
    bool refused; /* this edge's answer says: no such sector */
    uint32_t refused_at;
    uint64_t counted[9]; /* pulses in this launch, in the order of the def */
    int script;          /* of directed */
    int strays;          /* of those, accesses that fault */
};

/* --- words.c -------------------------------------------------------------- */

/* Lines as isa_parse reads them, and labels: a name with a colon. */
void simt_text(struct launch *l, const char *text);
/* A word that must be legal. */
void simt_word(struct launch *l, const struct isa_word *w);
/* Registers of the launch that follow from others. */
void simt_geometry(const struct simt_stim *s, struct launch *l);

/* --- random.c, directed.c ------------------------------------------------- */

void simt_random_launch(struct simt_stim *s);
void simt_directed_launch(struct simt_stim *s);

/* --- memory.c ------------------------------------------------------------- */

void simt_memory_open(struct simt_memory *m);
void simt_memory_close(struct simt_memory *m);
void simt_memory_forget(struct simt_memory *m, uint64_t seed);
uint32_t simt_memory_load(struct simt_memory *m, uint32_t at, int bytes);
void simt_memory_store(struct simt_memory *m, uint32_t at, int bytes,
                       uint32_t value);
/* The first byte in which they differ within [from, to), or to. */
uint64_t simt_memory_compare(struct simt_memory *a, struct simt_memory *b,
                             uint64_t from, uint64_t to);
/* The same everywhere; 2^32 if nowhere. */
uint64_t simt_memory_differs(struct simt_memory *a, struct simt_memory *b);
void simt_drive_memory(struct simt_stim *s, struct simt_in *in);
const char *simt_watch_memory(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after);

/* --- oracle.c ------------------------------------------------------------- */

void simt_oracle_open(struct simt_stim *s);
void simt_oracle_close(struct simt_stim *s);
/* Before a launch starts: its words and memories. */
void simt_oracle_prepare(struct simt_stim *s);
void simt_oracle_start(struct simt_stim *s);
const char *simt_oracle_retire(struct simt_stim *s,
                               const struct simt_out *after);
const char *simt_oracle_fault(struct simt_stim *s,
                              const struct simt_out *after);
/* A membar was passed. */
const char *simt_oracle_fenced(struct simt_stim *s);
const char *simt_oracle_done(struct simt_stim *s);
/* A value that `read` has given. */
const char *simt_oracle_read(struct simt_stim *s, uint32_t value);
/* A word is shown. */
const char *simt_oracle_offer(struct simt_stim *s,
                              const struct simt_out *after);
/* A warp whose chain was offered goes on. */
const char *simt_oracle_goes(struct simt_stim *s, int warp, int pc, bool alone);
/* A word is legal for this core. */
bool simt_legal(const struct simt_stim *s, uint64_t code, struct isa_word *w);
/* So many words of a chain are carried out elsewhere; nothing of it is in
 * registers. */
const char *simt_oracle_away(struct simt_stim *s, int warp, int pc, int words);
/* The result of one of these is on its way. */
void simt_oracle_puts(struct simt_stim *s, int warp, int pc);
/* A guest is to come to this warp; it comes; it is over. */
void simt_oracle_opens(struct simt_stim *s, int warp);
void simt_oracle_spawns(struct simt_stim *s, int warp, int pc, int end,
                        uint32_t mask);
const char *simt_oracle_over(struct simt_stim *s, int warp);
/* Values are on their way. */
void simt_oracle_delivers(struct simt_stim *s, const struct delivery *d);
/* Lanes whose value is known. */
uint32_t simt_oracle_lanes(const struct simt_stim *s, const struct look *l);
const char *simt_oracle_seen(struct simt_stim *s, const struct look *l,
                             uint32_t mask, int pass, const uint64_t *data);
/* What `read` would give, but for the state of the warp. */
uint32_t simt_oracle_value(const struct simt_stim *s, int warp, int lane,
                           int what);
bool simt_oracle_knows(const struct simt_stim *s, int warp, int lane, int reg);

/* --- coverage.c ----------------------------------------------------------- */

/* An instruction of these lanes retires; a: its first operand, lane by lane. */
void simt_coverage_add(struct simt_stim *s, const struct isa_word *w,
                       uint32_t active, const uint32_t *a);
void simt_coverage_report(const struct simt_stim *s, struct text *t);

/* --- chains.c ------------------------------------------------------------- */

void simt_binder_open(struct simt_stim *s);
void simt_binder_reset(struct simt_stim *s);
bool simt_binder_busy(const struct simt_stim *s);
void simt_drive_binder(struct simt_stim *s, struct simt_in *in);
const char *simt_watch_binder(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after);

/* --- blocks.c ------------------------------------------------------------- */

void simt_broker_open(struct simt_stim *s);
void simt_broker_reset(struct simt_stim *s);
/* A warp of this core is away. */
bool simt_broker_away(const struct simt_stim *s);
/* Or a guest is here, or comes, or a register is looked at. */
bool simt_broker_busy(const struct simt_stim *s);
void simt_drive_broker(struct simt_stim *s, struct simt_in *in);
const char *simt_watch_broker(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after);

/* --- host.c --------------------------------------------------------------- */

void simt_host_reset(struct simt_stim *s);
/* Guests may come. */
bool simt_host_invites(const struct simt_stim *s);
void simt_drive_host(struct simt_stim *s, struct simt_in *in);
const char *simt_watch_host(struct simt_stim *s, const struct simt_in *in,
                            const struct simt_out *before,
                            const struct simt_out *after);

#endif
