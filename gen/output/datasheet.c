/* datasheet.c - ndp_<block>.md: what a designer asks before using the block.
 *
 * Tables come from the declaration, so that none can fall behind; the prose is
 * the block's note, docs/blocks/<block>.md, with its headings one level down.
 */
#include "emit.h"

#include "blocks/blocks.h"
#include "base/embed.h"

#include <inttypes.h>
#include <string.h>

static void add_title(const struct gen_job *job, struct text *out) {
    text_add(out, "# `");
    gen_root_name(job, out);
    text_printf(out, "` - %s\n\n%s. ", job->block->title, job->block->paper);
    text_add(out, "Made by ");
    gen_made_by(job, out);
    text_printf(out, ":\n\n    %s\n\n", job->command);
}

/* A table cell: '|' would end it. */
static void add_cell(struct text *out, const char *s) {
    for (; *s; s++) {
        if (*s == '|')
            text_addc(out, '\\');
        text_addc(out, *s);
    }
}

static void add_params(const struct gen_job *job, struct text *out) {
    const struct param *p;
    text_add(out, "## Parameters\n\n| parameter | value | meaning |\n"
                  "| --- | --- | --- |\n");
    for (int i = 0; (p = config_param(i)); i++) {
        if (!gen_uses_param(job, p))
            continue;
        text_printf(out, "| `%s` | ", p->key);
        config_value(&job->config, p, out);
        text_printf(out, "%s%s | ", p->unit ? " " : "", p->unit ? p->unit : "");
        add_cell(out, p->doc);
        text_add(out, " |\n");
    }
    text_add(out, "\n## Derived sizes\n\n| name | value | meaning |\n"
                  "| --- | ---: | --- |\n");
    for (int i = 0; i < job->block->n_locals; i++) {
        text_printf(out, "| `%s` | %d | ", job->block->locals[i].name,
                    job->sizes.local[i]);
        add_cell(out, job->block->locals[i].doc);
        text_add(out, " |\n");
    }
    text_addc(out, '\n');
}

static void add_port(struct text *out, const char *name, const char *dir,
                     int width, const char *width_text, const char *doc) {
    text_printf(out, "| `%s` | %s | %d", name, dir, width);
    if (strspn(width_text, "0123456789") != strlen(width_text))
        text_printf(out, " (`%s`)", width_text);
    text_add(out, " | ");
    add_cell(out, doc);
    text_add(out, " |\n");
}

static void add_port_heading(struct text *out, const char *name,
                             const char *doc) {
    text_printf(out,
                "\n### `%s`\n\n%s\n\n| port | direction | bits | meaning |\n"
                "| --- | --- | --- | --- |\n",
                name, doc);
}

static void add_ports(const struct gen_job *job, struct text *out) {
    text_add(out, "## Ports\n\nOutputs are registers or functions of "
                  "registers. A transfer is a clock edge with valid and ready "
                  "both high.\n");
    add_port_heading(out, "clk, rst", "clock and reset");
    add_port(out, "clk", "in", 1, "1", "clock");
    add_port(out, "rst", "in", 1, "1", "synchronous reset, active high");
    for (int i = 0; i < job->block->n_ports; i++) {
        const struct iface_port *p = &job->block->ports[i];
        if (p->dir == PORT_GROUP)
            add_port_heading(out, p->name, p->doc);
        else
            add_port(out, p->name, p->dir == PORT_IN ? "in" : "out",
                     job->sizes.port_width[i], p->width_text, p->doc);
    }
    text_addc(out, '\n');
}

static void add_register(struct text *out, int address, const char *name,
                         const char *access, uint32_t reset, const char *doc) {
    text_printf(out, "| %d | `%s` | %s | 0x%" PRIx32 " | ", address, name,
                access, reset);
    add_cell(out, doc);
    text_add(out, " |\n");
}

static void add_registers(const struct gen_job *job, struct text *out) {
    const struct iface *b = job->block;
    text_add(out, "## Registers\n\nWishbone B4 classic, 32 bits, word "
                  "addresses, one wait state. Counters saturate.\n\n"
                  "| address | name | access | reset | meaning |\n"
                  "| ---: | --- | --- | --- | --- |\n");
    add_register(out, REG_ID, "id", "read", iface_id(b), "block id");
    add_register(out, REG_HASH_LO, "hash_lo", "read", (uint32_t)job->hash,
                 "configuration hash, low word");
    add_register(out, REG_HASH_HI, "hash_hi", "read",
                 (uint32_t)(job->hash >> 32), "configuration hash, high word");
    add_register(out, REG_CONTROL, "control", "write", 0,
                 "bit 0: clear the counters");
    for (int i = 0; i < b->n_settings; i++)
        add_register(out, REG_FIRST + i, b->settings[i].name, "read, write",
                     job->sizes.setting_reset[i], b->settings[i].doc);
    for (int i = 0; i < b->n_counters; i++)
        add_register(out, gen_first_counter(b) + i, b->counters[i].name,
                     "counter", 0, b->counters[i].doc);
    text_addc(out, '\n');
}

static void add_storage(const struct gen_job *job, struct text *out) {
    const struct iface *b = job->block;
    text_add(out, "## Storage\n\n| memory | words | bits | total bits | "
                  "holds |\n| --- | ---: | ---: | ---: | --- |\n");
    for (int i = 0; i < b->n_memories; i++) {
        int64_t words = job->sizes.memory_words[i];
        int64_t bits = job->sizes.memory_bits[i];
        text_printf(out, "| `%s` | %" PRId64 " | %" PRId64 " | %" PRId64 " | ",
                    b->memories[i].name, words, bits, words * bits);
        add_cell(out, b->memories[i].doc);
        text_add(out, " |\n");
    }
    text_printf(out, "| **all** | | | **%" PRId64 "** | |\n\n",
                gen_storage_bits(job));
}

/* What the paper gives a number for. */
static void add_figures(const struct gen_job *job, struct text *out) {
    const struct iface *b = job->block;
    if (b->n_figures == 0)
        return;
    text_add(out, "## Beside the paper\n\n| what | here | paper | unit |\n"
                  "| --- | ---: | ---: | --- |\n");
    for (int i = 0; i < b->n_figures; i++)
        text_printf(out, "| %s | %d | %d | %s |\n", b->figures[i].what,
                    job->sizes.figure[i], b->figures[i].paper,
                    b->figures[i].unit);
    text_addc(out, '\n');
}

/* The note without its title, headings one level down except in listings. */
static void add_note(const char *s, struct text *out) {
    bool in_listing = false, is_title = true;
    text_add(out, "## How it works\n");
    for (size_t n; *s; s += n + (s[n] == '\n')) {
        n = strcspn(s, "\n");
        if (n >= 3 && strncmp(s, "```", 3) == 0)
            in_listing = !in_listing;
        bool is_heading = !in_listing && *s == '#';
        if (is_heading && is_title) {
            is_title = false;
            continue;
        }
        if (is_heading)
            text_addc(out, '#');
        text_addn(out, s, n);
        text_addc(out, '\n');
    }
}

static const char *find_note(const char *block) {
    for (const struct embedded *e = embedded_notes; e->name; e++)
        if (strcmp(e->stem, block) == 0)
            return e->text;
    return NULL;
}

void emit_datasheet(const struct gen_job *job, struct gen_files *f) {
    struct text path = {0}, out = {0};
    add_title(job, &out);
    add_params(job, &out);
    add_ports(job, &out);
    add_registers(job, &out);
    add_storage(job, &out);
    add_figures(job, &out);
    const struct gen_block *own = gen_block_find(job->block->name);
    if (own && own->datasheet)
        own->datasheet(job, &out);
    const char *note = find_note(job->block->name);
    if (note)
        add_note(note, &out);
    gen_root_name(job, &path);
    text_add(&path, ".md");
    *gen_files_add(f, GEN_OTHER, text_str(&path)) = out;
    text_free(&path);
}
