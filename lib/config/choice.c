/* choice.c - see choice.h. */
#include "choice.h"

#include "iface/derive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct place nowhere;

bool choice_take(struct config_choice *c, const char *name, const char *value,
                 struct diag *d) {
    if (strcmp(name, "set") == 0) {
        if (c->n_sets == CHOICE_MOST_SETS) {
            diag_error(d, nowhere, "option '--set' is given more than %d times",
                       CHOICE_MOST_SETS);
            return false;
        }
        c->sets[c->n_sets++] = value;
        return true;
    }
    const char **where = strcmp(name, "preset") == 0 ? &c->preset : &c->file;
    if (*where) {
        diag_error(d, nowhere, "option '--%s' is given twice", name);
        return false;
    }
    *where = value;
    return true;
}

/* Returns its source, NULL after an error. */
static const struct source *read_file(const char *path, struct config *c,
                                      struct diag *d) {
    size_t len;
    char *text = text_read_file(path, &len);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const struct source *source = NULL;
    if (text)
        config_yaml(c, source = diag_source(d, name, text, len), d);
    else
        diag_error(d, nowhere, "cannot read '%s': %s", name, strerror(errno));
    free(text);
    return source;
}

void choice_of_target(struct config_choice *c, const char *target) {
    size_t n = target ? strlen(target) : 0;
    const char *name;
    c->target = target;
    for (int i = 0; n > 0 && (name = config_preset_name(i)); i++) {
        if (strncmp(name, target, n) != 0)
            continue;
        if (!name[n])
            c->base = name;
        else if (c->preset && name[n] == '_' &&
                 strcmp(name + n + 1, c->preset) == 0)
            c->preset = name;
    }
}

/* --- what follows from it ------------------------------------------------- */

/* Report the derived keys that were given since a moment, in that source if it
 * is not NULL, and are not what the target computes. */
static void refuse(const struct config *given, const struct config *computed,
                   const struct diag_given *since, const struct source *source,
                   struct diag *d) {
    for (const struct diag_given *g = d->given; g != since; g = g->before) {
        const struct param *p = g->name ? config_find(g->name) : NULL;
        struct text had = {0}, has = {0};
        if (!p || (source && g->place.source != source) ||
            !iface_derives(given->target, p))
            continue;
        config_value(given, p, &had);
        config_value(computed, p, &has);
        if (strcmp(text_str(&had), text_str(&has)) != 0)
            iface_refuse_derived(given->target, p, given, computed, g->place,
                                 d);
        text_free(&had);
        text_free(&has);
    }
}

/* Note what is another than the user last saw. */
static void tell(const struct config *before, const struct config *after,
                 struct diag *d) {
    const struct param *p;
    struct text all = {0};
    for (int i = 0; (p = config_param(i)); i++) {
        struct text had = {0}, has = {0};
        if (!iface_uses(after->target, p) || !iface_derives(after->target, p))
            continue;
        config_value(before, p, &had);
        config_value(after, p, &has);
        if (strcmp(text_str(&had), text_str(&has)) != 0)
            text_printf(&all, "%s%s=%s", all.len ? ", " : "", p->key,
                        text_str(&has));
        text_free(&had);
        text_free(&has);
    }
    if (all.len)
        diag_report(d, DIAG_NOTE, nowhere, "these follow in target '%s': %s",
                    after->target->name, text_str(&all));
    text_free(&all);
}

static void flow(struct config *c, const struct diag_given *since,
                 const struct source *source, bool tells, struct diag *d) {
    struct config given = *c;
    if (!c->target)
        return;
    iface_derive(c->target, c);
    refuse(&given, c, since, source, d);
    if (tells && d->errors == 0)
        tell(&given, c, d);
}

struct wanted {
    const struct param *p;
    bool found;
};

static void look_for(void *ctx, const struct param *source) {
    struct wanted *w = ctx;
    w->found = w->found || source == w->p;
}

/* Whether the target computes another key from p. */
static bool is_source(const struct iface *target, const struct param *p) {
    struct wanted w = {.p = p};
    const struct param *q;
    for (int i = 0; (q = config_param(i)) && !w.found; i++)
        iface_each_source(target, q, look_for, &w);
    return w.found;
}

/* The key that name without a section means: one that the target does not
 * compute, and computes others from, or else uses.  NULL: none or several; all:
 * these, how many. */
static const struct param *find_tail(const struct iface *target,
                                     const char *name, size_t len, int *n,
                                     struct text *all) {
    const struct param *p, *found = NULL;
    for (int sources = 1; sources >= 0 && *n == 0; sources--)
        for (int i = 0; (p = config_param(i)); i++) {
            const char *last = strrchr(p->key, '.') + 1;
            if (strlen(last) != len || strncmp(last, name, len) != 0 ||
                !iface_uses(target, p) || iface_derives(target, p) ||
                (sources && !is_source(target, p)))
                continue;
            text_printf(all, "%s'%s'", *n ? ", " : "", p->key);
            found = p;
            ++*n;
        }
    return *n == 1 ? found : NULL;
}

/* config_set, of a key with or without its section. */
static void set(struct config *c, const char *assignment, struct diag *d) {
    const char *name = assignment + strspn(assignment, " \t");
    size_t len = strcspn(name, " \t=");
    int n = 0;
    struct text all = {0}, full = {0};
    const struct param *p = c->target && len && !memchr(name, '.', len)
                                ? find_tail(c->target, name, len, &n, &all)
                                : NULL;
    if (n > 1) {
        diag_error(d, nowhere,
                   "'%.*s' is ambiguous in target '%s', expected one of %s",
                   (int)len, name, c->target->name, text_str(&all));
    } else {
        text_printf(&full, "%s%s", p ? p->key : "",
                    p ? name + len : assignment);
        config_set(c, text_str(&full), d);
    }
    text_free(&all);
    text_free(&full);
}

void choice_resolve(const struct config_choice *choice, struct config *c,
                    struct diag *d) {
    const struct iface *target =
        choice->target ? iface_find(choice->target) : NULL;
    config_defaults(c);
    if (choice->text)
        config_yaml(
            c,
            diag_source(d, choice->preset, choice->text, strlen(choice->text)),
            d);
    else if (choice->preset || choice->base)
        config_preset(c, choice->preset ? choice->preset : choice->base, d);
    c->target = target ? target : c->target;
    if (c->target)
        iface_derive(c->target, c);
    if (choice->file) {
        const struct diag_given *since = d->given;
        const struct source *source = read_file(choice->file, c, d);
        c->target = target ? target : c->target;
        flow(c, since, source, false, d);
    }
    const struct diag_given *since = d->given;
    for (int i = 0; i < choice->n_sets; i++)
        set(c, choice->sets[i], d);
    flow(c, since, NULL, choice->tell, d);
}

/* --- the command ---------------------------------------------------------- */

void choice_add_word(struct text *out, const char *s) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "_-+=.,:/@%";
    bool quote = !*s || strspn(s, plain) != strlen(s);
    text_add(out, quote ? " '" : " ");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\'')
            text_add(out, "'\\''");
        else
            text_addn(out, c < 0x20 || c >= 0x7f ? "?" : s, 1);
    }
    text_add(out, quote ? "'" : "");
}

void choice_add_path(struct text *out, const char *path) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    struct text base = {0};
    text_addn(&base, path + from, n - from);
    choice_add_word(out, text_str(&base));
    text_free(&base);
}

/* The parameter of "key=value", NULL if there is none. */
static const struct param *assigned(const char *assignment) {
    struct text key = {0};
    assignment += strspn(assignment, " \t");
    text_addn(&key, assignment, strcspn(assignment, " \t="));
    const struct param *p = config_find(text_str(&key));
    text_free(&key);
    return p;
}

void choice_command(const struct config_choice *c, config_filter *chosen,
                    const void *ctx, struct text *out) {
    if (c->preset)
        text_printf(out, " --preset %s", c->preset);
    if (c->file) {
        text_add(out, " --config");
        choice_add_path(out, c->file);
    }
    for (int i = 0; i < c->n_sets; i++) {
        const struct param *p = assigned(c->sets[i]);
        if (p && !chosen(ctx, p))
            continue;
        text_add(out, " --set");
        choice_add_word(out, c->sets[i]);
    }
}

void choice_warn(const struct config_choice *c, config_filter *chosen,
                 const void *ctx, const char *what, struct diag *d) {
    for (int i = 0; i < c->n_sets; i++) {
        const struct param *p = assigned(c->sets[i]);
        if (p && !chosen(ctx, p))
            diag_warning(d, nowhere, "%s does not use '%s'", what, p->key);
    }
}
