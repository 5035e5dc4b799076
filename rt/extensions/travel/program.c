/* program.c - what the file of the running program says: its symbols, and which sections have the program's own
 * objects.
 *
 * The runtime's objects are in sections of their own (the Makefile renames them), and stay out of images: a restart has
 * a runtime already. So do the tables of the dynamic linker, what the C library has put into the program (copy
 * relocations: their names have a version), and thread-local objects. */
#define _GNU_SOURCE
#include "travel/image.h"
#include "data/closure.h"
#include "data/link.h"
#include "travel/maps.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

uint64_t cilk_sum(uint64_t sum, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t word;
    memcpy(&word, p + i, 8);
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    sum ^= sum >> 29;
  }
  return sum;
}

uint64_t cilk_layout_of_the_runtime(void) {
  const uint64_t sizes[] = {CILK_ABI_VERSION, sizeof(cilk_closure), sizeof(cilk_link), sizeof(cilk_future),
      offsetof(cilk_link, views), offsetof(cilk_closure, link), cilk_map_layout(),
#ifdef CILK_DEBUG
      1
#else
      0
#endif
  };
  return cilk_sum(0, sizes, sizeof sizes);
}

const char *cilk_processor(void) {
  static struct utsname u;                /* under qemu-user, of the processor that is emulated */
  uname(&u);
  u.machine[15] = 0;
  return u.machine;
}

static int first(struct dl_phdr_info *info, size_t size, void *program) {
  cilk_program *p = program;
  (void)size;
  p->bias = info->dlpi_addr;
  p->low = UINT64_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD) continue;
    uint64_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
    p->low = from < p->low ? from : p->low;
    p->high = to > p->high ? to : p->high;
  }
  return 1;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool of_program(const Elf64_Shdr *s, const char *name) {
  static const char *const others[] = {".got", ".data.rel.ro", "cilkrt_", ".tm_clone_table", ".jcr", ".dynamic",
      ".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ".eh_frame", ".plt"};
  if ((s->sh_flags & (SHF_ALLOC | SHF_WRITE)) != (SHF_ALLOC | SHF_WRITE) || (s->sh_flags & SHF_TLS) ||
      (s->sh_type != SHT_PROGBITS && s->sh_type != SHT_NOBITS) || !s->sh_size)
    return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (begins(name, others[i])) return false;
  return true;
}

static int by_address(const void *a, const void *b) {
  const cilk_symbol *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  return x->size == y->size ? 0 : x->size > y->size ? -1 : 1;
}

static const char *names_of(const cilk_symbol *s, const char *names, bool file) {
  return names + (file ? s->file : s->name);
}

static const char *sort_names;
static int by_name(const void *a, const void *b) {
  const cilk_symbol *x = *(cilk_symbol *const *)a, *y = *(cilk_symbol *const *)b;
  int d = strcmp(names_of(x, sort_names, false), names_of(y, sort_names, false));
  d = d ? d : strcmp(names_of(x, sort_names, true), names_of(y, sort_names, true));
  return d ? d : x < y ? -1 : x > y;
}

/* Symbols of one name in one file are numbered in the order of addresses. */
static const char *number_them(cilk_program *p) {
  cilk_symbol **order = malloc((p->nsymbols + 1) * sizeof *order);
  if (!order) return "out of memory";
  for (size_t i = 0; i < p->nsymbols; i++) order[i] = &p->symbols[i];
  sort_names = p->names;
  qsort(order, p->nsymbols, sizeof *order, by_name);
  for (size_t i = 1; i < p->nsymbols; i++) {
    const cilk_symbol *before = order[i - 1];
    cilk_symbol *s = order[i];
    if (strcmp(p->names + s->name, p->names + before->name) == 0 &&
        strcmp(p->names + s->file, p->names + before->file) == 0)
      s->number = before->number + 1;
  }
  free(order);
  return NULL;
}

static const char *read_elf(cilk_program *p, const char *file, size_t bytes) {
  const Elf64_Ehdr *h = (const void *)file;
  if (bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
      h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff > bytes ||
      h->e_shnum > (bytes - h->e_shoff) / sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum)
    return "its file has no table of sections (was it stripped?)";
  const Elf64_Shdr *s = (const void *)(file + h->e_shoff), *table = NULL;
  const char *section_names = file + s[h->e_shstrndx].sh_offset;
  p->sections = calloc(h->e_shnum, sizeof *p->sections);
  if (!p->sections) return "out of memory";
  bool dynamic = false;
  for (int i = 0; i < h->e_shnum; i++) {
    const char *name = section_names + s[i].sh_name;
    dynamic |= s[i].sh_type == SHT_DYNAMIC;
    if (s[i].sh_type == SHT_SYMTAB) table = &s[i];
    if (strcmp(name, "cilk_layouts") == 0) p->layouts = (cilk_section){s[i].sh_addr, s[i].sh_size, NULL};
    if (strcmp(name, "cilk_shapes") == 0) p->shapes = (cilk_section){s[i].sh_addr, s[i].sh_size, NULL};
    if (of_program(&s[i], name)) p->sections[p->nsections++] = (cilk_section){s[i].sh_addr, s[i].sh_size, strdup(name)};
  }
  for (int i = 0; i < h->e_shnum && p->nconstants < sizeof p->constants / sizeof *p->constants; i++)
    if ((s[i].sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) == SHF_ALLOC && s[i].sh_type == SHT_PROGBITS &&
        begins(section_names + s[i].sh_name, ".rodata"))
      p->constants[p->nconstants++] = (cilk_section){s[i].sh_addr, s[i].sh_size, NULL};
  if (!dynamic)
    return "it is linked statically, so the C library's own state cannot be distinguished from the program's";
  if (!table) return "its file has no symbols (was it stripped?)";
  const Elf64_Sym *symbol = (const void *)(file + table->sh_offset);
  size_t n = table->sh_size / sizeof *symbol, room = s[table->sh_link].sh_size;
  p->names = malloc(room + 1);
  p->symbols = calloc(n + 1, sizeof *p->symbols);
  if (!p->names || !p->symbols) return "out of memory";
  memcpy(p->names, file + s[table->sh_link].sh_offset, room);
  p->names[room] = 0;
  p->names_bytes = room + 1;
  uint64_t source = room;                 /* an empty name */
  for (size_t i = 1; i < n; i++) {
    const Elf64_Sym *y = &symbol[i];
    unsigned type = ELF64_ST_TYPE(y->st_info);
    if (type == STT_FILE) source = y->st_name;
    if ((type != STT_OBJECT && type != STT_FUNC) || y->st_shndx == SHN_UNDEF || y->st_shndx >= h->e_shnum) continue;
    const char *name = p->names + y->st_name;
    cilk_symbol *to = &p->symbols[p->nsymbols++];
    bool local = ELF64_ST_BIND(y->st_info) == STB_LOCAL;
    *to = (cilk_symbol){.address = y->st_value, .size = y->st_size, .name = y->st_name, .file = local ? source : room};
    to->flags = (type == STT_FUNC ? CILK_SYMBOL_CODE : 0u) | (local ? CILK_SYMBOL_LOCAL : 0u) |
                (strchr(name, '@') ? CILK_SYMBOL_SYSTEM : 0u);
    if (type == STT_OBJECT && !(to->flags & CILK_SYMBOL_SYSTEM) &&
        of_program(&s[y->st_shndx], section_names + s[y->st_shndx].sh_name))
      to->flags |= CILK_SYMBOL_GLOBAL;
  }
  qsort(p->symbols, p->nsymbols, sizeof *p->symbols, by_address);
  return number_them(p);
}

const char *cilk_program_read(cilk_program *p) {
  memset(p, 0, sizeof *p);
#ifdef CILK_ASAN
  return "AddressSanitizer has memory between its objects that no other code may read";
#endif
#ifdef CILK_TSAN
  return "ThreadSanitizer does not let it choose the addresses of its heap";
#endif
  dl_iterate_phdr(first, p);
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < 8) return "its file cannot be read (/proc/self/exe)";
  size_t bytes = (size_t)st.st_size;
  char *file = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED) return "its file cannot be read (/proc/self/exe)";
  p->build = cilk_sum(bytes, file, bytes);
  const char *why = read_elf(p, file, bytes);
  munmap(file, bytes);
  return why;
}

const cilk_symbol *cilk_symbol_at(const cilk_symbol *symbols, size_t n, uint64_t linked) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (symbols[middle].address <= linked) low = middle + 1;
    else high = middle;
  }
  const cilk_symbol *end = NULL;          /* a pointer may be one past the last element */
  for (size_t i = low; i > 0 && low - i < 16; i--) {
    const cilk_symbol *s = &symbols[i - 1];
    if (linked - s->address < s->size || linked == s->address) return s;
    if (linked == s->address + s->size && !end) end = s;
  }
  return end;
}
