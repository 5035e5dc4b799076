/* cilk/file_reducer.h: output to a stream, in the order of the serial execution. The leftmost strand writes at once;
 * others keep what they write until it is their turn.
 *
 *     cilk_file out = { stdout };
 *     cilk_file_printf(cilk_file_view(&out), "%d\n", n);
 *
 * Where the compiler knows cilk_reducer, the object may be a `cilk_file_reducer out`. Its address is that of the view
 * by itself: `cilk_file_printf(&out, "%d\n", n)`.
 *
 * Errors of the stream are found by ferror, after all have joined. Without memory the program ends with a message and
 * abort(). */
#ifndef CILK_FILE_REDUCER_H
#define CILK_FILE_REDUCER_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "reducer_string.h"

typedef struct cilk_file {
    FILE *stream;                       /* 0: a view, which keeps its text */
    cilk_string kept;
} cilk_file;

static __inline__ void cilk_file_write(cilk_file *f, const char *text, size_t n)
{
    if (f->stream)
        fwrite(text, 1, n, f->stream);
    else
        cilk_string_append_n(&f->kept, text, n);
}
static __inline__ void cilk_file_puts(cilk_file *f, const char *text) { cilk_file_write(f, text, strlen(text)); }
static __inline__ void cilk_file_putc(cilk_file *f, char c) { cilk_file_write(f, &c, 1); }
static __inline__ __attribute__((format(printf, 2, 3))) int cilk_file_printf(cilk_file *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = f->stream ? vfprintf(f->stream, format, arguments) : cilk_string_vprintf(&f->kept, format, arguments);
    va_end(arguments);
    return n;
}

static __inline__ void cilk_file_identity(void *view) { memset(view, 0, sizeof(cilk_file)); }
static __inline__ void cilk_file_reduce(void *left, void *right)
{
    cilk_file *l = (cilk_file *)left, *r = (cilk_file *)right;
    if (!l->stream) {
        cilk_string_reduce(&l->kept, &r->kept);
        return;
    }
    if (r->kept.length)
        fwrite(r->kept.text, 1, r->kept.length, l->stream);
    cilk_string_free(&r->kept);
}

#define cilk_file_reducer cilk_file cilk_reducer(cilk_file_identity, cilk_file_reduce)
#define cilk_file_view(object) \
    ((cilk_file *)__cilkrts_reducer_lookup(object, sizeof(cilk_file), cilk_file_identity, cilk_file_reduce))

#endif
