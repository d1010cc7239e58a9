/* tree.h - a YAML file as a tree that remembers where everything stood.
 *
 * Nodes belong to the arena that was given and do not change.
 */
#ifndef NDP_RUN_TREE_H
#define NDP_RUN_TREE_H

#include "base/diag.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    struct place at;
    const char *text; /* SCALAR */
    int n;
    struct node **items; /* LIST; values of a MAP */
    struct node **keys;  /* MAP: scalars, no two alike */
};

/* The file's one document; NULL after errors in d. */
struct node *tree_read(struct arena *a, const struct source *src,
                       struct diag *d);

/* The value of a key of a map, or NULL. */
struct node *tree_get(const struct node *map, const char *key);

/* over on top of base: keys of base, replaced or joined by those of over; maps
 * under a key are merged in the same way down to the given depth. */
struct node *tree_merge(struct arena *a, const struct node *base,
                        const struct node *over, int depth);

/* "a list", for messages. */
const char *tree_kind(const struct node *n);

#endif
