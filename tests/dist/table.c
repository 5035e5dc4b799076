/* Each field of a remote thread's table makes another program of it: ranks that differ there do not go together. */
#include <stdio.h>
#include <stdlib.h>
#include "dist/dist.h"

cilk_dist cilk_dist_here;
void cilk_fatal(const char *format, ...) {
  puts(format);
  exit(1);
}

static char name[] = "work";
static cilk1_slot slots[] = {{"k", 64, 8, CILK1_SLOT_CONT, 0}, {"n", 72, 8, 0, 1}};
static cilk1_thread thread = {
    .name = name, .file = "work.cilk1", .size = 80, .nslots = 2, .slots = slots, .flags = CILK1_THREAD_REMOTE};
__attribute__((section("cilk_remote"), used, aligned(8))) static const cilk_remote table[] = {
    {&thread, CILK_REMOTE_THREAD}};

static uint32_t sum(void) {
  cilk_remote_begin();
  return cilk_dist_here.program;
}

static void changed(const char *what, void *field) {
  uint32_t before = sum();
  *(char *)field ^= 2;
  printf("%s%s\n", what, sum() == before ? " may differ" : "");
  *(char *)field ^= 2;
}

int main(void) {
  changed("name", name);
  changed("size", &thread.size);
  changed("offset", &slots[0].offset);
  changed("bytes", &slots[0].size);
  changed("continuation", &slots[0].flags);
  changed("value", &slots[1].flags);
  return 0;
}
