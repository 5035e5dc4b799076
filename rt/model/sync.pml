/* sync.pml - deliveries against a parent that runs, syncs, and is resumed (PROTOCOLS.md, sections 5 and 6).
 *
 * A parent has CHILDREN out. Each child delivers once, from its own worker: at once if the parent is suspended, else queued. The parent
 * runs threads with boundaries where it may empty the queue, then syncs. Checked: at most one thread or delivery of the instance at a
 * time; when the parent passes its sync all deliveries are done; it does pass (no deadlock, end states), and is resumed once. */
#define CHILDREN 3
mtype = { RUNNING, SUSPENDED, DELIVERING, READY };

mtype state = RUNNING;
byte join = CHILDREN, pending = 0, done = 0, inside = 0, resumed = 0;
bool lock = false;

inline acquire() { atomic { !lock -> lock = true } }
inline unlock() { lock = false }
inline deliver()                          /* runs without the lock; join went down before */
{
  inside++;
  assert(inside == 1);
  done++;
  inside--
}
inline drain()                            /* lock held before and after */
{
  do
  :: pending > 0 -> pending--; join--; unlock(); deliver(); acquire()
  :: pending == 0 -> break
  od
}

active [CHILDREN] proctype Child()
{
  acquire();
  if
  :: state == SUSPENDED ->
     join--;
     state = DELIVERING;
     unlock();
     deliver();
     acquire();
     drain();
     if
     :: join == 0 -> state = READY; resumed++; assert(resumed == 1)
     :: else -> state = SUSPENDED
     fi;
     unlock()
  :: else ->
     pending++;
     unlock()
  fi
}

active proctype Parent()
{
  /* a thread, a boundary, a thread */
  inside++; assert(inside == 1); inside--;
  if
  :: acquire(); drain(); unlock()         /* a pop that raised */
  :: skip                                 /* one that did not */
  fi;
  inside++; assert(inside == 1); inside--;
  /* the sync */
  acquire();
  drain();
  if
  :: join == 0 -> unlock()
  :: else ->
     state = SUSPENDED;
     unlock();
     state == READY;                      /* resumed by the last deliverer */
     acquire(); drain(); state = RUNNING; unlock()
  fi;
  assert(join == 0 && pending == 0 && done == CHILDREN);
  inside++; assert(inside == 1); inside--
}
