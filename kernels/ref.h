/* ref.h - what a CPU reference of a kernel sees, and the list of references.
 *
 * A run description (kernels/<name>/<name>.yml) names buffers and scalars.
 * Its runner fills the buffers, makes a second copy of them, lets the kernel
 * work on one and the reference on the other, and compares the buffers that
 * the description marks with `check`.  A reference is plain C, written from
 * what the workload computes and not from the kernel's text; it sees the
 * buffers under the names of the description and changes them in place.
 *
 * Sums that a kernel takes in another order are taken here in double: the
 * reference is the more exact of the two, and the tolerance in the
 * description bounds the kernel's rounding.
 */
#ifndef NDP_REF_H
#define NDP_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ref_type {
    REF_U8,
    REF_I8,
    REF_U16,
    REF_I16,
    REF_U32,
    REF_I32,
    REF_U64,
    REF_I64,
    REF_F16, /* raw bits; no reference computes in it */
    REF_F32,
    REF_F64
};

/* Whose table names a workload. */
enum ref_paper {
    REF_MPU = 1,
    REF_TOM = 2,
    REF_IMAGE = 4, /* IP-NDP */
    REF_OMNI = 8,  /* opportunistic computing */
    REF_CHOPIM = 16
};

/* A buffer of `count` elements; data belongs to the runner. */
struct ref_buffer {
    const char *name;
    enum ref_type type;
    size_t count;
    void *data;
};

/* A size or value of the description; integers are exact up to 2^53. */
struct ref_scalar {
    const char *name;
    double value;
};

struct ref_run {
    const struct ref_scalar *scalars;
    size_t scalar_count;
    struct ref_buffer *buffers;
    size_t buffer_count;
    struct ref_failure *failure; /* of ref_call; NULL: lacking is BUG() */
};

enum { REF_WHY = 160 };

typedef void ref_fn(struct ref_run *r);

/* The reference of a workload by name, NULL when there is none. */
ref_fn *ref_find(const char *name);

/* Name of workload n in the order of refs.def, NULL past the last; its run
 * description is kernels/<name>/<name>.yml or one of its forms beside it. */
const char *ref_name(size_t n);

/* The papers whose tables name workload n: a set of enum ref_paper. */
unsigned ref_papers(size_t n);

/* Call fn.  False, with why filled, if it asks for a scalar that r lacks, or
 * for a buffer that r lacks or has with another type; what fn had allocated by
 * then is lost. */
bool ref_call(ref_fn *fn, struct ref_run *r, char why[REF_WHY]);

/* A scalar by name; does not return if there is none, see ref_call. */
int64_t ref_int(const struct ref_run *r, const char *name);
float ref_float(const struct ref_run *r, const char *name);

uint8_t *ref_u8(struct ref_run *r, const char *name);
int32_t *ref_i32(struct ref_run *r, const char *name);
uint32_t *ref_u32(struct ref_run *r, const char *name);
float *ref_f32(struct ref_run *r, const char *name);

/* One reference for each line of refs.def. */
#define REF(name, papers) void ref_##name(struct ref_run *r);
#include "refs.def"

#endif
