/* config.c - the parameter table, its defaults, its canonical form and hash.
 *
 * Everything here loops over the table that params.def expands to, so that a
 * new parameter needs its line there and nothing else.
 */
#include "config.h"

#include "assign.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
#define ROW(param, type, unit, min, max, names, element, doc)                  \
    {PARAM_KEY(param),                                                         \
     PARAM_GROUP,                                                              \
     type,                                                                     \
     unit,                                                                     \
     min,                                                                      \
     max,                                                                      \
     names,                                                                    \
     element,                                                                  \
     doc,                                                                      \
     offsetof(struct config, OWNER_FIELD(param))},
#define INT(param, unit, min, max, dflt, doc)                                  \
    ROW(param, PARAM_INT, unit, min, max, NULL, NULL, doc)
#define POW2(param, unit, min, max, dflt, doc)                                 \
    ROW(param, PARAM_POW2, unit, min, max, NULL, NULL, doc)
#define ENUM(param, names, dflt, doc)                                          \
    ROW(param, PARAM_ENUM, NULL, 0, 0, names, NULL, doc)
#define SET(param, element, dflt, doc)                                         \
    ROW(param, PARAM_SET, NULL, 0, 0, NULL, element, doc)
#define LIST(param, min, max, dflt, doc)                                       \
    ROW(param, PARAM_LIST, NULL, min, max, NULL, NULL, doc)
#define MASKS(param, dflt, doc)                                                \
    ROW(param, PARAM_MASKS, NULL, 0, 63, NULL, NULL, doc)
#include "params.def"
};

enum { N_PARAMS = sizeof params / sizeof params[0] };

const struct param *config_param(int n) {
    return n >= 0 && n < N_PARAMS ? &params[n] : NULL;
}

const struct param *config_find(const char *key) {
    for (int i = 0; i < N_PARAMS; i++)
        if (strcmp(params[i].key, key) == 0)
            return &params[i];
    return NULL;
}

void config_defaults(struct config *c) {
    memset(c, 0, sizeof *c);
#define INT(param, unit, min, max, dflt, doc) c->OWNER_FIELD(param) = (dflt);
#define POW2(param, unit, min, max, dflt, doc) c->OWNER_FIELD(param) = (dflt);
#define ENUM(param, names, dflt, doc) c->OWNER_FIELD(param) = (dflt);
#define SET(param, element, dflt, doc) c->OWNER_FIELD(param) = (dflt);
#define ITEMS(...) __VA_ARGS__
#define COUNT(items) ((int)(sizeof(int[]){items} / sizeof(int)))
#define LIST(param, min, max, dflt, doc)                                       \
    c->OWNER_FIELD(param) = (struct int_list){COUNT(ITEMS dflt), {ITEMS dflt}};
#define COUNT_MASKS(items) ((int)(sizeof(uint64_t[]){items} / sizeof(uint64_t)))
#define MASKS(param, dflt, doc)                                                \
    c->OWNER_FIELD(param) =                                                    \
        (struct mask_list){COUNT_MASKS(ITEMS dflt), {ITEMS dflt}};
#include "params.def"
}

int config_field(const struct config *c, const struct param *p) {
    int value;
    memcpy(&value, (const char *)c + p->offset, sizeof value);
    return value;
}

void config_store(struct config *c, const struct param *p, int value) {
    memcpy((char *)c + p->offset, &value, sizeof value);
}

const struct int_list *config_list(const struct config *c,
                                   const struct param *p) {
    if (p->type != PARAM_LIST)
        BUG("'%s' is no list", p->key);
    return (const void *)((const char *)c + p->offset);
}

void config_store_list(struct config *c, const struct param *p,
                       const struct int_list *list) {
    memcpy((char *)c + p->offset, list, sizeof *list);
}

const struct mask_list *config_masks(const struct config *c,
                                     const struct param *p) {
    if (p->type != PARAM_MASKS)
        BUG("'%s' has no masks", p->key);
    return (const void *)((const char *)c + p->offset);
}

void config_store_masks(struct config *c, const struct param *p,
                        const struct mask_list *masks) {
    memcpy((char *)c + p->offset, masks, sizeof *masks);
}

const char *config_enum_name(const char *names, int n, size_t *len) {
    for (; n > 0 && *names; n--) {
        names += strcspn(names, "|");
        names += *names == '|';
    }
    *len = strcspn(names, "|");
    return names;
}

static void add_set(const struct param *p, uint32_t mask, struct text *out) {
    const char *separator = "";
    text_addc(out, '[');
    for (int i = 0; i < 32 && p->element(i); i++)
        if (mask >> i & 1) {
            text_printf(out, "%s%s", separator, p->element(i));
            separator = ", ";
        }
    text_addc(out, ']');
}

static void add_list(const struct int_list *list, struct text *out) {
    text_addc(out, '[');
    for (int i = 0; i < list->n; i++)
        text_printf(out, "%s%d", i ? ", " : "", list->v[i]);
    text_addc(out, ']');
}

static void add_masks(const struct mask_list *masks, struct text *out) {
    text_addc(out, '[');
    for (int i = 0; i < masks->n; i++) {
        const char *separator = i ? ", [" : "[";
        for (int n = 0; n < 64; n++)
            if (masks->v[i] >> n & 1) {
                text_printf(out, "%s%d", separator, n);
                separator = ", ";
            }
        text_addc(out, ']');
    }
    text_addc(out, ']');
}

void config_value(const struct config *c, const struct param *p,
                  struct text *out) {
    bool list = p->type == PARAM_LIST || p->type == PARAM_MASKS;
    int value = list ? 0 : config_field(c, p);
    size_t len;
    const char *name;
    switch (p->type) {
    case PARAM_INT:
    case PARAM_POW2:
        text_printf(out, "%d", value);
        break;
    case PARAM_ENUM:
        name = config_enum_name(p->names, value, &len);
        if (value < 0 || len == 0)
            BUG("'%s' has no value %d", p->key, value);
        text_addn(out, name, len);
        break;
    case PARAM_SET:
        add_set(p, (uint32_t)value, out);
        break;
    case PARAM_LIST:
        add_list(config_list(c, p), out);
        break;
    case PARAM_MASKS:
        add_masks(config_masks(c, p), out);
        break;
    }
}

/* Open the sections of key that were not open for the key before; returns the
 * depth of the key's last part. */
static int open_sections(const char *key, const char *before,
                         struct text *out) {
    const char *dot;
    int depth = 0;
    bool shared = true;
    for (const char *part = key; (dot = strchr(part, '.')); part = dot + 1) {
        shared = shared && strncmp(key, before, (size_t)(dot + 1 - key)) == 0;
        if (!shared)
            text_printf(out, "%*s%.*s:\n", 2 * depth, "", (int)(dot - part),
                        part);
        depth++;
    }
    return depth;
}

/* The key that message has in quotes and that was given last. */
static struct place blamed(const struct diag *d, const char *message) {
    struct place at = {0};
    bool found = false;
    for (const struct diag_given *g = d->given; g && g->name && !found;
         g = g->before) {
        struct text quoted = {0};
        text_printf(&quoted, "'%s'", g->name);
        found = strstr(message, text_str(&quoted)) != NULL;
        if (found)
            at = g->place;
        text_free(&quoted);
    }
    return at;
}

void config_error(struct diag *d, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0)
        BUG("bad format '%s'", fmt);
    char *message = xmalloc((size_t)n + 1);
    va_start(args, fmt);
    vsnprintf(message, (size_t)n + 1, fmt, args);
    va_end(args);
    diag_error(d, blamed(d, message), "%s", message);
    free(message);
}

void config_echo(const struct config *c, config_filter *chosen, const void *ctx,
                 struct text *out) {
    const char *before = "";
    for (int i = 0; i < N_PARAMS; i++) {
        const struct param *p = &params[i];
        if (!chosen(ctx, p))
            continue;
        int depth = open_sections(p->key, before, out);
        const char *last = strrchr(p->key, '.');
        text_printf(out, "%*s%s: ", 2 * depth, "", last ? last + 1 : p->key);
        config_value(c, p, out);
        text_printf(out, "  # %s\n", p->doc);
        before = p->key;
    }
}

uint64_t config_hash(const struct config *c, config_filter *chosen,
                     const void *ctx) {
    struct text line = {0};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < N_PARAMS; i++) {
        if (!chosen(ctx, &params[i]))
            continue;
        line.len = 0;
        text_printf(&line, "%s=", params[i].key);
        config_value(c, &params[i], &line);
        text_addc(&line, '\n');
        for (size_t n = 0; n < line.len; n++) {
            hash ^= (unsigned char)line.data[n];
            hash *= UINT64_C(0x100000001b3);
        }
    }
    text_free(&line);
    return hash;
}
