/* decode.h - shared by the decode*.c files; private to them. */
#ifndef NDP_EXEC_DECODE_H
#define NDP_EXEC_DECODE_H

#include "handlers.h"

enum { DECODE_FIXUPS = 24, DECODE_SCRATCH = 24 };

struct decoder {
    struct exec *x;
    struct program *p;
    struct func *func;
    const struct ptx_instruction *in;
    struct op *op;
    bool bad; /* something that the executor cannot do */

    struct fixup before[DECODE_FIXUPS], after[DECODE_FIXUPS];
    int n_before, n_after;
    slot_ref scratch[DECODE_SCRATCH]; /* of the function, used again */
    int n_scratch, scratch_used;
    struct op_more *more;        /* NULL until something needs it */
    ARRAY(struct hidden) hidden; /* slots of the function */
};

struct op_more *decode_more(struct decoder *d);

/* A scratch slot with room for 64-bit lanes. */
slot_ref decode_scratch(struct decoder *d);

/* The slot that holds operand o, of a 64-bit slot if wide.  type says how an
 * immediate is written.  Sets d->bad and returns 0 when there is none. */
slot_ref decode_source(struct decoder *d, const struct ptx_operand *o,
                       enum ptx_type type, bool wide);
slot_ref decode_predicate(struct decoder *d, const struct ptx_operand *o,
                          int index);

/* The slot to write for destination o; what is not of that width is converted
 * after the handler, with the sign if type is signed. */
slot_ref decode_result(struct decoder *d, const struct ptx_operand *o,
                       enum ptx_type type, bool wide);

/* Elements of a vector operand, or the operand itself as one. */
bool decode_items(struct decoder *d, const struct ptx_operand *o,
                  enum ptx_type type, bool result);

bool decode_memory(struct decoder *d);
bool decode_texture(struct decoder *d);
bool decode_move(struct decoder *d);
bool decode_call(struct decoder *d);
void decode_signature(struct decoder *d);
uint32_t decode_param_place(struct decoder *d, const struct ptx_variable *v,
                            bool *found);
uint64_t decode_module_local(struct decoder *d, const struct ptx_variable *v,
                             bool *found);

static inline bool is_wide(enum ptx_type t) {
    return ptx_type_bits(t) > 32;
}

#endif
