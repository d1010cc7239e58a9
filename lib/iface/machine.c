/* machine.c - see machine.h.
 *
 * A machine is a system with a host port.  Nothing lists machines or their
 * papers: declarations say both.
 */
#include "machine.h"

#include "iface.h"

#include <string.h>

static const char any_machine[] = "system";

static bool is_machine(const struct iface *b) {
    if (b->kind != IFACE_SYSTEM || strcmp(b->name, any_machine) == 0)
        return false;
    for (int i = 0; b->contains[i]; i++)
        if (strcmp(b->contains[i]->name, "host") == 0)
            return true;
    return false;
}

/* Both say, in their declarations, that they are of the same paper: "MPU,
 * section IV-B" and "MPU, Table II". */
static bool same_paper(const struct iface *a, const struct iface *b) {
    size_t n = strcspn(a->paper, ",");
    return n == strcspn(b->paper, ",") && strncmp(a->paper, b->paper, n) == 0;
}

/* The machine of the paper whose sizes are the preset that the first n bytes of
 * name name, one that bears that name if there are several; NULL: there is
 * none, or it is the plain machine's own preset. */
static const struct iface *machine_of_paper(const char *name, size_t n) {
    const struct iface *b, *plain = iface_find(any_machine);
    for (int i = 0; (b = iface_at(i)); i++) {
        if (strlen(b->preset) != n || strncmp(b->preset, name, n) != 0)
            continue;
        if (b == plain)
            return NULL;
        const struct iface *m, *first = NULL;
        for (int k = 0; (m = iface_at(k)); k++)
            if (is_machine(m) && same_paper(m, b)) {
                if (strncmp(m->name, name, n) == 0)
                    return m;
                first = first ? first : m;
            }
        if (first)
            return first;
    }
    return NULL;
}

/* The machine whose own preset it is: its name, or that and a form.  The longest
 * name: of 'image_mesh_small', 'image_mesh'. */
static const struct iface *machine_of_name(const char *preset) {
    const struct iface *m, *found = NULL;
    for (int i = 0; (m = iface_at(i)); i++) {
        size_t n = strlen(m->name);
        if (is_machine(m) && strncmp(preset, m->name, n) == 0 &&
            (!preset[n] || preset[n] == '_') &&
            (!found || n > strlen(found->name)))
            found = m;
    }
    return found;
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
    if (!asked || !given || strcmp(asked, any_machine) != 0)
        return asked;
    const struct iface *m = machine_of_name(given);
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
