/*
 * callfiles.h - paths of the files that descriptors stand for, as records of system calls tell
 * them.
 *
 * A record has a file's names once, and its key from then on. Starts as { 0 }.
 */
#pragma once

#include "base/hash.h"
#include "base/strings.h"

struct callitem;

struct callfiles {
	struct hash paths; /* by key: of a text in @texts */
	struct strings texts;
};

/*
 * The path of an item's file (CALLCOPY_FILE): "/etc/hosts", "socket:[17]"; NULL where it is not
 * known. Takes what the item tells. Borrowed for as long as @files lives.
 */
const char *callfiles_take(struct callfiles *files, const struct callitem *item);
void callfiles_done(struct callfiles *files);
