/* settings.c - options of a composition, by its tables. */
#include "settings.h"

#include "base/options.h"
#include "cache.h"

#include <string.h>

static uint32_t *field(void *settings, size_t at) {
    return (uint32_t *)(void *)((char *)settings + at);
}

static bool take_choice(uint32_t *to, const struct setting_choice *c,
                        const char *value, struct diag *d) {
    int n = options_choice(c->name, value, c->words, d);
    if (n >= 0)
        *to = (uint32_t)n;
    return n >= 0;
}

static bool take_number(uint32_t *to, const struct setting_number *s,
                        const char *value, struct diag *d) {
    uint64_t n;
    bool ok = options_number(s->name, value, s->least, s->most, &n, d);
    if (ok)
        *to = (uint32_t)n;
    return ok;
}

bool setting_take(void *settings, const struct setting_number *numbers,
                  const struct setting_choice *choices, const char *name,
                  const char *value, struct diag *d) {
    for (; choices->name; choices++)
        if (strcmp(name, choices->name) == 0)
            return take_choice(field(settings, choices->at), choices, value, d);
    for (; numbers->name; numbers++)
        if (strcmp(name, numbers->name) == 0)
            return take_number(field(settings, numbers->at), numbers, value, d);
    return false;
}

void setting_check_cache(const char *name, uint32_t bytes, uint32_t ways,
                         struct diag *d) {
    if (bytes % (ways * CACHE_LINE) != 0)
        diag_error(d, (struct place){0},
                   "'--%s' is %u bytes, expected a multiple of %u ways of %d "
                   "bytes",
                   name, bytes, ways, CACHE_LINE);
}
