/* iface.h - what a block looks like from outside, declared once.
 *
 * lib/blocks/<name>.def declares a target: its parameters, sizes, channels,
 * records, registers, storage, events and cover points.  From it come the
 * parameters with their help, the Verilog port list and constants, the adapters
 * of both simulators, the structs of golden model and stimulus, packing and
 * unpacking, the register map, the C header and the tables of the data sheet.
 * The .def is included several times; types.h and table.h turn it into structs
 * and tables.  The files of that folder are the list of all targets.
 *
 * What it is, first line:
 *   BLOCK (id, title, paper, preset)   has registers; id: in its first register
 *   SYSTEM(id, title, paper, preset)   instances and links, see system.h
 *   UNIT  (title, paper, preset)       a leaf without registers
 *   MACHINE_OF(preset)                 of a system with a host port: the machine
 *                                      that "--target system --preset P" means
 *
 * Parameters of the configuration, key "<name>.<param>":
 *   SIZE (param, NAME, what, unit, min, max, default, doc)   also the derived
 *   SIZE2(param, NAME, what, ...)   size NAME; SIZE2 must be a power of two
 *   INT  (param, unit, min, max, default, doc)
 *   POW2 (param, unit, min, max, default, doc)
 *   ENUM (param, "a|b|c", default index, doc)
 *   SET  (param, element names function, default mask, doc)
 *   LIST (param, min, max, (default numbers), doc)   distinct whole numbers
 *   MASKS(param, (default masks), doc)               sets of bits 0 to 63
 * Those that several declarations share stand in lib/shared/<group>.def; to use
 * a group, with the sizes it derives:
 *   #define USES mesh
 *   #include "decl/uses.h"
 *
 * Sizes and rules:
 *   LOCAL(NAME, expr, doc)      derived size.  expr is C over P(group_param) of
 *                               the configuration, earlier sizes and clog2()
 *   DERIVE(part, param, expr)   key "<part>.<param>" is not the user's, here: it
 *                               is expr, see derive.h.  A system says so of its
 *                               parts, in place of a CHECK that they agree
 *   FOLLOW(param, root, parts...)   "<part>.<param>" of each part is root's
 *   CHECK(expr, message)        configuration must satisfy expr
 *   VERIFY(call)                the same by a function that is given (cfg, d)
 *                               and reports what is wrong itself
 *   CONTAINS(name)              its templates instantiate that block or unit
 *
 * Ports, by channel; a width is an expression over sizes, legal C and Verilog; a
 * port of width 0 is not there in this configuration:
 *   CHANNEL(name, kind, doc)    kind as in enum channel_kind; its ports follow,
 *                               their names begin with the channel's.  doc "":
 *                               no heading, under the channel before
 *   IN (name, width, doc)       input of at most 64 bits
 *   OUT(name, width, doc)
 *   WIDE_IN (name, width, maxbits, doc)   wider ports: uint64_t name[words],
 *   WIDE_OUT(name, width, maxbits, doc)   least significant word first
 * clk, rst and the register port are not listed.
 *
 *   RECORD(name, doc, FIELD(name, width, doc) WIDE_FIELD(name, width, maxbits,
 *          doc) ...)            a packed word, lowest field first, without
 *                               gaps; a field of width 0 is not there, and its
 *                               doc may depend on sizes, too
 *   CODES(name, doc, CODE(NAME, doc) ...)   what the values of a field or port
 *                               mean, 0 first
 *   SETTING(name, width, reset, doc)      read/write register
 *   COUNTER(name, doc)          counts one event a cycle, saturating
 *   STATUS (name, width, doc)   read-only; the block's logic says what
 *   COMMAND(name, width, doc)   reads zero; a write of the whole word is told to
 *                               the block, with its data
 *   MEMORY(name, words, bits, doc)        storage, for the data sheet; with 0
 *                               words it is not there in this configuration
 *   FIGURE(name, what, unit, ours, paper) a number that the paper prints of the
 *                               hardware, beside ours under a configuration
 *   EVENT(name, condition, format, args)  C over in-> and out->
 *   COVER(name, doc)            something the tests must have made happen
 *   COVERS(part, names...)      of a system: these of an instance, "<part>_<name>",
 *                               with its texts
 *
 * Every output is compared on every cycle; see docs/architecture.md for what an
 * output shows while its valid is low.
 */
#ifndef NDP_IFACE_H
#define NDP_IFACE_H

#include "config/config.h"

#include <stddef.h>
#include <stdint.h>

enum iface_kind { IFACE_BLOCK, IFACE_SYSTEM, IFACE_UNIT };

/* Who begins a transfer, and whether it can be refused.  A transfer is an edge
 * with <channel>_valid and <channel>_ready; valid waits for nobody, the fields
 * stand still until it is taken, and are zero while there is nothing. */
enum channel_kind {
    SIGNALS,    /* no handshake */
    GIVES,      /* valid and fields go out, ready comes in */
    GIVES_OPEN, /* the same, but fields show anything while there is nothing */
    GIVES_ALL,  /* without ready: cannot be refused */
    TAKES,      /* valid and fields come in, ready goes out */
    TAKES_ALL,  /* without ready: cannot be refused */
    TAKES_EACH, /* ready has a bit for each value of the first field */
};

enum port_dir { PORT_GROUP, PORT_IN, PORT_OUT };

struct iface_port {
    enum port_dir dir; /* PORT_GROUP: a channel; kind, name and doc */
    enum channel_kind kind;
    const char *name;
    const char *width_text; /* the expression as declared */
    const char *doc;
    size_t offset; /* in the block's in or out struct */
    int words;     /* 64-bit words there */
};

struct iface_named { /* LOCAL, SETTING, COUNTER, STATUS, ..., COVER */
    const char *name;
    const char *text; /* LOCAL: expression; registers: width expression; COVERS:
                       * the part */
    const char *doc;  /* COVERS: NULL, see iface_cover_doc */
};

struct iface_part { /* an instance of a system; NULL: the end */
    const char *name;
    const struct iface *iface;
};

struct iface_derived {
    const char *key;  /* "host.warps" */
    const char *text; /* the expression as declared */
};

struct iface_figure {
    const char *name; /* "entry_bits", for machines */
    const char *what; /* "metadata entry", for people */
    const char *unit; /* "bits" */
    int paper;
};

struct iface_field {
    const char *name; /* NULL: ends the record */
    int words; /* in struct <block>_<record>_fields, behind the field before */
};

struct iface_code { /* NULL: the end */
    const char *name;
    const char *doc;
};

struct iface_codes {
    const char *name;
    const char *doc;
    const struct iface_code *codes; /* value 0 first */
};

struct iface_record {
    const char *name;
    const char *doc;
    const struct iface_field *fields; /* lowest first, ended by a NULL name */
    size_t size;                      /* of the struct */
};

struct design;

struct iface {
    const char *name; /* "nbu" */
    enum iface_kind kind;
    int id;                        /* of a block or system; -1 */
    const char *title;             /* "near-bank unit" */
    const char *paper;             /* "MPU, section IV-B" */
    const char *preset;            /* "mpu": the sizes of that paper */
    const char *const *machine_of; /* presets, NULL ends */
    const char *const *groups;     /* of parameters, its own first; NULL ends */
    const struct iface *const *contains; /* NULL ends */
    const struct iface_part *parts;      /* of a system */
    const struct iface_port *ports;
    int n_ports;
    const struct iface_named *locals;
    int n_locals;
    const char *const *local_groups; /* whose line it is, of each local */
    const struct iface_derived *derived;
    int n_derived;
    const struct iface_named *settings;
    int n_settings;
    const struct iface_named *counters;
    int n_counters;
    const struct iface_named *statuses;
    int n_statuses;
    const struct iface_named *commands;
    int n_commands;
    const struct iface_named *memories;
    int n_memories;
    const struct iface_figure *figures;
    int n_figures;
    const struct iface_named *covers;
    int n_covers;
    const struct iface_record *records;
    int n_records;
    const struct iface_codes *codes;
    int n_codes;
    size_t in_size, out_size; /* of the block's own structs */
    /* Fill what depends on the configuration, d->config; see design.h. */
    void (*size)(struct design *d);
    bool (*check)(const struct config *c, struct diag *d);
    /* The values of derived, in that order. */
    void (*derive)(const struct config *c, int64_t *value);
    /* Write "name field=value ..." of each event of this cycle, one a line. */
    void (*trace)(const void *in, const void *out, struct text *t);
    /* Of a system: say what it is made of; see system.h.  Else NULL. */
    void (*connect)(struct design *d);
};

/* All targets, NULL past the last; by name, NULL if unknown. */
const struct iface *iface_at(int n);
const struct iface *iface_find(const char *name);

/* Whether the target's RTL depends on parameter p: of its own, of a group that
 * it uses, or of what it contains. */
bool iface_uses(const struct iface *b, const struct param *p);

/* Whether b is part, or has it, or has something that has it.  A machine's
 * nature is what it is made of: one with "dies" computes near banks. */
bool iface_has(const struct iface *b, const struct iface *part);

/* Everything that the configuration must satisfy, of it and of what it
 * contains; derived keys (derive.h) must have been computed. */
bool iface_check(const struct iface *b, const struct config *c, struct diag *d);

/* The text of cover n: its own, or that of the part which it is of. */
const char *iface_cover_doc(const struct iface *b, int n);

/* Hash of the parameters that the target uses. */
uint64_t iface_hash(const struct iface *b, const struct config *c);

/* Register map shared by all blocks, as 32-bit word addresses. */
enum {
    REG_ID,      /* "NDP" and the block's id */
    REG_HASH_LO, /* configuration hash */
    REG_HASH_HI,
    REG_CONTROL, /* write bit 0: clear the counters; reads 0 */
    REG_FIRST    /* settings, counters, statuses, commands: each in the order
                  * of the declaration */
};

uint32_t iface_id(const struct iface *b);
bool iface_has_registers(const struct iface *b);
int iface_n_registers(const struct iface *b);
int iface_first_counter(const struct iface *b); /* word addresses */
int iface_first_status(const struct iface *b);
int iface_first_command(const struct iface *b);
int iface_address_bits(const struct iface *b); /* of wb_adr */

/* Bits to tell n things apart: 0 for n < 2. */
static inline int clog2(int64_t n) {
    int bits = 0;
    while (bits < 62 && ((int64_t)1 << bits) < n)
        bits++;
    return bits;
}

static inline int ceil_div(int a, int b) {
    return (a + b - 1) / b;
}

#endif
