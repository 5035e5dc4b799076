/* courier.c - a thread that makes checkpoints, and changes how many workers run.
 *
 * The courier wakes up every --every, when SIGUSR1 or SIGUSR2 comes, and when the program calls Cilk_checkpoint or
 * Cilk_set_nproc. The handlers and these functions only post a semaphore. With --elastic the courier also wakes up to
 * see whether the process may use another number of processors. No worker does anything for the courier until it is
 * asked to halt, so the work costs what it costs without a courier.
 *
 * What cannot travel is looked for at each checkpoint: the program's threads and open files here, the rest in write.c
 * and addresses.c. Then there is none; the reason is reported, and the program goes on.
 *
 * A child process writes the image, so the workers wait only until it is there: its memory is as it was then. It is no
 * child that the program could wait for, and its end is no SIGCHLD. Where there may be too little memory for two, the
 * workers wait until the image is written. */
#define _GNU_SOURCE
#include "travel/travel.h"
#include "process/report.h"
#include "base/arena.h"
#include "base/early.h"
#include "base/fault.h"
#include "base/limits.h"
#include "data/policy.h"
#include "steal/halt.h"
#include "travel/addresses.h"
#include "travel/image.h"
#include "travel/shapes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* WRITING: how often the writer is looked after; ENDING: the longest pause before the checkpoint of an end */
enum { MOST_FILES = 256, NOT_BEGUN_NS = 1000000, WRITING_NS = 5000000, ENDING_NS = 1000000000 };
typedef struct open_file {
  int fd;
  dev_t device;
  ino_t inode;
} open_file;
static struct courier {
  cilk_context *ctx;
  pthread_t thread;
  sem_t call;
  bool runs;
  uint32_t checkpoint, stop;       /* asked for; atomic */
  /* workers that are to run; -1: as many as there are processors now; 0: nothing was asked; atomic */
  int wanted;
  open_file files[MOST_FILES];     /* that were open when the program began */
  int nfiles, threads, processors;
  off_t input;
  char file[PATH_MAX];             /* the checkpoint, wherever the program goes */
  uint64_t made, refused, in_vain; /* in_vain: refused since the last one was made */
  bool promised;
  int ends;                        /* a signal after whose checkpoint the process ends; atomic */
  pid_t writer;                    /* that writes an image; 0: none does */
  uint64_t began, waited;          /* the checkpoint that it writes; how long workers waited for it */
} it;
/* How a writer came to its end; shared with it. */
static struct result {
  bool ended, too_late;
  char why[600];                   /* empty: the image is written */
  cilk_image_written written;
} *result;
static cilk_program program;
static cilk_image_program known;

/* ---- what the system knows of this process ---- */

/* `files`: of a folder of descriptors, up to MOST_FILES of them; NULL: only how many. */
static int entries(const char *folder, open_file *files) {
  DIR *d = opendir(folder);
  int n = 0;
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.') {
      struct stat st = {.st_dev = 0};
      int fd = atoi(e->d_name);
      if (files && (fd == dirfd(d) || fstat(fd, &st) != 0)) continue;
      if (files && n < MOST_FILES) files[n] = (open_file){fd, st.st_dev, st.st_ino};
      n++;
    }
  closedir(d);
  return n;
}

/* The number may be another file's now, as after freopen. */
static bool was_open(const open_file *f) {
  for (int i = 0; i < 2; i++)             /* the kernel stores them before the descriptors are there */
    if (f->fd == __atomic_load_n(&cilk_own_pipe[i], __ATOMIC_RELAXED)) return true;
  for (int i = 0; i < it.nfiles; i++)
    if (it.files[i].fd == f->fd) return it.files[i].device == f->device && it.files[i].inode == f->inode;
  return false;
}

static off_t input(void) {
  struct stat st;
  return fstat(0, &st) == 0 && S_ISREG(st.st_mode) ? lseek(0, 0, SEEK_CUR) : 0;
}

/* A pipe has no place; that stdin has a buffer shows that it was read. After its end nothing is lost. */
static bool input_was_read(void) { return !feof(stdin) && (input() != it.input || __fbufsize(stdin)); }

static const char *hindrance(void) {
  static char text[PATH_MAX + 128];
  if (entries("/proc/self/task", NULL) > it.threads) return "the program has started threads of its own";
  open_file open[MOST_FILES];
  int n = entries("/proc/self/fd", open);
  for (int i = 0; i < n && i < MOST_FILES; i++)
    if (!was_open(&open[i])) {
      char link[64], name[PATH_MAX];
      snprintf(link, sizeof link, "/proc/self/fd/%d", open[i].fd);
      ssize_t k = readlink(link, name, sizeof name - 1);
      if (k < 0) continue;
      name[k] = 0;
      snprintf(text, sizeof text, "the program has opened %s, and a restart would not find its place there", name);
      return text;
    }
  if (input_was_read()) return "the program has read its standard input";
  return NULL;
}

/* ---- checkpoints ---- */

/* Has this reason been given? Some have numbers or names that change. */
static bool is_new(const char *why) {
  enum { KEPT = 8 };
  static char said[KEPT][600];
  static unsigned n;
  for (unsigned i = 0; i < KEPT; i++)
    if (strncmp(said[i], why, sizeof said[i] - 1) == 0) return false;
  snprintf(said[n++ % KEPT], sizeof *said, "%s", why);
  return true;
}

static char last_reason[600];

static void say_refused(const char *why) {
  uint64_t n = ++it.in_vain;
  it.refused++;
  snprintf(last_reason, sizeof last_reason, "%s", why);
  bool new = is_new(why);
  if (n > 1 && (n & (n - 1)) == 0)
    fprintf(stderr, "cilk: no checkpoint, %llu times in a row: %s\n", (unsigned long long)n, why);
  else if (new) fprintf(stderr, "cilk: no checkpoint: %s\n", why);
}

static void say_made(const cilk_image_written *w, uint64_t waited) {
  it.in_vain = 0;
  it.made++;
  if (w->note[0] && !it.promised) {
    fprintf(stderr, "cilk: note: %s\n", w->note);
    it.promised = true;
  }
  if (it.ctx->opt.stats)
    fprintf(stderr, "cilk: checkpoint %llu: %llu bytes, workers waited for %.2f ms\n", (unsigned long long)it.made,
        (unsigned long long)w->bytes, (double)waited / 1e6);
}

static void write_image(struct result *r) {
  const char *why = cilk_image_write(it.ctx, &program, it.file, &known, &r->written);
  r->too_late = why == cilk_stop_too_late;
  snprintf(r->why, sizeof r->why, "%s", why ? why : "");
  r->ended = true;
}

/* How many bytes of memory the process has; SIZE_MAX: not known. */
static size_t resident(void) {
  unsigned long pages;
  FILE *f = fopen("/proc/self/statm", "re");
  bool known_size = f && fscanf(f, "%*u %lu", &pages) == 1;
  if (f) fclose(f);
  return known_size ? pages * (size_t)sysconf(_SC_PAGESIZE) : SIZE_MAX / 2;
}

static size_t available(void) {
  unsigned long kb = 0;
  char line[128];
  FILE *f = fopen("/proc/meminfo", "re");
  while (f && !kb && fgets(line, sizeof line, f)) sscanf(line, "MemAvailable: %lu", &kb);
  if (f) fclose(f);
  return kb * (size_t)1024;
}

/* While it writes, workers may change all memory. A thread that watches the workers may be in malloc: the writer would
 * wait for its lock for ever. */
static bool may_have_writer(void) {
  size_t n = resident();
  return result && !it.ctx->opt.watchdog && !CILK_FAILS(THREAD) && n <= available() && n <= cilk_limit_memory() / 2;
}

/* All workers have halted. False: there can be none. A plain clone: no handlers of the program's run, and no signal
 * comes when it ends. */
static bool begin_writer(void) {
  pid_t parent = getpid();
  *result = (struct result){.ended = false};
  long pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
  if (pid < 0) return false;
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);     /* else it could replace a later image */
    if (getppid() != parent) _exit(1);
#ifdef SYS_close_range
    syscall(SYS_close_range, 0, ~0u, 0);  /* no reader of a pipe waits for its end */
#endif
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);   /* rather than the program */
    if (fd >= 0 && write(fd, "1000", 4) >= 0) close(fd);
    write_image(result);
    _exit(0);
  }
  it.writer = (pid_t)pid;
  return true;
}

/* Returns how long nothing is to be tried after this: an attempt in vain costs what the workers have waited. */
static uint64_t ended(const struct result *r, uint64_t took) {
  if (r->too_late) return 0;
  if (r->why[0]) {
    say_refused(r->why);
    return took * CILK_STOP_IN_VAIN;
  }
  say_made(&r->written, it.waited);
  return 0;
}

/* wait: until it ends. False: it still writes. */
static bool end_writer(bool wait, uint64_t *pause) {
  int status = 0;
  pid_t pid;
  while ((pid = waitpid(it.writer, &status, __WALL | (wait ? 0 : WNOHANG))) < 0 && errno == EINTR);
  if (!pid) return false;
  it.writer = 0;
  if (!result->ended)
    snprintf(result->why, sizeof result->why, "the process that wrote it was ended by signal %d",
        WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  *pause = ended(result, cilk_now_ns() - it.began);
  return true;
}

/* The image has all that was done, so nothing more is done. */
static void end_process(int sig) CILK_NORETURN;
static void end_process(int sig) {
  sigset_t one;
  fprintf(stderr, "cilk: SIG%s: the computation is in %s\n", cilk_options_signal_name(sig), it.file);
  signal(sig, SIG_DFL);
  sigemptyset(&one);
  sigaddset(&one, sig);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  raise(sig);
  _exit(128 + sig);
}

/* Returns like `ended`; 0 if the image is being written. */
static uint64_t checkpoint(void) {
  const cilk_options *o = &it.ctx->opt;
  uint64_t patience = o->every ? o->every / 4 : CILK_STOP_NS;
  int ends = __atomic_load_n(&it.ends, __ATOMIC_ACQUIRE);
  static struct result here;
  patience = patience < CILK_STOP_NS / 10 ? CILK_STOP_NS / 10 : patience > CILK_STOP_NS ? CILK_STOP_NS : patience;
  bool writer = !ends && may_have_writer();
  it.began = cilk_now_ns();
  here = (struct result){.ended = true};
  const char *why = cilk_stop_begin(it.ctx, patience);
  if (!why) {
    why = hindrance();
    if (!why) {
      fflush(NULL);                       /* a thread that reads has its stream's lock: there is none */
      writer = writer && begin_writer();
      if (!writer) write_image(&here);
      if (!writer && ends && !here.why[0]) end_process(ends);
    }
    cilk_stop_end(it.ctx);
  }
  it.waited = cilk_now_ns() - it.began;
  if (!why && writer) return 0;
  if (why) {
    here.too_late = why == cilk_stop_too_late;
    snprintf(here.why, sizeof here.why, "%s", why);
  }
  uint64_t pause = ended(&here, it.waited);
  if (ends && !here.too_late) {
    if (it.in_vain == 1)
      fprintf(stderr, "cilk: SIG%s: the program goes on until there is a checkpoint; another SIG%s ends it\n",
          cilk_options_signal_name(ends), cilk_options_signal_name(ends));
    pause = pause < ENDING_NS ? pause : ENDING_NS;
  }
  return pause;
}

static void *courier(void *unused) {
  cilk_context *ctx = it.ctx;
  const uint64_t never = UINT64_MAX, every = ctx->opt.every;
  bool asked = false;
  uint64_t now = cilk_now_ns(), next = every ? now + every : never,
           look = ctx->opt.elastic ? now + CILK_ELASTIC_NS : never, earliest = 0;
  (void)unused;
  for (;;) {
    int e = 0;
    next = next < earliest ? earliest : next;
    uint64_t due = next < look && !it.writer ? next : look;
    due = asked && !it.writer && earliest < due ? earliest : due;
    due = it.writer && now + WRITING_NS < due ? now + WRITING_NS : due;
    struct timespec until = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)};
    do e = due != never ? sem_clockwait(&it.call, CLOCK_MONOTONIC, &until) : sem_wait(&it.call);
    while (e && errno == EINTR);
    now = cilk_now_ns();
    bool stop = load_acquire(&it.stop);
    if (it.writer && end_writer(stop, &earliest)) {
      now = cilk_now_ns();
      earliest = earliest ? now + earliest : 0;
      next = every ? now + every : never;
    }
    if (stop) return NULL;
    int wanted = __atomic_exchange_n(&it.wanted, 0, __ATOMIC_ACQ_REL);
    if (wanted < 0 || now >= look) {
      int had = it.processors;
      it.processors = cilk_limit_processors_now();
      look = now + CILK_ELASTIC_NS;
      wanted = wanted < 0 || (!wanted && it.processors != had) ? it.processors : wanted;
    }
    if (wanted) cilk_activate(ctx, wanted);
    asked |= __atomic_exchange_n(&it.checkpoint, 0u, __ATOMIC_ACQ_REL) != 0;
    asked |= __atomic_load_n(&it.ends, __ATOMIC_ACQUIRE) != 0;
    if (!ctx->opt.checkpoint_file || it.writer || !(asked || now >= next) || now < earliest) continue;
    if (!load_seq_cst(&ctx->begun)) earliest = now + NOT_BEGUN_NS;
    else {
      asked = false;
      earliest = checkpoint();
      now = cilk_now_ns();
      earliest = earliest ? now + earliest : 0;
      next = every ? now + every : never;
    }
  }
}

/* ---- what asks ---- */

static void ask_checkpoint(int sig) {
  int error = errno;
  (void)sig;
  store_release(&it.checkpoint, 1u);
  sem_post(&it.call);
  errno = error;
}

/* The second time the signal does what it would do without the option. */
static void ask_end(int sig) {
  int error = errno;
  if (__atomic_exchange_n(&it.ends, sig, __ATOMIC_ACQ_REL)) {
    signal(sig, SIG_DFL);
    raise(sig);
  }
  sem_post(&it.call);
  errno = error;
}

static void ask_workers(int n) {
  __atomic_store_n(&it.wanted, n, __ATOMIC_RELEASE);
  sem_post(&it.call);
}

static void on_workers(int sig, siginfo_t *info, void *unused) {
  int error = errno;
  (void)sig, (void)unused;
  ask_workers(info->si_code == SI_QUEUE && info->si_value.sival_int > 0 ? info->si_value.sival_int : -1);
  errno = error;
}

/* 0: one will be made at the next spawns and syncs of all workers; else there is none to make. */
CILK_SHARED int Cilk_checkpoint(void) {
  if (!it.runs || !it.ctx->opt.checkpoint_file) return -1;
  ask_checkpoint(0);
  return 0;
}

/* 0: so many workers will run, at least 1 and at most as many as were started; else the program was started without
 * --elastic. */
CILK_SHARED int Cilk_set_nproc(int n) {
  if (!it.runs || !it.ctx->opt.elastic || n < 1) return -1;
  ask_workers(n);
  return 0;
}

/* Programs size arrays by it, and Self is below it. So once it was asked for, it is the same in all processes of the
 * computation, and a restart has no more workers. */
int cilk_travel_size(const cilk_context *ctx, int otherwise) {
  if (it.ctx != ctx) return otherwise;
  uint64_t size = load_relaxed(&known.size);
  if (!size) store_relaxed(&known.size, size = (uint64_t)ctx->nproc);
  return (int)size;
}

/* ---- begin and end ---- */

/* The arguments, where a later process finds them. */
static char **keep_words(char **words) {
  size_t n = 0;
  while (words[n]) n++;
  char **copy = cilk_heap_alloc((n + 1) * sizeof *copy, 16);
  for (size_t i = 0; copy && i < n; i++)
    if ((copy[i] = cilk_heap_alloc(strlen(words[i]) + 1, 16))) strcpy(copy[i], words[i]);
  if (copy) copy[n] = NULL;
  else cilk_fatal("out of memory");
  return copy;
}

static void travel_files(cilk_context *ctx, int *argc, char ***argv, char ***envp) {
  const cilk_options *o = &ctx->opt;
  const char *why = cilk_program_read(&program);
  if (!why) why = cilk_shapes_read(&program);
  if (!why) why = cilk_arena_begin();
  if (why) {
    fprintf(stderr, "--%s: this program cannot travel: %s\n", o->restart_file ? "restart" : "checkpoint", why);
    cilk_exit_process(1);
  }
  cilk_addresses_prepare(&program);
  if (o->restart_file) {
    if (*argc > 1) {
      fprintf(stderr, "--restart %s: the program's own arguments are those of the checkpoint; '%s' is one too many\n",
          o->restart_file, (*argv)[1]);
      cilk_exit_process(1);
    }
    cilk_image_read(ctx, &program, o->restart_file, &known);
    *argc = (int)known.argc;
    *argv = (char **)(uintptr_t)known.argv;
    *envp = (char **)(uintptr_t)known.envp;
  } else {
    *argv = keep_words(*argv);
    *envp = keep_words(*envp);
    known = (cilk_image_program){.argc = (uint64_t)*argc,
        .argv = (uint64_t)(uintptr_t)*argv,
        .envp = (uint64_t)(uintptr_t)*envp};
  }
  known.streams[0] = (uint64_t)(uintptr_t)stdin;
  known.streams[1] = (uint64_t)(uintptr_t)stdout;
  known.streams[2] = (uint64_t)(uintptr_t)stderr;
}

/* What a checkpoint would replace. A link is followed; the program may change its folder. */
static void find_file(const char *file) {
  struct stat st;
  char folder[PATH_MAX];
  const char *why = NULL;
  if (stat(file, &st) == 0 && !S_ISREG(st.st_mode)) why = "it is no file";
  else if (realpath(file, it.file)) return;
  else if (strlen(file) >= sizeof folder) why = strerror(ENAMETOOLONG);
  else if (file[0] == '/' || !getcwd(folder, sizeof folder)) strcpy(it.file, file);
  else if ((size_t)snprintf(it.file, sizeof it.file, "%s/%s", folder, file) >= sizeof it.file)
    why = strerror(ENAMETOOLONG);
  if (!why) {                             /* a new file: what is wrong with its folder is reported before the work */
    snprintf(folder, sizeof folder, "%s", it.file);
    if (access(dirname(folder), W_OK) == 0) return;
    why = strerror(errno);
  }
  fprintf(stderr, "--checkpoint %s: %s\n", file, why);
  cilk_exit_process(1);
}

/* A parent may have blocked them, so that none comes before this. No worker's thread is there yet. */
void cilk_travel_listen(int argc, char **argv) {
  cilk_early e = cilk_options_early(argc, argv);
  sigset_t ours;
  if (!e.checkpoint && !e.elastic) return;
  sem_init(&it.call, 0, 0);
  sigemptyset(&ours);
  if (e.checkpoint) {
    signal(SIGUSR1, ask_checkpoint);
    sigaddset(&ours, SIGUSR1);
    if (e.ends > 0) {
      signal(e.ends, ask_end);
      sigaddset(&ours, e.ends);
    }
  }
  if (e.elastic) {
    struct sigaction a = {.sa_sigaction = on_workers, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&a.sa_mask);
    sigaction(SIGUSR2, &a, NULL);
    sigaddset(&ours, SIGUSR2);
  }
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

void cilk_travel_begin(cilk_context *ctx, int *argc, char ***argv, char ***envp) {
  const cilk_options *o = &ctx->opt;
  if (!o->checkpoint_file && !o->restart_file && !o->elastic) return;
  it.ctx = ctx;
  if (o->checkpoint_file) find_file(o->checkpoint_file);
  if (o->checkpoint_file || o->restart_file) travel_files(ctx, argc, argv, envp);
  if (!o->checkpoint_file && !o->elastic) return;
  it.processors = cilk_limit_processors_now();
  it.input = input();
  it.nfiles = entries("/proc/self/fd", it.files);
  it.nfiles = it.nfiles > MOST_FILES ? MOST_FILES : it.nfiles;
  if (o->checkpoint_file) {
    void *shared = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    result = shared == MAP_FAILED ? NULL : shared;
  }
  sigset_t all, old;                      /* the program's signals are for its own threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int e = CILK_FAILS(THREAD) ? EAGAIN : pthread_create(&it.thread, NULL, courier, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (e) cilk_fatal("cannot create the thread that makes checkpoints: %s", strerror(e));
  it.runs = true;
  it.threads = entries("/proc/self/task", NULL);
  if (o->elastic) cilk_activate(ctx, o->nproc);
}

void cilk_travel_end(cilk_context *ctx) {
  if (it.ctx != ctx || !it.runs) return;
  store_release(&it.stop, 1u);
  sem_post(&it.call);
  pthread_join(it.thread, NULL);
  it.runs = false;
  if (it.refused && (!it.made || ctx->opt.stats))
    fprintf(stderr, "cilk: %llu of %llu checkpoints failed: %s\n", (unsigned long long)it.refused,
        (unsigned long long)(it.refused + it.made), last_reason);
  if (ctx->opt.checkpoint_ends) signal(ctx->opt.checkpoint_ends, SIG_DFL);
  signal(SIGUSR1, SIG_IGN);               /* one may be on its way */
  if (ctx->opt.elastic) signal(SIGUSR2, SIG_IGN);
}

static const char *asked_for(const cilk_options *o) {
  return o->checkpoint_file ? "checkpoint" : o->restart_file ? "restart" : o->elastic ? "elastic" : NULL;
}

bool cilk_travel_may(const cilk_options *o) {
  const char *name = asked_for(o);
  if (name)
    fprintf(stderr, "--%s: the program's main is C, whose frames are no closures; it must be a Cilk procedure\n", name);
  return !name;
}

void cilk_travel_enter(cilk_context *ctx, const cilk_root *root, void *args) {
  if (!asked_for(&ctx->opt) || it.ctx) return;
  if (strcmp(root->name, "main") != 0) {
    cilk_travel_may(&ctx->opt);
    cilk_exit_process(1);
  }
  char *none[] = {NULL};
  struct {
    int argc;
    char **argv, **envp;
  } all = {0, none, environ};
  size_t n = root->args_size < sizeof all ? root->args_size : sizeof all;
  memcpy(&all, args, n);
  cilk_travel_begin(ctx, &all.argc, &all.argv, &all.envp);
  memcpy(args, &all, n);
}
