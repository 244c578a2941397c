/*
 * stat-number.h - numbers of stat's tables as text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct stat_metric;
struct stat_row;
struct str;

/*
 * @digits behind the point, right-aligned in @width columns; @thousands, if it is not "", stands
 * before each group of three.
 */
void stat_number_add(struct str *out, double value, int digits, size_t width,
		     const char *thousands);

/* Digits behind the point that a row's value has: 2 where its unit is not what was counted. */
int stat_number_digits(const struct stat_row *row);
/* "   0.215", " 12.34%": as wide as perf has it. Without @padded, digits alone. */
void stat_number_add_metric(struct str *out, const struct stat_metric *metric, bool padded);

/* "<not counted>", "<not supported>"; NULL if it was counted. */
const char *stat_number_missing(const struct stat_row *row);
/* Percent of the time that it was to be counted: 100 if it was not to be counted at all. */
double stat_number_running(const struct stat_row *row);
