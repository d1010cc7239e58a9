/* emit_header.c - the C header: what software that talks to the block needs.
 *
 * Only object-like macros with integer values, so that C, C++, assemblers and
 * linker scripts can read it.
 */
#include "emit.h"

#include "blocks/blocks.h"
#include "engine/wrap.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* s in upper case, what is no letter or digit as '_'. */
static void add_macro(struct text *out, const char *s) {
    for (; *s; s++)
        text_addc(out, isalnum((unsigned char)*s)
                           ? (char)toupper((unsigned char)*s)
                           : '_');
}

static void define(struct text *out, const char *macro, const char *what,
                   const char *name, int64_t value, const char *doc) {
    text_printf(out, "#define %s%s", macro, what);
    add_macro(out, name);
    text_printf(out, " %" PRId64, value);
    if (doc)
        text_printf(out, " /* %s */", doc);
    text_addc(out, '\n');
}

/* The names of an ENUM as macros of their own. */
static void add_choices(const struct param *p, const char *macro,
                        const char *name, struct text *out) {
    const char *s = p->names;
    for (int i = 0; *s; i++) {
        struct text full = {0};
        size_t n = strcspn(s, "|");
        text_printf(&full, "%s_%.*s", name, (int)n, s);
        define(out, macro, "CFG_", text_str(&full), i, NULL);
        text_free(&full);
        s += n + (s[n] == '|');
    }
}

/* The numbers of a LIST: how many, and each by its position. */
static void add_numbers(const struct int_list *list, const char *macro,
                        const char *name, struct text *out) {
    struct text full = {0};
    text_printf(&full, "%s_n", name);
    define(out, macro, "CFG_", text_str(&full), list->n, NULL);
    for (int i = 0; i < list->n; i++) {
        full.len = 0;
        text_printf(&full, "%s_%d", name, i);
        define(out, macro, "CFG_", text_str(&full), list->v[i], NULL);
    }
    text_free(&full);
}

static void add_params(const struct gen_job *job, const char *macro,
                       struct text *out) {
    const struct param *p;
    size_t own = strlen(job->block->name);
    text_add(out, "\n/* Parameters. */\n");
    for (int i = 0; (p = config_param(i)); i++) {
        if (!gen_uses_param(job, p))
            continue;
        bool is_own =
            strncmp(p->key, job->block->name, own) == 0 && p->key[own] == '.';
        const char *name = p->key + (is_own ? own + 1 : 0);
        if (p->type == PARAM_LIST) {
            add_numbers(config_list(&job->config, p), macro, name, out);
            continue;
        }
        define(out, macro, "CFG_", name, gen_param_number(&job->config, p),
               p->type == PARAM_SET ? "one bit for each element" : NULL);
        if (p->type == PARAM_ENUM)
            add_choices(p, macro, name, out);
    }
}

static void add_locals(const struct gen_job *job, const char *macro,
                       struct text *out) {
    text_add(out, "\n/* Derived sizes. */\n");
    for (int i = 0; i < job->block->n_locals; i++)
        define(out, macro, "", job->block->locals[i].name, job->sizes.local[i],
               job->block->locals[i].doc);
}

static void add_registers(const struct gen_job *job, const char *macro,
                          struct text *out) {
    const struct iface *b = job->block;
    text_add(out, "\n/* Registers, as 32-bit word addresses. */\n");
    define(out, macro, "ADR_", "id", REG_ID, "reads ID");
    define(out, macro, "ADR_", "hash_lo", REG_HASH_LO, "configuration hash");
    define(out, macro, "ADR_", "hash_hi", REG_HASH_HI, NULL);
    define(out, macro, "ADR_", "control", REG_CONTROL,
           "write bit 0: clear the counters");
    for (int i = 0; i < b->n_settings; i++)
        define(out, macro, "ADR_", b->settings[i].name, REG_FIRST + i,
               b->settings[i].doc);
    for (int i = 0; i < b->n_counters; i++)
        define(out, macro, "ADR_", b->counters[i].name,
               gen_first_counter(b) + i, b->counters[i].doc);
    text_printf(out, "\n#define %sID UINT32_C(0x%08" PRIx32 ")\n", macro,
                iface_id(b));
    text_printf(out, "#define %sHASH UINT64_C(0x%016" PRIx64 ")\n", macro,
                job->hash);
    define(out, macro, "", "n_registers", iface_n_registers(b), NULL);
    define(out, macro, "", "n_counters", b->n_counters, NULL);
    for (int i = 0; i < b->n_settings; i++) {
        struct text name = {0};
        text_printf(&name, "%s_reset", b->settings[i].name);
        define(out, macro, "", text_str(&name), job->sizes.setting_reset[i],
               NULL);
        text_free(&name);
    }
}

void emit_c_header(const struct gen_job *job, struct gen_files *f) {
    struct text root = {0}, macro = {0}, line = {0}, out = {0};
    gen_root_name(job, &root);
    add_macro(&macro, text_str(&root));
    text_printf(&line, "%s.h - %s: sizes, registers and codes.",
                text_str(&root), job->block->title);
    text_add(&out, "/*\n");
    wrap_words(&out, " * ", 2, text_str(&line));
    text_add(&out, " *\n * ");
    gen_made_by(job, &out);
    text_addc(&out, '\n');
    wrap_words(&out, " * ", 4, job->command);
    text_add(&out, " * SPDX-License-Identifier: MIT\n */\n");
    text_printf(&out, "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n",
                text_str(&macro), text_str(&macro));
    text_addc(&macro, '_');
    add_params(job, text_str(&macro), &out);
    add_locals(job, text_str(&macro), &out);
    add_registers(job, text_str(&macro), &out);
    const struct gen_block *own = gen_block_find(job->block->name);
    if (own && own->header)
        own->header(job, text_str(&macro), &out);
    text_add(&out, "\n#endif\n");
    text_add(&root, ".h");
    *gen_files_add(f, GEN_OTHER, text_str(&root)) = out;
    text_free(&root);
    text_free(&macro);
    text_free(&line);
}
