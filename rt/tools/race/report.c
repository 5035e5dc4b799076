/* report.c - the file of races: a line of JSON for each, written when it is found, so that a program that crashes or
 * hangs later loses none; and a last line that says that the program came to its end. What is shown, and how, is the
 * command's affair (driver).
 *
 * A race is reported once for each pair of sites, kinds and object; heap blocks that were allocated at one place count
 * as one object. When a pair was found very often its objects are no longer looked up.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "race.h"
#include "rt/core/base/json.h"
#include "rt/core/base/array.h"

static FILE *out;
static bool plain;                            /* to stderr, for people */
static uint64_t found_count;

/* ---- which were reported ---- */

struct reported {
  const site *a, *b;
  const void *object;
  uint32_t kinds;
};
struct pair {
  const site *a, *b;
  uint32_t kinds, lookups;
  const char *begin, *end;
};
static struct reported *reported;
static size_t reported_count, reported_room;
static struct pair pairs[4096];

static bool is_new(const site *a, const site *b, uint32_t kinds, const void *object) {
  for (size_t i = 0; i < reported_count; i++)
    if (reported[i].a == a && reported[i].b == b && reported[i].kinds == kinds && reported[i].object == object)
      return false;
  if (!CILK_ROOM_FOR(reported, reported_count, reported_room, 256)) race_die("out of memory");
  reported[reported_count++] = (struct reported){a, b, object, kinds};
  return true;
}

/* ---- JSON ---- */

static void text(const char *s) { cilk_json_string(out, s); }

static void place(const site *s) {
  fputs("\"file\":", out);
  text(s->file);
  fprintf(out, ",\"line\":%u,\"column\":%u,\"procedure\":", s->line, s->column);
  text(s->procedure);
  fputs(",\"text\":", out);
  text(s->text);
}

/* The spawns that lead from the program's begin to an instance, outermost first; their number. */
static int way(node n, const site **spawns, int room) {
  int count = 0;
  for (node h = n; h && count < room; h = race_nodes[h].home) {
    if (race_nodes[h].delivery) continue;
    if (!race_nodes[h].thread && race_nodes[h].spawn) spawns[count++] = race_nodes[h].spawn;
    for (uint32_t t = race_nodes[h].thread; t && count < room;) {
      const site *spawn = race_thread_spawned(&t);
      if (spawn) spawns[count++] = spawn;
    }
  }
  for (int i = 0; i < count / 2; i++) {
    const site *t = spawns[i];
    spawns[i] = spawns[count - 1 - i];
    spawns[count - 1 - i] = t;
  }
  return count;
}

/* An instance of a procedure, by its first node, or a thread of Cilk-1, by its number. */
struct instance {
  node first;
  uint32_t thread;
  const site *spawn;
};

/* From the outermost one inwards. */
static int instances(node n, struct instance *list, int room) {
  int count = 0;
  for (node h = race_nodes[n].owner; h && count < room; h = race_nodes[h].home) {
    if (!race_nodes[h].thread) list[count++] = (struct instance){h, 0, race_nodes[h].spawn};
    for (uint32_t t = race_nodes[h].thread; t && count < room; count++) {
      list[count] = (struct instance){0, t, NULL};
      list[count].spawn = race_thread_spawned(&t);
    }
  }
  for (int i = 0; i < count / 2; i++) {
    struct instance t = list[i];
    list[i] = list[count - 1 - i];
    list[count - 1 - i] = t;
  }
  return count;
}

enum { most_way = 256 };

static const char *const names[] = {"race", "early", "unordered", "held", "inversion", "split", "view", "unjoined",
    "sequence"};
const site *race_under[2];

static void print_access(const char *name, const struct record *r) {
  const site *spawns[most_way];
  fprintf(out, ",\"%s\":{", name);
  place(r->at);
  fprintf(out,
      ",\"kind\":\"%s\",\"delivery\":%s,\"locked\":%s,\"floating\":%s,\"atomics\":%s,\"locking\":%s,\"volatile\":%s,\"called\":%s,\"path\":[",
      r->kind ? "write" : "read", race_nodes[r->by].delivery ? "true" : "false",
      race_nodes[r->by].locks && !race_locks_spun(race_nodes[r->by].locks) ? "true" : "false",
      r->at->use & CILK_RACE_FLOATING ? "true" : "false",
      race_nodes[race_nodes[r->by].owner].atomics ? "true" : "false",
      race_nodes[race_nodes[r->by].owner].locking ? "true" : "false",
      r->at->use & CILK_RACE_VOLATILE ? "true" : "false", r->at->use & CILK_RACE_CALL ? "true" : "false");
  int n = way(race_nodes[r->by].owner, spawns, most_way);
  for (int i = 0; i < n; i++) {
    fputs(i ? ",{" : "{", out);
    place(spawns[i]);
    fputc('}', out);
  }
  fputs("]", out);
  long iteration;
  for (node h = race_nodes[r->by].owner; h; h = race_nodes[h].home)
    if (race_iteration_of(h, &iteration)) {
      fprintf(out, ",\"iteration\":%ld", iteration);
      break;
    }
  fputs("}", out);
}

/* The spawns that make both parallel: of the child that had the earlier access, and of the one that had the later, if
 * it was not the parent itself. */
static void forks(const struct record *earlier, const struct record *later) {
  struct instance a[most_way], b[most_way];
  int na = instances(earlier->by, a, most_way), nb = instances(later->by, b, most_way), i = 0;
  while (i < na && i < nb && a[i].first == b[i].first && a[i].thread == b[i].thread) i++;
  const site *first = i < na ? a[i].spawn : race_nodes[earlier->by].delivery ? race_nodes[earlier->by].spawn : NULL;
  const site *second = i < nb ? b[i].spawn : race_nodes[later->by].delivery ? race_nodes[later->by].spawn : NULL;
  bool threads = (i < na && a[i].thread) || (i < nb && b[i].thread);
  if (threads && !first) {      /* a thread runs to its end, and then its child */
    first = second;
    second = NULL;
  }
  if (threads) fputs(",\"cilk1\":true", out);
  const struct node_info *bag = &race_nodes[race_root(earlier->by)];
  if (!threads && bag->parallel == RACE_FUTURE && bag->holder) fputs(",\"future\":true", out);
  /* the call of the parent that leads to the later access, which is in a function */
  const site *call = cilk_race_calling;
  if (first && !second && call && !strcmp(call->procedure, first->procedure) &&
      strcmp(later->at->procedure, first->procedure) != 0) {
    fputs(",\"calling\":{", out);
    place(call);
    fputc('}', out);
  }
  const site *both[] = {first, second};
  const char *names[] = {"spawn", "sibling"};
  for (int k = 0; k < 2; k++)
    if (both[k]) {
      fprintf(out, ",\"%s\":{", names[k]);
      place(both[k]);
      fputc('}', out);
    }
}

static void object(const struct object *o, const char *where, size_t n) {
  static const char *const kinds[] = {"unknown", "global", "local", "heap", "automatic"};
  fprintf(out, "\"object\":{\"kind\":\"%s\",\"size\":%zu,\"offset\":%zu,\"width\":%zu", kinds[o->kind], o->size,
      (size_t)(where - (const char *)o->begin), n);
  if (o->variable) {
    fputs(",\"name\":", out);
    text(o->variable->name);
    fputs(",\"file\":", out);
    text(o->variable->file);
    fprintf(out, ",\"line\":%llu", (unsigned long long)o->variable->line);
    if (o->variable->procedure) {
      fputs(",\"procedure\":", out);
      text(o->variable->procedure);
    }
  } else if (o->allocated) {
    fputs(",\"allocated\":{", out);
    place(o->allocated);
    fputc('}', out);
  }
  fputc('}', out);
}

const void *race_sequence;

void race_found(enum race_type type, const void *where, size_t n, const struct record *earlier,
    const struct record *later) {
  enum { most_lookups = 2000 };
  if (where == race_sequence) {
    static bool told;
    if (told || plain) return;
    told = true;
    type = RACE_SEQUENCE;
  }
  site *a = earlier->at, *b = later->at;
  uint32_t kinds = (uint32_t)type * 4 + earlier->kind * 2 + later->kind;
  const char *p = where;
  struct pair *known =
      &pairs[((uintptr_t)a / sizeof *a * 31 + (uintptr_t)b / sizeof *b + kinds) % (sizeof pairs / sizeof *pairs)];
  found_count++;
  if (known->a == a && known->b == b && known->kinds == kinds) {
    if ((p >= known->begin && p < known->end) || known->lookups > most_lookups) return;
  } else *known = (struct pair){a, b, kinds, 0, NULL, NULL};
  struct object o;
  race_object_of(race_view_object(where), &o);
  known->lookups++;
  known->begin = o.begin;
  known->end = known->begin + o.size;
  const void *identity = o.variable ? (const void *)o.variable : o.allocated ? (const void *)o.allocated : NULL;
  if (!is_new(a, b, kinds, identity)) return;
  if (plain) {
    static const char *const after[] = {"after the parallel", "before the result has arrived:", "in any order with the",
        "at a spawn or sync, under the lock of the", "under a lock that is acquired under this lock in the parallel",
        "in two steps, in parallel with the", "which depends on what was stolen, like the",
        "before its views are joined, by the"};
    fprintf(out, "%s:%u:%u: %s: %s of %s %s %s at %s:%u:%u\n", b->file, b->line, b->column, names[type],
        later->kind ? "write" : "read",
        o.variable                ? o.variable->name
        : b->use & CILK_RACE_CALL ? "memory"
                                  : b->text,
        after[type], earlier->kind ? "write" : "read", a->file, a->line, a->column);
  } else {
    fprintf(out, "{\"type\":\"%s\",", names[type]);
    object(&o, p, n);
    print_access("first", earlier);
    print_access("second", later);
    forks(earlier, later);
    if (race_taken.at && race_taken.by == race_nodes[later->by].owner) {
      fputs(",\"taken\":{", out);
      place(race_taken.at);
      fputc('}', out);
    }
    if (type == RACE_INVERSION) {
      fputs(",\"under\":[{", out);
      place(race_under[0]);
      fputs("},{", out);
      place(race_under[1]);
      fputs("}]", out);
    }
    fputs("}\n", out);
  }
  fflush(out);
}

void race_report_thread(const site *at) {
  if (plain) return;
  fputs("{\"thread\":{", out);
  place(at);
  fputs("}}\n", out);
  fflush(out);
}

void race_report_decision(const site *stored, const site *decides) {
  if (plain) return;
  fputs("{\"decision\":{\"stored\":{", out);
  place(stored);
  fputs("},\"decides\":{", out);
  place(decides);
  fputs("}}}\n", out);
  fflush(out);
}

void race_report_start(const char *path) {
  out = stderr;
  plain = true;
  if (!path || !*path) {
    path = getenv("CILKSAN_OUT");
    out = path && *path ? fopen(path, "we") : stderr;
    if (!out) race_die("cannot write CILKSAN_OUT, %s", path);
    return;
  }
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "a");
  if (!file) race_die("cannot write the report %s", path);
  out = file;
  plain = false;
}

void race_report_end(void) {
  if (plain) {
    fprintf(out, "Cilksan detected %zu distinct races.\n", reported_count);
    if (found_count > reported_count)
      fprintf(out, "Cilksan suppressed %llu duplicate race reports.\n",
          (unsigned long long)(found_count - reported_count));
    fflush(out);
    return;
  }
  site *const *no_locks;
  uint32_t count = race_spins_refused(&no_locks);
  fputs("{\"no_locks\":[", out);
  for (uint32_t i = 0; i < count; i++) {
    fputs(i ? ",{" : "{", out);
    place(no_locks[i]);
    fputc('}', out);
  }
  fputs("]}\n", out);
  fprintf(out, "{\"end\":true,\"synched\":%s,\"found\":%llu,\"memory\":%llu}\n", race_synched_asked ? "true" : "false",
      (unsigned long long)found_count, (unsigned long long)race_memory_used());
  fflush(out);
}
