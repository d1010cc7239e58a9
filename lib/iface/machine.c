/* machine.c - see machine.h.
 *
 * Nothing lists machines: a machine is a system with a host port, its presets
 * name it, and its declaration says which presets of a paper mean it.
 */
#include "machine.h"

#include "blocks/host.h"
#include "blocks/system.h"

#include <string.h>

bool iface_is_machine(const struct iface *b) {
    return iface_has(b, &host_iface);
}

/* The machine that a preset of a paper means; name has n bytes. */
static const struct iface *machine_of_paper(const char *name, size_t n) {
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++)
        for (const char *const *of = b->machine_of; *of; of++)
            if (strlen(*of) == n && strncmp(*of, name, n) == 0)
                return b;
    return NULL;
}

/* The machine that a preset says it is for, but for the plain one; NULL: none. */
static const struct iface *machine_of_target(const char *preset) {
    struct config c;
    struct diag d = {0};
    const struct iface *m =
        config_preset(&c, preset, &d) && c.target ? c.target : NULL;
    diag_free(&d);
    return m && m != &system_iface && iface_is_machine(m) ? m : NULL;
}

/* The preset NAME or, with a form, NAME_FORM; NULL: there is none. */
static const char *find_preset(const char *name, const char *form) {
    size_t n = strlen(name);
    const char *p;
    for (int i = 0; (p = config_preset_name(i)); i++)
        if (strncmp(p, name, n) == 0 &&
            (form ? p[n] == '_' && strcmp(p + n + 1, form) == 0 : !p[n]))
            return p;
    return NULL;
}

const char *machine_of_preset(const char *asked, struct config_choice *choice,
                              struct diag *d) {
    const char *given = choice->preset;
    if (!asked || !given || strcmp(asked, system_iface.name) != 0)
        return asked;
    const struct iface *m = machine_of_target(given);
    const char *preset = given;
    if (!m) {
        size_t n = strcspn(given, "-_");
        m = machine_of_paper(given, n);
        preset =
            m ? find_preset(m->name, given[n] ? given + n + 1 : NULL) : NULL;
    }
    if (!preset)
        return asked;
    diag_report(d, DIAG_NOTE, (struct place){0},
                "the machine of preset '%s' is target '%s' at preset '%s'",
                given, m->name, preset);
    choice->preset = preset;
    return m->name;
}
