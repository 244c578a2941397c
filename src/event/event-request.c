#include "event/event-request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "event/eventlist.h"

void event_request_done(struct event_request *request)
{
	free(request->head);
	free(request->term_text);
	term_done(&request->terms);
	str_done(&request->suffix);
}

/* A path without quotes ends the terms at its first slash. */
static int wrong_suffix(const struct event_request *request, size_t at, struct strobe_err *err)
{
	size_t size = request->term_text ? strlen(request->term_text) : 0;

	if (size > 0 && request->term_text[size - 1] == '=')
		err_hint(err, -EINVAL, "a value with a '/' in it stands between single quotes");
	return err_where(err, -EINVAL, request->text, at);
}

/* "u:50000" and the like. */
static int parse_suffix(struct event_request *request, size_t at, struct strobe_err *err)
{
	const char *rest = request->text + at;
	struct str_part part;
	size_t wrong;

	while (rest && str_split(&rest, ':', &part)) {
		_cleanup_(freep) char *word = xstrndup(part.text, part.size);
		int r = modifier_parse(word, &request->modifier, &wrong, err);

		if (r < 0)
			return wrong_suffix(request, (size_t)(part.text - request->text) + wrong,
					    err);
		str_add_bytes(&request->suffix, word, strcspn(word, "0123456789"));
	}
	return 0;
}

/* Behind the last of the terms, @text being behind the first slash; NULL if nothing ends them. */
static const char *terms_end(const char *text)
{
	bool in_quotes = false;

	for (; *text && (in_quotes || *text != '/'); text++)
		if (*text == '\'')
			in_quotes = !in_quotes;
	return *text ? text : NULL;
}

/* "/terms/", behind which *ret_at is. */
static int parse_terms(struct event_request *request, size_t at, size_t *ret_at,
		       struct strobe_err *err)
{
	const char *begin = request->text + at + 1;
	const char *end = terms_end(begin);
	size_t wrong;
	int r;

	if (!end) {
		err_set(err, -EINVAL, "no '/' ends the terms of '%s'", request->text);
		return err_where(err, -EINVAL, request->text, strlen(request->text));
	}
	request->terms_at = at + 1;
	request->term_text = xstrndup(begin, (size_t)(end - begin));
	r = term_parse(request->term_text, &request->terms, &wrong, err);
	if (r < 0)
		return err_where(err, r, request->text, request->terms_at + wrong);
	*ret_at = (size_t)(end - request->text) + 1;
	return 0;
}

int event_request_parse(struct event_request *request, size_t at, struct strobe_err *err)
{
	int r = request->text[at] == '/' ? parse_terms(request, at, &at, err) : 0;

	if (r < 0 || !request->text[at])
		return r;
	return parse_suffix(request, at + (request->text[at] == ':'), err);
}

static char *name_of(const struct event_request *request, const char *head)
{
	struct str name = { 0 };

	str_add(&name, head);
	if (request->term_text)
		str_addf(&name, "/%s/", request->term_text);
	else if (request->suffix.size)
		str_add_char(&name, ':');
	str_add(&name, str_text(&request->suffix));
	return str_take(&name);
}

struct event_spec *event_request_add(struct eventlist *list, const struct event_request *request,
				     const char *head, uint32_t type, uint64_t config)
{
	_cleanup_(freep) char *name = name_of(request, head);
	struct event_spec *event = eventlist_add(list, name);

	event->attr.type = type;
	event->attr.config = config;
	return event;
}

int event_request_apply(const struct event_request *request, const struct pmu *pmu,
			struct event_spec *event, struct strobe_err *err)
{
	for (size_t i = 0; i < request->terms.count; i++) {
		const struct term *term = &request->terms.items[i];
		int r = term_apply(term, pmu, event, err);

		if (r < 0)
			return err_where(err, r, request->text, request->terms_at + term->at);
	}
	modifier_apply(&request->modifier, event);
	return 0;
}
