/* iface.h - what a block looks like from outside, declared once.
 *
 * lib/blocks/<block>.def lists a block's derived sizes, ports, settings,
 * counters, memories, events and cover points.  From that list come
 * the Verilog port list, both simulator adapters, the golden model's input and
 * output structs, the register map and the documentation tables.  The .def is
 * included several times; iface_gen.h turns it into structs and tables.
 *
 *   LOCAL(NAME, expr, doc)      derived size.  expr is C over P(field) of the
 *                               configuration, earlier LOCALs and clog2()
 *   CHECK(expr, message)        configuration must satisfy expr
 *   VERIFY(function)            the same by a function of (config, diag) that
 *                               reports what is wrong itself
 *   GROUP(name, doc)            starts a channel in listings
 *   IN (name, width, doc)       input of at most 64 bits; width is an
 *   OUT(name, width, doc)       expression over LOCALs, legal C and Verilog
 *   WIDE_IN (name, width, maxbits, doc)   wider ports: uint64_t name[words],
 *   WIDE_OUT(name, width, maxbits, doc)   least significant word first
 *   SETTING(name, width, reset, doc)      read/write register of the block
 *   COUNTER(name, doc)                    counts one event a cycle, saturating
 *   MEMORY(name, words, bits, doc)        storage, for the data sheet; with 0
 *                               words it is not there in this configuration
 *   FIGURE(name, what, unit, ours, paper)  a number that the paper prints of
 *                               the hardware, beside ours under a configuration
 *   EVENT(name, condition, format, args, doc)  C over in-> and out->
 *   COVER(name, doc)            something the tests must have made happen
 *
 * clk, rst and the Wishbone slave (wb_*) belong to every block and are not
 * listed.  Every output is compared on every cycle; see docs/architecture.md
 * for what an output shows while its valid is low.
 */
#ifndef NDP_IFACE_H
#define NDP_IFACE_H

#include "config/config.h"

#include <stddef.h>
#include <stdint.h>

enum port_dir { PORT_GROUP, PORT_IN, PORT_OUT };

struct iface_port {
    enum port_dir dir; /* PORT_GROUP: a heading, only name and doc */
    const char *name;
    const char *width_text; /* the expression as declared */
    const char *doc;
    size_t offset; /* in the block's in or out struct */
    int words;     /* 64-bit words there */
};

struct iface_named { /* LOCAL, SETTING, COUNTER, MEMORY, COVER */
    const char *name;
    const char *text; /* LOCAL: expression; SETTING: width expression */
    const char *doc;
};

enum { IFACE_FIGURES = 8 };

/* Values that depend on the configuration, in declaration order. */
struct iface_sizes {
    int local[48];
    int port_width[160];
    int setting_width[16];
    uint32_t setting_reset[16];
    int64_t memory_words[32];
    int64_t memory_bits[32]; /* of one word */
    int figure[IFACE_FIGURES];
};

struct iface_figure {
    const char *name; /* "entry_bits", for machines */
    const char *what; /* "metadata entry", for people */
    const char *unit; /* "bits" */
    int paper;
};

struct iface {
    const char *name;   /* "nbu" */
    const char *title;  /* "near-bank unit" */
    const char *paper;  /* "MPU, section IV-B" */
    const char *preset; /* "mpu": the sizes of that paper */
    const struct iface_port *ports;
    int n_ports;
    const struct iface_named *locals;
    int n_locals;
    const struct iface_named *settings;
    int n_settings;
    const struct iface_named *counters;
    int n_counters;
    const struct iface_named *memories;
    int n_memories;
    const struct iface_figure *figures;
    int n_figures;
    const struct iface_named *covers;
    int n_covers;
    size_t in_size, out_size; /* of the block's structs */
    void (*sizes)(const struct config *c, struct iface_sizes *s);
    bool (*check)(const struct config *c, struct diag *d);
    /* Write "name field=value ..." of each event of this cycle, one a line. */
    void (*trace)(const void *in, const void *out, struct text *t);
};

/* All blocks, NULL past the last; by name, NULL if unknown. */
const struct iface *iface_at(int n);
const struct iface *iface_find(const char *name);

/* Register map shared by all blocks, as 32-bit word addresses. */
enum {
    REG_ID,      /* "NDP" and the block's position in iface_at */
    REG_HASH_LO, /* configuration hash */
    REG_HASH_HI,
    REG_CONTROL, /* write bit 0: clear the counters; reads 0 */
    REG_FIRST    /* settings, then counters, in declaration order */
};

uint32_t iface_id(const struct iface *b);
int iface_n_registers(const struct iface *b);
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
