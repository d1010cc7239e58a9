/* choice.c - see choice.h. */
#include "choice.h"

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

static void read_file(const char *path, struct config *c, struct diag *d) {
    size_t len;
    char *text = text_read_file(path, &len);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (text)
        config_yaml(c, diag_source(d, name, text, len), d);
    else
        diag_error(d, nowhere, "cannot read '%s': %s", name, strerror(errno));
    free(text);
}

void choice_of_target(struct config_choice *c, const char *target) {
    size_t n = target ? strlen(target) : 0;
    const char *name;
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

void choice_resolve(const struct config_choice *c, struct config *out,
                    struct diag *d) {
    config_defaults(out);
    if (c->text)
        config_yaml(out, diag_source(d, c->preset, c->text, strlen(c->text)),
                    d);
    else if (c->preset || c->base)
        config_preset(out, c->preset ? c->preset : c->base, d);
    if (c->file)
        read_file(c->file, out, d);
    for (int i = 0; i < c->n_sets; i++)
        config_set(out, c->sets[i], d);
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
