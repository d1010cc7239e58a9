/* engine.c - launches on an engine: a device that is none but that, or the
 * fallback of a machine, whose memory goes there and comes back.
 */
#include "runtime.h"

bool ndp_on_engine(const struct ndp_function *f) {
    return f->module->device->engine && !f->image;
}

/* Straight through the port: nothing runs, and no block is looked for. */
static ndpResult move_memory(ndpDevice d, bool to_engine) {
    ndpResult r = NDP_SUCCESS;
    for (struct ndp_block *b = d->taken; b && d->port; b = b->next) {
        if (!b->data || r != NDP_SUCCESS)
            continue;
        r = to_engine ? ndpMemcpyDtoH(d, b->data, b->at, b->asked)
                      : ndpMemcpyHtoD(d, b->at, b->data, b->asked);
    }
    return r;
}

ndpResult ndp_engine_launch(const struct ndp_function *f, const uint32_t *grid,
                            const uint32_t *block, uint32_t shared,
                            const ndpArgument *arguments, unsigned n) {
    ndpDevice d = f->module->device;
    ndpResult r = move_memory(d, true);
    return r == NDP_SUCCESS ? d->engine->class->begin(d->engine, f, grid, block,
                                                      shared, arguments, n)
                            : r;
}

ndpResult ndp_engine_wait(ndpDevice d, unsigned milliseconds) {
    ndpResult r = d->engine->class->wait(d->engine, milliseconds);
    struct text why = {0};
    d->running = NULL; /* copies do not wait for it */
    if (r != NDP_SUCCESS)
        text_add(&why, ndpGetErrorString(d));
    ndpResult moved = move_memory(d, false);
    if (r != NDP_SUCCESS && moved == NDP_SUCCESS)
        ndp_fail(d, r, "%s", text_str(&why));
    text_free(&why);
    return moved == NDP_SUCCESS ? r : moved;
}
