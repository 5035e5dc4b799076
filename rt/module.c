/* module.c - the images of a process that share this runtime, and whether they agree.
 *
 * Dynamic linking gives all images one runtime: the program's, whose interface the linker exports (abi.h and the Cilk_ functions, nothing else);
 * in a C program that has none, the first library's. A library opened by itself (dlopen with RTLD_LOCAL, in a C program) has its own.
 * Within one runtime all code must follow the same protocol, so images of different strategies or builds are refused. Within one image the
 * linker has seen to it (agree.def). */
#define _GNU_SOURCE
#include "module.h"
#include "spin.h"

#include <string.h>

#include <dlfcn.h>

#pragma weak dladdr

static uint32_t lock;
static cilk_module *modules;

static const char *image(const cilk_module *m)
{
  Dl_info info;
  return dladdr && dladdr(m, &info) && info.dli_fname && *info.dli_fname ? info.dli_fname : "the program";
}

static const char *with(const cilk_module *m) { return strncmp(m->flags, "with", 4) == 0 ? "" : "with "; }

void cilk_rt_join(cilk_module *m)
{
  if (m->abi_version != CILK_ABI_VERSION)
    cilk_fatal("%s was made by another version of cilkc than the runtime in this process (interface %u, not %u): compile both with the same",
               image(m), m->abi_version, CILK_ABI_VERSION);
  cilk_spin_lock(&lock);
  const cilk_module *other = modules;
  while (other && (strcmp(other->group, m->group) != 0 || strcmp(other->flags, m->flags) == 0))
    other = other->next;
  if (!other) {
    m->next = modules;
    modules = m;
  }
  cilk_spin_unlock(&lock);
  if (other)
    cilk_fatal("%s was compiled %s%s, but %s %s%s: a program and its shared libraries must be compiled alike", image(m),
               with(m), m->flags, image(other), with(other), other->flags);
}

void cilk_rt_leave(cilk_module *m)
{
  cilk_spin_lock(&lock);
  for (cilk_module **at = &modules; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      break;
    }
  cilk_spin_unlock(&lock);
}

bool cilk_lazy(void)
{
  bool lazy = false;
  cilk_spin_lock(&lock);
  for (const cilk_module *m = modules; m; m = m->next)
    lazy |= strcmp(m->group, "spawn") == 0 && strcmp(m->flags, "--spawn=lazy") == 0;
  cilk_spin_unlock(&lock);
  return lazy;
}

bool cilk_next_privates(const cilk_module **at)
{
  cilk_spin_lock(&lock);
  const cilk_module *m = *at ? (*at)->next : modules;
  while (m && m->privates == m->privates_end)
    m = m->next;
  cilk_spin_unlock(&lock);
  return (*at = m) != NULL;
}
