"""Every construct of the grammar, n times: sources for test_scaling_constructs.py.

Beside each other, below each other, in each other, as far as the grammar allows it. `lines` repeats a piece with @
as its number.
"""


def lines(n, text, between="\n"):
    return between.join(text.replace("@", str(i)) for i in range(n))


H = "cilk int h(int x) { return x; }\n"
C = {
    "functions": lambda n: lines(n, "int f@(int x) { return x + @; }"),
    "globals": lambda n: lines(n, "int g@ = @;"),
    "prototypes": lambda n: lines(n, "int f@(int, char *);"),
    "locals": lambda n: "int f(void) {\n" + lines(n, "int a@ = @;") + "return a0; }",
    "statements": lambda n: "int f(int x) {\n" + lines(n, "x = x * 3 + @;") + "return x; }",
    "calls": lambda n: "int g(int);int f(int x) {\n" + lines(n, "x = g(x + @);") + "return x; }",
    "blocks": lambda n: "int f(int x) {\n" + lines(n, "{ int y = x; x = y + @; }") + "return x; }",
    "ifs": lambda n: "int f(int x) {\n" + lines(n, "if (x > @) x++; else x--;") + "return x; }",
    "else-ifs": lambda n: "int f(int x) {\n" + lines(n, "if (x == @) return @ * 7; else ") + " return 0; }",
    "loops": lambda n: "int f(int x) {\n" + lines(n, "for (int i = 0; i < x; i++) x += i;") + "return x; }",
    "whiles": lambda n: "int f(int x) {\n" + lines(n, "while (x > @) x--; do x++; while (x < @);") + "return x; }",
    "cases": lambda n: "int f(int x) { switch (x) {\n" + lines(n, "case @: return @ * 3;") + "} return 0; }",
    "case-ranges": lambda n: "int f(int x) { switch (x) {\n"
    + lines(n, "case @0 ... @5: x = @; break;")
    + "} return x; }",
    "case-labels": lambda n: "int f(int x) { switch (x) {\n"
    + lines(n, "case @:")
    + " x = 1; break; default:\n"
    + "".join(f"case -{i + 1}:" for i in range(n))
    + " x = 2; } return x; }",
    "members": lambda n: "struct s {\n"
    + lines(n, "int m@;")
    + "};\nint f(struct s *p) { return "
    + lines(n, "p->m@", " + ")
    + "; }",
    "bit-fields": lambda n: "struct s {\n" + lines(n, "unsigned m@ : 5;") + "};\nint f(struct s *p) { return p->m0; }",
    "structs": lambda n: lines(n, "struct s@ { int a, b; };") + "\nint x;",
    "nested-structs": lambda n: "".join(
        f"struct s{i} {{ struct s{i-1} a; int b; }};\n" if i else "struct s0 { int b; };\n" for i in range(n)
    )
    + f"struct s{n-1} v;",
    "enums": lambda n: "enum e {\n" + lines(n, "E@,") + "};\nint f(void) { return " + lines(n, "E@", " + ") + "; }",
    "typedefs": lambda n: "typedef int T0;\n" + "".join(f"typedef T{i-1} T{i};\n" for i in range(1, n)) + f"T{n-1} x;",
    "typedef-pointers": lambda n: "typedef int T0;\n"
    + "".join(f"typedef T{i-1} *T{i};\n" for i in range(1, n))
    + f"T{n-1} x;",
    "declarators": lambda n: "int " + lines(n, "*a@[3]", ", ") + ";",
    "pointers": lambda n: "int " + "*" * n + "p;",
    "arrays": lambda n: "extern int (*f(void))" + "[1]" * n + ";",
    "sum": lambda n: "int f(int x) { return " + lines(n, "x * @", " + ") + "; }",
    "ands": lambda n: "int f(int x) { return " + lines(n, "x != @", " && ") + "; }",
    "commas": lambda n: "int f(int x) { return " + lines(n, "x += @", ", ") + "; }",
    "conditionals": lambda n: "int f(int x) { return " + lines(n, "x == @ ? @ * 2 : ", "") + "0; }",
    "assigns": lambda n: "int a[10]; int f(int x) { " + lines(n, "a[@ % 10] = ", "") + "x; return 0; }",
    "parens": lambda n: "int f(int x) { return " + "(" * n + "x" + ")" * n + "; }",
    "nested-blocks": lambda n: "int f(int x) { " + "{" * n + "x++;" + "}" * n + " return x; }",
    "nested-ifs": lambda n: "int f(int x) { " + "if (x) { x++; " * n + "}" * n + " return x; }",
    "nested-loops": lambda n: "int f(int x) { " + "while (x--) { " * n + "}" * n + " return x; }",
    "nested-calls": lambda n: "int g(int); int f(int x) { return " + "g(" * n + "x" + ")" * n + "; }",
    "unaries": lambda n: "int f(int x) { return " + "- " * n + "x; }",
    "casts": lambda n: "int f(int x) { return " + "(int)(char)" * n + "x; }",
    "derefs": lambda n: "struct s { struct s *n; int v; }; int f(struct s *x) { return x" + "->n" * n + "->v; }",
    "strings": lambda n: "const char *s = \n" + lines(n, '"string @ "') + ";",
    "string-list": lambda n: "const char *s[] = {\n" + lines(n, '"string @",') + "};",
    "initialisers": lambda n: "int x[] = {\n" + lines(n, "@ + 1,") + "};",
    "constants": lambda n: "int x[] = {\n" + lines(n, "@,") + "};",
    "designators": lambda n: f"int x[{n}] = {{\n" + lines(n, "[@] = @ + 1,") + "};",
    "designators-back": lambda n: f"int x[{n}] = {{\n" + "".join(f"[{n-1-i}] = {i},\n" for i in range(n)) + "};",
    "init-structs": lambda n: "struct { int a; char *b; struct { int c; } d; } x[] = {\n"
    + lines(n, "{ @, 0, { @ } },")
    + "};",
    "local-init": lambda n: "int g(int); void f(int y) { int x[] = {\n" + lines(n, "y + @,") + "}; g(x[y]); }",
    "addresses": lambda n: lines(n, "int g@;") + "\nint *x[] = {\n" + lines(n, "&g@,") + "};",
    "args": lambda n: "int g(); int f(int x) { return g(" + lines(n, "x + @", ", ") + "); }",
    "params": lambda n: "int f(" + lines(n, "int a@", ", ") + ") { return a0; }",
    "labels": lambda n: "int f(int x) {\n" + lines(n, "l@: if (x == @) goto l0; x++;") + "return x; }",
    "gotos": lambda n: "int f(int x) {\n"
    + lines(n, "if (x == @) goto l@; x++;")
    + "\n"
    + lines(n, "l@: x--;")
    + "return x; }",
    "label-addresses": lambda n: "int f(int x) { static void *t[] = {"
    + lines(n, "&&l@", ",")
    + "}; goto *t[x];\n"
    + lines(n, "l@: x += @;")
    + "return x; }",
    "generics": lambda n: "int f(int x) {\n"
    + lines(n, "x += _Generic(x, int: @, char: 2, default: 3);")
    + "return x; }",
    "generic-arms": lambda n: lines(n, "struct s@;")
    + "int f(int x) { return _Generic(x, "
    + lines(n, "struct s@ *: @", ", ")
    + ", default: 3); }",
    "vlas": lambda n: "void g(void*); void f(int x) {\n" + lines(n, "{ int a[x + @]; g(a); }") + "}",
    "vlas-flat": lambda n: "void g(void*); void f(int x) {\n" + lines(n, "int a@[x + @]; g(a@);") + "}",
    "statement-expressions": lambda n: "int f(int x) {\n" + lines(n, "x += ({ int y = x; y + @; });") + "return x; }",
    "compound-literals": lambda n: "void g(int *); void f(int x) {\n" + lines(n, "g((int[]) { x, @ });") + "}",
    "attributes": lambda n: lines(n, "__attribute__((noinline, unused)) static int f@(void) { return @; }"),
    "attribute-list": lambda n: "int f(void) __attribute__((" + lines(n, "unused", ", ") + "));",
    "asserts": lambda n: lines(n, '_Static_assert(@ >= 0, "m");'),
    "pragmas": lambda n: lines(n, "#pragma pack(1)\nstruct s@ { int a; };"),
    "warnings": lambda n: lines(n, "int f@(void) { int unused@; return 0; }"),
    "errors": lambda n: "int f(void) {\n" + lines(n, "x@ = 1;") + "}",
    "syntax-errors": lambda n: lines(n, "int f@(void) { return 1 }"),
    "asm": lambda n: "int f(int x) {\n" + lines(n, '__asm__("" : "+r"(x));') + "return x; }",
    "builtins": lambda n: "int f(unsigned x) {\n" + lines(n, "x += __builtin_popcount(x + @);") + "return x; }",
    "floats": lambda n: "double f(double x) {\n" + lines(n, "x = x * @.5 + 1;") + "return x; }",
    "struct-copies": lambda n: "struct s { int a[20]; }; void g(struct s); void f(struct s *p) {\n"
    + lines(n, "{ struct s q = *p; g(q); }")
    + "}",
    "old-style": lambda n: "int f(" + lines(n, "a@", ", ") + ") " + lines(n, "int a@;", " ") + " { return a0; }",
    "externs": lambda n: "int f(void) {\n" + lines(n, "{ extern int e; e = @; }") + "return 0; }",
    "redeclared": lambda n: lines(n, "extern int e;"),
    "shadows": lambda n: "int f(int x) { " + "{ int x = 1; " * n + "}" * n + " return x; }",
    "tags-nested": lambda n: "struct t0 { int a; "
    + "".join(f"struct t{i} {{ int a; " for i in range(1, n))
    + "".join(f"}} m{i}; " for i in range(n - 1))
    + "};",
}
CILK = {
    "spawn-receivers": lambda n: H
    + "cilk int f(int s) {\n"
    + lines(n, "int v@;")
    + lines(n, "v@ = spawn h(s + @);")
    + "sync; int t = 0;\n"
    + lines(n, "t += v@;")
    + "return t; }",
    "spawn-plain": lambda n: H + "cilk int f(int s) {\n" + lines(n, "spawn h(s + @);") + "sync; return 1; }",
    "spawn-op": lambda n: H + "cilk int f(int s) { int r = 0;\n" + lines(n, "r += spawn h(@);") + "sync; return r; }",
    "spawn-element": lambda n: H
    + f"cilk int f(int s) {{ int r[{n}];\n"
    + lines(n, "r[@] = spawn h(@);")
    + "sync; return r[s]; }",
    "spawn-sync": lambda n: H + "cilk int f(int s) { int r = 0;\n" + lines(n, "r = spawn h(@); sync;") + "return r; }",
    "syncs": lambda n: H + "cilk int f(int s) { int r = 0; r = spawn h(1);\n" + lines(n, "sync;") + "return r; }",
    "inlets": lambda n: H
    + "cilk int f(int s) { int t = 0;\n"
    + lines(n, "inlet void in@(int r) { t += r; }")
    + lines(n, "in@(spawn h(@));")
    + "sync; return t; }",
    "inlet": lambda n: H
    + "cilk int f(int s) { int t = 0;\ninlet void in(int r, int k) { t += r * k; }"
    + lines(n, "in(spawn h(@), @);")
    + "sync; return t; }",
    "aborts": lambda n: H
    + "cilk int f(int s) { int t = 0; t = spawn h(s);\n"
    + lines(n, "if (s > @) abort;")
    + "sync; return t; }",
    "syncheds": lambda n: H
    + "cilk int f(int s) { int t = 0; t = spawn h(s);\n"
    + lines(n, "if (SYNCHED) s += @;")
    + "sync; return t + s; }",
    "spawn-ifs": lambda n: H
    + "cilk int f(int s) { int r = 0;\n"
    + lines(n, "int v@ = s; if (s > @) r += spawn h(v@);")
    + "sync;\n"
    + lines(n, "r += v@;")
    + "return r; }",
    "spawn-loops": lambda n: H
    + "cilk int f(int s) { int r = 0;\n"
    + lines(n, "for (int i = 0; i < s; i++) r += spawn h(@);")
    + "sync; return r; }",
    "spawn-nested-loops": lambda n: H
    + "cilk int f(int s) { int r = 0;\n"
    + "while (s--) { " * n
    + "r += spawn h(s);"
    + "}" * n
    + "sync; return r; }",
    "procedures": lambda n: "cilk int f0(int x) { return x; }\n"
    + "".join(f"cilk int f{i}(int x) {{ int a; a = spawn f{i-1}(x); sync; return a; }}\n" for i in range(1, n)),
    "recursive-procedures": lambda n: lines(
        n,
        "cilk int f@(int x) { int a, b; if (x < 2) return x; a = spawn f@(x - 1); b = spawn f@(x - 2); sync; return a + b; }",
    ),
    "returns": lambda n: H
    + "cilk int f(int s) { int r = 0; r = spawn h(1);\n"
    + lines(n, "if (s == @) return r + @;")
    + "sync; return r; }",
    "spawn-args": lambda n: "cilk int h("
    + lines(n, "int a@", ", ")
    + ") { return a0; }\ncilk int f(int s) { int r; r = spawn h("
    + lines(n, "s + @", ", ")
    + "); sync; return r; }",
    "spawn-cases": lambda n: H
    + "cilk int f(int s) { int r = 0; switch (s) {\n"
    + lines(n, "case @: r += spawn h(@); break;")
    + "} sync; return r; }",
}
