/* machine.h - the executor's inside; private to golden/exec.
 *
 * program (decode.c)  functions as arrays of struct op, decoded once
 * frame               registers of one warp in one call of a function
 * path (path.c)       lanes of a warp that are at one place
 * warp, CTA, exec     what runs
 */
#ifndef NDP_EXEC_MACHINE_H
#define NDP_EXEC_MACHINE_H

#include "exec.h"
#include "lanes.h"

#include "base/array.h"

struct warp;
struct op;
struct func;

/* Executes one instruction for the lanes in w->mask. */
typedef void exec_fn(struct warp *w, const struct op *op);

/* ------------------------------------------------------------- program */

/* Place of an operand: byte offset in the frame, or with bit 0 set in the pool
 * of constants. */
typedef uint32_t slot_ref;

enum op_flags {
    OP_CONTROL = 1,   /* sets the path's pc itself */
    OP_JOIN = 2,      /* some branch reconverges here */
    OP_GUARD_NOT = 4, /* @!p */
    OP_SYNC = 8       /* waits for the lanes of a member mask */
};

/* Operands that are not of the width a handler wants go through scratch slots:
 * converted before, or after, the handler runs. */
enum fixup_kind {
    FIX_NARROW,    /* 64-bit slot to 32-bit slot */
    FIX_WIDEN,     /* 32 to 64, zero-extended */
    FIX_WIDEN_S32, /* 32 to 64, sign-extended */
    FIX_CLOCK      /* instruction count into a slot */
};

struct fixup {
    enum fixup_kind kind;
    slot_ref from, to;
    bool wide; /* CLOCK: 64 bits */
    bool high; /* CLOCK: the upper half */
};

enum { OP_SOURCES = 4, OP_MAX_ITEMS = 8 };

/* An actual argument or a vector element. */
struct op_item {
    slot_ref ref;
    bool wide;     /* 64-bit slot */
    bool sink;     /* "_" */
    bool pred;     /* predicate word */
    bool area;     /* in the parameter area, at "at" */
    uint32_t size; /* bytes */
    uint32_t at;
};

/* What only some instructions have. */
struct op_more {
    int n_fix, n_before; /* fixups; the first n_before run before */
    struct fixup *fix;
    exec_fn *inner;
    int n_items;
    struct op_item *items;
    int n_targets; /* of brx */
    int *targets;
    struct func *callee; /* NULL: indirect */
    int n_args, n_returns;
    struct op_item *args, *returns; /* caller's side */
    slot_ref dst2;                  /* second destination; 0: none */
};

struct op {
    exec_fn *fn;
    slot_ref dst, src[OP_SOURCES];
    uint32_t guard; /* frame offset of the predicate; 0: none */
    uint8_t flags;
    uint8_t space;        /* enum ptx_space */
    uint8_t width;        /* bytes of one element in memory */
    uint8_t count;        /* elements of a vector */
    uint8_t what;         /* handler's own: comparison, operation, mode */
    uint8_t how;          /* handler's own: rounding, flags */
    uint8_t neg;          /* bit i: predicate source i is inverted */
    int64_t imm;          /* address offset and the like */
    int32_t target, join; /* pcs; join -1: only the exit */
    const struct op_more *more;
    const struct ptx_instruction *in;
    struct stream_insn *insn;
};

enum hidden_kind { HIDDEN_SPECIAL, HIDDEN_LOCAL };

/* A slot that is filled when a frame is made. */
struct hidden {
    enum hidden_kind kind;
    enum ptx_special special;
    int component;  /* 0 x, 1 y, 2 z */
    uint64_t value; /* offset of a local variable */
    slot_ref slot;
    bool wide;
};

/* Where a variable of a function lies. */
struct var_place {
    const struct ptx_variable *var;
    uint64_t offset; /* in its space's area of the function */
};

struct func {
    const struct ptx_function *f;
    int index; /* in the module */
    int n_ops; /* one more than instructions: the end is a return */
    struct op *ops;
    struct stream_insn *insns;
    uint32_t frame_size;  /* bytes of registers and hidden slots */
    uint32_t param_at;    /* offset of the parameter area in the frame */
    uint32_t param_size;  /* bytes a lane */
    uint32_t formal_size; /* of an entry: shared by all threads */
    uint64_t local_size;  /* bytes a thread */
    int n_hidden;
    struct hidden *hidden;
    int n_places;
    struct var_place *places;
    slot_ref *reg_slot;                /* by register index */
    struct op_item *formals, *results; /* as the caller sees them */
    struct frame *free;                /* frames to use again */
    bool decoded;
};

/* An entry and what it can call.  Shared variables lie where this entry has
 * them, so a device function is decoded once for each entry that uses it. */
struct program {
    struct func *entry;
    struct func *funcs;     /* by index in the module; decoded if reachable */
    uint64_t static_shared; /* bytes */
    int n_shared;
    struct var_place *shared; /* variables with a place */
};

/* -------------------------------------------------------------- memory */

enum window {
    /* Generic addresses of the spaces that have addresses of their own. */
    WINDOW_LOCAL = 0xe0,
    WINDOW_SHARED = 0xf0,
    WINDOW_CONST = 0xf4,
    WINDOW_PARAM = 0xf8,
    WINDOW_FUNCTION = 0xfc
};
#define WINDOW_BASE(w) ((uint64_t)(w) << 24)
#define WINDOW_SIZE ((uint64_t)1 << 24)
#define WINDOWS_BEGIN WINDOW_BASE(WINDOW_LOCAL)
#define WINDOWS_END ((uint64_t)1 << 32)

struct region {
    uint64_t base, size;
    uint8_t *data;
    const char *name;
    bool constant;
    bool symbol; /* a variable of the module */
    bool mapped; /* data is somebody else's */
};

/* A texture of the host's, or a .texref of the module. */
struct texture_slot {
    const char *name;
    bool symbol, bound;
    struct texture texture;
};

/* --------------------------------------------------------------- running */

struct frame {
    struct func *func;
    uint8_t *regs; /* frame_size bytes and the parameter area */
    void *block;   /* of malloc */
    struct frame *caller;
    const struct op *call; /* that made it; NULL: the kernel's own */
    uint64_t local_base;
    int depth;
    int users;          /* paths */
    struct frame *next; /* in the free list */
};

enum path_state {
    PATH_FREE,
    PATH_READY,
    PATH_PARKED,  /* waits for its children to reach its pc */
    PATH_BARRIER, /* waits at CTA barrier 'barrier' */
    PATH_SYNC     /* waits for lanes 'want' of its warp */
};

struct path {
    int pc;
    int join; /* pc where it ends; -1: at a return or exit */
    uint32_t mask;
    int parent; /* -1: none */
    int children;
    enum path_state state;
    struct frame *frame;
    int barrier;
    const struct op *wait; /* BARRIER, SYNC: the instruction that waits */
    uint32_t want;
};

struct warp {
    const uint8_t *base[2]; /* frame and constants of the current path */
    uint8_t *frame;         /* the same frame, to write to */
    const struct op *ops;   /* of its function */
    uint32_t mask;          /* lanes that execute the present instruction */
    int current;            /* path; -1: none is ready */
    struct exec *x;
    struct path *paths;
    int n_paths, cap_paths;
    int n_leaves;   /* paths that are neither free nor parked */
    uint32_t live;  /* lanes that have not left the kernel */
    uint32_t index; /* in the CTA */
    uint8_t *local; /* local_size bytes for each lane */
    uint64_t local_size;
    uint32_t since_switch; /* instructions on the current path */
};

enum { BARRIERS = 16 };

struct barrier {
    uint32_t threads;  /* arrived */
    uint32_t rounded;  /* the same, whole warps counted as 32 */
    uint32_t expected; /* 0: all live threads */
    uint32_t ones;     /* of bar.red: true predicates */
};

struct cta {
    uint32_t index, at[3];
    uint32_t live_threads;
    uint32_t live_warps;
    struct barrier barriers[BARRIERS];
    uint8_t *shared;
    uint64_t shared_size;
};

struct exec {
    const struct ptx_module *module;
    struct exec_options options;
    struct arena arena; /* of the program */
    struct diag *diag;  /* of the launch */

    /* programs, by index of their entry; NULL: not decoded yet */
    struct program **programs;
    uint8_t *pool;
    uint32_t pool_size;
    int pool_cap;
    uint32_t *pool_index; /* hash table of offsets plus 1 */
    uint32_t pool_slots, pool_used;
    uint32_t next_insn;

    /* memory */
    struct region *regions; /* ascending by base */
    int n_regions, cap_regions;
    uint64_t next_global, next_const, used_memory;
    ARRAY(struct texture_slot) textures;

    /* launch */
    struct exec_launch launch;
    struct stream_launch info;
    uint32_t n_launches;
    struct program *program;
    struct func *entry;
    uint8_t *params; /* a copy */
    uint64_t params_size;
    enum exec_state state;
    enum exec_fault fault;
    uint64_t fault_address;
    uint32_t n_ctas, next_cta;
    struct cta cta;
    struct warp *warps;
    uint32_t n_warps, cap_warps;
    uint32_t turn, left; /* warp that runs, and for how many more */
    uint64_t warp_count, thread_count, launch_start;
    uint64_t progress_at; /* warp_count when something last changed */
    uint32_t *hints;      /* by stream_insn.id: region that was hit last */
    uint32_t cap_hints;
    struct stream_event *event;

    /* vprintf */
    exec_print_fn *print;
    void *print_ctx;
    struct warp *print_warp; /* that calls it */
    int print_lane;
};

/* ---------------------------------------------------------------- shared */

static inline const void *source(const struct warp *w, slot_ref r) {
    return w->base[r & 1] + (r & ~1u);
}

static inline void *result(const struct warp *w, slot_ref r) {
    return w->frame + r;
}

/* Predicate source i of op. */
static inline uint32_t predicate(const struct warp *w, const struct op *op,
                                 int i) {
    uint32_t p = *(const lane_u32 *)source(w, op->src[i]);
    return op->neg >> i & 1 ? ~p : p;
}

static inline void set_predicate(struct warp *w, slot_ref r, uint32_t value) {
    lane_u32 *p = result(w, r);
    *p = (*p & ~w->mask) | (value & w->mask);
}

static inline struct path *current_path(struct warp *w) {
    return &w->paths[w->current];
}

/* Carries of add.cc and its relatives: a word at the start of each frame. */
enum { FRAME_CARRY = 4, FRAME_FIRST = 64 };

/* program.c, decode.c.  What cannot run becomes an op that reports so. */
struct program *program_of(struct exec *x, const struct ptx_function *entry);
void decode_function(struct exec *x, struct program *p, struct func *func);
int function_index(const struct exec *x, const struct ptx_function *f);
slot_ref pool_word(struct exec *x, uint64_t bits, bool wide);

/* path.c */
void warp_start(struct warp *w, struct func *entry, uint32_t live);
void warp_stop(struct warp *w);
void path_pick(struct warp *w); /* another path that is ready, if any */
void path_switch(struct warp *w, int path);
void path_arrived(struct warp *w); /* the current one stands at its join */
void path_diverge(struct warp *w, int join, int n, const uint32_t *masks,
                  const int *pcs);
int path_fork(struct warp *w, uint32_t mask, int pc);
int path_park(struct warp *w);
void path_child(struct warp *w, int parent, uint32_t mask, struct frame *frame);
void path_return(struct warp *w, uint32_t mask);
void path_exit(struct warp *w, uint32_t mask);
bool path_release(struct warp *w);
struct frame *frame_new(struct warp *w, struct func *func,
                        struct frame *caller);

/* barrier.c */
void barrier_check(struct exec *x);

/* memory.c */
bool memory_init(struct exec *x, struct diag *d);
const struct region *region_find(const struct exec *x, uint64_t address,
                                 uint64_t width);
bool variable_address(struct exec *x, const struct ptx_variable *v,
                      uint64_t *address);
uint8_t *local_reserve(struct warp *w, uint64_t size);

/* exec_tex.c: handles of the module's .texrefs; v's, false: it is none. */
void texture_init(struct exec *x);
bool texture_handle(const struct exec *x, const struct ptx_variable *v,
                    uint64_t *handle);

/* fault.c: end the launch.  lane -1: the first one in w->mask. */
void fault(struct warp *w, const struct op *op, int lane, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void fault_access(struct warp *w, const struct op *op, int lane,
                  uint64_t address, const char *what);
void report_stuck(struct exec *x, bool limit);
exec_fn exec_unsupported, exec_trap;

static inline void progress(struct warp *w) {
    w->x->progress_at = w->x->warp_count;
}

#endif
