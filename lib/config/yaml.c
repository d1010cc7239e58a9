/* yaml.c - what a configuration file gives, out of its tree.
 *
 * Values are checked as they are met and collected beside the configuration;
 * only a file without errors changes it.
 */
#include "assign.h"

#include "base/yaml.h"
#include "iface/iface.h"

#include <string.h>

/* A key that the file has given: keys and sections alike. */
struct seen {
    struct seen *next;
    const char *path;
    struct place at;
};

struct reader {
    struct diag *d;
    struct arena arena; /* of the tree and of paths */
    struct seen *seen;
    struct config base;   /* what the file changes: a preset, or what was */
    struct config values; /* what the file gives, for the keys seen */
    const struct iface *target; /* that it names; NULL: none */
};

static const struct seen *find_seen(const struct reader *r, const char *path) {
    for (const struct seen *s = r->seen; s; s = s->next)
        if (strcmp(s->path, path) == 0)
            return s;
    return NULL;
}

/* Note that path was given; false after an error if it was before. */
static bool see(struct reader *r, const char *path, struct place at) {
    const struct seen *first = find_seen(r, path);
    if (first) {
        diag_error(r->d, at, "duplicate key '%s', first given in line %d", path,
                   first->at.line);
        return false;
    }
    struct seen *s = arena_alloc(&r->arena, sizeof *s);
    *s = (struct seen){r->seen, path, at};
    r->seen = s;
    return true;
}

/* Some parameter's key begins with path and a dot. */
static bool is_section(const char *path) {
    size_t len = strlen(path);
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++)
        if (strncmp(p->key, path, len) == 0 && p->key[len] == '.')
            return true;
    return false;
}

/* The top-level sections, for suggest. */
enum { MOST_SECTIONS = 64 };

struct sections {
    char buf[MOST_SECTIONS][32];
};

static const char *next_section(void *ctx, int n) {
    struct sections *s = ctx;
    const struct param *p;
    const char *before = "";
    int nth = 0;
    for (int i = 0; (p = config_param(i)); before = p->key, i++) {
        size_t len = strcspn(p->key, ".");
        if (strncmp(p->key, before, len + 1) == 0 || nth++ < n)
            continue;
        if (n >= MOST_SECTIONS || len >= sizeof s->buf[0])
            BUG("too many sections, or '%s' has too long a one", p->key);
        memcpy(s->buf[n], p->key, len);
        s->buf[n][len] = '\0';
        return s->buf[n];
    }
    return NULL;
}

/* map: the key is a section's. */
static void unknown_key(struct reader *r, const char *path, struct place at,
                        bool map) {
    struct sections names;
    const char *near = suggest(path, next_section, &names);
    if (!map)
        config_unknown_key(path, at, r->d);
    else if (near)
        diag_error(r->d, at, "unknown section '%s', did you mean '%s'", path,
                   near);
    else
        diag_error(r->d, at, "unknown section '%s', see --list-params", path);
}

static void read_word(struct reader *r, const struct param *p,
                      const struct yaml_node *n) {
    if (p->type != PARAM_ENUM && !n->plain) {
        struct text got = {0};
        text_printf(&got, "'%s' in quotes", n->text);
        config_wrong_type(p, text_str(&got), n->at, r->d);
        text_free(&got);
        return;
    }
    config_assign_word(&r->values, p, n->text, n->at, r->d);
}

/* Add a mask that is a list of bits; false after an error. */
static bool read_bits(struct reader *r, const struct param *p,
                      const struct yaml_node *list,
                      struct config_items *items) {
    uint64_t mask = 0;
    for (int i = 0; i < list->n; i++) {
        const struct yaml_node *n = list->items[i];
        if (n->kind != YAML_WORD || !n->plain) {
            diag_error(r->d, n->at, "'%s' lists bits, got %s", p->key,
                       n->kind == YAML_WORD ? "a word in quotes"
                                            : yaml_kind_name(n));
            return false;
        }
        if (!config_add_bit(&mask, p, n->text, n->at, r->d))
            return false;
    }
    return config_add_mask(items, p, mask, list->at, r->d);
}

/* Add an item to a SET, LIST or MASKS; false after an error. */
static bool read_item(struct reader *r, const struct param *p,
                      const struct yaml_node *n, struct config_items *items) {
    const char *kind = p->type == PARAM_SET    ? "names"
                       : p->type == PARAM_LIST ? "whole numbers"
                                               : "masks";
    if (p->type == PARAM_MASKS && n->kind == YAML_LIST)
        return read_bits(r, p, n, items);
    if (n->kind != YAML_WORD || yaml_empty(n)) {
        diag_error(r->d, n->at, "'%s' lists %s, got %s", p->key, kind,
                   yaml_kind_name(n));
        return false;
    }
    if (p->type != PARAM_SET && !n->plain) {
        diag_error(r->d, n->at, "'%s' lists %s, got '%s' in quotes", p->key,
                   kind, n->text);
        return false;
    }
    return config_add_item(items, p, n->text, n->at, r->d);
}

/* Read the items of a SET, LIST or MASKS. */
static void read_list(struct reader *r, const struct param *p,
                      const struct yaml_node *list) {
    struct config_items items = {0};
    bool ok = true;
    for (int i = 0; i < list->n && !diag_full(r->d); i++)
        ok = read_item(r, p, list->items[i], &items) && ok;
    if (ok)
        config_store_items(&r->values, p, &items, list->at, r->d);
}

static void read_parameter(struct reader *r, const struct param *p,
                           const struct yaml_node *n) {
    if (config_is_list(p) && n->kind == YAML_LIST)
        read_list(r, p, n);
    else if (n->kind == YAML_WORD)
        read_word(r, p, n);
    else
        config_wrong_type(p, yaml_kind_name(n), n->at, r->d);
}

static void read_preset(struct reader *r, const struct yaml_node *n) {
    if (n->kind == YAML_WORD && !yaml_empty(n))
        config_preset_at(&r->base, n->text, n->at, r->d);
    else
        diag_error(r->d, n->at, "'preset' expects a name, got %s",
                   yaml_kind_name(n));
}

static void read_target(struct reader *r, const struct yaml_node *n) {
    bool name = n->kind == YAML_WORD && !yaml_empty(n);
    const struct iface *target = name ? iface_find(n->text) : NULL;
    if (!name)
        diag_error(r->d, n->at, "'target' expects a name, got %s",
                   yaml_kind_name(n));
    else if (!target)
        diag_error(r->d, n->at, "unknown target '%s', see --list-targets",
                   n->text);
    r->target = target;
}

static void read_mapping(struct reader *r, const char *prefix,
                         const struct yaml_node *map);

/* Read the parameters below section path, known to exist. */
static void read_section(struct reader *r, const char *path,
                         const struct yaml_node *n) {
    if (n->kind == YAML_MAP)
        read_mapping(r, path, n);
    else if (!yaml_empty(n))
        diag_error(r->d, n->at,
                   "'%s' is a section, expected parameters below it", path);
}

/* Read the value of key path, which stands at a place. */
static void read_value(struct reader *r, const char *path, struct place key,
                       const struct yaml_node *n) {
    const struct param *p = config_find(path);
    bool preset = strcmp(path, "preset") == 0;
    bool target = strcmp(path, "target") == 0;
    if (!p && !preset && !target && !is_section(path))
        unknown_key(r, path, key, n->kind == YAML_MAP);
    else if (!see(r, path, key))
        return;
    else if (preset)
        read_preset(r, n);
    else if (target)
        read_target(r, n);
    else if (p)
        read_parameter(r, p, n);
    else
        read_section(r, path, n);
}

/* Read the pairs of a mapping; prefix is the section it stands in, "" at top
 * level. */
static void read_mapping(struct reader *r, const char *prefix,
                         const struct yaml_node *map) {
    struct text path = {0};
    for (int i = 0; i < map->n && !diag_full(r->d); i++) {
        const struct yaml_node *key = map->keys[i];
        if (key->kind != YAML_WORD) {
            diag_error(r->d, key->at, "expected a parameter's name, got %s",
                       yaml_kind_name(key));
            continue;
        }
        path.len = 0;
        text_printf(&path, "%s%s%s", prefix, *prefix ? "." : "", key->text);
        read_value(r, arena_strdup(&r->arena, path.data), key->at,
                   map->items[i]);
    }
    text_free(&path);
}

static void read_root(struct reader *r, const struct yaml_node *root) {
    if (root->kind == YAML_MAP)
        read_mapping(r, "", root);
    else if (!yaml_empty(root))
        diag_error(r->d, root->at,
                   "expected parameters such as 'nbu: {warps: 8}', got %s",
                   yaml_kind_name(root));
}

static void carry(struct reader *r, const struct param *p) {
    if (p->type == PARAM_LIST)
        config_store_list(&r->base, p, config_list(&r->values, p));
    else if (p->type == PARAM_MASKS)
        config_store_masks(&r->base, p, config_masks(&r->values, p));
    else
        config_store(&r->base, p, config_field(&r->values, p));
}

/* Carry the keys that the file gave over to the base. */
static void merge(struct reader *r) {
    const struct param *p;
    if (r->target)
        r->base.target = r->target;
    for (int i = 0; (p = config_param(i)); i++) {
        const struct seen *s = find_seen(r, p->key);
        if (!s)
            continue;
        carry(r, p);
        diag_note_given(r->d, p->key, s->at);
    }
}

bool config_yaml(struct config *c, const struct source *src, struct diag *d) {
    struct reader r = {.d = d, .base = *c, .values = *c};
    int before = d->errors;
    const struct yaml_node *root = yaml_read(&r.arena, src, YAML_NO_EXTRAS, d);
    if (root)
        read_root(&r, root);
    bool ok = root && d->errors == before;
    if (ok) {
        merge(&r);
        *c = r.base;
    }
    arena_free(&r.arena);
    return ok;
}
