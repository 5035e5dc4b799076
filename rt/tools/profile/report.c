/* report.c - the report of one run, as JSON: numbers and names only, what they mean is the reader's
 * (driver/tools/profile).
 *
 * Rows are arrays, in the order of the program's sections: lines [file, line, procedure, units off, units on the
 * critical path]; spawns and procedures [file, line, column or 0, caller or name, instances, own off, own on, work,
 * span, on]; children [file, line, column, procedure, syncs, the longest: its number, of how many, its span, their
 * work]; locks [file, line and procedure that took it first, sections, work, the longest]; contexts [number, above,
 * procedure, file, line, instances, off, on, column]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "profile.h"
#include "rt/core/base/json.h"

static FILE *out;
static const char *separator;

static void text(const char *s) { cilk_json_string(out, s); }

static void number(const char *key, uint64_t n) { fprintf(out, "\"%s\":%" PRIu64 ",\n", key, n); }

static void list(const char *key) {
  fprintf(out, "\"%s\":[", key);
  separator = "\n";
}
static void row(void) {
  fprintf(out, "%s[", separator);
  separator = ",\n";
}

static void counted(const char *file, uint64_t at, uint32_t column, const char *name, const tally *t) {
  if (!t->instances) return;
  row();
  text(file);
  fprintf(out, ",%" PRIu64 ",%" PRIu32 ",", at, column);
  text(name);
  fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", t->instances, t->units[0],
      t->units[1], t->work, t->span, t->on);
}

static void context(const node *n) {
  row();
  fprintf(out, "%" PRIu32 ",%" PRId64 ",", n->number, n->up ? (int64_t)n->up->number : -1);
  text(n->of ? n->of->name : "");
  putc(',', out);
  text(n->from ? n->from->file : n->of ? n->of->file : "");
  fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 "]",
      n->from ? (uint64_t)n->from->line
      : n->of ? n->of->line
              : 0,
      n->instances, n->units[0], n->units[1], n->from ? n->from->column : 0);
  for (const node *c = n->children; c; c = c->next) context(c);
}

static void one_lock(const cilk_profile_locked *at, uint64_t sections, uint64_t work, uint64_t longest) {
  row();
  text(at->file);
  fprintf(out, ",%" PRIu64 ",", at->line);
  text(at->procedure);
  fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", sections, work, longest);
}

void profile_report(const char *file, int status) {
  out = fopen(file, "we");
  if (!out) profile_fail("the report cannot be written");
  struct profile_totals *t = &profile_totals;
  fputs("{\n", out);
  number("work", t->work);
  number("span", t->span);
  number("burdened_span", t->burdened_span);
  number("burden", profile_settings.burden);
  number("spawns", t->spawns);
  number("syncs", t->syncs);
  number("instances", t->instances);
  number("blocks", t->blocks);
  number("alone", t->alone);
  fprintf(out, "\"section\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\n", t->sections, t->section_work, t->section_span);
  number("status", (uint64_t)(status & 255));
  fprintf(out, "\"knows\":%s,\n\"same\":%s,\n\"lost\":%s,\n", t->knows ? "true" : "false",
      t->knows && t->before == (profile_log ? profile_log_words() : t->blocks) ? "true" : "false",
      t->lost ? "true" : "false");
  list("lines");
  for (line *l = profile_lines_begin; l < profile_lines_end; l++)
    if (l->units[0] || l->units[1]) {
      row();
      text(l->file);
      fprintf(out, ",%" PRIu64 ",", l->line);
      text(l->procedure);
      fprintf(out, ",%" PRIu64 ",%" PRIu64 "]", l->units[0], l->units[1]);
    }
  fputs("],\n", out);
  list("spawn_sites");
  for (site *s = profile_sites_begin; s < profile_sites_end; s++)
    counted(s->file, s->line, s->column, s->procedure, &s->tally);
  fputs("],\n", out);
  list("children");
  for (site *s = profile_sites_begin; s < profile_sites_end; s++)
    if (s->tally.instances) {
      row();
      text(s->file);
      fprintf(out, ",%" PRIu32 ",%" PRIu32 ",", s->line, s->column);
      text(s->procedure);
      fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", s->syncs, s->number, s->of,
          s->length, s->all);
    }
  fputs("],\n", out);
  list("touches");
  for (cilk_profile_touched *f = profile_touches_begin; f < profile_touches_end; f++)
    if (f->count) {
      row();
      text(f->file);
      fprintf(out, ",%" PRIu32 ",%" PRIu32 ",", f->line, f->column);
      text(f->procedure);
      fprintf(out, ",%" PRIu64 ",%" PRIu64 "]", f->count, f->waits);
    }
  fputs("],\n", out);
  list("locks");
  profile_locks(one_lock);
  fputs("],\n", out);
  list("procedures");
  for (procedure *p = profile_procedures_begin; p < profile_procedures_end; p++)
    counted(p->file, p->line, 0, p->name, &p->tally);
  fputs("],\n", out);
  list("contexts");
  context(profile_root);
  fputs("],\n", out);
  list("changes");
  for (unsigned i = 0; i < profile_settings.nchanges; i++) {
    row();
    fprintf(out, "%" PRIu64 ",%" PRIu64 "]", profile_settings.changes[i].work, profile_settings.changes[i].span);
  }
  fputs("],\n", out);
  list("loops");
  for (cilk_profile_loop *l = profile_loops_begin; l < profile_loops_end; l++) {
    row();
    text(l->file);
    fprintf(out, ",%" PRIu64 ",", l->line);
    text(l->procedure);
    fprintf(out, ",%" PRIu64 "]", l->iterations);
  }
  fputs("]\n}\n", out);
  if (ferror(out) | fclose(out)) {
    remove(file);
    profile_fail("the report cannot be written");
  }
}
