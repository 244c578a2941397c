/* script-start.h - the start of a line of script: "comm  pid/tid [cpu] time: ". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "view/script-text.h"

struct sample;
struct str;

struct script_start {
	const char *comm;
	bool chain_follows; /* then the name is not filled up: nothing needs to stand below it */
	const struct sample *sample;
	uint32_t type; /* of the record */
};

/* As far as the fields are shown. */
void script_start_add(const struct script_text *text, struct script_text_worker *worker,
		      enum script_kind kind, const struct script_start *start, struct str *out);
