/* opt.c - see opt.h. */
#include "base/opt.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"

enum { NAME_SIZE = 64, LISTED_MOST = 6 };

struct parser {
	const struct opt *table;
	const char **argv;
	int argc, at; /* @at: the word being read */
	void *config;
	struct strobe_err *err;
};

/* In every table: asks for help. */
static const struct opt help_option = {
	.kind = OPT_CALL, .letter = 'h', .name = "help", .flags = OPT_NO_NEGATE
};

static bool can_negate(const struct opt *o)
{
	if (o->kind == OPT_FLAG || o->kind == OPT_COUNT || o->kind == OPT_CALL ||
	    o->kind == OPT_ABSENT)
		return !(o->flags & OPT_NO_NEGATE);
	return o->flags & OPT_NEGATE;
}

static bool arg_is_optional(const struct opt *o)
{
	return o->arg && o->arg[0] == '[';
}

/* How an option is called in messages. */
struct label {
	char text[NAME_SIZE];
};

static struct label label(const struct opt *o)
{
	struct label label;

	if (o->name)
		(void)snprintf(label.text, sizeof(label.text), "--%s", o->name);
	else if (!o->letter)
		(void)snprintf(label.text, sizeof(label.text), "%s", o->key);
	else
		(void)snprintf(label.text, sizeof(label.text), "-%c", o->letter);
	return label;
}

static int usage(struct strobe_err *err, int code)
{
	if (code != -EINVAL)
		return code;
	if (err)
		err->code = code;
	return OPT_USAGE;
}

static int store_number(const struct opt *o, const char *arg, void *field, struct strobe_err *err)
{
	uint64_t limit = o->kind == OPT_UINT ? UINT_MAX : UINT64_MAX, value;
	uint64_t max = o->max ? o->max : limit;

	if (!str_to_u64(arg, &value))
		return err_set(err, -EINVAL, "%s wants a number, not '%s'", label(o).text, arg);
	if (value < o->min || value > max)
		return err_set(err, -EINVAL, "%s is from %llu to %llu, not '%s'", label(o).text,
			       (unsigned long long)o->min, (unsigned long long)max, arg);
	if (o->kind == OPT_UINT)
		*(unsigned *)field = (unsigned)value;
	else
		*(uint64_t *)field = value;
	return 0;
}

static void store_nothing(const struct opt *o, void *field)
{
	if (o->kind == OPT_UINT)
		*(unsigned *)field = 0;
	else if (o->kind == OPT_U64)
		*(uint64_t *)field = 0;
	else
		*(const char **)field = NULL;
}

static int refuse(const struct opt *o, struct strobe_err *err)
{
	if (o->help)
		err_set(err, -EINVAL, "%s", o->help);
	else
		err_set(err, -EINVAL, "perf has '%s', strobe has not yet", label(o).text);
	return usage(err, err_hint(err, -EINVAL, "%s", o->instead ? o->instead : ""));
}

static int store(const struct parser *p, const struct opt *o, bool negated, const char *arg)
{
	void *field = (char *)p->config + o->at;

	if (o == &help_option)
		return OPT_HELP;
	if (!arg && !negated)
		arg = o->implied;
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)field = !negated;
		return 0;
	case OPT_COUNT:
		*(unsigned *)field = negated ? 0 : *(unsigned *)field + 1;
		return 0;
	case OPT_CALL:
		return usage(p->err, o->call(field, arg, negated, p->err));
	case OPT_UINT:
	case OPT_U64:
		if (!negated)
			return usage(p->err, store_number(o, arg ? arg : "", field, p->err));
		break;
	case OPT_STR:
		*(const char **)field = arg ? arg : "";
		if (!negated)
			return 0;
		break;
	case OPT_ABSENT:
		return negated ? 0 : refuse(o, p->err);
	case OPT_END:
	case OPT_GROUP:
		return OPT_USAGE;
	}
	store_nothing(o, field);
	return 0;
}

/* The argument that is the next word, if the option wants one there; *ret_arg stays NULL if not. */
static int next_word(struct parser *p, const struct opt *o, const char **ret_arg)
{
	bool there = p->at + 1 < p->argc;

	if (!o->arg)
		return 0;
	if (arg_is_optional(o)) {
		if (!(o->flags & OPT_NEXT_WORD) || !there || p->argv[p->at + 1][0] == '-')
			return 0;
	} else if (!there) {
		return usage(p->err, err_set(p->err, -EINVAL, "%s wants a value", label(o).text));
	}
	*ret_arg = p->argv[++p->at];
	return 0;
}

/* Walks all long names of a table, the negated ones too. */
struct table_names {
	const struct opt *opt;
	unsigned form; /* next one of @opt: name, negated name, alias, negated alias */
	bool negated;
	char text[NAME_SIZE];
};

static bool names_next(struct table_names *n)
{
	while (n->opt != NULL) {
		const char *name = n->form < 2 ? n->opt->name : n->opt->alias, *bare;

		n->negated = n->form % 2;
		if (n->form++ == 4) {
			if (n->opt == &help_option)
				return false;
			n->opt = n->opt[1].kind == OPT_END ? &help_option : n->opt + 1;
			n->form = 0;
			continue;
		}
		if (!name || (n->negated && !can_negate(n->opt)))
			continue;
		bare = str_after(name, "no-");
		if (!n->negated)
			(void)snprintf(n->text, sizeof(n->text), "%s", name);
		else if (bare)
			(void)snprintf(n->text, sizeof(n->text), "%s", bare);
		else
			(void)snprintf(n->text, sizeof(n->text), "no-%s", name);
		return true;
	}
	return false;
}

static struct table_names names_of(const struct opt *table)
{
	return (struct table_names){ .opt = table->kind == OPT_END ? &help_option : table };
}

struct match {
	const struct opt *opt;
	bool negated;
	unsigned count;        /* of different meanings that begin as typed */
	struct str candidates; /* their names */
};

static void match_done(struct match *m)
{
	str_done(&m->candidates);
}

static void match_add(struct match *m, const struct table_names *n)
{
	if (m->count && m->opt == n->opt && m->negated == n->negated)
		return; /* the alias of the same */
	m->opt = n->opt;
	m->negated = n->negated;
	m->count++;
	if (m->count <= LISTED_MOST)
		str_addf(&m->candidates, "%s--%s", m->count > 1 ? ", " : "", n->text);
	else if (m->count == LISTED_MOST + 1)
		str_add(&m->candidates, ", ...");
}

/* An exact name, else all that begin as typed. */
static void match_name(struct match *m, const struct opt *table, const char *typed, size_t size)
{
	struct table_names n = names_of(table);

	while (names_next(&n)) {
		if (strncmp(n.text, typed, size) != 0)
			continue;
		if (n.text[size] == '\0') {
			m->opt = n.opt;
			m->negated = n.negated;
			m->count = 1;
			return;
		}
		if (n.opt->kind == OPT_ABSENT)
			continue;
		/* "--n" is not yet the beginning of each option's opposite. */
		if (size >= 2 || !str_after(n.text, "no-") || !n.negated)
			match_add(m, &n);
	}
}

static int unknown_name(const struct parser *p, const char *typed, size_t size)
{
	_cleanup_(freep) char *word = xstrndup(typed, size);
	struct table_names n = names_of(p->table);
	struct suggest suggest = { .typed = word };
	char nearest[NAME_SIZE];

	while (names_next(&n)) {
		if ((n.opt->flags & OPT_HIDDEN) || n.opt->kind == OPT_ABSENT)
			continue;
		suggest_try(&suggest, n.text);
		if (suggest.name == n.text) {
			memcpy(nearest, n.text, sizeof(nearest));
			suggest.name = nearest;
		}
	}
	err_set(p->err, -EINVAL, "unknown option '--%s'", word);
	if (suggest.name)
		err_hint(p->err, -EINVAL, "did you mean '--%s'?", suggest.name);
	return OPT_USAGE;
}

static int parse_long(struct parser *p)
{
	const char *typed = p->argv[p->at] + 2, *end = strchrnul(typed, '=');
	const char *arg = *end ? end + 1 : NULL;
	_cleanup_(match_done) struct match m = { 0 };
	size_t size = (size_t)(end - typed);
	int r;

	match_name(&m, p->table, typed, size);
	if (m.count == 0)
		return unknown_name(p, typed, size);
	if (m.count > 1)
		return usage(p->err, err_set(p->err, -EINVAL, "'--%.*s' could be %s", (int)size,
					     typed, str_text(&m.candidates)));
	if (arg && (!m.opt->arg || m.negated) && m.opt->kind != OPT_ABSENT)
		return usage(p->err, err_set(p->err, -EINVAL, "'--%.*s' takes no value, not '%s'",
					     (int)size, typed, arg));
	if (!arg && !m.negated) {
		r = next_word(p, m.opt, &arg);
		if (r < 0)
			return r;
	}
	return store(p, m.opt, m.negated, arg);
}

static const struct opt *find_letter(const struct opt *table, char letter)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++)
		if (o->letter && o->letter == letter)
			return o;
	return letter == help_option.letter ? &help_option : NULL;
}

/* "-freq" is "--freq" with a dash missing, if the table has such a name. */
static int unknown_letter(const struct parser *p, char letter)
{
	const char *word = p->argv[p->at] + 1;
	size_t size = strcspn(word, "=");
	struct table_names n = names_of(p->table);

	err_set(p->err, -EINVAL, "unknown option '-%c'", letter);
	while (size > 1 && names_next(&n))
		if (strlen(n.text) == size && strncmp(n.text, word, size) == 0)
			err_hint(p->err, -EINVAL, "did you mean '--%s'?", n.text);
	return OPT_USAGE;
}

static int parse_letters(struct parser *p)
{
	for (const char *letter = p->argv[p->at] + 1; *letter; letter++) {
		const struct opt *o = find_letter(p->table, *letter);
		const char *arg = NULL;
		int r = 0;

		if (!o)
			return unknown_letter(p, *letter);
		if (o->arg && letter[1])
			arg = letter + 1;
		else
			r = next_word(p, o, &arg);
		if (r == 0)
			r = store(p, o, false, arg);
		if (r < 0)
			return r;
		if (arg)
			break;
	}
	return 0;
}

static int parse_option(struct parser *p)
{
	int r = p->argv[p->at][1] == '-' ? parse_long(p) : parse_letters(p);

	p->at++;
	return r < 0 ? r : 0;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

int opt_set(const struct opt *o, const char *value, void *config, struct strobe_err *err)
{
	struct parser p = { .config = config, .err = err };
	bool on = false;

	if (o->arg)
		return store(&p, o, false, value);
	if (!str_to_bool(value, &on))
		return err_set(err, -EINVAL, "it is true or false, not '%s'", value);
	if (o->name && str_after(o->name, "no-"))
		on = !on;
	return store(&p, o, !on, NULL);
}

int opt_parse(const struct opt *table, int argc, const char **argv, void *config,
	      struct strobe_err *err)
{
	struct parser p = { table, argv, argc, 1, config, err };

	while (p.at < argc && is_option(argv[p.at])) {
		if (strcmp(argv[p.at], "--") == 0)
			return p.at + 1;
		int r = parse_option(&p);

		if (r < 0)
			return r;
	}
	return p.at;
}

int opt_parse_mixed(const struct opt *table, int argc, const char **argv, void *config,
		    struct strobe_err *err)
{
	_cleanup_(freep) const char **operands = xcalloc((size_t)argc + 1, sizeof(*operands));
	struct parser p = { table, argv, argc, 1, config, err };
	int count = 0;

	while (p.at < argc && strcmp(argv[p.at], "--") != 0) {
		int r = 0;

		if (is_option(argv[p.at]))
			r = parse_option(&p);
		else
			operands[count++] = argv[p.at++];
		if (r < 0)
			return r;
	}
	for (p.at++; p.at < argc; p.at++)
		operands[count++] = argv[p.at];
	for (int i = 0; i < count; i++)
		argv[argc - count + i] = operands[i];
	return argc - count;
}
