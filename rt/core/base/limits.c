/* limits.c - what this process may use: processors, memory, address space. Each is the machine's, or less where an
 * administrator said so.
 *
 * Control groups say it in files (cgroups(7)). Version 2 has one tree; version 1 one tree per controller, each mounted
 * under its name. In both a group is bound by the limits of all groups above it, too. Inside a container the path that
 * the process reads may name a group that is not visible there; then what is visible is the root of its mount, which
 * is where the walk upwards ends anyway.
 *
 * CILK_CGROUP=FOLDER, for tests: FOLDER/self stands for /proc/self/cgroup, and FOLDER for /sys/fs/cgroup. */
#define _GNU_SOURCE
#include "base/limits.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>
#include <unistd.h>

enum { PATH_ROOM = 1024 };

/* ---- control groups ---- */

static const char *cgroup_folder(void) {
  const char *env = getenv("CILK_CGROUP");
  return env && *env ? env : "/sys/fs/cgroup";
}

/* The first line of folder/group/file; false if there is none. */
static bool read_line(const char *folder, const char *group, const char *file, char *text, size_t room) {
  char path[2 * PATH_ROOM];
  if (snprintf(path, sizeof path, "%s%s/%s", folder, group, file) >= (int)sizeof path) return false;
  FILE *f = fopen(path, "re");
  bool ok = f && fgets(text, (int)room, f);
  if (f) fclose(f);
  return ok;
}

/* Calls look(folder, group, value) for the process's group of this controller and all groups above it. The controller
 * "" is version 2. */
static void each_group(const char *controller, void (*look)(const char *, const char *, uint64_t *), uint64_t *value) {
  const char *env = getenv("CILK_CGROUP");
  char self[PATH_ROOM + 8], line[PATH_ROOM], folder[PATH_ROOM];
  snprintf(self, sizeof self, "%s", env && *env ? env : "/proc/self/cgroup");
  if (env && *env) strncat(self, "/self", sizeof self - strlen(self) - 1);
  FILE *f = fopen(self, "re");
  if (!f) return;
  while (fgets(line, sizeof line, f)) {   /* number:controller,controller:/group */
    line[strcspn(line, "\n")] = 0;
    char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
    if (!group) continue;
    *group++ = 0;
    names++;
    bool mine = !*controller && !*names;
    for (char *rest = names, *word; *controller && (word = strsep(&rest, ","));) mine |= strcmp(word, controller) == 0;
    if (!mine) continue;
    snprintf(folder, sizeof folder, "%s%s%s", cgroup_folder(), *controller ? "/" : "", controller);
    for (;;) {
      while (*group && group[strlen(group) - 1] == '/') group[strlen(group) - 1] = 0;
      look(folder, group, value);
      char *up = strrchr(group, '/');
      if (!up) break;
      *up = 0;
    }
    break;
  }
  fclose(f);
}

/* A quota of time in each period: so many processors, rounded up. */
static void cpu_quota(uint64_t *processors, long long quota, long long period) {
  if (quota > 0 && period > 0) {
    uint64_t n = ((uint64_t)quota + (uint64_t)period - 1) / (uint64_t)period;
    if (n < *processors) *processors = n;
  }
}

static void cpu_2(const char *folder, const char *group, uint64_t *processors) {
  char text[80];
  long long quota, period;
  /* or "max 100000" */
  if (read_line(folder, group, "cpu.max", text, sizeof text) && sscanf(text, "%lld %lld", &quota, &period) == 2)
    cpu_quota(processors, quota, period);
}

static void cpu_1(const char *folder, const char *group, uint64_t *processors) {
  char quota[80], period[80];
  /* or -1 */
  if (read_line(folder, group, "cpu.cfs_quota_us", quota, sizeof quota) &&
      read_line(folder, group, "cpu.cfs_period_us", period, sizeof period))
    cpu_quota(processors, atoll(quota), atoll(period));
}

static void memory_line(const char *folder, const char *group, const char *file, uint64_t *bytes) {
  char text[80];
  if (read_line(folder, group, file, text, sizeof text) && text[0] >= '0' && text[0] <= '9') {
    uint64_t n = strtoull(text, NULL, 10);
    if (n < *bytes) *bytes = n;
  }
}

static void memory_2(const char *folder, const char *group, uint64_t *bytes) {
  memory_line(folder, group, "memory.max", bytes);
}
static void memory_1(const char *folder, const char *group, uint64_t *bytes) {
  memory_line(folder, group, "memory.limit_in_bytes", bytes);
}

/* ---- what may be used ---- */

/* Processors that the thread may run on, but no more than the process's quota of time is worth. */
static int processors(pid_t thread) {
  cpu_set_t set;
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t n = online < 1 ? 1 : (uint64_t)online;
  if (sched_getaffinity(thread, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) n = (uint64_t)CPU_COUNT(&set);
  each_group("", cpu_2, &n);
  each_group("cpu", cpu_1, &n);
  return n < CILK_MAX_PROC ? (int)n : CILK_MAX_PROC;
}

int cilk_limit_processors(void) { return processors(0); }
int cilk_limit_processors_now(void) { return processors(getpid()); }   /* the thread of that number is main's */

/* Bytes of memory. */
size_t cilk_limit_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  uint64_t n = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
  each_group("", memory_2, &n);
  each_group("memory", memory_1, &n);
  return n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}

/* Bytes of address space that each of n workers may reserve for its stack and deque: an equal part of half of what is
 * left (ulimit -v). So the last worker has as much as the first. The program has the other half. SIZE_MAX: no limit. */
size_t cilk_limit_addresses(int n) {
  struct rlimit r;
  unsigned long long pages = 0;
  if (getrlimit(RLIMIT_AS, &r) != 0 || r.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  FILE *f = fopen("/proc/self/statm", "re");
  if (f) {
    if (fscanf(f, "%llu", &pages) != 1) pages = 0;
    fclose(f);
  }
  unsigned long long used = pages * (unsigned long long)sysconf(_SC_PAGESIZE);
  return used < r.rlim_cur ? (size_t)((r.rlim_cur - used) / 2 / (unsigned)n) : 0;
}
