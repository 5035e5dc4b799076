/* report.c - what every worker does at the moment, for programs that hang. The report is printed by --watchdog, and
 * when SIGQUIT comes (Ctrl-\ in a terminal), which ends the process afterwards as without this handler. In debug
 * runs (-cilk-debug) it is printed once a worker has kept from thieves for CILK_KEPT_NS what they asked for, that
 * is, under the lazy strategy, a child that waits in a loop for what follows its own spawn. It is also printed there
 * once all workers have waited for CILK_STANDSTILL_NS, where other programs print a line on a terminal.
 *
 * The report reads other threads' data while they go on, without a lock, since a hung program may hold any. What it
 * reads may be out of date or, in a running program, gone, and therefore pointers are followed through the kernel:
 * copying bytes into a pipe fails where a plain access would trap. Contexts alone are kept by their lock, if it
 * comes in half a second; other threads begin and end no context while a report is written. Only functions that a
 * signal handler may call are called, and the try and the end of that lock, which do not wait. */
#define _GNU_SOURCE
#include "process/report.h"
#include "process/blocked.h"
#include "data/closure.h"
#include "data/context.h"
#include "data/deque.h"
#include "process/lock.h"
#include "data/policy.h"
#include "data/root.h"
#include "observe/inside.h"

#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

int cilk_own_pipe[2] = {-1, -1};

/* Copies n bytes from anywhere; false if they cannot be read. */
static bool peek(void *to, const void *from, size_t n) {
  return cilk_own_pipe[0] >= 0 && write(cilk_own_pipe[1], from, n) == (ssize_t)n &&
         read(cilk_own_pipe[0], to, n) == (ssize_t)n;
}

/* A string of the program, or "?". */
static const char *name_at(const char *from, char *room, size_t n) {
  size_t i = 0;
  while (i + 1 < n && peek(&room[i], from + i, 1) && room[i] >= ' ') i++;
  room[i] = 0;
  return i ? room : "?";
}

static size_t add(char *line, size_t at, size_t room, const char *format, ...) CILK_PRINTF(4, 5);
static size_t add(char *line, size_t at, size_t room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line + at, room - at, format, args);   /* numbers and strings only: no allocation */
  va_end(args);
  return n > 0 && at + (size_t)n < room ? at + (size_t)n : room - 1;
}

/* "in a child that fib spawned at fib.cilk:7" for the closure of a parent and the entry that it waits at. */
static size_t add_spawn(char *line, size_t at, size_t room, const cilk_closure *parent) {
  cilk_closure c;
  cilk_sig sig;
  cilk_entry e;
  char name[64], file[128];
  if (!peek(&c, parent, sizeof c) || !peek(&sig, c.sig, sizeof sig) || sig.abi_version != CILK_ABI_VERSION ||
      c.entry >= sig.nentries || !peek(&e, &sig.entries[c.entry], sizeof e))
    return add(line, at, room, "runs");
  return add(line, at, room, "runs a child that %s spawned at %s:%u", name_at(sig.name, name, sizeof name),
      name_at(sig.file, file, sizeof file), e.line);
}

static size_t add_place(char *line, size_t at, size_t room, const cilk_worker *w, const cilk_worker_ext *x) {
  cilk_segment s;
  cilk_link link;
  cilk_closure **t, *top, c;
  cilk_sig sig;
  cilk_root_run run;
  cilk_root root;
  char name[64];
  if (!x->seg || !peek(&s, x->seg, sizeof s)) return add(line, at, room, "is between two pieces of work");
  /* a caller's hot part (caller.c) goes with its thread */
  if (peek(&t, &w->tail, sizeof t) && t > s.base && t > load_relaxed(&x->head) && peek(&top, t - 1, sizeof top))
    return add_spawn(line, at, room, top);
  if (s.full && peek(&c, s.full, sizeof c) && peek(&sig, c.sig, sizeof sig) && sig.abi_version == CILK_ABI_VERSION)
    return add(line, at, room, "runs %s, or what it called", name_at(sig.name, name, sizeof name));
  if (s.link && peek(&link, s.link, sizeof link)) {
    if (link.parent) return add_spawn(line, at, room, link.parent);
    if (peek(&run, link.root, sizeof run) && peek(&root, run.root, sizeof root))
      return add(line, at, room, "runs %s, or what it called or spawned", name_at(root.name, name, sizeof name));
  }
  return add(line, at, room, "runs a piece whose parent was stolen");
}

static bool open_pipe(void) {
  bool open = pipe2(cilk_own_pipe, O_CLOEXEC) == 0;
  if (!open) cilk_own_pipe[0] = cilk_own_pipe[1] = -1;
  return open;
}

static void close_pipe(void) {
  for (int i = 0; i < 2; i++)
    if (cilk_own_pipe[i] >= 0) {
      close(cilk_own_pipe[i]);
      __atomic_store_n(&cilk_own_pipe[i], -1, __ATOMIC_RELAXED);   /* pairs with was_open in courier.c */
    }
}

size_t cilk_report_here(char *text, size_t room) {
  if (cilk_me()->id < 0 || !open_pipe()) return 0;
  size_t n = add_place(text, 0, room - 1, cilk_me(), cilk_me()->ext);
  close_pipe();
  text[n] = 0;
  return n;
}

/* In seconds. A worker may have stored `then` after `now` was read. */
static double lasted(uint64_t then, uint64_t now) { return then < now ? (double)(now - then) * 1e-9 : 0; }

#define CILK_KEPT_NS 5000000000u
#define CILK_STANDSTILL_NS 10000000000u

/* For how long the worker has not answered thieves, as it does at a spawn, a sync or a return. */
static uint64_t kept_for(const cilk_worker_ext *x, uint64_t now) {
  uint64_t asked = load_relaxed(&x->hungry_since);
  return asked && asked < now && !load_relaxed(&x->stats.idle_since) ? now - asked : 0;
}

static void report_worker(cilk_context *ctx, int id, uint64_t now) {
  char line[512];
  cilk_inside in;
  const cilk_worker *w = ctx->workers[id];
  const cilk_worker_ext *x = ctx->extensions[id];
  uint64_t since = load_relaxed(&x->stats.idle_since);
  const volatile void *lock = load_relaxed(&x->wait.lock);
  bool elsewhere = load_relaxed(&x->wait.context);
  size_t n = add(line, 0, sizeof line, "  worker %d ", id), room = sizeof line - 1;
  if (since && since < ctx->start_ns)     /* asleep since an earlier computation */
    since = ctx->start_ns;
  if (cilk_inside_of(w, &in))
    n = add(line, n, room, "is in %s() of scheduler '%s' for %.1f s", in.function, in.scheduler, lasted(in.since, now));
  else if (since && x->wait.root)
    n = add(line, n, room, "waits for a call that C made from inside a procedure; looks for parts of it for %.1f s",
        lasted(since, now));
  else if (since) n = add(line, n, room, "looks for work for %.1f s", lasted(since, now));
  else {
    n = add_place(line, n, room, w, x);
    if (kept_for(x, now) > UINT64_C(1000000000))
      n = add(line, n, room, "; no spawn, sync or return for %.1f s", (double)kept_for(x, now) * 1e-9);
    cilk_blocked b;
    char what[128];
    if (!lock && !elsewhere && cilk_blocked_at(x->tid, &b)) {
      cilk_blocked_describe(&b, what, sizeof what);
      n = add(line, n, room, "; waits in %s", what);
    }
  }
  if (lock) {
    n = add(line, n, room, "; waits for the lock at %p", (const void *)(uintptr_t)lock);
    n = cilk_lock_describe(line, n, room, lock);
  }
  if (elsewhere) n = add(line, n, room, "; waits for a call into another context");
  line[n++] = '\n';
  (void)!write(2, line, n);
}

static bool runs(const cilk_context *ctx) {
  return load_acquire(&ctx->begun) != load_acquire(&ctx->ended) && !ctx->lost;
}

/* Workers that a scheduler keeps although their computation, or their context, is over. */
static void report_kept(const char *why, uint64_t now) {
  cilk_inside in;
  char line[320];
  for (int place = 0, state; (state = cilk_inside_at(place, &in)) >= 0; place++) {
    bool reported = !state;
    for (cilk_context *ctx = load_relaxed(&cilk_contexts); ctx && !reported; ctx = ctx->other)
      for (int i = 0; runs(ctx) && i < ctx->nproc; i++) reported |= ctx->workers[i] == in.worker;
    if (reported) continue;
    size_t n = add(line, 0, sizeof line,
        "Cilk: %s: the computation is over, but worker %d is in %s() of scheduler '%s' for %.1f s\n", why,
        ((const cilk_worker *)in.worker)->id, in.function, in.scheduler, lasted(in.since, now));
    (void)!write(2, line, n);
  }
}

/* Another thread may be about to free a context. If the lock does not come, its holder is most likely this thread,
 * whose work a signal has interrupted, or one that hangs. */
static bool keep_contexts(void) {
  static const struct timespec some = {0, 1000000};
  bool kept = false;
  for (int tries = 0; tries < 500 && !(kept = cilk_contexts_try()); tries++) nanosleep(&some, NULL);
  return kept;
}

void cilk_report(const char *why) {
  bool kept = keep_contexts();
  uint64_t now = cilk_now_ns();
  char line[160];
  open_pipe();
  for (cilk_context *ctx = load_relaxed(&cilk_contexts); ctx; ctx = ctx->other) {
    if (!runs(ctx)) continue;
    size_t n =
        add(line, 0, sizeof line, "Cilk: %s: %.1f s after the computation began:\n", why, lasted(ctx->start_ns, now));
    (void)!write(2, line, n);
    for (int i = 0; i < ctx->nproc; i++) report_worker(ctx, i, now);
  }
  report_kept(why, now);
  if (kept) cilk_contexts_give();
  close_pipe();
}

void cilk_report_kept(cilk_context *ctx) {
  static const char advice[] =
      "  If that worker waits for what follows one of its own spawns, it waits forever: a spawn may run as a call does,\n"
      "  and thieves get what follows at the next spawn, sync or return. --spawn=eager lets them take it at once.\n";
  static uint32_t reported;
  uint64_t now = cilk_now_ns();
  for (int i = 0; i < ctx->nproc; i++)
    if (kept_for(ctx->extensions[i], now) > CILK_KEPT_NS && !__atomic_exchange_n(&reported, 1u, __ATOMIC_RELAXED)) {
      cilk_report("a worker keeps what others look for");
      (void)!write(2, advice, sizeof advice - 1);
    }
}

/* ---- no worker goes on ---- */

int cilk_report_period(void) {
#ifdef CILK_DEBUG
  return 1;
#else
  static int terminal = -1;               /* relaxed: all first callers write the same */
  int is = load_relaxed(&terminal);
  if (is < 0) store_relaxed(&terminal, is = isatty(2));
  return is ? 2 : 0;
#endif
}

static uint64_t mixed(uint64_t sum, uint64_t with) { return (sum ^ with) * 0x9e3779b97f4a7c15u; }

/* A number that is another one as soon as a worker has gone on; 0: one of them runs, or may wait for what comes from
 * outside, or all look for work. */
static uint64_t standstill(const cilk_context *ctx) {
  uint64_t sum = 1;
  bool waits = false;
  for (int i = 0; i < ctx->nproc; i++) {
    const cilk_worker_ext *x = ctx->extensions[i];
    const volatile void *lock = load_relaxed(&x->wait.lock);
    uint64_t idle = load_relaxed(&x->stats.idle_since);
    cilk_blocked b;
    if (load_relaxed(&x->wait.context)) return 0;
    if (idle || lock) sum = mixed(sum, idle ? idle : (uintptr_t)lock);
    else if (cilk_blocked_at(x->tid, &b) && !cilk_blocked_outside(&b)) sum = mixed(mixed(sum, b.pauses), b.stack);
    else return 0;
    waits |= !idle;
  }
  return waits ? sum | 1 : 0;
}

void cilk_report_standstill(cilk_context *ctx) {
  static uint64_t was, since;             /* one thread looks: it has ctx->mutex; of several contexts one at a time */
  static uint32_t reported;
  char line[200];
  uint64_t now = cilk_now_ns(), is = load_relaxed(&reported) ? 0 : standstill(ctx);
  cilk_blocked_names();
  if (is != load_relaxed(&was)) store_relaxed(&since, now);
  store_relaxed(&was, is);
  if (!is || now - load_relaxed(&since) < CILK_STANDSTILL_NS || __atomic_exchange_n(&reported, 1u, __ATOMIC_RELAXED))
    return;
#ifdef CILK_DEBUG
  cilk_report("all workers wait");
  (void)line;
#else
  size_t n = add(line, 0, sizeof line,
      "Cilk: all workers have waited for %.0f s. Ctrl-\\ (or kill -QUIT %d) ends the program with a report of where.\n",
      (double)(now - since) * 1e-9, (int)getpid());
  (void)!write(2, line, n);
#endif
}

/* Shells ignore the signal on behalf of what they run in the background: then the program goes on. */
static bool ignored;

static void on_quit(int sig) {
  cilk_report("SIGQUIT");
  if (ignored) return;
  signal(sig, SIG_DFL);
  raise(sig);                             /* taken as soon as the handler returns */
}

static void install(void) {
  struct sigaction old, a;
  if (sigaction(SIGQUIT, NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) ||
      (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN))
    return;                               /* the program has other plans */
  ignored = old.sa_handler == SIG_IGN;
  memset(&a, 0, sizeof a);
  a.sa_handler = on_quit;
  a.sa_flags = SA_ONSTACK | (ignored ? SA_RESTART : 0);
  sigaction(SIGQUIT, &a, NULL);
}

void cilk_report_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

/* The handler's code may be unloaded with a shared library. */
__attribute__((destructor)) static void remove_handler(void) {
  struct sigaction now;
  if (sigaction(SIGQUIT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == on_quit)
    signal(SIGQUIT, ignored ? SIG_IGN : SIG_DFL);
}
