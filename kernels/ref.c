/* ref.c - finds references by name, and buffers and scalars for them. */
#include "ref.h"

#include <string.h>

#include "base/diag.h"

static const struct {
    const char *name;
    ref_fn *fn;
    unsigned papers;
} references[] = {
#define REF(name, papers) {#name, ref_##name, papers},
#include "refs.def"
};

#define REFERENCES (sizeof references / sizeof references[0])

ref_fn *ref_find(const char *name) {
    for (size_t i = 0; i < REFERENCES; i++)
        if (strcmp(references[i].name, name) == 0)
            return references[i].fn;
    return NULL;
}

const char *ref_name(size_t n) {
    return n < REFERENCES ? references[n].name : NULL;
}

unsigned ref_papers(size_t n) {
    return n < REFERENCES ? references[n].papers : 0;
}

static double scalar(const struct ref_run *r, const char *name) {
    for (size_t i = 0; i < r->scalar_count; i++)
        if (strcmp(r->scalars[i].name, name) == 0)
            return r->scalars[i].value;
    BUG("run description has no value '%s' that its reference needs", name);
}

int64_t ref_int(const struct ref_run *r, const char *name) {
    return (int64_t)scalar(r, name);
}

float ref_float(const struct ref_run *r, const char *name) {
    return (float)scalar(r, name);
}

static void *buffer(struct ref_run *r, const char *name, enum ref_type type) {
    for (size_t i = 0; i < r->buffer_count; i++) {
        struct ref_buffer *b = &r->buffers[i];

        if (strcmp(b->name, name) != 0)
            continue;
        if (b->type != type)
            BUG("buffer '%s' has not the type that its reference needs", name);
        return b->data;
    }
    BUG("run description has no buffer '%s' that its reference needs", name);
}

uint8_t *ref_u8(struct ref_run *r, const char *name) {
    return buffer(r, name, REF_U8);
}

int32_t *ref_i32(struct ref_run *r, const char *name) {
    return buffer(r, name, REF_I32);
}

uint32_t *ref_u32(struct ref_run *r, const char *name) {
    return buffer(r, name, REF_U32);
}

float *ref_f32(struct ref_run *r, const char *name) {
    return buffer(r, name, REF_F32);
}
