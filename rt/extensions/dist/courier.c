/* courier.c - the thread that talks to the other ranks: letters of workers go out, what comes is done, requests are
 * made and answered.
 *
 * It sleeps in the transport until something comes. While a worker of this rank has nothing it asks a rank, drawn at
 * random; after an answer in vain it pauses, twice as long each time. A victim that has nothing to give asks its
 * workers for something, and answers a little later. If it does not answer for long, another rank is asked.
 *
 * When a message is refused, rank 0 cuts its sender off, which ends then. Another rank ends itself, since without that
 * message it is of no use. Either way others do again what the rank had that has ended.
 *
 * What ranks but 0 print goes through a pipe to rank 0. What such a rank printed comes before a value that it sends
 * after that: values wait until rank 0 has confirmed the text. */
#define _GNU_SOURCE
#include "dist/dist.h"
#include "data/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

cilk_dist cilk_dist_here = {.rank = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

enum { ASK_NS = 50000, ASK_MOST_NS = 4000000, ANSWER_NS = 2000000, QUIET_NS = 100000000, END_NS = 10000000 };
enum { PIPE_PAGES = 16, LAST_NS = 200000000 };           /* LAST: for stdout, once all is over */
enum { LATE_NS = 300000000 };             /* an answer is: this rank asks another one meanwhile */
static const uint64_t patience_ns = 10000000000u;        /* for the last messages of others */

typedef struct letter {
  struct letter *next;
  int to;
  uint32_t kind;
  size_t n;
  char bytes[];
} letter;
/* When its request came that is not answered yet, and when ours went there; 0: there is none.
 * sent, came: how many messages. greeted, introduced: a hello was sent to it, has come from it. */
typedef struct rank_state {
  bool dead, bye, greeted, introduced;
  uint32_t sent, came;
  uint64_t request_from_it_at, request_to_it_at;
  char *line;
  size_t n;
} rank_state;

static letter *first, **last = &first;    /* cilk_dist_here.lock */
static rank_state *ranks;
static pthread_t thread;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool started, prepared, over;      /* lock */
static uint32_t ending;                   /* rank 0: main is done; atomic */
static int out_fd = -1, unseen; /* ranks but 0: the pipe that stdout goes to; texts that are not confirmed */
static int victim = -1; /* the rank that was asked last; -1: it has answered, or is late */
static uint64_t ask_after, pause_ns = ASK_NS, delay_ns, send_twice_each, random_state = 1;
static uint64_t began; /* when main could begin */
static cilk_rank_stats *reports;

static uint64_t random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* For tests: messages are late, by chance. */
static void delay(void) {
  if (!delay_ns) return;
  uint64_t ns = random_number() % delay_ns;
  nanosleep(&(struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)}, NULL);
}

/* ---- letters ---- */

static letter *new_letter(int to, cilk_wire head, const void *payload) {
  letter *l = malloc(sizeof *l + sizeof head + head.size);
  if (!l) cilk_fatal("out of memory (a message to another rank)");
  *l = (letter){.to = to, .kind = head.kind, .n = sizeof head + head.size};
  memcpy(l->bytes, &head, sizeof head);
  if (payload) memcpy(l->bytes + sizeof head, payload, head.size);
  return l;
}

void cilk_letter(int to, cilk_wire head, const void *payload) {
  letter *l = new_letter(to, head, payload);
  pthread_mutex_lock(&cilk_dist_here.lock);
  bool first_one = !first;
  *last = l;
  last = &l->next;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  if (first_one && !pthread_equal(pthread_self(), thread)) cilk_the_transport.wake();
}

bool cilk_letters_wait(void) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  bool some = first != NULL;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  return some;
}

static void greet(int to) {
  char text[CILK_HELLO_ROOM];
  if (!ranks[to].greeted) cilk_the_transport.send(to, text, cilk_hello(text, cilk_dist_here.ctx != NULL));
  ranks[to].greeted = true;
}

/* A send of a message; for tests some are sent twice. */
static bool put(int to, char *bytes, size_t n) {
  greet(to);
  cilk_wire_seal(bytes, ++ranks[to].sent);
  if (send_twice_each && random_number() % send_twice_each == 0) cilk_the_transport.send(to, bytes, n);
  return cilk_the_transport.send(to, bytes, n);
}

static void post(letter *l) {
  delay();
  if (!ranks[l->to].dead && put(l->to, l->bytes, l->n)) {
    cilk_stuck_sent(l->kind);
    cilk_dist_count(&cilk_dist_here.stats.messages, 1);
    cilk_dist_count(&cilk_dist_here.stats.bytes, l->n);
  }
  free(l);
}

static void post_now(int to, cilk_wire head, const void *payload) { post(new_letter(to, head, payload)); }

/* What the program has printed so far: no more than the pipe holds, so this ends while the program prints on. */
static void send_output(void) {
  char text[65536];
  ssize_t n;
  for (int i = 0; out_fd >= 0 && i < PIPE_PAGES && (n = read(out_fd, text, sizeof text)) > 0; i++) {
    post_now(0, (cilk_wire){.kind = CILK_WIRE_OUTPUT, .size = (uint32_t)n}, text);
    unseen++;
  }
}

static void post_letters(void) {
  for (;;) {
    pthread_mutex_lock(&cilk_dist_here.lock);
    letter *l = first;
    pthread_mutex_unlock(&cilk_dist_here.lock);
    if (!l) return;
    if (l->kind == CILK_WIRE_VALUE) send_output();
    if (l->kind == CILK_WIRE_VALUE && unseen) return;
    pthread_mutex_lock(&cilk_dist_here.lock);
    if (!(first = l->next)) last = &first;
    pthread_mutex_unlock(&cilk_dist_here.lock);
    post(l);
  }
}

/* ---- what comes ---- */

static void print(int from, const char *text, size_t n) {
  rank_state *r = &ranks[from];
  if (!(r->line = realloc(r->line, r->n + n + 1))) cilk_fatal("out of memory (what another rank has printed)");
  memcpy(r->line + r->n, text, n);
  r->n += n;
  char *end = memrchr(r->line, '\n', r->n);
  size_t whole = end ? (size_t)(end - r->line) + 1 : 0;
  fwrite(r->line, 1, whole, stdout);
  memmove(r->line, r->line + whole, r->n -= whole);
}

static CILK_NORETURN void leave(int status) {
  cilk_the_transport.end();
  signal(SIGPIPE, SIG_IGN);
  close(out_fd); /* a worker that prints still is let go: it may hold stdout */
  fflush(NULL);
  _exit(status);
}

static uint64_t processor_us(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000u +
         (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* What is printed goes into the pipe that this thread reads. So it does not wait for a worker that prints much. */
static void last_output(void) {
  uint64_t began_at = cilk_now_ns();
  bool mine = false;
  while (!(mine = ftrylockfile(stdout) == 0) && cilk_now_ns() - began_at < LAST_NS) send_output();
  send_output();
  if (!mine) return;
  fflush(stdout);
  funlockfile(stdout);
  send_output();
}

/* A rank but 0: all is over. */
static CILK_NORETURN void report_and_leave(int status) {
  cilk_dist *d = &cilk_dist_here;
  last_output();
  for (int i = 0; d->ctx && i < d->ctx->nproc; i++) {
    cilk_worker_ext *x = d->ctx->workers[i]->ext;
    cilk_spin_lock(&x->cilk1.lock);
    for (cilk1_home *h = x->cilk1.pools; h; h = h->of_worker) d->stats.threads += cilk1_threads(&h->pool);
    cilk_spin_unlock(&x->cilk1.lock);
  }
  d->stats.processor_us = processor_us();
  post_now(0, (cilk_wire){.kind = CILK_WIRE_BYE, .size = sizeof d->stats}, &d->stats);
  leave(status);
}

static void lose_rank(int rank) {
  rank_state *r = &ranks[rank];
  if (rank == 0) _exit(1); /* main is gone; what started the ranks reports why */
  if (r->dead) return;
  r->dead = true;
  if (!r->bye) cilk_dist_count(&cilk_dist_here.stats.lost, 1);
  if (victim == rank) victim = -1;
  if (!r->bye && !load_relaxed(&ending)) {
    cilk_given_lost(rank);
    cilk_offers_again(rank, 0);
  }
}

/* False: no request was open there. */
static bool close_request(int from) {
  bool was = ranks[from].request_to_it_at != 0;
  ranks[from].request_to_it_at = 0;
  victim = victim == from ? -1 : victim;
  return was;
}

static const char *handle(int from, const cilk_wire *m, const char *payload) {
  cilk_dist *d = &cilk_dist_here;
  switch (m->kind) {
    case CILK_WIRE_REQUEST: ranks[from].request_from_it_at = cilk_now_ns(); return NULL;
    case CILK_WIRE_NONE:
      if (!close_request(from)) return "it answers no request";
      pause_ns = pause_ns * 2 < ASK_MOST_NS ? pause_ns * 2 : ASK_MOST_NS;
      ask_after = cilk_now_ns() + pause_ns / 2 + random_number() % pause_ns;
      return NULL;
    case CILK_WIRE_WORK:
      if (!close_request(from)) return "it answers no request";
      pause_ns = ASK_NS;
      return cilk_take(from, m, payload);
    case CILK_WIRE_VALUE:
      return m->id & CILK_OFFER_ID ? cilk_offer_value(from, m, payload) : cilk_given_value(from, m, payload);
    case CILK_WIRE_RETURN:
      if (m->id & CILK_OFFER_ID) cilk_offers_again(from, m->id);
      else cilk_given_back(from, m->id);
      return NULL;
    case CILK_WIRE_DROP: cilk_call_cancel(from, m->id); return NULL;
    case CILK_WIRE_LOOK:
      if (from || !d->rank) return "only rank 0 looks";
      cilk_stuck_answer(m->id);
      return NULL;
    case CILK_WIRE_STATE: return cilk_stuck_state(m, payload);
    case CILK_WIRE_OUTPUT:
      if (d->rank) return "only rank 0 prints";
      print(from, payload, m->size);
      post_now(from, (cilk_wire){.kind = CILK_WIRE_SEEN}, NULL);
      return NULL;
    case CILK_WIRE_SEEN: unseen -= unseen > 0; return NULL;
    case CILK_WIRE_EXIT:
      if (from || !d->rank) return "only rank 0 ends a program";
      report_and_leave(0);
    case CILK_WIRE_BYE:
      if (d->rank || !load_relaxed(&ending) || m->size != sizeof *reports)
        return "it comes too early, or has another size";
      memcpy(&reports[from], payload, sizeof *reports);
      ranks[from].bye = true;
      return NULL;
    default: return "its kind is unknown";
  }
}

/* A hello. */
static const char *introduced(int from, const char *message, size_t n) {
  char why[1500];
  rank_state *r = &ranks[from];
  switch (r->introduced ? CILK_WELCOME : cilk_hello_check(from, message, n, why, sizeof why)) {
    case CILK_DAMAGED: return "it is damaged";
    case CILK_UNLIKE:
      if (!cilk_dist_here.rank) cilk_fatal("%s", why);
      r->dead = true; /* rank 0 finds it, too, and ends all */
      return NULL;
    default: r->introduced = true; return NULL;
  }
}

static const char *in_turn(int from, const char *message, size_t n) {
  cilk_wire m;
  rank_state *r = &ranks[from];
  const char *wrong = r->introduced ? cilk_wire_check(message, n, &m) : "its sender has not said what it is";
  if (wrong) return wrong;
  int32_t ahead = (int32_t)(m.number - r->came);
  if (ahead <= 0) return NULL; /* it has come before */
  if (ahead > 1) return "one before it is missing";
  r->came++;
  cilk_stuck_got(m.kind);
  return handle(from, &m, message + sizeof m);
}

static void receive(int from, const char *message, size_t n) {
  delay();
  if (ranks[from].dead) return;
  const char *wrong = cilk_hello_is(message, n) ? introduced(from, message, n) : in_turn(from, message, n);
  if (!wrong) return;
  fprintf(stderr, "cilk: rank %d: a message from rank %d was rejected: %s\n", cilk_dist_here.rank, from, wrong);
  if (!cilk_dist_here.rank) lose_rank(from);
  cilk_the_transport.cut(from);
  if (cilk_dist_here.rank) _exit(1);
}

/* ---- requests ---- */

/* True: a request still waits for its answer. */
static bool answer_requests(uint64_t now) {
  int one;
  bool waits = false, nothing = cilk_hungry(&one) == cilk_dist_here.workers;
  for (int r = 0; r < cilk_dist_here.size; r++) {
    if (!ranks[r].request_from_it_at) continue;
    if (ranks[r].dead || load_relaxed(&ending) || cilk_give(r) || cilk_offer_give(r)) ranks[r].request_from_it_at = 0;
    else if (nothing || now - ranks[r].request_from_it_at > ANSWER_NS) {
      ranks[r].request_from_it_at = 0;
      post_now(r, (cilk_wire){.kind = CILK_WIRE_NONE}, NULL);
    } else {
      cilk_give_wanted();
      waits = true;
    }
  }
  return waits;
}

static void request_work(uint64_t now) {
  cilk_dist *d = &cilk_dist_here;
  if (victim >= 0 && now - ranks[victim].request_to_it_at > LATE_NS) victim = -1;
  if (victim >= 0 || now < ask_after || d->size < 2 || load_relaxed(&ending) || !cilk_take_wanted()) return;
  int to = (int)(random_number() % (uint64_t)(d->size - 1));
  to += to >= d->rank;
  if (ranks[to].dead || ranks[to].request_to_it_at) return;
  victim = to;
  ranks[to].request_to_it_at = now;
  cilk_dist_count(&d->stats.requests, 1);
  post_now(to, (cilk_wire){.kind = CILK_WIRE_REQUEST}, NULL);
}

/* ---- the loop ---- */

/* Rank 0, all is over. True: the others have reported, are dead, or are too late. */
static bool all_sent_bye(uint64_t since) {
  for (int r = 1; r < cilk_dist_here.size; r++)
    if (!ranks[r].bye && !ranks[r].dead) return cilk_now_ns() - since > patience_ns;
  return true;
}

static void loop(void) {
  cilk_dist *d = &cilk_dist_here;
  uint64_t since = 0;
  int one;
  if (d->rank) greet(0);
  for (;;) {
    uint64_t now = cilk_now_ns(), wait = QUIET_NS;
    if (load_acquire(&ending) && !since) {
      since = now;
      for (int r = 1; r < d->size; r++) post_now(r, (cilk_wire){.kind = CILK_WIRE_EXIT}, NULL);
    }
    if (since && all_sent_bye(since)) return;
    send_output();
    cilk_offers_look();
    bool waits = answer_requests(now);
    cilk_offers_ask(waits);
    if (!since) cilk_stuck_ask(now);
    post_letters();
    if (waits) wait = ASK_NS;
    else if (since) wait = END_NS;
    else if (cilk_hungry(&one)) {
      request_work(now);
      wait = victim >= 0 ? QUIET_NS : ask_after > now ? ask_after - now : ASK_MOST_NS;
    }
    int from = -1, got;
    void *bytes = NULL;
    size_t n = 0;
    while ((got = cilk_the_transport.poll(wait, out_fd, &from, &bytes, &n))) {
      if (got < 0) lose_rank(from);
      else receive(from, bytes, n);
      free(got < 0 ? NULL : bytes);
      wait = 0;
    }
  }
}

static void *courier(void *unused) {
  cilk_dist *d = &cilk_dist_here;
  (void)unused;
  const char *why = cilk_the_transport.start(&d->rank, &d->size);
  if (why) cilk_fatal("--dist=%s: %s", cilk_the_transport.name, why);
  const char *text = getenv("CILK_DIST_DELAY"); /* in us */
  delay_ns = text ? strtoull(text, NULL, 10) * 1000 : 0;
  text = getenv("CILK_DIST_TWICE"); /* one message in so many */
  send_twice_each = text ? strtoull(text, NULL, 10) : 0;
  random_state = (cilk_now_ns() ^ (uint64_t)(d->rank + 1) << 40) | 1;
  ranks = calloc((size_t)d->size, sizeof *ranks);
  reports = calloc((size_t)d->size, sizeof *reports);
  if (!ranks || !reports) cilk_fatal("out of memory");
  pthread_mutex_lock(&d->lock);
  started = true;
  pthread_cond_broadcast(&changed);
  while (!prepared) pthread_cond_wait(&changed, &d->lock);
  pthread_mutex_unlock(&d->lock);
  if (d->ctx) loop();
  else if (d->rank) greet(0);
  cilk_the_transport.end();
  pthread_mutex_lock(&d->lock);
  over = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&d->lock);
  return NULL;
}

/* ---- begin and end ---- */

void cilk_courier_begin(void) {
  cilk_dist *d = &cilk_dist_here;
  int e = pthread_create(&thread, NULL, courier, NULL);
  if (e) cilk_fatal("cannot create the thread that talks to other ranks: %s", strerror(e));
  pthread_mutex_lock(&d->lock);
  while (!started) pthread_cond_wait(&changed, &d->lock);
  pthread_mutex_unlock(&d->lock);
}

void cilk_courier_workers(cilk_context *ctx) {
  cilk_dist *d = &cilk_dist_here;
  int both[2];
  if (ctx && d->rank && pipe2(both, O_CLOEXEC) == 0 && dup2(both[1], 1) >= 0) {
    close(both[1]);
    fcntl(both[0], F_SETFL, O_NONBLOCK);
    out_fd = both[0];
  }
  pthread_mutex_lock(&d->lock);
  d->ctx = ctx;
  d->workers = ctx ? ctx->opt.nproc : 0;
  prepared = true;
  began = cilk_now_ns();
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&d->lock);
  if (!ctx) pthread_join(thread, NULL);
}

static void table(uint64_t ns) {
  fprintf(stderr, "%4s %14s %9s %7s %7s %6s %9s %12s %12s %9s\n", "rank", "threads", "requests", "steals", "given",
      "again", "messages", "bytes", "bytes/steal", "seconds");
  for (int r = 0; r < cilk_dist_here.size; r++) {
    const cilk_rank_stats *s = &reports[r];
    fprintf(stderr, "%4d %14llu %9llu %7llu %7llu %6llu %9llu %12llu %12.0f %9.3f%s\n", r,
        (unsigned long long)s->threads, (unsigned long long)s->requests, (unsigned long long)s->steals,
        (unsigned long long)s->given, (unsigned long long)s->again, (unsigned long long)s->messages,
        (unsigned long long)s->bytes, s->steals ? (double)s->work_bytes / (double)s->steals : 0.0,
        (double)s->processor_us * 1e-6, r && !ranks[r].bye ? "  (lost)" : "");
  }
  fprintf(stderr, "main took %.3f s\n", (double)ns * 1e-9);
}

void cilk_courier_end(void) {
  cilk_dist *d = &cilk_dist_here;
  pthread_mutex_lock(&d->lock);
  if (d->rank != 0 || over || pthread_equal(pthread_self(), thread)) {
    pthread_mutex_unlock(&d->lock);
    return;
  }
  uint64_t took = cilk_now_ns() - began;
  store_release(&ending, 1u);
  cilk_the_transport.wake();
  while (!over) pthread_cond_wait(&changed, &d->lock);
  pthread_mutex_unlock(&d->lock);
  for (int r = 1; r < d->size; r++)
    if (ranks[r].n) fwrite(ranks[r].line, 1, ranks[r].n, stdout);
  fflush(stdout);
  for (int i = 0; i < d->ctx->nproc; i++) d->stats.threads += load_relaxed(&d->ctx->workers[i]->threads);
  d->stats.processor_us = processor_us();
  reports[0] = d->stats;
  if (d->ctx->opt.stats) table(took);
}
