/* opclass.h - instruction classes shared by the PTX reader and the hardware. */
#ifndef NDP_OPCLASS_H
#define NDP_OPCLASS_H

enum opclass {
#define OPCLASS(name, far, doc) OPC_##name,
#include "opclass.def"
    OPC_COUNT
};

/* Width of a class code on the wires. */
#define OPCLASS_BITS 5

/* One bit for each class of the default far-bank set (MPU IV-B1). */
#define OPCLASS_FAR_DEFAULT (opclass_far_default())
unsigned opclass_far_default(void);

/* Name and one-line description of class n, or NULL past the last. */
const char *opclass_name(int n);
const char *opclass_doc(int n);

#endif
