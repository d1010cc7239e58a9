/* stacks.c - see stacks.h. */
#include "stacks.h"

#include "iface/system.h"
#include "share.h"

bool stacks_check(const struct config *c, struct diag *d) {
    bool ok = c->mesh_memory_nodes.n == c->mesh_height;
    for (int s = 0; ok && s < c->mesh_memory_nodes.n; s++)
        ok = c->mesh_memory_nodes.v[s] == s * c->mesh_width;
    if (!ok)
        config_error(
            d, "the stacks ('mesh.memory_nodes') must be the first node of "
               "each row of the mesh, in their order");
    else if (c->offload_busy_on * c->link_interval > 100) {
        config_error(d,
                     "a link with 'link.interval' %d moves a flit in %d %% of "
                     "the cycles at most, expected 'offload.busy_on' not above",
                     c->link_interval, 100 / c->link_interval);
        ok = false;
    }
    return ok;
}

static int mains(const struct config *c) {
    return (c->mesh_width - 1) * c->mesh_height - 1;
}

/* --- the mesh ------------------------------------------------------------- */

/* The link of an edge between two routers, -1: there is none. */
static int link_of(const struct config *c, int from, int to) {
    int width = c->mesh_width, stacks = c->mesh_height;
    bool leaves = from % width == 0, arrives = to % width == 0;
    if (!leaves && !arrives)
        return -1;
    if (!leaves)
        return to / width;
    if (!arrives)
        return stacks + from / width;
    return to > from ? 2 * stacks + from / width : 3 * stacks - 1 + to / width;
}

static int link_between(const struct design *d, int from, int to) {
    int link = link_of(&d->config, from, to);
    return link < 0 ? -1 : system_index(d, "link", link);
}

/* Links first to first + n - 1 show together what moves. */
static void show_moves(struct design *d, int first, int n, const char *input) {
    for (int i = 0; i < n; i++) {
        TIE_AT(link, first + i, at_bit, (uint64_t)1 << i)
        if (i == 0)
            TIE_AT(link, first, others, 0)
        else
            WIRE_AT(link, first + i - 1, moves, link, first + i, others)
    }
    for (int c = 0; c < mains(&d->config); c++)
        system_wire(d, system_index(d, "link", first + n - 1), "moves",
                    system_index(d, "controller", c), input);
}

void stacks_mesh(struct design *d) {
    const struct config *c = &d->config;
    int stacks = c->mesh_height, n = 4 * stacks - 2;

    links_mesh_over(d, c->mesh_width, c->mesh_height, link_between);
    for (int i = 0; i < n; i++) {
        bool cross = i >= 2 * stacks;
        TIE_AT(link, i, at_pace,
               (uint64_t)(cross ? c->link_cross : c->link_interval))
        if (cross) {
            TIE_AT(link, i, at_bit, 0)
            TIE_AT(link, i, others, 0)
        }
    }
    show_moves(d, 0, stacks, "link_tx");
    show_moves(d, stacks, stacks, "link_rx");
}

/* --- cores ---------------------------------------------------------------- */

/* Core number c, its cache, and its way to the memories. */
static void core(struct design *d, int c, int node) {
    LINK_AT(core, c, mem, cache, c, mem)
    LINK_AT(cache, c, rsp, core, c, rsp)
    WIRE_AT(core, c, state, cache, c, core_state)
    TIE_AT(cache, c, inval_line, 0)
    CLOSE_AT(cache, c, pre)
    CLOSE_AT(cache, c, gone)
    LINK_AT(cache, c, req, remote, c, mem)
    LINK_AT(remote, c, rsp, cache, c, back)
    TIE_AT(remote, c, at_node, (uint64_t)node)
    system_wire(d, system_index(d, "loader", -1), "map_learned",
                system_index(d, "remote", c), "map_learned");
    system_wire(d, system_index(d, "loader", -1), "map_bit",
                system_index(d, "remote", c), "map_bit");
    LINK_AT(remote, c, send_req, junction, c, share_ask)
    LINK_AT(junction, c, share_replied, remote, c, take_ans)
    LINK_AT(junction, c, send_req, nic, node, send_req)
    LINK_AT(junction, c, send_ans, nic, node, send_ans)
    LINK_AT(nic, node, take_req, junction, c, take_req)
    LINK_AT(nic, node, take_ans, junction, c, take_ans)
}

static void loader_of(struct design *d, const char *group, int n) {
    static const char *const wires[] = {"load_valid", "load_index",
                                        "load_entry"};
    for (int i = 0; i < 3; i++)
        system_wire(d, system_index(d, "loader", -1), wires[i],
                    system_index(d, group, n), wires[i]);
}

static void controller(struct design *d, int c) {
    LINK_AT(broker, c, ask, controller, c, ask)
    LINK_AT(controller, c, ans, broker, c, ans)
    LINK_AT(controller, c, release, broker, c, release)
    LINK_AT(controller, c, oper, broker, c, oper)
    LINK_AT(broker, c, value, controller, c, value)
    LINK_AT(controller, c, reg_read, broker, c, reg_read)
    LINK_AT(broker, c, reg_data, controller, c, reg_data)
    LINK_AT(controller, c, reg_write, broker, c, reg_write)
    LINK_AT(controller, c, tx, broker, c, tx)
    LINK_AT(broker, c, ack, controller, c, ack)
    LINK_AT(controller, c, inval, broker, c, inval)
    CLOSE_AT(controller, c, probe)
    CLOSE_AT(controller, c, first)
    DRAIN_AT(controller, c, flush)
    TIE_AT(controller, c, link_full, 0)
    DROP_AT(controller, c, link_tx_busy)
    DROP_AT(controller, c, link_rx_busy)
    DROP_AT(controller, c, load_ready)
    loader_of(d, "controller", c);
}

void stacks_main(struct design *d, int c) {
    int width = d->config.mesh_width;
    int node = c / (width - 1) * width + 1 + c % (width - 1);

    core(d, c, node);
    CLOSE_AT(remote, c, own)
    CLOSE_AT(remote, c, back)
    CLOSE_AT(junction, c, share_asked)
    CLOSE_AT(junction, c, share_reply)
    CLOSE_AT(junction, c, chain_asked)
    CLOSE_AT(junction, c, chain_reply)
    LINK_AT(core, c, offer, broker, c, offer)
    LINK_AT(broker, c, go, core, c, go)
    LINK_AT(broker, c, put, core, c, put)
    LINK_AT(broker, c, look, core, c, look)
    LINK_AT(core, c, seen, broker, c, seen)
    WIRE_AT(broker, c, chain_busy, core, c, chain_busy)
    WIRE_AT(core, c, fenced, broker, c, fenced)
    WIRE_AT(broker, c, drop_valid, cache, c, inval_valid)
    WIRE_AT(broker, c, drop_all, cache, c, inval_all)
    CLOSE_AT(core, c, spawn)
    CLOSE_AT(core, c, over)
    TIE_AT(broker, c, at_node, (uint64_t)node)
    system_wire(d, system_index(d, "loader", -1), "map_learned",
                system_index(d, "broker", c), "map_learned");
    LINK_AT(broker, c, send_req, junction, c, chain_ask)
    LINK_AT(junction, c, chain_replied, broker, c, take_ans)
    controller(d, c);
}

void stacks_stack(struct design *d, int s) {
    int c = mains(&d->config) + s, node = s * d->config.mesh_width;

    core(d, c, node);
    LINK_AT(remote, c, own, home, s, own)
    LINK_AT(home, s, back, remote, c, back)
    LINK_AT(junction, c, share_asked, home, s, take_req)
    /* columns first, so that answers leave over the link of their stack */
    WIRE_AT(home, s, send_ans_valid, junction, c, share_reply_valid)
    WIRE_AT(junction, c, share_reply_ready, home, s, send_ans_ready)
    WIRE_AT(home, s, send_ans_last, junction, c, share_reply_last)
    TIE_AT(junction, c, share_reply_order, 1)
    DROP_AT(home, s, send_ans_order)
    WIRE_AT(home, s, send_ans_x, junction, c, share_reply_x)
    WIRE_AT(home, s, send_ans_y, junction, c, share_reply_y)
    WIRE_AT(home, s, send_ans_data, junction, c, share_reply_data)
    LINK_AT(home, s, mem, memory, s, req)
    LINK_AT(memory, s, rsp, home, s, rsp)
    CLOSE_AT(memory, s, win)
    CLOSE_AT(memory, s, read)
    LINK_AT(junction, c, chain_asked, jobs, s, take_req)
    LINK_AT(jobs, s, send_ans, junction, c, chain_reply)
    CLOSE_AT(junction, c, chain_ask)
    CLOSE_AT(junction, c, chain_replied)
    DRAIN_AT(core, c, offer)
    CLOSE_AT(core, c, go)
    LINK_AT(jobs, s, put, core, c, put)
    LINK_AT(jobs, s, spawn, core, c, spawn)
    LINK_AT(core, c, over, jobs, s, over)
    LINK_AT(jobs, s, look, core, c, look)
    LINK_AT(core, c, seen, jobs, s, seen)
    WIRE_AT(jobs, s, chain_busy, core, c, chain_busy)
    WIRE_AT(core, c, fenced, jobs, s, fenced)
    WIRE_AT(jobs, s, drop_valid, cache, c, inval_valid)
    WIRE_AT(jobs, s, drop_all, cache, c, inval_all)
    loader_of(d, "jobs", s);
    system_wire(d, system_index(d, "loader", -1), "load_stores",
                system_index(d, "jobs", s), "load_stores");
}
