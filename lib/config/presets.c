/* presets.c - named sets of sizes, built into the program from lib/presets/.
 *
 * A preset file is a configuration file like a user's own: it lists what it
 * changes from the defaults or from the preset that it is based on ('preset'), and
 * names the target whose derived keys (iface/derive.h) it has ('target').
 */
#include "config.h"

#include "assign.h"
#include "base/embed.h"
#include "iface/derive.h"

#include <string.h>

static const struct embedded *preset_at(int n) {
    for (int i = 0; embedded_presets[i].name; i++)
        if (i == n)
            return &embedded_presets[i];
    return NULL;
}

const char *config_preset_name(int n) {
    const struct embedded *e = preset_at(n);
    return e ? e->stem : NULL;
}

const char *config_preset_text(int n) {
    const struct embedded *e = preset_at(n);
    return e ? e->text : NULL;
}

/* The first line of a preset's file: "# name - what it is.". */
void config_preset_title(int n, struct text *out) {
    const char *line = config_preset_text(n), *dash = strstr(line, " - ");
    size_t len = strcspn(line, "\n");
    if (!dash || dash + 3 > line + len || line[len - 1] != '.')
        BUG("preset '%s' does not begin with its title", config_preset_name(n));
    text_addn(out, dash + 3, (size_t)(line + len - 1 - (dash + 3)));
}

static const char *next_name(void *ctx, int i) {
    (void)ctx;
    return config_preset_name(i);
}

static void unknown_preset(const char *name, struct place at, struct diag *d) {
    const char *near = suggest(name, next_name, NULL);
    if (near) {
        diag_error(d, at, "unknown preset '%s', did you mean '%s'", name, near);
        return;
    }
    struct text all = {0};
    for (int i = 0; preset_at(i); i++)
        text_printf(&all, "%s'%s'", i ? ", " : "", preset_at(i)->stem);
    diag_error(d, at, "unknown preset '%s', expected one of %s", name,
               text_str(&all));
    text_free(&all);
}

bool config_preset_at(struct config *c, const char *name, struct place at,
                      struct diag *d) {
    int n = 0;
    while (preset_at(n) && strcmp(preset_at(n)->stem, name) != 0)
        n++;
    const struct embedded *e = preset_at(n);
    if (!e) {
        unknown_preset(name, at, d);
        return false;
    }
    struct text file = {0};
    text_printf(&file, "preset '%s'", name);
    const struct source *src = diag_source(d, text_str(&file), e->text, e->len);
    text_free(&file);
    struct config values;
    config_defaults(&values);
    diag_note_given(d, NULL, (struct place){0});
    if (!config_yaml(&values, src, d))
        return false;
    if (values.target)
        iface_derive(values.target, &values);
    *c = values;
    return true;
}

bool config_preset(struct config *c, const char *name, struct diag *d) {
    return config_preset_at(c, name, (struct place){0}, d);
}
