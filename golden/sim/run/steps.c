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

static bool parse_dims(struct run *r, const struct yaml_node *n,
                       const char *what, struct place at,
                       struct expr *dims[3]) {
    if (!n) {
        diag_error(r->d, at, "'%s' is missing, expected one to three integers",
                   what);
        return false;
    }
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
        if (!run_parse_argument(r, n->items[s->n_arguments],
                                &s->kernel->params[s->n_arguments],
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
    s->kernel = run_find_kernel(r, pick(n, "kernel", top->kernel), s->at);
    return s->kernel &&
           parse_dims(r, pick(n, "grid", top->grid), "grid", s->at, s->grid) &&
           parse_dims(r, pick(n, "block", top->block), "block", s->at,
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
    s->buffer = -1;
    for (int i = 0; flag->kind == YAML_WORD && i < r->n_buffers; i++)
        if (strcmp(r->buffers[i].name, flag->text) == 0)
            s->buffer = i;
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
