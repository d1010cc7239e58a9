/* system.h - targets that are made of others: instances, links, address map.
 *
 * In lib/blocks/<name>.def, after SYSTEM(id, title, paper, preset):
 *
 *   INSTANCE (name, block, doc)            one of that block, system or unit
 *   INSTANCES(name, block, number, doc)    number of them, name_0, name_1, ...
 *   CONNECT(statements)                    C over the sizes, made of
 *     LINK(a, given, b, taken)             channel given of a into taken of b
 *     WIRE(a, output, b, input)            one signal
 *     TIE (a, input, value)                a constant
 *     CLOSE(a, channel)                    nobody is there: inputs are zero,
 *                                          outputs go nowhere
 *     DRAIN(a, given)                      who is there takes all: ready is one
 *     DROP_AT(a, i, output)                nobody reads that signal
 *     LINK_AT(a, i, given, b, j, taken)    the same between a_i and b_j
 *     WIRE_AT(a, i, output, b, j, input), TIE_AT(a, i, input, value),
 *     CLOSE_AT(a, i, channel), DRAIN_AT(a, i, given)
 *     links_mesh(d, width, height);        see below
 *
 * A link joins valid, ready and all fields, which must have the same names
 * behind the channel's and the same widths.  What is not connected is a port of
 * the system, <instance>_<port>.
 *
 * Register ports are not connected: the system has one, and its address map
 * gives each instance a region of the same size.  Region 0 is the system's own:
 * id, hash, control, and nothing else.
 *
 * From this come the top of the RTL, the golden composite, the map in the C
 * header, the picture in the data sheet and the paths in messages.
 *
 * Structs of inputs and outputs: the system's own (the register port), then
 * those of each instance, one behind the other, whole.  So an instance's part
 * is the struct that its declaration gives (in_offset, out_offset), and every
 * output of every instance is compared on every cycle, linked or not.
 */
#ifndef NDP_IFACE_SYSTEM_H
#define NDP_IFACE_SYSTEM_H

#include "design.h"

struct system_part {
    const char *name;  /* "controller", "router_3" */
    const char *group; /* "router" */
    const char *doc;
    struct design *design;
    size_t in_offset, out_offset;
    int region; /* of the address map, 0: it has no registers */
};

/* Where an input of an instance comes from. */
struct system_source {
    enum { FROM_PORT, FROM_OUTPUT, FROM_CONSTANT, FROM_BUS } kind;
    int instance, port; /* FROM_OUTPUT: in the instance's design */
    uint64_t value;     /* FROM_CONSTANT */
};

/* 0 if d is no system. */
int system_n(const struct design *d);
const struct system_part *system_instance(const struct design *d, int i);

/* The source of input port p of instance i. */
const struct system_source *system_source(const struct design *d, int i, int p);

/* A port of d by its path: "controller.ans_warp", of a leaf "ans_warp".  Append
 * to t. */
void system_path(const struct design *d, const struct design_port *p,
                 struct text *t);

/* Whether output p of instance i is a port of the system. */
bool system_is_port(const struct design *d, int i, int p);

/* Whether output p of instance i goes nowhere, as its channel is closed. */
bool system_is_closed(const struct design *d, int i, int p);

/* Bits of a word address within a region; those above are the region's number.
 */
int system_offset_bits(const struct design *d);

/* Complete the inputs of an edge: what links, ties and the register port give,
 * from the outputs as they stand before it.  Does nothing unless d is a system.
 */
void system_inputs(const struct design *d, void *in, const void *out);

/* The same as runs of words, in order of the instances that they come from; and
 * the inputs that are ports of the system, with from -1 and out equal to in.
 * Offsets are those of the system's structs. */
struct system_run {
    int from, to; /* instances */
    size_t out, in;
    int words;
    bool strict; /* the first word is a valid; while it is 0, all are */
};
const struct system_run *system_runs(const struct design *d, int *n);
const struct system_run *system_port_runs(const struct design *d, int *n);

/* Whether there is an access over the register port; the instance that it is
 * for, -1: the system's own registers, which also answer, with zero, for
 * addresses that nobody has; that instance's inputs of it. */
bool system_bus_cyc(const struct design *d, const void *in);
int system_bus_part(const struct design *d, const void *in);
void system_drive_bus(const struct design *d, int i, void *in, const void *out);

/* What that instance answers; out: its own outputs. */
void system_bus_answer(const struct design *d, int i, const void *out,
                       uint64_t *dat_r, uint64_t *ack);

/* For table.h.  number -1: one, without a number in its name. */
void system_make(struct design *d);
void system_free(struct design *d);
void system_add(struct design *d, const char *name, const struct iface *b,
                const char *doc, int number);
int system_index(const struct design *d, const char *name, int number);
void system_link(struct design *d, int a, const char *given, int b,
                 const char *taken);
void system_wire(struct design *d, int a, const char *output, int b,
                 const char *input);
void system_tie(struct design *d, int a, const char *input, uint64_t value);
void system_close(struct design *d, int a, const char *channel);
void system_drain(struct design *d, int a, const char *channel);
void system_drop(struct design *d, int a, const char *output);

/* links.c: width times height instances of groups "router" and "nic" as a mesh:
 * each router beside its neighbours, closed at the rim, each nic at its router,
 * whose places are tied. */
void links_mesh(struct design *d, int width, int height);

/* The same; between gives the instance of a link (lib/blocks/link.def) that a hop
 * from a node to its neighbour goes over, -1: none. */
void links_mesh_over(struct design *d, int width, int height,
                     int (*between)(const struct design *d, int from, int to));

#define LINK_AT(a, i, given, b, j, taken)                                      \
    system_link(d, system_index(d, #a, i), #given, system_index(d, #b, j),     \
                #taken);
#define WIRE_AT(a, i, output, b, j, input)                                     \
    system_wire(d, system_index(d, #a, i), #output, system_index(d, #b, j),    \
                #input);
#define TIE_AT(a, i, input, value)                                             \
    system_tie(d, system_index(d, #a, i), #input, value);
#define CLOSE_AT(a, i, channel)                                                \
    system_close(d, system_index(d, #a, i), #channel);
#define DROP_AT(a, i, output) system_drop(d, system_index(d, #a, i), #output);
#define DRAIN_AT(a, i, given) system_drain(d, system_index(d, #a, i), #given);
#define LINK(a, given, b, taken) LINK_AT(a, -1, given, b, -1, taken)
#define WIRE(a, output, b, input) WIRE_AT(a, -1, output, b, -1, input)
#define TIE(a, input, value) TIE_AT(a, -1, input, value)
#define CLOSE(a, channel) CLOSE_AT(a, -1, channel)
#define DRAIN(a, given) DRAIN_AT(a, -1, given)

#endif
