/*
 * settings-edit.h - changing one setting in the text of a file. What else stands there stays as it
 * is: comments, order, blanks.
 */
#pragma once

#include <stddef.h>

struct str;

/* Adds the whole new text to @ret_text. @name passes settings_check_name(). */
void settings_edit(const char *text, size_t size, const char *name, const char *value,
		   struct str *ret_text);

/* The same without the setting, wherever it stands; a line that says nothing else goes with it. */
void settings_edit_unset(const char *text, size_t size, const char *name, struct str *ret_text);
