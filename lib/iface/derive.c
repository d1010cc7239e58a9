/* derive.c - see derive.h. */
#include "derive.h"

#include <ctype.h>
#include <string.h>

enum { MOST_OWNERS = 64, MOST_DERIVED = 256, MOST_SOURCES = 32, ROUNDS = 16 };

/* A derived key of a target. */
struct flow {
    const struct param *p;
    const struct iface *owner; /* whose declaration says so */
    int n;                     /* which of its derived */
};

/* All derived keys of a target, the outer declarations first. */
struct flows {
    const struct iface *owners[MOST_OWNERS];
    int n_owners, n;
    struct flow v[MOST_DERIVED];
};

static const struct flow *find_flow(const struct flows *f,
                                    const struct param *p) {
    for (int i = 0; i < f->n; i++)
        if (f->v[i].p == p)
            return &f->v[i];
    return NULL;
}

static bool add_owner(struct flows *f, const struct iface *b) {
    for (int i = 0; i < f->n_owners; i++)
        if (f->owners[i] == b)
            return false;
    if (f->n_owners == MOST_OWNERS)
        BUG("'%s' is one of too many parts", b->name);
    f->owners[f->n_owners++] = b;
    return true;
}

static void collect(struct flows *f, const struct iface *b) {
    if (!add_owner(f, b))
        return;
    for (int i = 0; i < b->n_derived; i++) {
        const struct param *p = config_find(b->derived[i].key);
        if (!p || p->type == PARAM_LIST || p->type == PARAM_MASKS)
            BUG("'%s' cannot compute '%s'", b->name, b->derived[i].key);
        if (find_flow(f, p))
            continue;
        if (f->n == MOST_DERIVED)
            BUG("'%s' computes too many keys", b->name);
        f->v[f->n++] = (struct flow){p, b, i};
    }
    for (int i = 0; b->contains[i]; i++)
        collect(f, b->contains[i]);
}

static bool in_range(const struct param *p, int64_t v) {
    if (p->type == PARAM_POW2 && (v & (v - 1)) != 0)
        return false;
    if (p->type == PARAM_INT || p->type == PARAM_POW2)
        return v >= p->min && v <= p->max;
    return v >= 0 && v <= UINT32_MAX;
}

/* The value of each derived key, as the parameters stand. */
static void compute(const struct flows *f, const struct config *c,
                    int64_t *value) {
    for (int i = 0; i < f->n_owners; i++) {
        int64_t own[MOST_DERIVED];
        if (f->owners[i]->n_derived == 0)
            continue;
        f->owners[i]->derive(c, own);
        for (int k = 0; k < f->n; k++)
            if (f->v[k].owner == f->owners[i])
                value[k] = own[f->v[k].n];
    }
}

static int *field(struct config *c, const struct param *p) {
    return (int *)(void *)((char *)c + p->offset);
}

static void settle(const struct flows *f, struct config *c) {
    int64_t value[MOST_DERIVED];
    bool moved = f->n > 0;
    for (int round = 0; moved; round++) {
        if (round == ROUNDS)
            BUG("the sizes of '%s' do not settle", f->owners[0]->name);
        compute(f, c, value);
        moved = false;
        for (int i = 0; i < f->n; i++) {
            int *at = field(c, f->v[i].p), v = (int)(uint32_t)value[i];
            if (!in_range(f->v[i].p, value[i]) || *at == v)
                continue;
            *at = v;
            moved = true;
        }
    }
}

void iface_derive(const struct iface *b, struct config *c) {
    struct flows f = {0};
    collect(&f, b);
    settle(&f, c);
}

bool iface_derives(const struct iface *b, const struct param *p) {
    struct flows f = {0};
    collect(&f, b);
    return find_flow(&f, p) != NULL;
}

/* --- where a value comes from --------------------------------------------- */

struct sources {
    const struct flows *flows;
    const struct param *v[MOST_SOURCES];
    int n;
    int depth;
};

static void add_text(struct sources *s, const struct iface *owner,
                     const char *text, const char *group);

static void add_source(struct sources *s, const struct param *p) {
    const struct flow *f = find_flow(s->flows, p);
    if (f) {
        add_text(s, f->owner, f->owner->derived[f->n].text, f->owner->name);
        return;
    }
    for (int i = 0; i < s->n; i++)
        if (s->v[i] == p)
            return;
    if (s->n < MOST_SOURCES)
        s->v[s->n++] = p;
}

/* The parameter whose field is name, "share_id_bits", or with a group before
 * it "id_bits"; name has n bytes. */
static const struct param *param_of_field(const char *group, const char *name,
                                          size_t n) {
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++) {
        size_t len = strlen(p->group);
        const char *last = p->key + len + 1;
        if (strlen(last) > n ||
            strncmp(last, name + n - strlen(last), strlen(last)) != 0)
            continue;
        if (group ? strlen(last) == n && strcmp(group, p->group) == 0
                  : n == strlen(p->key) && name[len] == '_' &&
                        strncmp(name, p->group, len) == 0)
            return p;
    }
    return NULL;
}

static void add_local(struct sources *s, const struct iface *owner,
                      const char *name, size_t n) {
    for (int i = 0; i < owner->n_locals; i++)
        if (strlen(owner->locals[i].name) == n &&
            strncmp(owner->locals[i].name, name, n) == 0)
            add_text(s, owner, owner->locals[i].text, owner->local_groups[i]);
}

/* NAME_local(cfg).SIZE: a size of a part; returns what is behind it. */
static const char *add_size_of(struct sources *s, const char *word, size_t n,
                               const char *behind) {
    static const char suffix[] = "_local", call[] = "(cfg).";
    size_t len = strlen(suffix), skip = strlen(call);
    const struct iface *b;
    if (n <= len || strncmp(word + n - len, suffix, len) != 0 ||
        strncmp(behind, call, skip) != 0)
        return behind;
    behind += skip;
    size_t size = 0;
    while (isalnum((unsigned char)behind[size]) || behind[size] == '_')
        size++;
    for (int i = 0; (b = iface_at(i)); i++)
        if (strlen(b->name) == n - len && strncmp(b->name, word, n - len) == 0)
            add_local(s, b, behind, size);
    return behind + size;
}

/* Add what an expression of owner uses: P(field), sizes of its own or of a
 * part.  group: whose parameters P(OWNER_FIELD(param)) means. */
static void add_text(struct sources *s, const struct iface *owner,
                     const char *text, const char *group) {
    if (s->depth == ROUNDS)
        return;
    s->depth++;
    bool own = false; /* the word before was OWNER_FIELD */
    while (*text) {
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
        if (n == 0) {
            text++;
            continue;
        }
        const char *word = text;
        const struct param *p = param_of_field(own ? group : NULL, word, n);
        text += n;
        if (p)
            add_source(s, p);
        else
            add_local(s, owner, word, n);
        text = add_size_of(s, word, n, text);
        own =
            n == strlen("OWNER_FIELD") && strncmp(word, "OWNER_FIELD", n) == 0;
    }
    s->depth--;
}

void iface_each_source(const struct iface *b, const struct param *p,
                       void (*each)(void *ctx, const struct param *source),
                       void *ctx) {
    struct flows f = {0};
    collect(&f, b);
    struct sources s = {.flows = &f};
    if (find_flow(&f, p))
        add_source(&s, p);
    for (int i = 0; i < s.n; i++)
        each(ctx, s.v[i]);
}

struct listed {
    const char *keys[MOST_SOURCES];
    int n;
};

static void list_key(void *ctx, const struct param *source) {
    struct listed *l = ctx;
    l->keys[l->n++] = source->key;
}

void iface_sources(const struct iface *b, const struct param *p,
                   struct text *out) {
    struct listed l = {0};
    iface_each_source(b, p, list_key, &l);
    for (int i = 0; i < l.n; i++)
        text_printf(out, "%s'%s'",
                    i == 0         ? ""
                    : i == l.n - 1 ? " and "
                                   : ", ",
                    l.keys[i]);
}

void iface_describe_derived(const struct iface *b, const struct param *p,
                            struct text *out) {
    struct text from = {0};
    iface_sources(b, p, &from);
    text_add(out, from.len ? "computed from " : "fixed");
    text_add(out, text_str(&from));
    text_free(&from);
}

/* --- what is wrong -------------------------------------------------------- */

void iface_refuse_derived(const struct iface *b, const struct param *p,
                          const struct config *given,
                          const struct config *computed, struct place at,
                          struct diag *d) {
    struct text got = {0}, value = {0}, from = {0};
    config_value(given, p, &got);
    config_value(computed, p, &value);
    iface_sources(b, p, &from);
    if (from.len)
        diag_error(d, at,
                   "'%s' is computed from %s in target '%s' and must be %s, "
                   "got %s; set %s instead",
                   p->key, text_str(&from), b->name, text_str(&value),
                   text_str(&got), text_str(&from));
    else
        diag_error(d, at, "'%s' must be %s in target '%s', got %s", p->key,
                   text_str(&value), b->name, text_str(&got));
    text_free(&got);
    text_free(&value);
    text_free(&from);
}

static void out_of_range(const struct iface *b, const struct param *p,
                         int64_t value, struct diag *d) {
    struct text from = {0};
    iface_sources(b, p, &from);
    config_error(d, "'%s' would be %lld by %s, expected %s%d to %d %s", p->key,
                 (long long)value, text_str(&from),
                 p->type == PARAM_POW2 ? "a power of two from " : "", p->min,
                 p->max, p->unit ? p->unit : "");
    text_free(&from);
}

bool iface_check_derived(const struct iface *b, const struct config *c,
                         struct diag *d) {
    struct flows f = {0};
    int64_t value[MOST_DERIVED];
    struct config computed = *c;
    int before = d->errors;
    collect(&f, b);
    settle(&f, &computed);
    compute(&f, &computed, value);
    for (int i = 0; i < f.n; i++)
        if (!in_range(f.v[i].p, value[i]))
            out_of_range(b, f.v[i].p, value[i], d);
        else if (*field(&computed, f.v[i].p) !=
                 *(const int *)(const void *)((const char *)c +
                                              f.v[i].p->offset))
            iface_refuse_derived(b, f.v[i].p, c, &computed, (struct place){0},
                                 d);
    return d->errors == before;
}
