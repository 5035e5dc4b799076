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
#ifndef CILK_MAIN_STACK_MIN
#define CILK_MAIN_STACK_MIN ((size_t)32 << 10)  /* with which a program can start, and print a message */
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
/* a checkpoint waits so long for the last worker; less where they are frequent */
#define CILK_STOP_NS 10000000000ull
#endif

#ifndef CILK_ELASTIC_NS
#define CILK_ELASTIC_NS 500000000ull    /* with --elastic: how often affinity and quota are looked at */
#endif

#ifndef CILK_STOP_IN_VAIN
#define CILK_STOP_IN_VAIN 10            /* after an attempt in vain there is none for so many times its duration */
#endif

#ifndef CILK_VLA_LOOK_AT
/* blocks that a VLA which comes again looks at: thousands of Cilk_allocas must not cost it time */
#define CILK_VLA_LOOK_AT 64
#endif
#ifndef CILK_ROOT_RESULT
/* bytes of a root's result that lie on the stack; larger ones come from the pool */
#define CILK_ROOT_RESULT 256
#endif
#ifndef CILK_PUBLISH_BATCH
#define CILK_PUBLISH_BATCH 256          /* released closures pushed at once: pointers on the stack of the scheduler */
#endif
#ifndef CILK_HANDLER_STACK
/* signal stack of a worker: enough for a handler of the program's after ours */
#define CILK_HANDLER_STACK ((size_t)64 << 10)
#endif

/* ---- stealing ---- */
#ifndef CILK_ASK_MIN_NS
/* a thief asks for as long as the heavy fence last took, within these bounds */
#define CILK_ASK_MIN_NS 500
#endif
#ifndef CILK_ASK_MAX_NS
#define CILK_ASK_MAX_NS 20000
#endif

#ifndef CILK_ASK_FIRST_NS
/* ... and for this long before there was one: between bare metal (1 us) and virtual machines (16 us) */
#define CILK_ASK_FIRST_NS 2000
#endif
#ifndef CILK_ASK_LOOKS
/* looks for the answer between two looks at the clock, which costs as much as a few of them */
#define CILK_ASK_LOOKS 8
#endif
#ifndef CILK_FENCE_WAIT_NS
/* a victim that is to fence by signal and does not within this time keeps its entry */
#define CILK_FENCE_WAIT_NS 5000000
#endif

/* ---- waiting ---- */
#ifndef CILK_LOCK_SPINS
#define CILK_LOCK_SPINS 100                     /* reads of a taken lock before the processor is given away */
#endif
#ifndef CILK_LOST_LOCK_YIELDS
/* in a forked child: a wait for a closure's lock sleeps from then on */
#define CILK_LOST_LOCK_YIELDS 10000
#endif
#ifndef CILK_LOST_LOCK_SLEEPS
/* ... and so many milliseconds later the holder is there: one in the child may have been preempted */
#define CILK_LOST_LOCK_SLEEPS 5000
#endif
#ifndef CILK_FORK_ROUNDS
/* a forking thread tries this many times for a lock, giving the processor away: its holder may be itself,
 * interrupted */
#define CILK_FORK_ROUNDS 1000
#endif
#ifndef CILK_SEARCH_PAUSES
/* of a searching thief between two rounds: about 1 us, so that victims' lines are left alone */
#define CILK_SEARCH_PAUSES 20
#endif
#ifndef CILK_CALL_LOOKS
#define CILK_CALL_LOOKS 50              /* looks at a flag between two looks at the clock */
#endif
#ifndef CILK_IDLE_SPIN_NS
#define CILK_IDLE_SPIN_NS 50000                 /* how long a thief searches before it sleeps for the first time */
#endif
/* A thief that got next to nothing several times in a row lets its victims alone for a while: stealing costs both of
 * them some microseconds, and pieces that small are done sooner where they are. The pauses double with each such piece
 * and end with the first worthwhile one. */
#ifndef CILK_SMALL_NS
#define CILK_SMALL_NS 10000                     /* stolen work that was over after less is next to nothing */
#endif
#ifndef CILK_SMALL_FEW
#define CILK_SMALL_FEW 3                        /* this many in a row begin the pauses, with 2^3 us */
#endif
#ifndef CILK_SMALL_MOST
/* the longest pause is 2^7 us: what it may cost a computation whose work comes at once */
#define CILK_SMALL_MOST 7
#endif
#ifndef CILK_CALL_SPIN_NS
/* how long a C caller looks for its result, worker 0 for the next call, and a new thief for a computation, before they
 * sleep */
#define CILK_CALL_SPIN_NS 20000
#endif
#define CILK_SEARCH_BUCKETS 288                 /* of the histogram of search times: eight to an octave, up to 68 s */
#ifndef CILK_SLEEP_MIN_NS
#define CILK_SLEEP_MIN_NS 20000                 /* the watcher's first sleep; doubles up to the next constant */
#endif
#ifndef CILK_SLEEP_MAX_NS
/* bounds how late a silent push is found, unless there was nothing for 100 times as long */
#define CILK_SLEEP_MAX_NS 1000000
#endif
#ifndef CILK_SLEEP_LONG_NS
#define CILK_SLEEP_LONG_NS 10000000             /* while all processors are busy */
#endif
#ifndef CILK_SLEEP_IDLE_NS
#define CILK_SLEEP_IDLE_NS 100000000            /* after ten seconds without anything to steal */
#endif
#ifndef CILK_BUSY_TO_SEARCHER
/* up to so many busy workers, one that searches is enough; among hundreds one does nearly always, and the others
 * would sleep on */
#define CILK_BUSY_TO_SEARCHER 64
#endif
#ifndef CILK_STUCK_NS
/* an idle worker looks whether touches wait for each other after that time, then after twice the time, and so on */
#define CILK_STUCK_NS 1000000
#endif
#ifndef CILK_SLEEP_PART
/* of the time that there was nothing, the watcher sleeps this part: it bounds what its lateness can cost to 1 % */
#define CILK_SLEEP_PART 100
#endif
#ifndef CILK_WAITING_NAMES
/* nested roots, one in the other, whose waiting workers a publication wakes by name; beyond, it wakes everybody */
#define CILK_WAITING_NAMES 8
#endif
#ifndef CILK_TIMER_SLACK_NS
#define CILK_TIMER_SLACK_NS 1000UL      /* short sleeps are meant to be short; the system's default is 50 us */
#endif

/* ---- the lazy strategy's adaptivity (lazy.c) ---- */
#ifndef CILK_LATE_NS
/* an answer to a thief that took longer is late: frames get exposed sooner */
#define CILK_LATE_NS 100000
#endif
#ifndef CILK_COARSE_TESTS
#define CILK_COARSE_TESTS 16                    /* this many tests ... */
#endif
#ifndef CILK_COARSE_NS
/* ... within this time: spawns are fine-grained (50 us apart; a release costs 0.5 us) */
#define CILK_COARSE_NS 800000
#endif
#ifndef CILK_COARSE_AGAIN_NS
#define CILK_COARSE_AGAIN_NS 1000000            /* nothing is known any more about the spawns after a place */
#endif

/* ---- measurements ---- */
#ifndef CILK_SPAN_LONG_NS
/* a thread this long may have been interrupted: its processor time is read as well, which costs a system call */
#define CILK_SPAN_LONG_NS 20000
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
/* of the writer between two rounds: it takes a worker's processor where all have one */
#define CILK_TRACE_PAUSE_NS 10000000
#endif
#ifndef CILK_TRACE_GAP_NS
/* a worker notes spawns no closer than this, and says how many spawns a note represents */
#define CILK_TRACE_GAP_NS 20000
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
/* the longest delay: about 20 us, longer than any of the runtime's own steps */
#define CILK_FAULT_DELAY_PAUSES 500u
#endif
#ifndef CILK_FAULT_STALL_NS
#define CILK_FAULT_STALL_NS 100000000L          /* as a worker that others have driven from its processor */
#endif

/* ---- replay (controlled_schedule.c) ---- */
#ifndef CILK_MOST_TURNS
#define CILK_MOST_TURNS 64                      /* workers of a replay: bits of a word */
#endif
#ifndef CILK_TURN_PATIENCE_S
/* a worker that runs that long without a scheduling point may wait for one that does not have the turn */
#define CILK_TURN_PATIENCE_S 20
#endif
#ifndef CILK_TURN_IN_VAIN
/* turns: a worker that has not gone on at so many points may wait for another one in its own way */
#define CILK_TURN_IN_VAIN 1000
#endif
#ifndef CILK_TURN_SPINS
/* turns by a record: the same, and less, so that the list of such a run says where the turn passed */
#define CILK_TURN_SPINS 256
#endif
#ifndef CILK_TURN_FAIR
/* turns: after this part of the points that a run may have, its workers are taken to wait, whatever they do */
#define CILK_TURN_FAIR 4
#endif
#ifndef CILK_TURN_SAME
/* turns: so many points in a row at one place and memory, of all workers, mean that a worker spins for ever */
#define CILK_TURN_SAME 100000
#endif
#ifndef CILK_TURN_SAME_AT_FIRST
/* the same where no run has shown how many points the program has */
#define CILK_TURN_SAME_AT_FIRST 5000000
#endif
#ifndef CILK_TURN_TRIES
/* turns: a worker without work looks so often before the next one goes on */
#define CILK_TURN_TRIES 32
#endif
#ifndef CILK_TURN_QUIET
/* turns: so many waits without a point between mean that none will come; some hundred are usual */
#define CILK_TURN_QUIET 20000
#endif
#ifndef CILK_PCT_STEPS
#define CILK_PCT_STEPS 10000                    /* pct: among how many steps priorities change, by default */
#endif
#ifndef CILK_PCT_MOST
#define CILK_PCT_MOST 16                        /* the greatest depth */
#endif
#ifndef CILK_PCT_DEPTH
#define CILK_PCT_DEPTH 3                        /* most bugs need an order of two or three steps */
#endif

/* ---- recording (record_replay.c, outcome.c) ---- */
#ifndef CILK_STATUS_PARTED
/* a replay that parts from its record: no shell and few programs have it, and it is below those of signals */
#define CILK_STATUS_PARTED 120
#endif
#ifndef CILK_ORDER_POLLS
#define CILK_ORDER_POLLS 8                      /* an idle worker that has looked so often in vain ... */
#endif
#ifndef CILK_ORDER_SLEEP_NS
#define CILK_ORDER_SLEEP_NS 20000L              /* ... sleeps so long: its looks hold up the steps of others */
#endif
#ifndef CILK_ORDER_AGAIN_NS
/* a step that waits for others' user code looks again after that time */
#define CILK_ORDER_AGAIN_NS 200000u
#endif

/* ---- the simulator ---- */
#ifndef CILK_SIMULATE_STEAL
/* an attempt, successful or not: about what one costs between two processors of one machine; ns, or units */
#define CILK_SIMULATE_STEAL 1000
#endif
#ifndef CILK_SIMULATE_SEND
/* an argument for another processor's closure: half of that, since nothing comes back */
#define CILK_SIMULATE_SEND 500
#endif
#ifndef CILK_MAX_SIMULATED
/* virtual processors: more than the papers look at, and their pools still fit into memory */
#define CILK_MAX_SIMULATED 4096
#endif

/* ---- limits ---- */
#ifndef CILK_SPARES
/* threads that take the places of workers in system calls, in programs that include <cilk-blocking.h> */
#define CILK_SPARES 64
#endif
#ifndef CILK_MAX_PROC
#define CILK_MAX_PROC 1024
#endif

#endif
