/* demangle.c - by way of the C++ runtime library, which knows the whole
 * grammar.
 */
#include "demangle.h"

#include "arena.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of the Itanium C++ ABI, 3.4; malloc'ed, NULL if it is no mangled name. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length,
                     int *status);

char *demangle(const char *name) {
    int status;
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    return __cxa_demangle(name, NULL, NULL, &status);
}

/* Names without blanks; a word that stands in front, a template's type of
 * result, is left to parts(). */
static char *squeeze(const char *s) {
    char *out = xmalloc(strlen(s) + 1), *to = out;
    for (; *s; s++)
        if (!isspace((unsigned char)*s))
            *to++ = *s;
    *to = '\0';
    return out;
}

/* Past "void " in front of "void f<int>(int)": the first blank outside all
 * brackets, before the parameters. */
static const char *without_result(const char *s) {
    int depth = 0;
    for (const char *p = s; *p; p++) {
        if (depth == 0 && *p == '(' && strncmp(p, "(anonymous", 10) != 0)
            return s;
        depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
        if (depth == 0 && *p == ' ')
            return p + 1;
    }
    return s;
}

/* Up to the parameters, or up to the last template arguments before them. */
static void cut(char *s, bool arguments) {
    int depth = 0;
    size_t n = strlen(s);
    char *end = s + n;
    if (n && s[n - 1] == ')')
        for (char *p = end; p > s;) {
            p--;
            depth += (*p == ')') - (*p == '(');
            if (depth == 0) {
                end = p;
                break;
            }
        }
    if (arguments && end > s && end[-1] == '>')
        for (char *p = end; p > s;) {
            p--;
            depth += (*p == '>') - (*p == '<');
            if (depth == 0) {
                end = p;
                break;
            }
        }
    *end = '\0';
}

bool demangle_means(const char *text, const char *name) {
    if (strcmp(text, name) == 0)
        return true;
    char *full = demangle(name);
    if (!full)
        return false;
    char *want = squeeze(without_result(text)),
         *have = squeeze(without_result(full));
    bool same = strcmp(want, have) == 0;
    for (int arguments = 0; arguments < 2 && !same; arguments++) {
        cut(have, arguments);
        same = strcmp(want, have) == 0;
    }
    free(full);
    free(want);
    free(have);
    return same;
}
