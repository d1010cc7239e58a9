/* state.h - private to golden/sim/chained/: bytes of memory that change, and
 * what each warp did. */
#ifndef NDP_CHAINED_STATE_H
#define NDP_CHAINED_STATE_H

#include "base/array.h"
#include "chained.h"
#include "form.h"
#include "isa/run.h"

enum { MAX_LANES = 32 };

/* --- bytes.c: memory as the machine has it -------------------------------- */

/* Where it differs from what lies behind, which is asked for the rest. */
struct bytes {
    uint64_t *slot; /* address, value in bits 39:32, bit 40: taken */
    size_t n, size;
    const struct isa_memory *behind;
};

void bytes_open(struct bytes *b, const struct isa_memory *behind);
void bytes_close(struct bytes *b);
/* Of 1, 2 or 4 bytes; false: nothing is mapped there. */
bool bytes_load(const struct bytes *b, uint32_t at, int n, uint32_t *value);
void bytes_store(struct bytes *b, uint32_t at, int n, uint32_t value);
/* What is behind is about to be overwritten: keep it here. */
bool bytes_keep(struct bytes *b, uint32_t at, int n);
/* Write all that is here behind; false, and the address: it was other there. */
bool bytes_settle(struct bytes *b, uint32_t *address);

/* --- trace.c: what the warps did ------------------------------------------ */

enum deed { DID_LOAD, DID_STORE, DID_ATOMIC, DID_ALU, DID_BARRIER };

struct event {
    uint8_t deed, bytes;
    uint8_t op; /* DID_ATOMIC */
    bool sign;
    bool begins;             /* a tagged chain */
    const struct form *form; /* of that, if it fits: the events that follow are
                              * those of its words */
    uint32_t mask;
    uint32_t address[MAX_LANES]; /* DID_ALU: of the immediate, its register */
    uint32_t value[MAX_LANES];   /* loaded, stored, computed; c of an atomic */
    uint32_t second[MAX_LANES];  /* its b */
};

struct warp_trace {
    ARRAY(struct event) event;
};

struct trace {
    const struct isa_launch *l;
    struct isa_word *word;
    struct form *form;
    bool *fits;       /* by pc: form */
    int lanes, warps; /* warps: of a CTA */
    int n;            /* warps of all CTAs */
    struct warp_trace *warp;
    struct shadow *shadow; /* by warp of the CTA that runs */
};

/* Execute l, whose memory is m, and note everything; before holds what was
 * overwritten. */
bool trace_run(struct trace *t, const struct isa_launch *l, int lanes,
               const struct isa_memory *m, struct bytes *before,
               struct isa_run *r);
void trace_close(struct trace *t);

#endif
