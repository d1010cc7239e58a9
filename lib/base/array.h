/* array.h - a list that grows at its end.
 *
 *     ARRAY(struct edge) edges = {0};
 *     *array_push(&edges) = (struct edge){from, to};
 *     for (int i = 0; i < edges.n; i++)
 *         use(&edges.v[i]);
 *     array_free(&edges);
 *
 * Elements move when the list grows: the address of one is good until the next
 * push, and what is stored by a push must not read the list.  Room doubles: n
 * pushes copy less than 2 n elements.  Out of memory ends the program, as in
 * arena.h.  The macros evaluate their argument more than once.
 */
#ifndef NDP_ARRAY_H
#define NDP_ARRAY_H

#include "arena.h"
#include "diag.h"

#include <stdint.h>
#include <stdlib.h>

/* v[0] to v[n - 1] are there; zero-initialise to start. */
#define ARRAY(type)                                                            \
    struct {                                                                   \
        type *v;                                                               \
        int n, cap;                                                            \
    }

/* Address of a new last element, whose contents are not set. */
#define array_push(a)                                                          \
    ((a)->v = array_room((a)->v, (a)->n, &(a)->cap, sizeof *(a)->v),           \
     &(a)->v[(a)->n++])

/* A copy of all elements that lasts as long as the arena. */
#define array_keep(a, arena)                                                   \
    arena_copy(arena, (a)->v, (size_t)(a)->n, sizeof *(a)->v)

/* In the order of a comparison for qsort. */
#define array_sort(a, order)                                                   \
    ((a)->n ? qsort((a)->v, (size_t)(a)->n, sizeof *(a)->v, order) : (void)0)

#define array_free(a) (free((a)->v), (a)->v = NULL, (a)->n = (a)->cap = 0)

/* Where list, count and capacity stand apart: the list, of elements of size
 * bytes, with room for element n; what lay in the first *cap stays. */
static inline void *array_room(void *list, int n, int *cap, size_t size) {
    if (n < *cap)
        return list;
    if (n > INT32_MAX / 2)
        BUG("a list of %d elements", n);
    *cap = n < 8 ? 16 : 2 * n;
    return xrealloc(list, (size_t)*cap * size);
}

#endif
