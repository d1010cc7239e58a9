/* report.h - what a run of host and accelerators was, for people and programs.
 */
#ifndef NDP_NDPCHANNEL_REPORT_H
#define NDP_NDPCHANNEL_REPORT_H

#include "concurrent/concurrent.h"

#include <stdio.h>

enum { REPORT_CORE_MHZ = 4000 }; /* of the paper's cores */

struct report {
    const struct config *config;
    const struct concurrent_setup *setup;
    const struct concurrent_result *result;
    const char *host;     /* "mix1", a trace's name, "none" */
    const char *apps;     /* of a mix; NULL */
    const char *throttle; /* as --throttle names it */
    double mhz;           /* of the command clock */
};

void channel_text(const struct report *r, FILE *out);
void channel_json(const struct report *r, FILE *out);

#endif
