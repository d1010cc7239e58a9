/* opclass.c - names and defaults out of opclass.def. */
#include "opclass.h"

#include <stddef.h>

static const struct {
    const char *name;
    const char *doc;
    int far;
} classes[OPC_COUNT] = {
#define OPCLASS(name, far, doc) {#name, doc, far},
#include "opclass.def"
};

unsigned opclass_far_default(void) {
    unsigned mask = 0;
    for (int i = 0; i < OPC_COUNT; i++)
        mask |= (unsigned)classes[i].far << i;
    return mask;
}

const char *opclass_name(int n) {
    return n >= 0 && n < OPC_COUNT ? classes[n].name : NULL;
}

const char *opclass_doc(int n) {
    return n >= 0 && n < OPC_COUNT ? classes[n].doc : NULL;
}
