/* image_elf.c - images as ELF files, by libelf (image.h). */
#include "directives.h"

#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MACHINE = 0x4e44, /* "ND" */
    VERSION = 1,
    FIXUP_TYPE = 1,
    IS_CONST = 0x20 /* of st_other, above the visibility */
};

/* --- out ------------------------------------------------------------------ */

enum section { TEXT = 1, DATA, REL, SYMBOLS, STRINGS, KERNELS, LINES, MORE };

struct writer {
    const struct isa_image *m;
    Elf *elf;
    struct text names, strings, kernels, blocks;
    Elf32_Sym *symbols;
    int n_symbols, n_local;
    Elf32_Rel *fixups;
    uint8_t *code, *lines;
};

static void put(uint8_t *to, uint64_t v, int bytes) {
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t add_name(struct text *t, const char *s) {
    size_t at = t->len;
    text_addn(t, s, strlen(s) + 1);
    return (uint32_t)at;
}

static Elf32_Sym *add_symbol(struct writer *w, const char *name, int bind,
                             int type, int section) {
    Elf32_Sym *s = &w->symbols[w->n_symbols++];
    *s = (Elf32_Sym){.st_info = (unsigned char)ELF32_ST_INFO(bind, type),
                     .st_shndx = (Elf32_Half)section};
    s->st_name = name ? add_name(&w->strings, name) : 0;
    return s;
}

static void make_symbols(struct writer *w) {
    const struct isa_image *m = w->m;
    w->symbols =
        xcalloc((size_t)(m->n_kernels + m->n_symbols) + 2, sizeof *w->symbols);
    text_addn(&w->strings, "", 1);
    add_symbol(w, NULL, STB_LOCAL, STT_NOTYPE, SHN_UNDEF);
    add_symbol(w, NULL, STB_LOCAL, STT_SECTION, DATA);
    w->n_local = w->n_symbols;
    for (int i = 0; i < m->n_kernels; i++) {
        Elf32_Sym *s =
            add_symbol(w, m->kernels[i].name, STB_GLOBAL, STT_FUNC, TEXT);
        s->st_value = (Elf32_Addr)m->kernels[i].entry * 8;
        s->st_size = (Elf32_Word)m->kernels[i].n_words * 8;
    }
    for (int i = 0; i < m->n_symbols; i++) {
        Elf32_Sym *s =
            add_symbol(w, m->symbols[i].name, STB_GLOBAL, STT_OBJECT, DATA);
        s->st_value = m->symbols[i].at;
        s->st_size = m->symbols[i].bytes;
        s->st_other = m->symbols[i].is_const ? IS_CONST : 0;
    }
}

static void make_contents(struct writer *w) {
    const struct isa_image *m = w->m;
    make_symbols(w);
    w->code = xcalloc((size_t)m->n_words, 8);
    w->lines = xcalloc((size_t)m->n_words, 4);
    w->fixups = xcalloc((size_t)m->n_fixups, sizeof *w->fixups);
    for (int i = 0; i < m->n_words; i++) {
        put(w->code + 8 * (size_t)i, m->words[i], 8);
        put(w->lines + 4 * (size_t)i, (uint64_t)m->lines[i], 4);
    }
    for (int i = 0; i < m->n_fixups; i++)
        w->fixups[i] = (Elf32_Rel){m->fixups[i], ELF32_R_INFO(1, FIXUP_TYPE)};
    for (int i = 0; i < m->n_kernels; i++)
        isa_directives_print(&m->kernels[i], '\0', &w->kernels);
    for (int i = 0; i < m->n_blocks; i++)
        isa_block_print(&m->blocks[i], '\0', &w->blocks);
}

/* A new section, the next number; false: no memory. */
static bool add_section(struct writer *w, const char *name, Elf32_Shdr h,
                        Elf_Type type, const void *bytes, size_t n) {
    Elf_Scn *scn = elf_newscn(w->elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    Elf32_Shdr *header = scn ? elf32_getshdr(scn) : NULL;
    if (!data || !header)
        return false;
    h.sh_name = add_name(&w->names, name);
    *header = h;
    data->d_type = type;
    data->d_buf = (void *)bytes;
    data->d_size = n;
    data->d_align = h.sh_addralign;
    data->d_version = EV_CURRENT;
    return true;
}

static bool add_sections(struct writer *w) {
    const struct isa_image *m = w->m;
    Elf32_Shdr text = {.sh_type = SHT_PROGBITS,
                       .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                       .sh_addralign = 8};
    Elf32_Shdr data = {.sh_type = SHT_PROGBITS,
                       .sh_flags = SHF_ALLOC | SHF_WRITE,
                       .sh_addralign = 16};
    Elf32_Shdr rel = {.sh_type = SHT_REL,
                      .sh_link = SYMBOLS,
                      .sh_info = DATA,
                      .sh_entsize = sizeof(Elf32_Rel),
                      .sh_addralign = 4};
    Elf32_Shdr symbols = {.sh_type = SHT_SYMTAB,
                          .sh_link = STRINGS,
                          .sh_info = (Elf32_Word)w->n_local,
                          .sh_entsize = sizeof(Elf32_Sym),
                          .sh_addralign = 4};
    Elf32_Shdr strings = {.sh_type = SHT_STRTAB, .sh_addralign = 1};
    Elf32_Shdr kernels = {
        .sh_type = SHT_PROGBITS, .sh_flags = SHF_STRINGS, .sh_addralign = 1};
    Elf32_Shdr lines = {.sh_type = SHT_PROGBITS, .sh_addralign = 4};
    Elf32_Shdr blocks = kernels;
    text_addn(&w->names, "", 1);
    return add_section(w, ".text", text, ELF_T_BYTE, w->code,
                       8 * (size_t)m->n_words) &&
           add_section(w, ".data", data, ELF_T_BYTE, m->data, m->n_data) &&
           add_section(w, ".rel.data", rel, ELF_T_REL, w->fixups,
                       (size_t)m->n_fixups * sizeof *w->fixups) &&
           add_section(w, ".symtab", symbols, ELF_T_SYM, w->symbols,
                       (size_t)w->n_symbols * sizeof *w->symbols) &&
           add_section(w, ".strtab", strings, ELF_T_BYTE, w->strings.data,
                       w->strings.len) &&
           add_section(w, ".ndp.kernels", kernels, ELF_T_BYTE,
                       text_str(&w->kernels), w->kernels.len) &&
           add_section(w, ".ndp.lines", lines, ELF_T_BYTE, w->lines,
                       4 * (size_t)m->n_words) &&
           (!m->n_blocks || add_section(w, ".ndp.blocks", blocks, ELF_T_BYTE,
                                        text_str(&w->blocks), w->blocks.len));
}

static size_t names_section(const struct writer *w) {
    return w->m->n_blocks ? MORE + 1 : MORE;
}

/* The names of sections, whose own is among them. */
static bool add_names(struct writer *w) {
    Elf32_Shdr names = {.sh_type = SHT_STRTAB, .sh_addralign = 1};
    add_name(&w->names, ".shstrtab");
    w->names.len -= sizeof ".shstrtab"; /* add_section adds it again */
    if (!add_section(w, ".shstrtab", names, ELF_T_BYTE, NULL, 0))
        return false;
    Elf_Data *data = elf_getdata(elf_getscn(w->elf, names_section(w)), NULL);
    data->d_buf = w->names.data;
    data->d_size = w->names.len;
    return true;
}

static bool make_elf(struct writer *w, int fd) {
    if (elf_version(EV_CURRENT) == EV_NONE ||
        !(w->elf = elf_begin(fd, ELF_C_WRITE, NULL)))
        return false;
    Elf32_Ehdr *h = elf32_newehdr(w->elf);
    if (!h)
        return false;
    h->e_ident[EI_DATA] = ELFDATA2LSB;
    h->e_type = ET_REL;
    h->e_machine = MACHINE;
    h->e_version = EV_CURRENT;
    h->e_flags = VERSION;
    h->e_shstrndx = (Elf32_Half)names_section(w);
    return add_sections(w) && add_names(w) &&
           elf_update(w->elf, ELF_C_WRITE) >= 0;
}

static bool copy(FILE *from, FILE *to) {
    char buffer[4096];
    size_t n;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, n, to) != n)
            return false;
    return !ferror(from);
}

bool isa_image_write(const struct isa_image *image, FILE *out,
                     const char **why) {
    struct writer w = {.m = image};
    FILE *f = tmpfile(); /* libelf writes to a file of its own */
    bool ok = false;
    *why = f ? "cannot write" : strerror(errno);
    if (f) {
        make_contents(&w);
        ok = make_elf(&w, fileno(f));
        if (!ok)
            *why = elf_errmsg(-1);
        if (w.elf)
            elf_end(w.elf);
        ok = ok && copy(f, out);
        fclose(f);
    }
    text_free(&w.names);
    text_free(&w.strings);
    text_free(&w.kernels);
    text_free(&w.blocks);
    free(w.symbols);
    free(w.fixups);
    free(w.code);
    free(w.lines);
    return ok;
}

/* --- in ------------------------------------------------------------------- */

struct loader {
    struct arena *arena;
    const struct source *source;
    struct diag *d;
    Elf *elf;
    struct isa_image *m;
    struct isa_reader kernels;
    size_t strings; /* section of the symbols' names */
};

static bool fail(struct loader *l, const char *what) {
    diag_error(l->d, (struct place){l->source, 0, 0, 0},
               "is no image of ndpcc: %s", what);
    return false;
}

bool isa_image_is_elf(const void *bytes, size_t n) {
    return n > SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

/* Contents of a section of that name; NULL: there is none. */
static Elf_Data *section(struct loader *l, const char *name,
                         Elf32_Shdr **header) {
    size_t names;
    if (elf_getshdrstrndx(l->elf, &names))
        return NULL;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(l->elf, s));) {
        *header = elf32_getshdr(s);
        const char *is =
            *header ? elf_strptr(l->elf, names, (*header)->sh_name) : NULL;
        if (is && strcmp(is, name) == 0) {
            Elf_Data *data = elf_getdata(s, NULL);
            return data && (data->d_buf || !data->d_size) ? data : NULL;
        }
    }
    return NULL;
}

static uint64_t get(const uint8_t *from, int bytes) {
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    return v;
}

static bool read_code(struct loader *l) {
    Elf32_Shdr *h;
    Elf_Data *text = section(l, ".text", &h);
    Elf_Data *lines = section(l, ".ndp.lines", &h);
    if (!text || !lines || text->d_size % 8 ||
        lines->d_size != text->d_size / 2 || text->d_size > 8 * 0xffff)
        return fail(l, "its code and lines do not fit");
    size_t n = text->d_size / 8;
    l->m->n_words = (int)n;
    l->m->words = arena_array(l->arena, n, sizeof *l->m->words);
    l->m->lines = arena_array(l->arena, n, sizeof *l->m->lines);
    for (size_t i = 0; i < n; i++) {
        l->m->words[i] = get((const uint8_t *)text->d_buf + 8 * i, 8);
        l->m->lines[i] =
            (int)(get((const uint8_t *)lines->d_buf + 4 * i, 4) & INT32_MAX);
    }
    return true;
}

static bool read_data(struct loader *l) {
    Elf32_Shdr *h;
    Elf_Data *data = section(l, ".data", &h);
    Elf_Data *rel = section(l, ".rel.data", &h);
    if (!data || !rel || rel->d_size % sizeof(Elf32_Rel) ||
        data->d_size > INT32_MAX)
        return fail(l, "its data are not there");
    l->m->n_data = (uint32_t)data->d_size;
    l->m->data = arena_copy(l->arena, data->d_buf, data->d_size, 1);
    l->m->n_fixups = (int)(rel->d_size / sizeof(Elf32_Rel));
    l->m->fixups =
        arena_array(l->arena, (size_t)l->m->n_fixups, sizeof *l->m->fixups);
    for (int i = 0; i < l->m->n_fixups; i++) {
        Elf32_Rel r;
        memcpy(&r, (const char *)rel->d_buf + (size_t)i * sizeof r, sizeof r);
        uint32_t at = r.r_offset;
        if (l->m->n_data < 4 || at > l->m->n_data - 4)
            return fail(l, "an address to be put right lies outside its data");
        l->m->fixups[i] = at;
    }
    return true;
}

static bool is_strings(const Elf_Data *k) {
    return !k->d_size || (k->d_buf && !((const char *)k->d_buf)[k->d_size - 1]);
}

/* What is wrong with the strings of a section, or NULL. */
static const char *read_strings(struct loader *l, const Elf_Data *k) {
    const char *wrong = NULL;
    for (size_t at = 0; at < k->d_size && !wrong;) {
        const char *line = (const char *)k->d_buf + at;
        size_t n = strlen(line);
        wrong = isa_directive_read(&l->kernels, line, n);
        at += n + 1;
    }
    return wrong;
}

static bool read_kernels(struct loader *l) {
    Elf32_Shdr *h;
    Elf_Data *k = section(l, ".ndp.kernels", &h);
    Elf_Data *b = section(l, ".ndp.blocks", &h);
    l->kernels = (struct isa_reader){.arena = l->arena, .image = l->m};
    if (!k || !is_strings(k) || (b && !is_strings(b)))
        return fail(l, "it does not list its kernels");
    const char *wrong = read_strings(l, k);
    if (!wrong && b)
        wrong = read_strings(l, b);
    isa_directives_end(&l->kernels);
    if (!wrong && isa_directives_astray(l->m))
        wrong = "a kernel lies outside its code";
    if (!wrong && !isa_blocks_in_place(l->m))
        wrong = "a block lies outside its kernel";
    return !wrong || fail(l, wrong);
}

static bool read_symbols(struct loader *l) {
    Elf32_Shdr *h = NULL;
    Elf_Data *s = section(l, ".symtab", &h);
    if (!s || s->d_size % sizeof(Elf32_Sym))
        return fail(l, "it has no symbols");
    size_t n = s->d_size / sizeof(Elf32_Sym);
    l->m->symbols = arena_array(l->arena, n, sizeof *l->m->symbols);
    for (size_t i = 0; i < n; i++) {
        Elf32_Sym from;
        memcpy(&from, (const char *)s->d_buf + i * sizeof from, sizeof from);
        if (ELF32_ST_TYPE(from.st_info) != STT_OBJECT)
            continue;
        const char *name = elf_strptr(l->elf, h->sh_link, from.st_name);
        if (!name || from.st_value > l->m->n_data ||
            from.st_size > l->m->n_data - from.st_value)
            return fail(l, "a variable lies outside its data");
        l->m->symbols[l->m->n_symbols++] =
            (struct isa_symbol){arena_strdup(l->arena, name), from.st_value,
                                from.st_size, from.st_other != 0};
    }
    return true;
}

static bool read_all(struct loader *l) {
    Elf32_Ehdr *h = l->elf ? elf32_getehdr(l->elf) : NULL;
    if (!h || h->e_machine != MACHINE)
        return fail(l, "it is for another machine");
    if (h->e_flags != VERSION)
        return fail(l, "it is of another version");
    if (h->e_shoff % _Alignof(Elf32_Shdr)) /* libelf gives it as it stands */
        return fail(l, "its section headers are not aligned");
    return read_code(l) && read_data(l) && read_kernels(l) && read_symbols(l);
}

struct isa_image *isa_image_read(struct arena *a, const struct source *source,
                                 struct diag *d) {
    struct loader l = {.arena = a, .source = source, .d = d};
    l.m = arena_alloc(a, sizeof *l.m);
    char *bytes = arena_copy(a, source->text, source->len, 1);
    if (elf_version(EV_CURRENT) != EV_NONE)
        l.elf = elf_memory(bytes, source->len);
    bool ok = read_all(&l);
    if (l.elf)
        elf_end(l.elf);
    return ok ? l.m : NULL;
}
