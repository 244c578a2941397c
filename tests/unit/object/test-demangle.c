#include "../test.h"

#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "object/demangle.h"

struct pair {
	const char *mangled, *readable; /* NULL: not mangled */
};

static void check(const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_(freep) char *readable = demangle(pairs[i].mangled);

		if (!pairs[i].readable) {
			if (readable)
				fail_msg("%s became %s", pairs[i].mangled, readable);
			continue;
		}
		if (!readable)
			fail_msg("%s stayed", pairs[i].mangled);
		else
			assert_string_equal(readable, pairs[i].readable);
	}
}

#define CHECK(pairs) check(pairs, sizeof(pairs) / sizeof(*(pairs)))

static void cxx_names_have_their_parameters(void **state)
{
	static const struct pair pairs[] = {
		{ "_ZNK6shapes7Polygon9perimeterEv", "shapes::Polygon::perimeter() const" },
		{ "_ZN12_GLOBAL__N_113single_threadE", "(anonymous namespace)::single_thread" },
		{ "_ZSt4sortIPiEvT_S1_", "void std::sort<int*>(int*, int*)" },
		{ "_ZZ3fooiENKUliE_clEi", "foo(int)::{lambda(int)#1}::operator()(int) const" },
		{ "_ZN3fooB5cxx11Ev", "foo[abi:cxx11]()" },
		{ "_ZTI3foo", "typeinfo for foo" },
	};

	CHECK(pairs);
}

static void compilers_suffixes_are_clones(void **state)
{
	static const struct pair pairs[] = {
		{ "_Z3fooi.isra.0", "foo(int) [clone .isra.0]" },
		{ "_Z3foov.cold", "foo() [clone .cold]" },
		{ "_Z3foov.constprop.0.part.3", "foo() [clone .constprop.0] [clone .part.3]" },
		{ "_Z3fooi.123", "foo(int) [clone .123]" },
	};

	CHECK(pairs);
}

static void plt_and_version_stay_behind_the_name(void **state)
{
	static const struct pair pairs[] = {
		{ "_Znwm@plt", "operator new(unsigned long)@plt" },
		{ "_Z3foov@@V1", "foo()@@V1" },
		{ "malloc@plt", NULL },
		{ "malloc@@GLIBC_2.2.5", NULL },
	};

	CHECK(pairs);
}

static void rust_names_lose_their_hash(void **state)
{
	static const struct pair pairs[] = {
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE.llvm.1234567",
		  "core::fmt::Write::write_fmt" },
		{ "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
		  "std::rt::lang_start::{{closure}}" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_RNvCs1234_7mycrate3foo.llvm.123", "mycrate::foo" },
		{ "_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>" },
	};

	CHECK(pairs);
}

static void ocaml_names_have_dots(void **state)
{
	static const struct pair pairs[] = {
		{ "camlStdlib__List__map_100", "Stdlib.List.map_100" },
		{ "camlFoo__$3d$3d_12", "Foo.==_12" },
		{ "caml_foo__bar_123", NULL },
		{ "camlFoo", NULL },
	};

	CHECK(pairs);
}

static void java_methods_have_their_parameters(void **state)
{
	static const struct pair pairs[] = {
		{ "Ljava/lang/String;indexOf(I)I", "java.lang.String.indexOf(int)" },
		{ "Lfoo/Bar$Baz;<init>(Ljava/lang/String;[J)V",
		  "foo.Bar$Baz.<init>(java.lang.String, long[])" },
		{ "La;_z(ZBCSIJFD)[[La;",
		  "a._z(boolean, byte, char, short, int, long, float, double)" },
		{ "La/b;lambda$m$0([[La;)V", "a.b.lambda$m$0(a[][])" },
		{ "La;m", NULL },
		{ "La;m(Q)V", NULL },
		{ "La;m()VV", NULL },
		{ "La;m()", NULL },
		{ "La;m([)V", NULL },
		{ "La;m(I", NULL },
		{ "La;(I)V", NULL },
		{ "L;m(I)V", NULL },
		{ "Lx(I)V", NULL },
		{ "L", NULL },
		{ "LazyCompile:*f a.js:1", NULL },
	};

	CHECK(pairs);
}

static void what_is_not_mangled_stays(void **state)
{
	static const struct pair pairs[] = {
		{ "f", NULL },
		{ "i", NULL },
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_R", NULL },
		{ "__Z3fooi", NULL },
		{ "", NULL },
		{ "_", NULL },
		{ "@plt", NULL },
		{ "_start", NULL },
		{ "_Z3fo", NULL },
		{ "_ZN3foo", NULL },
		{ "_GLOBAL__sub_I_foo", NULL },
	};

	CHECK(pairs);
}

static char *repeat(const char *begin, const char *piece, size_t count, const char *end)
{
	size_t size = strlen(piece), at = strlen(begin);
	char *name = xcalloc(at + size * count + strlen(end) + 1, 1);

	memcpy(name, begin, at);
	for (size_t i = 0; i < count; i++, at += size)
		memcpy(name + at, piece, size);
	memcpy(name + at, end, strlen(end));
	return name;
}

static void long_templates_are_read(void **state)
{
	_cleanup_(freep) char *name = repeat("_Z1fI", "1aIiE", 600, "Evv");
	_cleanup_(freep) char *readable = demangle(name);

	assert_non_null(readable);
	assert_memory_equal(readable, "void f<a<int>, a<int>,", 22);
}

static void hostile_names_take_bounded_time(void **state)
{
	static const struct {
		const char *begin, *piece;
		size_t count;
		const char *end;
	} cases[] = {
		{ "_Z1f", "P", 1000000, "i" },
		{ "_Z1f", "P", 16000, "i" },
		{ "_Z", "N1a", 5000, "" },
		{ "_Z1f", "1aI", 5000, "" },
		{ "_Z1fI", "DpT_", 3500, "E" },
		{ "_Z1f", "FvPF", 4000, "" },
		{ "_ZN", "1a", 7000, "17h0123456789abcdefE" },
		{ "_R", "Nv", 8000, "C1a1b" },
		{ "_RINvC1a1b", "TB0_B0_E", 2000, "E" },
		{ "_RNvC1a", "u9999_", 2000, "" },
	};
	clock_t start = clock();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		_cleanup_(freep) char *name =
			repeat(cases[i].begin, cases[i].piece, cases[i].count, cases[i].end);

		free(demangle(name));
	}
	assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
}

/* Each type is a pair of the one before: 2^60 words. */
static void text_that_explodes_is_given_up(void **state)
{
	char name[1024] = "_Z1f1aIiiE";
	size_t at = strlen(name);
	_cleanup_(freep) char *readable = NULL;

	for (int i = 0; i < 60; i++) {
		/* S0_ is 'a<int, int>'; the one added last is S<base 36 of i>_ */
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		char seq[4] = { 0 };

		if (i >= 36)
			seq[0] = '1', seq[1] = digits[i - 36];
		else
			seq[0] = digits[i];
		at += (size_t)snprintf(name + at, sizeof(name) - at, "S_IS%s_S%s_E", seq, seq);
	}
	readable = demangle(name);
	assert_null(readable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cxx_names_have_their_parameters),
		cmocka_unit_test(compilers_suffixes_are_clones),
		cmocka_unit_test(plt_and_version_stay_behind_the_name),
		cmocka_unit_test(rust_names_lose_their_hash),
		cmocka_unit_test(ocaml_names_have_dots),
		cmocka_unit_test(java_methods_have_their_parameters),
		cmocka_unit_test(what_is_not_mangled_stays),
		cmocka_unit_test(long_templates_are_read),
		cmocka_unit_test(hostile_names_take_bounded_time),
		cmocka_unit_test(text_that_explodes_is_given_up),
	};

	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
