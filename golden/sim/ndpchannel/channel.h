/* channel.h - a host and accelerators on one memory, as a command line: that of
 * ndpchannel, and of ndpsim --preset concurrent.
 */
#ifndef NDP_NDPCHANNEL_CHANNEL_H
#define NDP_NDPCHANNEL_CHANNEL_H

#include "base/options.h"

/* Its options, for who wants to name them. */
extern const struct option_spec channel_specs[];

/* All of it, under the name that --help shows; argv[0] is not looked at.  The
 * exit status: 0 done, 1 a command broke a rule or a result is wrong, 2 bad
 * input. */
int channel_main(const char *program, int argc, char **argv);

#endif
