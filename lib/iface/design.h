/* design.h - a declaration under a configuration: what is emitted, modelled and
 * compared.
 *
 *     struct design *d = design_make(&nbu_iface, &config);
 *     d->ports[i].width, d->local[n], ...
 *     design_free(d);
 *
 * The configuration must satisfy iface_check.  Arrays have the length and order
 * of the declaration's, but for ports: one of width 0 is not there, and those of
 * a system depend on the configuration (system.h).
 */
#ifndef NDP_IFACE_DESIGN_H
#define NDP_IFACE_DESIGN_H

#include "base/arena.h"
#include "iface.h"

struct design_port {
    enum port_dir dir; /* PORT_GROUP: a channel */
    enum channel_kind kind;
    const char *name;
    const char *width_text;
    const char *doc;
    int width;
    size_t offset; /* in the in or out struct */
    int words;
    int instance;  /* of a system: whose port it is, -1: its own */
    bool internal; /* of a system: linked, so no port of the RTL's top */
};

/* Where a record's fields lie in its packed words. */
struct design_record {
    const struct iface_record *decl;
    int n_fields;
    int *lsb, *width; /* by field; a width of 0: not there */
    const char **doc;
    int bits; /* of all */
};

struct design_memory {
    int64_t words, width; /* width: bits of a word */
};

struct design_setting {
    int width;
    uint32_t reset;
};

struct design {
    const struct iface *iface;
    struct config config;
    uint64_t hash; /* of the parameters it uses */
    struct design_port *ports;
    int n_ports;
    size_t in_size, out_size; /* of the structs that ports lie in */
    int *local;
    struct design_setting *setting;
    int *status, *command; /* bits of these registers */
    struct design_memory *memory;
    int *figure;
    struct design_record *record;
    int address_bits; /* of the register block: its wb_adr, if it has one */
    struct system *system; /* NULL unless it is one */
    struct arena arena;    /* of all this */
};

struct design *design_make(const struct iface *b, const struct config *c);
void design_free(struct design *d); /* NULL is allowed */

/* The port of that name, NULL if there is none; a channel's heading is no port.
 */
const struct design_port *design_port(const struct design *d, const char *name);

/* Bits of all memories together. */
int64_t design_storage(const struct design *d);

/* Events of an edge of the design and of all that it is made of, one a line,
 * an instance's after its path and a '.'.  in: inputs before the edge with
 * those that links give (system_inputs), out: outputs before the edge. */
void design_trace(const struct design *d, const void *in, const void *out,
                  struct text *t);

/* fields: struct <block>_<record>_fields.  words: (bits + 63) / 64 of them, bit
 * 0 lowest; pack writes all of them.  A field's bits above its width are left
 * out. */
void record_pack(const struct design_record *r, const void *fields,
                 uint64_t *words);
void record_unpack(const struct design_record *r, const uint64_t *words,
                   void *fields);

/* For table.h: add a port, by its place in the declaration, or the next field. */
void design_add_port(struct design *d, int declared, int width);
void design_add_field(struct design *d, int record, int width, const char *doc);

#endif
