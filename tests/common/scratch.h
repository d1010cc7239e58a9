/* scratch.h - a folder for the files of a test. */
#ifndef NDP_TESTS_SCRATCH_H
#define NDP_TESTS_SCRATCH_H

#include "temp.h"

#include <unistd.h>

struct scratch {
    char folder[TEMP_MAX];
    char paths[16][TEMP_MAX + 64];
    int n;
};

static inline void scratch_open(struct scratch *s) {
    s->n = 0;
    temp_pattern(s->folder);
    if (!mkdtemp(s->folder))
        abort();
}

/* A path for name in the folder, with contents unless text is NULL. */
static inline const char *scratch_file(struct scratch *s, const char *name,
                                       const void *text, size_t len) {
    char *path = s->paths[s->n++];
    if (strlen(s->folder) + strlen(name) + 2 > sizeof s->paths[0])
        abort();
    strcpy(path, s->folder);
    strcat(path, "/");
    strcat(path, name);
    if (text) {
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0)
            abort();
    }
    return path;
}

static inline const char *scratch_text(struct scratch *s, const char *name,
                                       const char *text) {
    return scratch_file(s, name, text, strlen(text));
}

static inline void scratch_close(struct scratch *s) {
    while (s->n > 0)
        remove(s->paths[--s->n]);
    rmdir(s->folder);
}

#endif
