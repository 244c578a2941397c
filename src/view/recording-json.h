/*
 * recording-json.h - where a recording comes from, and what is not in it, as JSON: the keys
 * "recording" and "losses" of what commands print. docs/json.md.
 */
#pragma once

struct datafile;
struct json;
struct profile;

/* What the header tells of the machine and the command, in an object that is begun. */
void recording_json_basics(struct json *json, const struct datafile *file);
/* Once all samples have been read. */
void recording_json_losses(struct json *json, const char *name, const struct profile *profile);
