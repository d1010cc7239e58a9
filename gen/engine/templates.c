/* templates.c - finding templates and rendering the family of one block.
 *
 * The family is everything that `use` reaches from ndp_<block>.v.  Depth first,
 * a file is listed after those it uses, which is the order that tools want.
 */
#include "templates.h"

#include "base/embed.h"
#include "names.h"
#include "template.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- loading ------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    const struct template_file *x = a, *y = b;
    return strcmp(x->name, y->name);
}

int templates_find(const struct template_set *s, const char *name) {
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->files[i].name, name) == 0)
            return i;
    return -1;
}

const char *templates_name(void *set, int i) {
    const struct template_set *s = set;
    return i < s->n ? s->files[i].name : NULL;
}

/* Add a template or replace the one of that name. */
static void add(struct template_set *s, const char *dir, const char *name,
                const char *text, size_t len) {
    int i = templates_find(s, name);
    if (i < 0) {
        i = s->n++;
        s->files = xrealloc(s->files, (size_t)s->n * sizeof *s->files);
    }
    struct text path = {0};
    text_printf(&path, "%s/%s", dir, name);
    struct template_file *f = &s->files[i];
    f->name = arena_strdup(&s->arena, name);
    f->source = (struct source){arena_strdup(&s->arena, text_str(&path)),
                                arena_strndup(&s->arena, text, len), len};
    text_free(&path);
}

static bool is_template_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return *name != '.' && dot &&
           (strcmp(dot, ".v") == 0 || strcmp(dot, ".vh") == 0);
}

static bool add_file(struct template_set *s, const char *dir, const char *name,
                     struct diag *d) {
    struct text path = {0};
    size_t len;
    int before = d->errors;
    text_printf(&path, "%s/%s", dir, name);
    char *text = text_read_file(text_str(&path), &len);
    if (!names_is_output(name))
        diag_error(d, (struct place){0},
                   "'%s' is no template name, expected a short one of letters, "
                   "digits, '_', '-' and '.'",
                   text_str(&path));
    else if (text)
        add(s, dir, name, text, len);
    else
        diag_error(d, (struct place){0}, "cannot read '%s': %s",
                   text_str(&path), strerror(errno));
    text_free(&path);
    free(text);
    return d->errors == before;
}

static bool add_folder(struct template_set *s, const char *dir,
                       struct diag *d) {
    DIR *folder = opendir(dir);
    if (!folder) {
        diag_error(d, (struct place){0},
                   "cannot read templates folder '%s': %s", dir,
                   strerror(errno));
        return false;
    }
    bool ok = true;
    int found = 0;
    struct dirent *entry;
    while ((entry = readdir(folder)))
        if (is_template_name(entry->d_name)) {
            ok = add_file(s, dir, entry->d_name, d) && ok;
            found++;
        }
    closedir(folder);
    if (!found) {
        diag_error(d, (struct place){0},
                   "templates folder '%s' has no file '*.v' or '*.vh'", dir);
        return false;
    }
    return ok;
}

bool templates_load(struct template_set *s, const char *dir, struct diag *d) {
    *s = (struct template_set){0};
    for (const struct embedded *e = embedded_templates; e->name; e++)
        add(s, "rtl-templates", e->name, e->text, e->len);
    bool ok = !dir || add_folder(s, dir, d);
    if (s->n)
        qsort(s->files, (size_t)s->n, sizeof *s->files, by_name);
    return ok;
}

void templates_free(struct template_set *s) {
    free(s->files);
    arena_free(&s->arena);
    *s = (struct template_set){0};
}

/* --- rendering ----------------------------------------------------------- */

struct family {
    const struct template_set *set;
    const struct gen_job *job;
    struct gen_files *files;
    struct diag *d;
    bool *seen; /* for each template of the set */
    bool ok;
};

static enum gen_kind kind_of(const char *path) {
    if (strncmp(path, "rtl/", 4) != 0)
        return strncmp(path, "tb/", 3) == 0 ? GEN_TB : GEN_FORMAL;
    return strcmp(strrchr(path, '.'), ".vh") == 0 ? GEN_INCLUDE : GEN_RTL;
}

static void add_rendered(struct family *f, const struct source *src,
                         const struct unit *u, struct text *text) {
    struct text path = {0};
    names_path(u, &path);
    if (gen_files_find(f->files, text_str(&path))) {
        diag_error(f->d, (struct place){src, 0, 0, 0},
                   "'%s' is the output of another template, too",
                   text_str(&path));
        f->ok = false;
        text_free(text);
    } else {
        *gen_files_add(f->files, kind_of(text_str(&path)), text_str(&path)) =
            *text;
    }
    text_free(&path);
}

static void render(struct family *f, int n) {
    const struct template_file *t = &f->set->files[n];
    struct unit u = {.job = f->job, .set = f->set};
    struct text text = {0};
    f->seen[n] = true;
    u.uses = xcalloc((size_t)f->set->n, sizeof *u.uses);
    snprintf(u.output, sizeof u.output, "%s", t->name);
    struct template_names names = {names_add, &u};
    bool ok = template_render(&t->source, &names, &text, f->d);
    for (int i = 0; i < u.n_uses; i++)
        if (!f->seen[u.uses[i]])
            render(f, u.uses[i]);
    if (ok)
        add_rendered(f, &t->source, &u, &text);
    else
        text_free(&text);
    f->ok = f->ok && ok;
    free(u.uses);
}

bool templates_render(const struct template_set *s, const struct gen_job *job,
                      struct gen_files *files, struct diag *d) {
    struct text root = {0};
    text_printf(&root, "ndp_%s.v", job->block->name);
    int n = templates_find(s, text_str(&root));
    struct family f = {s, job, files, d, NULL, n >= 0};
    if (n >= 0) {
        f.seen = xcalloc((size_t)s->n, sizeof *f.seen);
        render(&f, n);
        free(f.seen);
    } else {
        diag_error(d, (struct place){0}, "no template '%s' for target '%s'",
                   text_str(&root), job->block->name);
    }
    text_free(&root);
    return f.ok;
}
