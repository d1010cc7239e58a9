/* job.h - one run of ndpgen: what to make, and the files it becomes. */
#ifndef NDP_GEN_JOB_H
#define NDP_GEN_JOB_H

#include "base/text.h"
#include "config/config.h"
#include "iface/design.h"

#include <stdbool.h>
#include <stdint.h>

struct gen_job {
    const struct design *design; /* of the target */
    const char *prefix;          /* of module and file names; "" for none */
    const char *command;         /* how to repeat the run; names no folder */
};

enum gen_kind {
    GEN_RTL,     /* Verilog to compile */
    GEN_INCLUDE, /* Verilog to include */
    GEN_FORMAL,  /* beside the RTL, for provers */
    GEN_TB,      /* beside the RTL, for simulators */
    GEN_OTHER
};

struct gen_file {
    char *path; /* relative, with '/' */
    enum gen_kind kind;
    struct text text;
};

/* The output folder in memory. Zero-initialise to start. */
struct gen_files {
    struct gen_file *files;
    int n, cap;
};

/* A new empty file; the result is valid until the next one is added. */
struct text *gen_files_add(struct gen_files *f, enum gen_kind kind,
                           const char *path);
const struct gen_file *gen_files_find(const struct gen_files *f,
                                      const char *path);
void gen_files_free(struct gen_files *f);

/* "rtl", "include", "formal", "tb", "other". */
const char *gen_kind_name(enum gen_kind kind);

/* "<prefix>ndp_<target>", the root module; append to out. */
void gen_root_name(const struct gen_job *job, struct text *out);

/* "ndpgen <version>, configuration <hash>". */
void gen_made_by(const struct gen_job *job, struct text *out);

/* The value of p as a number: INT itself, ENUM its index, SET its mask; not for
 * a LIST. */
int64_t gen_param_number(const struct config *c, const struct param *p);

/* FNV-1a, 64 bits. */
uint64_t gen_fnv1a(const char *data, size_t len);

#endif
