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

void gen_root_name(const struct gen_job *job, struct text *out) {
    text_printf(out, "%sndp_%s", job->prefix, job->block->name);
}

void gen_made_by(const struct gen_job *job, struct text *out) {
    text_printf(out, "ndpgen %s, configuration %016" PRIx64, NDP_VERSION,
                job->hash);
}

bool gen_uses_param(const struct gen_job *job, const struct param *p) {
    const struct iface *b = job->block;
    size_t n = strcspn(p->key, ".");
    if (strncmp(p->key, b->name, n) == 0 && b->name[n] == '\0')
        return true;
    struct text field = {0};
    text_printf(&field, "P(%.*s_", (int)n, p->key);
    bool uses = false;
    for (int i = 0; i < b->n_locals; i++)
        uses = uses || strstr(b->locals[i].text, text_str(&field));
    text_free(&field);
    return uses;
}

int64_t gen_param_number(const struct config *c, const struct param *p) {
    const char *field = (const char *)c + p->offset;
    int value;
    uint32_t mask;
    if (p->type == PARAM_LIST)
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

int gen_first_counter(const struct iface *b) {
    return REG_FIRST + b->n_settings;
}

int64_t gen_storage_bits(const struct gen_job *job) {
    int64_t bits = 0;
    for (int i = 0; i < job->block->n_memories; i++)
        bits += job->sizes.memory_words[i] * job->sizes.memory_bits[i];
    return bits;
}
