/* preset.c - options of the compositions, and the stream they run on.
 *
 * A preset brings options of its own, so which one it is has to be known before
 * the command line is parsed: --preset is looked for first, and the program's
 * table and the preset's are then parsed as one.
 */
#include "ndpsim.h"

#include "mpu.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "sim/ndpchannel/channel.h"

#include <stdlib.h>
#include <string.h>

/* All that run a kernel: those of sim/system, then that of the golden models of
 * MPU's blocks. */
static const struct system_preset *preset_at(int i) {
    const struct system_preset *p = system_at(i);
    return p || (i > 0 && !system_at(i - 1)) ? p : &mpu_preset;
}

const char *preset_scan(int argc, char **argv) {
    static const char word[] = "--preset";
    const char *found = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], word) == 0 && i + 1 < argc)
            found = argv[++i];
        else if (strncmp(argv[i], word, sizeof word - 1) == 0 &&
                 argv[i][sizeof word - 1] == '=')
            found = argv[i] + sizeof word;
    }
    return found;
}

/* Words of the command line that name a preset: 2 "--preset concurrent", 1
 * "--preset=concurrent", 0 others. */
static int names(char **argv, int left, const char *name) {
    static const char word[] = "--preset";
    if (strcmp(argv[0], word) == 0)
        return left > 1 && strcmp(argv[1], name) == 0 ? 2 : 0;
    return strncmp(argv[0], word, sizeof word - 1) == 0 &&
           argv[0][sizeof word - 1] == '=' &&
           strcmp(argv[0] + sizeof word, name) == 0;
}

bool preset_channel(int argc, char **argv, int *status) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        int n = names(argv + i, argc - i, CHANNEL_PRESET);
        if (!n)
            continue;
        char **rest = xcalloc((size_t)argc + 1, sizeof *rest);
        memcpy(rest, argv, (size_t)i * sizeof *rest);
        memcpy(rest + i, argv + i + n, (size_t)(argc - i - n) * sizeof *rest);
        *status =
            channel_main("ndpsim --preset " CHANNEL_PRESET, argc - n, rest);
        free(rest);
        return true;
    }
    return false;
}

/* All that --preset takes. */
static const char *preset_name(void *ctx, int i) {
    (void)ctx;
    const struct system_preset *p = preset_at(i);
    return p ? p->name : i == 0 || preset_at(i - 1) ? CHANNEL_PRESET : NULL;
}

const struct system_preset *preset_find(const char *name, struct diag *d) {
    const struct system_preset *p;
    const char *near = suggest(name, preset_name, NULL);
    struct text all = {0};
    for (int i = 0; (p = preset_at(i)); i++)
        if (strcmp(p->name, name) == 0)
            return p;
    for (int i = 0; preset_name(NULL, i); i++)
        text_printf(&all, "%s'%s'", i ? ", " : "", preset_name(NULL, i));
    diag_error(d, (struct place){0},
               near ? "unknown preset '%s', did you mean '%s'"
                    : "unknown preset '%s', expected one of %s",
               name, near ? near : text_str(&all));
    text_free(&all);
    return NULL;
}

bool preset_again(const struct system_preset *p, const char *name,
                  struct diag *d) {
    if (!p || strcmp(p->name, name) == 0)
        return p != NULL;
    diag_error(d, (struct place){0},
               "'--preset' is given twice, '%s' and '%s', expected one", name,
               p->name);
    return false;
}

static bool has_option(const struct option_spec *s, const char *name) {
    for (; s->name; s++)
        if (*s->name && strcmp(s->name, name) == 0)
            return true;
    return false;
}

void preset_of_option(const char *name, struct text *where) {
    const struct system_preset *p;
    for (int i = 0; (p = preset_at(i)); i++)
        if (has_option(p->specs, name))
            text_printf(where, "%s --preset %s",
                        where->len ? " or" : "goes with", p->name);
    if (has_option(channel_specs, name))
        text_printf(where, "%s --preset " CHANNEL_PRESET,
                    where->len ? " or" : "goes with");
}

char *preset_doc(void) {
    const struct system_preset *p;
    struct text t = {0};
    text_add(&t, "Run on a composition, which gives the stream time:");
    for (int i = 0; (p = preset_at(i)); i++)
        text_printf(&t, "%s %s, %s", i ? ";" : "", p->name, p->doc);
    text_add(&t, "; " CHANNEL_PRESET ", a host and accelerators in its "
                 "memory's ranks: requests instead of a kernel, all of "
                 "ndpchannel");
    text_add(&t, ". Its own options: --preset NAME --help.");
    return t.data;
}

static int count(const struct option_spec *s) {
    int n = 0;
    while (s && s[n].name)
        n++;
    return n;
}

struct option_spec *preset_specs(const struct option_spec *own, const char *doc,
                                 const struct system_preset *p) {
    int n = count(own), more = p ? count(p->specs) : 0;
    struct option_spec *all = xcalloc((size_t)(n + 1 + more + 1), sizeof *all);
    memcpy(all, own, (size_t)n * sizeof *all);
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].name, "preset") == 0)
            all[i].doc = doc;
    if (!p)
        return all;
    all[n] = (struct option_spec){"", 0, NULL, "Of the preset:"};
    memcpy(all + n + 1, p->specs, (size_t)more * sizeof *all);
    return all;
}
