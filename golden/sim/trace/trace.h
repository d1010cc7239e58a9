/* trace.h - streams in compact binary files; the format is in docs/trace.md.
 *
 * A file holds launches, instruction descriptions and one record an executed
 * warp instruction, usually of one to six bytes.  It closes with a count and a
 * checksum: a file that was cut off, or changed, is noticed.
 */
#ifndef NDP_TRACE_TRACE_H
#define NDP_TRACE_TRACE_H

#include "stream.h"

#define TRACE_MAGIC "NDPTRACE"

enum {
    TRACE_VERSION = 1,
    TRACE_LAUNCH = 1,      /* kernel, grid, block, shared, registers */
    TRACE_INSTRUCTION = 2, /* description; ids count up from 0 */
    TRACE_CTA = 3,         /* of what follows */
    TRACE_END = 4,         /* events, checksum */
    TRACE_EVENT = 0x80,    /* and any of: */
    TRACE_HAS_WARP = 1,
    TRACE_HAS_INSN = 2,
    TRACE_HAS_ACTIVE = 4,
    TRACE_HAS_MASK = 8,
    TRACE_STRIDE = 16, /* addresses: base and stride */
    TRACE_DELTAS = 32, /* addresses: base and differences */
    TRACE_TEXELS = 64  /* bytes of a texel, further addresses */
};

/* Limits that a reader holds a file to. */
enum { TRACE_MAX_STRING = 4096, TRACE_MAX_WARPS = 2048 };

struct trace_writer;

/* Open path for writing.  hash names what was run (run_ptx_hash).  NULL after
 * an error in d. */
struct trace_writer *trace_create(const char *path, uint64_t hash,
                                  struct diag *d);
void trace_write(struct trace_writer *t, const struct stream_event *e);

/* Write the end record, after the last event. */
void trace_end(struct trace_writer *t);

/* Close the file.  complete: write the end record if it is not there; without
 * it, a reader will say that the trace is cut off.  False after an error in d,
 * and then a regular file is gone; t is freed. */
bool trace_finish(struct trace_writer *t, bool complete, struct diag *d);

/* Bytes written so far. */
uint64_t trace_bytes(const struct trace_writer *t);

/* Open a file for reading as a stream; close with stream_close.  NULL after an
 * error in d, which must outlive the stream. */
struct stream *trace_open(const char *path, struct diag *d);

/* The hash in the file; s must come from trace_open. */
uint64_t trace_hash(const struct stream *s);

/* Any trace, by what it begins with: a binary one, an Accel-Sim trace or its
 * kernelslist.g (accelsim.h).  NULL after an error in d. */
struct stream *trace_open_any(const char *path, struct diag *d);

/* Whether the file looks like a trace at all. */
bool trace_recognise(const char *path);

#endif
