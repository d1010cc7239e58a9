/* expr.h - the expressions of a run description.
 *
 * C's operators and precedence over 64-bit integers and doubles, names,
 * elements of buffers, and a few functions; the syntax stands in
 * kernels/README.md.  An expression is read once, its names bound to slots, and
 * evaluated often.
 */
#ifndef NDP_RUN_EXPR_H
#define NDP_RUN_EXPR_H

#include "base/diag.h"

#include <stdint.h>

struct expr_value {
    bool is_float;
    int64_t i;
    double f; /* is_float */
};

enum element_type {
    ELEMENT_U8,
    ELEMENT_I8,
    ELEMENT_U16,
    ELEMENT_I16,
    ELEMENT_U32,
    ELEMENT_I32,
    ELEMENT_U64,
    ELEMENT_I64,
    ELEMENT_F16,
    ELEMENT_F32,
    ELEMENT_F64,
    ELEMENT_TYPES
};

/* "u8"; NULL past the last. */
const char *element_name(int type);
int element_size(enum element_type t);
bool element_is_float(enum element_type t);
struct expr_value element_load(enum element_type t, const void *data,
                               uint64_t i);
void element_store(enum element_type t, void *data, uint64_t i,
                   struct expr_value v);

/* What names stand for: scalars by slot, buffers by index. */
struct expr_array {
    const char *name;
    enum element_type type;
    uint64_t count;
    const void *data;
};

struct expr_scope {
    const char **names; /* of scalars */
    int n_names;
    const struct expr_array *arrays;
    int n_arrays; /* that may be read */
};

enum { EXPR_MAX_SUMS = 4 }; /* inside one another */

/* At evaluation. */
struct expr_context {
    const struct expr_value *scalars;
    const struct expr_array *arrays;
    const char *error; /* set when there is no value; NULL before */
    struct expr_value locals[EXPR_MAX_SUMS]; /* variables of sums; private */
};

struct expr;

/* Read text, written at a place.  NULL after an error in d.  The result lives
 * in a. */
struct expr *expr_read(struct arena *a, const char *text, struct place at,
                       const struct expr_scope *scope, struct diag *d);

struct expr_value expr_eval(const struct expr *e, struct expr_context *c);

double expr_double(struct expr_value v);
int64_t expr_int(struct expr_value v); /* a float is cut off */
/* Whether v is an integer of 64 bits, if perhaps written as 2.0. */
bool expr_is_int(struct expr_value v);

#endif
