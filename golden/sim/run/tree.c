/* tree.c - YAML to tree, with libyaml's document loader. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 32, MAX_NODES = 100000 };

struct builder {
    struct arena *arena;
    const struct source *src;
    struct diag *d;
    yaml_document_t *doc;
    int nodes; /* aliases repeat nodes: a small file can stand for many */
};

static struct place place_of(const struct source *src, const yaml_mark_t *from,
                             const yaml_mark_t *to) {
    int width =
        to && to->line == from->line ? (int)(to->column - from->column) : 1;
    return (struct place){src, (int)from->line + 1, (int)from->column + 1,
                          width};
}

static struct node *build(struct builder *b, int id, int depth);

static struct node *build_list(struct builder *b, struct node *n,
                               const yaml_node_t *y, int depth) {
    long count = y->data.sequence.items.top - y->data.sequence.items.start;
    n->kind = NODE_LIST;
    n->items = arena_array(b->arena, (size_t)count, sizeof(struct node *));
    for (long i = 0; i < count; i++) {
        n->items[i] = build(b, y->data.sequence.items.start[i], depth + 1);
        if (!n->items[i])
            return NULL;
        n->n++;
    }
    return n;
}

static struct node *build_map(struct builder *b, struct node *n,
                              const yaml_node_t *y, int depth) {
    long count = y->data.mapping.pairs.top - y->data.mapping.pairs.start;
    n->kind = NODE_MAP;
    n->items = arena_array(b->arena, (size_t)count, sizeof(struct node *));
    n->keys = arena_array(b->arena, (size_t)count, sizeof(struct node *));
    for (long i = 0; i < count; i++) {
        const yaml_node_pair_t *pair = &y->data.mapping.pairs.start[i];
        struct node *key = build(b, pair->key, depth + 1);
        struct node *value = key ? build(b, pair->value, depth + 1) : NULL;
        if (!value)
            return NULL;
        if (key->kind != NODE_SCALAR) {
            diag_error(b->d, key->at, "expected a word as key, found %s",
                       tree_kind(key));
            return NULL;
        }
        if (tree_get(n, key->text)) {
            diag_error(b->d, key->at, "key '%s' is given twice", key->text);
            return NULL;
        }
        n->keys[i] = key;
        n->items[i] = value;
        n->n++;
    }
    return n;
}

static struct node *build(struct builder *b, int id, int depth) {
    const yaml_node_t *y = yaml_document_get_node(b->doc, id);
    struct node *n = arena_alloc(b->arena, sizeof *n);
    if (!y)
        BUG("node %d is not in the document", id);
    n->at = place_of(b->src, &y->start_mark, &y->end_mark);
    if (depth > MAX_DEPTH || ++b->nodes > MAX_NODES) {
        diag_error(b->d, n->at, "nested too deeply or too long");
        return NULL;
    }
    if (y->type == YAML_SEQUENCE_NODE)
        return build_list(b, n, y, depth);
    if (y->type == YAML_MAPPING_NODE)
        return build_map(b, n, y, depth);
    n->text = arena_strndup(b->arena, (const char *)y->data.scalar.value,
                            y->data.scalar.length);
    return n;
}

static void syntax_error(const yaml_parser_t *p, const struct source *src,
                         struct diag *d) {
    struct place at = place_of(src, &p->problem_mark, NULL);
    if (p->error == YAML_READER_ERROR)
        at = place_at(src, p->problem_offset, 1);
    diag_error(d, at, "no valid YAML: %s",
               p->problem ? p->problem : "cannot be read");
}

struct node *tree_read(struct arena *a, const struct source *src,
                       struct diag *d) {
    yaml_parser_t parser;
    yaml_document_t doc;
    struct node *root = NULL;
    if (!yaml_parser_initialize(&parser))
        BUG("no memory for the YAML parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)src->text,
                                 src->len);
    if (!yaml_parser_load(&parser, &doc)) {
        syntax_error(&parser, src, d);
        yaml_parser_delete(&parser);
        return NULL;
    }
    if (yaml_document_get_root_node(&doc)) {
        struct builder b = {a, src, d, &doc, 0};
        root = build(&b, 1, 0);
    } else {
        diag_error(d, (struct place){.source = src}, "the file is empty");
    }
    yaml_document_delete(&doc);
    yaml_parser_delete(&parser);
    return root;
}

struct node *tree_get(const struct node *map, const char *key) {
    if (!map || map->kind != NODE_MAP)
        return NULL;
    for (int i = 0; i < map->n; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return map->items[i];
    return NULL;
}

struct node *tree_merge(struct arena *a, const struct node *base,
                        const struct node *over, int depth) {
    struct node *n = arena_alloc(a, sizeof *n);
    size_t cap = (size_t)base->n + (size_t)over->n;
    *n = *over;
    n->n = 0;
    n->items = arena_array(a, cap, sizeof(struct node *));
    n->keys = arena_array(a, cap, sizeof(struct node *));
    for (int i = 0; i < base->n; i++) {
        struct node *old = base->items[i];
        struct node *now = tree_get(over, base->keys[i]->text);
        if (now && depth > 0 && now->kind == NODE_MAP && old->kind == NODE_MAP)
            now = tree_merge(a, old, now, depth - 1);
        n->keys[n->n] = base->keys[i];
        n->items[n->n++] = now ? now : old;
    }
    for (int i = 0; i < over->n; i++)
        if (!tree_get(base, over->keys[i]->text)) {
            n->keys[n->n] = over->keys[i];
            n->items[n->n++] = over->items[i];
        }
    return n;
}

const char *tree_kind(const struct node *n) {
    return n->kind == NODE_LIST  ? "a list"
           : n->kind == NODE_MAP ? "a map"
                                 : "a value";
}
