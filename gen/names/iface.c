/* iface.c - a declaration, as templates see it: ports, registers, records,
 * storage, figures. */
#include "names.h"

#include "engine/sandbox.h"

static const char *const kinds[] = {
    [SIGNALS] = "signals", [GIVES] = "gives", [GIVES_OPEN] = "gives",
    [GIVES_ALL] = "gives", [TAKES] = "takes", [TAKES_ALL] = "takes",
    [TAKES_EACH] = "takes"};

/* Ports that the RTL has; internal ones of a system only if wanted. */
static void push_ports(lua_State *L, const struct design *d, bool internal) {
    const char *group = "";
    int n = 0;
    lua_createtable(L, d->n_ports, 0);
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (p->dir == PORT_GROUP)
            group = p->name;
        if (p->dir == PORT_GROUP || p->internal != internal)
            continue;
        lua_createtable(L, 0, 7);
        names_set_string(L, "name", p->name);
        names_set_string(L, "doc", p->doc);
        names_set_string(L, "dir", p->dir == PORT_IN ? "in" : "out");
        names_set_string(L, "group", group);
        names_set_string(L, "width_text", p->width_text);
        names_set_number(L, "width", p->width);
        lua_rawseti(L, -2, ++n);
    }
}

/* Channels with a heading, the ports under each as an array in it. */
static void push_channels(lua_State *L, const struct design *d) {
    int n = 0, k = 0;
    lua_createtable(L, 0, 0);
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (p->dir == PORT_GROUP && !*p->doc)
            continue;
        if (p->dir == PORT_GROUP) {
            if (n)
                lua_rawseti(L, -2, n);
            lua_createtable(L, 0, 3);
            names_set_string(L, "name", p->name);
            names_set_string(L, "doc", p->doc);
            names_set_string(L, "kind", kinds[p->kind]);
            n++;
            k = 0;
        } else if (!p->internal) {
            lua_createtable(L, 0, 5);
            names_set_string(L, "name", p->name);
            names_set_string(L, "doc", p->doc);
            names_set_string(L, "dir", p->dir == PORT_IN ? "in" : "out");
            names_set_string(L, "width_text", p->width_text);
            names_set_number(L, "width", p->width);
            lua_rawseti(L, -2, ++k);
        }
    }
    if (n)
        lua_rawseti(L, -2, n);
}

static bool gives(enum channel_kind k) {
    return k == GIVES || k == GIVES_OPEN || k == GIVES_ALL;
}

/* Channels with a handshake that the RTL has, with or without a heading: {name,
 * gives, zero, each}. */
static void push_handshakes(lua_State *L, const struct design *d) {
    int n = 0;
    lua_createtable(L, 0, 0);
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (p->dir != PORT_GROUP || p->kind == SIGNALS)
            continue;
        lua_createtable(L, 0, 4);
        names_set_string(L, "name", p->name);
        names_set_boolean(L, "gives", gives(p->kind));
        names_set_boolean(L, "zero", p->kind == GIVES || p->kind == GIVES_ALL);
        names_set_boolean(L, "each", p->kind == TAKES_EACH);
        lua_rawseti(L, -2, ++n);
    }
}

/* Push an array of tables with name and doc, to be filled further. */
static void push_named(lua_State *L, const struct iface_named *named, int n) {
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 0, 6);
        names_set_string(L, "name", named[i].name);
        names_set_string(L, "doc", named[i].doc);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_covers(lua_State *L, const struct iface *b) {
    lua_createtable(L, b->n_covers, 0);
    for (int i = 0; i < b->n_covers; i++) {
        lua_createtable(L, 0, 2);
        names_set_string(L, "name", b->covers[i].name);
        names_set_string(L, "doc", iface_cover_doc(b, i));
        lua_rawseti(L, -2, i + 1);
    }
}

/* Set a number in element i (from 0) of the array on top. */
static void set_in(lua_State *L, int i, const char *key, int64_t value) {
    lua_rawgeti(L, -1, i + 1);
    names_set_number(L, key, value);
    lua_pop(L, 1);
}

static void set_registers(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    push_named(L, b->settings, b->n_settings);
    for (int i = 0; i < b->n_settings; i++) {
        set_in(L, i, "width", d->setting[i].width);
        set_in(L, i, "reset", d->setting[i].reset);
        set_in(L, i, "address", REG_FIRST + i);
    }
    lua_setfield(L, -2, "settings");
    push_named(L, b->counters, b->n_counters);
    for (int i = 0; i < b->n_counters; i++)
        set_in(L, i, "address", iface_first_counter(b) + i);
    lua_setfield(L, -2, "counters");
    push_named(L, b->statuses, b->n_statuses);
    for (int i = 0; i < b->n_statuses; i++) {
        set_in(L, i, "width", d->status[i]);
        set_in(L, i, "address", iface_first_status(b) + i);
    }
    lua_setfield(L, -2, "statuses");
    push_named(L, b->commands, b->n_commands);
    for (int i = 0; i < b->n_commands; i++) {
        set_in(L, i, "width", d->command[i]);
        set_in(L, i, "address", iface_first_command(b) + i);
    }
    lua_setfield(L, -2, "commands");
}

static void set_storage(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    push_named(L, b->memories, b->n_memories);
    for (int i = 0; i < b->n_memories; i++) {
        set_in(L, i, "words", d->memory[i].words);
        set_in(L, i, "width", d->memory[i].width);
    }
    lua_setfield(L, -2, "memories");
    names_set_number(L, "storage", design_storage(d));
    lua_createtable(L, b->n_figures, 0);
    for (int i = 0; i < b->n_figures; i++) {
        lua_createtable(L, 0, 5);
        names_set_string(L, "name", b->figures[i].name);
        names_set_string(L, "what", b->figures[i].what);
        names_set_string(L, "unit", b->figures[i].unit);
        names_set_number(L, "ours", d->figure[i]);
        names_set_number(L, "paper", b->figures[i].paper);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "figures");
}

void names_set_facts(lua_State *L, const struct design *d) {
    set_registers(L, d);
    set_storage(L, d);
}

static void add_iface(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    lua_createtable(L, 0, 16);
    names_set_string(L, "name", b->name);
    names_set_string(L, "title", b->title);
    names_set_string(L, "paper", b->paper);
    names_set_boolean(L, "has_registers", iface_has_registers(b));
    push_ports(L, d, false);
    lua_setfield(L, -2, "ports");
    push_ports(L, d, true);
    lua_setfield(L, -2, "internals");
    push_handshakes(L, d);
    lua_setfield(L, -2, "handshakes");
    push_channels(L, d);
    lua_setfield(L, -2, "channels");
    names_set_facts(L, d);
    push_named(L, b->locals, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        set_in(L, i, "value", d->local[i]);
    lua_setfield(L, -2, "locals");
    push_covers(L, b);
    lua_setfield(L, -2, "covers");
    sandbox_readonly(L, "part of the interface");
    lua_setfield(L, -2, "iface");
}

static void add_regs(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    lua_createtable(L, 0, 9);
    names_set_number(L, "id", iface_id(b));
    names_set_number(L, "n", iface_n_registers(b));
    names_set_number(L, "address_bits", d->address_bits);
    names_set_number(L, "at_id", REG_ID);
    names_set_number(L, "at_hash_lo", REG_HASH_LO);
    names_set_number(L, "at_hash_hi", REG_HASH_HI);
    names_set_number(L, "at_control", REG_CONTROL);
    names_set_number(L, "first_setting", REG_FIRST);
    names_set_number(L, "first_counter", iface_first_counter(b));
    sandbox_readonly(L, "register fact");
    lua_setfield(L, -2, "regs");
}

/* --- records -------------------------------------------------------------- */

/* Push {name, doc, lsb, msb, width} of field f. */
static void push_field(lua_State *L, const struct design_record *r, int f) {
    lua_createtable(L, 0, 5);
    names_set_string(L, "name", r->decl->fields[f].name);
    names_set_string(L, "doc", r->doc[f]);
    names_set_number(L, "lsb", r->lsb[f]);
    names_set_number(L, "msb", r->lsb[f] + r->width[f] - 1);
    names_set_number(L, "width", r->width[f]);
}

/* Push a record: its fields by name, and in their order under "list". */
static void push_record(lua_State *L, const struct design_record *r) {
    int n = 0;
    lua_createtable(L, 0, r->n_fields + 4);
    lua_createtable(L, r->n_fields, 0);
    for (int f = 0; f < r->n_fields; f++) {
        if (r->width[f] == 0)
            continue;
        push_field(L, r, f);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, ++n);
        lua_setfield(L, -3, r->decl->fields[f].name);
    }
    lua_setfield(L, -2, "list");
    names_set_number(L, "bits", r->bits);
    sandbox_readonly(L, "field");
}

/* record.<name>, and the names in their order. */
static void add_records(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    lua_createtable(L, 0, b->n_records);
    for (int i = 0; i < b->n_records; i++) {
        push_record(L, &d->record[i]);
        lua_setfield(L, -2, b->records[i].name);
    }
    sandbox_readonly(L, "record");
    lua_setfield(L, -2, "record");
    lua_createtable(L, b->n_records, 0);
    for (int i = 0; i < b->n_records; i++) {
        lua_createtable(L, 0, 2);
        names_set_string(L, "name", b->records[i].name);
        names_set_string(L, "doc", b->records[i].doc);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "records");
}

/* code.<codes>.<NAME> is its value. */
static void add_codes(lua_State *L, const struct iface *b) {
    lua_createtable(L, 0, b->n_codes);
    for (int i = 0; i < b->n_codes; i++) {
        lua_createtable(L, 0, 0);
        for (int k = 0; b->codes[i].codes[k].name; k++)
            names_set_number(L, b->codes[i].codes[k].name, k);
        sandbox_readonly(L, "code");
        lua_setfield(L, -2, b->codes[i].name);
    }
    sandbox_readonly(L, "set of codes");
    lua_setfield(L, -2, "code");
}

/* codes: an array of {name, doc, values = {{name, doc}, ..}}, value 0 first. */
static void add_code_lists(lua_State *L, const struct iface *b) {
    lua_createtable(L, b->n_codes, 0);
    for (int i = 0; i < b->n_codes; i++) {
        lua_createtable(L, 0, 3);
        names_set_string(L, "name", b->codes[i].name);
        names_set_string(L, "doc", b->codes[i].doc);
        lua_createtable(L, 0, 0);
        for (int k = 0; b->codes[i].codes[k].name; k++) {
            lua_createtable(L, 0, 2);
            names_set_string(L, "name", b->codes[i].codes[k].name);
            names_set_string(L, "doc", b->codes[i].codes[k].doc);
            lua_rawseti(L, -2, k + 1);
        }
        lua_setfield(L, -2, "values");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "codes");
}

void names_add_iface(lua_State *L, const struct unit *u) {
    add_iface(L, u->design);
    add_regs(L, u->design);
    add_records(L, u->design);
    add_codes(L, u->design->iface);
    add_code_lists(L, u->design->iface);
}
