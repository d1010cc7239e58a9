/* arena.c - bump allocation out of chunks, freed all at once.
 *
 * Chunks come zeroed from calloc and grow with what was asked for, so that an
 * object is zero without a memset of its own.  A request larger than a chunk
 * gets one to itself, placed behind the newest so that the newest stays in use.
 */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next; /* older */
    size_t used, size;        /* bytes of data */
    alignas(max_align_t) unsigned char data[];
};

_Noreturn void out_of_memory(void) {
    fputs("error: out of memory\n", stderr);
    exit(2);
}

void *xmalloc(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t count, size_t size) {
    void *p = count && size ? calloc(count, size) : calloc(1, 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xrealloc(void *p, size_t size) {
    p = realloc(p, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *xstrdup(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}

static struct arena_chunk *new_chunk(size_t size) {
    struct arena_chunk *c;
    if (size > SIZE_MAX - sizeof *c)
        out_of_memory();
    c = xcalloc(1, sizeof *c + size);
    c->size = size;
    return c;
}

/* A chunk with room for size bytes, linked into the arena. */
static struct arena_chunk *chunk_for(struct arena *a, size_t size) {
    struct arena_chunk *head = a->head, *c;
    if (head && size <= head->size - head->used)
        return head;
    c = new_chunk(size > CHUNK_SIZE ? size : CHUNK_SIZE);
    if (head && size > CHUNK_SIZE) {
        c->next = head->next;
        head->next = c;
    } else {
        c->next = head;
        a->head = c;
    }
    return c;
}

void *arena_alloc(struct arena *a, size_t size) {
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align)
        out_of_memory();
    /* An empty object takes room too, so that every address is unique. */
    size = (size ? size + align - 1 : align) / align * align;
    struct arena_chunk *c = chunk_for(a, size);
    void *p = c->data + c->used;
    c->used += size;
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    return arena_alloc(a, count * size);
}

void *arena_copy(struct arena *a, const void *list, size_t count, size_t size) {
    void *copy = arena_array(a, count, size);
    if (count)
        memcpy(copy, list, count * size);
    return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t n) {
    if (n == SIZE_MAX)
        out_of_memory();
    char *copy = arena_alloc(a, n + 1);
    if (n)
        memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(struct arena *a, const char *s) {
    return arena_strndup(a, s, strlen(s));
}

void arena_free(struct arena *a) {
    for (struct arena_chunk *c = a->head, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    a->head = NULL;
}
