/* shapes.c - the text of the section cilk_shapes becomes a table. It is this program's own: what is wrong with it is an
 * error of the compiler. */
#include "travel/shapes.h"

#include <stdlib.h>
#include <string.h>

typedef struct object {
  const char *symbol, *file;
  const cilk_shape *shape;
} object;
static cilk_procedure_shape *procedures;
static object *objects;
static size_t nprocedures, nobjects;

/* ---- words of a line ---- */

static uint64_t number(char **at) {
  uint64_t n = strtoull(*at, at, 10);
  *at += **at == ' ';
  return n;
}

static size_t lines_of(const char *text, char kind) {
  size_t n = 0;
  for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) n += *line == kind;
  return n;
}

static void members(cilk_member **to, uint64_t count, char **at, cilk_shape *types) {
  *to = calloc(count + 1, sizeof **to);
  for (uint64_t i = 0; *to && i < count; i++) {
    (*to)[i].offset = number(at);
    (*to)[i].shape = &types[number(at)];
  }
}

static void type(char *at, cilk_shape *types) {
  cilk_shape *s = &types[number(&at)];
  s->kind = *at;
  at += 2;
  if (s->kind == 'p') {
    uint64_t to = number(&at);
    s->of = to ? &types[to] : NULL;
    s->size = 8;
    s->addresses = true;
  } else if (s->kind == 'a') {
    s->of = &types[number(&at)];
    s->count = number(&at);
  } else s->size = number(&at);
  if (s->kind == 'x') s->addresses = number(&at);
  if (s->kind == 'r') {
    s->count = number(&at);
    members(&s->members, s->count, &at, types);
  }
  s->text = at;
}

/* What follows from the shapes of elements and members, which may be defined later. */
static const cilk_shape *finish(const cilk_shape *shape) {
  cilk_shape *s = (cilk_shape *)(uintptr_t)shape;
  if (s->sized) return s;
  s->sized = true;
  if (s->kind == 'a') {
    s->addresses = finish(s->of)->addresses;
    s->size = s->count * s->of->size;
  }
  for (uint64_t i = 0; s->kind == 'r' && i < s->count; i++) s->addresses |= finish(s->members[i].shape)->addresses;
  return s;
}

/* Lines of the procedure that `text` is in. */
static uint64_t dead_variables(const char *text, cilk_dead *to) {
  uint64_t found = 0;
  for (const char *line = text, *end; line && *line && *line != 'P'; line = end ? end + 1 : NULL) {
    end = strchr(line, '\n');
    if (*line != 'D') continue;
    char *at = (char *)(uintptr_t)line + 2;
    uint64_t entry = number(&at);
    for (uint64_t n = number(&at); n; n--, found++)
      if (to) to[found] = (cilk_dead){entry, number(&at)};
  }
  return found;
}

/* What one unit knows of a struct holds for the same struct in all units. */
static struct {
  cilk_shape **item, **all;
  size_t n, nall;
} others;

static cilk_shape *note_other(cilk_shape *s) { return others.item[others.n++] = s; }

static void spread_others(void) {
  for (size_t i = 0; i < others.n; i++)
    for (size_t k = 0; k < others.nall; k++)
      if (others.all[k]->size == others.item[i]->size && strcmp(others.all[k]->text, others.item[i]->text) == 0) {
        others.all[k]->other |= others.item[i]->other;
        others.all[k]->begins |= others.item[i]->begins;
      }
}

static void unit(char *text) {
  size_t ntypes = lines_of(text, 'T') + 1;
  cilk_shape *types = calloc(ntypes, sizeof *types);
  const char *file = text + 2;
  cilk_procedure_shape *p = NULL;
  for (char *line = text, *next; types && *line; line = next) {
    next = line + strcspn(line, "\n");
    if (*next) *next++ = 0;
    char kind = *line, *at = line + 2;
    if (kind == 'T') type(at, types);
    else if (kind == 'O') note_other(&types[number(&at)])->other = true;
    else if (kind == 'B') note_other(&types[number(&at)])->begins = true;
    else if (kind == 'P') {
      p = &procedures[nprocedures++];
      *p = (cilk_procedure_shape){.symbol = at, .file = file};
      size_t variables = lines_of(next, 'V') + 1, spawns = lines_of(next, 'E') + 1;
      p->variables = calloc(variables, sizeof *p->variables);
      p->spawns = calloc(spawns, sizeof *p->spawns);
      p->dead = calloc(dead_variables(next, NULL) + 1, sizeof *p->dead);
      p->ndead = p->dead ? dead_variables(next, p->dead) : 0;
    } else if (kind == 'V' && p && p->variables) {
      cilk_member *m = &p->variables[p->nvariables++];
      m->offset = number(&at);
      m->shape = &types[number(&at)];
      m->name = at;
    } else if (kind == 'E' && p && p->spawns) {
      cilk_spawn_shape *s = &p->spawns[p->nspawns++];
      s->entry = number(&at);
      uint64_t result = number(&at);
      s->result = result ? &types[result] : NULL;
      s->count = number(&at);
      members(&s->members, s->count, &at, types);
    } else if (kind == 'G') {
      uint64_t of = number(&at);
      objects[nobjects++] = (object){at, file, &types[of]};
    }
  }
  for (size_t i = 1; types && i < ntypes; i++) {
    finish(&types[i]);
    if (types[i].kind == 'r') others.all[others.nall++] = &types[i];
  }
}

const char *cilk_shapes_read(const cilk_program *p) {
  if (!p->shapes.size) return "this program was compiled by a cilkc that describes no memory for other processors";
  char *text = malloc(p->shapes.size + 1);
  if (!text) return "out of memory";
  memcpy(text, (const void *)(uintptr_t)(p->bias + p->shapes.address), p->shapes.size);
  text[p->shapes.size] = 0;
  size_t most_procedures = 1, most_objects = 1, most_types = 1;
  for (size_t at = 0; at < p->shapes.size; at += strlen(text + at) + 1) {
    most_procedures += lines_of(text + at, 'P');
    most_objects += lines_of(text + at, 'G');
    most_types += lines_of(text + at, 'T');
  }
  procedures = calloc(most_procedures, sizeof *procedures);
  objects = calloc(most_objects, sizeof *objects);
  others.item = calloc(most_types, sizeof(cilk_shape *));
  others.all = calloc(most_types, sizeof(cilk_shape *));
  if (!procedures || !objects || !others.item || !others.all) return "out of memory";
  for (size_t at = 0; at < p->shapes.size;) {
    size_t bytes = strlen(text + at) + 1;
    if (bytes > 1) unit(text + at);
    at += bytes;
  }
  spread_others();
  free(others.item);
  free(others.all);
  return NULL;
}

/* ---- by symbol ---- */

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is(const cilk_program *p, const cilk_symbol *s, const char *symbol, const char *file) {
  return strcmp(p->names + s->name, symbol) == 0 &&
         (!(s->flags & CILK_SYMBOL_LOCAL) || strcmp(last_part(p->names + s->file), last_part(file)) == 0);
}

const cilk_procedure_shape *cilk_shape_of_procedure(const cilk_program *p, const cilk_symbol *s) {
  const cilk_procedure_shape *found = NULL;
  for (size_t i = 0; i < nprocedures; i++)
    if (is(p, s, procedures[i].symbol, procedures[i].file)) {
      if (found) return NULL;
      found = &procedures[i];
    }
  return found;
}

const cilk_shape *cilk_shape_of_object(const cilk_program *p, const cilk_symbol *s) {
  const cilk_shape *found = NULL;
  for (size_t i = 0; i < nobjects; i++)
    if (is(p, s, objects[i].symbol, objects[i].file)) {
      if (found && (found->kind != objects[i].shape->kind || found->size != objects[i].shape->size ||
                       strcmp(found->text, objects[i].shape->text) != 0))
        return NULL;
      found = objects[i].shape;
    }
  return found;
}
