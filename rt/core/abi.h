/* abi.h - the contract between generated code and the runtime.
 *
 * Generated code reads and writes the structures below at the offsets that this header gives them. Codegen takes the
 * offsets with offsetof. Generated code calls the functions at the end of this header. Codegen also includes
 * cilk1/cilk1.h (threads) and the abi.h of the tools (race, memory, profile). All other headers of rt/ are private to
 * the runtime. This header is C17 and C++20, the same for all LP64 targets.
 *
 * The picture (Frigo, Leiserson, Randall, PLDI'98, sections 4 and 5; Strumpen, MIT/LCS/TM-580, section 4):
 *
 *   worker    one pthread. Its hot part is the thread-local object `cilk_self`. So generated code reaches T, E, the
 *             release flag and the closure free lists with one thread-pointer-relative instruction.
 *   closure   the heap frame of one procedure instance: a header, then the slots that codegen lays out.
 *             A closure is *attached* while a C activation of its procedure waits for a child on some worker's stack.
 *             Its state is CILK_ATTACHED, and only sig, entry and blocks of the header have a meaning then. A closure
 *             is *full* once it was stolen, released or resumed.
 *   link      what connects a child that is out to its parent: parent closure, entry of the spawn, return record
 *             (receiver address, evaluated extra inlet arguments) and, when it came back early, its result.
 *             THE RETURN RECORD BELONGS TO THE CHILD: it is copied from the parent's slots into a link when the parent
 *             is stolen or released, under the parent's lock, before the parent resumes.
 *   segment   the piece of a worker's C stack between one scheduler frame and the top, or the next scheduler frame. (A
 *             C call on a worker that runs a nested root makes another scheduler frame.) The base link of a segment
 *             says where the bottom activation delivers.
 *
 * Ownership and thread-safety are stated at each entity.
 */
#ifndef CILK_RT_ABI_H
#define CILK_RT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CILK_ABI_VERSION 8u

typedef struct cilk_worker cilk_worker;
typedef struct cilk_closure cilk_closure;
typedef struct cilk_link cilk_link;
typedef struct cilk_sig cilk_sig;
typedef struct cilk_entry cilk_entry;
typedef struct cilk_slot_info cilk_slot_info;
typedef struct cilk_root cilk_root;
typedef struct cilk_private cilk_private;
typedef struct cilk_trace_site cilk_trace_site;
typedef struct cilk_point_site cilk_point_site;
typedef struct cilk_step_scope cilk_step_scope;
struct cilk_views;

/* ---- signatures: constant data, one per Cilk procedure, symbol `f.sig` (local unless f is external) ------------ */

/* The slow clone: resumes procedure c->sig at c->entry on the calling worker. Returns to the scheduler when the
 * procedure has returned (after cilk_rt_return), was suspended at a sync, was stolen, released or aborted. It never
 * touches c afterwards. */
typedef void cilk_slow_fn(cilk_worker *self, cilk_closure *c);

/* Delivers one child's result into its parent: the store, the `op=`, or the inlet with its body. `record` is the
 * child's return record, `result` the value that the child returned (NULL for void). Runs while no thread of the
 * parent's instance runs. For entries flagged CILK_ENTRY_INLET it runs user code: no runtime lock is held, it may call
 * cilk_rt_abort(parent). */
typedef void cilk_deliver_fn(cilk_closure *parent, void *record, void *result);

enum {
  CILK_ENTRY_INLET = 1u,            /* deliver runs user code (an inlet with a body) */
  CILK_ENTRY_RECEIVER = 2u,         /* the record begins with the receiver's address */
       /* the receiver is the value of a future; without RECEIVER it is in the closure, at record_offset */
  CILK_ENTRY_FUTURE = 4u,
       /* before a touch: an instance that is suspended here waits for one future, not for all children */
  CILK_ENTRY_TOUCH = 8u
};

enum {
  CILK_SIG_BLOCKS = 1u,             /* the procedure may attach alloca/VLA blocks to its closure */
       /* flags from this bit on: bytes of its closure's array space (see VLAs below) */
  CILK_SIG_ARRAYS = 16
};

/* Calls the fast clone: unpacks `args` (a struct of the parameters in order), stores the result at `result`. */
typedef void cilk_thunk_fn(void *args, void *result);

/* The calling thread's copy of a private variable. */
typedef void *cilk_private_fn(void);

#define CILK_ABI_BEGIN(name) struct name {
#define CILK_ABI_FIELD(kind, type, name) type name;
#define CILK_ABI_END \
  } \
  ;
#include "abi.def"
#undef CILK_ABI_BEGIN
#undef CILK_ABI_FIELD
#undef CILK_ABI_END

/* ---- futures ------------------------------------------------------------------------------------------------------
 *
 * What comes before the value of a future. It is in the frame of the procedure that spawns into the future. The frame
 * lives until all of that procedure's children are gone. Generated code stores PENDING before the child can be seen. A
 * fast clone stores FULL when the child has returned: no closure can be waiting there. Generated code reads `state`
 * (acquire), and the runtime does all else. EMPTY is 0. Where steps have an order the runtime stores ORDERED in place
 * of FULL. Generated code compares with FULL alone, so every touch enters the runtime then. */
enum { CILK_FUTURE_EMPTY = 0, CILK_FUTURE_PENDING, CILK_FUTURE_BUSY, CILK_FUTURE_FULL, CILK_FUTURE_ORDERED };
typedef struct cilk_future {
  uint64_t state;                        /* atomic; BUSY is a lock over `waiters` */
  /* the closures suspended at a touch (link.h); once it is full: with -cilk-span, the child's path (span.h) */
  cilk_link *waiters;
} cilk_future;
#define CILK_FUTURE_HEADER 16u

/* ---- closures -------------------------------------------------------------------------------------------------- */

/* Values of cilk_closure.state. Generated code never reads or writes it; a closure on a free list is ATTACHED, so that
 * the fast path needs no store. The transitions are in PROTOCOLS.md. */
enum {
  /* its activation is on the stack of the worker on whose deque it is (or that runs it) */
  CILK_ATTACHED = 0,
  /* full, no activation, on a deque or among the orphans: resume through the slow clone */
  CILK_READY,
  CILK_TAKEN,                            /* the same, in one worker's hand */
  /* full, its slow clone is running a thread or waits (pushed) for a child on that stack */
  CILK_RUNNING,
  /* full, no activation: waits at a sync or a touch, or was aborted and waits for its children */
  CILK_SUSPENDED,
  /* was SUSPENDED, READY, or RUNNING and pushed; some worker runs its pending deliveries */
  CILK_DELIVERING,
  /* DELIVERING, and taken off its deque meanwhile: the deliverer goes on with it */
  CILK_HANDED,
  CILK_RETURNED                          /* being taken apart */
};

struct __attribute__((aligned(64))) cilk_closure {
  /* Written by generated code. */
  const cilk_sig *sig;                   /* at allocation */
  uint32_t entry;                        /* resumption point, before each push and each sync */
  uint32_t state;                        /* runtime only (atomic) */
  /* chain of Cilk_alloca / alloca / VLA blocks, NULL when fresh; owner of the instance */
  void *blocks;
  cilk_closure *next;                    /* free list; release chain (runtime, owner) */
  /* Valid once full; runtime only, guarded by `lock`. */
  uint32_t lock;
  /* children that are out: links whose parent is this closure and not yet delivered */
  int32_t join;
  cilk_link *link;                       /* this instance's own link to its parent (owner) */
  /* links of the children that are out, or that keep a place for a map of views */
  cilk_link *children;
  /* children that returned, their deliveries wait for the next thread boundary */
  cilk_link *pending;
  cilk_worker *worker;                   /* where it is ATTACHED/RUNNING/READY on a deque */
  uint64_t work, span;                   /* -cilk-span: of the threads done so far; ns. -cilk-strands: its strands */
  uint64_t magic;                        /* -cilk-debug */
  uint64_t aborts;                       /* how often this instance aborted its children */
  uint64_t longest;                      /* -cilk-span: the longest path that ends in a child that has joined; ns */
  uint64_t number;                       /* when there is an order of steps (data/step.h): it is known by this */
  /* The slots follow at offset sizeof(cilk_closure) = CILK_CLOSURE_HEADER. */
};
#define CILK_CLOSURE_HEADER 128u

/* Free lists: class k holds closures of 64*(k+1) bytes. Larger closures come and go by function only. All closures are
 * 64-byte aligned. */
enum { CILK_FREE_CLASSES = 16, CILK_FREE_UNIT = 64 };

/* ---- the worker's hot part ------------------------------------------------------------------------------------- */

/* ---- pedigrees ----------------------------------------------------------------------------------------------------
 *
 * The name of a strand, as a list of ranks (stdlib/cilk/cilk_api.h). A *level* is what one spawned procedure and all
 * that it calls do: strands one after the other, which `rank` counts. `parent` is the place of the spawn in the level
 * of the parent, and constant. A thread that is no worker has a level, too. A loop has one whose rank stays 0, and each
 * of its iterations has one.
 *
 * Every instance of a procedure of a unit with pedigrees has a frame, in its closure if it spawns. */
typedef struct cilk_level {
  uint64_t rank;
  struct cilk_level *parent;             /* NULL: the outermost */
} cilk_level;                            /* a __cilkrts_pedigree */
typedef struct cilk_pedigree_frame {
  cilk_level *at; /* the level of the strands of this instance: its own, or that of its caller */
  cilk_level own, up; /* of a spawned instance, and its place in the parent */
  cilk_level iteration, in_loop; /* the same of an iteration */
} cilk_pedigree_frame;
enum { CILK_PEDIGREE_WORDS = 9 };

struct cilk_worker {
  /* Line 0: written by the owner only, but for `threads`: a computation of Cilk-1 that ends adds to it atomically. */
  cilk_closure **tail; /* T: next free place of the deque. Owner stores (release); thieves load. */
  cilk_closure *free_list[CILK_FREE_CLASSES]; /* owner only */
  int32_t id; /* Self: 0 .. nproc-1; -1 in a thread that is no worker */
  int32_t nproc; /* Cilk_active_size */
  uint64_t arrays; /* all ones: closures have array spaces (see VLAs below), else 0 */
  uint64_t threads; /* -cilk-profile: generated code adds 1 wherever a thread ends */
  uint64_t units; /* -cilk-span=count: generated code adds what the running thread does */
  /* of the thread of Cilk-1 that runs, if one does (cilk1/cilk1.h); owner only */
  struct cilk1_pool *pool;
  /* the reducers' views of the strand that runs (see reducers below); NULL: each object is its view */
  struct cilk_views *views;
  /* Builds with pedigrees. */
  cilk_level *level; /* of the strand that runs; NULL: not known */
  cilk_level *spawner; /* between a spawn and the child's begin: the parent's level, else NULL */
  uint64_t spawner_rank; /* the parent's rank at that spawn */
  cilk_level own_level; /* of a thread that is no worker */
  /* A line of its own: written rarely, under the worker's lock, so that its next pop enters the runtime. */
  __attribute__((aligned(64)))
  /* E: the owner may not pop below it; > T means an exception (PLDI'98 section 5) */
  cilk_closure **exc;
  /* A line of its own: the lazy strategy's flag. Not 0: the next test enters the runtime. Generated code loads it
   * relaxed. Other threads raise it by a fetch_or of 1 (release). Only the owner clears it (data/worker.h). */
  __attribute__((aligned(64))) uint32_t release;
  /* The runtime's own part; generated code does not look here. */
  __attribute__((aligned(64))) struct cilk_worker_ext *ext;
};

/* TLS model: local-exec in executables, initial-exec under -fPIC. In a thread that is no worker it is zero but id =
 * -1. */
extern __thread cilk_worker cilk_self __attribute__((tls_model("initial-exec")));

/* ---- eager spawn: what generated code does inline (both clones; slow clones under both strategies) ----------------
 *
 *   c        = closure (allocated at entry if the procedure has residents, else at the first spawn):
 *                k = class of sig->closure_size; c = cilk_self.free_list[k]; if (c) cilk_self.free_list[k] = c->next;
 *                else c = cilk_rt_closure_alloc(sig);          c->sig = sig;
 *   save     dirty live variables and the return record of entry e; c->entry = e;
 *   push     t = cilk_self.tail; *t = c; store-release cilk_self.tail = t + 1;
 *   call     r = f.fast(args);
 *   pop      store cilk_self.tail = t; compiler fence (no machine fence: the thief issues membarrier(2));
 *            if (cilk_self.exc > t) { if (cilk_rt_pop_exception(&r, sizeof r) != CILK_CONTINUE) return dummy; }
 *   deliver  receiver = r (or op=, or the inlet's body, inline).
 *            In slow clones the store of tail is a sequentially consistent exchange, and so is the load of exc: they
 *            run rarely, and a thief can then take a slow clone's closure without making all workers fence.
 *   return   fast: if (c) put it on its free list (cilk_rt_closure_free if it has blocks or is large); return value.
 *            slow: save the value; implicit sync; cilk_rt_return(c, &value, size); return.
 *   sync     fast: nothing. slow: save, c->entry = e; if (cilk_rt_sync(c) != CILK_CONTINUE) return;
 *
 * The address in the record and the arguments are evaluated in the order receiver address, extra inlet arguments,
 * arguments, all before the push.
 *
 * Under -fsanitize=thread and on targets without an asymmetric barrier, codegen emits a seq_cst exchange for the store
 * of tail in pop instead. cilk_rt_needs_fence says which of the two the runtime was built for. This is a link-time
 * property of the flavour. */

/* ---- lazy spawn: what generated code does inline in fast clones ---------------------------------------------------
 *
 *   before the first spawn of the procedure (where not proved useless):
 *            if (unlikely(cilk_self.release)) switch (cilk_rt_release(CILK_AT_SPAWN)) {
 *              case CILK_CONTINUE: break;
 *              case CILK_INITIATE: c = cilk_rt_release_frame(sig, own_closure_or_NULL, e); save live variables; return
 *              dummy; case CILK_UNWIND:   free own closure if any (cilk_rt_closure_free); return dummy; }
 *   call     r = f.fast(args);
 *   test     if (unlikely(cilk_self.release)) switch (cilk_rt_release(CILK_AFTER_CALL)) {
 *              case CILK_CONTINUE: break;                        // deliver r and go on
 *              case CILK_INITIATE: deliver r; c = cilk_rt_release_frame(sig, own, e'); save; return dummy;
 *                                                                // e' resumes after the delivery; it has no record
 *              case CILK_PROPAGATE: c = cilk_rt_release_frame(sig, own, e); save + the return record of e; return
 *              dummy;
 *                                                                // r is a dummy and is not looked at
 *              case CILK_UNWIND:   free own closure if any; return dummy; }
 *
 * e and e' may be the same entry: whether a delivery is pending is known to the runtime (a released closure has an
 * outstanding child exactly if its frame was not the youngest).
 *
 * Slow clones of lazy programs push and pop as above; the runtime raises E where a child was released. Under both
 * strategies a slow clone may get CILK_SKIP there. Then a delivery that was waiting ran first, and aborted all children
 * that were out. One of them is the child that has just returned, and its result is not delivered.
 */
enum cilk_verdict {
  CILK_CONTINUE = 0, /* nothing happened after all: go on */
  CILK_UNWIND = 1, /* return a dummy at once; the closure (if pushed) is no longer yours */
  CILK_INITIATE = 2,
  CILK_PROPAGATE = 3,
  /* go on after the delivery: the child's result is dropped, its siblings' inlets aborted it */
  CILK_SKIP = 4
};
enum cilk_release_point { CILK_AT_SPAWN = 0, CILK_AFTER_CALL = 1, CILK_AT_TOUCH = 2 };

/* ---- functions called by generated code ---------------------------------------------------------------------------
 * All run on the calling worker's thread. None throws; running out of memory prints a message and ends the process. */

cilk_closure *cilk_rt_closure_alloc(const cilk_sig *sig); /* never NULL; sets sig; state ATTACHED, blocks NULL */
void cilk_rt_closure_free(cilk_closure *c); /* with its blocks; any size */

/* -fsanitize=address, in this flavour of the runtime alone: a fast clone has taken c, and has red zones put around the
 * objects in it that never move. From zones[0] to zones[1] of the closure there are zones[2] objects, and for each its
 * place and its bytes; what is between them are zones. */
void cilk_rt_zones(cilk_closure *c, const uint32_t *zones);

/* Cilk_alloca and alloca in Cilk procedures: n bytes aligned to 16 (or to `align`, a power of two), freed with c. The n
 * may be 0. Only the worker that runs a thread (or inlet) of c's instance may call it and the next two. */
void *cilk_rt_alloca(cilk_closure *c, size_t n, size_t align);
/* VLAs. The end of a closure may be an array space: fast clones put small VLAs there, one after the other. A fast clone
 * keeps in a register how much of the space is left. At the end of a scope it sets the register back, which frees the
 * scope's VLAs. A VLA that does not fit is a block. What is in the space stays where it is when the frame is stolen;
 * slow clones use blocks only. Memory that goes to another process must have a type for each array. Blocks have one,
 * the space has not. So closures have no space in a process whose memory may go (cilk_worker.arrays is 0).
 *
 * This is cilk_rt_alloca for a VLA. In slow clones `number` is that of the VLA in the procedure, from 1. If its
 * declaration comes again and no child is out, its memory is used again. Number 0: only cilk_rt_vla_reset or the end of
 * the instance frees it. */
void *cilk_rt_vla(cilk_closure *c, size_t n, size_t align, unsigned number);
/* Where the block of a VLA ends: frees the VLAs made since mark = c->blocks was read. */
void cilk_rt_vla_reset(cilk_closure *c, void *mark);

/* Pop met E > T (T already holds the popped position). CONTINUE (slow clones also SKIP): the pop is valid, pending
 * deliveries of a full closure were run; go on with r. UNWIND: the frame was stolen (r was delivered through the
 * segment's base link), released below, or aborted (the closure was freed): return a dummy without touching
 * anything. */
int cilk_rt_pop_exception(void *result, size_t size);

/* slow clones; CONTINUE or UNWIND (suspended or aborted) */
int cilk_rt_sync(cilk_closure *c);
/* Futures. In slow clones c->entry is the touch's: CONTINUE, it has its value; else UNWIND, as for a sync. */
int cilk_rt_touch(cilk_closure *c, cilk_future *f);
/* A declaration of futures comes again, in these `size` bytes: the same, until no child is out that would fill one */
int cilk_rt_renew(cilk_closure *c, void *variable, size_t size);
void cilk_rt_begin(cilk_future *f); /* slow clones: PENDING */
/* slow clones: its value is stored (or its child aborted) */
void cilk_rt_fill(cilk_future *f);
/* Fast clones, at another's future that is not full. Lazy: CONTINUE, it is full now; INITIATE, UNWIND as at other
 * tests. Eager: the closure is saved and pushed, and is popped here: CONTINUE, it is full now; else UNWIND. */
int cilk_rt_touch_test(cilk_future *f);
int cilk_rt_touch_leave(cilk_future *f);
__attribute__((noreturn)) void cilk_rt_touch_empty(cilk_future *f); /* nothing was spawned into it */

/* slow clones and inlets; 1 iff no child is out. In an inlet its own child does not count */
int cilk_rt_synched(cilk_closure *c);
/* slow clones and inlets: abort all children that are out */
void cilk_rt_abort(cilk_closure *c);
void cilk_rt_return(cilk_closure *c, void *value, size_t size); /* slow clones, after the implicit sync; consumes c */

int cilk_rt_release(int point); /* cilk_release_point -> cilk_verdict */
/* After INITIATE or PROPAGATE: the frame becomes a closure that goes on at `entry`. own is what the frame has already,
 * or NULL. Returns the closure to save into, never NULL; it is the runtime's when the frame has returned. */
cilk_closure *cilk_rt_release_frame(const cilk_sig *sig, cilk_closure *own, uint32_t entry);

/* ---- reducers -----------------------------------------------------------------------------------------------------
 *
 * A reducer is an object with two functions. `identity` makes a new view in zeroed memory (NULL: zeroed memory is one).
 * `reduce(left, right)` makes left what both were together, and ends right's content (NULL: nothing is done). The
 * storage of a view belongs to the runtime. Both run on any worker as plain C, with no lock held; a lookup inside of
 * them ends the process with a message.
 *
 * A *map* is what one strand has of all reducers: their views. cilk_self.views is the map of the strand that runs.
 * NULL: every object is its own view. That is so in the leftmost strand of a computation, and in threads that are no
 * workers. So a lookup is
 *
 *            m = cilk_self.views;  view = m ? cilk_rt_view(m, &object, size, align, identity, reduce) : &object;
 *
 * The strand keeps its map and the map its views, so the same lookup has the same result until the strand ends. A
 * strand ends at a spawn, at a sync, at a touch, and at a call that may release frames. While a fast clone goes on
 * after such a place, its strand has not ended. So one activation of a fast clone, or of C code, may load
 * cilk_self.views once, and look each object up once. A slow clone loads it again after each entry, after each pop that
 * went into the runtime, and after each sync and touch.
 *
 * A child has the map of its parent. What comes after a spawn has that same map as long as the parent was not stolen or
 * released meanwhile; else it begins with none of the views, and the runtime brings the maps together in the order of
 * the serial execution. Order of views is order of strands: what a strand does in a view comes after all that the
 * strands before it do in theirs. */
void *cilk_rt_view(struct cilk_views *views, void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
/* An object that begins to exist is its own view in the strand that makes it: local reducers after their initialiser,
 * objects of the heap. Where that map is NULL nothing is to be done, so generated code asks first. It ends where all
 * children that may use it have joined. */
void cilk_rt_view_register(void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
void cilk_rt_view_unregister(void *object);
/* For slow clones, after a touch that found its future full without asking the runtime. Called if the future's child
 * may be the last one that was spawned. What that child did in views comes into the strand's own map, as in
 * cilk_rt_touch. c->entry is any of c's. */
void cilk_rt_view_joined(cilk_closure *c);
/* The same for C, by OpenCilk's names; on any thread. A view that the runtime makes is aligned to 64 bytes. */
void *__cilkrts_reducer_lookup(void *key, size_t size, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
void __cilkrts_reducer_unregister(void *key);

/* ---- builds with pedigrees ------------------------------------------------------------------------------------- */
void cilk_rt_pedigree_begin(cilk_pedigree_frame *f); /* an instance begins */
/* before other workers can see the child: what begins on this worker next is that child */
void cilk_rt_pedigree_spawn(cilk_pedigree_frame *f);
void cilk_rt_pedigree_resume(cilk_pedigree_frame *f); /* the instance goes on here */
void cilk_rt_pedigree_iteration(cilk_pedigree_frame *f, uint64_t number);
/* at a sync. loop: not 0 in the procedure of a loop, where only the level of an iteration counts the sync */
void cilk_rt_pedigree_join(cilk_pedigree_frame *f, uint32_t loop);
/* joins: not 0 if the procedure spawns. Its end counts as a sync, if it was called */
void cilk_rt_pedigree_end(cilk_pedigree_frame *f, uint32_t joins);

/* ---- roots: calls from C --------------------------------------------------------------------------------------- */

struct CilkContext;
/* The export stub mt_f(ctx, args...) packs its arguments and calls this. Blocks until the computation is done. ctx may
 * be NULL only on a worker (nested root on that worker's stack). Any thread. A context runs one computation at a time:
 * other calls wait. args and result are the caller's, of root->args_size and root->result_size bytes. */
void cilk_rt_call_root(struct CilkContext *ctx, const cilk_root *root, void *args, void *result);

/* OpenCilk: a C function that has become a procedure calls this with its packed arguments. On a worker it is a nested
 * root. Elsewhere the process has contexts for all such calls: it takes one that runs nothing, or makes a new one. Any
 * thread. */
void cilk_rt_enter(const cilk_root *root, void *args, void *result);

/* A Cilk main (`main` or `cilk_main`) is emitted as this object, which the start-up object runs, pulled in only if
 * there is no C `main`. args are {int argc; char **argv; char **envp}, as many as main takes; result is an int, 0 for a
 * void main. args_size CILK_ROOT_SERIAL (--serial): the thunk is main itself, a C function. */
#define CILK_ROOT_SERIAL 0xffffffffu
extern const cilk_root cilk_main_root;

/* ---- builds with -cilk-profile and -cilk-span ------------------------------------------------------------------- *
 * -cilk-profile: generated code of both clones adds 1 to cilk_self.threads before each spawn, at each sync and at each
 * return. -cilk-span: every instance has a closure from its entry on (both clones, both strategies), and generated code
 * calls these. Times are nanoseconds, or units (-cilk-span=count). c->work and c->span are what Cilk_user_work and
 * Cilk_user_critical_path read. */
void cilk_rt_span_begin(cilk_closure *c); /* fast clone, at entry, c just allocated: its first thread begins */
/* a thread ends: before the push or call of a spawn, and before each sync */
void cilk_rt_span_end(cilk_closure *c);
/* the pop or test said CONTINUE or INITIATE: the child's totals join, a thread begins */
void cilk_rt_span_joined(cilk_closure *c);
/* past a sync (fast clone: at it; slow clone: at its resumption point): a thread begins */
void cilk_rt_span_synched(cilk_closure *c);
/* fast clones: the child that joined last fills f. From here on f's `waiters` has the path of that child */
void cilk_rt_span_filled(cilk_future *f);
/* after a touch of f: a thread ends and begins (in a slow clone it may have ended before) */
void cilk_rt_span_touched(cilk_closure *c, const cilk_future *f);
/* past the implicit sync, before c is freed or given to cilk_rt_return */
void cilk_rt_span_return(cilk_closure *c);
/* defined by objects compiled with -cilk-span=count: threads are as long as their units */
extern const char cilk_units_build __attribute__((weak));
/* -cilk-span=count: the inlet of the child that joined c last is over; what it did is in units */
void cilk_rt_units_delivered(cilk_closure *c);
long long cilk_rt_user_work(cilk_closure *c); /* c may be NULL (no span build): 0 */
long long cilk_rt_user_critical_path(cilk_closure *c);

/* 1 if the runtime was built for pops that fence (see eager spawn above). */
extern const int cilk_rt_needs_fence;

/* ---- private variables ------------------------------------------------------------------------------------------ *
 * `private T v;` is a thread-local variable (one copy per worker: workers are threads). Its defining object puts a
 * cilk_private (abi.def) into the section "cilk_private" (8-byte aligned, no padding between). The cilk_private has a
 * small function that returns the calling thread's &v. Worker 0 shares the copy of the thread that called:
 * cilk_rt_call_root copies it in before a computation and back after it. */

/* ---- images: the program and the shared libraries that share a runtime ------------------------------------------ *
 * A program with Cilk objects has the runtime; a shared library has one, too, and uses it only where the program has
 * none (rt/core/base/module.c). Every image reports to its runtime how it was compiled, when it is loaded. */
typedef struct cilk_module {
  uint32_t abi_version;
  const char *group; /* of abi_tags.def */
  const char *flags; /* of cilkc; equal in all modules of one group */
  const cilk_private *privates, *privates_end; /* the image's private variables; in one group only */
  const void *image; /* the same in all modules of an image, and in no other */
  struct cilk_module *next;
  uint64_t number; /* among all that have joined the runtime, from 1 on */
} cilk_module;
void cilk_rt_join(cilk_module *module);
/* all its modules have joined: a disagreement with another image ends the process with a message that names both */
void cilk_rt_agree(const void *image);
void cilk_rt_leave(cilk_module *module);

/* ---- ABI tags ------------------------------------------------------------------------------------------------- *
 * Every object with Cilk procedures refers to one symbol cilk_GROUP_VALUE of each group of abi_tags.def. The groups are
 * its spawn strategy (cilk_spawn_lazy), its form, and each mode of the table (cilk_debug_off). If two objects have
 * different values, the linker reports a multiple definition whose name has the group. A value that the linked flavour
 * of the runtime does not support is an undefined reference. */

/* ---- -cilk-explore (replay/points.c) ----------------------------------------------------------------------- */
enum {
  CILK_PLACE_READ,
  CILK_PLACE_WRITE,
  CILK_PLACE_ATOMIC,
  CILK_PLACE_SPAWN,
  CILK_PLACE_CALL,
  CILK_PLACE_YIELD,
  CILK_PLACE_BEGIN
};
void cilk_rt_point(uint32_t kind, const void *place, const cilk_point_site *site); /* before it is done */
/* -cilk-step (replay/step.c): the same worker comes to a point next. `variables`: where those of the scope are.
 * `memory`: what is accessed there, an object of this type and size; NULL: nothing */
void cilk_rt_step(cilk_step_scope *scope, void *const *variables, const void *memory, uint64_t size, const char *type);

/* ---- the flavour `trace` (objects that refer to cilk_trace_on) ------------------------------------------------- */
void cilk_rt_trace_spawn(const cilk_trace_site *site); /* before the child is called */

/* ---- library functions of <cilk.h> ----------------------------------------------------------------------------- */
/* In the serial form: a procedure that C called has ended, with a result of n bytes. After Cilk_start the result is
 * kept for a handle. */
void cilk_rt_serial_ended(const void *context, const void *result, size_t n);
size_t cilk_rt_serial_size(const void *computation); /* bytes of the result that such a handle keeps */
int cilk_rt_self(void); /* -1 outside workers */
int cilk_rt_active_size(void); /* 1 outside workers */

#ifdef __cplusplus
}
#endif
#endif
