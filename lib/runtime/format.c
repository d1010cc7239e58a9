/* format.c - see format.h. */
#include "format.h"

#include <string.h>

enum { MOST = 4096 }; /* bytes of a format or of a string */

struct reader {
    struct text *out;
    uint64_t at, argument;
    ndp_lookup *lookup;
    ndp_next_argument *next; /* NULL: they lie from argument on */
    void *ctx;
    bool failed;
};

static bool fetch(struct reader *r, uint64_t at, void *to, size_t n) {
    const void *p = r->lookup(r->ctx, at, n);
    if (p)
        memcpy(to, p, n);
    else
        memset(to, 0, n);
    r->failed |= !p;
    return p;
}

static char next(struct reader *r) {
    char c;
    return fetch(r, r->at++, &c, 1) ? c : '\0';
}

static uint64_t argument(struct reader *r, unsigned bytes, bool as_double) {
    uint64_t value = 0;
    if (r->next)
        return r->next(r->ctx, as_double);
    r->argument = (r->argument + bytes - 1) / bytes * bytes;
    fetch(r, r->argument, &value, bytes);
    r->argument += bytes;
    return value;
}

static void put_string(struct reader *r, const char *spec) {
    uint64_t at = argument(r, 8, false);
    struct text t = {0};
    char c;
    while (t.len < MOST && fetch(r, at++, &c, 1) && c)
        text_addc(&t, c);
    char *end = strchr(spec, '\0');
    if (spec[1] == 's' && !spec[2])
        text_add(r->out, text_str(&t));
    else if (end - spec < 24)
        text_printf(r->out, spec, text_str(&t));
    text_free(&t);
}

/* spec is "%...", its length modifiers taken out; c its conversion. */
static void put(struct reader *r, char *spec, char c, bool wide) {
    size_t n = strlen(spec);
    if (strchr("diouxX", c)) {
        uint64_t v = argument(r, wide ? 8 : 4, false);
        if (!wide)
            v = strchr("di", c) ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
        memcpy(spec + n, "ll", 2);
        spec[n + 2] = c;
        spec[n + 3] = '\0';
        text_printf(r->out, spec, (long long)v);
        return;
    }
    spec[n] = c;
    spec[n + 1] = '\0';
    if (c == 'c') {
        text_printf(r->out, spec, (int)argument(r, 4, false));
    } else if (c == 's') {
        put_string(r, spec);
    } else if (c == 'p') {
        text_printf(r->out, spec, (void *)(uintptr_t)argument(r, 8, false));
    } else if (strchr("aAeEfFgG", c)) {
        uint64_t bits = argument(r, 8, true);
        double v;
        memcpy(&v, &bits, sizeof v);
        text_printf(r->out, spec, v);
    } else {
        text_add(r->out, spec);
    }
}

static void conversion(struct reader *r) {
    char spec[48] = "%", c;
    size_t n = 1;
    bool wide = false;
    while ((c = next(r))) {
        if (strchr("hlqjzt", c)) {
            wide |= c != 'h';
        } else if (c == '*' && n < 24) {
            struct text t = {0};
            text_printf(&t, "%d", (int)argument(r, 4, false));
            memcpy(spec + n, text_str(&t), t.len);
            n += t.len;
            text_free(&t);
        } else if (strchr("0123456789.+- #", c) && n < 24) {
            spec[n++] = c;
        } else {
            break;
        }
    }
    spec[n] = '\0';
    if (c == '%')
        text_addc(r->out, '%');
    else if (c)
        put(r, spec, c, wide);
}

static bool run(struct reader *r, uint64_t format) {
    char c;
    r->at = format;
    while (r->at - format < MOST && (c = next(r))) {
        if (c == '%')
            conversion(r);
        else
            text_addc(r->out, c);
    }
    return !r->failed;
}

bool ndp_format(struct text *out, uint64_t format, uint64_t arguments,
                ndp_lookup *lookup, void *ctx) {
    struct reader r = {
        .out = out, .argument = arguments, .lookup = lookup, .ctx = ctx};
    return run(&r, format);
}

bool ndp_format_with(struct text *out, uint64_t format, ndp_next_argument *next,
                     ndp_lookup *lookup, void *ctx) {
    struct reader r = {.out = out, .next = next, .lookup = lookup, .ctx = ctx};
    return run(&r, format);
}
