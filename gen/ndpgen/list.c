/* list.c - the blocks and the parameters, as tables and as JSON. */
#include "list.h"

#include "iface/derive.h"

#include "output/manifest.h"

#include <string.h>

static void print_json(json_t *root, FILE *out) {
    json_dumpf(root, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(root);
}

void list_print_targets(bool json, FILE *out) {
    const struct iface *b;
    json_t *list = json_array();
    for (int i = 0; (b = iface_at(i)); i++) {
        if (json)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name",
                                                  b->name, "title", b->title,
                                                  "paper", b->paper));
        else
            fprintf(out, "%-10s %-6s %s (%s)\n", b->name, b->preset, b->title,
                    b->paper);
    }
    if (json)
        print_json(json_pack("{s:s, s:O}", "schema", "ndpgen-targets-1",
                             "targets", list),
                   out);
    json_decref(list);
}

void list_print_presets(bool json, FILE *out) {
    json_t *list = json_array();
    for (int i = 0; config_preset_name(i); i++) {
        struct text title = {0};
        config_preset_title(i, &title);
        if (json)
            json_array_append_new(list, json_pack("{s:s, s:s}", "name",
                                                  config_preset_name(i),
                                                  "title", text_str(&title)));
        else
            fprintf(out, "%-15s %s\n", config_preset_name(i), text_str(&title));
        text_free(&title);
    }
    if (json)
        print_json(json_pack("{s:s, s:O}", "schema", "ndpgen-presets-1",
                             "presets", list),
                   out);
    json_decref(list);
}

/* What may be written: "2..64 warps", "4..256 registers, a power of two",
 * "annotated, default, near or far", "list of: ..." */
static void add_range(const struct param *p, struct text *out) {
    switch (p->type) {
    case PARAM_INT:
        text_printf(out, "%d to %d %s", p->min, p->max, p->unit);
        break;
    case PARAM_POW2:
        text_printf(out, "%d to %d %s, a power of two", p->min, p->max,
                    p->unit);
        break;
    case PARAM_ENUM:
        for (const char *s = p->names; *s; s++)
            text_add(out, *s == '|' ? ", " : (char[]){*s, '\0'});
        break;
    case PARAM_SET:
        text_add(out, "list of:");
        for (int i = 0; p->element(i); i++)
            text_printf(out, "%s %s", i ? "," : "", p->element(i));
        break;
    case PARAM_LIST:
        text_printf(out, "list of 1 to %d distinct numbers, each %d to %d",
                    (int)(sizeof((struct int_list *)NULL)->v / sizeof(int)),
                    p->min, p->max);
        break;
    case PARAM_MASKS:
        text_printf(
            out, "list of up to %d sets of bits %d to %d: [[7, 14], 0x8000]",
            (int)(sizeof((struct mask_list *)NULL)->v / sizeof(uint64_t)),
            p->min, p->max);
        break;
    }
}

/* Print words from column 4 on, within 80 columns. */
static void print_wrapped(const char *s, FILE *out) {
    size_t column = 0;
    while (*s) {
        size_t n = strcspn(s, " ");
        if (column && column + 1 + n > 80) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, column ? " " : "    ");
        fwrite(s, 1, n, out);
        column += (column ? 1 : 4) + n;
        s += n + strspn(s + n, " ");
    }
    fputc('\n', out);
}

static void print_param(const struct config *c, const struct config *defaults,
                        const struct param *p, const struct iface *target,
                        FILE *out) {
    struct text value = {0}, usual = {0}, range = {0};
    bool computed = target && iface_derives(target, p);
    config_value(c, p, &value);
    config_value(defaults, p, &usual);
    fprintf(out, "%s = %s", p->key, text_str(&value));
    if (!computed && strcmp(text_str(&value), text_str(&usual)) != 0)
        fprintf(out, "   (default %s)", text_str(&usual));
    fputc('\n', out);
    if (computed)
        iface_describe_derived(target, p, &range);
    else
        add_range(p, &range);
    print_wrapped(p->doc, out);
    print_wrapped(text_str(&range), out);
    text_free(&value);
    text_free(&usual);
    text_free(&range);
}

/* --- JSON ---------------------------------------------------------------- */

/* The words an ENUM or SET may hold. */
static json_t *words_json(const struct param *p) {
    json_t *list = json_array();
    if (p->type == PARAM_SET) {
        for (int i = 0; p->element(i); i++)
            json_array_append_new(list, json_string(p->element(i)));
        return list;
    }
    for (const char *s = p->names; *s;) {
        size_t n = strcspn(s, "|");
        json_array_append_new(list, json_stringn(s, n));
        s += n + (s[n] == '|');
    }
    return list;
}

static void add_source(void *list, const struct param *source) {
    json_array_append_new(list, json_string(source->key));
}

static json_t *param_json(const struct config *c, const struct config *defaults,
                          const struct param *p, const struct iface *target) {
    static const char *const types[] = {"int", "pow2", "enum",
                                        "set", "list", "masks"};
    json_t *o =
        json_pack("{s:s, s:s, s:o, s:o, s:s}", "key", p->key, "type",
                  types[p->type], "value", manifest_value(c, p), "default",
                  manifest_value(defaults, p), "doc", p->doc);
    if (p->type == PARAM_INT || p->type == PARAM_POW2) {
        json_object_set_new(o, "unit", json_string(p->unit));
        json_object_set_new(o, "min", json_integer(p->min));
        json_object_set_new(o, "max", json_integer(p->max));
    } else if (p->type == PARAM_LIST || p->type == PARAM_MASKS) {
        json_object_set_new(o, "min", json_integer(p->min));
        json_object_set_new(o, "max", json_integer(p->max));
    } else {
        json_object_set_new(o, "words", words_json(p));
    }
    if (target && iface_derives(target, p)) {
        json_t *from = json_array();
        iface_each_source(target, p, add_source, from);
        json_object_set_new(o, "computed_from", from);
    }
    return o;
}

void list_print_params(const struct config *c, const struct iface *target,
                       bool json, FILE *out) {
    struct config defaults;
    const struct param *p;
    json_t *list = json_array();
    config_defaults(&defaults);
    for (int i = 0; (p = config_param(i)); i++) {
        if (target && !iface_uses(target, p))
            continue;
        if (json)
            json_array_append_new(list, param_json(c, &defaults, p, target));
        else
            print_param(c, &defaults, p, target, out);
    }
    if (json)
        print_json(json_pack("{s:s, s:O}", "schema", "ndpgen-params-1",
                             "parameters", list),
                   out);
    json_decref(list);
}
