/* manifest.c - manifest.json: what is in the folder and how it was made.
 *
 * Keys are in the order given here, numbers are integers, hashes are FNV-1a of
 * the file's bytes, 16 hex digits.  The schema number goes up when a key
 * changes its meaning or goes away.
 */
#include "manifest.h"

#include "base/version.h"
#include "emit.h"
#include "iface/system.h"
#include "outdir.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

static json_t *hex64(uint64_t value) {
    char s[17];
    snprintf(s, sizeof s, "%016" PRIx64, value);
    return json_string(s);
}

static json_t *list_files(const struct gen_files *f) {
    json_t *list = json_array();
    for (int i = 0; i < f->n; i++) {
        const struct gen_file *file = &f->files[i];
        json_array_append_new(
            list,
            json_pack("{s:s, s:I, s:o}", "path", file->path, "size",
                      (json_int_t)file->text.len, "hash",
                      hex64(gen_fnv1a(text_str(&file->text), file->text.len))));
    }
    return list;
}

static json_t *numbers_json(const struct int_list *numbers) {
    json_t *list = json_array();
    for (int i = 0; i < numbers->n; i++)
        json_array_append_new(list, json_integer(numbers->v[i]));
    return list;
}

/* Each mask as the array of its bits. */
static json_t *masks_json(const struct mask_list *masks) {
    json_t *list = json_array();
    for (int i = 0; i < masks->n; i++) {
        json_t *bits = json_array();
        for (int n = 0; n < 64; n++)
            if (masks->v[i] >> n & 1)
                json_array_append_new(bits, json_integer(n));
        json_array_append_new(list, bits);
    }
    return list;
}

json_t *manifest_value(const struct config *c, const struct param *p) {
    if (p->type == PARAM_LIST)
        return numbers_json(config_list(c, p));
    if (p->type == PARAM_MASKS)
        return masks_json(config_masks(c, p));
    int64_t number = gen_param_number(c, p);
    if (p->type == PARAM_INT || p->type == PARAM_POW2)
        return json_integer(number);
    if (p->type == PARAM_SET) {
        json_t *list = json_array();
        for (int i = 0; i < 32 && p->element(i); i++)
            if (number >> i & 1)
                json_array_append_new(list, json_string(p->element(i)));
        return list;
    }
    struct text t = {0};
    config_value(c, p, &t);
    json_t *value = json_string(text_str(&t));
    text_free(&t);
    return value;
}

static json_t *list_params(const struct design *d) {
    json_t *all = json_object();
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++)
        if (iface_uses(d->iface, p))
            json_object_set_new(all, p->key, manifest_value(&d->config, p));
    return all;
}

static json_t *list_sizes(const struct design *d) {
    json_t *all = json_object();
    for (int i = 0; i < d->iface->n_locals; i++)
        json_object_set_new(all, d->iface->locals[i].name,
                            json_integer(d->local[i]));
    return all;
}

static json_t *list_storage(const struct design *d) {
    json_t *list = json_array();
    for (int i = 0; i < d->iface->n_memories; i++) {
        json_int_t words = d->memory[i].words, bits = d->memory[i].width;
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I}", "name",
                                              d->iface->memories[i].name,
                                              "words", words, "width", bits,
                                              "bits", words * bits));
    }
    return json_pack("{s:I, s:o}", "bits", (json_int_t)design_storage(d),
                     "memories", list);
}

/* Numbers that the block's paper prints, ours beside them. */
static json_t *list_figures(const struct design *d) {
    json_t *list = json_array();
    for (int i = 0; i < d->iface->n_figures; i++) {
        const struct iface_figure *f = &d->iface->figures[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:i, s:s}",
                                              "name", f->name, "what", f->what,
                                              "ours", d->figure[i], "paper",
                                              f->paper, "unit", f->unit));
    }
    return list;
}

void emit_manifest(const struct gen_job *job, struct gen_files *f) {
    const struct design *d = job->design;
    struct text top = {0};
    gen_root_name(job, &top);
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}",
        "schema", OUTDIR_SCHEMA, "version", NDP_VERSION, "target",
        d->iface->name, "prefix", job->prefix, "top", text_str(&top), "hash",
        hex64(d->hash), "command", job->command, "parameters", list_params(d),
        "sizes", list_sizes(d), "storage", list_storage(d), "figures",
        list_figures(d), "files", list_files(f));
    char *text = json_dumps(root, JSON_INDENT(2));
    if (!text)
        BUG("manifest is not valid UTF-8");
    struct text *out = gen_files_add(f, GEN_OTHER, OUTDIR_MANIFEST);
    text_printf(out, "%s\n", text);
    free(text);
    json_decref(root);
    text_free(&top);
}
