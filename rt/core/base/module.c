/* module.c - the images of a process that share this runtime, and whether they agree.
 *
 * Dynamic linking gives all images one runtime: the program's, whose interface the linker exports (abi.h and the
 * Cilk_ functions, nothing else), or the first library's in a C program that has none. A library opened by itself
 * (dlopen with RTLD_LOCAL, in a C program) has its own. Since all code within one runtime must follow the same
 * protocol, images of different strategies or builds are rejected. Within one image the linker has seen to it
 * (abi_tags.def). */
#define _GNU_SOURCE
#include "base/module.h"
#include "base/spin.h"

#include <stdio.h>
#include <string.h>

#include <dlfcn.h>

#pragma weak dladdr

static uint32_t lock;
static cilk_module *modules;
static uint64_t joined;                   /* how many, in all */

static const char *name_of(const cilk_module *m) {
  Dl_info info;
  return dladdr && dladdr(m, &info) && info.dli_fname && *info.dli_fname ? info.dli_fname : "the program";
}

static bool is(const cilk_module *m, const char *group) { return strcmp(m->group, group) == 0; }

void cilk_rt_join(cilk_module *m) {
  if (m->abi_version != CILK_ABI_VERSION)
    cilk_fatal(
        "%s was made by a different version of cilkc from the runtime in this process (interface %u, not %u): compile both with the same",
        name_of(m), m->abi_version, CILK_ABI_VERSION);
  cilk_spin_lock(&lock);
  cilk_module **at = &modules;
  while (*at) at = &(*at)->next;
  m->next = NULL;
  m->number = ++joined;
  *at = m;
  cilk_spin_unlock(&lock);
}

/* "with -cilk-profile -cilk-span", or "without -cilk-debug, -cilk-profile, -cilk-span": all modes of m's image; of the
 * spawn strategy, that alone. */
static void describe(const cilk_module *m, char *text, size_t room) {
  static const char without[] = "without ";
  bool on = false;
  for (const cilk_module *o = modules; o; o = o->next)
    on |= o->image == m->image && is(o, "spawn") == is(m, "spawn") && strncmp(o->flags, without, strlen(without)) != 0;
  snprintf(text, room, "%s", on ? "with" : "without");
  const char *between = " ";
  for (const cilk_module *o = modules; o; o = o->next) {
    bool off = strncmp(o->flags, without, strlen(without)) == 0;
    if (o->image != m->image || is(o, "spawn") != is(m, "spawn") || off == on) continue;
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s%s", between, o->flags + (off ? strlen(without) : 0));
    between = on ? " " : ", ";
  }
}

void cilk_rt_agree(const void *image) {
  char mine[200], theirs[200];
  cilk_spin_lock(&lock);
  for (cilk_module *m = modules; m; m = m->next)
    for (cilk_module *other = modules; other && m->image == image; other = other->next)
      if (is(other, m->group) && strcmp(other->flags, m->flags) != 0) {
        describe(m, mine, sizeof mine);
        describe(other, theirs, sizeof theirs);
        cilk_spin_unlock(&lock);
        cilk_fatal("%s was compiled %s, but %s %s: a program and its shared libraries must be compiled alike",
            name_of(m), mine, name_of(other), theirs);
      }
  cilk_spin_unlock(&lock);
}

void cilk_rt_leave(cilk_module *m) {
  cilk_spin_lock(&lock);
  for (cilk_module **at = &modules; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      break;
    }
  cilk_spin_unlock(&lock);
}

static const char *const spawnings[] = {"--spawn=eager", "--spawn=lazy", "--spawn=indolent", "--spawn=sedative"};
enum { SPAWNINGS = sizeof spawnings / sizeof *spawnings };

enum cilk_spawning cilk_spawning(void) {
  enum cilk_spawning found = CILK_SPAWNING_EAGER;
  cilk_spin_lock(&lock);
  for (const cilk_module *m = modules; m; m = m->next)
    for (unsigned k = 1; k < SPAWNINGS; k++)
      if (is(m, "spawn") && strcmp(m->flags, spawnings[k]) == 0) found = (enum cilk_spawning)k;
  cilk_spin_unlock(&lock);
  return found;
}

const char *cilk_spawning_flag(unsigned spawning) {
  return spawnings[spawning < SPAWNINGS ? spawning : CILK_SPAWNING_EAGER];
}

bool cilk_next_privates(const cilk_module **at) {
  cilk_spin_lock(&lock);
  const cilk_module *m = *at ? (*at)->next : modules;
  while (m && m->privates == m->privates_end) m = m->next;
  cilk_spin_unlock(&lock);
  return (*at = m) != NULL;
}
