/* golden_port.c - see golden_port.h. */
#include "golden_port.h"

#include "base/arena.h"
#include "blocks/system.h"
#include "frame/golden.h"

#include <stdlib.h>
#include <string.h>

struct golden_port {
    struct ndp_port base;
    struct golden *machine;
    struct design *design;
    void *in;
    const struct system_out *out; /* its register port */
};

static void edge(struct golden_port *p) {
    p->out = golden_cycle(p->machine, false, p->in);
}

/* An access takes an edge, and one more on which its acknowledge goes away. */
static bool take(struct golden_port *p, struct ndp_access *a) {
    struct system_in *in = p->in;
    if (a->kind == NDP_IDLE) {
        for (uint32_t n = 0; n < a->data; n++)
            edge(p);
        return true;
    }
    in->wb_cyc = in->wb_stb = 1;
    in->wb_we = a->kind == NDP_WRITE;
    in->wb_adr = a->address;
    in->wb_dat_w = a->data;
    in->wb_sel = 15;
    edge(p);
    in->wb_cyc = in->wb_stb = 0;
    if (a->kind == NDP_READ)
        a->data = (uint32_t)p->out->wb_dat_r;
    bool acked = p->out->wb_ack;
    edge(p);
    return acked;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    for (int i = 0; i < n; i++)
        if (!take((struct golden_port *)port, &list[i])) {
            text_printf(why, "no acknowledge at word %u",
                        (unsigned)list[i].address);
            return false;
        }
    return true;
}

static void close(struct ndp_port *port) {
    struct golden_port *p = (struct golden_port *)port;
    golden_free(p->machine);
    design_free(p->design);
    free(p->in);
    free(p);
}

static const struct ndp_port_class golden_class = {run, close};

static bool is_file(const char *what) {
    size_t n = strlen(what);
    return n > 4 && strcmp(what + n - 4, ".yml") == 0;
}

static bool read_config(struct config *c, const char *what, struct diag *d) {
    if (!is_file(what))
        return config_preset(c, what, d);
    size_t len;
    char *text = text_read_file(what, &len);
    if (!text) {
        config_error(d, "cannot read '%s'", what);
        return false;
    }
    struct source s = {what, text, len};
    bool ok = config_yaml(c, &s, d);
    free(text);
    return ok;
}

struct ndp_port *golden_port_open(const char *what, struct text *why) {
    struct config c;
    struct diag d = {0};
    struct golden_port *p = NULL;
    config_defaults(&c);
    if (read_config(&c, what, &d) && iface_check(&system_iface, &c, &d)) {
        p = xcalloc(1, sizeof *p);
        p->base.class = &golden_class;
        p->design = design_make(&system_iface, &c);
        p->in = xcalloc(1, p->design->in_size);
        p->machine = golden_create(golden_find("system"), &c);
        p->out = golden_cycle(p->machine, true, p->in);
    } else {
        text_add(why, d.count ? d.messages[0].text : "bad configuration");
    }
    diag_free(&d);
    return p ? &p->base : NULL;
}
