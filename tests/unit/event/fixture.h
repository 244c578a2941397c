/* fixture.h - a list of events of a machine that is a folder. */
#pragma once

#include "../../lib/tree.h"

#include "base/mem.h"
#include "event/eventlist.h"
#include "strobe/err.h"

#define PMU "sys/bus/event_source/devices/"

static char root[32];

static inline void put(const char *path, const char *text)
{
	tree_text(root, path, text);
}

static inline int remove_trees(void **state)
{
	tree_done(root);
	return 0;
}

struct fixture {
	struct eventlist list;
	struct strobe_err err;
};

static inline int parse(struct fixture *f, const char *text)
{
	f->list.root = root;
	f->err = (struct strobe_err){ 0 };
	return eventlist_parse(&f->list, text, &f->err);
}

static inline void fixture_done(struct fixture *f)
{
	eventlist_done(&f->list);
}

#define FIXTURE _cleanup_(fixture_done) struct fixture f = { 0 }
