/* main.c - the start of a program that was linked with --dist. It takes the place of process/main.c. */
#include "dist/dist.h"
#include "process/init.h"
#include "schedule/threads.h"
#include "steal/halt.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const cilk1_abroad_table abroad = {&cilk_dist_work_source, cilk_given_over, cilk_offer, cilk_offer_taken};
const char cilk_dist_start = 1;           /* what --dist asks the linker for */

/* ---- ranks but 0 ---- */

static void serve(void *args, void *result) {
  (void)args, (void)result;
  cilk_worker *w = cilk1_worker();
  cilk1_root(w, 0);
  cilk1_run *run = cilk1_home_of(w->pool)->run;
  cilk1_activity(run, 1);                 /* until the process ends */
  store_release(&cilk_dist_here.serves, run);
}
static const cilk_root server = {serve, "a rank that serves", 0, 0};

/* The options of all ranks are the same: rank 0 reports what is wrong with them. */
static int quietly_create(int *argc, char **argv, cilk_context **ctx) {
  int kept[2] = {-1, -1}, nothing = cilk_dist_here.rank ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  for (int fd = 1; nothing >= 0 && fd <= 2; fd++) {
    kept[fd - 1] = dup(fd);
    dup2(nothing, fd);
  }
  int status = cilk_context_create(argc, argv, ctx);
  fflush(NULL);
  for (int fd = 1; nothing >= 0 && fd <= 2; fd++) {
    dup2(kept[fd - 1], fd);
    close(kept[fd - 1]);
  }
  if (nothing >= 0) close(nothing);
  return status;
}

static void at_exit(void) { cilk_courier_end(); }

/* No socket may get the number of a closed stdout: what is printed would go there. Here writing fails, as it would. */
static void occupy_standard_files(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv, char **envp) {
  cilk_dist *d = &cilk_dist_here;
  if (cilk_main_root.args_size == CILK_ROOT_SERIAL) {
    fprintf(stderr, "cilk: --serial and --dist exclude each other\n");
    return 1;
  }
  occupy_standard_files();
  int launched = cilk_the_transport.launch(argv);
  if (launched >= 0) return launched;
  cilk_remote_begin();
  cilk1_abroad = &abroad;
  cilk_courier_begin();
  cilk_context *ctx = NULL;
  cilk_more_workers = cilk_envoys();
  cilk_each_has_thread = true;
  int created = quietly_create(&argc, argv, &ctx);
  const cilk_options *o = ctx ? &ctx->opt : NULL;
  const char *not_with = !o                                                 ? NULL
                         : o->simulate                                      ? "simulate"
                         : o->checkpoint_file || o->restart_file            ? "checkpoint"
                         : o->elastic                                       ? "elastic"
                         : o->record_file || o->replay_file || o->replay.on ? "sched"
                                                                            : NULL;
  if (not_with) {
    if (!d->rank) fprintf(stderr, "--%s does not work with several machines\n", not_with);
    created = 2;
  }
  if (created) {
    cilk_courier_workers(NULL);
    return created == 1 ? 0 : 1;
  }
  ctx->main_root = &cilk_main_root;
  store_release(&ctx->work_source, &cilk_dist_work_source);
  if (cilk_more_workers) cilk_activate(ctx, o->nproc);
  if (Cilk_each_rank) Cilk_each_rank(d->rank, d->size, argc, argv);
  cilk_courier_workers(ctx);
  if (d->rank) {
    cilk_rt_call_root(ctx, &server, NULL, NULL);
    cilk_fatal("rank %d has nothing to serve", d->rank);
  }
  atexit(at_exit);
  struct {
    int argc;
    char **argv, **envp;
  } args = {argc, argv, envp};
  int status = 0;
  cilk_rt_call_root(ctx, &cilk_main_root, &args, &status);
  cilk_courier_end();
  Cilk_terminate(ctx);
  return status;
}
