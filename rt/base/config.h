/* config.h - every constant of the runtime, each overridable with -D. */
#ifndef CILK_RT_CONFIG_H
#define CILK_RT_CONFIG_H

/* ---- memory ---- */
#ifndef CILK_DEQUE_DEPTH
#define CILK_DEQUE_DEPTH (8u << 20)             /* entries; virtual memory, pages come on first use */
#endif
#ifndef CILK_STACK_BYTES
#define CILK_STACK_BYTES ((size_t)256 << 20)    /* C stack of a worker; virtual memory, too */
#endif
#ifndef CILK_STACK_MAX
#define CILK_STACK_MAX ((size_t)1 << 30)         /* ... by default, when the main stack's limit is higher or none */
#endif
#ifndef CILK_STACK_MIN
#define CILK_STACK_MIN ((size_t)128 << 10)
#endif
#ifndef CILK_GUARD_BYTES
#define CILK_GUARD_BYTES ((size_t)1 << 20)      /* no-access pages below a stack and above a deque */
#endif
#ifndef CILK_MEMORY_PERCENT
#define CILK_MEMORY_PERCENT 70                  /* of the machine's memory that closures may fill */
#endif
#ifndef CILK_ALLOC_BATCH
#define CILK_ALLOC_BATCH 64                     /* closures made at once when a free list is empty */
#endif
#ifndef CILK_ALLOC_BATCH_MIN
#define CILK_ALLOC_BATCH_MIN 8
#endif

#ifndef CILK_STOP_NS
#define CILK_STOP_NS 10000000000ull     /* a checkpoint waits so long for the last worker; less where they are frequent */
#endif

#ifndef CILK_ELASTIC_NS
#define CILK_ELASTIC_NS 500000000ull    /* with --elastic: how often affinity and quota are looked at */
#endif

#ifndef CILK_STOP_IN_VAIN
#define CILK_STOP_IN_VAIN 10            /* after an attempt in vain there is none for so many times its duration */
#endif

#ifndef CILK_VLA_LOOK_AT
#define CILK_VLA_LOOK_AT 64             /* blocks that a VLA which comes again looks at: thousands of Cilk_allocas shall not cost it time */
#endif
#ifndef CILK_ROOT_RESULT
#define CILK_ROOT_RESULT 256            /* bytes of a root's result that lie on the stack; larger ones come from the pool */
#endif
#ifndef CILK_PUBLISH_BATCH
#define CILK_PUBLISH_BATCH 256          /* released closures pushed at once: pointers on the stack of the scheduler */
#endif
#ifndef CILK_HANDLER_STACK
#define CILK_HANDLER_STACK ((size_t)64 << 10) /* signal stack of a worker: enough for a handler of the program's behind ours */
#endif

/* ---- stealing ---- */
#ifndef CILK_ASK_MIN_NS
#define CILK_ASK_MIN_NS 500                     /* a thief asks for as long as the heavy fence last took, within these bounds */
#endif
#ifndef CILK_ASK_MAX_NS
#define CILK_ASK_MAX_NS 20000
#endif

#ifndef CILK_ASK_FIRST_NS
#define CILK_ASK_FIRST_NS 2000          /* ... and for this long before there was one: between bare metal (1 us) and virtual machines (16 us) */
#endif
#ifndef CILK_ASK_LOOKS
#define CILK_ASK_LOOKS 8                /* looks for the answer between two looks at the clock, which costs as much as a few of them */
#endif
#ifndef CILK_FENCE_WAIT_NS
#define CILK_FENCE_WAIT_NS 5000000              /* a victim that is to fence by signal and does not within this time keeps its entry */
#endif

/* ---- waiting ---- */
#ifndef CILK_LOCK_SPINS
#define CILK_LOCK_SPINS 100                     /* reads of a taken lock before the processor is given away */
#endif
#ifndef CILK_LOST_LOCK_YIELDS
#define CILK_LOST_LOCK_YIELDS 10000     /* in a forked child: who held the lock of a closure that long is in the parent process */
#endif
#ifndef CILK_FORK_ROUNDS
#define CILK_FORK_ROUNDS 1000           /* a forking thread tries this many times for a lock, giving the processor away: its holder may be itself, interrupted */
#endif
#ifndef CILK_SEARCH_PAUSES
#define CILK_SEARCH_PAUSES 20           /* of a searching thief between two rounds: about 1 us, so that victims' lines are left alone */
#endif
#ifndef CILK_CALL_LOOKS
#define CILK_CALL_LOOKS 50              /* looks at a flag between two looks at the clock */
#endif
#ifndef CILK_IDLE_SPIN_NS
#define CILK_IDLE_SPIN_NS 50000                 /* how long a thief searches before it sleeps for the first time */
#endif
/* A thief that got next to nothing several times in a row lets its victims alone for a while: stealing costs both of them some microseconds,
 * and pieces that small are done sooner where they are. The pauses double with each such piece and end with the first worthwhile one. */
#ifndef CILK_SMALL_NS
#define CILK_SMALL_NS 10000                     /* stolen work that was over after less is next to nothing */
#endif
#ifndef CILK_SMALL_FEW
#define CILK_SMALL_FEW 3                        /* this many in a row begin the pauses, with 2^3 us */
#endif
#ifndef CILK_SMALL_MOST
#define CILK_SMALL_MOST 7                       /* the longest pause is 2^7 us: what it may cost a computation whose work comes at once */
#endif
#ifndef CILK_CALL_SPIN_NS
#define CILK_CALL_SPIN_NS 20000                 /* how long a C caller looks for its result, and worker 0 for the next call, before they sleep */
#endif
#define CILK_SEARCH_BUCKETS 288                 /* of the histogram of search times: eight to an octave, up to 68 s */
#ifndef CILK_SLEEP_MIN_NS
#define CILK_SLEEP_MIN_NS 20000                 /* the watcher's first sleep; doubles up to the next constant */
#endif
#ifndef CILK_SLEEP_MAX_NS
#define CILK_SLEEP_MAX_NS 1000000               /* bounds how late a silent push is found, unless there was nothing for 100 times as long */
#endif
#ifndef CILK_SLEEP_LONG_NS
#define CILK_SLEEP_LONG_NS 10000000             /* while all processors are busy */
#endif
#ifndef CILK_SLEEP_IDLE_NS
#define CILK_SLEEP_IDLE_NS 100000000            /* after ten seconds without anything to steal */
#endif
#ifndef CILK_BUSY_TO_SEARCHER
#define CILK_BUSY_TO_SEARCHER 64        /* up to so many busy workers, one that searches is enough; among hundreds somebody does nearly always, and the others would sleep on */
#endif
#ifndef CILK_STUCK_NS
#define CILK_STUCK_NS 1000000           /* an idle worker looks whether touches wait for each other after that time, then after twice the time, and so on */
#endif
#ifndef CILK_SLEEP_PART
#define CILK_SLEEP_PART 100             /* of the time that there was nothing, the watcher sleeps this part: it bounds what its lateness can cost to 1 % */
#endif
#ifndef CILK_WAITING_NAMES
#define CILK_WAITING_NAMES 8            /* nested roots, one in the other, whose waiting workers a publication wakes by name; beyond, it wakes everybody */
#endif
#ifndef CILK_TIMER_SLACK_NS
#define CILK_TIMER_SLACK_NS 1000UL      /* short sleeps are meant to be short; the system's default is 50 us */
#endif

/* ---- the lazy strategy's adaptivity (lazy.c) ---- */
#ifndef CILK_LATE_NS
#define CILK_LATE_NS 100000                     /* an answer to a thief that took longer is late: frames get exposed sooner */
#endif
#ifndef CILK_COARSE_TESTS
#define CILK_COARSE_TESTS 16                    /* this many tests ... */
#endif
#ifndef CILK_COARSE_NS
#define CILK_COARSE_NS 800000                   /* ... within this time: spawns are fine-grained (50 us apart; a release costs 0.5 us) */
#endif

/* ---- measurements ---- */
#ifndef CILK_SPAN_LONG_NS
#define CILK_SPAN_LONG_NS 20000         /* a thread this long may have been interrupted: its processor time is read as well, which costs a system call */
#endif
#ifndef CILK_STATS_BLOCK
#define CILK_STATS_BLOCK 5              /* workers side by side in a table of --stats: 80 columns */
#endif
#ifndef CILK_LOCK_BUCKETS
#define CILK_LOCK_BUCKETS 1024          /* of the table of held locks, -cilk-debug */
#endif

#ifndef CILK_TRACE_RING
#define CILK_TRACE_RING (1u << 16)              /* events of a worker that the writer has not written yet: 3 MB */
#endif
#ifndef CILK_TRACE_PAUSE_NS
#define CILK_TRACE_PAUSE_NS 10000000            /* of the writer between two rounds: it takes a worker's processor where all have one */
#endif
#ifndef CILK_TRACE_GAP_NS
#define CILK_TRACE_GAP_NS 20000                 /* a worker notes spawns no closer than this, and says for how many one stands */
#endif
#ifndef CILK_TRACE_SKIP
#define CILK_TRACE_SKIP 256                     /* spawns of fine-grained code between two looks at the clock */
#endif
#ifndef CILK_TRACE_SPAWNS
#define CILK_TRACE_SPAWNS (1u << 18)            /* spawns in the file after which the gap doubles */
#endif
#ifndef CILK_TRACE_MOST
#define CILK_TRACE_MOST 3000000u                /* events in a file; what comes after them is lost, and counted */
#endif
#ifndef CILK_TRACE_PLACES
#define CILK_TRACE_PLACES 4096u                 /* different lines that a trace can name */
#endif

/* ---- faults on purpose (fault.c), in the debug build ---- */
#ifndef CILK_FAULT_DELAY_PAUSES
#define CILK_FAULT_DELAY_PAUSES 500u            /* the longest delay: about 20 us, longer than any of the runtime's own steps */
#endif
#ifndef CILK_FAULT_STALL_NS
#define CILK_FAULT_STALL_NS 100000000L          /* as a worker that others have driven from its processor */
#endif

/* ---- replay (turn.c) ---- */
#ifndef CILK_MOST_TURNS
#define CILK_MOST_TURNS 64                      /* workers of a replay: bits of a word */
#endif
#ifndef CILK_TURN_PATIENCE_S
#define CILK_TURN_PATIENCE_S 20                 /* a worker that runs that long without a scheduling point may wait for one that does not have the turn */
#endif
#ifndef CILK_TURN_READS
#define CILK_TURN_READS 1000                    /* turns: a worker that so often only reads may wait for another one in its own way */
#endif
#ifndef CILK_TURN_SAME
#define CILK_TURN_SAME 100000                   /* turns: so many points at one place and memory, of all workers, mean that a worker spins for ever */
#endif
#ifndef CILK_TURN_TRIES
#define CILK_TURN_TRIES 32                      /* turns: a worker without work looks so often before the next one goes on */
#endif
#ifndef CILK_TURN_QUIET
#define CILK_TURN_QUIET 20000                   /* turns: so many steps without a point mean that none will come; some hundred are usual */
#endif
#ifndef CILK_PCT_STEPS
#define CILK_PCT_STEPS 10000                    /* pct: among how many steps the changes of priority lie, unless told */
#endif
#ifndef CILK_PCT_MOST
#define CILK_PCT_MOST 16                        /* the greatest depth */
#endif
#ifndef CILK_PCT_DEPTH
#define CILK_PCT_DEPTH 3                        /* most bugs need an order of two or three steps */
#endif

/* ---- recording (order.c, outcome.c) ---- */
#ifndef CILK_STATUS_PARTED
#define CILK_STATUS_PARTED 120                  /* a replay that parts from its record: no shell and few programs have it, and it is below those of signals */
#endif
#ifndef CILK_ORDER_POLLS
#define CILK_ORDER_POLLS 8                      /* an idle worker that has looked so often in vain ... */
#endif
#ifndef CILK_ORDER_SLEEP_NS
#define CILK_ORDER_SLEEP_NS 20000L              /* ... sleeps so long: its looks hold up the steps of others */
#endif
#ifndef CILK_ORDER_AGAIN_NS
#define CILK_ORDER_AGAIN_NS 200000u             /* a step that waits for others' user code looks again after that time */
#endif

/* ---- the simulator ---- */
#ifndef CILK_SIMULATE_STEAL
#define CILK_SIMULATE_STEAL 1000                /* an attempt, successful or not: about what one costs between two processors of one machine; ns, or units */
#endif
#ifndef CILK_SIMULATE_SEND
#define CILK_SIMULATE_SEND 500                  /* an argument for another processor's closure: half of that, since nothing comes back */
#endif
#ifndef CILK_MAX_SIMULATED
#define CILK_MAX_SIMULATED 4096                 /* virtual processors: more than the papers look at, and their pools still fit into memory */
#endif

/* ---- limits ---- */
#ifndef CILK_SPARES
#define CILK_SPARES 64                  /* threads that take the places of workers in system calls, in programs that include <cilk-blocking.h> */
#endif
#ifndef CILK_MAX_PROC
#define CILK_MAX_PROC 1024
#endif

#endif
