/* release.pml - the release flag: why it went up is never overlooked (PROTOCOLS.md, section 8).
 *
 * An aborter marks and then raises the flag; a thief raises it again and again; the owner tests, clears, then looks.
 * Checked: once the aborter is done, the owner unwinds at its next test that comes after; it never ends its work
 * without having tested since. With -DLATE (the owner looks before it clears) a mark gets lost.
 *
 * describes rt/core/steal/steal.c: cilk_signal
 * describes rt/core/protocol/release.c: tested cilk_rt_release */
bool flag = false, marked = false, raised = false, unwound = false;

active proctype Owner()
{
  byte tests = 4;
  bool knew, saw;
  do
  :: tests > 0 ->
     tests--;
     knew = raised;                       /* the aborter had finished before this test began */
     saw = false;
     if
     :: flag ->
#ifdef LATE
        saw = marked; flag = false
#else
        flag = false; saw = marked
#endif
     :: else
     fi;
     if
     :: saw -> unwound = true; break
     :: else -> assert(!knew)
     fi
  :: tests == 0 -> break
  od
}

active proctype Aborter() { marked = true; flag = true; raised = true }
active proctype Thief()
{
  byte tries = 2;
  do
  :: tries > 0 -> tries--; flag = true
  :: tries == 0 -> break
  od
}
