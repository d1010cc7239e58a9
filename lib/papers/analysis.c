/* analysis.c - the passes over a function, in order. */
#include "analysis.h"

struct ptx_analysis *ptx_analyse(struct arena *a,
                                 const struct ptx_function *f) {
    struct ptx_analysis *r = arena_alloc(a, sizeof *r);
    r->function = f;
    ptx_cfg_build(a, f, &r->cfg);
    ptx_dominators(a, &r->cfg, &r->dom);
    ptx_post_dominators(a, &r->cfg, &r->pdom);
    ptx_loops_find(a, &r->cfg, &r->dom, &r->loops);
    ptx_defs_find(a, f, &r->defs);
    ptx_trips_find(f, &r->cfg, &r->dom, &r->defs, &r->loops);
    ptx_live_find(a, f, &r->cfg, &r->live);
    ptx_locate(a, f, &r->defs, &r->locations);
    ptx_allocate(a, f, &r->live, &r->locations, &r->allocation);
    return r;
}
