/* version.h - the version that --version and the emitted files show. */
#ifndef NDP_VERSION_H
#define NDP_VERSION_H

#define NDP_VERSION "0.1.0"

#endif
