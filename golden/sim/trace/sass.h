/* sass.h - what a SASS opcode is, as far as a stream needs to know. */
#ifndef NDP_TRACE_SASS_H
#define NDP_TRACE_SASS_H

#include "stream.h"

struct sass_kind {
    enum opclass opc;
    enum ptx_space space;
    enum stream_access access;
};

/* By the part of the opcode before its first dot ("LDG.E.64": LDG). */
struct sass_kind sass_kind_of(const char *opcode);

#endif
