// headers.h - which header, of C, the system or ours, declares a well-known name: for the note that goes with an
// undeclared name.
#pragma once
#include <string>
#include <string_view>

namespace cilkc {

// Null if the name is none of the well-known ones.
inline const char *headerFor(std::string_view name) {
  static constexpr struct {
    const char *header, *names;
  } table[] = {
      {"stdio.h",
          " printf fprintf sprintf snprintf scanf fscanf sscanf puts putchar getchar fopen fclose fgets fputs fread fwrite fflush perror vprintf vfprintf fputc fgetc getc putc gets rewind fseek ftell remove rename tmpfile FILE EOF stdin stdout stderr "},
      {"stdlib.h",
          " malloc calloc realloc free exit abort atoi atol atof strtol strtoul strtod rand srand qsort bsearch getenv system abs labs atexit drand48 srand48 random srandom EXIT_SUCCESS EXIT_FAILURE RAND_MAX "},
      {"string.h",
          " memcpy memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr strtok strdup strerror strspn strcspn bzero "},
      {"math.h",
          " sqrt sin cos tan exp log pow fabs floor ceil fmod atan atan2 log10 log2 round trunc hypot M_PI INFINITY NAN HUGE_VAL "},
      {"ctype.h", " isalpha isdigit isalnum isspace isupper islower tolower toupper isxdigit ispunct isprint "},
      {"time.h",
          " time clock ctime localtime gmtime strftime mktime difftime time_t clock_t CLOCKS_PER_SEC clock_gettime CLOCK_MONOTONIC "},
      {"unistd.h", " read write close fork getpid sleep usleep getopt isatty access unlink sync "},
      {"assert.h", " assert "},
      {"stdbool.h", " bool true false "},
      {"stddef.h", " size_t ptrdiff_t wchar_t NULL max_align_t offsetof "},
      {"stdint.h",
          " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t INT8_MAX INT16_MAX INT32_MAX INT64_MAX INT32_MIN INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX "},
      {"inttypes.h", " PRId64 PRIu64 PRIx64 PRId32 PRIu32 "},
      {"limits.h",
          " INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX CHAR_BIT CHAR_MAX SHRT_MAX UCHAR_MAX PATH_MAX "},
      {"float.h", " DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_MIN FLT_EPSILON "},
      {"errno.h", " errno ENOMEM EINVAL ERANGE ENOENT EINTR "},
      {"stdarg.h", " va_list va_start va_end va_arg va_copy "},
      {"sys/types.h", " ssize_t pid_t off_t "},
      {"complex.h", " complex cexp cabs creal cimag "},
      {"pthread.h", " pthread_t pthread_mutex_t pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock "},
      {"sys/time.h", " gettimeofday "},
      {"par.cilkh",
          " par_for par_for_cilk par_for_range par_for_grain par_map par_map_cilk par_reduce par_reduce_range par_scan par_filter par_sort par_or par_any par_matrix_multiply "},
      {"cilk-start.h",
          " Cilk_start Cilk_wait Cilk_with Cilk_engine Cilk_engine_run Cilk_cancel Cilk_cancel_after Cilk_set_share Cilk_on_end Cilk_yield Cilk_local_set Cilk_local_get Cilk_computation Cilk_start_with Cilk_attributes CILK_ATTRIBUTES "},
      {"cilk/reducer.h",
          " CILK_C_DECLARE_REDUCER CILK_C_INIT_REDUCER REDUCER_VIEW CILK_C_REGISTER_REDUCER CILK_C_UNREGISTER_REDUCER "},
      {"cilk/reducer_last.h", " CILK_C_REDUCER_LAST CILK_C_REDUCER_LAST_TYPE CILK_C_REDUCER_LAST_SET "},
      {"cilk/reducer_max.h",
          " CILK_C_REDUCER_MAX CILK_C_REDUCER_MAX_TYPE CILK_C_REDUCER_MAX_CALC CILK_C_REDUCER_MAX_INDEX CILK_C_REDUCER_MAX_INDEX_TYPE CILK_C_REDUCER_MAX_INDEX_CALC "},
      {"cilk/reducer_min.h",
          " CILK_C_REDUCER_MIN CILK_C_REDUCER_MIN_TYPE CILK_C_REDUCER_MIN_CALC CILK_C_REDUCER_MIN_INDEX CILK_C_REDUCER_MIN_INDEX_TYPE CILK_C_REDUCER_MIN_INDEX_CALC "},
      {"cilk/reducer_opadd.h", " CILK_C_REDUCER_OPADD CILK_C_REDUCER_OPADD_TYPE "},
      {"cilk/reducer_opand.h", " CILK_C_REDUCER_OPAND CILK_C_REDUCER_OPAND_TYPE "},
      {"cilk/reducer_opmul.h", " CILK_C_REDUCER_OPMUL CILK_C_REDUCER_OPMUL_TYPE "},
      {"cilk/reducer_opor.h", " CILK_C_REDUCER_OPOR CILK_C_REDUCER_OPOR_TYPE "},
      {"cilk/reducer_opxor.h", " CILK_C_REDUCER_OPXOR CILK_C_REDUCER_OPXOR_TYPE "},
      {"cilk-blocking.h", " Cilk_blocking Cilk_blocking_begin Cilk_blocking_end "},
      {"cilk-sched.h", " Cilk_scheduler Cilk_scheduler_register Cilk_vproc Cilk_fiber Cilk_queue CILK_SCHEDULER "},
  };
  if (name.empty()) return nullptr;
  std::string key = " " + std::string(name) + " ";
  for (auto &row : table)
    if (std::string_view(row.names).find(key) != std::string_view::npos) return row.header;
  return nullptr;
}

}  // namespace cilkc
