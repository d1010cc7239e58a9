/* templates.c - finding templates and rendering the family of one target.
 *
 * The family is everything that `use` reaches from the target's root.  Depth
 * first, a file is listed after those it uses, which is the order that tools
 * want.  A template is rendered once for each design whose names it sees; two
 * that give the same file have to give the same bytes.
 */
#include "templates.h"

#include "base/embed.h"
#include "engine/template.h"
#include "iface/system.h"
#include "names/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- loading -------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    const struct template_file *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->room, y->room);
}

static bool is_verilog(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".v") == 0 || strcmp(dot, ".vh") == 0);
}

bool templates_is_fragment(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".inc") == 0;
}

/* Whether a name says which file it is without its room. */
static bool is_unique(const char *name) {
    return is_verilog(name) || templates_is_fragment(name);
}

int templates_find(const struct template_set *s, const char *name) {
    for (int i = 0; i < s->n; i++)
        if (is_unique(name) && strcmp(s->files[i].name, name) == 0)
            return i;
    return -1;
}

static const char *name_of(const struct template_set *s, int n,
                           bool is_kind(const char *name)) {
    for (int i = 0; i < s->n; i++)
        if (is_kind(s->files[i].name) && n-- == 0)
            return s->files[i].name;
    return NULL;
}

const char *templates_name(void *set, int n) {
    return name_of(set, n, is_verilog);
}

const char *templates_fragment_name(void *set, int n) {
    return name_of(set, n, templates_is_fragment);
}

int templates_find_part(const struct template_set *s, const char *room,
                        const char *name) {
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->files[i].name, name) == 0 &&
            strcmp(s->files[i].room, room) == 0)
            return i;
    return -1;
}

/* Add a template or replace the one of that name; room NULL: of the one that it
 * replaces. */
static void add(struct template_set *s, const char *path, const char *room,
                const char *name, const char *text, size_t len) {
    int i = room && !is_unique(name) ? templates_find_part(s, room, name)
                                     : templates_find(s, name);
    if (i < 0) {
        i = s->n++;
        s->files = xrealloc(s->files, (size_t)s->n * sizeof *s->files);
        s->files[i].room = arena_strdup(&s->arena, room ? room : "common");
    } else if (room) {
        s->files[i].room = arena_strdup(&s->arena, room);
    }
    struct template_file *f = &s->files[i];
    f->name = arena_strdup(&s->arena, name);
    f->source = (struct source){arena_strdup(&s->arena, path),
                                arena_strndup(&s->arena, text, len), len};
}

/* Beside the rooms only what is named without one; in a room anything. */
static bool is_template_name(const char *room, const char *name) {
    return *name != '.' &&
           (room ? strrchr(name, '.') != NULL : is_unique(name));
}

static bool add_file(struct template_set *s, const char *dir, const char *room,
                     const char *name, struct diag *d) {
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
        add(s, text_str(&path), room, name, text, len);
    else
        diag_error(d, (struct place){0}, "cannot read '%s': %s",
                   text_str(&path), strerror(errno));
    text_free(&path);
    free(text);
    return d->errors == before;
}

static bool add_folder(struct template_set *s, const char *dir,
                       const char *room, int *found, struct diag *d);

/* An entry of a folder: a template, or in the top folder a room. */
static bool add_entry(struct template_set *s, const char *dir, const char *room,
                      const char *name, int *found, struct diag *d) {
    if (is_template_name(room, name)) {
        ++*found;
        return add_file(s, dir, room, name, d);
    }
    if (room || *name == '.')
        return true;
    struct text path = {0};
    text_printf(&path, "%s/%s", dir, name);
    bool ok = add_folder(s, text_str(&path), name, found, d);
    text_free(&path);
    return ok;
}

static bool add_folder(struct template_set *s, const char *dir,
                       const char *room, int *found, struct diag *d) {
    DIR *folder = opendir(dir);
    if (!folder && room && errno == ENOTDIR)
        return true; /* a file that is no template */
    if (!folder) {
        diag_error(d, (struct place){0},
                   "cannot read templates folder '%s': %s", dir,
                   strerror(errno));
        return false;
    }
    bool ok = true;
    struct dirent *entry;
    while ((entry = readdir(folder)))
        ok = add_entry(s, dir, room, entry->d_name, found, d) && ok;
    closedir(folder);
    return ok;
}

bool templates_load(struct template_set *s, const char *dir, struct diag *d) {
    int found = 0;
    *s = (struct template_set){0};
    for (const struct embedded *e = embedded_templates; e->name; e++) {
        struct text path = {0};
        text_printf(&path, "rtl-templates/%s/%s", e->folder, e->name);
        add(s, text_str(&path), e->folder, e->name, e->text, e->len);
        text_free(&path);
    }
    bool ok = !dir || add_folder(s, dir, NULL, &found, d);
    if (ok && dir && !found) {
        diag_error(d, (struct place){0},
                   "templates folder '%s' has no file '*.v' or '*.vh'", dir);
        ok = false;
    }
    if (s->n)
        qsort(s->files, (size_t)s->n, sizeof *s->files, by_name);
    return ok;
}

void templates_free(struct template_set *s) {
    free(s->files);
    arena_free(&s->arena);
    *s = (struct template_set){0};
}

/* --- rendering ------------------------------------------------------------ */

enum { MOST_DESIGNS = 64 };

/* A design whose names some templates see, and which of them were rendered. */
struct member {
    const struct design *design;
    struct design *own; /* to be freed; NULL: the job's or an instance's */
    bool *seen;         /* by template of the set */
};

struct family {
    const struct template_set *set;
    const struct gen_job *job;
    struct gen_files *files;
    struct diag *d;
    struct member member[MOST_DESIGNS];
    int n;
    bool ok;
};

static struct member *add_member(struct family *f, const struct design *design,
                                 struct design *own) {
    if (f->n == MOST_DESIGNS)
        BUG("target '%s' contains more than %d declarations",
            f->job->design->iface->name, MOST_DESIGNS);
    struct member *m = &f->member[f->n++];
    *m = (struct member){design, own, NULL};
    m->seen = xcalloc((size_t)f->set->n + 1, sizeof *m->seen);
    return m;
}

/* Whose names template t sees when the member `user` uses it: NULL if that
 * declaration is not part of the target. */
static struct member *owner_of(struct family *f, int t, struct member *user) {
    const struct iface *owner = iface_find(f->set->files[t].room);
    if (!owner || owner == user->design->iface)
        return user;
    for (int i = 0; i < f->n; i++)
        if (f->member[i].design->iface == owner)
            return &f->member[i];
    const struct iface *const *parts = user->design->iface->contains;
    while (*parts && *parts != owner)
        parts++;
    if (!*parts)
        return NULL;
    struct design *d = design_make(owner, &f->job->design->config);
    return add_member(f, d, d);
}

static enum gen_kind kind_of(const char *path) {
    if (strncmp(path, "tb/", 3) == 0)
        return GEN_TB;
    if (strncmp(path, "formal/", 7) == 0)
        return GEN_FORMAL;
    if (!is_verilog(path) || strncmp(path, "include/", 8) == 0)
        return GEN_OTHER; /* what lies in include/ is for the user's RTL */
    return strcmp(strrchr(path, '.'), ".vh") == 0 ? GEN_INCLUDE : GEN_RTL;
}

static void add_rendered(struct family *f, const struct source *src,
                         const struct unit *u, struct text *text) {
    struct text path = {0};
    names_path(u, &path);
    const struct gen_file *old = gen_files_find(f->files, text_str(&path));
    if (!old) {
        *gen_files_add(f->files, kind_of(text_str(&path)), text_str(&path)) =
            *text;
    } else {
        if (strcmp(text_str(&old->text), text_str(text)) != 0) {
            diag_error(f->d, (struct place){src, 0, 0, 0},
                       "'%s' is the output of another template, too",
                       text_str(&path));
            f->ok = false;
        }
        text_free(text);
    }
    text_free(&path);
}

static void render(struct family *f, int t, struct member *m,
                   const char *output);

/* What template t needs, unless it was rendered already. */
static void render_used(struct family *f, int t, int used, struct member *m) {
    struct member *owner = owner_of(f, used, m);
    if (!owner) {
        diag_error(f->d, (struct place){&f->set->files[t].source, 0, 0, 0},
                   "'%s' belongs to '%s', which '%s' does not contain",
                   f->set->files[used].name, f->set->files[used].room,
                   m->design->iface->name);
        f->ok = false;
    } else if (!owner->seen[used]) {
        render(f, used, owner, f->set->files[used].name);
    }
}

static void render(struct family *f, int t, struct member *m,
                   const char *output) {
    const struct template_file *file = &f->set->files[t];
    struct unit u = {.job = f->job,
                     .design = m->design,
                     .set = f->set,
                     .files = f->files,
                     .d = f->d};
    struct text text = {0};
    m->seen[t] = true;
    u.uses = xcalloc((size_t)f->set->n, sizeof *u.uses);
    snprintf(u.output, sizeof u.output, "%s", output);
    struct template_names names = {names_add, &u};
    bool ok = template_render(&file->source, &names, &text, f->d);
    for (int i = 0; i < u.n_uses; i++)
        render_used(f, t, u.uses[i], m);
    if (ok)
        add_rendered(f, &file->source, &u, &text);
    else
        text_free(&text);
    f->ok = f->ok && ok;
    free(u.uses);
}

static struct family family_open(const struct template_set *s,
                                 const struct gen_job *job,
                                 struct gen_files *files, struct diag *d) {
    struct family f = {
        .set = s, .job = job, .files = files, .d = d, .ok = true};
    add_member(&f, job->design, NULL);
    return f;
}

static bool family_close(struct family *f) {
    for (int i = 0; i < f->n; i++) {
        design_free(f->member[i].own);
        free(f->member[i].seen);
    }
    return f->ok;
}

bool templates_render(const struct template_set *s, const struct gen_job *job,
                      struct gen_files *files, struct diag *d) {
    struct text root = {0};
    text_printf(&root, "ndp_%s.v", job->design->iface->name);
    int n = templates_find(s, text_str(&root));
    if (n < 0 && job->design->system)
        n = templates_find(s, "ndp_system.v");
    struct family f = family_open(s, job, files, d);
    if (n >= 0) {
        render(&f, n, &f.member[0], text_str(&root));
    } else {
        diag_error(d, (struct place){0}, "no template '%s' for target '%s'",
                   text_str(&root), job->design->iface->name);
        f.ok = false;
    }
    text_free(&root);
    return family_close(&f);
}

bool templates_render_output(const struct template_set *s,
                             const struct gen_job *job, const char *name,
                             struct gen_files *files, struct diag *d) {
    int n = templates_find_part(s, "outputs", name);
    if (n < 0)
        BUG("no output template '%s'", name);
    struct family f = family_open(s, job, files, d);
    render(&f, n, &f.member[0], name);
    return family_close(&f);
}
