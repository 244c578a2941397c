/* stacks-json.h - what became of a recording's copied stacks, as an object in JSON. */
#pragma once

struct json;
struct stack_sum;

void stacks_json(struct json *json, const char *name, const struct stack_sum *sum);
