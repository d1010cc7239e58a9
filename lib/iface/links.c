/* links.c - links that several systems have in common. */
#include "system.h"

/* The sides of a router, the opposite ones, and the way to the neighbour. */
static const struct side {
    const char *name, *opposite;
    int dx, dy;
} sides[] = {
    {"n", "s", 0, -1}, {"e", "w", 1, 0}, {"s", "n", 0, 1}, {"w", "e", -1, 0}};

/* A channel of a side: "n" and "out" are "n_out". */
static const char *channel(const char *side, const char *what,
                           struct text *name) {
    text_free(name);
    *name = (struct text){0};
    text_printf(name, "%s_%s", side, what);
    return text_str(name);
}

/* To the neighbour, and its credits back; over link number via, if there is one. */
static void hop(struct design *d, int a, const char *side, int b,
                const char *opposite, int via) {
    struct text from = {0}, to = {0};
    const char *out = channel(side, "out", &from);
    const char *in = channel(opposite, "in", &to);
    if (via < 0) {
        system_link(d, a, out, b, in);
    } else {
        system_link(d, a, out, via, "from");
        system_link(d, via, "to", b, in);
    }
    const char *freed = channel(opposite, "in_credit", &from);
    const char *credit = channel(side, "out_credit", &to);
    if (via < 0) {
        system_link(d, b, freed, a, credit);
    } else {
        system_link(d, b, freed, via, "back");
        system_link(d, via, "credit", a, credit);
    }
    text_free(&from);
    text_free(&to);
}

static void edge(struct design *d, int a, const char *side) {
    static const char *const channels[] = {"in", "in_credit", "out",
                                           "out_credit"};
    struct text name = {0};
    for (int i = 0; i < 4; i++)
        system_close(d, a, channel(side, channels[i], &name));
    text_free(&name);
}

void links_mesh(struct design *d, int width, int height) {
    links_mesh_over(d, width, height, NULL);
}

void links_mesh_over(struct design *d, int width, int height,
                     int (*between)(const struct design *d, int from, int to)) {
    for (int n = 0; n < width * height; n++) {
        int x = n % width, y = n / width;
        int router = system_index(d, "router", n);
        int nic = system_index(d, "nic", n);
        system_tie(d, router, "at_x", (uint64_t)x);
        system_tie(d, router, "at_y", (uint64_t)y);
        system_link(d, nic, "up", router, "l_in");
        system_link(d, router, "l_in_credit", nic, "up_credit");
        system_link(d, router, "l_out", nic, "down");
        system_link(d, nic, "down_credit", router, "l_out_credit");
        for (int i = 0; i < 4; i++) {
            const struct side *s = &sides[i];
            int to_x = x + s->dx, to_y = y + s->dy;
            if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height)
                edge(d, router, s->name);
            else
                hop(d, router, s->name,
                    system_index(d, "router", to_y * width + to_x), s->opposite,
                    between ? between(d, n, to_y * width + to_x) : -1);
        }
    }
}
