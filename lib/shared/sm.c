/* sm.c - see sm.h. */
#include "sm.h"

#include "iface/system.h"
#include "share.h"

/* Requests between core and cache, and the core's state, shown to a part. */
static void seen(struct design *d, int core, int cache, int part) {
    system_wire(d, core, "mem_valid", part, "seen_valid");
    system_wire(d, cache, "mem_ready", part, "seen_taken");
    system_wire(d, core, "mem_op", part, "seen_op");
    system_wire(d, core, "mem_address", part, "seen_address");
    system_wire(d, core, "state", part, "core_state");
}

void sm_links(struct design *d, int c) {
    int core = system_index(d, "core", c), cache = system_index(d, "cache", c);
    int splice = system_index(d, "splice", c);
    int stride = system_index(d, "stride", c);
    const struct config *cfg = &d->config;

    share_cache(d, c);
    seen(d, core, cache, splice);
    LINK_AT(splice, c, demand, prefetch, c, demand)
    LINK_AT(splice, c, load, prefetch, c, load)
    LINK_AT(prefetch, c, mem, splice, c, out)
    LINK_AT(splice, c, pre, stride, c, given)
    LINK_AT(core, c, offer, stride, c, offer)
    seen(d, core, cache, stride);
    LINK_AT(stride, c, pre, cache, c, pre)
    LINK_AT(cache, c, gone, prefetch, c, fill)
    TIE_AT(splice, c, shape_divider, (uint64_t)cfg->prefetch_divider)
    TIE_AT(splice, c, shape_size_bits, (uint64_t)cfg->prefetch_size_bits)
    TIE_AT(splice, c, shape_pitch_bits, (uint64_t)cfg->prefetch_pitch_bits)
    TIE_AT(splice, c, shape_row_bits, (uint64_t)cfg->prefetch_row_bits)
}
