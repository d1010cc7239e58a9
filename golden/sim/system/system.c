/* system.c - the list of compositions. */
#include "system.h"

#include "base/text.h"
#include "image.h"
#include "omni.h"
#include "tom.h"

#include <string.h>

static const struct system_preset *const presets[] = {
    &image_preset, &omni_preset, &tom_preset};

enum { N_PRESETS = sizeof presets / sizeof presets[0] };

const struct system_preset *system_at(int i) {
    return i >= 0 && i < N_PRESETS ? presets[i] : NULL;
}

static const char *next_name(void *ctx, int i) {
    (void)ctx;
    const struct system_preset *p = system_at(i);
    return p ? p->name : NULL;
}

const struct system_preset *system_find(const char *name, struct diag *d) {
    for (int i = 0; i < N_PRESETS; i++)
        if (strcmp(presets[i]->name, name) == 0)
            return presets[i];
    const char *near = suggest(name, next_name, NULL);
    if (strcmp(name, "concurrent") == 0)
        diag_error(d, (struct place){0},
                   "unknown preset '%s': a host and accelerators on one memory "
                   "run no kernel, see ndpchannel",
                   name);
    else if (near)
        diag_error(d, (struct place){0},
                   "unknown preset '%s', did you mean '%s'", name, near);
    else {
        struct text all = {0};
        for (int i = 0; i < N_PRESETS; i++)
            text_printf(&all, "%s'%s'", i ? ", " : "", presets[i]->name);
        diag_error(d, (struct place){0},
                   "unknown preset '%s', expected one of %s", name,
                   text_str(&all));
        text_free(&all);
    }
    return NULL;
}
