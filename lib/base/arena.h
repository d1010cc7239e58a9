/* arena.h - memory that is freed all at once.
 *
 * The front ends allocate into an arena and never free single objects.
 * Running out of memory ends the program with a message: no caller has
 * anything better to do.
 */
#ifndef NDP_ARENA_H
#define NDP_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *head; /* newest chunk; zero-initialise to start */
};

/* size zeroed bytes, aligned for any object; valid until arena_free. */
void *arena_alloc(struct arena *a, size_t size);

/* count zeroed objects of size bytes; checks the product for overflow. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* A copy of count objects of size bytes; list may be NULL if count is 0. */
void *arena_copy(struct arena *a, const void *list, size_t count, size_t size);

/* Copies of a byte range, terminated, and of a string. */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);

void arena_free(struct arena *a);

/* Say so and exit with status 2. */
_Noreturn void out_of_memory(void);

/* malloc family that does not return NULL. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

#endif
