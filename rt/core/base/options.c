/* options.c - the run-time options. They come first, before the program's own arguments; `--opt` and `-opt` are the
 * same; the first word that is no Cilk option ends them, `--` does so and disappears. What was taken is removed from
 * argv. */
#define _GNU_SOURCE
#include "base/options.h"
#include "base/early.h"
#include "base/fault.h"
#include "base/limits.h"
#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum option_id {
  OPT_NPROC,
  OPT_SCHED,
  OPT_STACK,
  OPT_PTHREAD_STACKSIZE,
  OPT_STATS,
  OPT_STATS_FILE,
  OPT_NO_STATS,
  OPT_SEED,
  OPT_FORCE,
  OPT_YIELD,
  OPT_NO_YIELD,
  OPT_BATCH,
  OPT_POSIX,
  OPT_MEMORY,
  OPT_DUMP,
  OPT_NO_DUMP,
  OPT_PIN,
  OPT_WATCHDOG,
  OPT_CRITICAL,
  OPT_POST,
  OPT_SIMULATE,
  OPT_COSTS,
  OPT_CHECKPOINT,
  OPT_EVERY,
  OPT_CHECKPOINT_ON,
  OPT_RESTART,
  OPT_INSPECT,
  OPT_ELASTIC,
  OPT_VERSION,
  OPT_HELP,
  OPT_END
};

static const struct option {
  enum option_id id;
  const char *name, *argument, *help;
} options[] = {
    {OPT_NPROC, "nproc", "<n>",
        "set number of workers; 0: all processors that the process may use (default: CILK_NPROC, else 0)"},
    {OPT_SCHED, "sched", "<name>", "set scheduler; --sched=list prints them all (default: steal)"},
    {OPT_STACK, "stack", "<n>", "set depth of each ready deque to n entries"},
    {OPT_PTHREAD_STACKSIZE, "pthread-stacksize", "<n>", "set C stack of each worker to n bytes (suffixes k, m, g)"},
    {OPT_STATS, "stats", "<l>",
        "set statistics level, 0 to 6; line: one line, json: all as a line of JSON (default: CILK_STATS, else 0)"},
    {OPT_STATS_FILE, "stats-file", "<file>", "write statistics to a file, not to stderr"},
    {OPT_NO_STATS, "no-stats", NULL, "equivalent to --stats 0"},
    {OPT_SEED, "seed", "<n>", "set seed of the choice of victims"},
    {OPT_FORCE, "force-steal", "<mode>", "testing: never, always, random (default: CILK_FORCE, else normal stealing)"},
    {OPT_YIELD, "yield", NULL, "give up the processor after a failed steal"},
    {OPT_NO_YIELD, "no-yield", NULL, "the default"},
    {OPT_BATCH, "alloc-batch", "<n>", "set number of closures allocated at once, at least 8"},
    {OPT_POSIX, "with-posix-locks", NULL, "accepted for compatibility"},
    {OPT_MEMORY, "with-memory-locks", NULL, "accepted for compatibility"},
    {OPT_DUMP, "dump-core", NULL, "dump core on fatal errors"},
    {OPT_NO_DUMP, "no-dump-core", NULL, "the default"},
    {OPT_PIN, "pin-proc", "<mask>", "give each worker a processor of this hexadecimal mask"},
    {OPT_WATCHDOG, "watchdog", "<n>",
        "report what the workers do after n seconds of a computation, and again every n seconds (SIGQUIT: once)"},
    {OPT_CRITICAL, "critical-path", NULL,
        "Cilk-1: measure work and critical path by time stamps (slower), for --stats"},
    {OPT_POST, "post", "<worker>",
        "Cilk-1: the worker that gets a thread whose last argument another worker sent: sender (default), owner"},
    {OPT_SIMULATE, "simulate", "<n>[,<n>...]",
        "Cilk-1: run on n virtual processors, on one; for several numbers, one after the other"},
    {OPT_COSTS, "simulate-costs", "<list>",
        "costs of a simulation, in ns or units: steal=1000,send=500,thread=0; with ranks of 4 processors: rank=4,latency=2000,kb=80 (of 1,000 bytes)"},
    {OPT_CHECKPOINT, "checkpoint", "<file>",
        "write the computation to a file, every --every and on SIGUSR1, for --restart"},
    {OPT_EVERY, "every", "<time>", "time between checkpoints: 500ms, 60s, 10min, 2h"},
    {OPT_CHECKPOINT_ON, "checkpoint-on", "<signal>",
        "TERM, INT, HUP or XCPU: write the computation to the file, then end as the signal does; USR1: write it only"},
    {OPT_RESTART, "restart", "<file>",
        "continue the computation in a file that --checkpoint wrote; --nproc may differ"},
    {OPT_INSPECT, "inspect", "<file>", "only check whether --restart could continue from the file"},
    {OPT_ELASTIC, "elastic", "<n>",
        "start n workers, of which --nproc run; SIGUSR2 and Cilk_set_nproc change how many"},
    {OPT_VERSION, "version", NULL, "print version and exit"},
    {OPT_HELP, "help", NULL, "print this message and exit"},
    {OPT_END, "", NULL, "end of Cilk options"},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
  fprintf(stderr, "Cilk options:\n");
  for (int i = 0; i < N_OPTIONS; i++)
    fprintf(stderr, "     --%s%s%s : %s\n", options[i].name, options[i].argument ? " " : "",
        options[i].argument ? options[i].argument : "", options[i].help);
  fprintf(stderr, "\nCilk options come before the program's own; `--` separates them where necessary.\n");
}

static void version(void) {
  fprintf(stderr, "cilkc runtime 1.0.0 (Cilk-5)\ncompilation options:"
#ifdef CILK_DEBUG
                  " CILK_DEBUG"
#endif
#ifdef CILK_TSAN
                  " CILK_TSAN"
#endif
#ifdef CILK_ASAN
                  " CILK_ASAN"
#endif
#if !defined(CILK_DEBUG) && !defined(CILK_TSAN) && !defined(CILK_ASAN)
                  " none"
#endif
                  "\n");
}

static bool bad(const char *name, const char *why) {
  fprintf(stderr, strncmp(name, "CILK_", 5) == 0 ? "Bad value of %s: %s\n" : "Bad option argument for -%s: %s\n", name,
      why);
  return false;
}

/* A number >= low and <= high; with `scaled`, one of k, m, g may follow. */
static bool number(const char *name, const char *text, bool scaled, int base, uint64_t low, uint64_t high,
    uint64_t *out) {
  char *end;
  while (isspace((unsigned char)*text)) text++;
  if (*text == '-')
    return bad(name, strcmp(name, "nproc") == 0 ? "non-positive number of processors" : "negative number");
  errno = 0;
  unsigned long long v = strtoull(text, &end, base);
  if (end == text) return bad(name, "not a number");
  if (scaled && *end) {
    int shift = 0;
    switch (tolower((unsigned char)*end)) {
      case 'k': shift = 10; break;
      case 'm': shift = 20; break;
      case 'g': shift = 30; break;
    }
    if (shift) {
      end++;
      if (v > UINT64_MAX >> shift) errno = ERANGE;
      v <<= shift;
    }
  }
  if (*end) return bad(name, "not a number");
  if (errno == ERANGE || v > high) {
    char why[64];
    snprintf(why, sizeof why, "number too large (at most %llu)", (unsigned long long)high);
    return bad(name, why);
  }
  if (v < low) return bad(name, "number too small");
  *out = v;
  return true;
}

/* A number that only a variable of the environment says, for tests; *out stays where it says none. */
static bool variable(const char *name, const char *env, uint64_t high, uint64_t *out) {
  return !(env && *env) || number(name, env, false, 10, 0, high, out);
}

static bool set_nproc(cilk_options *o, const char *name, const char *text) {
  uint64_t v;
  if (!number(name, text, false, 10, 0, CILK_MAX_PROC, &v)) return false;
  o->nproc = v ? (int)v : cilk_limit_processors();
  o->nproc_chosen = v != 0;
  return true;
}

/* A level; or a form, which has all levels. --json after --stats is a form, too: a program may have an option of that
 * name. */
static bool set_stats(cilk_options *o, const char *name, const char *text) {
  static const char *const forms[] = {[CILK_STATS_JSON] = "json", [CILK_STATS_LINE] = "line"};
  const char *word = text + (strncmp(text, "--", 2) == 0 ? 2 : 0);
  for (int i = CILK_STATS_JSON; i <= CILK_STATS_LINE; i++)
    if (strcmp(word, forms[i]) == 0) {
      o->stats_form = (enum cilk_stats_form)i;
      o->stats = 6;
      return true;
    }
  uint64_t v;
  if (!number(name, text, false, 10, 0, INT32_MAX, &v)) return false;
  o->stats_form = CILK_STATS_TEXT;
  o->stats = (int)v;
  return true;
}

/* The file is there and empty before the program begins, or the program does not begin. A named pipe needs a reader,
 * which would see its end if it was closed before the report. */
static bool set_stats_file(cilk_options *o, const char *name, const char *text) {
  int fd = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
  struct stat st;
  if (fd < 0) return bad(name, errno == ENXIO ? "no process reads this pipe" : strerror(errno));
  if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode) || fcntl(fd, F_DUPFD_CLOEXEC, 200) >= 0) close(fd);
  o->stats_file = text;
  if (!o->stats) o->stats = 1;
  return true;
}

static bool set_force(cilk_options *o, const char *name, const char *text) {
  static const char *const modes[] = {"off", "never", "always", "random"};
  for (int i = 0; i < 4; i++)
    if (strcmp(text, modes[i]) == 0) {
      o->force = (enum cilk_force)i;
      return true;
    }
  return bad(name, "must be never, always, random or off");
}

/* --sched=NAME is one word, as NAME may have further words of its own. */
static const struct option *find(const char *word, const char **value) {
  if (word[0] != '-' || word[1] == 0) return NULL;
  const char *name = word + 1 + (word[1] == '-');
  if (*name == 0) return strcmp(word, "--") == 0 ? &options[N_OPTIONS - 1] : NULL;
  for (int i = 0; i < N_OPTIONS - 1; i++) {
    size_t n = strlen(options[i].name);
    if (strncmp(name, options[i].name, n) == 0 && (name[n] == 0 || (options[i].id == OPT_SCHED && name[n] == '='))) {
      *value = name[n] ? name + n + 1 : NULL;
      return &options[i];
    }
  }
  return NULL;
}

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* turns:P[:LIST] */
static bool set_turns(cilk_options *o, const char *text) {
  char word[24];
  uint64_t workers = 0;
  size_t n = strcspn(text += strlen("turns:"), ":");
  if (n >= sizeof word) return bad("sched=turns:P:LIST", "number too large");
  memcpy(word, text, n);
  word[n] = 0;
  if (!number("sched=turns:P:LIST", word, false, 10, 1, CILK_MOST_TURNS, &workers)) return false;
  o->nproc = (int)workers;
  o->replay = (cilk_replay){.on = true, .list = text[n] ? text + n + 1 : ""};
  return true;
}

/* replay[:SEED[:P]], pct[:SEED[:P[:DEPTH[:STEPS]]]]: not a scheduler, but the order in which workers run, under any of
 * them. */
static bool set_replay(cilk_options *o, const char *text) {
  bool pct = text[0] == 'p';
  cilk_replay r = {.on = true,
      .seed = ((uint64_t)getpid() * 40503u ^ (uintptr_t)o >> 4) % 1000000u,
      .depth = pct ? CILK_PCT_DEPTH : 0,
      .steps = CILK_PCT_STEPS};
  const char *name = pct ? "sched=pct:SEED:P:DEPTH:STEPS" : "sched=replay:SEED:P";
  uint64_t value[4] = {r.seed, (uint64_t)o->nproc, (uint64_t)r.depth, r.steps};
  const uint64_t most[4] = {UINT64_MAX, CILK_MOST_TURNS, CILK_PCT_MOST, UINT32_MAX};
  text = strchr(text, ':');
  for (int k = 0; text; k++) {
    char word[24];
    size_t n = strcspn(++text, ":");
    if (k == (pct ? 4 : 2)) return bad(name, "too many numbers");
    if (n >= sizeof word) return bad(name, "number too large");
    memcpy(word, text, n);
    word[n] = 0;
    if (!number(name, word, false, 0, k != 0, most[k], &value[k])) return false;
    text = text[n] ? text + n : NULL;
  }
  r.seed = value[0];
  o->nproc = (int)value[1];
  r.depth = (int)value[2];
  r.steps = value[3];
  o->replay = r;
  return true;
}


static bool is_replay(const char *text) {
  size_t n = strcspn(text, ":");
  return n == strlen("replay") ? begins(text, "replay") || begins(text, "record:")
                               : begins(text, "turns:") || (n == strlen("pct") && begins(text, "pct"));
}

/* replay:FILE, and not :SEED; the same with :P after it. */
static bool names_file(const char *text) {
  return begins(text, "replay:") && text[7] && text[7] != '-' && text[7] != ':' && !isdigit((unsigned char)text[7]);
}

/* The :P of FILE:P, or NULL. */
static const char *places_in(const char *file) {
  const char *p = strrchr(file, ':');
  return p && p[1] && strspn(p + 1, "0123456789") == strlen(p + 1) ? p : NULL;
}

/* record:FILE, replay:FILE[:P]. */
static bool set_file(cilk_options *o, const char *text) {
  const char *file = strchr(text, ':') + 1;
  if (begins(text, "record")) {
    o->record_file = file;
    return *file || bad("sched=record", "the name of a file is missing");
  }
  const char *p = places_in(file);
  uint64_t v = 0;
  if (p) {
    if (!number("sched=replay:FILE:P", p + 1, false, 10, 1, CILK_MAX_PROC, &v)) return false;
    char *name = strndup(file, (size_t)(p - file));   /* lives as long as the process */
    if (!name) cilk_fatal("out of memory");
    file = name;
  }
  o->replay_file = file;
  o->replay_places = (int)v;
  return true;
}

static bool set_sched(cilk_options *o, const char *name, const char *text) {
  (void)name;
  if (names_file(text) || begins(text, "record:")) return set_file(o, text);
  if (begins(text, "turns:")) return set_turns(o, text);
  if (is_replay(text)) return set_replay(o, text);
  o->sched = text;
  return true;
}

/* A replay says how it is repeated: the words that were ours, the word that named it with its numbers, the program's
 * own. */
static void note_repeat(const cilk_options *o, int argc, char **argv, int ours) {
  const char *words[argc + 2];
  char spec[4096];
  int n = 0, i = 0;
  const cilk_replay *r = &o->replay;
  if (o->record_file) {
    const char *here = strspn(o->record_file, "0123456789-") ? "./" : "";   /* else it would be a seed */
    bool more = places_in(o->record_file) != NULL;   /* the number at the end of the name is not its :P */
    snprintf(spec, sizeof spec, more ? "--sched=replay:%s%s:%d" : "--sched=replay:%s%s", here, o->record_file,
        o->nproc);
  } else if (o->replay_file)
    snprintf(spec, sizeof spec, o->replay_places ? "--sched=replay:%s:%d" : "--sched=replay:%s", o->replay_file,
        o->replay_places);
  else if (r->list && strlen(r->list) > sizeof spec - 64) return;
  else if (r->list)
    snprintf(spec, sizeof spec, *r->list ? "--sched=turns:%d:%s" : "--sched=turns:%d", o->nproc, r->list);
  else if (r->depth)
    snprintf(spec, sizeof spec, "--sched=pct:%llu:%d:%d:%llu", (unsigned long long)r->seed, o->nproc, r->depth,
        (unsigned long long)r->steps);
  else snprintf(spec, sizeof spec, "--sched=replay:%llu:%d", (unsigned long long)r->seed, o->nproc);
  for (; i < ours; i++) {
    const char *value = NULL;
    const struct option *opt = i ? find(argv[i], &value) : NULL;
    bool two = opt && opt->id == OPT_SCHED && !value && i + 1 < ours;
    if (opt && opt->id == OPT_SCHED && is_replay(two ? argv[i + 1] : value ? value : "")) i += two;
    else if (opt && opt->id == OPT_END) break;
    else words[n++] = argv[i];
  }
  words[n++] = spec;
  for (; i < argc; i++) words[n++] = argv[i];
  cilk_repeat_note(n, words);
}

/* The first number of a list. */
static bool simulated(const char *name, const char *text, uint64_t *v) {
  char one[24];
  size_t n = strcspn(text, ",");
  if (n >= sizeof one) return bad(name, "number too large");
  memcpy(one, text, n);
  one[n] = 0;
  return number(name, one, false, 10, 1, CILK_MAX_SIMULATED, v);
}

static const char *after_comma(const char *text) {
  const char *comma = strchr(text, ',');
  return comma ? comma + 1 : NULL;
}

/* For several numbers of processors the program runs several times: in child processes, which print only what was
 * simulated; the present process is the last. */
static bool set_simulate(cilk_options *o, const char *name, const char *text) {
  uint64_t v = 0;
  for (const char *at = text; at; at = after_comma(at))
    if (!simulated(name, at, &v))         /* before the first one runs */
      return false;
  for (; simulated(name, text, &v); text = after_comma(text)) {
    o->simulate = (int)v;
    if (!after_comma(text)) return true;
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    int status = 0, null;
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);   /* the end of the program is that of all its runs */
      if (getppid() != parent) cilk_exit_process(1);
      if ((null = open("/dev/null", O_WRONLY)) >= 0) dup2(null, 1);
      return true;
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return bad(name, "cannot start a process");
    if (status) cilk_exit_process(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  return false;
}

static bool set_costs(cilk_options *o, const char *name, const char *text) {
  struct {
    const char *name;
    uint64_t *to;
  } costs[] = {{"steal", &o->simulate_steal}, {"send", &o->simulate_send}, {"thread", &o->simulate_thread},
      {"rank", &o->simulate_rank}, {"latency", &o->simulate_latency}, {"kb", &o->simulate_kb}};
  const size_t known = sizeof costs / sizeof *costs;
  for (; *text; text += *text == ',') {
    char one[64];
    size_t n = strcspn(text, ","), k = strcspn(text, "="), i = 0;
    while (i < known && !(k == strlen(costs[i].name) && strncmp(text, costs[i].name, k) == 0)) i++;
    if (i == known || k >= n || n >= sizeof one)
      return bad(name, "must be like steal=1000,send=500,thread=0,rank=4,latency=2000,kb=80");
    memcpy(one, text + k + 1, n - k - 1);
    one[n - k - 1] = 0;
    if (!number(name, one, false, 10, i == 0, 1000000000, costs[i].to)) return false;
    text += n;
  }
  return true;
}

static bool set_every(cilk_options *o, const char *name, const char *text) {
  const uint64_t MOST_MS = 1000000000000; /* 30 years */
  static const struct {
    const char *name;
    uint64_t ms;
  } units[] = {{"ms", 1}, {"s", 1000}, {"min", 60000}, {"h", 3600000}};
  size_t digits = strspn(text, "0123456789");
  char count[12];
  for (size_t i = 0; digits && digits < sizeof count && i < sizeof units / sizeof *units; i++)
    if (strcmp(text + digits, units[i].name) == 0) {
      uint64_t v;
      memcpy(count, text, digits);
      count[digits] = 0;
      if (!number(name, count, false, 10, 1, MOST_MS / units[i].ms, &v)) return false;
      o->every = v * units[i].ms * 1000000;
      return true;
    }
  return bad(name, "a time is a number and a unit, such as 500ms, 60s, 10min, 2h");
}

/* After which of them the process ends, as it does without a handler. USR1 is always one after which it goes on. */
static const struct {
  int sig;
  const char *name;
} checkpoint_signals[] = {{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}, {SIGXCPU, "XCPU"}, {0, "USR1"}};

/* -1: none of them. */
static int checkpoint_signal(const char *text) {
  text += strncmp(text, "SIG", 3) == 0 ? 3 : 0;
  for (size_t i = 0; i < sizeof checkpoint_signals / sizeof *checkpoint_signals; i++)
    if (strcmp(text, checkpoint_signals[i].name) == 0) return checkpoint_signals[i].sig;
  return -1;
}

const char *cilk_options_signal_name(int sig) {
  size_t i = 0;
  while (checkpoint_signals[i].sig && checkpoint_signals[i].sig != sig) i++;
  return checkpoint_signals[i].name;
}

/* What cannot be combined with checkpoints and changes of workers. */
static bool ok_to_travel(const cilk_options *o) {
  const char *what = o->checkpoint_file ? "checkpoint" : o->restart_file ? "restart" : "elastic";
  if (o->every && !o->checkpoint_file) return bad("every", "it needs --checkpoint");
  if (o->checkpoint_ends && !o->checkpoint_file) return bad("checkpoint-on", "it needs --checkpoint");
  if (!o->checkpoint_file && !o->restart_file && !o->elastic) return true;
  if (o->replay.on || o->record_file || o->replay_file)
    return bad(what, "cannot be used with --sched=record or --sched=replay");
  if (o->simulate) return bad(what, "cannot be used with --simulate");
  return !o->elastic || o->elastic >= o->nproc || bad(what, "fewer workers than --nproc");
}

static bool set(cilk_options *o, const struct option *opt, const char *text) {
  uint64_t v = 0;
  switch (opt->id) {
    case OPT_NPROC: return set_nproc(o, opt->name, text);
    case OPT_SCHED: return set_sched(o, opt->name, text);
    case OPT_STACK:
      if (!number(opt->name, text, true, 10, 1, (uint64_t)1 << 40, &v)) return false;
      o->stack_entries = (size_t)v;
      return true;
    case OPT_PTHREAD_STACKSIZE:
      if (!number(opt->name, text, true, 10, 1, (uint64_t)1 << 46, &v)) return false;
      o->stack_bytes = v < CILK_STACK_MIN ? CILK_STACK_MIN : (size_t)v;
      return true;
    case OPT_STATS: return set_stats(o, opt->name, text);
    case OPT_STATS_FILE: return set_stats_file(o, opt->name, text);
    case OPT_SEED:
      if (!number(opt->name, text, false, 0, 0, UINT64_MAX, &v)) return false;
      o->seed = v;
      return true;
    case OPT_BATCH:
      if (!number(opt->name, text, false, 10, 0, 1 << 20, &v)) return false;
      o->alloc_batch = v < CILK_ALLOC_BATCH_MIN ? CILK_ALLOC_BATCH_MIN : (int)v;
      return true;
    case OPT_PIN:
      if (!number(opt->name, text, false, 16, 0, UINT64_MAX, &v)) return false;
      o->pin_mask = v;
      return true;
    case OPT_WATCHDOG:
      if (!number(opt->name, text, false, 10, 0, 1 << 30, &v)) return false;
      o->watchdog = (int)v;
      return true;
    case OPT_CHECKPOINT: o->checkpoint_file = text; return *text || bad(opt->name, "the name of a file is missing");
    case OPT_INSPECT:
    case OPT_RESTART:
      o->inspect |= opt->id == OPT_INSPECT;
      o->restart_file = text;
      return *text || bad(opt->name, "the name of a file is missing");
    case OPT_EVERY: return set_every(o, opt->name, text);
    case OPT_CHECKPOINT_ON:
      o->checkpoint_ends = checkpoint_signal(text);
      return o->checkpoint_ends >= 0 || bad(opt->name, "must be TERM, INT, HUP, XCPU or USR1");
    case OPT_ELASTIC:
      if (!number(opt->name, text, false, 10, 1, CILK_MAX_PROC, &v)) return false;
      o->elastic = (int)v;
      return true;
    case OPT_SIMULATE: return set_simulate(o, opt->name, text);
    case OPT_COSTS: return set_costs(o, opt->name, text);
    case OPT_CRITICAL: o->critical_path = true; return true;
    case OPT_POST:
      o->post_owner = strcmp(text, "owner") == 0;
      return o->post_owner || strcmp(text, "sender") == 0 || bad(opt->name, "must be sender or owner");
    case OPT_FORCE: return set_force(o, opt->name, text);
    case OPT_NO_STATS: o->stats = 0; return true;
    case OPT_YIELD: o->yield = 1; return true;
    case OPT_NO_YIELD: o->yield = 0; return true;
    case OPT_DUMP: o->dump_core = 1; return true;
    case OPT_NO_DUMP: o->dump_core = 0; return true;
    case OPT_POSIX:
    case OPT_MEMORY:                        /* nothing to do */
    case OPT_VERSION:
    case OPT_HELP:
    case OPT_END: return true;              /* the caller's */
  }
  return true;
}

/* How many letters differ, at the least, between two words: inserted, left out, changed. Words longer than the options'
 * names do not matter. */
int cilk_word_distance(const char *a, const char *b) {
  enum { ROOM = 32 };
  int row[ROOM + 1], n = (int)strlen(b);
  if (strlen(a) > ROOM || n > ROOM) return ROOM;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int left_up = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int up = row[j], best = left_up + (a[i - 1] != b[j - 1]);
      best = best < up + 1 ? best : up + 1;
      row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
      left_up = up;
    }
  }
  return row[n];
}

/* The word ends the Cilk options and is the program's, as all words after it; but if it looks like one of ours, that
 * may surprise. */
static void hint(const char *word) {
  if (word[0] != '-' || word[1] == 0) return;
  const char *name = word + 1 + (word[1] == '-');
  if (strlen(name) < 4) /* programs have short options of their own */
    return;
  size_t n = strcspn(name, "=");
  for (int i = 0; i < N_OPTIONS - 1; i++) /* --nproc=4 */
    if (name[n] && strlen(options[i].name) == n && strncmp(name, options[i].name, n) == 0) {
      fprintf(stderr, "unknown option %s: did you mean --%s %s? (put `--` before it if it is the program's own)\n",
          word, options[i].name, name + n + 1);
      return;
    }
  const struct option *near = NULL;
  int least = strlen(name) < 5 ? 2 : 3; /* fewer than so many letters differ */
  for (int i = 0; i < N_OPTIONS - 1; i++) {
    int d = cilk_word_distance(name, options[i].name);
    if (d < least) {
      least = d;
      near = &options[i];
    }
  }
  if (near)
    fprintf(stderr, "unknown option %s: did you mean --%s? (put `--` before it if it is the program's own)\n", word,
        near->name);
}

/* At least what the elision would have: the limit of the main stack. */
static size_t default_stack(void) {
  struct rlimit r;
  size_t n = CILK_STACK_BYTES;
  if (getrlimit(RLIMIT_STACK, &r) == 0 && (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > n))
    n = r.rlim_cur > CILK_STACK_MAX ? CILK_STACK_MAX : (size_t)r.rlim_cur;
  return n;
}

/* A program starts on main's stack. Up to 8 KB of it the system skips by chance, as much is the buffer of a message on
 * stderr, and the environment is there, too. Without this a small stack would overflow in some of the runs. */
static bool stack_suffices(void) {
  static const char text[] = "the limit of the stack is below 32 KB (ulimit -s), too little to start\n";
  struct rlimit r;
  if (getrlimit(RLIMIT_STACK, &r) != 0 || r.rlim_cur >= CILK_MAIN_STACK_MIN) return true;
  (void)!write(2, text, sizeof text - 1);
  return false;
}

/* Recording and replaying from files. */
static bool ok_with_file(cilk_options *o, bool given) {
  const char *what = o->record_file ? "sched=record" : "sched=replay";
  if (!o->record_file && !o->replay_file) return true;
  if (o->record_file && o->replay_file) return bad(what, "a run is recorded or replayed, not both");
  if (o->replay_file && o->replay.on && (!o->replay.list || *o->replay.list))
    return bad(what, "either the file or a seed or list decides what is next, not both");
  if (strcmp(o->sched, "steal") != 0) return bad(what, "works only with the scheduler steal");
  if (o->force) return bad(what, "cannot be used with --force-steal");
  if (o->replay_file) {
    o->replay_places = o->replay_places || !given ? o->replay_places : o->nproc;
    return true; /* the file has the number of workers */
  }
  return o->nproc <= CILK_MOST_TURNS || bad(what, "more than 64 workers");
}

static void keep_words(cilk_options *o, int n, char **words) {
  size_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += strlen(words[i]) + 1;
  char *to = malloc(bytes + 1);
  if (!to) cilk_fatal("out of memory");
  o->words = to;
  o->words_bytes = bytes;
  for (int i = 0; i < n; i++) to = stpcpy(to, words[i]) + 1;
}

cilk_early cilk_options_early(int argc, char **argv) {
  cilk_early e = {false, false, 0};
  const char *value = NULL;
  const struct option *opt;
  for (int i = 1; i < argc && (opt = find(argv[i], &value)) && opt->id != OPT_END; i++) {
    e.checkpoint |= opt->id == OPT_CHECKPOINT;
    e.elastic |= opt->id == OPT_ELASTIC;
    if (opt->id == OPT_CHECKPOINT_ON && (value || i + 1 < argc))
      e.ends = checkpoint_signal(value ? value : argv[i + 1]);
    i += opt->argument && !value;
    value = NULL;
  }
  return e;
}

int cilk_options_parse(cilk_options *o, int *argc, char **argv) {
  if (!stack_suffices()) return 2;
  memset(o, 0, sizeof *o);
  o->stack_entries = CILK_DEQUE_DEPTH;
  o->stack_bytes = default_stack();
  o->sched = "steal";
  o->alloc_batch = CILK_ALLOC_BATCH;
  o->simulate_steal = CILK_SIMULATE_STEAL;
  o->simulate_send = CILK_SIMULATE_SEND;
  o->nproc = cilk_limit_processors();
  const char *env = getenv("CILK_NPROC");
  bool ok = !(env && *env) || set_nproc(o, "nproc (CILK_NPROC)", env);
  env = getenv("CILK_STATS");
  ok = ok && (!(env && *env) || set_stats(o, "stats (CILK_STATS)", env));
  env = getenv("CILK_FORCE");
  ok = ok && (!(env && *env) || set_force(o, "force-steal (CILK_FORCE)", env));

  uint64_t nodes = UINT64_MAX, processors = 0;
  ok = ok && variable("CILK_NODES", getenv("CILK_NODES"), CILK_MAX_PROC, &nodes) &&
       variable("CILK_PROCESSORS", getenv("CILK_PROCESSORS"), INT32_MAX, &processors);
  o->nodes = (int)nodes;
  o->processors = (uint32_t)processors;
  ok = ok && cilk_fault_configure(getenv("CILK_FAULT"));

  int i = 1;
  bool given = false; /* --nproc */
  while (ok && i < *argc && argv[i]) {
    const char *value = NULL;
    const struct option *opt = find(argv[i], &value);
    if (!opt) {
      hint(argv[i]);
      break;
    }
    i++;
    if (opt->id == OPT_END) break;
    given |= opt->id == OPT_NPROC;
    if (opt->id == OPT_HELP || opt->id == OPT_VERSION) {
      if (opt->id == OPT_HELP) help();
      else version();
      return 1;
    }
    const char *text = NULL;
    if (opt->argument) {
      if (value) text = value;
      else if (i >= *argc || !argv[i]) ok = bad(opt->name, "argument missing");
      else text = argv[i++];
    }
    ok = ok && set(o, opt, text);
  }
  if (!ok) {
    fprintf(stderr, "Failed parsing command line\n");
    return 2;
  }
  if (o->replay.on && o->nproc > CILK_MOST_TURNS) {
    bad("sched=replay", "more than 64 workers");
    fprintf(stderr, "Failed parsing command line\n");
    return 2;
  }
  if (ok_to_travel(o) && ok_with_file(o, given)) {
    if (o->replay.on || o->record_file || o->replay_file) note_repeat(o, *argc, argv, i);
  } else {
    fprintf(stderr, "Failed parsing command line\n");
    return 2;
  }
  if (o->record_file || o->replay_file) keep_words(o, *argc - i, argv + i);
  if (o->simulate) o->nproc = 1;
  if (i > 1) {
    int n = 1;
    while (i < *argc) argv[n++] = argv[i++];
    argv[n] = NULL;
    *argc = n;
  }
  return 0;
}
