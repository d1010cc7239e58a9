/* report.c - the violations, counts and rules that ndpcheck prints. */
#include "report.h"

#include "base/version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void set(json_t *object, const char *key, json_t *value) {
    if (!value || json_object_set_new(object, key, value))
        BUG("cannot make the JSON value of '%s'", key);
}

static void append(json_t *array, json_t *value) {
    if (!value || json_array_append_new(array, value))
        BUG("cannot make a JSON array");
}

/* A file's name may be anything; JSON is UTF-8. */
static json_t *name_json(const char *s) {
    json_t *j = json_string(s);
    return j ? j : json_string("?");
}

static json_t *count_json(uint64_t n) {
    return json_integer((json_int_t)n);
}

static json_t *kinds_json(unsigned kinds) {
    json_t *a = json_array();
    for (int k = 0; k < DRAM_ALL_KINDS; k++)
        if (kinds >> k & 1)
            append(a, json_string(dram_kind_name(k)));
    return a;
}

static void write_json(json_t *j, FILE *out) {
    char *text = json_dumps(j, JSON_INDENT(1));
    if (!text)
        BUG("cannot encode JSON");
    fprintf(out, "%s\n", text);
    free(text);
    json_decref(j);
}

static json_t *head_json(void) {
    json_t *j = json_object();
    set(j, "schema", json_string("ndpcheck-1"));
    set(j, "version", json_string(NDP_VERSION));
    return j;
}

/* --- violations ----------------------------------------------------------- */

static void add_command(struct text *t, const struct dram_command *c) {
    text_printf(t, "%s%s", c->nda ? "accelerator's " : "",
                dram_kind_name(c->kind));
    text_printf(t, " channel %d rank %d", c->channel, c->rank);
    if (!dram_kind_of_rank(c->kind))
        text_printf(t, " group %d bank %d", c->group, c->bank);
    if (c->row >= 0)
        text_printf(t, " row %d", c->row);
}

static void add_before(struct text *t, const struct dram_command *b) {
    text_add(t, ", after the ");
    add_command(t, b);
    text_printf(t, " of cycle %" PRId64 ", line %" PRId64, b->cycle, b->line);
}

/* What is wrong with the row, of the checks that have nothing to do with time.
 */
static const char *wrong_row(int check) {
    return check == DRAM_CHECK_closed ? "the row is closed"
           : check == DRAM_CHECK_row  ? "another row is open"
                                      : "a row is open";
}

static void add_why(struct text *t, const struct dram_violation *v) {
    if (dram_check_is_latest(v->check)) {
        text_printf(t, "%s %" PRId64 " cycles, expected %" PRId64 " at most",
                    v->check == DRAM_CHECK_refresh
                        ? "no refresh for"
                        : "refreshes lag behind one in each tREFI by",
                    v->cycles, v->expected);
        if (v->before)
            text_printf(t, "; the last in cycle %" PRId64 ", line %" PRId64,
                        v->before->cycle, v->before->line);
        return;
    }
    if (v->check == DRAM_CHECK_data)
        text_printf(
            t, "%" PRId64 " idle cycles of the data bus, expected %" PRId64,
            v->cycles, v->expected);
    else if (v->expected >= 0)
        text_printf(t, "%" PRId64 " cycles, expected %" PRId64, v->cycles,
                    v->expected);
    else
        text_add(t, wrong_row(v->check));
    if (v->before)
        add_before(t, v->before);
}

static json_t *command_json(const struct dram_command *c) {
    json_t *j = json_object();
    set(j, "cycle", json_integer(c->cycle));
    set(j, "line", json_integer(c->line));
    set(j, "command", json_string(dram_kind_name(c->kind)));
    set(j, "source", json_string(c->nda ? "nda" : "host"));
    set(j, "channel", json_integer(c->channel));
    set(j, "rank", json_integer(c->rank));
    if (!dram_kind_of_rank(c->kind)) {
        set(j, "group", json_integer(c->group));
        set(j, "bank", json_integer(c->bank));
    }
    if (c->row >= 0)
        set(j, "row", json_integer(c->row));
    return j;
}

static json_t *violation_json(const struct dram_violation *v) {
    json_t *j = json_object();
    bool latest = dram_check_is_latest(v->check);
    set(j, "rule", json_string(dram_check_name(v->check)));
    set(j, "command", command_json(v->command));
    set(j, "before", v->before ? command_json(v->before) : json_null());
    if (v->expected >= 0 || v->check == DRAM_CHECK_data) {
        set(j, "cycles", json_integer(v->cycles));
        set(j, "expected", json_integer(v->expected));
        set(j, "slack",
            json_integer(latest ? v->expected - v->cycles
                                : v->cycles - v->expected));
    }
    return j;
}

void report_violation(struct report *r, const struct dram_violation *v) {
    if (r->violations++ >= r->list->limit)
        return;
    if (r->list->json) {
        append(r->shown, violation_json(v));
        return;
    }
    struct text t = {0};
    add_command(&t, v->command);
    text_printf(&t, ": '%s': ", dram_check_name(v->check));
    add_why(&t, v);
    fprintf(r->list->out, "%s:%" PRId64 ": cycle %" PRId64 ": %s\n", r->name,
            v->command->line, v->command->cycle, text_str(&t));
    text_free(&t);
}

/* --- counts --------------------------------------------------------------- */

void report_trace(struct report *r, enum dram_format f) {
    static const char *const formats[] = {"ndp", "ramulator", "dramsim3"};
    if (!r->list->json)
        return;
    r->shown = json_array();
    r->object = json_object();
    set(r->object, "trace", name_json(r->name));
    set(r->object, "format", json_string(formats[f]));
}

static void add_tally(struct dram_tally *sum, const struct dram_tally *t) {
    if (t->checked && (!sum->checked || t->least < sum->least))
        sum->least = t->least;
    sum->checked += t->checked;
    sum->broken += t->broken;
    for (int i = 0; i < DRAM_SLACKS; i++)
        sum->slack[i] += t->slack[i];
}

void report_add(struct report *r, const struct dram_checker *k) {
    bool any = false;
    for (int i = 0; i < DRAM_CHECKS; i++)
        add_tally(&r->tally[i], dram_checker_tally(k, i));
    for (int i = 0; i < DRAM_ALL_KINDS; i++) {
        r->commands[i] += dram_checker_commands(k, i);
        any |= dram_checker_commands(k, i) > 0;
    }
    r->channels += any;
    r->data_cycles += dram_checker_data_cycles(k);
}

/* Share of the channels' cycles in which the host's bursts fill the data bus.
 */
static double use_of(const struct report *r) {
    double cycles = (double)(r->last - r->first + 1) * r->channels;
    return cycles > 0 ? 100 * (double)r->data_cycles / cycles : 0;
}

/* Whether slack says anything of it: closed rows are a matter of order. */
static bool has_slack(int check) {
    return check != DRAM_CHECK_closed && check != DRAM_CHECK_row &&
           check != DRAM_CHECK_open;
}

static json_t *tally_json(const struct dram_tally *t, int check) {
    json_t *j = json_object();
    set(j, "checked", count_json(t->checked));
    set(j, "broken", count_json(t->broken));
    if (!has_slack(check))
        return j;
    set(j, "least_slack", t->checked ? json_integer(t->least) : json_null());
    json_t *slack = json_object();
    for (int i = 0; i < DRAM_SLACKS; i++)
        set(slack, dram_slack_name(i), count_json(t->slack[i]));
    set(j, "slack", slack);
    return j;
}

static int kinds_of(const struct dram_device *p) {
    return p && p->rfc_bank ? DRAM_ALL_KINDS : DRAM_KINDS;
}

static int checks_of(const struct dram_device *p) {
    return p ? DRAM_CHECKS : DRAM_CHECK_PART;
}

static void end_json(struct report *r) {
    json_t *commands = json_object(), *rules = json_object();
    for (int k = 0; k < kinds_of(r->list->part); k++)
        set(commands, dram_kind_name(k), count_json(r->commands[k]));
    for (int i = 0; i < checks_of(r->list->part); i++)
        set(rules, dram_check_name(i), tally_json(&r->tally[i], i));
    set(r->object, "first_cycle", json_integer(r->first));
    set(r->object, "last_cycle", json_integer(r->last));
    set(r->object, "channels", json_integer(r->channels));
    set(r->object, "data_bus_percent", json_real(use_of(r)));
    set(r->object, "commands", commands);
    set(r->object, "violations", count_json(r->violations));
    set(r->object, "shown", r->shown);
    set(r->object, "rules", rules);
    append(r->list->traces, r->object);
}

static void print_histogram(const struct report *r) {
    FILE *out = r->list->out;
    fprintf(out, "\n%-10s %9s", "rule", "least");
    for (int i = 0; i < DRAM_SLACKS; i++)
        fprintf(out, " %9s", dram_slack_name(i));
    fputc('\n', out);
    for (int c = 0; c < DRAM_CHECKS; c++) {
        const struct dram_tally *t = &r->tally[c];
        if (!t->checked || !has_slack(c))
            continue;
        fprintf(out, "%-10s %9" PRId64, dram_check_name(c), t->least);
        for (int i = 0; i < DRAM_SLACKS; i++)
            fprintf(out, " %9" PRIu64, t->slack[i]);
        fputc('\n', out);
    }
}

static void end_text(const struct report *r) {
    FILE *out = r->list->out;
    uint64_t commands = 0, checked = 0;
    for (int k = 0; k < DRAM_ALL_KINDS; k++)
        commands += r->commands[k];
    for (int i = 0; i < DRAM_CHECKS; i++)
        checked += r->tally[i].checked;
    if (r->violations > r->list->limit)
        fprintf(out, "%s: %" PRIu64 " more\n", r->name,
                r->violations - r->list->limit);
    fprintf(out,
            "%s: %" PRIu64 " commands in cycles %" PRId64 " to %" PRId64
            ", data bus %.1f %%, %" PRIu64 " checks, %" PRIu64 " violations\n",
            r->name, commands, r->first, r->last, use_of(r), checked,
            r->violations);
    if (commands && !r->commands[DRAM_REF] && !r->commands[DRAM_REFB])
        fprintf(out,
                "%s: no refreshes, so that they come in time is not "
                "checked\n",
                r->name);
    for (int i = 0; i < DRAM_CHECKS; i++)
        if (r->tally[i].broken)
            fprintf(out, "  %-10s %9" PRIu64 " of %" PRIu64 "\n",
                    dram_check_name(i), r->tally[i].broken,
                    r->tally[i].checked);
    if (r->list->histogram)
        print_histogram(r);
}

void report_begin(struct report_list *l, const struct config *c) {
    l->config = c;
    if (l->json)
        l->traces = json_array();
}

void report_end(struct report *r, bool whole) {
    if (!whole) {
        json_decref(r->shown);
        json_decref(r->object);
    } else if (r->list->json) {
        end_json(r);
    } else {
        end_text(r);
    }
}

void report_finish(struct report_list *l, bool whole) {
    if (!l->json)
        return;
    json_t *j = head_json();
    set(j, "traces", l->traces);
    if (whole)
        write_json(j, l->out);
    else
        json_decref(j);
}

/* --- rules ---------------------------------------------------------------- */

static void print_rule(const struct dram_rule *r, FILE *out) {
    struct text from = {0}, to = {0}, formula = {0};
    dram_add_kinds(r->from, &from);
    dram_add_kinds(r->to, &to);
    if (r->count > 1)
        text_printf(&from, ", %d back", r->count);
    dram_add_formula(r->formula, &formula);
    fprintf(out, "%-9s %-11s %-16s %-16s %6d  %-24s %s\n", r->name,
            dram_scope_name(r->scope), text_str(&from), text_str(&to),
            r->cycles, text_str(&formula), r->doc);
    text_free(&from);
    text_free(&to);
    text_free(&formula);
}

static json_t *rule_json(const struct dram_rule *r) {
    struct text formula = {0};
    json_t *j = json_object();
    dram_add_formula(r->formula, &formula);
    set(j, "name", json_string(r->name));
    set(j, "scope", json_string(dram_scope_name(r->scope)));
    set(j, "from", kinds_json(r->from));
    set(j, "to", kinds_json(r->to));
    set(j, "count", json_integer(r->count));
    set(j, "cycles", json_integer(r->cycles));
    set(j, "formula", json_string(text_str(&formula)));
    set(j, "doc", json_string(r->doc));
    text_free(&formula);
    return j;
}

static json_t *check_json(int check) {
    json_t *j = json_object();
    set(j, "name", json_string(dram_check_name(check)));
    set(j, "doc", json_string(dram_check_doc(check)));
    return j;
}

static json_t *note_json(const struct dram_note *n) {
    static const char *const names[] = {"same bank", "same group", "same rank",
                                        "other rank"};
    json_t *j = json_object(), *where = json_array();
    for (int i = 0; i < 4; i++)
        if (n->where >> i & 1)
            append(where, json_string(names[i]));
    set(j, "from", kinds_json(n->from));
    set(j, "to", kinds_json(n->to));
    set(j, "where", where);
    set(j, "reason", json_string(n->reason));
    return j;
}

/* The part's rules that look at some command. */
static int rules_of(const struct config *c, const struct dram_device *p,
                    struct dram_rule rules[DRAM_RULES + DRAM_PART_RULES]) {
    int n = DRAM_RULES;
    struct dram_rule own[DRAM_PART_RULES];
    dram_rules(c, rules);
    if (p)
        dram_part_rules(p, c, own);
    for (int i = 0; p && i < DRAM_PART_RULES; i++)
        if (own[i].to)
            rules[n++] = own[i];
    return n;
}

static void rules_json(const struct dram_rule *rules, int n, FILE *out) {
    json_t *j = head_json(), *all = json_array(), *others = json_array();
    json_t *notes = json_array();
    for (int i = 0; i < n; i++)
        append(all, rule_json(&rules[i]));
    for (int i = DRAM_RULES; i < DRAM_CHECK_PART; i++)
        append(others, check_json(i));
    for (int i = 0; dram_note(i)->reason; i++)
        append(notes, note_json(dram_note(i)));
    set(j, "rules", all);
    set(j, "checks", others);
    set(j, "notes", notes);
    write_json(j, out);
}

void report_rules(const struct config *c, const struct dram_device *part,
                  bool json, FILE *out) {
    struct dram_rule rules[DRAM_RULES + DRAM_PART_RULES];
    int n = rules_of(c, part, rules);
    if (json) {
        rules_json(rules, n, out);
        return;
    }
    fprintf(out, "%-9s %-11s %-16s %-16s %6s  %-24s %s\n", "rule", "scope",
            "from", "to", "cycles", "formula", "what for");
    for (int i = 0; i < n; i++)
        print_rule(&rules[i], out);
    for (int i = DRAM_RULES; i < DRAM_CHECK_PART; i++)
        fprintf(out, "%-9s %s\n", dram_check_name(i), dram_check_doc(i));
}
