/* parse.c - sizes, values and buffers of a run description. */
#include "state.h"

#include <string.h>

static const char *word_at(void *ctx, int i) {
    return ((const char *const *)ctx)[i];
}

bool run_check_keys(struct run *r, const struct yaml_node *map,
                    const char *const *known, const char *what) {
    bool ok = true;
    if (map->kind != YAML_MAP) {
        diag_error(r->d, map->at, "%s must be a map, found %s", what,
                   yaml_kind_name(map));
        return false;
    }
    for (int i = 0; i < map->n; i++) {
        const char *key = map->keys[i]->text;
        int k = 0;
        while (known[k] && strcmp(known[k], key) != 0)
            k++;
        if (known[k])
            continue;
        const char *near = suggest(key, word_at, (void *)known);
        if (near)
            diag_error(r->d, map->keys[i]->at,
                       "unknown key '%s' of %s, did you mean '%s'", key, what,
                       near);
        else
            diag_error(r->d, map->keys[i]->at,
                       "unknown key '%s' of %s, expected one like '%s'", key,
                       what, known[0]);
        ok = false;
    }
    return ok;
}

/* ----------------------------------------------------------- expressions */

/* A new scalar; its slot. */
int run_scalar(struct run *r, const char *name, struct expr_value v) {
    *array_push(&r->names) = name;
    *array_push(&r->scalars) = v;
    return r->scalars.n - 1;
}

/* The expression of a scalar node; arrays: how many buffers it may read. */
struct expr *run_expr(struct run *r, const struct yaml_node *n, int arrays) {
    struct expr_scope scope = {r->names.v, r->names.n, r->arrays, arrays};
    if (n->kind != YAML_WORD) {
        diag_error(r->d, n->at, "expected an expression, found %s",
                   yaml_kind_name(n));
        return NULL;
    }
    return expr_read(&r->arena, n->text, n->at, &scope, r->d);
}

bool run_eval(struct run *r, const struct expr *e, struct place at,
              const struct expr_array *arrays, struct expr_value *v) {
    struct expr_context c = {.scalars = r->scalars.v, .arrays = arrays};
    *v = expr_eval(e, &c);
    if (c.error)
        diag_error(r->d, at, "no value: %s", c.error);
    return !c.error;
}

static bool value_of(struct run *r, const struct yaml_node *n,
                     struct expr_value *v) {
    const struct expr *e = run_expr(r, n, 0);
    return e && run_eval(r, e, n->at, NULL, v);
}

static bool count_of(struct run *r, const struct yaml_node *n, const char *what,
                     uint64_t max, uint64_t *count) {
    struct expr_value v;
    if (!value_of(r, n, &v))
        return false;
    int64_t i = expr_int(v);
    if (!expr_is_int(v)) {
        diag_error(r->d, n->at, "%s is %g, expected an integer", what,
                   expr_double(v));
        return false;
    }
    if (i < 0 || (uint64_t)i > max) {
        diag_error(r->d, n->at, "%s is %lld, expected 0 to %llu", what,
                   (long long)i, (unsigned long long)max);
        return false;
    }
    *count = (uint64_t)i;
    return true;
}

static bool number_of(struct run *r, const struct yaml_node *n, double *out) {
    struct expr_value v;
    if (!value_of(r, n, &v))
        return false;
    *out = expr_double(v);
    if (*out >= 0)
        return true;
    diag_error(r->d, n->at, "a tolerance must not be negative");
    return false;
}

/* ------------------------------------------------------ sizes and values */

static const char *next_size(void *ctx, int i) {
    const struct yaml_node *sizes = ctx;
    return i < sizes->n ? sizes->keys[i]->text : NULL;
}

static void unknown_size(struct run *r, const struct yaml_node *sizes) {
    const char *near = suggest(r->size, next_size, (void *)(uintptr_t)sizes);
    if (near)
        diag_error(r->d, sizes->at, "no size '%s' here, did you mean '%s'",
                   r->size, near);
    else
        diag_error(r->d, sizes->at, "no size '%s' here, expected one like '%s'",
                   r->size, sizes->keys[0]->text);
}

static const struct yaml_node *chosen_size(struct run *r,
                                           const struct yaml_node *sizes) {
    const struct yaml_node *size;
    if (r->options.size) {
        size = yaml_get(sizes, r->options.size);
        r->size = r->options.size;
        if (!size && sizes->n)
            unknown_size(r, sizes);
        return size;
    }
    r->size = "small";
    size = yaml_get(sizes, r->size);
    if (!size && sizes->n) {
        r->size = sizes->keys[0]->text;
        size = sizes->items[0];
    }
    if (!size)
        diag_error(r->d, sizes->at,
                   "'sizes' is empty, expected "
                   "'small: {n: 1000}'");
    return size;
}

static bool add_scalars(struct run *r, const struct yaml_node *map,
                        const char *what) {
    if (map->kind != YAML_MAP) {
        diag_error(r->d, map->at, "%s must be a map of names, found %s", what,
                   yaml_kind_name(map));
        return false;
    }
    for (int i = 0; i < map->n; i++) {
        struct expr_value v;
        if (strcmp(map->keys[i]->text, "i") == 0) {
            diag_error(r->d, map->keys[i]->at,
                       "'i' is the index of an element, expected another "
                       "name");
            return false;
        }
        if (!value_of(r, map->items[i], &v))
            return false;
        run_scalar(r, map->keys[i]->text, v);
    }
    return true;
}

bool run_parse_sizes(struct run *r) {
    const struct yaml_node *sizes = yaml_get(r->tree, "sizes");
    const struct yaml_node *values = yaml_get(r->tree, "values");
    r->size = "-";
    if (sizes) {
        const struct yaml_node *size = NULL;
        if (sizes->kind == YAML_MAP)
            size = chosen_size(r, sizes);
        else
            diag_error(r->d, sizes->at, "'sizes' must be a map, found %s",
                       yaml_kind_name(sizes));
        if (!size || !add_scalars(r, size, "a size"))
            return false;
    } else if (r->options.size) {
        diag_error(r->d, (struct place){r->source, 0, 0, 0},
                   "no 'sizes' here, but size '%s' is asked for",
                   r->options.size);
        return false;
    }
    if (values && !add_scalars(r, values, "'values'"))
        return false;
    r->n_fixed = r->scalars.n;
    return true;
}

/* --------------------------------------------------------------- buffers */

static bool parse_random(struct run *r, const struct yaml_node *n,
                         const struct yaml_node *range, int arrays,
                         struct run_fill *f) {
    static const char *const keys[] = {"random", "running_sum", "seed", NULL};
    const struct yaml_node *seed = yaml_get(n, "seed");
    if (!run_check_keys(r, n, keys, "a random fill"))
        return false;
    if (range->kind != YAML_LIST || range->n != 2) {
        diag_error(r->d, range->at, "expected [low, high]");
        return false;
    }
    f->low = run_expr(r, range->items[0], arrays);
    f->high = run_expr(r, range->items[1], arrays);
    return f->low && f->high &&
           (!seed || count_of(r, seed, "the seed", INT64_MAX, &f->seed));
}

static bool parse_values(struct run *r, const struct yaml_node *list,
                         int arrays, struct run_fill *f) {
    f->kind = FILL_VALUES;
    if (list->kind != YAML_LIST || list->n == 0) {
        diag_error(r->d, list->at, "expected a list of values");
        return false;
    }
    f->values = arena_array(&r->arena, (size_t)list->n, sizeof(struct expr *));
    for (f->n_values = 0; f->n_values < list->n; f->n_values++) {
        struct expr *e = run_expr(r, list->items[f->n_values], arrays);
        if (!e)
            return false;
        f->values[f->n_values] = e;
    }
    return true;
}

static bool parse_fill(struct run *r, const struct yaml_node *n, int arrays,
                       struct run_fill *f) {
    const struct yaml_node *part;
    f->at = n->at;
    if (n->kind == YAML_WORD) {
        f->kind = FILL_EXPR;
        f->expr = run_expr(r, n, arrays);
        return f->expr != NULL;
    }
    if ((part = yaml_get(n, "random"))) {
        f->kind = FILL_RANDOM;
        return parse_random(r, n, part, arrays, f);
    }
    if ((part = yaml_get(n, "running_sum"))) {
        f->kind = FILL_SUM;
        return parse_random(r, n, part, arrays, f);
    }
    if ((part = yaml_get(n, "values")))
        return parse_values(r, part, arrays, f);
    if ((part = yaml_get(n, "file")) && part->kind == YAML_WORD) {
        f->kind = FILL_FILE;
        f->path = run_relative(r, part);
        return true;
    }
    diag_error(r->d, n->at,
               "a fill is an expression, 'values', 'random', 'running_sum' "
               "or 'file'");
    return false;
}

static bool parse_sets(struct run *r, const struct yaml_node *n, int arrays,
                       struct run_buffer *b) {
    if (n->kind != YAML_MAP) {
        diag_error(r->d, n->at, "'set' must be a map {index: value}");
        return false;
    }
    b->sets = arena_array(&r->arena, (size_t)n->n, sizeof *b->sets);
    for (int i = 0; i < n->n; i++) {
        struct run_set *s = &b->sets[b->n_sets++];
        s->at = n->keys[i]->at;
        s->index = run_expr(r, n->keys[i], arrays);
        s->value = run_expr(r, n->items[i], arrays);
        if (!s->index || !s->value)
            return false;
    }
    return true;
}

static bool parse_check(struct run *r, const struct yaml_node *n,
                        struct run_check *c) {
    static const char *const keys[] = {"absolute", "relative", "first", "count",
                                       "outliers", "expect",   "file",  NULL};
    const struct yaml_node *part;
    c->wanted = true;
    c->at = n->at;
    if (n->kind == YAML_WORD && strcmp(n->text, "exact") == 0)
        return true;
    if (n->kind == YAML_WORD) {
        diag_error(r->d, n->at,
                   "a check is 'exact' or a map like {absolute: 1e-6}");
        return false;
    }
    if (!run_check_keys(r, n, keys, "a check"))
        return false;
    if ((part = yaml_get(n, "absolute")) && !number_of(r, part, &c->absolute))
        return false;
    if ((part = yaml_get(n, "relative")) && !number_of(r, part, &c->relative))
        return false;
    if ((part = yaml_get(n, "outliers")) &&
        !count_of(r, part, "'outliers'", INT64_MAX, &c->outliers))
        return false;
    if ((part = yaml_get(n, "count"))) {
        c->has_count = true;
        if (!count_of(r, part, "'count'", INT64_MAX, &c->count))
            return false;
    }
    if ((part = yaml_get(n, "first")) &&
        !count_of(r, part, "'first'", INT64_MAX, &c->first))
        return false;
    if ((part = yaml_get(n, "file")))
        c->path = part->kind == YAML_WORD ? run_relative(r, part) : NULL;
    return true; /* 'expect' may read all buffers: parse_expects */
}

static bool parse_type(struct run *r, const struct yaml_node *n,
                       struct run_buffer *b) {
    for (int t = 0; n && n->kind == YAML_WORD && element_name(t); t++)
        if (strcmp(element_name(t), n->text) == 0) {
            b->type = (enum element_type)t;
            return true;
        }
    diag_error(r->d, n ? n->at : b->at,
               "buffer '%s' needs a type: u8 i8 u16 i16 u32 i32 u64 i64 f16 "
               "f32 f64",
               b->name);
    return false;
}

static bool parse_align(struct run *r, const struct yaml_node *n,
                        struct run_buffer *b) {
    b->align = 256;
    if (n && !count_of(r, n, "'align'", 1 << 30, &b->align))
        return false;
    if (!b->align || (b->align & (b->align - 1)) != 0) {
        diag_error(r->d, n->at, "'align' must be a power of two");
        return false;
    }
    if (b->align < r->options.align)
        b->align = r->options.align;
    return true;
}

static bool parse_buffer(struct run *r, const struct yaml_node *n, int index) {
    static const char *const keys[] = {"type",  "count",  "fill",  "set",
                                       "align", "symbol", "check", NULL};
    struct run_buffer *b = &r->buffers[index];
    const struct yaml_node *part;
    if (!run_check_keys(r, n, keys, "a buffer"))
        return false;
    if (!parse_type(r, yaml_get(n, "type"), b) ||
        !parse_align(r, yaml_get(n, "align"), b))
        return false;
    if (!(part = yaml_get(n, "count"))) {
        diag_error(r->d, b->at, "buffer '%s' needs a 'count'", b->name);
        return false;
    }
    if (!count_of(r, part, "'count'", (uint64_t)1 << 40, &b->count))
        return false;
    if ((part = yaml_get(n, "symbol")))
        b->symbol = part->text;
    if ((part = yaml_get(n, "fill")) && !parse_fill(r, part, index, &b->fill))
        return false;
    if ((part = yaml_get(n, "set")) && !parse_sets(r, part, index, b))
        return false;
    return !(part = yaml_get(n, "check")) || parse_check(r, part, &b->check);
}

static bool parse_expects(struct run *r, const struct yaml_node *map) {
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_check *c = &r->buffers[i].check;
        const struct yaml_node *check = yaml_get(map->items[i], "check");
        const struct yaml_node *expect =
            check ? yaml_get(check, "expect") : NULL;
        if (expect && !(c->expect = run_expr(r, expect, r->n_buffers)))
            return false;
        if (c->wanted && !c->expect && !c->path && !r->reference) {
            diag_error(r->d, c->at,
                       "buffer '%s' is checked against nothing, expected "
                       "'expect' or 'file' here, or a 'reference'",
                       r->buffers[i].name);
            return false;
        }
    }
    return true;
}

bool run_parse_buffers(struct run *r) {
    const struct yaml_node *map = yaml_get(r->tree, "buffers");
    r->slot_i = run_scalar(r, "i", (struct expr_value){0});
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        diag_error(r->d, map->at, "'buffers' must be a map, found %s",
                   yaml_kind_name(map));
        return false;
    }
    r->buffers = arena_array(&r->arena, (size_t)map->n, sizeof *r->buffers);
    r->arrays = arena_array(&r->arena, (size_t)map->n, sizeof *r->arrays);
    for (int i = 0; i < map->n; i++) {
        struct run_buffer *b = &r->buffers[i];
        b->name = map->keys[i]->text;
        b->at = map->keys[i]->at;
        r->n_buffers = i + 1;
        if (!parse_buffer(r, map->items[i], i))
            return false;
        r->arrays[i] = (struct expr_array){b->name, b->type, b->count, NULL};
    }
    return parse_expects(r, map);
}
