/* yaml.c - a configuration file, read event by event with libyaml.
 *
 * Events rather than libyaml's document tree, because the tree resolves aliases
 * and so hides them.  Values are checked as they are met and collected beside
 * the configuration; only a file without errors changes it.  libyaml counts
 * characters, messages count bytes: offsets are converted on the way.
 */
#include "assign.h"

#include <string.h>
#include <yaml.h>

/* A key that the file has given: keys and sections alike. */
struct seen {
    struct seen *next;
    const char *path;
    struct place at;
};

struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    const struct source *src;
    struct diag *d;
    struct arena arena; /* of paths and values */
    struct seen *seen;
    struct config base;   /* what the file changes: a preset, or what was */
    struct config values; /* what the file gives, for the keys seen */
    bool allow_preset;
    bool broken; /* not YAML, or too many errors: stop */
};

/* Byte offset of character index in the source. */
static size_t byte_offset(const struct reader *r, size_t index) {
    size_t i = 0;
    for (; index > 0 && i < r->src->len; index--)
        do
            i++;
        while (i < r->src->len &&
               ((unsigned char)r->src->text[i] & 0xc0) == 0x80);
    return i;
}

static struct place place_of(const struct reader *r, const yaml_mark_t *from,
                             const yaml_mark_t *to) {
    size_t start = byte_offset(r, from->index);
    size_t end = to->line == from->line ? byte_offset(r, to->index) : start;
    return place_at(r->src, start, (int)(end - start));
}

static struct place here(const struct reader *r) {
    return place_of(r, &r->event.start_mark, &r->event.end_mark);
}

static void syntax_error(struct reader *r) {
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "cannot be read";
    r->broken = true;
    if (p->error == YAML_READER_ERROR) {
        diag_error(r->d, place_at(r->src, p->problem_offset, 1),
                   "no valid YAML: %s", problem);
        return;
    }
    size_t offset = byte_offset(r, p->problem_mark.index);
    bool tab = offset < r->src->len && r->src->text[offset] == '\t';
    diag_error(r->d, place_at(r->src, offset, 1), "no valid YAML: %s%s",
               problem, tab ? " (a tab cannot indent YAML)" : "");
    if (p->context)
        diag_report(r->d, DIAG_NOTE,
                    place_of(r, &p->context_mark, &p->context_mark), "%s",
                    p->context);
}

/* What YAML allows and a configuration does not. */
static void refuse_extras(struct reader *r) {
    const yaml_event_t *e = &r->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_ALIAS_EVENT)
        diag_error(r->d, here(r),
                   "alias '*%s' is not accepted, expected the value itself",
                   (const char *)e->data.alias.anchor);
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (anchor)
        diag_error(r->d, here(r),
                   "anchor '&%s' is not accepted, expected the value itself",
                   (const char *)anchor);
    if (tag)
        diag_error(r->d, here(r),
                   "tag '%s' is not accepted, expected the value itself",
                   (const char *)tag);
}

/* Advance to the next event; false when the reader has to stop. */
static bool next_event(struct reader *r) {
    if (r->broken)
        return false;
    yaml_event_delete(&r->event);
    memset(&r->event, 0, sizeof r->event);
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        syntax_error(r);
        return false;
    }
    refuse_extras(r);
    r->broken = diag_full(r->d);
    return !r->broken;
}

/* Pass over the node whose first event is the current one. */
static void skip_node(struct reader *r) {
    int depth = 0;
    do {
        yaml_event_type_t type = r->event.type;
        depth += type == YAML_MAPPING_START_EVENT ||
                 type == YAML_SEQUENCE_START_EVENT;
        depth -=
            type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
    } while (depth > 0 && next_event(r));
}

/* Text of the current scalar; a NUL in it, legal in YAML, becomes '?'. */
static char *scalar_text(struct reader *r) {
    size_t len = r->event.data.scalar.length;
    char *text =
        arena_strndup(&r->arena, (const char *)r->event.data.scalar.value, len);
    for (size_t i = 0; i < len; i++)
        if (!text[i])
            text[i] = '?';
    return text;
}

static bool is_plain(const struct reader *r) {
    return r->event.type == YAML_SCALAR_EVENT &&
           r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* Nothing at all stands here, as after "nbu:". */
static bool is_empty(const struct reader *r) {
    return is_plain(r) && r->event.data.scalar.length == 0;
}

static bool is_alias(const struct reader *r) {
    return r->event.type == YAML_ALIAS_EVENT; /* refused when it was met */
}

static const struct seen *find_seen(const struct reader *r, const char *path) {
    for (const struct seen *s = r->seen; s; s = s->next)
        if (strcmp(s->path, path) == 0)
            return s;
    return NULL;
}

/* Note that path was given; false after an error if it was before. */
static bool see(struct reader *r, const char *path, struct place at) {
    const struct seen *first = find_seen(r, path);
    if (first) {
        diag_error(r->d, at, "duplicate key '%s', first given in line %d", path,
                   first->at.line);
        return false;
    }
    struct seen *s = arena_alloc(&r->arena, sizeof *s);
    *s = (struct seen){r->seen, path, at};
    r->seen = s;
    return true;
}

/* Some parameter's key begins with path and a dot. */
static bool is_section(const char *path) {
    size_t len = strlen(path);
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++)
        if (strncmp(p->key, path, len) == 0 && p->key[len] == '.')
            return true;
    return false;
}

/* The top-level sections, for suggest. */
struct sections {
    char buf[32][32];
};

static const char *next_section(void *ctx, int n) {
    struct sections *s = ctx;
    const struct param *p;
    const char *before = "";
    int nth = 0;
    for (int i = 0; (p = config_param(i)); before = p->key, i++) {
        size_t len = strcspn(p->key, ".");
        if (strncmp(p->key, before, len + 1) == 0 || nth++ < n)
            continue;
        if (n >= 32 || len >= sizeof s->buf[0])
            BUG("too many sections, or '%s' has too long a one", p->key);
        memcpy(s->buf[n], p->key, len);
        s->buf[n][len] = '\0';
        return s->buf[n];
    }
    return NULL;
}

static void unknown_key(struct reader *r, const char *path, struct place at) {
    struct sections names;
    const char *near = suggest(path, next_section, &names);
    if (r->event.type != YAML_MAPPING_START_EVENT)
        config_unknown_key(path, at, r->d);
    else if (near)
        diag_error(r->d, at, "unknown section '%s', did you mean '%s'", path,
                   near);
    else
        diag_error(r->d, at, "unknown section '%s', see --list-params", path);
}

/* What stands where a value should, for a message. */
static const char *event_name(const struct reader *r) {
    switch (r->event.type) {
    case YAML_MAPPING_START_EVENT:
        return "a mapping";
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    default:
        return is_empty(r) ? "nothing" : "a single value";
    }
}

static void read_word(struct reader *r, const struct param *p) {
    const char *word = scalar_text(r);
    if (p->type != PARAM_ENUM && !is_plain(r)) {
        struct text got = {0};
        text_printf(&got, "'%s' in quotes", word);
        config_wrong_type(p, text_str(&got), here(r), r->d);
        text_free(&got);
        return;
    }
    config_assign_word(&r->values, p, word, here(r), r->d);
}

/* Add the current event to a SET or LIST; false after an error. */
static bool read_item(struct reader *r, const struct param *p,
                      struct config_items *items) {
    const char *kind = p->type == PARAM_SET ? "names" : "whole numbers";
    if (is_alias(r))
        return false;
    if (r->event.type != YAML_SCALAR_EVENT || is_empty(r)) {
        diag_error(r->d, here(r), "'%s' lists %s, got %s", p->key, kind,
                   event_name(r));
        skip_node(r);
        return false;
    }
    const char *word = scalar_text(r);
    if (p->type == PARAM_LIST && !is_plain(r)) {
        diag_error(r->d, here(r), "'%s' lists %s, got '%s' in quotes", p->key,
                   kind, word);
        return false;
    }
    return config_add_item(items, p, word, here(r), r->d);
}

/* Read the items of a SET or LIST, the current event being its start. */
static void read_list(struct reader *r, const struct param *p) {
    struct config_items items = {0};
    struct place start = here(r);
    bool ok = true;
    while (next_event(r) && r->event.type != YAML_SEQUENCE_END_EVENT)
        ok = read_item(r, p, &items) && ok;
    if (ok && !r->broken)
        config_store_items(&r->values, p, &items, start, r->d);
}

static void read_parameter(struct reader *r, const struct param *p) {
    if (is_alias(r))
        return;
    if (config_is_list(p) && r->event.type == YAML_SEQUENCE_START_EVENT) {
        read_list(r, p);
    } else if (r->event.type == YAML_SCALAR_EVENT) {
        read_word(r, p);
    } else {
        config_wrong_type(p, event_name(r), here(r), r->d);
        skip_node(r);
    }
}

static void read_preset(struct reader *r, struct place key) {
    if (!r->allow_preset) {
        diag_error(r->d, key, "'preset' is not accepted inside a preset");
        skip_node(r);
    } else if (r->event.type == YAML_SCALAR_EVENT && !is_empty(r)) {
        config_preset_at(&r->base, scalar_text(r), here(r), r->d);
    } else if (!is_alias(r)) {
        diag_error(r->d, here(r), "'preset' expects a name, got %s",
                   event_name(r));
        skip_node(r);
    }
}

static void read_mapping(struct reader *r, const char *prefix);

/* Read the parameters below section path, known to exist. */
static void read_section(struct reader *r, const char *path) {
    if (r->event.type == YAML_MAPPING_START_EVENT) {
        read_mapping(r, path);
    } else if (!is_empty(r) && !is_alias(r)) {
        diag_error(r->d, here(r),
                   "'%s' is a section, expected parameters below it", path);
        skip_node(r);
    }
}

/* Read the value of key path, the current event being its first. */
static void read_value(struct reader *r, const char *path, struct place key) {
    const struct param *p = config_find(path);
    bool preset = strcmp(path, "preset") == 0;
    if (!p && !preset && !is_section(path)) {
        unknown_key(r, path, key);
        skip_node(r);
    } else if (!see(r, path, key)) {
        skip_node(r);
    } else if (preset) {
        read_preset(r, key);
    } else if (p) {
        read_parameter(r, p);
    } else {
        read_section(r, path);
    }
}

/* Read the pairs of a mapping, the current event being its start; prefix is
 * the section it stands in, "" at top level. */
static void read_mapping(struct reader *r, const char *prefix) {
    struct text path = {0};
    while (next_event(r) && r->event.type != YAML_MAPPING_END_EVENT) {
        const char *key = NULL;
        struct place at = here(r);
        if (r->event.type == YAML_SCALAR_EVENT) {
            path.len = 0;
            text_printf(&path, "%s%s%s", prefix, *prefix ? "." : "",
                        scalar_text(r));
            key = arena_strdup(&r->arena, path.data);
        } else if (!is_alias(r)) {
            diag_error(r->d, at, "expected a parameter's name, got %s",
                       event_name(r));
            skip_node(r);
        }
        if (!next_event(r))
            break;
        if (key)
            read_value(r, key, at);
        else
            skip_node(r);
    }
    text_free(&path);
}

static void read_stream(struct reader *r) {
    if (!next_event(r) || !next_event(r) ||
        r->event.type == YAML_STREAM_END_EVENT) /* nothing but comments */
        return;
    if (!next_event(r))
        return;
    if (r->event.type == YAML_MAPPING_START_EVENT) {
        read_mapping(r, "");
    } else if (!is_empty(r)) {
        diag_error(r->d, here(r),
                   "expected parameters such as 'nbu: {warps: 8}', got %s",
                   event_name(r));
        skip_node(r);
    }
    if (next_event(r) && next_event(r) &&
        r->event.type != YAML_STREAM_END_EVENT)
        diag_error(r->d, here(r),
                   "a second document begins here, expected one");
}

static void carry(struct reader *r, const struct param *p) {
    if (p->type == PARAM_LIST)
        config_store_list(&r->base, p, config_list(&r->values, p));
    else
        config_store(&r->base, p, config_field(&r->values, p));
}

/* Carry the keys that the file gave over to the base. */
static void merge(struct reader *r) {
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++) {
        const struct seen *s = find_seen(r, p->key);
        if (!s)
            continue;
        carry(r, p);
        diag_note_given(r->d, p->key, s->at);
    }
}

bool config_yaml_part(struct config *c, const struct source *src,
                      bool allow_preset, struct diag *d) {
    struct reader r = {.src = src,
                       .d = d,
                       .base = *c,
                       .values = *c,
                       .allow_preset = allow_preset};
    int before = d->errors;
    if (!yaml_parser_initialize(&r.parser))
        BUG("libyaml does not start");
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(src->text ? src->text : ""),
        src->text ? src->len : 0);
    read_stream(&r);
    bool ok = !r.broken && d->errors == before;
    if (ok) {
        merge(&r);
        *c = r.base;
    }
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    arena_free(&r.arena);
    return ok;
}

bool config_yaml(struct config *c, const struct source *src, struct diag *d) {
    return config_yaml_part(c, src, true, d);
}
