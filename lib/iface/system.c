/* system.c - targets that are made of others; see system.h.
 *
 * A declaration's CONNECT runs once and leaves, for each input of each
 * instance, where it comes from.  From that follow the system's ports and a
 * list of runs of words between the structs of outputs and inputs, which is all
 * that an edge does.
 */
#include "system.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INSTANCES = 4096 };

struct constant {
    size_t to;
    uint64_t value;
};

/* Offsets of a register port. */
struct bus {
    size_t cyc, stb, we, adr, dat_w, sel; /* inputs */
    size_t dat_r, ack;                    /* outputs */
    int adr_bits;
};

struct system {
    int n;
    struct system_part instance[MOST_INSTANCES];
    int group[MOST_INSTANCES], n_groups; /* first instance of each name */
    struct system_source *source[MOST_INSTANCES]; /* by port */
    bool *linked[MOST_INSTANCES];                 /* by port: an output */
    bool *closed[MOST_INSTANCES];                 /* the same */
    struct bus bus[MOST_INSTANCES], own;
    int offset_bits;
    struct system_run *run, *port_run;
    struct constant *constant;
    int n_runs, n_port_runs, n_constants;
};

int system_n(const struct design *d) {
    return d->system ? d->system->n : 0;
}

const struct system_part *system_instance(const struct design *d, int i) {
    return &d->system->instance[i];
}

const struct system_source *system_source(const struct design *d, int i,
                                          int p) {
    return &d->system->source[i][p];
}

void system_path(const struct design *d, const struct design_port *p,
                 struct text *t) {
    size_t skip = 0;
    if (d->system && p->instance >= 0) {
        const char *name = system_instance(d, p->instance)->name;
        skip = strlen(name) + 1;
        text_printf(t, "%s.", name);
    }
    text_add(t, p->name + skip);
}

int system_offset_bits(const struct design *d) {
    return d->system->offset_bits;
}

/* --- the declaration ------------------------------------------------------ */

static char *name_of(struct design *d, const char *first, const char *second,
                     int number) {
    struct text t = {0};
    text_add(&t, first);
    if (second)
        text_printf(&t, "_%s", second);
    if (number >= 0)
        text_printf(&t, "_%d", number);
    char *name = arena_strdup(&d->arena, text_str(&t));
    text_free(&t);
    return name;
}

static void add(struct design *d, const char *name, struct design *sub,
                const char *doc, int number) {
    struct system *s = d->system;
    if (s->n == MOST_INSTANCES)
        BUG("system '%s' has more than %d instances", d->iface->name,
            MOST_INSTANCES);
    s->source[s->n] =
        arena_array(&d->arena, (size_t)sub->n_ports, sizeof **s->source);
    s->linked[s->n] =
        arena_array(&d->arena, (size_t)sub->n_ports, sizeof **s->linked);
    s->closed[s->n] =
        arena_array(&d->arena, (size_t)sub->n_ports, sizeof **s->closed);
    s->instance[s->n++] = (struct system_part){
        .name = name_of(d, name, NULL, number),
        .group = name,
        .doc = doc,
        .design = sub,
        .in_offset = d->in_size,
        .out_offset = d->out_size,
    };
    d->in_size += sub->in_size;
    d->out_size += sub->out_size;
}

void system_add(struct design *d, const char *name, const struct iface *b,
                const char *doc, int number) {
    if (number == 0)
        return;
    struct design *sub = design_make(b, &d->config); /* they are all alike */
    d->system->group[d->system->n_groups++] = d->system->n;
    for (int i = 0; i < number; i++)
        add(d, name, sub, doc, i);
    if (number < 0)
        add(d, name, sub, doc, -1);
}

int system_index(const struct design *d, const char *name, int number) {
    const struct system *s = d->system;
    for (int g = 0; g < s->n_groups; g++) {
        int i = s->group[g];
        if (strcmp(s->instance[i].group, name) == 0)
            return number < 0 ? i : i + number;
    }
    BUG("system '%s' has no instance '%s'", d->iface->name, name);
}

/* Position of a port of an instance, -1: it has none of that name. */
static int find(const struct design *d, int i, enum port_dir dir,
                const char *channel, const char *field) {
    const struct design *sub = d->system->instance[i].design;
    struct text name = {0};
    int found = -1;
    text_printf(&name, "%s%s%s", channel, field ? "_" : "", field ? field : "");
    for (int p = 0; p < sub->n_ports && found < 0; p++)
        if (sub->ports[p].dir == dir && !sub->ports[p].internal &&
            strcmp(sub->ports[p].name, text_str(&name)) == 0)
            found = p;
    text_free(&name);
    return found;
}

/* Output p of instance a drives input q of instance b. */
static void join(struct design *d, int a, int p, int b, int q) {
    struct system *s = d->system;
    const struct design_port *from = &s->instance[a].design->ports[p];
    const struct design_port *to = &s->instance[b].design->ports[q];
    if (from->width != to->width)
        BUG("system '%s': '%s.%s' has %d bits, '%s.%s' %d", d->iface->name,
            s->instance[a].name, from->name, from->width, s->instance[b].name,
            to->name, to->width);
    if (s->source[b][q].kind != FROM_PORT)
        BUG("system '%s': '%s.%s' is driven twice", d->iface->name,
            s->instance[b].name, to->name);
    s->source[b][q] =
        (struct system_source){.kind = FROM_OUTPUT, .instance = a, .port = p};
    s->linked[a][p] = true;
}

static void no_port(const struct design *d, int i, const char *what,
                    const char *name) {
    BUG("system '%s': '%s' has no %s '%s'", d->iface->name,
        d->system->instance[i].name, what, name);
}

static void tie(struct design *d, int a, int q, uint64_t value) {
    struct system *s = d->system;
    if (s->source[a][q].kind != FROM_PORT)
        BUG("system '%s': '%s.%s' is driven twice", d->iface->name,
            s->instance[a].name, s->instance[a].design->ports[q].name);
    s->source[a][q] =
        (struct system_source){.kind = FROM_CONSTANT, .value = value};
}

void system_wire(struct design *d, int a, const char *output, int b,
                 const char *input) {
    int p = find(d, a, PORT_OUT, output, NULL);
    int q = find(d, b, PORT_IN, input, NULL);
    if (p < 0)
        no_port(d, a, "output", output);
    if (q < 0)
        no_port(d, b, "input", input);
    join(d, a, p, b, q);
}

void system_drop(struct design *d, int a, const char *output) {
    int p = find(d, a, PORT_OUT, output, NULL);
    if (p < 0)
        no_port(d, a, "output", output);
    d->system->closed[a][p] = true;
}

void system_tie(struct design *d, int a, const char *input, uint64_t value) {
    int q = find(d, a, PORT_IN, input, NULL);
    if (q < 0)
        no_port(d, a, "input", input);
    tie(d, a, q, value);
}

/* The heading of a channel of an instance; its ports follow. */
static int find_channel(const struct design *d, int i, const char *name) {
    const struct design *sub = d->system->instance[i].design;
    for (int p = 0; p < sub->n_ports; p++)
        if (sub->ports[p].dir == PORT_GROUP &&
            strcmp(sub->ports[p].name, name) == 0)
            return p;
    no_port(d, i, "channel", name);
    return -1;
}

static void end_channel(struct design *d, int a, const char *channel,
                        uint64_t inputs) {
    const struct design *sub = d->system->instance[a].design;
    for (int p = find_channel(d, a, channel) + 1;
         p < sub->n_ports && sub->ports[p].dir != PORT_GROUP; p++) {
        if (sub->ports[p].dir == PORT_IN)
            tie(d, a, p, inputs);
        else
            d->system->closed[a][p] = true;
    }
}

void system_close(struct design *d, int a, const char *channel) {
    end_channel(d, a, channel, 0);
}

void system_drain(struct design *d, int a, const char *channel) {
    const struct design *sub = d->system->instance[a].design;
    if (sub->ports[find_channel(d, a, channel)].kind != GIVES)
        no_port(d, a, "channel to drain", channel);
    end_channel(d, a, channel, 1);
}

/* The n-th port behind a heading if it is a field of the channel, or valid:
 * what stands behind the channel's name.  NULL past the last; "" for another
 * kind of port. */
static const char *field_of(const struct design *sub, int heading, int n,
                            enum port_dir dir) {
    const struct design_port *h = &sub->ports[heading], *p = h + 1 + n;
    size_t len = strlen(h->name);
    if (p == sub->ports + sub->n_ports || p->dir == PORT_GROUP)
        return NULL;
    if (p->dir != dir || strncmp(p->name, h->name, len) != 0 ||
        p->name[len] != '_')
        return "";
    return p->name + len + 1;
}

/* The kind of a channel, which must be one of those that give (or take). */
static enum channel_kind kind_of(const struct design *d, int i,
                                 const char *channel, bool gives) {
    const struct design *sub = d->system->instance[i].design;
    enum channel_kind k = sub->ports[find_channel(d, i, channel)].kind;
    bool fits = gives ? k == GIVES || k == GIVES_OPEN || k == GIVES_ALL
                      : k == TAKES || k == TAKES_ALL;
    if (!fits)
        BUG("system '%s': channel '%s.%s' goes the other way or has no "
            "handshake",
            d->iface->name, d->system->instance[i].name, channel);
    return k;
}

void system_link(struct design *d, int a, const char *given, int b,
                 const char *taken) {
    const struct design *from = d->system->instance[a].design;
    bool can_wait = kind_of(d, a, given, true) != GIVES_ALL;
    bool may_refuse = kind_of(d, b, taken, false) == TAKES;
    int heading = find_channel(d, a, given), fields = 0;
    const char *field;
    for (int n = 0; (field = field_of(from, heading, n, PORT_OUT)); n++) {
        if (!*field)
            continue;
        int q = find(d, b, PORT_IN, taken, field);
        if (q < 0)
            no_port(d, b, "input for field", field);
        join(d, a, heading + 1 + n, b, q);
        fields++;
    }
    const struct design *to = d->system->instance[b].design;
    heading = find_channel(d, b, taken);
    for (int n = 0; (field = field_of(to, heading, n, PORT_IN)); n++)
        fields -= *field != '\0';
    if (fields != 0)
        BUG("system '%s': channels '%s' and '%s' have not the same fields",
            d->iface->name, given, taken);
    if (may_refuse && !can_wait)
        BUG("system '%s': '%s' cannot be refused, but '%s' may do so",
            d->iface->name, given, taken);
    if (may_refuse)
        join(d, b, find(d, b, PORT_OUT, taken, "ready"), a,
             find(d, a, PORT_IN, given, "ready"));
    else if (can_wait)
        d->system->source[a][find(d, a, PORT_IN, given, "ready")] =
            (struct system_source){.kind = FROM_CONSTANT, .value = 1};
}

/* --- what follows --------------------------------------------------------- */

bool system_is_port(const struct design *d, int i, int p) {
    const struct design_port *port = &d->system->instance[i].design->ports[p];
    if (port->internal)
        return false;
    if (port->dir == PORT_IN)
        return d->system->source[i][p].kind == FROM_PORT;
    return !d->system->linked[i][p] && !d->system->closed[i][p] &&
           strncmp(port->name, "wb_", 3) != 0;
}

bool system_is_closed(const struct design *d, int i, int p) {
    return d->system->closed[i][p];
}

static size_t offset_of(const struct design *d, const char *name) {
    const struct design_port *p = design_port(d, name);
    if (!p)
        BUG("'%s' has no port '%s'", d->iface->name, name);
    return p->offset;
}

static struct bus bus_of(const struct design *d) {
    return (struct bus){
        .cyc = offset_of(d, "wb_cyc"),
        .stb = offset_of(d, "wb_stb"),
        .we = offset_of(d, "wb_we"),
        .adr = offset_of(d, "wb_adr"),
        .dat_w = offset_of(d, "wb_dat_w"),
        .sel = offset_of(d, "wb_sel"),
        .dat_r = offset_of(d, "wb_dat_r"),
        .ack = offset_of(d, "wb_ack"),
        .adr_bits = d->address_bits,
    };
}

/* Regions of the address map, in the order of the instances. */
static void map_addresses(struct design *d) {
    struct system *s = d->system;
    int regions = 1;
    s->own = bus_of(d);
    s->offset_bits = d->address_bits;
    for (int i = 0; i < s->n; i++) {
        struct system_part *at = &s->instance[i];
        if (!iface_has_registers(at->design->iface))
            continue;
        at->region = regions++;
        s->bus[i] = bus_of(at->design);
        if (at->design->address_bits > s->offset_bits)
            s->offset_bits = at->design->address_bits;
        for (int p = 0; p < at->design->n_ports; p++)
            if (at->design->ports[p].dir == PORT_IN &&
                strncmp(at->design->ports[p].name, "wb_", 3) == 0)
                s->source[i][p].kind = FROM_BUS;
    }
    d->address_bits = s->offset_bits + clog2(regions);
    for (int p = 0; p < d->n_ports; p++)
        if (strcmp(d->ports[p].name, "wb_adr") == 0)
            d->ports[p].width = d->address_bits;
    for (int n = 0; n < d->iface->n_locals; n++)
        if (strcmp(d->iface->locals[n].name, "WB_ADR_W") == 0)
            d->local[n] = d->address_bits;
}

/* Headings only where a port follows; what is linked comes as internal. */
static void add_ports(struct design *d, int i) {
    const struct system_part *at = &d->system->instance[i];
    const struct design_port *heading = NULL;
    for (int p = 0; p < at->design->n_ports; p++) {
        struct design_port port = at->design->ports[p];
        bool is_heading = port.dir == PORT_GROUP;
        if (is_heading)
            heading = &at->design->ports[p];
        bool is_port = !is_heading && system_is_port(d, i, p);
        if (is_heading || (port.dir == PORT_IN && !is_port))
            continue;
        if (is_port && heading) {
            d->ports[d->n_ports] = *heading;
            d->ports[d->n_ports].instance = i;
            d->ports[d->n_ports++].name =
                name_of(d, at->name, heading->name, -1);
            heading = NULL;
        }
        port.name = name_of(d, at->name, port.name, -1);
        port.offset += port.dir == PORT_IN ? at->in_offset : at->out_offset;
        port.instance = i;
        port.internal = !is_port;
        d->ports[d->n_ports++] = port;
    }
}

static void make_ports(struct design *d) {
    struct design_port *own = d->ports;
    int n_own = d->n_ports, most = n_own;
    for (int i = 0; i < d->system->n; i++)
        most += 2 * d->system->instance[i].design->n_ports;
    d->ports = arena_array(&d->arena, (size_t)most, sizeof *d->ports);
    d->n_ports = 0;
    for (int i = 0; i < d->system->n; i++)
        add_ports(d, i);
    memcpy(d->ports + d->n_ports, own, (size_t)n_own * sizeof *own);
    d->n_ports += n_own;
}

/* Whether a channel's fields are zero while its valid, output p, is low. */
static bool is_strict_valid(const struct design *sub, int p) {
    int heading = p - 1;
    while (heading >= 0 && sub->ports[heading].dir != PORT_GROUP)
        heading--;
    if (heading < 0 || (sub->ports[heading].kind != GIVES &&
                        sub->ports[heading].kind != GIVES_ALL))
        return false;
    const char *name = sub->ports[heading].name;
    size_t len = strlen(name);
    return strncmp(sub->ports[p].name, name, len) == 0 &&
           strcmp(sub->ports[p].name + len, "_valid") == 0;
}

/* Append to a list; what continues its last run on both sides makes that
 * longer, within a channel. */
static void add_run(struct system_run *list, int *n, struct system_run r,
                    bool new_channel) {
    struct system_run *last = *n ? &list[*n - 1] : NULL;
    size_t bytes = last ? (size_t)last->words * sizeof(uint64_t) : 0;
    if (last && !new_channel && last->from == r.from && last->to == r.to &&
        last->out + bytes == r.out && last->in + bytes == r.in)
        last->words += r.words;
    else
        list[(*n)++] = r;
}

/* new_channel: the input is the first one behind a heading. */
static void compile_input(struct design *d, int i, int p, bool new_channel) {
    struct system *s = d->system;
    const struct system_source *from = &s->source[i][p];
    const struct design_port *port = &s->instance[i].design->ports[p];
    size_t in = s->instance[i].in_offset + port->offset;
    if (from->kind == FROM_CONSTANT) {
        s->constant[s->n_constants++] = (struct constant){in, from->value};
    } else if (from->kind == FROM_OUTPUT) {
        const struct system_part *a = &s->instance[from->instance];
        const struct design_port *out = &a->design->ports[from->port];
        add_run(
            s->run, &s->n_runs,
            (struct system_run){
                .from = from->instance,
                .to = i,
                .out = a->out_offset + out->offset,
                .in = in,
                .words = out->words < port->words ? out->words : port->words,
                .strict = is_strict_valid(a->design, from->port)},
            new_channel);
    } else if (from->kind == FROM_PORT) {
        add_run(
            s->port_run, &s->n_port_runs,
            (struct system_run){
                .from = -1, .to = i, .out = in, .in = in, .words = port->words},
            false);
    }
}

static int by_source(const void *a, const void *b) {
    const struct system_run *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->in < y->in ? -1 : x->in > y->in;
}

static void compile(struct design *d) {
    struct system *s = d->system;
    size_t most = 0;
    for (int i = 0; i < s->n; i++)
        most += (size_t)s->instance[i].design->n_ports;
    s->run = arena_array(&d->arena, most, sizeof *s->run);
    s->port_run = arena_array(&d->arena, most, sizeof *s->port_run);
    s->constant = arena_array(&d->arena, most, sizeof *s->constant);
    for (int i = 0; i < s->n; i++) {
        const struct design *sub = s->instance[i].design;
        bool new_channel = true;
        for (int p = 0; p < sub->n_ports; p++) {
            if (sub->ports[p].dir == PORT_IN)
                compile_input(d, i, p, new_channel);
            if (sub->ports[p].dir != PORT_OUT)
                new_channel = sub->ports[p].dir == PORT_GROUP;
        }
    }
    qsort(s->run, (size_t)s->n_runs, sizeof *s->run, by_source);
}

const struct system_run *system_runs(const struct design *d, int *n) {
    *n = d->system->n_runs;
    return d->system->run;
}

const struct system_run *system_port_runs(const struct design *d, int *n) {
    *n = d->system->n_port_runs;
    return d->system->port_run;
}

void system_make(struct design *d) {
    d->system = arena_alloc(&d->arena, sizeof *d->system);
    d->iface->connect(d);
    map_addresses(d);
    make_ports(d);
    compile(d);
}

void system_free(struct design *d) {
    for (int g = 0; d->system && g < d->system->n_groups; g++)
        design_free(d->system->instance[d->system->group[g]].design);
}

/* --- an edge -------------------------------------------------------------- */

static uint64_t word(const void *ports, size_t offset) {
    return *(const uint64_t *)(const void *)((const char *)ports + offset);
}

static uint64_t *place(void *ports, size_t offset) {
    return (uint64_t *)(void *)((char *)ports + offset);
}

/* Whether the access on the bus is for instance i. */
static bool is_for(const struct system *s, int i, uint64_t adr) {
    int region = s->instance[i].region;
    return region > 0 && adr >> s->offset_bits == (uint64_t)region &&
           (adr & (((uint64_t)1 << s->offset_bits) - 1)) >>
                   s->bus[i].adr_bits ==
               0;
}

int system_bus_part(const struct design *d, const void *in) {
    const struct system *s = d->system;
    uint64_t adr = word(in, s->own.adr);
    for (int i = 0; i < s->n; i++)
        if (is_for(s, i, adr))
            return i;
    return -1;
}

/* While the system acknowledges one access it takes no other, as any block. */
void system_drive_bus(const struct design *d, int i, void *in,
                      const void *out) {
    const struct system *s = d->system;
    const struct bus *from = &s->own, *to = &s->bus[i];
    void *part = (char *)in + s->instance[i].in_offset;
    uint64_t adr = word(in, from->adr);
    *place(part, to->cyc) =
        word(in, from->cyc) && is_for(s, i, adr) && !word(out, from->ack);
    *place(part, to->stb) = word(in, from->stb);
    *place(part, to->we) = word(in, from->we);
    *place(part, to->adr) = adr & (((uint64_t)1 << to->adr_bits) - 1);
    *place(part, to->dat_w) = word(in, from->dat_w);
    *place(part, to->sel) = word(in, from->sel);
}

void system_inputs(const struct design *d, void *in, const void *out) {
    const struct system *s = d->system;
    if (!s)
        return;
    for (int n = 0; n < s->n_runs; n++)
        memcpy((char *)in + s->run[n].in, (const char *)out + s->run[n].out,
               (size_t)s->run[n].words * sizeof(uint64_t));
    for (int n = 0; n < s->n_constants; n++)
        *place(in, s->constant[n].to) = s->constant[n].value;
    for (int i = 0; i < s->n; i++) {
        const struct system_part *at = &s->instance[i];
        if (at->region > 0)
            system_drive_bus(d, i, in, out);
        system_inputs(at->design, (char *)in + at->in_offset,
                      (const char *)out + at->out_offset);
    }
}

bool system_bus_cyc(const struct design *d, const void *in) {
    return word(in, d->system->own.cyc) & 1;
}

void system_bus_answer(const struct design *d, int i, const void *out,
                       uint64_t *dat_r, uint64_t *ack) {
    const struct bus *b = &d->system->bus[i];
    *dat_r = word(out, b->dat_r);
    *ack = word(out, b->ack);
}
