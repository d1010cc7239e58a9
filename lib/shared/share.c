/* share.c - see share.h. */
#include "share.h"

#include "iface/system.h"

/* What a core shows of itself, and what of it is counted. */
static const char *const shown[] = {
    "state",    "halted",        "quiet",       "fault_cause", "fault_warp",
    "fault_pc", "fault_address", "debug_valid", "debug_value"};
static const char *const counted[] = {"issued",   "idle",    "blocked",
                                      "diverged", "request", "conflict",
                                      "returned", "cta",     "barrier"};
enum { N_SHOWN = 9, N_COUNTED = 9, DEBUG_FROM = 7 };

/* from_name of a to to_name of b; zero, if a has no such output. */
static void signal_of(struct design *d, int a, const char *from, int b,
                      const char *to, const char *name) {
    struct text output = {0}, input = {0};
    text_printf(&output, "%s%s", from, name);
    text_printf(&input, "%s%s", to, name);
    if (design_port(system_instance(d, a)->design, text_str(&output)))
        system_wire(d, a, text_str(&output), b, text_str(&input));
    else
        system_tie(d, b, text_str(&input), 0);
    text_free(&output);
    text_free(&input);
}

/* What relay a says of all cores from its own on, to relay or host b. */
static void shows_all(struct design *d, int a, int b, const char *to,
                      const char *debug_to) {
    for (int i = 0; i < N_SHOWN; i++)
        signal_of(d, a, "all_", b, i < DEBUG_FROM ? to : debug_to, shown[i]);
}

static void counts(struct design *d, int core, int b) {
    for (int i = 0; i < N_COUNTED; i++)
        signal_of(d, core, "count_", b, "count_", counted[i]);
}

/* Nobody is behind the last relay: done, halted and quiet. */
static void nobody_behind(struct design *d, int relay) {
    static const uint64_t values[N_SHOWN] = {2, 1, 1};
    system_close(d, relay, "next");
    for (int i = 0; i < N_SHOWN; i++) {
        struct text input = {0};
        text_printf(&input, "rest_%s", shown[i]);
        system_tie(d, relay, text_str(&input), values[i]);
        text_free(&input);
    }
}

void share_relays(struct design *d, const char *group, int n) {
    int host = system_index(d, "host", -1);
    for (int c = 0; c < n; c++) {
        int relay = system_index(d, "relay", c);
        int core = system_index(d, group, c);
        system_link(d, relay, "core_ctl", core, "ctl");
        for (int i = 0; i < N_SHOWN; i++)
            signal_of(d, core, "", relay, "core_", shown[i]);
        counts(d, core, relay);
        if (c == 0) {
            system_link(d, host, "ctl", relay, "ctl");
            shows_all(d, relay, host, "core_", "");
            counts(d, core, host);
        } else {
            int before = system_index(d, "relay", c - 1);
            system_link(d, before, "next", relay, "ctl");
            shows_all(d, relay, before, "rest_", "rest_");
        }
    }
    nobody_behind(d, system_index(d, "relay", n - 1));
}

void share_shape(struct design *d, int memories) {
    const struct config *c = &d->config;
    TIE(host, shape_lanes, (uint64_t)c->simt_lanes)
    TIE(host, shape_alus, (uint64_t)c->simt_alus)
    TIE(host, shape_registers, (uint64_t)c->simt_registers)
    TIE(host, shape_stack, (uint64_t)c->simt_stack)
    TIE(host, shape_param_words, (uint64_t)c->simt_param_words)
    TIE(host, shape_shared_words, (uint64_t)c->simt_shared_words)
    TIE(host, shape_ctas, (uint64_t)c->simt_ctas)
    TIE(host, shape_memory_words, (uint64_t)(memories * c->memory_words))
}

void share_cache(struct design *d, int c) {
    LINK_AT(core, c, mem, cache, c, mem)
    LINK_AT(cache, c, rsp, core, c, rsp)
    WIRE_AT(core, c, state, cache, c, core_state)
    WIRE_AT(core, c, fenced, cache, c, inval_valid)
    WIRE_AT(core, c, fenced, cache, c, inval_all)
    TIE_AT(cache, c, inval_line, 0)
    CLOSE_AT(core, c, go)
    CLOSE_AT(core, c, put)
    CLOSE_AT(core, c, chain)
}

void share_memory(struct design *d, int n) {
    TIE_AT(remote, n, at_node, (uint64_t)n)
    LINK_AT(remote, n, own, home, n, own)
    LINK_AT(home, n, back, remote, n, back)
    LINK_AT(remote, n, send_req, nic, n, send_req)
    LINK_AT(nic, n, take_ans, remote, n, take_ans)
    LINK_AT(nic, n, take_req, home, n, take_req)
    LINK_AT(home, n, send_ans, nic, n, send_ans)
    LINK_AT(home, n, mem, memory, n, req)
    LINK_AT(memory, n, rsp, home, n, rsp)
    CLOSE_AT(memory, n, win)
    CLOSE_AT(memory, n, read)
}

void share_window(struct design *d, int node) {
    int host = system_index(d, "host", -1), nic = system_index(d, "nic", node);
    int window = system_index(d, "window", -1);
    system_link(d, host, "win", window, "win");
    system_link(d, window, "read", host, "read");
    system_tie(d, window, "at_node", (uint64_t)node);
    system_link(d, window, "send_req", nic, "send_req");
    system_link(d, nic, "take_ans", window, "take_ans");
    system_close(d, nic, "send_ans");
    system_close(d, nic, "take_req");
}

void share_nobody(struct design *d, int node) {
    static const char *const channels[] = {"send_req", "send_ans", "take_req",
                                           "take_ans"};
    for (int i = 0; i < 4; i++)
        system_close(d, system_index(d, "nic", node), channels[i]);
}
