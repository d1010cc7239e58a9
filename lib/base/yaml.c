/* yaml.c - libyaml's events to a tree.
 *
 * Events rather than libyaml's document tree, because that tree resolves
 * aliases and so hides them, and is read whole before its depth can be seen:
 * libyaml takes quadratic time for deep nesting.
 *
 * libyaml counts characters, messages count bytes.  A cursor goes along with
 * the events and turns one into the other.
 */
#include "yaml.h"

#include "array.h"

#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 32, MAX_NODES = 100000, MAX_ANCHORS = 256 };

/* Entry of a map's index, which is sorted by key. */
struct yaml_index {
    const char *key;
    int at; /* in keys and items */
};

struct cursor {
    size_t index, offset; /* the same place in characters and in bytes */
    int line;             /* from 0 */
    size_t line_start;    /* offset */
};

struct anchor {
    const char *name;
    const struct yaml_node *node;
};

struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    const struct source *src;
    size_t bom; /* bytes of a mark at its begin that libyaml is not shown */
    struct arena *arena;
    struct diag *d;
    unsigned rules;
    bool stopped; /* after an error: nothing more is read */
    struct cursor cursor;
    int n_nodes;
    ARRAY(struct yaml_node *)
    pending; /* items of what is not read to its end */
    int n_anchors;
    struct anchor anchors[MAX_ANCHORS];
};

/* ---------------------------------------------------------------- places */

/* Move the cursor to a character.  Marks come in order, but for the context of
 * an error. */
static void seek(struct reader *r, size_t index) {
    struct cursor *c = &r->cursor;
    const char *text = r->src->text;
    if (index < c->index)
        *c = (struct cursor){.offset = r->bom};
    for (; c->index < index && c->offset < r->src->len; c->index++) {
        if (text[c->offset] == '\n') {
            c->line++;
            c->line_start = c->offset + 1;
        }
        do
            c->offset++;
        while (c->offset < r->src->len &&
               ((unsigned char)text[c->offset] & 0xc0) == 0x80);
    }
}

/* Underlined to its end if that is in the same line. */
static struct place place_of(struct reader *r, const yaml_mark_t *from,
                             const yaml_mark_t *to) {
    seek(r, from->index);
    struct cursor start = r->cursor;
    seek(r, to->index);
    return (struct place){
        r->src, start.line + 1, (int)(start.offset - start.line_start) + 1,
        r->cursor.line == start.line ? (int)(r->cursor.offset - start.offset)
                                     : 0};
}

static struct place here(struct reader *r) {
    return place_of(r, &r->event.start_mark, &r->event.end_mark);
}

/* ---------------------------------------------------------------- events */

static void syntax_error(struct reader *r) {
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "cannot be read";
    r->stopped = true;
    if (p->error == YAML_READER_ERROR) {
        diag_error(r->d, place_at(r->src, r->bom + p->problem_offset, 1),
                   "no valid YAML: %s", problem);
        return;
    }
    struct place at = place_of(r, &p->problem_mark, &p->problem_mark);
    bool tab = r->cursor.offset < r->src->len &&
               r->src->text[r->cursor.offset] == '\t';
    diag_error(r->d, at, "no valid YAML: %s%s", problem,
               tab ? " (a tab cannot indent YAML)" : "");
    if (p->context)
        diag_report(r->d, DIAG_NOTE,
                    place_of(r, &p->context_mark, &p->context_mark), "%s",
                    p->context);
}

/* Advance to the next event; false when the reader has to stop. */
static bool next_event(struct reader *r) {
    if (r->stopped)
        return false;
    yaml_event_delete(&r->event);
    memset(&r->event, 0, sizeof r->event);
    if (!yaml_parser_parse(&r->parser, &r->event))
        syntax_error(r);
    r->stopped = r->stopped || diag_full(r->d);
    return !r->stopped;
}

/* Anchor or tag of the current event, or NULL. */
static const char *anchor_of(const yaml_event_t *e) {
    return (const char *)(e->type == YAML_SCALAR_EVENT ? e->data.scalar.anchor
                          : e->type == YAML_SEQUENCE_START_EVENT
                              ? e->data.sequence_start.anchor
                              : e->data.mapping_start.anchor);
}

/* The tag, likewise. */
static const char *tag_of(const yaml_event_t *e) {
    return (const char *)(e->type == YAML_SCALAR_EVENT ? e->data.scalar.tag
                          : e->type == YAML_SEQUENCE_START_EVENT
                              ? e->data.sequence_start.tag
                              : e->data.mapping_start.tag);
}

/* Tell of an extra with this name, NULL if it is not there. */
static void refuse(struct reader *r, struct place at, const char *what,
                   const char *name) {
    if (name && (r->rules & YAML_NO_EXTRAS))
        diag_error(r->d, at, "%s%s' is not accepted, expected the value itself",
                   what, name);
}

/* ----------------------------------------------------------------- nodes */

static struct yaml_node *read_node(struct reader *r, int depth);

/* NULL after an error. */
static struct yaml_node *new_node(struct reader *r, struct place at,
                                  int depth) {
    if (depth >= MAX_DEPTH)
        diag_error(r->d, at, "nested too deeply, expected at most %d levels",
                   MAX_DEPTH);
    else if (r->n_nodes == MAX_NODES)
        diag_error(r->d, at, "too long, expected at most %d values", MAX_NODES);
    r->stopped = depth >= MAX_DEPTH || r->n_nodes == MAX_NODES;
    if (r->stopped)
        return NULL;
    r->n_nodes++;
    struct yaml_node *n = arena_alloc(r->arena, sizeof *n);
    n->at = at;
    return n;
}

static int by_key(const void *a, const void *b) {
    const struct yaml_index *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : x->at - y->at;
}

static void make_index(struct arena *a, struct yaml_node *map) {
    map->index = arena_array(a, (size_t)map->n, sizeof *map->index);
    for (int i = 0; i < map->n; i++) {
        const char *text = map->keys[i]->text;
        map->index[i] = (struct yaml_index){text ? text : "", i};
    }
    qsort(map->index, (size_t)map->n, sizeof *map->index, by_key);
}

/* Tell of keys that YAML_KEYED forbids. */
static void check_keys(struct reader *r, const struct yaml_node *map) {
    for (int i = 0; i < map->n; i++) {
        const struct yaml_index *x = &map->index[i];
        const struct yaml_node *key = map->keys[x->at];
        if (key->kind != YAML_WORD)
            diag_error(r->d, key->at, "expected a word as key, found %s",
                       yaml_kind_name(key));
        else if (i && strcmp(x[-1].key, x->key) == 0)
            diag_error(r->d, key->at, "key '%s' is given twice", key->text);
    }
}

/* Every step-th of the pending nodes from the first on. */
static struct yaml_node **take(struct reader *r, int first, int step) {
    int n = (r->pending.n - first + step - 1) / step;
    struct yaml_node **list = arena_array(r->arena, (size_t)n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = r->pending.v[first + step * i];
    return list;
}

/* Underline to here, if it is the same line. */
static void widen(struct reader *r, struct place *at) {
    seek(r, r->event.end_mark.index);
    const struct cursor *c = &r->cursor;
    if (c->line + 1 == at->line)
        at->width = (int)(c->offset - c->line_start) + 1 - at->column;
}

/* Read what is in a list or map, up to its end; the current event begins it. */
static bool read_items(struct reader *r, struct yaml_node *n, int depth) {
    int first = r->pending.n, step = n->kind == YAML_MAP ? 2 : 1;
    while (next_event(r) && r->event.type != YAML_MAPPING_END_EVENT &&
           r->event.type != YAML_SEQUENCE_END_EVENT) {
        struct yaml_node *item = read_node(r, depth + 1);
        if (!item)
            return false;
        *array_push(&r->pending) = item;
    }
    if (r->stopped)
        return false;
    widen(r, &n->at);
    n->n = (r->pending.n - first) / step;
    n->items = take(r, first + step - 1, step);
    if (n->kind == YAML_MAP)
        n->keys = take(r, first, step);
    r->pending.n = first;
    if (n->kind == YAML_MAP && (r->rules & YAML_KEYED)) {
        make_index(r->arena, n);
        check_keys(r, n);
    }
    return true;
}

static void read_word(struct reader *r, struct yaml_node *n) {
    size_t len = r->event.data.scalar.length;
    char *text =
        arena_strndup(r->arena, (const char *)r->event.data.scalar.value, len);
    for (size_t i = 0; i < len; i++)
        if (!text[i])
            text[i] = '?';
    n->text = text;
    n->plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* A copy for depth; keys are words and shared. */
static struct yaml_node *copy(struct reader *r, const struct yaml_node *from,
                              int depth) {
    struct yaml_node *n = new_node(r, from->at, depth);
    if (!n)
        return NULL;
    *n = *from;
    n->items = arena_array(r->arena, (size_t)n->n, sizeof *n->items);
    for (int i = 0; i < n->n; i++)
        if (!(n->items[i] = copy(r, from->items[i], depth + 1)))
            return NULL;
    return n;
}

static struct anchor *find_anchor(struct reader *r, const char *name) {
    for (int i = 0; i < r->n_anchors; i++)
        if (strcmp(r->anchors[i].name, name) == 0)
            return &r->anchors[i];
    return NULL;
}

static struct yaml_node *read_alias(struct reader *r, int depth) {
    const char *name = (const char *)r->event.data.alias.anchor;
    const struct anchor *a = find_anchor(r, name);
    struct place at = here(r);
    refuse(r, at, "alias '*", name);
    if (a)
        return copy(r, a->node, depth);
    if (!(r->rules & YAML_NO_EXTRAS))
        diag_error(r->d, at, "alias '*%s' stands for nothing before it", name);
    r->stopped = true;
    return NULL;
}

/* Let name stand for node from here on. */
static void set_anchor(struct reader *r, const char *name,
                       const struct yaml_node *node) {
    struct anchor *a = find_anchor(r, name);
    if (!a && r->n_anchors == MAX_ANCHORS) {
        diag_error(r->d, node->at, "too many anchors, expected at most %d",
                   MAX_ANCHORS);
        r->stopped = true;
        return;
    }
    if (!a)
        a = &r->anchors[r->n_anchors++];
    *a = (struct anchor){name, node};
}

/* Read the node whose first event is the current one; its last is then.  NULL
 * when the reader has to stop. */
static struct yaml_node *read_node(struct reader *r, int depth) {
    yaml_event_type_t type = r->event.type;
    if (type == YAML_ALIAS_EVENT)
        return read_alias(r, depth);
    const char *anchor = anchor_of(&r->event), *tag = tag_of(&r->event);
    struct yaml_node *n = new_node(r, here(r), depth);
    if (!n)
        return NULL;
    refuse(r, n->at, "anchor '&", anchor);
    refuse(r, n->at, "tag '", tag);
    if (anchor)
        anchor = arena_strdup(r->arena, anchor);
    if (type == YAML_SCALAR_EVENT)
        read_word(r, n);
    else
        n->kind = type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST;
    if (n->kind != YAML_WORD && !read_items(r, n, depth))
        return NULL;
    if (anchor)
        set_anchor(r, anchor, n);
    return r->stopped ? NULL : n;
}

/* The document, the current event being the start of the stream. */
static struct yaml_node *read_stream(struct reader *r) {
    if (!next_event(r) || !next_event(r))
        return NULL;
    if (r->event.type == YAML_STREAM_END_EVENT) { /* nothing but comments */
        struct yaml_node *n = new_node(r, (struct place){.source = r->src}, 0);
        n->text = "";
        n->plain = true;
        return n;
    }
    struct yaml_node *root = next_event(r) ? read_node(r, 0) : NULL;
    if (root && next_event(r) && next_event(r) &&
        r->event.type != YAML_STREAM_END_EVENT)
        diag_error(r->d, here(r),
                   "a second document begins here, expected one");
    return r->stopped ? NULL : root;
}

struct yaml_node *yaml_read(struct arena *a, const struct source *src,
                            unsigned rules, struct diag *d) {
    struct reader r = {.src = src, .arena = a, .d = d, .rules = rules};
    if (!yaml_parser_initialize(&r.parser))
        out_of_memory();
    if (src->len >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0)
        r.bom = r.cursor.offset = 3;
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(src->text ? src->text + r.bom : ""),
        src->len - r.bom);
    struct yaml_node *root = read_stream(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    array_free(&r.pending);
    return root;
}

/* ------------------------------------------------------------- the tree */

bool yaml_empty(const struct yaml_node *n) {
    return n->kind == YAML_WORD && n->plain && !*n->text;
}

struct yaml_node *yaml_get(const struct yaml_node *map, const char *key) {
    if (!map || map->kind != YAML_MAP)
        return NULL;
    if (!map->index)
        BUG("key '%s' of a map that was read without YAML_KEYED", key);
    int low = 0, high = map->n; /* of the entries that may be it */
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(key, map->index[middle].key);
        if (order == 0)
            return map->items[map->index[middle].at];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static void put(struct yaml_node *map, struct yaml_node *key,
                struct yaml_node *value) {
    map->keys[map->n] = key;
    map->items[map->n++] = value;
}

struct yaml_node *yaml_merge(struct arena *a, const struct yaml_node *base,
                             const struct yaml_node *over, int depth) {
    struct yaml_node *n = arena_alloc(a, sizeof *n);
    size_t room = (size_t)base->n + (size_t)over->n;
    *n = *over;
    n->n = 0;
    n->items = arena_array(a, room, sizeof *n->items);
    n->keys = arena_array(a, room, sizeof *n->keys);
    for (int i = 0; i < base->n; i++) {
        struct yaml_node *old = base->items[i];
        struct yaml_node *now = yaml_get(over, base->keys[i]->text);
        if (now && depth > 0 && now->kind == YAML_MAP && old->kind == YAML_MAP)
            now = yaml_merge(a, old, now, depth - 1);
        put(n, base->keys[i], now ? now : old);
    }
    for (int i = 0; i < over->n; i++)
        if (!yaml_get(base, over->keys[i]->text))
            put(n, over->keys[i], over->items[i]);
    make_index(a, n);
    return n;
}

const char *yaml_kind_name(const struct yaml_node *n) {
    return n->kind == YAML_LIST  ? "a list"
           : n->kind == YAML_MAP ? "a mapping"
           : yaml_empty(n)       ? "nothing"
                                 : "a single value";
}
