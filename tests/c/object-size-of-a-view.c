// What a cast makes of a buffer may be accessed up to the buffer's end; a declared record's last array ends with itself.
// An object of another file is as large as it is declared.
#include <stdio.h>
#include <string.h>

struct zero { int size; char text[0]; };
struct one { int size; char text[1]; };
struct four { int size; char text[4]; };
struct outer { int a; struct four in; };
struct middle { int a; char text[4]; int b; };

static char buffer[36];
static struct one row[4], single;
static struct outer outside;
extern char elsewhere[30];
extern struct one records[3];

#define SHOW(p) \
  printf("%zd %zd %zd %zd\n", __builtin_object_size(p, 0), __builtin_object_size(p, 1), __builtin_object_size(p, 2), \
      __builtin_object_size(p, 3))

static void others(void) {
  SHOW(elsewhere);
  SHOW(elsewhere + 3);
  SHOW(&elsewhere[29]);
  SHOW(records[1].text);
  SHOW(&records[1].size);
  SHOW(((struct one *)elsewhere)->text);
  SHOW(elsewhere + 40);
}

int main(int argc, char **argv) {
  SHOW(((struct zero *)buffer)->text);
  SHOW(((struct one *)&buffer[0])->text);
  SHOW(((struct four *)buffer)->text + 2);
  SHOW((*(struct four *)buffer).text);
  SHOW(((struct four *)buffer)[1].text);
  SHOW(((struct outer *)buffer)->in.text);
  SHOW(&((struct outer *)buffer)->in);
  SHOW(((struct middle *)buffer)->text);
  SHOW(row[1].text);
  SHOW(single.text);
  SHOW((&single)->text);
  SHOW(outside.in.text);
  others();
  strcpy(((struct one *)buffer)->text, argc > 100 ? argv[0] : "longer than one");
  puts(buffer + 4);
  return 0;
}


__asm__(".data\n.globl elsewhere, records\nelsewhere: .zero 30\n.balign 4\nrecords: .zero 24\n.text");
