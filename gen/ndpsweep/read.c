/* read.c - a sweep out of its YAML.
 *
 * Every value of a parameter is tried on a configuration of its own, so that
 * what can never be accepted is told at its place and before anything runs;
 * what only does not go together is for the run to refuse, as a row.
 */
#include "sweep.h"

#include "base/array.h"
#include "base/yaml.h"

#include <string.h>

struct reader {
    struct arena *a;
    struct diag *d;
    struct sweep *s; /* the one that is read */
};

typedef ARRAY(struct sweep_pair) pair_list;
typedef ARRAY(struct sweep_choice) choice_list;

/* --- maps with known keys ------------------------------------------------- */

struct names {
    const char *const *v;
};

static const char *next_name(void *ctx, int i) {
    return ((const struct names *)ctx)->v[i];
}

/* "unknown WHAT 'word', did you mean ..." */
static void unknown(struct reader *r, struct place at, const char *what,
                    const char *word, const char *const *known) {
    struct names n = {known};
    struct text all = {0};
    const char *near = suggest(word, next_name, &n);
    for (int i = 0; known[i]; i++)
        text_printf(&all, "%s%s", i ? ", " : "", known[i]);
    if (near)
        diag_error(r->d, at, "unknown %s '%s', did you mean '%s'", what, word,
                   near);
    else
        diag_error(r->d, at, "unknown %s '%s', expected one of: %s", what, word,
                   text_str(&all));
    text_free(&all);
}

static bool is_one_of(const char *word, const char *const *known) {
    for (int i = 0; known[i]; i++)
        if (strcmp(word, known[i]) == 0)
            return true;
    return false;
}

/* False after an error: no map, or with a key that is not known. */
static bool check_map(struct reader *r, const struct yaml_node *n,
                      const char *what, const char *const *known) {
    if (n->kind != YAML_MAP) {
        diag_error(r->d, n->at, "%s is a map, got %s", what, yaml_kind_name(n));
        return false;
    }
    bool ok = true;
    for (int i = 0; i < n->n; i++)
        if (!is_one_of(n->keys[i]->text, known)) {
            unknown(r, n->keys[i]->at, "key", n->keys[i]->text, known);
            ok = false;
        }
    return ok;
}

/* The word under a key; NULL if there is none or, after an error, no word. */
static const char *word_of(struct reader *r, const struct yaml_node *map,
                           const char *key) {
    const struct yaml_node *n = yaml_get(map, key);
    if (!n)
        return NULL;
    if (n->kind == YAML_WORD && !yaml_empty(n))
        return n->text;
    diag_error(r->d, n->at, "'%s' expects a word, got %s", key,
               yaml_kind_name(n));
    return NULL;
}

/* --- values --------------------------------------------------------------- */

/* As --set takes it: [1, 2] without blanks. */
static void add_value(struct text *out, const struct yaml_node *n) {
    if (n->kind == YAML_WORD) {
        text_add(out, n->text);
        return;
    }
    text_addc(out, '[');
    for (int i = 0; i < n->n; i++) {
        if (i)
            text_addc(out, ',');
        if (n->kind == YAML_LIST)
            add_value(out, n->items[i]);
    }
    text_addc(out, ']');
}

/* Give c the value; what is wrong with it is told at its place. */
static bool assign(struct reader *r, struct config *c,
                   const struct sweep_pair *p, struct place at) {
    struct diag d = {0};
    struct text both = {0};
    text_printf(&both, "%s=%s", p->key, p->value);
    bool ok = strcspn(p->value, " \t\n'\"\\$`") == strlen(p->value);
    if (!ok)
        diag_error(r->d, at, "'%s' has a blank or a quote in '%s'", p->key,
                   p->value);
    else if (!(ok = config_set(c, both.data, &d)))
        diag_error(r->d, at, "%s", d.messages[0].text);
    text_free(&both);
    diag_free(&d);
    return ok;
}

static bool is_measured(const struct sweep *s, const struct measure *m) {
    for (int i = 0; i < s->n_measures; i++)
        if (s->measures[i].kind == m)
            return true;
    return false;
}

/* The measure that "lockstep.run" is an option of, or NULL; *rest: "run". */
static const struct measure *measure_of(const char *key, const char **rest) {
    for (const struct measure *m = measures; m->name; m++) {
        size_t len = strlen(m->name);
        if (strncmp(key, m->name, len) == 0 && key[len] == '.') {
            *rest = key + len + 1;
            return m;
        }
    }
    return NULL;
}

static bool check_option(struct reader *r, const struct measure *m,
                         const char *option, const char *value,
                         struct place at) {
    const struct measure_option *o = measure_option(m, option);
    if (!o) {
        struct measure_option more = {option, MEASURE_WORD, NULL, 0,
                                      0,      NULL,         NULL};
        return measure_value(m, &more, value, at, r->d);
    }
    if (o->type != MEASURE_CHOICES && o->type != MEASURE_WORDS &&
        strcmp(option, "speed") != 0)
        return measure_value(m, o, value, at, r->d);
    diag_error(r->d, at, "'%s.%s' decides on columns and cannot be varied",
               m->name, option);
    return false;
}

/* Whether key can have this value. */
static bool check_pair(struct reader *r, const struct sweep_pair *p,
                       struct place at) {
    struct config c;
    const char *option;
    const struct measure *m = measure_of(p->key, &option);
    if (m)
        return check_option(r, m, option, p->value, at);
    config_defaults(&c);
    return assign(r, &c, p, at);
}

/* Whether a sweep of this target knows the key; else an error. */
static bool check_key(struct reader *r, const char *key, struct place at) {
    const struct param *p = config_find(key);
    const char *option;
    const struct measure *m = measure_of(key, &option);
    if (p && (!r->s->target || iface_uses(r->s->target, p)))
        return true;
    if (p) {
        diag_error(r->d, at, "target '%s' does not use '%s'",
                   r->s->target->name, key);
    } else if (m && !is_measured(r->s, m)) {
        diag_error(r->d, at, "'%s' is an option of '%s', which is not measured",
                   key, m->name);
    } else if (m && !m->more && !measure_option(m, option)) {
        const char *known[MEASURE_OPTIONS + 1] = {NULL};
        for (int i = 0; m->options[i].name; i++)
            known[i] = m->options[i].name;
        unknown(r, at, "option", option, known);
    } else if (m) {
        return true;
    } else {
        /* the message of the configuration has the suggestion */
        struct config c;
        config_defaults(&c);
        assign(r, &c, &(struct sweep_pair){key, "0"}, at);
    }
    return false;
}

/* --- ranges --------------------------------------------------------------- */

static bool range_number(struct reader *r, const struct yaml_node *map,
                         const char *key, long usual, long *out) {
    const struct yaml_node *n = yaml_get(map, key);
    int used = 0;
    *out = usual;
    if (!n)
        return true;
    if (n->kind == YAML_WORD && n->plain && strlen(n->text) < 11 &&
        sscanf(n->text, "%ld%n", out, &used) == 1 && !n->text[used])
        return true;
    diag_error(r->d, n->at, "'%s' of a range expects a whole number, got %s",
               key, n->kind == YAML_WORD ? n->text : yaml_kind_name(n));
    return false;
}

/* The values of {from, to, step or times}. */
static void read_range(struct reader *r, const char *key,
                       const struct yaml_node *n, choice_list *out) {
    static const char *const known[] = {"from", "to", "step", "times", NULL};
    const struct param *p = config_find(key);
    bool powers = p && p->type == PARAM_POW2;
    long from, to, step, times;
    if (!check_map(r, n, "a range", known))
        return;
    if (p && p->type != PARAM_INT && !powers) {
        diag_error(r->d, n->at, "'%s' is no number, expected a list of values",
                   key);
        return;
    }
    if (!yaml_get(n, "from") || !yaml_get(n, "to") ||
        (yaml_get(n, "step") && yaml_get(n, "times"))) {
        diag_error(r->d, n->at,
                   "expected 'from', 'to' and 'step' or 'times', as in {from: "
                   "4, to: 16, step: 4}");
        return;
    }
    if (!range_number(r, n, "from", 0, &from) ||
        !range_number(r, n, "to", 0, &to) ||
        !range_number(r, n, "step", 0, &step) ||
        !range_number(r, n, "times", 0, &times))
        return;
    if (yaml_get(n, "step") ? step < 1 : yaml_get(n, "times") && times < 2) {
        diag_error(r->d, n->at,
                   "a range goes up: expected 'step' from 1, or 'times' from "
                   "2");
        return;
    }
    if (!step && !times && powers)
        times = 2;
    if (from > to || (times && from < 1)) {
        diag_error(r->d, n->at, "a range from %ld to %ld has no values", from,
                   to);
        return;
    }
    for (long v = from; v <= to && out->n <= SWEEP_MOST;
         v = times ? v * times : v + (step ? step : 1)) {
        struct text t = {0};
        text_printf(&t, "%ld", v);
        struct sweep_pair *pair = arena_alloc(r->a, sizeof *pair);
        *pair = (struct sweep_pair){key, arena_strdup(r->a, t.data)};
        text_free(&t);
        if (!check_pair(r, pair, n->at))
            return;
        *array_push(out) = (struct sweep_choice){pair, 1};
    }
}

static bool same_choice(const struct sweep_choice *a,
                        const struct sweep_choice *b) {
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = strcmp(a->pairs[i].key, b->pairs[i].key) == 0 &&
               strcmp(a->pairs[i].value, b->pairs[i].value) == 0;
    return same;
}

static void push_choice(struct reader *r, choice_list *out,
                        struct sweep_choice c, struct place at) {
    for (int i = 0; i < out->n; i++)
        if (same_choice(&out->v[i], &c)) {
            diag_error(r->d, at, "the same choice twice");
            return;
        }
    *array_push(out) = c;
}

static void read_values(struct reader *r, const char *key,
                        const struct yaml_node *n, choice_list *out) {
    if (n->kind == YAML_MAP) {
        read_range(r, key, n, out);
        return;
    }
    if (n->kind != YAML_LIST || n->n == 0) {
        diag_error(r->d, n->at,
                   "'%s' varies over %s, expected a list as in [4, 8] or a "
                   "range as in {from: 4, to: 8}",
                   key, n->kind == YAML_LIST ? "nothing" : yaml_kind_name(n));
        return;
    }
    for (int i = 0; i < n->n && !diag_full(r->d); i++) {
        struct text t = {0};
        add_value(&t, n->items[i]);
        struct sweep_pair *pair = arena_alloc(r->a, sizeof *pair);
        *pair = (struct sweep_pair){key, arena_strdup(r->a, text_str(&t))};
        text_free(&t);
        if (check_pair(r, pair, n->items[i]->at))
            push_choice(r, out, (struct sweep_choice){pair, 1},
                        n->items[i]->at);
    }
}

/* --- parameters ----------------------------------------------------------- */

/* What is done with "mesh.width: ..." */
typedef void take_key(struct reader *r, void *ctx, const char *key,
                      const struct yaml_node *name,
                      const struct yaml_node *value);

/* Each parameter of a map, whether mesh.width: 4 or mesh: {width: 4}. */
static void each_key(struct reader *r, const char *section,
                     const struct yaml_node *map, take_key *take, void *ctx) {
    for (int i = 0; i < map->n && !diag_full(r->d); i++) {
        struct text t = {0};
        text_printf(&t, "%s%s%s", section, *section ? "." : "",
                    map->keys[i]->text);
        const char *key = arena_strdup(r->a, t.data), *option;
        const struct yaml_node *value = map->items[i];
        text_free(&t);
        if (!config_find(key) && !measure_of(key, &option) &&
            value->kind == YAML_MAP && !strchr(key, '.'))
            each_key(r, key, value, take, ctx);
        else if (check_key(r, key, map->keys[i]->at))
            take(r, ctx, key, map->keys[i], value);
    }
}

static void take_fixed(struct reader *r, void *ctx, const char *key,
                       const struct yaml_node *name,
                       const struct yaml_node *value) {
    pair_list *pairs = ctx;
    struct text t = {0};
    (void)name;
    if (value->kind == YAML_MAP || yaml_empty(value)) {
        diag_error(r->d, value->at, "'%s' expects a value, got %s", key,
                   yaml_empty(value) ? "nothing"
                                     : "a map; ranges stand under "
                                       "'vary'");
        return;
    }
    add_value(&t, value);
    struct sweep_pair p = {key, arena_strdup(r->a, text_str(&t))};
    text_free(&t);
    if (check_pair(r, &p, value->at))
        *array_push(pairs) = p;
}

struct axes {
    ARRAY(struct sweep_axis) list;
};

static void take_axis(struct reader *r, void *ctx, const char *key,
                      const struct yaml_node *name,
                      const struct yaml_node *value) {
    struct axes *axes = ctx;
    choice_list choices = {0};
    (void)name;
    read_values(r, key, value, &choices);
    *array_push(&axes->list) =
        (struct sweep_axis){array_keep(&choices, r->a), choices.n};
    array_free(&choices);
}

static void read_cases(struct reader *r, const struct yaml_node *list,
                       struct axes *axes) {
    choice_list choices = {0};
    if (list->kind != YAML_LIST || list->n == 0)
        diag_error(r->d, list->at,
                   "'cases' is a list of maps, as in [{mesh.width: 4, "
                   "mesh.height: 2}]");
    for (int i = 0; list->kind == YAML_LIST && i < list->n; i++) {
        const struct yaml_node *n = list->items[i];
        pair_list pairs = {0};
        if (n->kind != YAML_MAP)
            diag_error(r->d, n->at, "a case is a map of parameters, got %s",
                       yaml_kind_name(n));
        else
            each_key(r, "", n, take_fixed, &pairs);
        push_choice(r, &choices,
                    (struct sweep_choice){array_keep(&pairs, r->a), pairs.n},
                    n->at);
        array_free(&pairs);
    }
    *array_push(&axes->list) =
        (struct sweep_axis){array_keep(&choices, r->a), choices.n};
    array_free(&choices);
}

/* A preset for all, or an axis of them. */
static void read_preset(struct reader *r, const struct yaml_node *n,
                        pair_list *fixed, struct axes *axes) {
    choice_list choices = {0};
    int words = n->kind == YAML_LIST ? n->n : 1;
    for (int i = 0; i < words; i++) {
        const struct yaml_node *w = n->kind == YAML_LIST ? n->items[i] : n;
        struct config c;
        struct diag d = {0};
        struct sweep_pair *pair = arena_alloc(r->a, sizeof *pair);
        *pair = (struct sweep_pair){"preset", w->text};
        if (w->kind != YAML_WORD || yaml_empty(w))
            diag_error(r->d, w->at, "'preset' expects a name, got %s",
                       yaml_kind_name(w));
        else if (!config_preset(&c, w->text, &d))
            diag_error(r->d, w->at, "%s", d.messages[0].text);
        else
            push_choice(r, &choices, (struct sweep_choice){pair, 1}, w->at);
        diag_free(&d);
    }
    if (choices.n == 1)
        *array_push(fixed) = choices.v[0].pairs[0];
    else if (choices.n > 1)
        *array_push(&axes->list) =
            (struct sweep_axis){array_keep(&choices, r->a), choices.n};
    array_free(&choices);
}

/* A key that two places give would have two values. */
static void check_once(struct reader *r, const struct sweep_choice *a,
                       const struct sweep_choice *b) {
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            if (strcmp(a->pairs[i].key, b->pairs[k].key) == 0)
                diag_error(r->d, r->s->at,
                           "'%s' is given twice, expected it under one of "
                           "'set', 'vary' and 'cases'",
                           a->pairs[i].key);
}

static void check_keys(struct reader *r) {
    struct sweep *s = r->s;
    for (int i = 0; i < s->n_axes; i++) {
        if (s->axes[i].n == 0)
            continue;
        check_once(r, &s->fixed, &s->axes[i].choices[0]);
        for (int k = 0; k < i; k++)
            if (s->axes[k].n)
                check_once(r, &s->axes[k].choices[0], &s->axes[i].choices[0]);
    }
}

/* --- measures ------------------------------------------------------------- */

static const char *read_option(struct reader *r, const struct measure *m,
                               const struct measure_option *o,
                               const struct yaml_node *n) {
    struct text t = {0};
    bool list = o->type == MEASURE_CHOICES || o->type == MEASURE_WORDS;
    int words = list && n->kind == YAML_LIST ? n->n : 1;
    for (int i = 0; i < words; i++) {
        const struct yaml_node *w =
            list && n->kind == YAML_LIST ? n->items[i] : n;
        if (w->kind != YAML_WORD || yaml_empty(w))
            diag_error(r->d, w->at, "'%s.%s' expects %s, got %s", m->name,
                       o->name, list ? "a list of words" : "a word",
                       yaml_kind_name(w));
        else if (measure_value(m, o, w->text, w->at, r->d))
            text_printf(&t, "%s%s", i ? " " : "", w->text);
    }
    const char *value = arena_strdup(r->a, text_str(&t));
    text_free(&t);
    return value;
}

static void read_measure(struct reader *r, const struct measure *m,
                         const struct yaml_node *n, struct sweep_measure *out) {
    const char *known[MEASURE_OPTIONS + 1] = {NULL};
    *out = (struct sweep_measure){.kind = m};
    for (int i = 0; m->options[i].name; i++) {
        known[i] = m->options[i].name;
        out->values[i] = m->options[i].usual;
    }
    if (!n || yaml_empty(n))
        return;
    if (n->kind != YAML_MAP) {
        diag_error(r->d, n->at, "'%s' has a map of options, got %s", m->name,
                   yaml_kind_name(n));
        return;
    }
    for (int i = 0; i < n->n; i++) {
        const struct measure_option *o = measure_option(m, n->keys[i]->text);
        if (o)
            out->values[o - m->options] = read_option(r, m, o, n->items[i]);
        else if (m->more)
            diag_error(r->d, n->keys[i]->at,
                       "'%s' is no option of a sweep; one of ndpsim stands "
                       "under 'set' or 'vary' as %s.%s",
                       n->keys[i]->text, m->name, n->keys[i]->text);
        else if (known[0])
            unknown(r, n->keys[i]->at, "option", n->keys[i]->text, known);
        else
            diag_error(r->d, n->keys[i]->at, "'%s' has no options", m->name);
    }
}

/* measure: [emitted, area] or {emitted: , area: {flows: [gates]}} */
static void read_measures(struct reader *r, const struct yaml_node *n) {
    ARRAY(struct sweep_measure) list = {0};
    const char *known[16] = {NULL};
    for (int i = 0; measures[i].name; i++)
        known[i] = measures[i].name;
    if (n->kind == YAML_WORD || n->n == 0)
        diag_error(r->d, n->at,
                   "'measure' lists what to measure, as in [emitted, area]");
    for (int i = 0; n->kind != YAML_WORD && i < n->n; i++) {
        bool map = n->kind == YAML_MAP;
        const struct yaml_node *name = map ? n->keys[i] : n->items[i];
        const struct measure *m =
            name->kind == YAML_WORD ? measure_find(name->text) : NULL;
        bool twice = false;
        for (int k = 0; m && k < list.n; k++)
            twice = twice || list.v[k].kind == m;
        if (name->kind != YAML_WORD)
            diag_error(r->d, name->at, "expected the name of a measure, got %s",
                       yaml_kind_name(name));
        else if (!m)
            unknown(r, name->at, "measure", name->text, known);
        else if (twice)
            diag_error(r->d, name->at, "'%s' is given twice", name->text);
        else
            read_measure(r, m, map ? n->items[i] : NULL, array_push(&list));
    }
    r->s->measures = array_keep(&list, r->a);
    r->s->n_measures = list.n;
    array_free(&list);
}

/* What a kernel needs: a description, and a machine of this target. */
static void check_kernel(struct reader *r, const struct yaml_node *at) {
    const char **keys;
    int n = sweep_keys(r->a, r->s, &keys);
    for (int i = 0; i < r->s->n_measures; i++) {
        const struct sweep_measure *m = &r->s->measures[i];
        if (strcmp(m->kind->name, "kernel") != 0)
            continue;
        bool run = m->values[0] != NULL, on = false;
        for (int k = 0; k < n; k++) {
            run = run || strcmp(keys[k], "kernel.run") == 0;
            on = on || strcmp(keys[k], "kernel.on") == 0;
        }
        if (!run)
            diag_error(r->d, at->at,
                       "'kernel' needs a run description, as in {run: "
                       "kernels/axpy/axpy.yml}");
        if (!on && strcmp(m->values[2], "machine") == 0 && r->s->target &&
            strcmp(r->s->target->name, "system") != 0)
            diag_error(r->d, at->at,
                       "target '%s' is no machine that runs kernels, expected "
                       "target 'system', or 'on: tom' or 'on: image'",
                       r->s->target->name);
    }
}

/* --- plots ---------------------------------------------------------------- */

static const char *read_column(struct reader *r, const struct yaml_node *map,
                               const char *key, const char *const *columns) {
    const char *word = word_of(r, map, key);
    if (!word || is_one_of(word, columns))
        return word;
    unknown(r, yaml_get(map, key)->at, "column", word, columns);
    return NULL;
}

/* where: {nbu.policy: near} */
static const char *read_where(struct reader *r, const struct yaml_node *n,
                              const char *const *columns) {
    struct text t = {0};
    if (n && n->kind != YAML_MAP)
        diag_error(r->d, n->at,
                   "'where' is a map of columns and values, got %s",
                   yaml_kind_name(n));
    for (int i = 0; n && n->kind == YAML_MAP && i < n->n; i++) {
        const struct yaml_node *key = n->keys[i], *value = n->items[i];
        if (!is_one_of(key->text, columns))
            unknown(r, key->at, "column", key->text, columns);
        else if (value->kind != YAML_WORD || strpbrk(value->text, "\t\n\\"))
            diag_error(r->d, value->at, "'%s' expects one value", key->text);
        else
            text_printf(&t, "%s%s=%s", t.len ? "\t" : "", key->text,
                        value->text);
    }
    const char *where = arena_strdup(r->a, text_str(&t));
    text_free(&t);
    return where;
}

static void read_plot(struct reader *r, const struct yaml_node *n,
                      const char *const *columns, struct sweep_plot *out) {
    static const char *const known[] = {"x",     "y",     "by", "log",
                                        "where", "front", NULL};
    const struct yaml_node *front = yaml_get(n, "front");
    const struct yaml_node *log = yaml_get(n, "log");
    *out = (struct sweep_plot){.where = ""};
    if (!check_map(r, n, "a plot", known))
        return;
    if (!yaml_get(n, "x") || !yaml_get(n, "y"))
        diag_error(r->d, n->at,
                   "a plot needs 'x' and 'y', as in {x: mesh.width, y: "
                   "gates_logic}");
    out->x = read_column(r, n, "x", columns);
    out->y = read_column(r, n, "y", columns);
    out->by = read_column(r, n, "by", columns);
    out->where = read_where(r, yaml_get(n, "where"), columns);
    out->front =
        front && front->kind == YAML_WORD && strcmp(front->text, "true") == 0;
    if (front && !out->front)
        diag_error(r->d, front->at, "'front' is there or not, expected true");
    int words = !log ? 0 : log->kind == YAML_LIST ? log->n : 1;
    for (int i = 0; i < words; i++) {
        const struct yaml_node *w =
            log->kind == YAML_LIST ? log->items[i] : log;
        bool x = w->kind == YAML_WORD && strcmp(w->text, "x") == 0;
        bool y = w->kind == YAML_WORD && strcmp(w->text, "y") == 0;
        out->log_x = out->log_x || x;
        out->log_y = out->log_y || y;
        if (!x && !y)
            diag_error(r->d, w->at, "'log' lists axes, expected x or y");
    }
}

/* Parameters and what is measured: what a plot can show. */
static const char *const *all_columns(struct reader *r, int *n_keys) {
    ARRAY(const char *) list = {0};
    const char **keys;
    *n_keys = sweep_keys(r->a, r->s, &keys);
    for (int i = 0; i < *n_keys; i++)
        *array_push(&list) = keys[i];
    for (int i = 0; i < r->s->n_measures; i++) {
        struct text t = {0};
        measure_columns(r->s->measures[i].kind, r->s->measures[i].values, &t);
        for (char *c = strtok(t.data, "\n"); c; c = strtok(NULL, "\n"))
            *array_push(&list) = arena_strdup(r->a, c);
        text_free(&t);
    }
    *array_push(&list) = NULL;
    const char *const *all = array_keep(&list, r->a);
    array_free(&list);
    return all;
}

/* Of each measure over what varies first, by what varies next. */
static void usual_plots(struct reader *r) {
    struct sweep *s = r->s;
    const char *by[2] = {NULL, NULL};
    int n = 0;
    for (int i = 0; i < s->n_axes && n < 2; i++)
        if (s->axes[i].n && s->axes[i].choices[0].n)
            by[n++] = s->axes[i].choices[0].pairs[0].key;
    if (!by[0])
        return;
    s->plots = arena_array(r->a, (size_t)s->n_measures, sizeof *s->plots);
    for (int i = 0; i < s->n_measures; i++) {
        struct text t = {0};
        measure_main_column(s->measures[i].kind, s->measures[i].values, &t);
        s->plots[s->n_plots++] =
            (struct sweep_plot){.x = by[0],
                                .y = arena_strdup(r->a, text_str(&t)),
                                .by = by[1],
                                .where = ""};
        text_free(&t);
    }
}

static void read_plots(struct reader *r, const struct yaml_node *n) {
    int n_keys;
    const char *const *columns = all_columns(r, &n_keys);
    if (!n) {
        usual_plots(r);
        return;
    }
    if (n->kind != YAML_LIST) {
        diag_error(r->d, n->at,
                   "'plots' is a list, as in [{x: mesh.width, y: "
                   "gates_logic}], got %s",
                   yaml_kind_name(n));
        return;
    }
    r->s->plots = arena_array(r->a, (size_t)n->n, sizeof *r->s->plots);
    r->s->n_plots = n->n;
    for (int i = 0; i < n->n; i++)
        read_plot(r, n->items[i], columns, &r->s->plots[i]);
}

/* --- the sweep ------------------------------------------------------------ */

static void read_target(struct reader *r, const struct yaml_node *map) {
    const char *word = word_of(r, map, "target");
    const char *known[256] = {NULL};
    for (int i = 0; i < 255 && iface_at(i); i++)
        known[i] = iface_at(i)->name;
    if (word && !(r->s->target = iface_find(word)))
        unknown(r, yaml_get(map, "target")->at, "target", word, known);
    else if (!yaml_get(map, "target"))
        diag_error(r->d, map->at,
                   "no target, expected one as in 'target: "
                   "emn'");
    r->s->name = word;
}

static void read_name(struct reader *r, const struct yaml_node *map) {
    const char *word = word_of(r, map, "name");
    if (!word)
        return;
    r->s->name = word;
    if (strlen(word) > 40 ||
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_") != strlen(word))
        diag_error(r->d, yaml_get(map, "name")->at,
                   "'%s' names folders, expected at most 40 letters, digits "
                   "and '_'",
                   word);
}

static void read_parameters(struct reader *r, const struct yaml_node *map) {
    static const char *const parts[] = {"set", "vary"};
    pair_list fixed = {0};
    struct axes axes = {{0}};
    if (yaml_get(map, "preset"))
        read_preset(r, yaml_get(map, "preset"), &fixed, &axes);
    else if (r->s->target)
        *array_push(&fixed) =
            (struct sweep_pair){"preset", r->s->target->preset};
    for (int i = 0; i < 2; i++) {
        const struct yaml_node *n = yaml_get(map, parts[i]);
        if (n && n->kind == YAML_MAP)
            each_key(r, "", n, i ? take_axis : take_fixed,
                     i ? (void *)&axes : (void *)&fixed);
        else if (n && !yaml_empty(n))
            diag_error(r->d, n->at, "'%s' is a map of parameters, got %s",
                       parts[i], yaml_kind_name(n));
    }
    if (yaml_get(map, "cases"))
        read_cases(r, yaml_get(map, "cases"), &axes);
    r->s->fixed = (struct sweep_choice){array_keep(&fixed, r->a), fixed.n};
    r->s->axes = array_keep(&axes.list, r->a);
    r->s->n_axes = axes.list.n;
    array_free(&fixed);
    array_free(&axes.list);
    check_keys(r);
}

static void read_sweep(struct reader *r, const struct yaml_node *map) {
    static const char *const known[] = {"name",    "target", "preset",
                                        "set",     "vary",   "cases",
                                        "measure", "plots",  NULL};
    r->s->at = map->at;
    if (!check_map(r, map, "a sweep", known))
        return;
    read_target(r, map);
    read_name(r, map);
    if (yaml_get(map, "measure"))
        read_measures(r, yaml_get(map, "measure"));
    else
        diag_error(r->d, map->at,
                   "no measure, expected some as in 'measure: "
                   "[emitted, area]'");
    read_parameters(r, map);
    if (r->d->errors)
        return;
    check_kernel(r, yaml_get(map, "measure"));
    read_plots(r, yaml_get(map, "plots"));
    if (sweep_count(r->s) > SWEEP_MOST)
        diag_error(r->d, map->at, "more than %d configurations", SWEEP_MOST);
}

bool sweep_read(struct arena *a, const struct source *src,
                struct sweep_file *out, struct diag *d) {
    struct reader r = {.a = a, .d = d};
    const struct yaml_node *root =
        yaml_read(a, src, YAML_NO_EXTRAS | YAML_KEYED, d);
    if (!root || d->errors)
        return false;
    bool list = root->kind == YAML_LIST && root->n;
    out->n = list ? root->n : 1;
    out->sweeps = arena_array(a, (size_t)out->n, sizeof *out->sweeps);
    for (int i = 0; i < out->n && !diag_full(d); i++) {
        r.s = &out->sweeps[i];
        read_sweep(&r, list ? root->items[i] : root);
        for (int k = 0; k < i && r.s->name; k++)
            if (out->sweeps[k].name &&
                strcmp(out->sweeps[k].name, r.s->name) == 0)
                diag_error(d, r.s->at,
                           "two sweeps are called '%s', expected a 'name' in "
                           "one of them",
                           r.s->name);
    }
    return d->errors == 0;
}

/* --- what can be asked of a sweep ----------------------------------------- */

static int add_keys(const struct sweep_choice *c, const char **keys, int n) {
    for (int i = 0; i < c->n; i++) {
        int k = 0;
        while (k < n && strcmp(keys[k], c->pairs[i].key) != 0)
            k++;
        if (k == n)
            keys[n++] = c->pairs[i].key;
    }
    return n;
}

int sweep_keys(struct arena *a, const struct sweep *s, const char ***keys) {
    size_t most = (size_t)s->fixed.n + 1;
    for (int i = 0; i < s->n_axes; i++)
        for (int k = 0; k < s->axes[i].n; k++)
            most += (size_t)s->axes[i].choices[k].n;
    *keys = arena_array(a, most, sizeof **keys);
    int n = add_keys(&s->fixed, *keys, 0);
    for (int i = 0; i < s->n_axes; i++)
        for (int k = 0; k < s->axes[i].n; k++)
            n = add_keys(&s->axes[i].choices[k], *keys, n);
    return n;
}

long sweep_count(const struct sweep *s) {
    long n = 1;
    for (int i = 0; i < s->n_axes; i++) {
        n *= s->axes[i].n;
        if (n > SWEEP_MOST)
            return SWEEP_MOST + 1;
    }
    return n;
}
