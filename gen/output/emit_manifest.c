/* emit_manifest.c - manifest.json: what is in the folder and how it was made.
 *
 * Keys are in the order given here, numbers are integers, hashes are FNV-1a of
 * the file's bytes, 16 hex digits.  The schema number goes up when a key
 * changes its meaning or goes away.
 */
#include "emit.h"

#include "ndpgen/list.h"
#include "outdir.h"
#include "base/version.h"

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

static json_t *list_params(const struct gen_job *job) {
    json_t *all = json_object();
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++)
        json_object_set_new(all, p->key, list_value(&job->config, p));
    return all;
}

static json_t *list_sizes(const struct gen_job *job) {
    json_t *all = json_object();
    for (int i = 0; i < job->block->n_locals; i++)
        json_object_set_new(all, job->block->locals[i].name,
                            json_integer(job->sizes.local[i]));
    return all;
}

static json_t *list_storage(const struct gen_job *job) {
    json_t *list = json_array();
    for (int i = 0; i < job->block->n_memories; i++) {
        json_int_t words = job->sizes.memory_words[i];
        json_int_t bits = job->sizes.memory_bits[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I}", "name",
                                              job->block->memories[i].name,
                                              "words", words, "width", bits,
                                              "bits", words * bits));
    }
    return json_pack("{s:I, s:o}", "bits", (json_int_t)gen_storage_bits(job),
                     "memories", list);
}

/* Numbers that the block's paper prints, ours beside them. */
static json_t *list_figures(const struct gen_job *job) {
    json_t *list = json_array();
    for (int i = 0; i < job->block->n_figures; i++) {
        const struct iface_figure *f = &job->block->figures[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:i, s:s}", "name", f->name,
                            "what", f->what, "ours", job->sizes.figure[i],
                            "paper", f->paper, "unit", f->unit));
    }
    return list;
}

void emit_manifest(const struct gen_job *job, struct gen_files *f) {
    struct text top = {0};
    gen_root_name(job, &top);
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}",
        "schema", OUTDIR_SCHEMA, "version", NDP_VERSION, "target",
        job->block->name, "prefix", job->prefix, "top", text_str(&top), "hash",
        hex64(job->hash), "command", job->command, "parameters",
        list_params(job), "sizes", list_sizes(job), "storage",
        list_storage(job), "figures", list_figures(job), "files",
        list_files(f));
    char *text = json_dumps(root, JSON_INDENT(2));
    if (!text)
        BUG("manifest is not valid UTF-8");
    struct text *out = gen_files_add(f, GEN_OTHER, OUTDIR_MANIFEST);
    text_printf(out, "%s\n", text);
    free(text);
    json_decref(root);
    text_free(&top);
}
