/* wave.c - see wave.h. */
#include "wave.h"

#include "base/arena.h"
#include "frame/values.h"
#include "iface/design.h"
#include "runtime/golden_port.h"
#include "transfers.h"

#include <stdlib.h>
#include <string.h>

struct wave {
    struct golden_port_looker looker;
    struct ndp_port *port;
    const struct design *design;
    struct wave_window window;
    FILE *f;
    struct transfers *transfers; /* NULL: ports */
    uint64_t cycle;
    void *in, *out, *before; /* of the last cycle; outputs before its edge */
};

/* The column of the edge that has passed, whose outputs stood before it. */
static bool look(void *ctx, const void *inputs, const void *outputs) {
    struct wave *w = ctx;
    const struct values now = {false, inputs, w->out};
    const struct values last = {false, w->in, w->before};
    bool shown = w->cycle >= w->window.from &&
                 w->cycle - w->window.from < w->window.cycles;
    if (w->transfers)
        transfers_column(w->transfers, w->cycle, shown, &now);
    else if (shown)
        values_column(w->f, w->design, w->cycle, &now,
                      w->cycle == w->window.from ? NULL : &last);
    memcpy(w->in, inputs, w->design->in_size);
    memcpy(w->before, w->out, w->design->out_size);
    memcpy(w->out, outputs, w->design->out_size);
    w->cycle++;
    return true;
}

struct wave *wave_open(struct ndp_port *port, FILE *f, enum wave_form form,
                       struct wave_window win) {
    struct wave *w = xcalloc(1, sizeof *w);
    w->port = port;
    w->design = golden_port_design(port);
    w->window = win;
    w->f = f;
    w->in = xcalloc(1, w->design->in_size);
    w->out = xcalloc(1, w->design->out_size);
    w->before = xcalloc(1, w->design->out_size);
    if (form == WAVE_TRANSFERS)
        w->transfers = transfers_open(f, w->design);
    else
        values_open(f, w->design);
    w->looker = (struct golden_port_looker){look, w};
    golden_port_look(port, &w->looker);
    return w;
}

void wave_close(struct wave *w) {
    golden_port_look(w->port, NULL);
    if (w->transfers)
        transfers_close(w->transfers);
    free(w->in);
    free(w->out);
    free(w->before);
    free(w);
}
