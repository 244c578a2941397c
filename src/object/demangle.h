/* demangle.h - C++, Rust, OCaml and Java names as people write them.
 *
 * Names are mangled in symbol tables, and stay so until one is printed. The text is perf's:
 *
 *   _ZNK6shapes7Polygon9perimeterEv            shapes::Polygon::perimeter() const
 *   _Z3fooi.isra.0                             foo(int) [clone .isra.0]
 *   _Z3foov@plt                                foo()@plt
 *   _ZN4core3fmt5Write9write_fmt17h<16 hex>E   core::fmt::Write::write_fmt
 *   _RNvCs1234_7mycrate3foo.llvm.123           mycrate::foo
 *   camlStdlib__List__map_100                  Stdlib.List.map_100
 *   Ljava/lang/String;indexOf(I)I              java.lang.String.indexOf(int)
 *
 * where perf is not wrong itself: a C function `f` is not `float`, and
 * `_ZN12_GLOBAL__N_113single_threadE` is `(anonymous namespace)::single_thread`; and Java's
 * constructors and arrays keep their dots and brackets. A version
 * (`@@GLIBCXX_3.4`) is kept behind the demangled name.
 *
 * Any bytes may come in: names longer than 16 KiB count as not mangled, and so does what would
 * grow beyond 256 KiB of text. Needs up to 4 MiB of stack for the worst of them.
 */
#pragma once

/* The readable name, to be freed; NULL if the name is not mangled or cannot be read. */
char *demangle(const char *name);
