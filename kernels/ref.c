/* ref.c - finds references by name, and buffers and scalars for them. */
#include "ref.h"

#include <setjmp.h>
#include <stdio.h>
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

struct ref_failure {
    jmp_buf leave;
    char why[REF_WHY];
};

bool ref_call(ref_fn *fn, struct ref_run *r, char why[REF_WHY]) {
    struct ref_failure failure;
    r->failure = &failure;
    if (setjmp(failure.leave) == 0) {
        fn(r);
        r->failure = NULL;
        return true;
    }
    r->failure = NULL;
    memcpy(why, failure.why, REF_WHY);
    return false;
}

static _Noreturn void fail(const struct ref_run *r, const char *before,
                           const char *name, const char *after) {
    if (!r->failure)
        BUG("%s '%s'%s", before, name, after);
    snprintf(r->failure->why, REF_WHY, "%s '%s'%s", before, name, after);
    longjmp(r->failure->leave, 1);
}

static double scalar(const struct ref_run *r, const char *name) {
    for (size_t i = 0; i < r->scalar_count; i++)
        if (strcmp(r->scalars[i].name, name) == 0)
            return r->scalars[i].value;
    fail(r, "there is no value", name, "");
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
            fail(r, "buffer", name, " has another type");
        return b->data;
    }
    fail(r, "there is no buffer", name, "");
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
