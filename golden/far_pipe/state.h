/* state.h - what the files of the model of a subcore share: its state, and an
 * instruction with its operands.
 *
 * Private to golden/far_pipe/.
 */
#ifndef NDP_GOLDEN_FAR_PIPE_STATE_H
#define NDP_GOLDEN_FAR_PIPE_STATE_H

#include "blocks/far_pipe.h"
#include "frame/model.h"
#include "isa/isa.h"
#include "near_pipe/shared.h"
#include "subcore.h"

enum {
    MAX_LANES = 32,
    MAX_WARPS = 64,
    MAX_UNDER_WAY = 8, /* instructions of the lanes: LANES_DEPTH, or fewer */
    DEPTH = 7          /* edges to the write */
};

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS, NO_OPERAND = OPERANDS };

/* Who tells completions. */
enum teller { LANES, DESK, ACCESSES, TELLERS, NOBODY = TELLERS };

/* As simt numbers them. */
enum cause { FINE, ILLEGAL, MISALIGNED, UNMAPPED, MEMORY = 8 };

struct row {
    uint32_t lane[MAX_LANES];
};

struct instr {
    uint64_t warp, tag, ticket, mask;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS];
    struct isa_word word; /* from the collector on */
    bool to_reg, to_pred; /* the lanes compute it, */
    bool to_shared;       /* shared memory does it; else it is the desk's */
};

/* An instruction with those operands that have been read. */
struct gathered {
    bool valid;
    struct instr instr;
    struct row operand[OPERANDS];
};

/* A pass on its way. */
struct result {
    bool valid, last;
    int first;       /* lane */
    uint64_t active; /* of the pass */
    uint64_t keep;   /* bits of the others */
    uint32_t lane[MAX_LANES];
};

/* Instructions from their first pass to 'done', the oldest first. */
struct lanes {
    struct instr instr[MAX_UNDER_WAY];
    int many, ended;           /* the first ones have ended */
    struct result pipe[DEPTH]; /* [0] left on the last edge */
    uint64_t bits;             /* of a predicate */
};

struct desk {
    bool busy, ended;
    int age; /* edges since the first pass left, that one included */
    struct instr instr;
    uint64_t active;
    uint32_t a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];
    uint64_t holds; /* predicate c, inverted as the word says */
    uint32_t value; /* special value or parameter */
    int pass;       /* that is put next */
};

/* Accesses under way, and the end that is told. */
struct opens {
    bool open[MAX_WARPS], over[MAX_WARPS], bad[MAX_WARPS];
    struct instr instr[MAX_WARPS];
    uint64_t chosen;  /* warp chosen last */
    struct instr end; /* of the told one */
    bool told, fresh, fault;
};

/* A request for a row. */
struct request {
    bool valid;
    uint64_t warp, reg;
};

struct subcore {
    struct golden base; /* its covers are the whole block's */
    struct far_pipe_local l;
    uint64_t *code;
    uint32_t *params, *values; /* by warp and number */
    struct row *file;          /* rows by warp and register */
    bool entry_valid;
    struct instr entry;
    uint64_t entry_word;
    struct gathered collector;
    bool left[OPERANDS]; /* of the collector, to read */
    struct gathered dispatch;
    int pass; /* of dispatch, that leaves next */
    struct lanes lanes;
    struct desk desk;
    struct opens opens;
    struct request read;
    bool init_turn;
    bool words_turn; /* rows leave them an edge without a pass of the lanes */
    int chosen;      /* who told last */
    struct far_pipe_out out;
};

static inline struct row *row_of(struct subcore *n, uint64_t warp,
                                 uint64_t reg) {
    return &n->file[warp * (uint64_t)n->l.REGS + reg];
}

static inline uint64_t row_bits(const struct row *r) {
    return r->lane[0];
}

static inline bool is_memory(int op) {
    return op == ISA_ldg_b32 || op == ISA_stg_b32;
}

static inline bool is_atomic(int op) {
    return op >= ISA_atg_add && op <= ISA_atg_cas;
}

/* An access for 'ask'. */
static inline bool is_part(int op) {
    return is_atomic(op) ||
           (isa_info(op)->class == ISA_CLASS_global && !is_memory(op));
}

/* A predicate as a source: true where there is none. */
static inline bool holds(const struct subcore *n, enum operand o, int lane,
                         bool invert) {
    bool is = !n->dispatch.instr.has[o] ||
              row_bits(&n->dispatch.operand[o]) >> lane & 1;
    return is != invert;
}

static inline uint32_t value_of(const struct subcore *n, enum operand o,
                                int lane) {
    return n->dispatch.instr.has[o] ? n->dispatch.operand[o].lane[lane] : 0;
}

static inline bool has_number(const struct isa_word *w) {
    return w->imm || isa_has(w->op, 'w');
}

/* Mask and guard. */
static inline bool is_active(const struct subcore *n, int lane) {
    const struct instr *i = &n->dispatch.instr;

    return (i->mask >> lane & 1) &&
           (!i->has[GUARD] || holds(n, GUARD, lane, i->word.unless));
}

/* --- desk.c: what the lanes do not compute -------------------------------- */

/* begins: its first pass leaves dispatch.  file_taken: lanes or a row that
 * comes are written.  late: the fault of an access is shown.  Returns whether
 * words of it go into the file. */
bool desk_edge(struct subcore *n, const struct far_pipe_in *in, bool begins,
               bool file_taken, bool late);

/* It has passes of words to be put. */
bool desk_has_words(const struct subcore *n);

/* What 'ask' shows after the edge: an access to which nothing is left. */
void desk_show_ask(struct subcore *n, uint64_t bound);

#endif
