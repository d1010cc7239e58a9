/* yaml.h - a YAML text as a tree that remembers where everything stood.
 *
 * libyaml reads, event by event; no other file of the project calls it.  Time
 * and memory grow with the length of the text: it may nest 32 levels deep and
 * hold 100,000 keys and values, counting what aliases repeat.
 *
 * Nodes belong to the arena that was given and do not change.
 */
#ifndef NDP_YAML_H
#define NDP_YAML_H

#include "diag.h"

enum yaml_kind { YAML_WORD, YAML_LIST, YAML_MAP };

struct yaml_node {
    enum yaml_kind kind;
    bool plain; /* WORD: neither in quotes nor a block of lines */
    struct place at;
    const char *text; /* WORD; a NUL in it, legal in YAML, is '?' here */
    int n;
    struct yaml_node **items; /* LIST; values of a MAP */
    struct yaml_node **keys;  /* MAP, in the order of the file */
    struct yaml_index *index; /* private */
};

/* What YAML allows and the caller does not. */
enum {
    YAML_NO_EXTRAS = 1, /* anchors, aliases and tags are errors; otherwise
                           aliases stand for a copy and tags for nothing */
    YAML_KEYED = 2      /* a key that is no word or twice in its map is one */
};

/* The one document of the source; of nothing but comments, an empty word of
 * line 0.  NULL after an error that no reading goes on from; the errors above
 * are told and passed over, so that the caller can tell of more. */
struct yaml_node *yaml_read(struct arena *a, const struct source *src,
                            unsigned rules, struct diag *d);

/* Nothing at all stands here, as after "nbu:". */
bool yaml_empty(const struct yaml_node *n);

/* The value of a key of a map, of a tree read with YAML_KEYED, or NULL; NULL
 * also if map is none. */
struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* over on top of base, both maps of YAML_KEYED: keys of base, replaced or
 * joined by those of over; maps under a key are merged in the same way down to
 * the given depth. */
struct yaml_node *yaml_merge(struct arena *a, const struct yaml_node *base,
                             const struct yaml_node *over, int depth);

/* "a list", for messages. */
const char *yaml_kind_name(const struct yaml_node *n);

#endif
