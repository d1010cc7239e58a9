/* emit.c - the order of things: a later file may list the earlier ones. */
#include "emit.h"

#include "base/embed.h"
#include "engine/wrap.h"
#include "iface/system.h"
#include "own_names.h"

#include <stddef.h>
#include <string.h>

static bool uses(const void *iface, const struct param *p) {
    return iface_uses(iface, p);
}

/* The parameters that the target uses, as --config reads them back. */
static void emit_config(const struct gen_job *job, struct gen_files *f) {
    struct text *out = gen_files_add(f, GEN_OTHER, "config.yml");
    struct text line = {0};
    gen_root_name(job, &line);
    text_printf(&line, " - %s: resolved configuration",
                job->design->iface->title);
    wrap_words(out, "# ", 2, text_str(&line));
    text_free(&line);
    gen_made_by(job, &line);
    wrap_words(out, "# ", 2, text_str(&line));
    text_free(&line);
    wrap_words(out, "# ", 4, job->command);
    text_add(out, "# SPDX-License-Identifier: MIT\n");
    config_echo(&job->design->config, uses, job->design->iface, out);
}

/* The headers of what a system is made of, each once. */
static bool emit_part_headers(const struct gen_job *job,
                              const struct template_set *templates,
                              struct gen_files *f, struct diag *d) {
    for (int i = 0; i < system_n(job->design); i++) {
        struct gen_job part = *job;
        part.design = system_instance(job->design, i)->design;
        int k = 0;
        while (system_instance(job->design, k)->design->iface !=
               part.design->iface)
            k++;
        if (k == i &&
            (!templates_render_output(templates, &part, "header.h", f, d) ||
             !templates_render_output(templates, &part, "header.vh", f, d)))
            return false;
    }
    return true;
}

static bool mentions(const struct gen_files *f, int n, const char *path) {
    for (int i = 0; i < n; i++)
        if (strstr(text_str(&f->files[i].text), path))
            return true;
    return false;
}

/* The documents that the files so far name, where they say that they lie. */
static void emit_documents(struct gen_files *f) {
    int n = f->n;
    for (const struct embedded *e = embedded_notes; e->name; e++) {
        struct text path = {0};
        bool is_note = strcmp(e->folder, "blocks") == 0;
        text_printf(&path, "docs/%s%s", is_note ? "blocks/" : "", e->name);
        if (mentions(f, n, text_str(&path)))
            text_addn(gen_files_add(f, GEN_OTHER, text_str(&path)), e->text,
                      e->len);
        text_free(&path);
    }
}

bool emit_all(const struct gen_job *job, const struct template_set *templates,
              struct gen_files *f, struct diag *d) {
    static const char *const outputs[] = {
        "tb.v",     "probe.v",      "smoke.v",  "flat.v",    "rules.v",
        "files.f",  "fusesoc.core", "header.h", "header.vh", "csr.csv",
        "sheet.md", "prove.sby",    NULL};
    bool is_system = job->design->system != NULL;
    bool has_registers = iface_has_registers(job->design->iface);
    if (!templates_render(templates, job, f, d))
        return false;
    own_names(job, f);
    for (int i = 0; outputs[i]; i++) {
        const char *name = outputs[i];
        bool wanted = strcmp(name, "probe.v") == 0   ? is_system
                      : strcmp(name, "csr.csv") == 0 ? has_registers
                                                     : true;
        if (wanted && !templates_render_output(templates, job, name, f, d))
            return false;
    }
    if (!emit_part_headers(job, templates, f, d))
        return false;
    emit_documents(f);
    emit_config(job, f);
    emit_manifest(job, f);
    return true;
}
