/* emit.c - the order of things, and the files that are mere lists. */
#include "emit.h"

#include "engine/wrap.h"

#include <string.h>

/* A file "<folder><prefix>ndp_<block><suffix>". */
static struct text *add_named(const struct gen_job *job, struct gen_files *f,
                              enum gen_kind kind, const char *folder,
                              const char *suffix) {
    struct text path = {0};
    text_add(&path, folder);
    gen_root_name(job, &path);
    text_add(&path, suffix);
    struct text *out = gen_files_add(f, kind, text_str(&path));
    text_free(&path);
    return out;
}

/* Title, version, hash, command and licence, as comments. */
static void add_banner(const struct gen_job *job, const char *prefix,
                       const char *about, struct text *out) {
    struct text line = {0};
    gen_root_name(job, &line);
    text_printf(&line, " - %s: %s", job->block->title, about);
    wrap_words(out, prefix, 2, text_str(&line));
    text_free(&line);
    gen_made_by(job, &line);
    wrap_words(out, prefix, 2, text_str(&line));
    text_free(&line);
    wrap_words(out, prefix, 4, job->command);
    text_printf(out, "%sSPDX-License-Identifier: MIT\n", prefix);
}

void emit_file_list(const struct gen_job *job, struct gen_files *f) {
    struct text out = {0};
    bool includes = false;
    add_banner(job, "// ", "RTL in compile order", &out);
    for (int i = 0; i < f->n; i++)
        includes = includes || f->files[i].kind == GEN_INCLUDE;
    if (includes)
        text_add(&out, "+incdir+rtl\n");
    for (int i = 0; i < f->n; i++)
        if (f->files[i].kind == GEN_RTL)
            text_printf(&out, "%s\n", f->files[i].path);
    *add_named(job, f, GEN_OTHER, "", ".f") = out;
}

void emit_config(const struct gen_job *job, struct gen_files *f) {
    struct text *out = gen_files_add(f, GEN_OTHER, "config.yml");
    add_banner(job, "# ", "resolved configuration", out);
    config_echo(&job->config, out);
}

/* --- test bench ---------------------------------------------------------- */

static void add_variable(struct text *out, const char *kind, int width,
                         const char *name) {
    char range[32] = "";
    if (width != 1)
        snprintf(range, sizeof range, "[%d:0]", width - 1);
    text_printf(out, "    %s %-8s %s;\n", kind, range, name);
}

static void add_connection(struct text *out, const char *name, int width,
                           bool last) {
    text_printf(out, "        .%-*s(%s)%s\n", width, name, name,
                last ? "" : ",");
}

static void add_variables(const struct gen_job *job, struct text *out) {
    const struct iface *b = job->block;
    add_variable(out, "reg ", 1, "clk");
    add_variable(out, "reg ", 1, "rst");
    for (int i = 0; i < b->n_ports; i++) {
        const struct iface_port *p = &b->ports[i];
        if (p->dir == PORT_GROUP)
            text_printf(out, "\n    // %s\n", p->name);
        else
            add_variable(out, p->dir == PORT_IN ? "reg " : "wire",
                         job->sizes.port_width[i], p->name);
    }
}

static void add_instance(const struct gen_job *job, struct text *out) {
    const struct iface *b = job->block;
    int width = 4;
    for (int i = 0; i < b->n_ports; i++) {
        int n = (int)strlen(b->ports[i].name) + 1;
        if (b->ports[i].dir != PORT_GROUP && n > width)
            width = n;
    }
    text_add(out, "\n    ");
    gen_root_name(job, out);
    text_add(out, " dut (\n");
    add_connection(out, "clk", width, false);
    add_connection(out, "rst", width, b->n_ports == 0);
    for (int i = 0; i < b->n_ports; i++)
        if (b->ports[i].dir != PORT_GROUP)
            add_connection(out, b->ports[i].name, width, i == b->n_ports - 1);
    text_add(out, "    );\n");
}

void emit_testbench(const struct gen_job *job, struct gen_files *f) {
    struct text out = {0};
    add_banner(job, "// ", "a variable at each port, for a bench to drive",
               &out);
    text_add(&out, "`default_nettype none\n\nmodule ");
    gen_root_name(job, &out);
    text_add(&out, "_tb;\n");
    add_variables(job, &out);
    add_instance(job, &out);
    text_add(&out, "endmodule\n\n`default_nettype wire\n");
    *add_named(job, f, GEN_TB, "tb/", "_tb.v") = out;
}

/* --- FuseSoC ------------------------------------------------------------- */

/* One fileset of a core file; nothing if no file is of these kinds. */
static bool add_fileset(const struct gen_files *f, const char *name,
                        enum gen_kind kind, enum gen_kind include,
                        struct text *out) {
    bool any = false;
    for (int i = 0; i < f->n; i++) {
        const struct gen_file *file = &f->files[i];
        if (file->kind != kind && file->kind != include)
            continue;
        if (!any)
            text_printf(out, "  %s:\n    files:\n", name);
        any = true;
        const char *dot = strrchr(file->path, '.');
        bool is_include = dot && strcmp(dot, ".vh") == 0;
        text_printf(out, "      - %s%s\n", file->path,
                    is_include ? ": {is_include_file: true}" : "");
    }
    if (any)
        text_add(out, "    file_type: verilogSource-2005\n");
    return any;
}

static void add_target(struct text *out, const char *name, const char *filesets,
                       const char *toplevel, const char *tool,
                       const char *tool_options) {
    text_printf(out, "  %s:\n    filesets: [%s]\n    toplevel: %s\n", name,
                filesets, toplevel);
    if (tool)
        text_printf(out,
                    "    default_tool: %s\n    tools:\n      %s:\n"
                    "        %s\n",
                    tool, tool, tool_options);
}

static void add_targets(const struct gen_job *job, bool formal,
                        struct text *out) {
    struct text top = {0}, tb = {0};
    gen_root_name(job, &top);
    text_printf(&tb, "%s_tb", text_str(&top));
    text_add(out, "targets:\n");
    add_target(out, "default", "rtl", text_str(&top), NULL, NULL);
    add_target(out, "lint", "rtl", text_str(&top), "verilator",
               "mode: lint-only\n        verilator_options: [-Wall]");
    add_target(out, "sim", "rtl, tb", text_str(&tb), "icarus",
               "iverilog_options: [-g2005, -Wall]");
    add_target(out, "synth", "rtl", text_str(&top), "yosys",
               "arch: ice40\n        output_format: json");
    if (formal)
        add_target(out, "formal", "rtl, formal", text_str(&top), NULL, NULL);
    text_free(&top);
    text_free(&tb);
}

void emit_core(const struct gen_job *job, struct gen_files *f) {
    struct text out = {0};
    text_add(&out, "CAPI=2:\n");
    add_banner(job, "# ", "FuseSoC core file", &out);
    text_add(&out, "name: ::");
    gen_root_name(job, &out);
    text_printf(&out, ":0\ndescription: %s (%s)\nfilesets:\n",
                job->block->title, job->block->paper);
    add_fileset(f, "rtl", GEN_RTL, GEN_INCLUDE, &out);
    bool formal = add_fileset(f, "formal", GEN_FORMAL, GEN_FORMAL, &out);
    add_fileset(f, "tb", GEN_TB, GEN_TB, &out);
    add_targets(job, formal, &out);
    *add_named(job, f, GEN_OTHER, "", ".core") = out;
}

bool emit_all(const struct gen_job *job, const struct template_set *templates,
              struct gen_files *f, struct diag *d) {
    if (!templates_render(templates, job, f, d))
        return false;
    emit_testbench(job, f);
    emit_file_list(job, f);
    emit_core(job, f);
    emit_c_header(job, f);
    emit_datasheet(job, f);
    emit_config(job, f);
    emit_manifest(job, f);
    return true;
}
