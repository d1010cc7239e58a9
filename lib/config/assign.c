/* assign.c - checking a written value and storing it; --set.
 *
 * The YAML reader and --set meet here, so that a value is accepted, refused and
 * explained alike wherever it was written.
 */
#include "assign.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The names that an ENUM or SET accepts, for suggest; an ENUM's are copied out
 * of "a|b|c". */
struct names {
    const struct param *p;
    char buf[32][32];
};

static const char *next_name(void *ctx, int n) {
    struct names *names = ctx;
    size_t len;
    if (names->p->type == PARAM_SET)
        return n < 32 ? names->p->element(n) : NULL;
    const char *name = config_enum_name(names->p->names, n, &len);
    if (len == 0)
        return NULL;
    if (n >= 32 || len >= sizeof names->buf[0])
        BUG("'%s' has too many or too long names", names->p->key);
    memcpy(names->buf[n], name, len);
    names->buf[n][len] = '\0';
    return names->buf[n];
}

static const char *next_key(void *ctx, int n) {
    (void)ctx;
    const struct param *p = config_param(n);
    return p ? p->key : NULL;
}

/* The only key whose part after the section is the last part of word. */
static const char *key_with_tail(const char *word) {
    const char *dot = strrchr(word, '.'), *found = NULL;
    const char *tail = dot ? dot + 1 : word;
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++) {
        const char *last = strrchr(p->key, '.');
        if (!last || strcmp(last + 1, tail) != 0)
            continue;
        if (found)
            return NULL;
        found = p->key;
    }
    return found;
}

void config_unknown_key(const char *key, struct place at, struct diag *d) {
    const char *near = suggest(key, next_key, NULL);
    if (!near)
        near = key_with_tail(key);
    if (near)
        diag_error(d, at, "unknown key '%s', did you mean '%s'", key, near);
    else
        diag_error(d, at, "unknown key '%s', see --list-params", key);
}

void config_wrong_type(const struct param *p, const char *got, struct place at,
                       struct diag *d) {
    static const char *const expected[] = {
        [PARAM_INT] = "a whole number",
        [PARAM_POW2] = "a whole number",
        [PARAM_ENUM] = "one name",
        [PARAM_SET] = "a list of names such as [a, b]",
        [PARAM_LIST] = "a list of whole numbers such as [1, 2]",
        [PARAM_MASKS] = "a list of lists of bits such as [[7, 14], [15, 19]]",
    };
    diag_error(d, at, "'%s' expects %s, got %s", p->key, expected[p->type],
               got);
}

static void wrong_word(const struct param *p, const char *word,
                       const char *hint, struct place at, struct diag *d) {
    struct text got = {0};
    if (*word)
        text_printf(&got, "'%s'%s", word, hint);
    else
        text_add(&got, "nothing");
    config_wrong_type(p, text_str(&got), at, d);
    text_free(&got);
}

/* A decimal or 0x number, perhaps negative; false when word is none. One beyond
 * the type saturates. */
static bool parse_number(const char *word, long long *n) {
    const char *digits = word + (*word == '-');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const char *p = hex ? digits + 2 : digits;
    if (!*p || (!hex && p[0] == '0' && p[1]))
        return false;
    for (; *p; p++)
        if (hex ? !isxdigit((unsigned char)*p) : !isdigit((unsigned char)*p))
            return false;
    errno = 0;
    *n = strtoll(word, NULL, hex ? 16 : 10);
    return true;
}

/* What to add to the message about a word that is no number. */
static const char *number_hint(const char *word) {
    bool octal = word[0] == '0' && isdigit((unsigned char)word[1]);
    return octal ? ", which might be octal" : "";
}

static bool assign_number(struct config *c, const struct param *p,
                          const char *word, struct place at, struct diag *d) {
    bool pow2 = p->type == PARAM_POW2;
    long long n;
    if (!parse_number(word, &n)) {
        wrong_word(p, word, number_hint(word), at, d);
        return false;
    }
    if (n < p->min || n > p->max || (pow2 && (n & (n - 1)) != 0)) {
        diag_error(d, at, "'%s' is %s, expected %s%d to %d %s", p->key, word,
                   pow2 ? "a power of two from " : "", p->min, p->max, p->unit);
        return false;
    }
    config_store(c, p, (int)n);
    return true;
}

/* Position of word among the names of p, -1 after an error. */
static int find_name(const char *word, const struct param *p, struct place at,
                     struct diag *d) {
    struct names names = {.p = p};
    const char *name;
    for (int i = 0; (name = next_name(&names, i)); i++)
        if (strcmp(name, word) == 0)
            return i;
    const char *near = suggest(word, next_name, &names);
    if (near) {
        diag_error(d, at, "'%s' has no value '%s', did you mean '%s'", p->key,
                   word, near);
        return -1;
    }
    struct text all = {0};
    for (int i = 0; (name = next_name(&names, i)); i++)
        text_printf(&all, "%s%s", i ? ", " : "", name);
    diag_error(d, at, "'%s' has no value '%s', expected one of %s", p->key,
               word, text_str(&all));
    text_free(&all);
    return -1;
}

bool config_assign_word(struct config *c, const struct param *p,
                        const char *word, struct place at, struct diag *d) {
    if (p->type == PARAM_INT || p->type == PARAM_POW2)
        return assign_number(c, p, word, at, d);
    if (config_is_list(p) || !*word) {
        wrong_word(p, word, "", at, d);
        return false;
    }
    int n = find_name(word, p, at, d);
    if (n < 0)
        return false;
    config_store(c, p, n);
    return true;
}

bool config_is_list(const struct param *p) {
    return p->type == PARAM_SET || p->type == PARAM_LIST ||
           p->type == PARAM_MASKS;
}

static bool add_name(uint32_t *mask, const struct param *p, const char *word,
                     struct place at, struct diag *d) {
    int n = find_name(word, p, at, d);
    if (n < 0)
        return false;
    if (*mask >> n & 1) {
        diag_error(d, at, "'%s' lists '%s' twice", p->key, word);
        return false;
    }
    *mask |= (uint32_t)1 << n;
    return true;
}

static bool list_has(const struct int_list *list, long long n) {
    for (int i = 0; i < list->n; i++)
        if (list->v[i] == n)
            return true;
    return false;
}

static bool add_number(struct int_list *list, const struct param *p,
                       const char *word, struct place at, struct diag *d) {
    int room = (int)(sizeof list->v / sizeof list->v[0]);
    long long n;
    if (!parse_number(word, &n))
        diag_error(d, at, "'%s' lists whole numbers, got '%s'%s", p->key, word,
                   number_hint(word));
    else if (n < p->min || n > p->max)
        diag_error(d, at, "'%s' lists %s, expected %d to %d", p->key, word,
                   p->min, p->max);
    else if (list_has(list, n))
        diag_error(d, at, "'%s' lists %s twice", p->key, word);
    else if (list->n == room)
        diag_error(d, at, "'%s' lists more than %d numbers", p->key, room);
    else {
        list->v[list->n++] = (int)n;
        return true;
    }
    return false;
}

bool config_add_bit(uint64_t *mask, const struct param *p, const char *word,
                    struct place at, struct diag *d) {
    long long n;
    if (!parse_number(word, &n))
        diag_error(d, at, "'%s' lists bits, got '%s'%s", p->key, word,
                   number_hint(word));
    else if (n < p->min || n > p->max)
        diag_error(d, at, "'%s' has bit %s, expected %d to %d", p->key, word,
                   p->min, p->max);
    else if (*mask >> n & 1)
        diag_error(d, at, "'%s' has bit %s twice in one mask", p->key, word);
    else {
        *mask |= (uint64_t)1 << n;
        return true;
    }
    return false;
}

bool config_add_mask(struct config_items *items, const struct param *p,
                     uint64_t mask, struct place at, struct diag *d) {
    int room = (int)(sizeof items->masks.v / sizeof items->masks.v[0]);
    if (mask == 0)
        diag_error(d, at, "'%s' has a mask without bits", p->key);
    else if (items->masks.n == room)
        diag_error(d, at, "'%s' lists more than %d masks", p->key, room);
    else {
        items->masks.v[items->masks.n++] = mask;
        return true;
    }
    return false;
}

static bool add_mask_word(struct config_items *items, const struct param *p,
                          const char *word, struct place at, struct diag *d) {
    char *end;
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    errno = 0;
    uint64_t mask = hex ? strtoull(word, &end, 16) : 0;
    if (!hex || *end || !isxdigit((unsigned char)word[2]) || errno) {
        diag_error(d, at,
                   "'%s' lists masks, got '%s', expected a list of bits such "
                   "as [7, 14], or 0x4080",
                   p->key, word);
        return false;
    }
    return config_add_mask(items, p, mask, at, d);
}

bool config_add_item(struct config_items *items, const struct param *p,
                     const char *word, struct place at, struct diag *d) {
    if (p->type == PARAM_SET)
        return add_name(&items->mask, p, word, at, d);
    if (p->type == PARAM_MASKS)
        return add_mask_word(items, p, word, at, d);
    return add_number(&items->list, p, word, at, d);
}

bool config_store_items(struct config *c, const struct param *p,
                        const struct config_items *items, struct place at,
                        struct diag *d) {
    if (p->type == PARAM_SET) {
        config_store(c, p, (int)items->mask);
        return true;
    }
    if (p->type == PARAM_MASKS) {
        config_store_masks(c, p, &items->masks);
        return true;
    }
    if (items->list.n == 0) {
        diag_error(d, at, "'%s' lists nothing, expected at least one number",
                   p->key);
        return false;
    }
    config_store_list(c, p, &items->list);
    return true;
}

/* Cut leading and trailing blanks off s, in place. */
static char *trim(char *s) {
    s += strspn(s, " \t");
    for (size_t n = strlen(s); n > 0 && strchr(" \t", s[n - 1]); n--)
        s[n - 1] = '\0';
    return s;
}

/* Add the bits of "7, 14" as a mask; cuts them into pieces. */
static bool add_bits(struct config_items *items, const struct param *p,
                     char *bits, struct place at, struct diag *d) {
    uint64_t mask = 0;
    for (char *comma; bits; bits = comma) {
        comma = strchr(bits, ',');
        if (comma)
            *comma++ = '\0';
        if (!config_add_bit(&mask, p, trim(bits), at, d))
            return false;
    }
    return config_add_mask(items, p, mask, at, d);
}

/* Store a MASKS written "[[7, 14], 0x80]"; cuts list into pieces. */
static bool assign_masks(struct config *c, const struct param *p, char *list,
                         struct place at, struct diag *d) {
    struct config_items items = {0};
    size_t len = strlen(list);
    if (len < 2 || list[0] != '[' || list[len - 1] != ']') {
        wrong_word(p, list, "", at, d);
        return false;
    }
    list[len - 1] = '\0';
    list++;
    for (list = trim(list); *list; list = trim(list)) {
        char *end = strpbrk(list, *list == '[' ? "]" : ",");
        bool bits = *list == '[';
        if (bits && !end) {
            config_wrong_type(p, "no closing ']'", at, d);
            return false;
        }
        char *rest = end ? end + 1 : list + strlen(list);
        if (end)
            *end = '\0';
        if (bits ? !add_bits(&items, p, list + 1, at, d)
                 : !config_add_item(&items, p, trim(list), at, d))
            return false;
        rest += bits ? strspn(rest, " \t") : 0;
        list = bits && *rest == ',' ? rest + 1 : rest;
    }
    return config_store_items(c, p, &items, at, d);
}

/* Store a SET or LIST written "a,b" or "[a, b]"; only "[]" is empty. Cuts list
 * into pieces. */
static bool assign_list(struct config *c, const struct param *p, char *list,
                        struct place at, struct diag *d) {
    size_t len = strlen(list);
    struct config_items items = {0};
    bool ok = true;
    if (len >= 2 && list[0] == '[' && list[len - 1] == ']') {
        list[len - 1] = '\0';
        list = trim(list + 1);
        if (!*list)
            return config_store_items(c, p, &items, at, d);
    }
    for (char *comma; list; list = comma) {
        comma = strchr(list, ',');
        if (comma)
            *comma++ = '\0';
        char *word = trim(list);
        if (!*word)
            wrong_word(p, word, "", at, d);
        ok = *word && config_add_item(&items, p, word, at, d) && ok;
    }
    return ok && config_store_items(c, p, &items, at, d);
}

static bool set_parts(struct config *c, char *key, char *value, struct place at,
                      struct diag *d) {
    const struct param *p = config_find(key);
    if (!p) {
        config_unknown_key(key, at, d);
        return false;
    }
    if (p->type == PARAM_MASKS)
        return assign_masks(c, p, value, at, d);
    if (config_is_list(p))
        return assign_list(c, p, value, at, d);
    return config_assign_word(c, p, value, at, d);
}

bool config_set(struct config *c, const char *assignment, struct diag *d) {
    struct text copy = {0};
    text_printf(&copy, "--set %s", assignment);
    struct place at = {.source = diag_source(d, text_str(&copy), NULL, 0)};
    char *key = copy.data + strlen("--set ");
    char *equals = strchr(key, '=');
    bool ok = false;
    if (!equals)
        diag_error(d, at, "'%s' is no assignment, expected key=value", key);
    else {
        *equals = '\0';
        key = trim(key);
        ok = set_parts(c, key, trim(equals + 1), at, d);
        if (ok)
            diag_note_given(d, key, at);
    }
    text_free(&copy);
    return ok;
}
