/* temp.h - names for temporary files and folders of the tests, where the system
 * wants them: $TMPDIR, else the folder that POSIX names. */
#ifndef NDP_TESTS_TEMP_H
#define NDP_TESTS_TEMP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEMP_MAX = 256 };

/* A pattern for mkstemp and mkdtemp. */
static inline void temp_pattern(char path[TEMP_MAX]) {
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) > TEMP_MAX - 16)
        folder = "/tmp"; /* POSIX has it */
    snprintf(path, TEMP_MAX, "%s/ndp-XXXXXX", folder);
}

#endif
