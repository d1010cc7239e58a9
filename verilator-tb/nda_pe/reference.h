/* reference.h - what an operation of the processing element does, by plain
 * loops over its elements in the order of the note, with f32 arithmetic in
 * whole numbers (fma/oracle.h).  Neither microcode nor pipelines. */
#ifndef NDP_TB_NDA_PE_REFERENCE_H
#define NDP_TB_NDA_PE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PE_WINDOW = 16384 }; /* words of memory, which addresses wrap around */

struct pe_operation {
    int op; /* enum nda_pe_op, or none of them */
    uint64_t length, rows;
    uint64_t base[4], last[4];
    uint32_t scalar[3];
    uint64_t words[4]; /* of each operand, for whoever places them */
};

struct pe_access {
    bool write;
    uint64_t address, data;
};

/* Its accesses, up to the one that a bound forbids, and its end.  Zero to
 * begin; the list is reused. */
struct pe_expected {
    struct pe_access *list;
    size_t n, capacity;
    int cause, operand;
    bool write;
    uint64_t address; /* of the access that is forbidden */
    uint32_t value;
};

/* memory is as it stands before the operation and not changed.  Operands may be
 * the same, but not overlap otherwise. */
void pe_reference(const struct pe_operation *op, int batch,
                  const uint64_t *memory, struct pe_expected *e);
void pe_expected_free(struct pe_expected *e);

#endif
