/*
 * opt.h - options as a table: one table parses; opt-doc.h makes help, man page and completion of
 * it.
 *
 * A value goes to its field of the command's own config struct, so tables are const, there are no
 * globals, and any table can be tested without a process. Options take effect in the order they
 * were typed. Texts stored in the config are argv's own.
 *
 * What may be typed is what perf takes: -F99, -F 99, --freq=99, --freq 99, bundles (-ag, -agF99),
 * beginnings of long names while only one option begins so, "--" before operands, and --no-NAME;
 * of an option called "no-NAME" the opposite is --NAME. -h and --help are in every table unseen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

enum opt_kind {
	OPT_END,   /* ends the table */
	OPT_GROUP, /* a heading in the help: only .help counts */
	OPT_FLAG,  /* bool: true, or false when negated; takes no argument */
	OPT_COUNT, /* unsigned: one more each time, 0 when negated; takes no argument */
	OPT_UINT,  /* unsigned: decimal, or hex after 0x */
	OPT_U64,   /* uint64_t: the same */
	OPT_STR,   /* const char * */
	OPT_CALL,  /* call() decides */
	/*
	 * perf has it, and here it is not there: typed in full it is refused, with .help, if not
	 * NULL, in place of the usual sentence, and .instead as the hint. Its opposite is what
	 * happens anyway. Not in help, and no guess at what was meant.
	 */
	OPT_ABSENT,
};

enum {
	/* Works, but is not in help, man page and completion. */
	OPT_HIDDEN = 1 << 0,
	/* FLAG, COUNT and CALL can be negated unless this is set... */
	OPT_NO_NEGATE = 1 << 1,
	/* ...and UINT, U64 and STR only if this is: the field becomes 0 or NULL. */
	OPT_NEGATE = 1 << 2,
	/* The optional argument may also be the next word, if that does not begin with '-'. */
	OPT_NEXT_WORD = 1 << 3,
};

/* What opt_parse returns when there is nothing to run; no errno has these values. */
enum {
	OPT_USAGE = -10001, /* wrong words were typed; err says which */
	OPT_HELP = -10002,  /* -h or --help was typed */
};

/*
 * @field is config + .at, so a callback serves several commands if it writes only there; with .at
 * of 0 it is the config itself. @arg is NULL when negated or when an optional argument is missing
 * and there is no .implied. A return of -EINVAL means that what was typed is wrong.
 */
typedef int opt_call(void *field, const char *arg, bool negated, struct strobe_err *err);

struct opt {
	enum opt_kind kind;
	char letter;      /* '\0' if none */
	const char *name; /* without "--", NULL if none */
	/*
	 * Name of the argument for the help; NULL: takes none. "[NAME]": may be left out, and is
	 * then only what is written to the option itself (-jFILE, --json=FILE): see OPT_NEXT_WORD.
	 */
	const char *arg;
	size_t at; /* offsetof() the field */
	const char *help;
	opt_call *call;
	unsigned flags;
	const char *implied; /* stands for an optional argument that is missing */
	const char *alias;   /* a second long name */
	const char *instead; /* of ABSENT: what helps; NULL: nothing to say */
	uint64_t min, max;   /* of UINT and U64, both included; max 0: what the field can hold */
	/*
	 * The setting that says the same in a file: "report.percent-limit". A row with nothing but
	 * a key is no option, and only its setting can be made. What takes no argument is true or
	 * false there; of an option called "no-NAME" the setting is about NAME.
	 */
	const char *key;
	/*
	 * For completion: the @i-th word that the argument may be, or NULL past the end. Where .arg
	 * ends in ",..." the argument is a list of such words, each perhaps behind a sign.
	 */
	const char *(*words)(size_t i);
};

/* Whether a row is an option that can be used: not a heading, and not a setting alone. */
static inline bool opt_is_option(const struct opt *o)
{
	return o->kind != OPT_END && o->kind != OPT_GROUP && o->kind != OPT_ABSENT &&
	       (o->letter || o->name);
}

/*
 * Fills in the field of one row with a key, as its setting has it: before the command line is
 * parsed, which may change it again. @value is text of the same lifetime as argv. Negative, with
 * @err, if it makes no sense.
 */
int opt_set(const struct opt *o, const char *value, void *config, struct strobe_err *err);

/*
 * Fills *config. Returns the index in argv of the first operand, where it stops: what follows
 * belongs to the operand ("record -g ls -l"). Or OPT_USAGE, OPT_HELP, or what a callback returned.
 */
int opt_parse(const struct opt *table, int argc, const char **argv, void *config,
	      struct strobe_err *err);
/*
 * As opt_parse, but options may follow operands up to a "--" ("report -i x hot -n"). Reorders argv:
 * the operands are argv[returned] to the end.
 */
int opt_parse_mixed(const struct opt *table, int argc, const char **argv, void *config,
		    struct strobe_err *err);
