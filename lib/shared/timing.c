/* timing.c - the times of a DRAM part against each other. */
#include "timing.h"

static bool at_least(struct diag *d, const char *key, int value,
                     const char *than, int least) {
    if (value >= least)
        return true;
    config_error(d, "'%s' is %d, expected %d or more, which is '%s'", key,
                 value, least, than);
    return false;
}

bool timing_check(const struct config *c, struct diag *d) {
    int before = d->errors;
    at_least(d, "timing.rc", c->timing_rc, "timing.ras", c->timing_ras);
    at_least(d, "timing.ras", c->timing_ras, "timing.rcd", c->timing_rcd);
    at_least(d, "timing.ccds", c->timing_ccds, "timing.bl", c->timing_bl);
    at_least(d, "timing.ccdl", c->timing_ccdl, "timing.ccds", c->timing_ccds);
    at_least(d, "timing.wtrl", c->timing_wtrl, "timing.wtrs", c->timing_wtrs);
    at_least(d, "timing.rrdl", c->timing_rrdl, "timing.rrds", c->timing_rrds);
    at_least(d, "timing.faw", c->timing_faw, "timing.rrds", c->timing_rrds);
    if (c->timing_refi && c->timing_refi <= c->timing_rfc)
        config_error(d,
                     "'timing.refi' is %d, expected more than the %d cycles of "
                     "'timing.rfc', or 0 for no refresh",
                     c->timing_refi, c->timing_rfc);
    return d->errors == before;
}
