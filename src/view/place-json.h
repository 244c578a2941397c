/*
 * place-json.h - a place as JSON: {"addr":"0x401132","symbol":"main","offset":18,"dso":"/bin/x"}.
 *
 * What has no name is null. docs/json.md, "Places".
 */
#pragma once

struct frame;
struct json;
struct map;
struct place;
struct place_text_fields;
struct resolver;

/* @fields: of symbol, offset, dso and dso_offset, those that are wanted. */
void place_json_add(struct json *json, const char *name, const struct place *place,
		    const struct place_text_fields *fields);
/* The same of one of the frames there; its line is that which was found. */
void place_json_frame(struct json *json, const struct place *place, const struct frame *frame,
		      const struct place_text_fields *fields);
/* The same for an object that is begun already, and without the address. */
void place_json_names(struct json *json, const struct place *place,
		      const struct place_text_fields *fields);

/*
 * The object at a mapping, under one of its names (both may be NULL); and, where it is so, @name
 * with
 * "_deleted" and "_remapped" behind it.
 */
void place_json_dso(struct json *json, const char *name, const struct map *map,
		    const char *dso_name);

/* Why a place has no symbol, in words; nothing if it has one, or nobody knows. @resolver: NULL if
 * nobody asks. */
void place_json_reason(struct json *json, const char *name, const struct place *place,
		       struct resolver *resolver);
