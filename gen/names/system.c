/* system.c - what a system is made of, as its top's template sees it. */
#include "names.h"

#include "engine/sandbox.h"
#include "iface/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The net at a port: "controller_ans_valid", or a constant. */
static void add_net(const struct design *d, int i, int p, struct text *out) {
    const struct system_part *at = system_instance(d, i);
    const struct design_port *port = &at->design->ports[p];
    const struct system_source *from = system_source(d, i, p);
    if (port->dir == PORT_IN && from->kind == FROM_CONSTANT) {
        text_printf(out, "%d'd%" PRIu64, port->width, from->value);
        return;
    }
    if (port->dir == PORT_IN && from->kind == FROM_OUTPUT) {
        const struct system_part *a = system_instance(d, from->instance);
        text_printf(out, "%s_%s", a->name, a->design->ports[from->port].name);
        return;
    }
    text_printf(out, "%s_%s", at->name, port->name);
}

/* Push the ports of an instance: {name, net, dir, width, is_port, is_bus,
 * is_closed, doc}. */
static void push_pins(lua_State *L, const struct design *d, int i) {
    const struct design *sub = system_instance(d, i)->design;
    int n = 0;
    lua_createtable(L, sub->n_ports, 0);
    for (int p = 0; p < sub->n_ports; p++) {
        const struct design_port *port = &sub->ports[p];
        struct text net = {0};
        if (port->dir == PORT_GROUP || port->internal)
            continue;
        add_net(d, i, p, &net);
        lua_createtable(L, 0, 9);
        names_set_string(L, "name", port->name);
        names_set_string(L, "net", text_str(&net));
        names_set_string(L, "dir", port->dir == PORT_IN ? "in" : "out");
        names_set_string(L, "doc", port->doc);
        names_set_number(L, "width", port->width);
        names_set_boolean(L, "is_port", system_is_port(d, i, p));
        names_set_boolean(L, "is_closed", system_is_closed(d, i, p));
        names_set_boolean(L, "is_bus", strncmp(port->name, "wb_", 3) == 0);
        lua_rawseti(L, -2, ++n);
        text_free(&net);
    }
}

static void push_instances(lua_State *L, const struct design *d) {
    lua_createtable(L, system_n(d), 0);
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *at = system_instance(d, i);
        lua_createtable(L, 0, 16);
        names_set_string(L, "name", at->name);
        names_set_string(L, "group", at->group);
        names_set_string(L, "block", at->design->iface->name);
        names_set_string(L, "title", at->design->iface->title);
        names_set_string(L, "doc", at->doc);
        names_set_number(L, "region", at->region);
        names_set_number(L, "address_bits", at->design->address_bits);
        names_set_number(L, "id", iface_id(at->design->iface));
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, at->design->hash);
        names_set_string(L, "hash", hash);
        names_set_facts(L, at->design);
        push_pins(L, d, i);
        lua_setfield(L, -2, "pins");
        lua_rawseti(L, -2, i + 1);
    }
}

/* The heading above port p if p belongs to its channel, else NULL. */
static const char *channel_of(const struct design *d, int p) {
    const char *name = d->ports[p].name;
    while (--p >= 0 && d->ports[p].dir != PORT_GROUP)
        ;
    size_t len = p < 0 ? 0 : strlen(d->ports[p].name);
    bool is = p >= 0 && d->ports[p].kind != SIGNALS &&
              strncmp(name, d->ports[p].name, len) == 0 && name[len] == '_';
    return is ? d->ports[p].name : NULL;
}

/* Push a link that input p of instance i stands for: a channel's valid does for
 * the whole channel, a signal of none for itself.  False: none. */
static bool push_link(lua_State *L, const struct design *d, int i, int p) {
    const struct system_part *to = system_instance(d, i), *a;
    const struct design_port *port = &to->design->ports[p];
    const struct system_source *from = system_source(d, i, p);
    const char *taken = channel_of(to->design, p), *given;
    if (port->dir != PORT_IN || from->kind != FROM_OUTPUT ||
        (taken && strcmp(port->name + strlen(taken), "_valid") != 0))
        return false;
    a = system_instance(d, from->instance);
    given = taken ? channel_of(a->design, from->port)
                  : a->design->ports[from->port].name;
    lua_createtable(L, 0, 4);
    names_set_string(L, "from", a->name);
    names_set_string(L, "to", to->name);
    names_set_string(L, "given", given ? given : "");
    names_set_string(L, "taken", taken ? taken : port->name);
    return true;
}

/* Push the links {from, given, to, taken}, by who gives. */
static void push_links(lua_State *L, const struct design *d) {
    int n = 0;
    lua_createtable(L, 0, 0);
    for (int a = 0; a < system_n(d); a++)
        for (int i = 0; i < system_n(d); i++)
            for (int p = 0; p < system_instance(d, i)->design->n_ports; p++)
                if (system_source(d, i, p)->instance == a &&
                    push_link(L, d, i, p))
                    lua_rawseti(L, -2, ++n);
}

/* system.instances is empty for a target that is none. */
void names_add_system(lua_State *L, const struct unit *u) {
    lua_createtable(L, 0, 4);
    push_instances(L, u->design);
    lua_setfield(L, -2, "instances");
    push_links(L, u->design);
    lua_setfield(L, -2, "links");
    names_set_number(L, "offset_bits",
                     u->design->system ? system_offset_bits(u->design) : 0);
    sandbox_readonly(L, "part of the system");
    lua_setfield(L, -2, "system");
}
