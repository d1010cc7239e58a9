/* job.c - the file list in memory and facts that several emitters need. */
#include "job.h"

#include "base/arena.h"
#include "base/version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct text *gen_files_add(struct gen_files *f, enum gen_kind kind,
                           const char *path) {
    if (f->n == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 16;
        f->files = xrealloc(f->files, (size_t)f->cap * sizeof *f->files);
    }
    size_t n = strlen(path) + 1;
    struct gen_file *file = &f->files[f->n++];
    *file = (struct gen_file){.path = xmalloc(n), .kind = kind};
    memcpy(file->path, path, n);
    return &file->text;
}

const struct gen_file *gen_files_find(const struct gen_files *f,
                                      const char *path) {
    for (int i = 0; i < f->n; i++)
        if (strcmp(f->files[i].path, path) == 0)
            return &f->files[i];
    return NULL;
}

void gen_files_free(struct gen_files *f) {
    for (int i = 0; i < f->n; i++) {
        free(f->files[i].path);
        text_free(&f->files[i].text);
    }
    free(f->files);
    *f = (struct gen_files){0};
}

const char *gen_kind_name(enum gen_kind kind) {
    static const char *const names[] = {[GEN_RTL] = "rtl",
                                        [GEN_INCLUDE] = "include",
                                        [GEN_FORMAL] = "formal",
                                        [GEN_TB] = "tb",
                                        [GEN_OTHER] = "other"};
    return names[kind];
}

void gen_root_name(const struct gen_job *job, struct text *out) {
    text_printf(out, "%sndp_%s", job->prefix, job->design->iface->name);
}

void gen_made_by(const struct gen_job *job, struct text *out) {
    text_printf(out, "ndpgen %s, configuration %016" PRIx64, NDP_VERSION,
                job->design->hash);
}

int64_t gen_param_number(const struct config *c, const struct param *p) {
    const char *field = (const char *)c + p->offset;
    int value;
    uint32_t mask;
    if (p->type == PARAM_LIST || p->type == PARAM_MASKS)
        BUG("'%s' is more than a number", p->key);
    if (p->type == PARAM_SET) {
        memcpy(&mask, field, sizeof mask);
        return mask;
    }
    memcpy(&value, field, sizeof value);
    return value;
}

uint64_t gen_fnv1a(const char *data, size_t len) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return hash;
}
