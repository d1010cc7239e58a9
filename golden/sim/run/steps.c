/* steps.c - launches of a run description, and the loops around them. */
#include "state.h"

#include <string.h>

/* What a launch takes from the top level when it lacks it. */
struct defaults {
    const struct yaml_node *kernel, *grid, *block, *shared, *arguments;
};

static const struct yaml_node *pick(const struct yaml_node *map,
                                    const char *key,
                                    const struct yaml_node *otherwise) {
    const struct yaml_node *n = map ? yaml_get(map, key) : NULL;
    return n ? n : otherwise;
}

static const char *kernel_name(void *ctx, int i) {
    const struct ptx_module *m = ctx;
    for (int k = 0; k < m->n_functions; k++)
        if (m->functions[k]->is_entry && m->functions[k]->has_body && i-- == 0)
            return m->functions[k]->name;
    return NULL;
}

static const struct ptx_function *
find_kernel(struct run *r, const struct yaml_node *n, struct place at) {
    const struct ptx_module *m = r->module;
    const struct ptx_function *only = NULL;
    int count = 0;
    for (int i = 0; i < m->n_functions; i++) {
        const struct ptx_function *f = m->functions[i];
        if (!f->is_entry || !f->has_body)
            continue;
        if (n && n->kind == YAML_WORD && strcmp(f->name, n->text) == 0)
            return f;
        only = f;
        count++;
    }
    if (!n && count == 1)
        return only;
    if (!n || n->kind != YAML_WORD) {
        diag_error(r->d, at, "'kernel' is missing: '%s' has %d entries",
                   r->ptx_path, count);
        return NULL;
    }
    const char *near = suggest(n->text, kernel_name, (void *)r->module);
    if (!near)
        near = only ? only->name : "-";
    diag_error(r->d, n->at, "no kernel '%s' in '%s', which has '%s'", n->text,
               r->ptx_path, near);
    return NULL;
}

static bool parse_dims(struct run *r, const struct yaml_node *n,
                       const char *what, struct place *at,
                       struct expr *dims[3]) {
    if (!n) {
        diag_error(r->d, *at, "'%s' is missing, expected one to three integers",
                   what);
        return false;
    }
    *at = n->at;
    if (n->kind == YAML_WORD)
        return (dims[0] = run_expr(r, n, 0)) != NULL;
    if (n->kind != YAML_LIST || n->n < 1 || n->n > 3) {
        diag_error(r->d, n->at, "'%s' must be one to three integers", what);
        return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!(dims[i] = run_expr(r, n->items[i], 0)))
            return false;
    return true;
}

/* ------------------------------------------------------------- arguments */

static int find_buffer(const struct run *r, const char *name, size_t len) {
    for (int i = 0; i < r->n_buffers; i++)
        if (strlen(r->buffers[i].name) == len &&
            memcmp(r->buffers[i].name, name, len) == 0)
            return i;
    return -1;
}

/* name, or name[element] to the end of the text. */
static bool parse_buffer_argument(struct run *r, const struct yaml_node *n,
                                  struct run_argument *a) {
    size_t len = strlen(n->text), name = strcspn(n->text, " [");
    struct yaml_node element = *n;
    a->buffer = find_buffer(r, n->text, name);
    if (a->buffer < 0)
        return false;
    if (name == len)
        return true;
    int depth = 0;
    size_t open = name + strspn(n->text + name, " ");
    for (size_t i = open; i < len; i++) {
        depth += (n->text[i] == '[') - (n->text[i] == ']');
        if (depth == 0 && i + 1 < len)
            return false; /* name[i] + something: a value */
    }
    if (n->text[open] != '[' || depth != 0)
        return false;
    element.text = arena_strndup(&r->arena, n->text + open + 1, len - open - 2);
    a->expr = run_expr(r, &element, 0);
    return true;
}

static bool parse_argument(struct run *r, const struct yaml_node *n,
                           struct run_argument *a) {
    a->at = n->at;
    if (n->kind == YAML_WORD && parse_buffer_argument(r, n, a)) {
        const struct run_buffer *b = &r->buffers[a->buffer];
        a->kind = ARGUMENT_BUFFER;
        if (b->symbol)
            diag_error(r->d, n->at,
                       "buffer '%s' is variable '%s' of the PTX, it cannot "
                       "be an argument",
                       b->name, b->symbol);
        return !b->symbol && !(strchr(n->text, '[') && !a->expr);
    }
    a->kind = ARGUMENT_VALUE;
    a->expr = run_expr(r, n, 0);
    return a->expr != NULL;
}

static bool parse_arguments(struct run *r, const struct yaml_node *n,
                            struct run_step *s) {
    int want = s->kernel->n_params, have = n ? n->n : 0;
    if (n && n->kind != YAML_LIST) {
        diag_error(r->d, n->at, "'arguments' must be a list, found %s",
                   yaml_kind_name(n));
        return false;
    }
    if (have != want) {
        diag_error(r->d, n ? n->at : s->at,
                   "kernel '%s' has %d parameter%s, found %d argument%s",
                   s->kernel->name, want, want == 1 ? "" : "s", have,
                   have == 1 ? "" : "s");
        return false;
    }
    s->arguments = arena_array(&r->arena, (size_t)have, sizeof *s->arguments);
    for (s->n_arguments = 0; s->n_arguments < have; s->n_arguments++)
        if (!parse_argument(r, n->items[s->n_arguments],
                            &s->arguments[s->n_arguments]))
            return false;
    return true;
}

/* ----------------------------------------------------------------- steps */

static bool parse_steps(struct run *r, const struct yaml_node *list,
                        const struct defaults *top, int depth,
                        struct run_step **steps, int *n);

static bool parse_launch(struct run *r, const struct yaml_node *n,
                         const struct defaults *top, struct run_step *s) {
    static const char *const keys[] = {"kernel", "grid",      "block",
                                       "shared", "arguments", NULL};
    const struct yaml_node *shared = pick(n, "shared", top->shared);
    if (n && !run_check_keys(r, n, keys, "a launch"))
        return false;
    s->kind = STEP_LAUNCH;
    s->grid_at = s->block_at = s->at;
    s->kernel = find_kernel(r, pick(n, "kernel", top->kernel), s->at);
    return s->kernel &&
           parse_dims(r, pick(n, "grid", top->grid), "grid", &s->grid_at,
                      s->grid) &&
           parse_dims(r, pick(n, "block", top->block), "block", &s->block_at,
                      s->block) &&
           (!shared || (s->shared = run_expr(r, shared, 0))) &&
           parse_arguments(r, pick(n, "arguments", top->arguments), s);
}

/* for: {d: [from, to, step]} */
static bool parse_for(struct run *r, const struct yaml_node *n,
                      const struct yaml_node *range, const struct defaults *top,
                      int depth, struct run_step *s) {
    static const char *const keys[] = {"for", "launches", NULL};
    if (!run_check_keys(r, n, keys, "a loop"))
        return false;
    if (range->kind != YAML_MAP || range->n != 1 ||
        range->items[0]->kind != YAML_LIST || range->items[0]->n < 2 ||
        range->items[0]->n > 3) {
        diag_error(r->d, range->at,
                   "expected {name: [first, last]} or {name: [first, last, "
                   "step]}");
        return false;
    }
    const struct yaml_node *list = range->items[0];
    s->kind = STEP_FOR;
    s->from = run_expr(r, list->items[0], 0);
    s->to = run_expr(r, list->items[1], 0);
    s->by = list->n > 2 ? run_expr(r, list->items[2], 0) : NULL;
    if (!s->from || !s->to || (list->n > 2 && !s->by))
        return false;
    s->variable = run_scalar(r, range->keys[0]->text, (struct expr_value){0});
    bool ok = parse_steps(r, yaml_get(n, "launches"), top, depth + 1, &s->steps,
                          &s->n_steps);
    r->names.v[s->variable] = ""; /* out of scope; its slot stays */
    return ok;
}

static bool parse_while(struct run *r, const struct yaml_node *n,
                        const struct yaml_node *flag,
                        const struct defaults *top, int depth,
                        struct run_step *s) {
    static const char *const keys[] = {"while", "limit", "launches", NULL};
    const struct yaml_node *limit = yaml_get(n, "limit");
    if (!run_check_keys(r, n, keys, "a loop"))
        return false;
    s->kind = STEP_WHILE;
    s->buffer = flag->kind == YAML_WORD
                    ? find_buffer(r, flag->text, strlen(flag->text))
                    : -1;
    if (s->buffer < 0 || r->buffers[s->buffer].count != 1) {
        diag_error(r->d, flag->at, "'while' must name a buffer of one element");
        return false;
    }
    if (!limit) {
        diag_error(r->d, s->at, "'while' needs a 'limit' of rounds");
        return false;
    }
    s->limit = run_expr(r, limit, 0);
    return s->limit && parse_steps(r, yaml_get(n, "launches"), top, depth + 1,
                                   &s->steps, &s->n_steps);
}

static bool parse_steps(struct run *r, const struct yaml_node *list,
                        const struct defaults *top, int depth,
                        struct run_step **steps, int *n) {
    if (!list || list->kind != YAML_LIST || list->n == 0) {
        diag_error(r->d, list ? list->at : (struct place){r->source, 0, 0, 0},
                   "'launches' must be a list with something in it");
        return false;
    }
    if (depth >= RUN_MAX_NESTING) {
        diag_error(r->d, list->at, "loops are nested deeper than %d",
                   RUN_MAX_NESTING);
        return false;
    }
    *steps = arena_array(&r->arena, (size_t)list->n, sizeof **steps);
    for (*n = 0; *n < list->n; (*n)++) {
        const struct yaml_node *item = list->items[*n], *loop;
        struct run_step *s = &(*steps)[*n];
        bool ok;
        s->at = item->at;
        if (item->kind != YAML_MAP) {
            diag_error(r->d, item->at, "a launch must be a map, found %s",
                       yaml_kind_name(item));
            return false;
        }
        if ((loop = yaml_get(item, "for")))
            ok = parse_for(r, item, loop, top, depth, s);
        else if ((loop = yaml_get(item, "while")))
            ok = parse_while(r, item, loop, top, depth, s);
        else
            ok = parse_launch(r, item, top, s);
        if (!ok)
            return false;
    }
    return true;
}

bool run_parse_steps(struct run *r) {
    const struct yaml_node *t = r->tree, *list = yaml_get(t, "launches");
    struct defaults top = {yaml_get(t, "kernel"), yaml_get(t, "grid"),
                           yaml_get(t, "block"), yaml_get(t, "shared"),
                           yaml_get(t, "arguments")};
    if (list)
        return parse_steps(r, list, &top, 0, &r->steps, &r->n_steps);
    r->steps = arena_alloc(&r->arena, sizeof *r->steps);
    r->n_steps = 1;
    r->steps->at = (struct place){r->source, 0, 0, 0};
    return parse_launch(r, NULL, &top, r->steps);
}
