/* table.h - the struct iface of one declaration, from its .def.
 *
 * Included once, by blocks/<name>.c (scripts/blocks.sh writes it), with DECL,
 * DECL_DEF and for a unit DECL_IS_UNIT defined, after blocks/<name>.h.  Inside
 * the .def's expressions the sizes are in scope as constants, and P(field)
 * reads the configuration.
 */
#include "decl/clear.h"
#include "design.h"
#include "decl/glue.h"
#include "system.h"

#define P(field) (cfg->field)

enum {
    N_REGISTERS = 0 /* behind those that every block has */
#define SETTING(name, width, reset, doc) +1
#define COUNTER(name, doc) +1
#define STATUS(name, width, doc) +1
#define COMMAND(name, width, doc) +1
#include "decl/expand.h"
};

static const struct iface_port ports[] = {
#define PORT_ROW(dir, side, name, width, doc, words)                           \
    {dir,    SIGNALS, #name,                                                   \
     #width, doc,     offsetof(struct DECL_GLUE(DECL, side), name),            \
     words},
#define CHANNEL(name, kind, doc) {PORT_GROUP, kind, #name, NULL, doc, 0, 0},
#define IN(name, width, doc) PORT_ROW(PORT_IN, _in, name, width, doc, 1)
#define OUT(name, width, doc) PORT_ROW(PORT_OUT, _out, name, width, doc, 1)
#define WIDE_IN(name, width, maxbits, doc)                                     \
    PORT_ROW(PORT_IN, _in, name, width, doc, ((maxbits) + 63) / 64)
#define WIDE_OUT(name, width, maxbits, doc)                                    \
    PORT_ROW(PORT_OUT, _out, name, width, doc, ((maxbits) + 63) / 64)
#include "decl/expand_all.h"
};

/* Each table ends with an empty entry: a declaration may have none of a kind.
 */
static const char *const groups[] = {DECL_TEXT(DECL),
#define SHARED(group) #group,
#include "decl/expand_all.h"
                                     NULL};

static const char *const machine_of[] = {
#define MACHINE_OF(preset) #preset,
#include "decl/expand.h"
    NULL};

#define CONTAINS(name) extern const struct iface name##_iface;
#define INSTANCE(name, block, doc) extern const struct iface block##_iface;
#define INSTANCES(name, block, number, doc)                                    \
    extern const struct iface block##_iface;
#include "decl/expand.h"

static const struct iface *const contains[] = {
#define CONTAINS(name) &name##_iface,
#define INSTANCE(name, block, doc) &block##_iface,
#define INSTANCES(name, block, number, doc) &block##_iface,
#include "decl/expand.h"
    NULL};

static const struct iface_part parts[] = {
#define INSTANCE(name, block, doc) {#name, &block##_iface},
#define INSTANCES(name, block, number, doc) {#name, &block##_iface},
#include "decl/expand.h"
    {NULL, NULL}};

static const struct iface_named locals[] = {
#define LOCAL(name, expr, doc) {#name, #expr, doc},
#include "decl/expand_all.h"
    {NULL, NULL, NULL}};

static const char *const local_groups[] = {
#define LOCAL(name, expr, doc) DECL_TEXT(OWNER),
#include "decl/expand_all.h"
    NULL};

static const struct iface_derived derived[] = {
#define DERIVE(part, param, expr) {#part "." #param, #expr},
#include "decl/expand.h"
    {NULL, NULL}};

static const struct iface_named settings[] = {
#define SETTING(name, width, reset, doc) {#name, #width, doc},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

static const struct iface_named counters[] = {
#define COUNTER(name, doc) {#name, NULL, doc},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

static const struct iface_named statuses[] = {
#define STATUS(name, width, doc) {#name, #width, doc},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

static const struct iface_named commands[] = {
#define COMMAND(name, width, doc) {#name, #width, doc},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

static const struct iface_named memories[] = {
#define MEMORY(name, words, bits, doc) {#name, #words, doc},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

static const struct iface_figure figures[] = {
#define FIGURE(name, what, unit, ours, paper) {#name, what, unit, paper},
#include "decl/expand.h"
    {NULL, NULL, NULL, 0}};

static const struct iface_named covers[] = {
#define COVER(name, doc) {#name, NULL, doc},
#define COVER_OF(part, name) {#part "_" #name, #part, NULL},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

#define FIELD(name, width, doc) {#name, 1},
#define WIDE_FIELD(name, width, maxbits, doc) {#name, ((maxbits) + 63) / 64},
#define RECORD(name, doc, ...)                                                 \
    static const struct iface_field fields_of_##name[] = {__VA_ARGS__{NULL, 0}};
#include "decl/expand.h"

static const struct iface_record records[] = {
#define RECORD(name, doc, ...)                                                 \
    {#name, doc, fields_of_##name,                                             \
     sizeof(struct DECL_GLUE(DECL, _##name##_fields))},
#include "decl/expand.h"
    {NULL, NULL, NULL, 0}};

#define CODE(name, doc) {#name, doc},
#define CODES(name, doc, ...)                                                  \
    static const struct iface_code codes_of_##name[] = {                       \
        __VA_ARGS__{NULL, NULL}};
#include "decl/expand.h"

static const struct iface_codes codes[] = {
#define CODES(name, doc, ...) {#name, doc, codes_of_##name},
#include "decl/expand.h"
    {NULL, NULL, NULL}};

struct DECL_GLUE(DECL, _local)
    DECL_GLUE(DECL, _local)(const struct config *cfg) {
    struct DECL_GLUE(DECL, _local) l;
    (void)cfg;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    l.name = name;
#include "decl/expand_all.h"
    return l;
}

static void size(struct design *d) {
    const struct config *cfg = &d->config;
    int n;
    (void)cfg;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "decl/expand_all.h"
    n = 0;
#define LOCAL(name, expr, doc) d->local[n++] = name;
#include "decl/expand_all.h"
    n = 0;
#define CHANNEL(name, kind, doc) design_add_port(d, n++, 0);
#define IN(name, width, doc) design_add_port(d, n++, width);
#define OUT(name, width, doc) design_add_port(d, n++, width);
#define WIDE_IN(name, width, maxbits, doc) design_add_port(d, n++, width);
#define WIDE_OUT(name, width, maxbits, doc) design_add_port(d, n++, width);
#include "decl/expand_all.h"
    n = 0;
#define FIELD(name, width, doc) design_add_field(d, n, width, doc);
#define WIDE_FIELD(name, width, maxbits, doc)                                  \
    design_add_field(d, n, width, doc);
#define RECORD(name, doc, ...) __VA_ARGS__ n++;
#include "decl/expand.h"
    n = 0;
#define SETTING(name, bits, value, doc)                                        \
    d->setting[n++] = (struct design_setting){bits, (uint32_t)(value)};
#include "decl/expand.h"
    n = 0;
#define STATUS(name, bits, doc) d->status[n++] = (bits);
#include "decl/expand.h"
    n = 0;
#define COMMAND(name, bits, doc) d->command[n++] = (bits);
#include "decl/expand.h"
    n = 0;
#define MEMORY(name, number, bits, doc)                                        \
    d->memory[n++] = (struct design_memory){number, bits};
#include "decl/expand.h"
    n = 0;
#define FIGURE(name, what, unit, ours, paper) d->figure[n++] = (ours);
#include "decl/expand.h"
}

static bool check(const struct config *cfg, struct diag *d) {
    int before = d->errors;
    (void)cfg;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "decl/expand_all.h"
#define CHECK(expr, message)                                                   \
    if (!(expr))                                                               \
        config_error(d, "%s", message);
#define VERIFY(call) call;
#include "decl/expand.h"
    return d->errors == before;
}

static void derive(const struct config *cfg, int64_t *value) {
    (void)cfg, (void)value;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "decl/expand_all.h"
#define DERIVE(part, param, expr) *value++ = (expr);
#include "decl/expand.h"
}

static void trace(const void *in_ports, const void *out_ports, struct text *t) {
    const struct DECL_GLUE(DECL, _in) *in = in_ports;
    const struct DECL_GLUE(DECL, _out) *out = out_ports;
    (void)in, (void)out, (void)t;
#define EVENT(name, condition, format, ...)                                    \
    if (condition)                                                             \
        text_printf(t, #name " " format "\n", __VA_ARGS__);
#include "decl/expand.h"
}

#ifdef DECL_IS_SYSTEM
static void connect(struct design *d) {
    const struct config *cfg = &d->config;
    (void)cfg;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "decl/expand_all.h"
#define INSTANCE(name, block, doc)                                             \
    system_add(d, #name, &DECL_GLUE(block, _iface), doc, -1);
#define INSTANCES(name, block, number, doc)                                    \
    system_add(d, #name, &DECL_GLUE(block, _iface), doc, number);
#include "decl/expand.h"
#define CONNECT(...) __VA_ARGS__
#include "decl/expand.h"
}
#endif

#define COUNT_OF(a) ((int)(sizeof(a) / sizeof(a)[0]))

#define BLOCK(id, title, paper, preset) IFACE_BLOCK, id, title, paper, preset
#define SYSTEM(id, title, paper, preset) IFACE_SYSTEM, id, title, paper, preset
#define UNIT(title, paper, preset) IFACE_UNIT, -1, title, paper, preset

const struct iface DECL_GLUE(DECL, _iface) = {
    DECL_TEXT(DECL),
#include "decl/expand.h"
    ,
    .machine_of = machine_of,
    .groups = groups,
    .contains = contains,
    .parts = parts,
    .ports = ports,
    .n_ports = COUNT_OF(ports),
    .locals = locals,
    .n_locals = COUNT_OF(locals) - 1,
    .local_groups = local_groups,
    .derived = derived,
    .n_derived = COUNT_OF(derived) - 1,
    .settings = settings,
    .n_settings = COUNT_OF(settings) - 1,
    .counters = counters,
    .n_counters = COUNT_OF(counters) - 1,
    .statuses = statuses,
    .n_statuses = COUNT_OF(statuses) - 1,
    .commands = commands,
    .n_commands = COUNT_OF(commands) - 1,
    .memories = memories,
    .n_memories = COUNT_OF(memories) - 1,
    .figures = figures,
    .n_figures = COUNT_OF(figures) - 1,
    .covers = covers,
    .n_covers = COUNT_OF(covers) - 1,
    .records = records,
    .n_records = COUNT_OF(records) - 1,
    .codes = codes,
    .n_codes = COUNT_OF(codes) - 1,
    .in_size = sizeof(struct DECL_GLUE(DECL, _in)),
    .out_size = sizeof(struct DECL_GLUE(DECL, _out)),
    .size = size,
    .check = check,
    .derive = derive,
    .trace = trace,
#ifdef DECL_IS_SYSTEM
    .connect = connect,
#endif
};
