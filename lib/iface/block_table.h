/* block_table.h - the struct iface of one block, from its .def.
 *
 * Included once, by lib/blocks/<block>.c, with BLOCK, BLOCK_DEF, BLOCK_TITLE,
 * BLOCK_PAPER and BLOCK_PRESET defined.  Inside the .def's expressions the
 * locals are in scope as constants, and P(field) reads the configuration.
 */
#define BT_GLUE2(a, b) a##b
#define BT_GLUE(a, b) BT_GLUE2(a, b)
#define BT_STR2(a) #a
#define BT_STR(a) BT_STR2(a)
#define P(field) (cfg->field)

enum {
    N_SETTINGS = 0
#include "def_clear.h"
#define SETTING(name, width, reset, doc) +1
#include "expand.h"
    ,
    N_COUNTERS = 0
#define COUNTER(name, doc) +1
#include "expand.h"
};

static const struct iface_port ports[] = {
#define PORT_ROW(dir, side, name, width, doc, words)                           \
    {dir,  #name, #width, doc, offsetof(struct BT_GLUE(BLOCK, side), name),    \
     words},
#define GROUP(name, doc) {PORT_GROUP, #name, NULL, doc, 0, 0},
#define IN(name, width, doc) PORT_ROW(PORT_IN, _in, name, width, doc, 1)
#define OUT(name, width, doc) PORT_ROW(PORT_OUT, _out, name, width, doc, 1)
#define WIDE_IN(name, width, maxbits, doc)                                     \
    PORT_ROW(PORT_IN, _in, name, width, doc, (maxbits) / 64)
#define WIDE_OUT(name, width, maxbits, doc)                                    \
    PORT_ROW(PORT_OUT, _out, name, width, doc, (maxbits) / 64)
#include "expand_all.h"
};

static const struct iface_named locals[] = {
#define LOCAL(name, expr, doc) {#name, #expr, doc},
#include "expand_all.h"
};

static const struct iface_named settings[] = {
#define SETTING(name, width, reset, doc) {#name, #width, doc},
#include "expand.h"
    {NULL, NULL, NULL}, /* a block may have none */
};

static const struct iface_named counters[] = {
#define COUNTER(name, doc) {#name, NULL, doc},
#include "expand.h"
    {NULL, NULL, NULL}, /* a block may have none */
};

static const struct iface_named memories[] = {
#define MEMORY(name, words, bits, doc) {#name, #words, doc},
#include "expand.h"
    {NULL, NULL, NULL}, /* a block may have none */
};

static const struct iface_figure figures[] = {
#define FIGURE(name, what, unit, ours, paper) {#name, what, unit, paper},
#include "expand.h"
    {NULL, NULL, NULL, 0}, /* a block may have none */
};

static const struct iface_named covers[] = {
#define COVER(name, doc) {#name, NULL, doc},
#include "expand.h"
    {NULL, NULL, NULL}, /* a block may have none */
};

/* Bring every LOCAL into scope as a constant of its name. */
static struct BT_GLUE(BLOCK, _local) evaluate(const struct config *cfg) {
    struct BT_GLUE(BLOCK, _local) l;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    l.name = name;
#include "expand_all.h"
    return l;
}

struct BT_GLUE(BLOCK, _local) BT_GLUE(BLOCK, _local)(const struct config *cfg) {
    return evaluate(cfg);
}

static void sizes(const struct config *cfg, struct iface_sizes *s) {
    int n;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "expand_all.h"
    n = 0;
#define LOCAL(name, expr, doc) s->local[n++] = name;
#include "expand_all.h"
    n = 0;
#define GROUP(name, doc) s->port_width[n++] = 0;
#define IN(name, width, doc) s->port_width[n++] = (width);
#define OUT(name, width, doc) s->port_width[n++] = (width);
#define WIDE_IN(name, width, maxbits, doc) s->port_width[n++] = (width);
#define WIDE_OUT(name, width, maxbits, doc) s->port_width[n++] = (width);
#include "expand_all.h"
    n = 0;
#define SETTING(name, width, reset, doc)                                       \
    s->setting_width[n] = (width);                                             \
    s->setting_reset[n++] = (uint32_t)(reset);
#include "expand.h"
    n = 0;
#define MEMORY(name, words, bits, doc)                                         \
    s->memory_words[n] = (words);                                              \
    s->memory_bits[n++] = (bits);
#include "expand.h"
    n = 0;
#define FIGURE(name, what, unit, ours, paper) s->figure[n++] = (ours);
#include "expand.h"
}

static bool check(const struct config *cfg, struct diag *d) {
    int before = d->errors;
#define LOCAL(name, expr, doc)                                                 \
    const int name = (expr);                                                   \
    (void)name;
#include "expand_all.h"
#define CHECK(expr, message)                                                   \
    if (!(expr))                                                               \
        config_error(d, "%s", message);
#define VERIFY(function) function(cfg, d);
#include "expand.h"
    return d->errors == before;
}

static void trace(const void *in_ports, const void *out_ports, struct text *t) {
    const struct BT_GLUE(BLOCK, _in) *in = in_ports;
    const struct BT_GLUE(BLOCK, _out) *out = out_ports;
#define EVENT(name, condition, format, ...)                                    \
    if (condition)                                                             \
        text_printf(t, #name " " format "\n", __VA_ARGS__);
#include "expand.h"
}

#define COUNT_OF(a) ((int)(sizeof(a) / sizeof(a)[0]))

const struct iface BT_GLUE(BLOCK, _iface) = {
    .name = BT_STR(BLOCK),
    .title = BLOCK_TITLE,
    .paper = BLOCK_PAPER,
    .preset = BLOCK_PRESET,
    .ports = ports,
    .n_ports = COUNT_OF(ports),
    .locals = locals,
    .n_locals = COUNT_OF(locals),
    .settings = settings,
    .n_settings = COUNT_OF(settings) - 1,
    .counters = counters,
    .n_counters = COUNT_OF(counters) - 1,
    .memories = memories,
    .n_memories = COUNT_OF(memories) - 1,
    .figures = figures,
    .n_figures = COUNT_OF(figures) - 1,
    .covers = covers,
    .n_covers = COUNT_OF(covers) - 1,
    .in_size = sizeof(struct BT_GLUE(BLOCK, _in)),
    .out_size = sizeof(struct BT_GLUE(BLOCK, _out)),
    .sizes = sizes,
    .check = check,
    .trace = trace,
};
