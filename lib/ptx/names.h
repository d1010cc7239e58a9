/* names.h - names to objects, with nested scopes; used by the reader alone. */
#ifndef NDP_PTX_NAMES_H
#define NDP_PTX_NAMES_H

#include "base/array.h"

#include <stddef.h>
#include <stdint.h>

struct name_entry {
    const char *name;
    size_t len;
    uint32_t hash;
    int next;  /* in its bucket, or -1 */
    int depth; /* of the scope it belongs to */
    void *value;
};

/* Zero-initialise to start.  Names are not copied. */
struct name_map {
    ARRAY(struct name_entry) entries; /* oldest first: a scope is a suffix */
    int *buckets;
    int n_buckets;
    ARRAY(int) marks; /* entries.n at the opening of each scope */
};

/* Innermost entry of that name, or NULL; valid until the next name_add. */
struct name_entry *ptx_name_find(const struct name_map *m, const char *name,
                                 size_t len);

/* Enter name in the current scope, hiding an outer one. */
void ptx_name_add(struct name_map *m, const char *name, size_t len,
                  void *value);

/* Open a scope; close the last one and forget its names. */
void ptx_name_open(struct name_map *m);
void ptx_name_close(struct name_map *m);

/* How many scopes are open. */
static inline int ptx_name_depth(const struct name_map *m) {
    return m->marks.n;
}

void ptx_name_free(struct name_map *m);

#endif
