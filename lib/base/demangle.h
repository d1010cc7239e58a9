/* demangle.h - names of C++ as people write them. */
#ifndef NDP_DEMANGLE_H
#define NDP_DEMANGLE_H

#include <stdbool.h>

/* "ns::scale<float>(float*, int)" of "_ZN2ns5scaleIfEEvPT_i"; NULL if it is no
 * such name.  The caller frees. */
char *demangle(const char *name);

/* Whether text means name: as it stands in the object, or as people write it,
 * with its parameters or without them, a template with its arguments or
 * without.  Blanks do not count. */
bool demangle_means(const char *text, const char *name);

#endif
