/* names.c - a chained hash table whose entries form a stack of scopes.
 *
 * New entries go to the head of their bucket, so the innermost is found first
 * and closing a scope takes heads off again.
 */
#include "names.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *s, size_t len) {
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h ^ h >> 15;
}

struct name_entry *ptx_name_find(const struct name_map *m, const char *name,
                                 size_t len) {
    if (!m->count)
        return NULL;
    uint32_t h = hash_of(name, len);
    for (int i = m->buckets[h & (uint32_t)(m->n_buckets - 1)]; i >= 0;
         i = m->entries[i].next) {
        struct name_entry *e = &m->entries[i];
        if (e->hash == h && e->len == len && memcmp(e->name, name, len) == 0)
            return e;
    }
    return NULL;
}

static void link_entry(struct name_map *m, int i) {
    int *head = &m->buckets[m->entries[i].hash & (uint32_t)(m->n_buckets - 1)];
    m->entries[i].next = *head;
    *head = i;
}

static void grow(struct name_map *m) {
    m->cap = m->cap ? 2 * m->cap : 64;
    m->entries = xrealloc(m->entries, (size_t)m->cap * sizeof *m->entries);
    m->n_buckets = 2 * m->cap;
    m->buckets = xrealloc(m->buckets, (size_t)m->n_buckets * sizeof(int));
    for (int b = 0; b < m->n_buckets; b++)
        m->buckets[b] = -1;
    for (int i = 0; i < m->count; i++)
        link_entry(m, i);
}

void ptx_name_add(struct name_map *m, const char *name, size_t len,
                  void *value) {
    if (m->count == m->cap)
        grow(m);
    m->entries[m->count] =
        (struct name_entry){name, len, hash_of(name, len), -1, m->depth, value};
    link_entry(m, m->count++);
}

void ptx_name_open(struct name_map *m) {
    if (m->depth == m->marks_cap) {
        m->marks_cap = m->marks_cap ? 2 * m->marks_cap : 16;
        m->marks = xrealloc(m->marks, (size_t)m->marks_cap * sizeof(int));
    }
    m->marks[m->depth++] = m->count;
}

void ptx_name_close(struct name_map *m) {
    int mark = m->marks[--m->depth];
    while (m->count > mark) {
        struct name_entry *e = &m->entries[--m->count];
        m->buckets[e->hash & (uint32_t)(m->n_buckets - 1)] = e->next;
    }
}

void ptx_name_free(struct name_map *m) {
    free(m->entries);
    free(m->buckets);
    free(m->marks);
    *m = (struct name_map){0};
}
