/* golden.c - the list of golden models.
 *
 * The bench finds a model by the block's name and drives it through its class;
 * adding a block means adding its class to the list here.
 */
#include "golden.h"

#include "analyzer/analyzer.h"
#include "emn/emn.h"
#include "instance.h"
#include "nbu/nbu.h"
#include "offload/offload.h"
#include "prefetch/prefetch.h"

#include <string.h>

static const struct golden_class *const classes[] = {
    &nbu_golden,     &prefetch_golden, &emn_golden,
    &offload_golden, &analyzer_golden,
};

const struct golden_class *golden_find(const char *name) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(classes[i]->iface->name, name) == 0)
            return classes[i];
    return NULL;
}

struct golden *golden_create(const struct golden_class *k,
                             const struct config *c) {
    return k->create(c);
}

void golden_free(const struct golden_class *k, struct golden *g) {
    if (g)
        k->destroy(g);
}

uint64_t golden_hash(const struct golden *g) {
    return g->hash;
}
