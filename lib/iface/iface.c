/* iface.c - the list of declarations and what all of them have in common. */
#include "iface.h"

#include "blocks/all.h"
#include "derive.h"

#include <string.h>

#define DECLARE(name) extern const struct iface name##_iface;
NDP_ALL(DECLARE)

#define ADDRESS(name) &name##_iface,
static const struct iface *const all[] = {NDP_ALL(ADDRESS) NULL};

enum { N_ALL = sizeof all / sizeof all[0] - 1 };

const struct iface *iface_at(int n) {
    return n >= 0 && n < N_ALL ? all[n] : NULL;
}

const struct iface *iface_find(const char *name) {
    for (int i = 0; i < N_ALL; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

bool iface_uses(const struct iface *b, const struct param *p) {
    for (int i = 0; b->groups[i]; i++)
        if (strcmp(b->groups[i], p->group) == 0)
            return true;
    for (int i = 0; b->contains[i]; i++)
        if (iface_uses(b->contains[i], p))
            return true;
    return false;
}

bool iface_has(const struct iface *b, const struct iface *part) {
    bool has = b == part;
    for (int i = 0; b->contains[i] && !has; i++)
        has = iface_has(b->contains[i], part);
    return has;
}

static bool check(const struct iface *b, const struct config *c,
                  struct diag *d) {
    bool ok = true;
    for (int i = 0; b->contains[i]; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || b->contains[k] == b->contains[i];
        ok = (seen || check(b->contains[i], c, d)) && ok;
    }
    return ok && b->check(c, d);
}

bool iface_check(const struct iface *b, const struct config *c,
                 struct diag *d) {
    return iface_check_derived(b, c, d) && check(b, c, d);
}

const char *iface_cover_doc(const struct iface *b, int n) {
    const struct iface_named *cover = &b->covers[n];
    if (cover->doc)
        return cover->doc;
    const char *name = cover->name + strlen(cover->text) + 1;
    for (const struct iface_part *part = b->parts; part->name; part++)
        for (int i = 0; i < part->iface->n_covers; i++)
            if (strcmp(part->name, cover->text) == 0 &&
                strcmp(part->iface->covers[i].name, name) == 0)
                return iface_cover_doc(part->iface, i);
    BUG("'%s' has no part with cover '%s'", b->name, cover->name);
}

static bool uses(const void *iface, const struct param *p) {
    return iface_uses(iface, p);
}

uint64_t iface_hash(const struct iface *b, const struct config *c) {
    return config_hash(c, uses, b);
}

uint32_t iface_id(const struct iface *b) {
    return (uint32_t)'N' << 24 | (uint32_t)'D' << 16 | (uint32_t)'P' << 8 |
           (uint32_t)b->id;
}

bool iface_has_registers(const struct iface *b) {
    return b->kind != IFACE_UNIT;
}

int iface_n_registers(const struct iface *b) {
    return iface_first_command(b) + b->n_commands;
}

int iface_first_counter(const struct iface *b) {
    return REG_FIRST + b->n_settings;
}

int iface_first_status(const struct iface *b) {
    return iface_first_counter(b) + b->n_counters;
}

int iface_first_command(const struct iface *b) {
    return iface_first_status(b) + b->n_statuses;
}

int iface_address_bits(const struct iface *b) {
    return clog2(iface_n_registers(b));
}
