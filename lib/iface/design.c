/* design.c - sizes of a declaration under a configuration; packed records. */
#include "design.h"

#include "base/bits.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>

static void *array(struct design *d, int n, size_t size) {
    return arena_array(&d->arena, (size_t)n + 1, size);
}

static void open_records(struct design *d) {
    const struct iface *b = d->iface;
    d->record = array(d, b->n_records, sizeof *d->record);
    for (int i = 0; i < b->n_records; i++) {
        int n = 0;
        while (b->records[i].fields[n].name)
            n++;
        d->record[i].decl = &b->records[i];
        d->record[i].lsb = array(d, n, sizeof(int));
        d->record[i].width = array(d, n, sizeof(int));
        d->record[i].doc = array(d, n, sizeof(char *));
    }
}

/* A channel has no ports in this form: no heading either. */
static void drop_empty_channel(struct design *d) {
    if (d->n_ports && d->ports[d->n_ports - 1].dir == PORT_GROUP)
        d->n_ports--;
}

void design_add_port(struct design *d, int declared, int width) {
    const struct iface_port *p = &d->iface->ports[declared];
    if (width == 0 && p->dir != PORT_GROUP)
        return;
    if (p->dir == PORT_GROUP)
        drop_empty_channel(d);
    d->ports[d->n_ports++] = (struct design_port){
        .dir = p->dir,
        .kind = p->kind,
        .name = p->name,
        .width_text = p->width_text,
        .doc = p->doc,
        .width = width,
        .offset = p->offset,
        .words = p->words,
        .instance = -1,
    };
}

void design_add_field(struct design *d, int record, int width,
                      const char *doc) {
    struct design_record *r = &d->record[record];
    r->doc[r->n_fields] = doc;
    r->lsb[r->n_fields] = r->bits;
    r->width[r->n_fields++] = width;
    r->bits += width;
}

struct design *design_make(const struct iface *b, const struct config *c) {
    struct design *d = xcalloc(1, sizeof *d);
    d->iface = b;
    d->config = *c;
    d->hash = iface_hash(b, c);
    d->ports = array(d, b->n_ports, sizeof *d->ports);
    d->local = array(d, b->n_locals, sizeof *d->local);
    d->setting = array(d, b->n_settings, sizeof *d->setting);
    d->status = array(d, b->n_statuses, sizeof *d->status);
    d->command = array(d, b->n_commands, sizeof *d->command);
    d->memory = array(d, b->n_memories, sizeof *d->memory);
    d->figure = array(d, b->n_figures, sizeof *d->figure);
    open_records(d);
    d->in_size = b->in_size;
    d->out_size = b->out_size;
    d->address_bits = iface_has_registers(b) ? iface_address_bits(b) : 0;
    b->size(d);
    drop_empty_channel(d);
    if (b->connect)
        system_make(d);
    return d;
}

void design_free(struct design *d) {
    if (!d)
        return;
    system_free(d);
    arena_free(&d->arena);
    free(d);
}

const struct design_port *design_port(const struct design *d,
                                      const char *name) {
    for (int i = 0; i < d->n_ports; i++)
        if (d->ports[i].dir != PORT_GROUP &&
            strcmp(d->ports[i].name, name) == 0)
            return &d->ports[i];
    return NULL;
}

int64_t design_storage(const struct design *d) {
    int64_t bits = 0;
    for (int i = 0; i < d->iface->n_memories; i++)
        bits += d->memory[i].words * d->memory[i].width;
    for (int i = 0; i < system_n(d); i++)
        bits += design_storage(system_instance(d, i)->design);
    return bits;
}

void design_trace(const struct design *d, const void *in, const void *out,
                  struct text *t) {
    d->iface->trace(in, out, t);
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *s = system_instance(d, i);
        struct text lines = {0};
        design_trace(s->design, (const char *)in + s->in_offset,
                     (const char *)out + s->out_offset, &lines);
        for (const char *p = text_str(&lines), *nl; (nl = strchr(p, '\n'));
             p = nl + 1)
            text_printf(t, "%s.%.*s\n", s->name, (int)(nl - p), p);
        text_free(&lines);
    }
}

/* --- records -------------------------------------------------------------- */

void record_pack(const struct design_record *r, const void *fields,
                 uint64_t *words) {
    const uint64_t *field = fields;
    memset(words, 0, (size_t)(r->bits + 63) / 64 * sizeof *words);
    for (int f = 0; f < r->n_fields; field += r->decl->fields[f++].words)
        for (int at = 0; at < r->width[f]; at += 64)
            bits_or(words, r->lsb[f] + at,
                    r->width[f] - at < 64 ? r->width[f] - at : 64,
                    field[at / 64]);
}

void record_unpack(const struct design_record *r, const uint64_t *words,
                   void *fields) {
    uint64_t *field = fields;
    memset(fields, 0, r->decl->size);
    for (int f = 0; f < r->n_fields; field += r->decl->fields[f++].words)
        for (int at = 0; at < r->width[f]; at += 64)
            field[at / 64] =
                bits_get(words, r->lsb[f] + at,
                         r->width[f] - at < 64 ? r->width[f] - at : 64);
}
