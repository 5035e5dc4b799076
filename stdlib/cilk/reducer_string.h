/* cilk/reducer_string.h: text to which strands append. The result is in the order of the serial execution.
 *
 *     cilk_string s = { 0 };
 *     cilk_string_append(cilk_string_view(&s), "word");
 *     cilk_string_printf(cilk_string_view(&s), "%d", n);
 *     puts(cilk_string_text(&s)); cilk_string_free(&s);          once all have joined
 *
 * Where the compiler knows cilk_reducer, the object may be a `cilk_string_reducer s`. Its address is that of the view
 * by itself: `cilk_string_append(&s, "word")`.
 *
 * The text is malloc's. Without memory the program ends with a message and abort(). cilk_string_printf returns what
 * printf would: the number of bytes, or less than 0. */
#ifndef CILK_REDUCER_STRING_H
#define CILK_REDUCER_STRING_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cilk_string {
    char *text;                         /* of malloc; 0: nothing yet */
    size_t length, room;
} cilk_string;

static __inline__ void cilk_string_reserve(cilk_string *s, size_t more)
{
    if (s->room - s->length > more)
        return;
    s->room = s->length + more + 1 > 2 * s->room ? s->length + more + 1 : 2 * s->room;
    s->text = (char *)realloc(s->text, s->room);
    if (!s->text) {
        fputs("cilk_string: out of memory\n", stderr);
        abort();
    }
}

static __inline__ void cilk_string_append_n(cilk_string *s, const char *text, size_t n)
{
    cilk_string_reserve(s, n);
    memcpy(s->text + s->length, text, n);
    s->text[s->length += n] = 0;
}
static __inline__ void cilk_string_append(cilk_string *s, const char *text)
{
    cilk_string_append_n(s, text, strlen(text));
}
static __inline__ void cilk_string_append_char(cilk_string *s, char c) { cilk_string_append_n(s, &c, 1); }

static __inline__ int cilk_string_vprintf(cilk_string *s, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(0, 0, format, again);
    va_end(again);
    if (n >= 0) {
        cilk_string_reserve(s, (size_t)n);
        vsnprintf(s->text + s->length, (size_t)n + 1, format, arguments);
        s->length += (size_t)n;
    }
    return n;
}
static __inline__ __attribute__((format(printf, 2, 3))) int cilk_string_printf(cilk_string *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = cilk_string_vprintf(s, format, arguments);
    va_end(arguments);
    return n;
}

static __inline__ const char *cilk_string_text(const cilk_string *s) { return s->text ? s->text : ""; }
static __inline__ void cilk_string_free(cilk_string *s)
{
    free(s->text);
    s->text = 0;
    s->length = s->room = 0;
}

static __inline__ void cilk_string_identity(void *view) { memset(view, 0, sizeof(cilk_string)); }
static __inline__ void cilk_string_reduce(void *left, void *right)
{
    cilk_string *l = (cilk_string *)left, *r = (cilk_string *)right;
    if (!l->text) {
        *l = *r;
        return;
    }
    if (r->length)
        cilk_string_append_n(l, r->text, r->length);
    cilk_string_free(r);
}

#define cilk_string_reducer cilk_string cilk_reducer(cilk_string_identity, cilk_string_reduce)
#define cilk_string_view(object) \
    ((cilk_string *)__cilkrts_reducer_lookup(object, sizeof(cilk_string), cilk_string_identity, cilk_string_reduce))

#endif
