/* channels.c - see channels.h. */
#include "channels.h"

#include "iface/system.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A port in the structs of the whole target. */
struct wire {
    const char *name; /* with the path of its instance, "controller.ans_warp" */
    size_t offset;
    int words;
};

/* Words of the out struct that lie side by side. */
struct span {
    size_t offset;
    int words;
};

struct channel {
    struct wire valid;
    bool refusable;
    bool open;    /* fields show anything while there is nothing */
    size_t ready; /* in the in struct */
    struct wire *field;
    int n_fields;
    struct span *span; /* the fields again, in as few pieces as they lie */
    int n_spans;
};

/* A design as a part of the target: where its structs lie. */
struct part {
    const struct design *design;
    size_t in, out;
    const char *path; /* "controller.", "" */
};

static const uint64_t *words(const void *ports, size_t offset) {
    return (const uint64_t *)(const void *)((const char *)ports + offset);
}

static bool is_called(const struct design_port *p, const char *channel,
                      const char *field) {
    size_t n = strlen(channel);
    return strncmp(p->name, channel, n) == 0 && p->name[n] == '_' &&
           strcmp(p->name + n + 1, field) == 0;
}

static const char *joined(struct arena *a, const char *x, const char *y) {
    struct text t = {0};
    text_printf(&t, "%s%s", x, y);
    const char *copy = arena_strdup(a, text_str(&t));
    text_free(&t);
    return copy;
}

static struct wire wire_of(struct arena *a, const struct part *part,
                           const struct design_port *p) {
    return (struct wire){joined(a, part->path, p->name), part->out + p->offset,
                         p->words};
}

static void find_spans(struct arena *a, struct channel *c) {
    c->span = arena_array(a, (size_t)c->n_fields + 1, sizeof *c->span);
    for (int i = 0; i < c->n_fields; i++) {
        const struct wire *f = &c->field[i];
        struct span *last = &c->span[c->n_spans - (c->n_spans > 0)];
        if (c->n_spans > 0 &&
            f->offset == last->offset + (size_t)last->words * sizeof(uint64_t))
            last->words += f->words;
        else
            c->span[c->n_spans++] = (struct span){f->offset, f->words};
    }
}

/* The channel whose heading is port h: the outputs under the heading whose
 * names begin with its. */
static struct channel read_channel(struct arena *a, const struct part *part,
                                   int h) {
    const struct design *d = part->design;
    const struct design_port *heading = &d->ports[h];
    struct channel c = {.open = heading->kind == GIVES_OPEN};
    size_t n = strlen(heading->name);
    c.field = arena_array(a, (size_t)d->n_ports, sizeof *c.field);
    for (int i = h + 1; i < d->n_ports && d->ports[i].dir != PORT_GROUP; i++) {
        const struct design_port *p = &d->ports[i];
        if (is_called(p, heading->name, "valid")) {
            c.valid = wire_of(a, part, p);
        } else if (is_called(p, heading->name, "ready")) {
            c.refusable = true;
            c.ready = part->in + p->offset;
        } else if (p->dir == PORT_OUT &&
                   strncmp(p->name, heading->name, n) == 0) {
            c.field[c.n_fields++] = wire_of(a, part, p);
        }
    }
    if (!c.valid.name)
        BUG("channel '%s' of '%s' has no valid", heading->name, d->iface->name);
    find_spans(a, &c);
    return c;
}

static bool gives(enum channel_kind k) {
    return k == GIVES || k == GIVES_OPEN || k == GIVES_ALL;
}

static void add_part(struct channels *c, struct arena *a,
                     const struct part *part) {
    const struct design *d = part->design;
    for (int i = 0; i < d->n_ports && !d->system; i++)
        if (d->ports[i].dir == PORT_GROUP && gives(d->ports[i].kind)) {
            c->list = xrealloc(c->list, (size_t)(c->n + 1) * sizeof *c->list);
            c->list[c->n++] = read_channel(a, part, i);
        }
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *at = system_instance(d, i);
        const char *path = joined(a, part->path, at->name);
        const struct part inner = {at->design, part->in + at->in_offset,
                                   part->out + at->out_offset,
                                   joined(a, path, ".")};
        add_part(c, a, &inner);
    }
}

void channels_find(struct channels *c, struct design *d) {
    const struct part whole = {d, 0, 0, ""};
    add_part(c, &d->arena, &whole);
}

void channels_free(struct channels *c) {
    free(c->list);
    *c = (struct channels){0};
}

/* All words of all channels are looked at on each edge: without a branch for
 * each. */
static bool are_zero(const uint64_t *is, int n) {
    uint64_t any = 0;
    for (int w = 0; w < n; w++)
        any |= is[w];
    return any == 0;
}

/* Do the fields show what was there before, or zero? */
static bool fields_stand(const struct channel *k, const void *before,
                         const void *after, bool as_before) {
    for (const struct span *p = k->span; p < k->span + k->n_spans; p++) {
        const uint64_t *is = words(after, p->offset);
        if (as_before ? memcmp(is, words(before, p->offset),
                               (size_t)p->words * sizeof *is) != 0
                      : !are_zero(is, p->words))
            return false;
    }
    return true;
}

static const char *wrong_field(const struct channel *k, const void *before,
                               const void *after, bool as_before) {
    for (int f = 0; f < k->n_fields; f++) {
        const struct wire *p = &k->field[f];
        const uint64_t *is = words(after, p->offset);
        const uint64_t *was = words(before, p->offset);
        for (int w = 0; w < p->words; w++)
            if (is[w] != (as_before ? was[w] : 0))
                return p->name;
    }
    return NULL;
}

const char *channels_watch(const struct channels *c, const void *in,
                           const void *before, const void *after,
                           const char **why) {
    for (int n = 0; n < c->n; n++) {
        const struct channel *k = &c->list[n];
        bool waited = k->refusable && *words(before, k->valid.offset) &&
                      !*words(in, k->ready);
        bool valid = *words(after, k->valid.offset);
        if (waited && !valid) {
            *why = "was taken back before it was taken";
            return k->valid.name;
        }
        if ((!waited && (valid || k->open)) ||
            fields_stand(k, before, after, waited))
            continue;
        *why = waited ? "changed before it was taken"
                      : "is not zero while there is nothing";
        return wrong_field(k, before, after, waited);
    }
    return NULL;
}
