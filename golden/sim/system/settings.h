/* settings.h - options of a composition as tables: where each lies in its
 * struct of settings, and what it may be. */
#ifndef NDP_SYSTEM_SETTINGS_H
#define NDP_SYSTEM_SETTINGS_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

/* A whole number; all fields are uint32_t. */
struct setting_number {
    const char *name; /* NULL: the end */
    size_t at;        /* offset in the struct */
    uint32_t least, most;
};

/* The position of one of the words of "a|b|c". */
struct setting_choice {
    const char *name; /* NULL: the end */
    const char *words;
    size_t at;
};

/* Put the value of option name where it belongs.  False after an error in d, or
 * without one if no table has the name. */
bool setting_take(void *settings, const struct setting_number *numbers,
                  const struct setting_choice *choices, const char *name,
                  const char *value, struct diag *d);

/* The cache of option name has whole lines in each way, or an error in d. */
void setting_check_cache(const char *name, uint32_t bytes, uint32_t ways,
                         struct diag *d);

#endif
