/* names.c - a chained hash table whose entries form a stack of scopes.
 *
 * New entries go to the head of their bucket, so the innermost is found first
 * and closing a scope takes heads off again.
 */
#include "names.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *s, size_t len) {
    uint64_t h = fnv1a(FNV1A_START, s, len);
    return (uint32_t)(h ^ h >> 32);
}

struct name_entry *ptx_name_find(const struct name_map *m, const char *name,
                                 size_t len) {
    if (!m->entries.n)
        return NULL;
    uint32_t h = hash_of(name, len);
    for (int i = m->buckets[h & (uint32_t)(m->n_buckets - 1)]; i >= 0;
         i = m->entries.v[i].next) {
        struct name_entry *e = &m->entries.v[i];
        if (e->hash == h && e->len == len && memcmp(e->name, name, len) == 0)
            return e;
    }
    return NULL;
}

static void link_entry(struct name_map *m, int i) {
    int *head =
        &m->buckets[m->entries.v[i].hash & (uint32_t)(m->n_buckets - 1)];
    m->entries.v[i].next = *head;
    *head = i;
}

/* Twice the entries or more, so that chains stay short. */
static void more_buckets(struct name_map *m) {
    m->n_buckets = m->n_buckets ? 2 * m->n_buckets : 128;
    m->buckets = xrealloc(m->buckets, (size_t)m->n_buckets * sizeof(int));
    for (int b = 0; b < m->n_buckets; b++)
        m->buckets[b] = -1;
    for (int i = 0; i < m->entries.n; i++)
        link_entry(m, i);
}

void ptx_name_add(struct name_map *m, const char *name, size_t len,
                  void *value) {
    if (2 * m->entries.n >= m->n_buckets)
        more_buckets(m);
    *array_push(&m->entries) = (struct name_entry){
        name, len, hash_of(name, len), -1, m->marks.n, value};
    link_entry(m, m->entries.n - 1);
}

void ptx_name_open(struct name_map *m) {
    *array_push(&m->marks) = m->entries.n;
}

void ptx_name_close(struct name_map *m) {
    int mark = m->marks.v[--m->marks.n];
    while (m->entries.n > mark) {
        struct name_entry *e = &m->entries.v[--m->entries.n];
        m->buckets[e->hash & (uint32_t)(m->n_buckets - 1)] = e->next;
    }
}

void ptx_name_free(struct name_map *m) {
    free(m->entries.v);
    free(m->buckets);
    free(m->marks.v);
    *m = (struct name_map){0};
}
